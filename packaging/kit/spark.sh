# SPDX-FileCopyrightText: 2026 The Proxima authors
# SPDX-License-Identifier: Apache-2.0

# The part spark of run.sh: exact closeness on Spark's executors, one GPU each, beside the library in one JVM. Compares all rows.
#
#   GRAPH ROUNDS [TASKS_OF_A_GPU...]
#   GRAPH            as in the class BenchmarkGraphs, such as kron20
#   TASKS_OF_A_GPU   1, 2 or 4 tasks that share the GPU of an executor; a session of Spark for each; by default 1
# BACKEND=cpu tries it without a GPU. EXECUTORS (2), CORES (8) and MEMORY_MB (24576) of an executor; HEAP (24g) of the
# driver and of the library.
# Output: results.txt, and the logs of Spark's driver and executors.
[ $# -ge 2 ] || no_task "${*:-none}"
graph=$1
rounds=$2
shift 2
[ $# -gt 0 ] || set -- 1
unpack spark spark-home
library=$unpacked/spark
java="$java -Xmx${HEAP:-24g}"
backend=${BACKEND:-cuda}
executors=${EXECUTORS:-2}
cores=${CORES:-8}
memory=${MEMORY_MB:-24576}
work=$(mktemp -d "$unpacked/work.XXXXXX")
trap 'rm -rf "$work"' EXIT

# the library, on one device and on all
if [ "$backend" = cpu ]; then
    set -- cpu -- "$@"
else
    all=$(seq -s , 0 $((executors - 1)) | sed 's/[0-9][0-9]*/cuda:&/g')
    set -- cuda:0 "$all" -- "$@"
fi
backends=
while [ "$1" != -- ]; do
    backends="$backends $1"
    shift
done
shift
# shellcheck disable=SC2086
$java -cp "$library/benchmarks.jar:$library/proxima-spark.jar:$unpacked/spark-home/jars/*" \
    io.proxima.backend.cuda.ExportBenchmark "$work" "$rounds" "$graph" $backends 2>>"$out/library.log" |
    tee -a "$out/results.txt"
[ -f "$work/$graph.sums" ]

# each worker of the local cluster takes another GPU, as workers of different hosts have theirs
cat >"$work/gpus.sh" <<'SCRIPT'
#!/bin/sh
number=0
while ! mkdir "$(dirname "$0")/gpu-$number" 2>/dev/null; do number=$((number + 1)); done
printf '{"name": "gpu", "addresses": ["%s"]}\n' "$number"
SCRIPT
chmod +x "$work/gpus.sh"
opens=
for package in lang lang.invoke lang.reflect io net nio util util.concurrent util.concurrent.atomic; do
    opens="$opens --add-opens=java.base/java.$package=ALL-UNNAMED"
done
for package in nio.ch nio.cs security.action util.calendar; do
    opens="$opens --add-opens=java.base/sun.$package=ALL-UNNAMED"
done
export SPARK_HOME="$unpacked/spark-home" SPARK_SCALA_VERSION=2.13 SPARK_LOCAL_IP=127.0.0.1 JAVA_HOME="$unpacked/jre"
cd "$work"
for sharing in "$@"; do
    rm -rf "$work"/gpu-* "$SPARK_HOME/work"
    case $sharing in 1) amount=1 ;; 2) amount=0.5 ;; *) amount=0.25 ;; esac
    echo "$graph: $executors executors with $cores cores and a GPU each, $sharing tasks for a GPU at once" | tee -a "$out/results.txt"
    # shellcheck disable=SC2086
    $java $opens -cp "$SPARK_HOME/jars/*" org.apache.spark.deploy.SparkSubmit \
        --master "local-cluster[$executors,$cores,$memory]" \
        --conf spark.executor.memory="${memory}m" --conf spark.executor.cores="$cores" \
        --conf spark.executor.instances="$executors" --conf spark.ui.enabled=false \
        --conf spark.driver.host=127.0.0.1 --conf spark.driver.bindAddress=127.0.0.1 \
        --conf spark.task.cpus=$((cores / sharing)) \
        --conf spark.worker.resource.gpu.amount=1 --conf spark.worker.resource.gpu.discoveryScript="$work/gpus.sh" \
        --conf spark.executor.resource.gpu.amount=1 \
        --conf spark.task.resource.gpu.amount=$amount \
        --conf spark.executorEnv.CUDA_DEVICE_ORDER=PCI_BUS_ID \
        --jars "$library/proxima-spark.jar" --class io.proxima.spark.ClusterBenchmark "$library/benchmarks.jar" \
        "$work/$graph.proxima" "$work/$graph.sums" "$backend" "$work/rows-$sharing" "$rounds" 2>"$out/driver-$graph-$sharing.log" |
        tee "$work/session.txt"
    cat "$work/session.txt" >>"$out/results.txt"
    cat "$SPARK_HOME"/work/app-*/*/stderr >"$out/executors-$graph-$sharing.log"
    grep -h 'Proxima: ' "$out/executors-$graph-$sharing.log" | sort | uniq -c | tee -a "$out/results.txt"
    # the pipe hides the program's result
    grep -q 'rows equal those of the library' "$work/session.txt"
done

# SPDX-FileCopyrightText: 2026 The Proxima authors
# SPDX-License-Identifier: Apache-2.0

# The part backend of run.sh: the backends without Neo4j.
#
#   tests            the contract suite and every other test tagged gpu, on the device; then faults
#   vulkan           the contract suite of the Vulkan backend, on the first device that has Vulkan
#   stress SECONDS   eight users at random on a device that is too small for them, while its driver's calls fail
#   faults           a kernel that fails, and the device after it
#   sanitize TOOL... every kernel under memcheck, synccheck, initcheck or racecheck of compute-sanitizer, which must be on the
#                    PATH; FAMILIES=bit-parallel,blocks leaves the other kernels out
#   bench BACKEND GRAPHS TASK...      measures runs; the words as in the class RunBenchmark. All words after it are tasks
#   paper [GRAPHS]   how the kernels of single searches compare; by default on five graphs
#   compare LIB [GRAPH...]            this build beside another: LIB is the folder backend of its unpacked kit. One JVM for each
#                    build and graph, in turn. Fails if results differ. By default on seven graphs; BACKEND=cpu tries it without
#                    a GPU
#   first [GRAPHS [OPERATION...]]     the first calls on a graph after the warm-up, each time in JVMS new JVMs, by default 5; the
#                    words as in the class FirstCalls. By default searches of three graphs, and closeness of one of them.
#                    BACKEND is the configuration key of this name, by default auto
#   table3 GRAPH...  exact closeness of graphs as large as those of BLEST's Table III on all GPUs, checked as a whole; the
#                    words as in the class ClosenessTable. BACKEND as in bench, by default cuda. The folder PARTS keeps the
#                    sums of parts, two longs for each vertex, until all parts of a graph are there
#   without a task   tests, then paper
# Tests: OUTPUT_FOLDER/tests.log and reports. Sanitizers: OUTPUT_FOLDER/TOOL.log.
# Benchmarks: OUTPUT_FOLDER/runs.csv; paper also techniques.csv, the faster order of each kernel, as the charts read it; compare
# also builds.csv: graph, task, kernel of each build, first call and warm median of each in ms, their ratios, equal results.
# first writes OUTPUT_FOLDER/first.csv: graph, step, ms, in the order of the JVMs; and first-medians.csv, the median of each step
# with least and most.
# table3 writes OUTPUT_FOLDER/table3.csv, and its progress to the error output.
unpack backend
java="$java -Xmx${HEAP:-24g} -Dproxima.failures.dir=$out/failing-graphs"
class_path="$unpacked/backend/*"
test_classes=$(find "$unpacked/backend" -name 'proxima-gpu-backend-*-tests.jar')

tests() {
    launch tests.log --scan-classpath="$test_classes" --include-tag gpu --include-classname '.*Test'
    faults
}

vulkan() {
    java="$java -Dvulkan.required=true"
    launch vulkan.log --scan-classpath="$test_classes" --include-tag vulkan --include-classname '.*Test'
}

stress() {
    java="$java -Dproxima.stress.seconds=$1"
    launch stress.log --select-class io.proxima.backend.cuda.CudaResidencyStressTest
    grep '^stress with' "$out/stress.log"
}

# what fails stays with the context, which the other tests share
faults() {
    launch faults.log --select-class io.proxima.backend.cuda.CudaFaultTest
}

sanitize() {
    families=io.proxima.backend.cuda.CudaFamiliesTest
    for tool in "$@"; do
        # the last line of the tool tells its findings; it does not pass on the result of the tests
        # shellcheck disable=SC2086
        compute-sanitizer --tool "$tool" $java -Dproxima.families="${FAMILIES:-}" -cp "$class_path" \
            org.junit.platform.console.ConsoleLauncher execute --details tree --disable-banner --disable-ansi-colors \
            --select-method="$families#shouldFindWhatATextbookFinds(io.proxima.backend.Kernel)" \
            >"$out/$tool.log" 2>&1 || sanitized=no
        grep -E 'tests (successful|failed)|SUMMARY' "$out/$tool.log"
        grep -qE 'SUMMARY: 0 (errors|hazards)' "$out/$tool.log" || sanitized=no
    done
    [ "${sanitized:-}" != no ]
}

# runs CLASS_PATH BUILD BACKEND GRAPHS TASK...
runs() {
    jars=$1
    shift
    # shellcheck disable=SC2086
    $java -cp "$jars" io.proxima.backend.cuda.RunBenchmark "$@" >"$out/part.csv" 2>"$out/runs.log" || {
        cat "$out/part.csv" "$out/runs.log"
        return 1
    }
    if [ -s "$out/runs.csv" ]; then
        sed 1d "$out/part.csv" >>"$out/runs.csv"
    else
        cp "$out/part.csv" "$out/runs.csv"
    fi
    cat "$out/part.csv"
}

bench() {
    rm -f "$out/runs.csv"
    runs "$class_path" this "$@"
}

# every kernel of one search that the key 'kernel' accepts
paper() {
    set -- "${1:-kron20,kron22,urand22,rgg20,roadc2048}" search
    for kernel in directional balls ball-records merrill merrill-expand-contract merrill-contract-expand merrill-two-phase \
        xbfs tile-bfs two-layer blest-a blest-ab blest-abcd blest-full; do
        set -- "$@" "search/$kernel" "search/$kernel/natural"
    done
    bench timed "$@"
    awk -F , 'BEGIN { print "graph,step,side,repetition,millis" }
        NR > 1 && !/^#/ {
            side = $4 == "search" ? "auto" : $7
            key = $1 ",search," side ",1"
            if (!(key in least)) { keys[++count] = key; least[key] = $12 }
            if ($12 < least[key]) least[key] = $12
        }
        END { for (i = 1; i <= count; i++) print keys[i] "," least[keys[i]] }' "$out/runs.csv" >"$out/techniques.csv"
    cat "$out/techniques.csv"
}

compare() {
    other=$1
    shift
    [ $# -gt 0 ] || set -- kron20 kron22 urand22 rgg20 roadc2048 tailed20 oneway2048
    rm -f "$out/runs.csv"
    for graph in "$@"; do
        closeness=
        case $graph in kron20 | rgg20) closeness=closeness ;; esac
        # shellcheck disable=SC2086
        runs "$other/*" other "${BACKEND:-cuda}" "$graph" search distances sums $closeness
        # shellcheck disable=SC2086
        runs "$class_path" this "${BACKEND:-cuda}" "$graph" search distances sums $closeness
    done
    awk -F , 'BEGIN { print "graph,task,kernel_other,kernel_this,first_other,first_this,first_ratio,warm_other,warm_this,warm_ratio,equal" }
        NR > 1 && !/^#/ {
            key = $1 "," $4
            if ($5 == "other") { kernel[key] = $7; first[key] = $9; warm[key] = $10; sum[key] = $18 }
            else printf "%s,%s,%s,%s,%s,%.3f,%s,%s,%.3f,%s\n", key, kernel[key], $7, first[key], $9, $9 / first[key],
                warm[key], $10, $10 / warm[key], sum[key] == $18 ? "equal" : "DIFFERS"
        }' "$out/runs.csv" >"$out/builds.csv"
    cat "$out/builds.csv"
    ! grep -q DIFFERS "$out/builds.csv"
}

# a heap that is touched beforehand, as the stock neo4j.conf has it
first() {
    graphs=${1:-kron20,kron22,rgg20}
    [ $# -eq 0 ] || shift
    echo graph,step,millis >"$out/first.csv"
    for graph in $(echo "$graphs" | tr , ' '); do
        jvm=0
        while [ $jvm -lt "${JVMS:-5}" ]; do
            if [ $# -gt 0 ]; then
                first_calls "$graph" "$@"
            else
                first_calls "$graph" bfs bfs bfs bfs bfs
                case $graph in kron20) first_calls "$graph" farness farness ;; esac
            fi
            jvm=$((jvm + 1))
        done
    done
    sed 1d "$out/first.csv" | sort -t , -k 1,2 -k 3n | awk -F , '
        function row() { printf "%s,%s,%s,%s,%d\n", key, millis[int((count + 1) / 2)], millis[1], millis[count], count }
        BEGIN { print "graph,step,median_ms,least_ms,most_ms,jvms" }
        $1 "," $2 != key { if (count) row(); key = $1 "," $2; count = 0 }
        { millis[++count] = $3 }
        END { if (count) row() }' >"$out/first-medians.csv"
    cat "$out/first-medians.csv"
}

# first_calls GRAPH OPERATION...
first_calls() {
    # shellcheck disable=SC2086
    $java "-Xms${HEAP:-24g}" -XX:+UseG1GC -XX:+AlwaysPreTouch -cp "$class_path" io.proxima.backend.cuda.FirstCalls \
        "${BACKEND:-auto}" "$@" >"$out/part.csv" 2>"$out/first.log" || {
        cat "$out/part.csv" "$out/first.log"
        return 1
    }
    sed 1d "$out/part.csv" | tee -a "$out/first.csv"
}

table3() {
    parts=${PARTS:-${TMPDIR:-/tmp}/closeness-parts}
    mkdir -p "$parts"
    # shellcheck disable=SC2086
    $java -Dproxima.table.parts="$parts" -cp "$class_path" io.proxima.backend.cuda.ClosenessTable "${BACKEND:-cuda}" \
        "$@" >"$out/table3.csv" || failed=yes
    cat "$out/table3.csv"
    [ "${failed:-}" != yes ]
}

task=${1:-all}
[ $# -eq 0 ] || shift
case $task in
    all)
        tests
        paper
        ;;
    tests | vulkan | stress | faults | sanitize | bench | paper | compare | first | table3) "$task" "$@" ;;
    *) no_task "$task" ;;
esac

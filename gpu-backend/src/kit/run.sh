#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Proxima authors
# SPDX-License-Identifier: Apache-2.0

# Runs the GPU test kit on a host with an NVIDIA GPU and its driver; needs no Java, no Maven and no network.
#
# usage: run.sh [OUTPUT_FOLDER [TASK...]]
#   tests            the contract suite and every other test tagged gpu, on the device; then faults
#   stress SECONDS   eight users at random on a device that is too small for them, while its driver's calls fail
#   faults           a kernel that fails, and the device after it
#   sanitize TOOL... every kernel under memcheck, synccheck, initcheck or racecheck of compute-sanitizer, which must be on the
#                    PATH; FAMILIES=words,tiles leaves the other kernels out
#   bench GRAPH...   the benchmark; GRAPH as in the class GpuBenchmark. All words after it are graphs
#   paths GRAPH...   weighted shortest paths; GRAPH as in the class BenchmarkGraphs. All words after it are graphs
#   orders GRAPH...  what each order of the vertices costs on the host; needs no GPU. All words after it are graphs
#   paper [GRAPH...] how the kernels of single searches compare, and every variant of BLEST; by default on the graphs below
#   without a task   tests, then bench over the graphs below
# Tests: OUTPUT_FOLDER/tests.log and reports. Benchmark: OUTPUT_FOLDER/benchmark.log and benchmark.csv.
# Paper: the benchmark's files, and OUTPUT_FOLDER/techniques.md and techniques.csv.
# Sanitizers: OUTPUT_FOLDER/TOOL.log.
# Paths: OUTPUT_FOLDER/paths.log. Orders: OUTPUT_FOLDER/orders.log and orders.csv.
# UNPACKED names the folder to unpack to, by default beside this script. The result is that of the first task that fails.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/results}
[ $# -gt 0 ] && shift
mkdir -p "$out"
unpacked=${UNPACKED:-$here/unpacked}
if [ ! -x "$unpacked/jre/bin/java" ]; then
    mkdir -p "$unpacked"
    cat "$here"/kit.tar.gz.part-* | tar -xzf - -C "$unpacked"
fi
java="$unpacked/jre/bin/java -Xmx${HEAP:-24g} -Dgpu.required=true -Dproxima.failures.dir=$out/failing-graphs"

# launch LOG ARGUMENT...: runs tests in a JVM of their own
launch() {
    log=$1
    shift
    $java -cp "$unpacked/lib/*" org.junit.platform.console.ConsoleLauncher execute \
        --details tree --disable-banner --disable-ansi-colors --reports-dir "$out/reports" "$@" >"$out/$log" 2>&1 || {
        tail -n 150 "$out/$log"
        return 1
    }
    tail -n 20 "$out/$log"
}

tests() {
    launch tests.log --scan-classpath="$(ls "$unpacked"/lib/proxima-gpu-backend-*-tests.jar)" --include-tag gpu \
        --include-classname '.*Test'
    faults
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
        compute-sanitizer --tool "$tool" $java -Dproxima.families="${FAMILIES:-}" -cp "$unpacked/lib/*" \
            org.junit.platform.console.ConsoleLauncher execute --details tree --disable-banner --disable-ansi-colors \
            --select-method="$families#shouldFindWhatTheCpuFinds(io.proxima.backend.Kernel)" \
            --select-method="$families#shouldFindTheComponentsInEveryOrder(io.proxima.backend.order.VertexOrder)" \
            >"$out/$tool.log" 2>&1 || sanitized=no
        grep -E 'tests (successful|failed)|SUMMARY' "$out/$tool.log"
        grep -qE 'SUMMARY: 0 (errors|hazards)' "$out/$tool.log" || sanitized=no
    done
    [ "${sanitized:-}" != no ]
}

bench() {
    $java -cp "$unpacked/lib/*" io.proxima.backend.cuda.GpuBenchmark "$out/benchmark.csv" "$@" 2>&1 |
        tee "$out/benchmark.log"
    # the pipe hides the program's result
    ! grep -q '^Exception in thread' "$out/benchmark.log"
}

# every kernel of one search that the key 'kernel' accepts, then the paper's tables: variants, many searches, closeness
paper() {
    [ $# -gt 0 ] || set -- kron20 kron22 urand22 rgg20 roadc2048
    kernels=directional,balls,ball-records,merrill,merrill-expand-contract,merrill-contract-expand,merrill-two-phase
    kernels=$kernels,xbfs,tile,two-layer,blest-a,blest-ab,blest-abcd,blest-full
    for graph in "$@"; do
        compared="${compared:-} kernels:$kernels:$graph"
    done
    # shellcheck disable=SC2086
    bench $compared "$@" closeness:kron16
    $java -cp "$unpacked/lib/*" io.proxima.backend.cuda.TechniqueTable \
        "$out/benchmark.csv" "$out/techniques.md" "$out/techniques.csv"
    cat "$out/techniques.md"
}

paths() {
    $java -cp "$unpacked/lib/*" io.proxima.backend.cuda.NearFarBenchmark "$@" 2>&1 | tee "$out/paths.log"
    ! grep -q '^Exception in thread' "$out/paths.log"
}

orders() {
    $java -cp "$unpacked/lib/*" io.proxima.backend.cuda.OrderBenchmark "$out/orders.csv" "$@" 2>&1 |
        tee "$out/orders.log"
    ! grep -q '^Exception in thread' "$out/orders.log"
}

if [ $# -eq 0 ]; then
    tests
    bench crossover:18 stop kron20 kron22 urand22 rgg20 road2048 roadc2048 closeness:kron16 closeness:kron18
elif [ "$1" = tests ]; then
    shift
    tests
    if [ "${1:-}" = bench ]; then
        shift
        bench "$@"
    fi
elif [ "$1" = stress ]; then
    stress "$2"
elif [ "$1" = faults ]; then
    faults
elif [ "$1" = sanitize ]; then
    shift
    sanitize "$@"
elif [ "$1" = paper ]; then
    shift
    paper "$@"
elif [ "$1" = paths ]; then
    shift
    paths "$@"
elif [ "$1" = orders ]; then
    shift
    orders "$@"
else
    shift
    bench "$@"
fi

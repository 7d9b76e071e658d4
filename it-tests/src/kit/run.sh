#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Proxima authors
# SPDX-License-Identifier: Apache-2.0

# Runs Neo4j with the packed plugin on a host with an NVIDIA GPU and its driver; needs no Java, no Maven and no network.
#
# usage: run.sh [OUTPUT_FOLDER [TASK...]]
#   tests            the facts and the real graphs, on each backend, through Cypher over Bolt
#   bench OPTION...  the backends compared; OPTION as in the class BackendBenchmark. All words after it are options
#   first OPTION...  the first calls of a server, with and without the warm-up; OPTION as in the class FirstCallBenchmark
#   clients OPTION... several clients at once; OPTION as in the class ClientsBenchmark. All words after it are options
#   peers OPTION...  beside the Graph Data Science library, in a kit made with the profile peers; OPTION as in PeerBenchmark
#   soak SECONDS     eight clients for so long, while calls of the host's driver fail at random
#   without a task   tests, then bench with concurrency 4 and with one for each processor
# Tests: OUTPUT_FOLDER/tests.log and reports. Benchmark: OUTPUT_FOLDER/benchmark.log with the medians, and neo4j-gpu.csv.
# First calls, clients, peers: OUTPUT_FOLDER/NAME.log and NAME.csv, NAME being first-call, clients or peers.
# Soak: OUTPUT_FOLDER/soak.log and soak/ with its history.
# What the servers logged: OUTPUT_FOLDER/server-logs.tar.gz.
# UNPACKED names the folder to unpack to, by default beside this script. The result is that of the first task that fails.
# GPU_REQUIRED=false lets the backend cpu run alone on a host without a GPU.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/results}
[ $# -gt 0 ] && shift
mkdir -p "$out"
out=$(cd "$out" && pwd)
unpacked=${UNPACKED:-$here/unpacked}
if [ ! -f "$unpacked/server.classpath" ]; then
    mkdir -p "$unpacked"
    cat "$here"/kit.tar.gz.part-* | tar -xzf - -C "$unpacked"
fi
java="$unpacked/jre/bin/java -Xmx${HEAP:-3g} -Dgpu.required=${GPU_REQUIRED:-true} -Dproxima.it.directory=$unpacked
    -Dproxima.benchmark.directory=$out -cp $unpacked/tests/*:$unpacked/server/*"
# the class path's stars are java's to expand
set -f

keep_server_logs() {
    (cd "$unpacked" && find servers -path '*/logs/*' -type f | tar -czf "$out/server-logs.tar.gz" -T -) || true
}
trap keep_server_logs EXIT

tests() {
    $java org.junit.platform.console.ConsoleLauncher execute \
        --scan-classpath="$(find "$unpacked/tests" -name 'proxima-it-tests-*-tests.jar')" --include-engine junit-jupiter --include-tag gpu \
        --include-classname '.*Test' --fail-if-no-tests --details tree --disable-banner --disable-ansi-colors \
        --reports-dir "$out/reports" >"$out/tests.log" 2>&1 || {
        tail -n 150 "$out/tests.log"
        return 1
    }
    tail -n 20 "$out/tests.log"
}

# benchmark NAME CLASS OPTION...
benchmark() {
    log=$out/$1.log
    class=$2
    shift 2
    $java "io.proxima.it.benchmark.$class" "$@" >"$log" 2>&1 || {
        cat "$log"
        return 1
    }
    cat "$log"
}

bench() {
    benchmark benchmark BackendBenchmark "$@"
}

soak() {
    result=0
    $java -Dproxima.soak.driver=host -Dproxima.soak.seconds="$1" org.junit.platform.console.ConsoleLauncher execute \
        --select-class io.proxima.it.soak.SoakTest --include-engine junit-jupiter --fail-if-no-tests --details tree \
        --disable-banner --disable-ansi-colors >"$out/soak.log" 2>&1 || result=$?
    cp -r "$unpacked/soak" "$out/"
    tail -n 40 "$out/soak.log"
    return $result
}

if [ $# -eq 0 ]; then
    tests
    bench --concurrency=4,"$(nproc)"
elif [ "$1" = tests ]; then
    shift
    tests
    if [ "${1:-}" = bench ]; then
        shift
        bench "$@"
    fi
elif [ "$1" = first ]; then
    shift
    benchmark first-call FirstCallBenchmark "$@"
elif [ "$1" = clients ]; then
    shift
    benchmark clients ClientsBenchmark "$@"
elif [ "$1" = peers ]; then
    shift
    benchmark peers PeerBenchmark "$@"
elif [ "$1" = soak ]; then
    soak "$2"
else
    shift
    bench "$@"
fi

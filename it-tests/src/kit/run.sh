#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Proxima authors
# SPDX-License-Identifier: Apache-2.0

# Runs Neo4j with the packed plugin on a host with an NVIDIA GPU and its driver; needs no Java, no Maven and no network.
#
# usage: run.sh [OUTPUT_FOLDER [TASK...]]
#   tests            the facts and the real graphs, on each backend, through Cypher over Bolt
#   clients OPTION... several clients at once; OPTION as in the class ClientsBenchmark. All words after it are options
#   peers OPTION...  calls, beside the Graph Data Science library in a kit made with the profile full; OPTION as in
#                    PeerBenchmark, such as --settings=server.proxima.backend=cpu. All words after it are options
#   soak SECONDS     eight clients for so long, while calls of the host's driver fail at random
#   without a task   tests, then peers of R-MAT 18
# Tests: OUTPUT_FOLDER/tests.log and reports. Clients and peers: OUTPUT_FOLDER/NAME.log and NAME.csv.
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
    -Dproxima.benchmark.directory=$out -cp $unpacked/tests/*:$unpacked/plugins/*:$unpacked/server/*"
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
    benchmark peers PeerBenchmark --graphs=rmat-18
    exit
fi
task=$1
shift
case $task in
    tests) tests ;;
    clients) benchmark clients ClientsBenchmark "$@" ;;
    peers) benchmark peers PeerBenchmark "$@" ;;
    soak) soak "$1" ;;
    *)
        echo "No such task: $task" >&2
        exit 1
        ;;
esac

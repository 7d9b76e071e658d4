# SPDX-FileCopyrightText: 2026 The Proxima authors
# SPDX-License-Identifier: Apache-2.0

# The part neo4j of run.sh: Neo4j with the packed plugin.
#
#   tests            the facts and the real graphs, on each backend, through Cypher over Bolt
#   clients OPTION... several clients at once; OPTION as in the class ClientsBenchmark. All words after it are options
#   peers OPTION...  calls, beside the Graph Data Science library in a kit made with the profile full; OPTION as in
#                    PeerBenchmark, such as --settings=server.proxima.backend=cpu. All words after it are options
#   soak SECONDS     eight clients for so long, while calls of the host's driver fail at random
#   without a task   tests, then peers of R-MAT 18
# Tests: OUTPUT_FOLDER/tests.log and reports. Clients and peers: OUTPUT_FOLDER/NAME.log and NAME.csv.
# Soak: OUTPUT_FOLDER/soak.log and soak/ with its history.
# What the servers logged: OUTPUT_FOLDER/server-logs.tar.gz.
unpack neo4j neo4j-server
laid_out=$unpacked/neo4j
java="$java -Xmx${HEAP:-3g} -Dproxima.it.directory=$laid_out -Dproxima.benchmark.directory=$out"
class_path="$laid_out/tests/*:$laid_out/plugins/*:$unpacked/neo4j-server/*"

keep_server_logs() {
    (cd "$laid_out" && find servers -path '*/logs/*' -type f | tar -czf "$out/server-logs.tar.gz" -T -) || true
}
trap keep_server_logs EXIT

tests() {
    launch tests.log --scan-classpath="$(find "$laid_out/tests" -name 'proxima-it-tests-*-tests.jar')" \
        --include-engine junit-jupiter --include-tag gpu --include-classname '.*Test'
}

# benchmark NAME CLASS OPTION...
benchmark() {
    log=$out/$1.log
    class=$2
    shift 2
    # shellcheck disable=SC2086
    $java -cp "$class_path" "io.proxima.it.benchmark.$class" "$@" >"$log" 2>&1 || {
        cat "$log"
        return 1
    }
    cat "$log"
}

soak() {
    result=0
    java="$java -Dproxima.soak.driver=host -Dproxima.soak.seconds=$1"
    launch soak.log --select-class io.proxima.it.soak.SoakTest --include-engine junit-jupiter || result=$?
    cp -r "$laid_out/soak" "$out/"
    return $result
}

task=${1:-all}
[ $# -eq 0 ] || shift
case $task in
    all)
        tests
        benchmark peers PeerBenchmark --graphs=rmat-18
        ;;
    clients) benchmark clients ClientsBenchmark "$@" ;;
    peers) benchmark peers PeerBenchmark "$@" ;;
    tests | soak) "$task" "$@" ;;
    *) no_task "$task" ;;
esac

#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Proxima authors
# SPDX-License-Identifier: Apache-2.0

# Runs a part of the GPU kit on a host with an NVIDIA GPU and its driver; needs no Java, no Maven and no network.
#
# usage: run.sh OUTPUT_FOLDER PART [TASK...]
#   backend   the backends without Neo4j
#   neo4j     Neo4j with the packed plugin
#   spark     Spark's executors
# The head of PART.sh lists its tasks. The result is that of the first task that fails.
# HEAP is that of the JVM. GPU_REQUIRED=false tries a part on a host without a GPU. UNPACKED names the folder to unpack to, by
# default beside this script.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -lt 2 ] || [ ! -f "$here/$2.sh" ]; then
    echo "usage: run.sh OUTPUT_FOLDER PART [TASK...], where PART.sh is in $here" >&2
    exit 2
fi
mkdir -p "$1"
out=$(cd "$1" && pwd)
part=$2
shift 2
unpacked=${UNPACKED:-$here/unpacked}

# unpack NAME...: the archives of these names, unless the same are unpacked
unpack() {
    mkdir -p "$unpacked"
    for name in "$@"; do
        sums=$(cksum "$here/$name".tar.xz.part-*)
        if [ "$(cat "$unpacked/$name.sums" 2>/dev/null)" != "$sums" ]; then
            rm -rf "${unpacked:?}/$name"
            cat "$here/$name".tar.xz.part-* | tar -xJf - -C "$unpacked"
            echo "$sums" >"$unpacked/$name.sums"
        fi
    done
}
unpack jre
java="$unpacked/jre/bin/java -Dgpu.required=${GPU_REQUIRED:-true}"

# launch LOG ARGUMENT...: runs tests of $class_path in a JVM of their own
launch() {
    log=$out/$1
    shift
    # shellcheck disable=SC2086
    $java -cp "$class_path" org.junit.platform.console.ConsoleLauncher execute --fail-if-no-tests \
        --details tree --disable-banner --disable-ansi-colors --reports-dir "$out/reports" "$@" >"$log" 2>&1 || {
        tail -n 150 "$log"
        return 1
    }
    tail -n 20 "$log"
}

no_task() {
    echo "no such task: $1; the head of $part.sh lists them" >&2
    exit 2
}

. "$here/$part.sh"

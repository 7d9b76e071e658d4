#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Proxima authors
# SPDX-License-Identifier: Apache-2.0

# Collects in dist what a release publishes, after a build with -Prelease. If PROXIMA_RELEASE is the address of its files,
# they include versions.json, from which Neo4j's images take the jar of their line: see packaging/docker/README.md.
# usage: assemble.sh VERSION
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$1
built=plugin/target/proxima-$version
if [ ! -f "$built.cdx.json" ]; then
    echo "There is no bill of materials: Maven makes it only when it is online." >&2
    exit 1
fi

rm -rf dist
mkdir dist
cp "$built.jar" "$built-sources.jar" "$built.cdx.json" "spark/target/proxima-spark-$version.jar" LICENSE THIRD-PARTY-LICENSES.txt dist
cd dist
if [ -n "${PROXIMA_RELEASE:-}" ]; then
    for line in 5.26.x 2026.x.x; do
        printf '{"neo4j": "%s", "jar": "%s/proxima-%s.jar"}\n' "$line" "$PROXIMA_RELEASE" "$version"
    done | sed '1s/^/[/; $!s/$/,/; $s/$/]/' > versions.json
fi
LC_ALL=C
sums=$(sha256sum -- *)
echo "$sums" > SHA256SUMS

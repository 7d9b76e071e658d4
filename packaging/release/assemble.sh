#!/usr/bin/env bash
# Copyright 2026 The Proxima authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

# Collects in dist what a release publishes, after a build with -Prelease.
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
LC_ALL=C
sums=$(sha256sum -- *)
echo "$sums" > SHA256SUMS

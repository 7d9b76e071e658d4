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

# Builds the commit checked out here once more, in a clone under another path and another time zone, and fails if a file
# differs from that in dist.
# usage: reproduce.sh, after a build with -Prelease; further arguments go to Maven
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ -n "$(git status --porcelain)" ]; then
    echo "There are uncommitted changes: commit them, and build dist again." >&2
    exit 1
fi
clone=$(mktemp -d)
trap 'rm -rf "$clone"' EXIT
git clone --quiet --no-local . "$clone/proxima"
(cd "$clone/proxima" && TZ=Pacific/Chatham LC_ALL=C mvn -B -ntp -q -Prelease -DskipTests -Dspotless.check.skip=true "$@" verify)
diff --recursive dist "$clone/proxima/dist"
echo "The $(find dist -type f | wc -l) files in dist are reproducible:"
cat dist/SHA256SUMS

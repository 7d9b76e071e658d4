#!/bin/sh
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

# Says in one line how many tests tagged gpu ran on a GPU and how many were skipped, from the files of GpuTestSummary.
# usage: gpu-summary.sh FOLDER
set -eu
[ -d "$1" ] || exit 0
cat "$1"/*.txt | awk '
    {
        ran += $1
        skipped += $2
        if ($2 > 0) { reason = $0; sub(/^[0-9]+ [0-9]+ /, "", reason) }
    }
    END {
        if (ran == 0) {
            print "GPU: no kernel ran on a GPU; all " skipped " tests tagged gpu were skipped. " reason
        } else {
            print "GPU: " ran " tests tagged gpu ran, " skipped " were skipped. " reason
        }
    }'
rm -r "$1"

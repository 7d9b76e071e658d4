#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Proxima authors
# SPDX-License-Identifier: Apache-2.0

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

#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Proxima authors
# SPDX-License-Identifier: Apache-2.0

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

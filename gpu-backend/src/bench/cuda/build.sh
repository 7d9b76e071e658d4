#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Proxima authors
# SPDX-License-Identifier: Apache-2.0

# Compiles the kernels' own test (../../test/cuda/kernels_test.cu) and the benches, which need no GPU for that.
#
# usage: build.sh OUTPUT_FOLDER [ARCHITECTURE]    ARCHITECTURE as in nvcc -arch, by default sm_90
set -eu
mkdir -p "$1"
out=$(cd "$1" && pwd)
arch=${2:-sm_90}
cd "$(dirname "$0")"

compile='
    name=$(basename "$1" .cu)
    language=
    if [ "$name" = kernels_test ]; then
        language="-x c++"
    fi
    nvcc $language -std=c++17 -O3 -arch="$arch" --extended-lambda -Xcompiler -fopenmp -o "$out/$name" "$1" -ldl'
export arch out
printf "%s\n" ../../test/cuda/*.cu *.cu | xargs -n 1 -P "$(nproc)" sh -euc "$compile" build.sh
ls "$out"

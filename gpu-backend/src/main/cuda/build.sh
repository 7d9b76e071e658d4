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

# Compiles the kernels: for each .cu one .ptx for every card from compute capability 8.0 on, which the driver brings to
# the card, and one .sm_90.cubin that Hopper cards load as it is. Also writes kernels.sha256, by which a build without nvcc
# finds out that sources and compiled files belong together. Both are committed.
#
# usage: build.sh [OUTPUT_FOLDER [NVCC_FLAG...]]    without arguments: the resources of this module
#
# The same sources and the same nvcc (13.0) give the same bytes. There is no -lineinfo in what ships, as it would put the
# paths of this machine into the files; for a profiler: build.sh /tmp/profiled -lineinfo
set -eu
cd "$(dirname "$0")"
out=../resources/io/proxima/backend/cuda
if [ $# -gt 0 ]; then
    out=$1
    shift
fi
mkdir -p "$out"

# nvcc 13.0 writes PTX ISA 9.0, which drivers before 580 refuse. The kernels need nothing later than 8.0 (drivers from 525,
# CUDA 12.0, on); ptxas is asked to confirm that.
ptx_isa=8.0

for source in *.cu; do
    name=${source%.cu}
    nvcc -std=c++17 -O3 -arch=compute_80 "$@" -ptx -o "$out/$name.ptx" "$source"
    sed -i "s/^\.version .*/.version $ptx_isa/" "$out/$name.ptx"
    nvcc -arch=sm_80 -cubin -o /dev/null "$out/$name.ptx"
    nvcc -std=c++17 -O3 -arch=sm_90 "$@" -cubin -o "$out/$name.sm_90.cubin" "$source"
done

if [ "$out" = ../resources/io/proxima/backend/cuda ]; then
    cd ..
    LC_ALL=C
    export LC_ALL
    sha256sum cuda/*.cu cuda/*.cuh cuda/build.sh resources/io/proxima/backend/cuda/*.ptx \
        resources/io/proxima/backend/cuda/*.cubin >resources/io/proxima/backend/cuda/kernels.sha256
fi

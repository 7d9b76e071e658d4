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

# Compiles the kernels. Of each .cu it makes
#   NAME.ptx            for every card from compute capability 8.0 on; the driver compiles it for the card
#   NAME.sm_90.cubin    machine code of Hopper cards
# and of all together
#   kernels.interface   the parameters of every entry and the constants that the host knows; read by tests
#   kernels.sha256      hashes of the sources and of what was made of them, by which a build without nvcc finds out that they
#                       belong together
# All are committed: code and hashes in the resources of this module, the interface in those of its tests.
#
# usage: build.sh [OUTPUT_FOLDER [NVCC_FLAG...]]    without arguments: the resources; else all but the hashes, to that folder
#
# The same sources and the same nvcc give the same bytes, so what is committed comes from one version. There is no -lineinfo
# in it, as that would put the paths of this machine into the files; for a profiler: build.sh /tmp/profiled -lineinfo
set -eu
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")"

nvcc_version=13.0.88

# nvcc 13.0 writes PTX ISA 9.0, which drivers before 580 refuse. The kernels need nothing later than 8.0 (drivers from 525,
# CUDA 12.0, on); ptxas is asked to confirm that.
ptx_isa=8.0

code=../resources/io/proxima/backend/cuda
interface=../../test/resources/io/proxima/backend/cuda
shipping=true
if [ $# -gt 0 ]; then
    shipping=false
    code=$1
    interface=$1
    shift
fi
if $shipping && ! nvcc --version | grep -qF "V$nvcc_version"; then
    echo "build.sh: what is committed is compiled by nvcc $nvcc_version, and the nvcc in PATH is:" >&2
    nvcc --version >&2
    echo "Install the CUDA toolkit with that version, or name an output folder." >&2
    exit 1
fi
mkdir -p "$code" "$interface"

for source in *.cu; do
    name=${source%.cu}
    nvcc -std=c++17 -O3 -arch=compute_80 "$@" -ptx -o "$code/$name.ptx" "$source"
    sed -i "s/^\.version .*/.version $ptx_isa/" "$code/$name.ptx"
    nvcc -arch=sm_80 -cubin -o /dev/null "$code/$name.ptx"
    nvcc -std=c++17 -O3 -arch=sm_90 "$@" -cubin -o "$code/$name.sm_90.cubin" "$source"
done

# A line an entry, "entry MODULE NAME THREADS KIND...": THREADS a block has at most, - if the kernel leaves that open; KIND of
# each parameter: ptr, u64, u32 or f32. A line a constant, "constant NAME VALUE". Taken from PTX of compute_100, the first
# that tells pointers from other parameters of 64 bits.
ptx=$(mktemp)
lines=$(mktemp)
trap 'rm -f "$ptx" "$lines"' EXIT
for source in *.cu; do
    nvcc -std=c++17 -Xcicc -O0 -arch=compute_100 -DPROXIMA_INTERFACE -ptx -o "$ptx" "$source"
    awk -v module="${source%.cu}" '
        $2 == ".entry" { name = $3; sub(/\(.*/, "", name); threads = "-"; kinds = "" }
        name != "" && $1 == ".param" { kinds = kinds " " ($3 == ".ptr" ? "ptr" : substr($2, 2)) }
        name != "" && $1 == ".maxntid" { threads = $2; sub(/,/, "", threads) }
        name != "" && $1 == "{" { print "entry", module, name, threads kinds; name = "" }
        $5 ~ /^host_constant_/ { split($5, constant, ";"); sub(/host_constant_/, "", constant[1])
                                 sub(/;/, "", $7)
                                 print "constant", constant[1], ($6 == "=" ? $7 : 0) }
        ' "$ptx" >>"$lines"
done
sort -u "$lines" >"$interface/kernels.interface"

if $shipping; then
    cd ..
    sha256sum cuda/*.cu cuda/*.cuh cuda/build.sh resources/io/proxima/backend/cuda/*.ptx \
        resources/io/proxima/backend/cuda/*.cubin ../test/resources/io/proxima/backend/cuda/kernels.interface \
        >resources/io/proxima/backend/cuda/kernels.sha256
fi

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
#   kernels.interface   the argument of every entry and the constants that the host knows; read by tests
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
# CUDA 12.0, on); ptxas is asked to confirm that. The pragma that is left out is a hint of PTX ISA 8.3.
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
    sed -i -e "s/^\.version .*/.version $ptx_isa/" -e '/\.pragma "used_bytes_mask/d' "$code/$name.ptx"
    nvcc -arch=sm_80 -cubin -o /dev/null "$code/$name.ptx"
    nvcc -std=c++17 -O3 -arch=sm_90 "$@" -cubin -o "$code/$name.sm_90.cubin" "$source"
done

# Reads PTX of compute_100, then what readelf says of the debug information of the host's half, and writes
#   entry MODULE NAME THREADS STRUCT      THREADS a block has at most, - if the kernel leaves that open; STRUCT: its argument
#   struct NAME BYTES
#   field STRUCT OFFSET KIND NAME         KIND: ptr, u64, u32 or f32; fields of a struct within a struct are its own
#   constant NAME VALUE
# Debug information is the only place where a compiler says names, offsets and types of the fields together.
interface_of='
    FNR == 1 { file++ }
    file == 1 && $2 == ".entry" { entry = $3; sub(/\(.*/, "", entry); threads[entry] = "-" }
    file == 1 && $1 == ".maxntid" { threads[entry] = $2; sub(/,/, "", threads[entry]) }
    file == 1 && $5 ~ /^host_constant_/ {
        split($5, constant, ";"); sub(/host_constant_/, "", constant[1]); sub(/;/, "", $7)
        print "constant", constant[1], ($6 == "=" ? $7 : 0)
    }
    file == 2 && /Abbrev Number: [1-9]/ {
        split($1, place, /[<>]+/)
        depth = place[2]; die = place[3]; tag[die] = $NF; gsub(/[()]|DW_TAG_/, "", tag[die])
        path[depth] = die; children[path[depth - 1]] = children[path[depth - 1]] " " die
    }
    file == 2 && $2 ~ /^DW_AT_(name|type|byte_size|data_member_location):?$/ {
        key = $2; sub(/:$/, "", key)
        value = $0; sub(/^.*: */, "", value)
        if (key == "DW_AT_name") { sub(/<.*/, "", value) } else { gsub(/<0x|>$/, "", value) }
        attribute[die, key] = value
    }
    function plain(type) {
        while (tag[type] == "const_type" || tag[type] == "typedef") { type = attribute[type, "DW_AT_type"] }
        return type
    }
    function kind(type) {
        return tag[type] == "pointer_type" ? "ptr" : attribute[type, "DW_AT_name"] == "float" ? "f32" \
                : attribute[type, "DW_AT_byte_size"] == 8 ? "u64" : attribute[type, "DW_AT_byte_size"] == 4 ? "u32" : "?"
    }
    function fields(struct, outer, begin,    all, i, n, type, at) {
        n = split(children[struct], all, " ")
        for (i = 1; i <= n; i++) {
            if (tag[all[i]] == "member") {
                type = plain(attribute[all[i], "DW_AT_type"])
                at = begin + attribute[all[i], "DW_AT_data_member_location"]
                if (tag[type] == "structure_type") {
                    fields(type, outer, at)
                } else {
                    print "field", outer, at, kind(type), attribute[all[i], "DW_AT_name"]
                }
            }
        }
    }
    END {
        for (die in tag) {
            entry = attribute[die, "DW_AT_name"]
            n = split(children[die], all, " ")
            if (tag[die] == "subprogram" && entry in threads && tag[all[1]] == "formal_parameter") {
                struct = plain(attribute[all[1], "DW_AT_type"])
                print "entry", module, entry, threads[entry], attribute[struct, "DW_AT_name"]
                print "struct", attribute[struct, "DW_AT_name"], attribute[struct, "DW_AT_byte_size"]
                fields(struct, attribute[struct, "DW_AT_name"], 0)
            }
        }
    }'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for source in *.cu; do
    name=${source%.cu}
    nvcc -std=c++17 -Xcicc -O0 -arch=compute_100 -DPROXIMA_INTERFACE -ptx -o "$work/ptx" "$source"
    nvcc -std=c++17 -Xcicc -O0 -arch=compute_100 -code=compute_100 -g -c -o "$work/object" "$source"
    readelf --debug-dump=info "$work/object" >"$work/types"
    awk -v module="$name" "$interface_of" "$work/ptx" "$work/types" >>"$work/lines"
done
sort -u "$work/lines" >"$interface/kernels.interface"

if $shipping; then
    cd ..
    sha256sum cuda/*.cu cuda/*.cuh cuda/build.sh resources/io/proxima/backend/cuda/*.ptx \
        resources/io/proxima/backend/cuda/*.cubin ../test/resources/io/proxima/backend/cuda/kernels.interface \
        >resources/io/proxima/backend/cuda/kernels.sha256
fi

#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Proxima authors
# SPDX-License-Identifier: Apache-2.0

# Compiles the kernels. Of each .cu it makes
#   NAME.ptx            for every card from compute capability 8.0 on; the driver compiles it for the card
#   NAME.sm_90.cubin    machine code of Hopper cards
# and of all together
#   kernels.interface   the argument of every entry, by which the host lays out what it passes
#   KernelConstants.java   the constants that the host shares with the kernels
#   kernels.sha256      hashes of the sources and of what was made of them, by which a build without nvcc finds out that they
#                       belong together
# All are committed.
#
# usage: build.sh [OUTPUT_FOLDER [NVCC_FLAG...]]    without arguments: the resources; else all but the hashes, to that folder
#
# The same sources and the same nvcc give the same bytes in every folder, so what is committed comes from one version. There
# is no -lineinfo in it, as that would put the paths of this machine into the files; for a profiler:
# build.sh /tmp/profiled -lineinfo
set -eu
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")"

nvcc_version=13.0.88

# Without the CUDA C++ standard library, which the header of cooperative groups includes only for its type traits: it would
# take most of the time of a small module.
standard="-std=c++17 -D_CG_LIMIT_INCLUDED_DEPENDENCIES"

# nvcc 13.0 writes PTX ISA 9.0, which drivers before 580 refuse. The kernels need nothing later than 8.0 (drivers from 525,
# CUDA 12.0, on); ptxas is asked to confirm that. The pragma that is left out is a hint of PTX ISA 8.3.
ptx_isa=8.0

code=../resources/io/proxima/backend/cuda
java=../java/io/proxima/backend/cuda/driver
shipping=true
if [ $# -gt 0 ]; then
    shipping=false
    code=$1
    java=$1
    shift
fi
if $shipping && ! nvcc --version | grep -qF "V$nvcc_version"; then
    echo "build.sh: what is committed is compiled by nvcc $nvcc_version, and the nvcc in PATH is:" >&2
    nvcc --version >&2
    echo "Install the CUDA toolkit with that version, or name an output folder." >&2
    exit 1
fi
mkdir -p "$code" "$java"

# Reads PTX of the module, then what readelf says of the debug information of the host's half, and writes
#   entry MODULE NAME THREADS STRUCT      THREADS a block has at most, - if the kernel leaves that open; STRUCT: its argument
#   struct NAME BYTES
#   field STRUCT OFFSET KIND NAME         KIND: ptr, u64, u32 or f32; fields of a struct within a struct, or of its base, are
#                                         its own
#   constant NAME VALUE
# Debug information is the only place where a compiler says names, offsets and types of the fields together. The host's half
# lists constants that nothing refers to only with -fno-eliminate-unused-debug-symbols.
interface_of='
    FNR == 1 { file++ }
    file == 1 && $2 == ".entry" { entry = $3; sub(/\(.*/, "", entry); threads[entry] = "-" }
    file == 1 && $1 == ".maxntid" { threads[entry] = $2; sub(/,/, "", threads[entry]) }
    file == 2 && /Abbrev Number: [1-9]/ {
        split($1, place, /[<>]+/)
        depth = place[2]; die = place[3]; tag[die] = $NF; gsub(/[()]|DW_TAG_/, "", tag[die])
        path[depth] = die; children[path[depth - 1]] = children[path[depth - 1]] " " die
    }
    file == 2 && $2 ~ /^DW_AT_(name|type|byte_size|data_member_location|const_value):?$/ {
        key = $2; sub(/:$/, "", key)
        value = $0; sub(/^.*: */, "", value)
        if (key == "DW_AT_name") { sub(/<.*/, "", value) } else { gsub(/<0x|>$/, "", value) }
        attribute[die, key] = value
    }
    function decimal(number,    value, i) {
        if (number !~ /^0x/) {
            return number
        }
        for (i = 3; i <= length(number); i++) {
            value = 16 * value + index("123456789abcdef", substr(number, i, 1))
        }
        return sprintf("%.0f", value)
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
            if (tag[all[i]] == "member" || tag[all[i]] == "inheritance") {
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
            if (tag[die] == "variable" && sub(/^host_constant_/, "", entry)) {
                print "constant", entry, decimal(attribute[die, "DW_AT_const_value"])
            }
        }
    }'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One step of one module. The steps do not depend on each other, and are most of the time of this script. ptxas checks the
# version of the PTX whatever it optimizes, so it optimizes nothing.
#
# The compiler names what is private to a module, such as constants of the CUDA C++ library, by a hash of the path of its
# source. It is told a path without folders.
step='
    private="-Xcicc --orig_src_path_name=$2.cu"
    case $1 in
    cubin)
        nvcc $standard $private -O3 -arch=sm_90 $flags -cubin -o "$code/$2.sm_90.cubin" "$2.cu"
        ;;
    ptx)
        nvcc $standard $private -O3 -arch=compute_80 $flags -ptx -o "$code/$2.ptx" "$2.cu"
        sed -i -e "s/^\.version .*/.version $ptx_isa/" -e "/\.pragma \"used_bytes_mask/d" "$code/$2.ptx"
        ptxas -O0 -arch=sm_80 -o /dev/null "$code/$2.ptx"
        ;;
    interface)
        mkdir "$work/$2"
        nvcc $standard -Xcicc -O0 -arch=compute_100 -code=compute_100 -DPROXIMA_INTERFACE -g \
            -Xcompiler -fno-eliminate-unused-debug-symbols -c -keep -keep-dir "$work/$2" -o "$work/$2/object" "$2.cu"
        readelf --debug-dump=info "$work/$2/object" >"$work/$2/types"
        awk -v module="$2" "$interface_of" "$work/$2/$2.ptx" "$work/$2/types" >"$work/$2/lines"
        ;;
    esac'
flags=$*
export code flags standard ptx_isa interface_of work
for kind in cubin ptx interface; do
    for source in *.cu; do
        echo "$kind ${source%.cu}"
    done
done | xargs -n 2 -P "$(nproc)" sh -euc "$step" build.sh
cat "$work"/*/lines | sort -u | grep -v ^constant >"$code/kernels.interface"
{
    cat <<'END'
// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.driver;

/** The constants that host and kernels share: HOST_CONSTANT in the sources of the kernels. Written by build.sh. */
public final class KernelConstants {

END
    cat "$work"/*/lines | sort -u | awk '$1 == "constant" {
        isInt = $3 >= -2147483648 && $3 <= 2147483647
        printf "    public static final %s %s = %s;\n", isInt ? "int" : "long", $2, isInt ? $3 : $3 "L"
    }'
    printf '\n    private KernelConstants() {}\n}\n'
} >"$java/KernelConstants.java"

if $shipping; then
    cd ..
    sha256sum cuda/*.cu cuda/*.cuh cuda/build.sh resources/io/proxima/backend/cuda/*.ptx \
        resources/io/proxima/backend/cuda/*.cubin resources/io/proxima/backend/cuda/kernels.interface \
        java/io/proxima/backend/cuda/driver/KernelConstants.java >resources/io/proxima/backend/cuda/kernels.sha256
fi

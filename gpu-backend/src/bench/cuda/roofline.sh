#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Proxima authors
# SPDX-License-Identifier: Apache-2.0

# Reads the hardware counters of the search kernels with Nsight Compute: bytes from and to memory and L2, share of their
# peaks, and what warps wait for. Also measures what a copy within the device's memory reaches.
#
# usage: roofline.sh OUTPUT_FOLDER BENCH_SINGLE BENCH_MULTI [KIT_RUN]
#   BENCH_SINGLE, BENCH_MULTI    the compiled benches
#   KIT_RUN                      run.sh of the test kit, for the kernels that the benches lack
# Writes copy.txt and a CSV a kernel family and graph, one row a launch, in the units that their header names.
set -eu
out=$1
single=$2
multi=$3
kit=${4:-}
mkdir -p "$out"
here=$(cd "$(dirname "$0")" && pwd)

nvcc -std=c++17 -O3 -arch=native -o "$out/copy" "$here/copy.cu"
"$out/copy" >"$out/copy.txt"
rm "$out/copy"

metrics=gpu__time_duration.sum,launch__grid_size,launch__block_size,launch__registers_per_thread
metrics=$metrics,dram__bytes_read.sum,dram__bytes_write.sum,dram__throughput.avg.pct_of_peak_sustained_elapsed
metrics=$metrics,lts__t_bytes.sum,lts__t_sector_hit_rate.pct,lts__throughput.avg.pct_of_peak_sustained_elapsed
metrics=$metrics,sm__throughput.avg.pct_of_peak_sustained_elapsed,sm__warps_active.avg.pct_of_peak_sustained_active
metrics=$metrics,smsp__inst_executed.sum
for reason in long_scoreboard barrier membar lg_throttle short_scoreboard wait mio_throttle math_pipe_throttle sleeping; do
    metrics=$metrics,smsp__average_warps_issue_stalled_${reason}_per_issue_active.ratio
done

# counters NAME KERNELS SKIP COUNT COMMAND...    the command is ended when so many launches were looked at
counters() {
    name=$1
    kernels=$2
    skip=$3
    count=$4
    shift 4
    # caches stay as a run leaves them for the next; the clocks stay as they are
    timeout "${LIMIT:-300}" ncu --target-processes all --clock-control none --cache-control none --csv --page raw \
        --kernel-name "regex:$kernels" --launch-skip "$skip" --launch-count "$count" --kill yes --metrics "$metrics" \
        --log-file "$out/$name.csv" "$@" >"$out/$name.log" 2>&1 || true
    echo "$name: $(grep -c '^"[0-9]' "$out/$name.csv") launches"
}

for graph in kron20 kron22 urand22; do
    counters "directional-$graph" '^bfs_directional' 3 8 "$single" "$out/times.csv" "$graph"
done
counters windows-rows-rgg20 '^bfs_windows_rows' 3 4 "$single" "$out/times.csv" rgg20
counters windows-records-rgg20 '^bfs_windows_records' 3 4 "$single" "$out/times.csv" rgg20
counters balls-rows-road2048 '^bfs_balls_rows' 3 4 "$single" "$out/times.csv" road2048
counters balls-records-road2048 '^bfs_balls_records' 3 4 "$single" "$out/times.csv" road2048
export QUICK=1
for graph in kron20 kron22 urand22; do
    counters "words-$graph" '^msbfs_words_k1024' 1 2 "$multi" "$out/times.csv" words "$graph"
done
counters tiles-rgg20 '^msbfs_tiles' 0 1 "$multi" "$out/times.csv" tiles 0.02 128 16 rgg20
counters blocks-rgg20 '^msbfs_blocks' 0 1 "$multi" "$out/times.csv" blocks rgg20
if [ -n "$kit" ]; then
    for graph in kron20 kron22; do
        counters "blest-$graph" '^bfs_bvss_lazy_mma' 3 8 "$kit" "$out/kit" bench "$graph"
        counters "blest-many-$graph" '^msbfs_bvss_k' 0 1 "$kit" "$out/kit" bench "$graph"
        counters "components-$graph" '^components_afforest' 1 3 "$kit" "$out/kit" bench "wcc:$graph"
    done
    counters components-road2048 '^components_afforest' 1 3 "$kit" "$out/kit" bench wcc:road2048
    counters near-far-kron20 '^near_far_u32' 3 8 "$kit" "$out/kit" paths kron20
    counters near-far-roadc2048 '^near_far_u32' 3 4 "$kit" "$out/kit" paths roadc2048
    for graph in kron20 rgg20; do
        for kernel in xbfs merrill tile two-layer; do
            # merrill has a kernel for each strategy; the key without one means the hybrid
            case $kernel in merrill) name=bfs_merrill_hybrid ;; *) name=bfs_$(echo "$kernel" | tr - _) ;; esac
            counters "$kernel-$graph" "^$name" 3 6 "$kit" "$out/kit" bench "kernels:$kernel:$graph"
        done
    done
    counters betweenness-kron18 '^betweenness_plain' 1 2 "$kit" "$out/kit" bench betweenness:kron18:4096
    counters betweenness-rgg18 '^betweenness_plain' 1 2 "$kit" "$out/kit" bench betweenness:rgg18:4096
fi

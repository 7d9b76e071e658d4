#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Proxima authors
# SPDX-License-Identifier: Apache-2.0

# Reads the hardware counters of the kernels of single searches with Nsight Compute: bytes from and to memory and L2, share of
# their peaks, and what warps wait for.
#
# usage: roofline.sh OUTPUT_FOLDER KIT_RUN     KIT_RUN: run.sh of the GPU kit
# Writes a CSV a kernel and graph, one row a launch, in the units that its header names.
set -eu
out=$1
kit=$2
mkdir -p "$out"

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

for graph in kron20 rgg20; do
    for kernel in directional ball-records balls xbfs merrill tile-bfs two-layer; do
        # merrill has a kernel for each strategy; the key without one means the hybrid
        case $kernel in
            merrill) name=bfs_merrill_hybrid ;;
            balls) name='bfs_(balls|windows)_rows' ;;
            ball-records) name='bfs_(balls|windows)_records' ;;
            *) name=bfs_$(echo "$kernel" | tr - _) ;;
        esac
        counters "$kernel-$graph" "^$name" 3 6 "$kit" "$out/kit" backend bench cuda "$graph" "search/$kernel"
    done
done

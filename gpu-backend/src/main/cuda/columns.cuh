// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cooperative_groups.h>
#include <cstdint>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

#include "persistent.cuh"

// What the kernels that build a graph's structures share: a walk over the entries of a CSC that balances entries, searches in
// sorted columns, and prefix sums. All counts of entries are 64-bit.
namespace proxima {

/** A CSC in device memory. The rows of a column ascend unless the kernel's head says otherwise. */
struct Columns {
    const int64_t *ptrs;  // int64[n + 1]
    const int *idx;       // int[ptrs[n]]
    int n;

    /** The first entry of a slice set; past the last set, the number of entries. */
    __device__ __forceinline__ int64_t setStart(int64_t set) const {
        const int64_t column = set * SLICE_SIZE;
        return __ldg(ptrs + (column < n ? column : n));
    }

    __device__ __forceinline__ int sets() const {
        return static_cast<int>((static_cast<int64_t>(n) + SLICE_SIZE - 1) / SLICE_SIZE);
    }
};

/** The slice set of an existing entry, which is the same in all lanes; a search with 32 probes a step. */
__device__ __forceinline__ int setOfEntry_warp(const Columns &columns, int64_t entry, int lane) {
    int low = 0;
    int high = columns.sets();
    while (high - low > 1) {
        const int probe = low + static_cast<int>(static_cast<int64_t>(high - low) * (lane + 1) / (WARP_SIZE + 1));
        const unsigned below = __ballot_sync(ALL_LANES, columns.setStart(probe) <= entry);
        const int count = __popc(below);
        const int newLow = __shfl_sync(ALL_LANES, probe, count == 0 ? 0 : count - 1);
        const int newHigh = __shfl_sync(ALL_LANES, probe, count == WARP_SIZE ? 0 : count);
        low = count == 0 ? low : newLow;
        high = count == WARP_SIZE ? high : newHigh;
    }
    return low;
}

/** Entries of one slice set that a warp processes together. */
struct SetPart {
    int set;
    int64_t bound;  // lane b < 8: the first entry of column b of the set; other lanes: the end of the set
    int64_t entry;  // the entry of this lane
    bool active;    // whether this lane has an entry
    int column;     // 0 to 7, the column of the entry within the set

    __device__ __forceinline__ int64_t start(int b) const { return __shfl_sync(ALL_LANES, bound, b); }
};

/**
 * Calls visit for the entries firstEntry (inclusive) to lastEntry (exclusive). Warps share them by the number of entries, so
 * that a hub does not delay the rest. All lanes of a warp call visit together.
 */
template <class Visit>
__device__ __forceinline__ void forEachSetPart_grid(
        const Columns &columns, int64_t first, int64_t last, const Place &place, Visit visit) {
    constexpr int64_t ENTRIES_A_PORTION = 1024;
    const int64_t portions = (last - first + ENTRIES_A_PORTION - 1) / ENTRIES_A_PORTION;
    for (int64_t portion = place.warp; portion < portions; portion += place.warps) {
        int64_t at = first + portion * ENTRIES_A_PORTION;
        const int64_t end = at + ENTRIES_A_PORTION < last ? at + ENTRIES_A_PORTION : last;
        int set = setOfEntry_warp(columns, at, place.lane);
        while (at < end) {
            SetPart part;
            part.set = set;
            const int64_t column =
                    static_cast<int64_t>(set) * SLICE_SIZE + (place.lane < SLICE_SIZE ? place.lane : SLICE_SIZE);
            part.bound = __ldg(columns.ptrs + (column < columns.n ? column : columns.n));
            const int64_t setEnd = part.start(SLICE_SIZE);
            if (setEnd <= at) {
                // many sets may be empty
                set = setOfEntry_warp(columns, at, place.lane);
                continue;
            }
            const int64_t partEnd = setEnd < end ? setEnd : end;
            for (int64_t base = at; base < partEnd; base += WARP_SIZE) {
                part.entry = base + place.lane;
                part.active = part.entry < partEnd;
                part.column = 0;
#pragma unroll
                for (int b = 1; b < SLICE_SIZE; b++) {
                    part.column += part.start(b) <= part.entry ? 1 : 0;
                }
                visit(part);
            }
            at = partEnd;
            set++;
        }
    }
}

/** Returns how many of the ascending values at[0] to at[length - 1] are less than value. */
__device__ __forceinline__ int lowerBound(const int *at, int length, int value) {
    int low = 0;
    while (length > 0) {
        const int half = length / 2;
        const bool less = __ldg(at + low + half) < value;
        low = less ? low + half + 1 : low;
        length = less ? length - half - 1 : half;
    }
    return low;
}

/**
 * Exclusive prefix sums in 64 bits: calls put(i, value(0) + ... + value(i - 1)) for i = 0 to count. Needs a cooperative launch,
 * and a synchronisation of the grid between two calls with the same blockSums.
 *
 * @param blockSums scratch, one word per block
 */
template <class Value, class Put>
__device__ __forceinline__ void sumUp_grid(int64_t count, unsigned long long *blockSums, Value value, Put put) {
    using Reduce = cub::BlockReduce<unsigned long long, BLOCK_THREADS>;
    using Scan = cub::BlockScan<unsigned long long, BLOCK_THREADS>;
    __shared__ union {
        typename Reduce::TempStorage reduce;
        typename Scan::TempStorage scan;
    } scratch;
    __shared__ unsigned long long ofBlocksBefore;
    const int64_t share = (count + gridDim.x - 1) / gridDim.x;
    const int64_t from = share * blockIdx.x < count ? share * blockIdx.x : count;
    const int64_t to = from + share < count ? from + share : count;

    unsigned long long mine = 0;
    for (int64_t i = from + threadIdx.x; i < to; i += BLOCK_THREADS) {
        mine += value(i);
    }
    const unsigned long long own = Reduce(scratch.reduce).Sum(mine);  // valid in thread 0 only
    if (threadIdx.x == 0) {
        blockSums[blockIdx.x] = own;
    }
    cooperative_groups::this_grid().sync();
    mine = 0;
    for (int block = threadIdx.x; block < static_cast<int>(blockIdx.x); block += BLOCK_THREADS) {
        mine += blockSums[block];
    }
    const unsigned long long before = Reduce(scratch.reduce).Sum(mine);
    if (threadIdx.x == 0) {
        ofBlocksBefore = before;
        if (blockIdx.x == gridDim.x - 1) {
            put(count, before + own);
        }
    }
    __syncthreads();
    unsigned long long running = ofBlocksBefore;
    for (int64_t base = from; base < to; base += BLOCK_THREADS) {
        const int64_t i = base + threadIdx.x;
        unsigned long long sum;
        unsigned long long total;
        Scan(scratch.scan).ExclusiveSum(i < to ? static_cast<unsigned long long>(value(i)) : 0, sum, total);
        if (i < to) {
            put(i, running + sum);
        }
        running += total;
        __syncthreads();
    }
}

}  // namespace proxima

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>

#include "compact.cuh"
#include "persistent.cuh"

// Builds the parts of a compact graph other than the lists of csc_order.cu, in the slot order of those lists.
//
//   compact_measure_thread    the number of active slots, and the sum of the squares of the out-degrees
//   compact_pointers_thread   32-bit pointers from 64-bit pointers
//   compact_heads_thread      heads; after compact_measure_thread
//
// Any grid, blocks of any multiple of 32 threads.
//   reads   outPtrs[n + 1] inPtrs[n + 1] (int64), inIdx[inPtrs[n]]
//   writes  totals[1]                            zeroed by the host
//           ptrs[n + 1] (uint32)                 entries < 2^32
//           heads[HEADS * headColumn(active)]    NO_HEAD if a list is shorter, and from active to the end of a column
//   atomics maximum and sum, without return. The sum is of doubles, so its last digits depend on scheduling above 2^53
namespace proxima {

/** Measures of the lists, in the 64-bit words that the host reads. */
struct CompactTotals {
    double squares;             // sum of the squares of the out-degrees
    unsigned long long active;  // end of the slots that have an in-entry or out-entry
};

HOST_CONSTANT(COMPACT_TOTALS, sizeof(CompactTotals) / sizeof(int64_t))
HOST_CONSTANT(COMPACT_SQUARES, offsetof(CompactTotals, squares) / sizeof(int64_t))
HOST_CONSTANT(COMPACT_ACTIVE, offsetof(CompactTotals, active) / sizeof(int64_t))

__device__ __forceinline__ void measure(const int64_t *outPtrs, const int64_t *inPtrs, CompactTotals *totals, int n) {
    const Place place = Place::here();
    double squares = 0;
    unsigned long long active = 0;
    for (int64_t slot = place.thread; slot < n; slot += place.threads) {
        const int64_t out = outPtrs[slot + 1] - outPtrs[slot];
        squares += static_cast<double>(out) * static_cast<double>(out);
        if (out != 0 || inPtrs[slot + 1] != inPtrs[slot]) {
            active = slot + 1;
        }
    }
#pragma unroll
    for (int step = WARP_SIZE / 2; step > 0; step /= 2) {
        squares += __shfl_xor_sync(ALL_LANES, squares, step);
        const unsigned long long other = __shfl_xor_sync(ALL_LANES, active, step);
        active = other > active ? other : active;
    }
    if (place.lane == 0 && active != 0) {
        atomicAdd(&totals->squares, squares);
        atomicMax(&totals->active, active);
    }
}

__device__ __forceinline__ void writeHeads(const int64_t *inPtrs, const int *inIdx, int *heads, int active) {
    const Place place = Place::here();
    const int64_t column = headColumn(active);
    for (int64_t slot = place.thread; slot < column; slot += place.threads) {
        const int64_t from = slot < active ? inPtrs[slot] : 0;
        const int64_t to = slot < active ? inPtrs[slot + 1] : 0;
#pragma unroll
        for (int h = 0; h < HEADS; h++) {
            heads[h * column + slot] = from + h < to ? inIdx[from + h] : NO_HEAD;
        }
    }
}

struct MeasureListsArguments {
    const int64_t *outPtrs;
    const int64_t *inPtrs;
    CompactTotals *totals;
    int n;
};

struct NarrowPointersArguments {
    const int64_t *ptrs;
    uint32_t *narrow;
    int n;
};

struct WriteHeadsArguments {
    const int64_t *inPtrs;
    const int *inIdx;
    int *heads;
    int active;
};

}  // namespace proxima

extern "C" __global__ void compact_measure_thread(const __grid_constant__ proxima::MeasureListsArguments args) {
    proxima::measure(args.outPtrs, args.inPtrs, args.totals, args.n);
}

extern "C" __global__ void compact_pointers_thread(const __grid_constant__ proxima::NarrowPointersArguments args) {
    const proxima::Place place = proxima::Place::here();
    for (int64_t slot = place.thread; slot <= args.n; slot += place.threads) {
        args.narrow[slot] = static_cast<uint32_t>(args.ptrs[slot]);
    }
}

extern "C" __global__ void compact_heads_thread(const __grid_constant__ proxima::WriteHeadsArguments args) {
    proxima::writeHeads(args.inPtrs, args.inIdx, args.heads, args.active);
}

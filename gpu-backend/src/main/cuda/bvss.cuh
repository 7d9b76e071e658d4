// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "host.cuh"

// Binarized virtual slice sets (BVSS) on the device: Elbek and Kaya, arXiv:2606.05081, section 3.1 with sigma = 8. The format
// is that of io.proxima.backend.bvss.BvssLayout, which has a picture of it.
namespace proxima {

constexpr int SLICE_SIZE = 8;                                   // sigma: columns of a slice set, bits of a mask
constexpr int WARP_SIZE = 32;                                   // lanes of a warp
constexpr int SLICES_PER_THREAD = 32 / SLICE_SIZE;              // theta: slices per lane, and masks per word
constexpr int VSS_SLICES = WARP_SIZE * SLICES_PER_THREAD;       // tau: slices of a virtual slice set (VSS)
constexpr int VSS_MASK_WORDS = VSS_SLICES / SLICES_PER_THREAD;  // mask words of a VSS
constexpr int PADDING_ROW = 0;                                  // row id of a padding slice, whose mask is zero
constexpr int SETS_PER_WORD = 32 / SLICE_SIZE;                  // slice sets whose vertices share a 32-bit word
constexpr unsigned ALL_LANES = 0xffffffffu;

HOST_CONSTANT(SLICE_SIZE, SLICE_SIZE)
HOST_CONSTANT(WARP_SIZE, WARP_SIZE)
HOST_CONSTANT(SLICES_PER_THREAD, SLICES_PER_THREAD)
HOST_CONSTANT(VSS_SLICES, VSS_SLICES)
HOST_CONSTANT(VSS_MASK_WORDS, VSS_MASK_WORDS)
HOST_CONSTANT(PADDING_ROW, PADDING_ROW)

/** A graph in device memory, constant while a kernel runs. Columns are the sources of edges, rows their targets. */
struct Bvss {
    const int *realPtrs;       // int[sliceSets + 1]: first VSS of each slice set
    const int *virtualToReal;  // int[V]: slice set of each VSS
    const int4 *rowIds;        // int4[32 V]: four rows per lane, 16-byte aligned
    const unsigned *masks;     // u32[32 V]: four masks per lane
};

/** Which of a lane's four slices have a column in the frontier. */
struct Hits {
    bool of[SLICES_PER_THREAD];

    __device__ bool any() const { return of[0] || of[1] || of[2] || of[3]; }
};

/** mma.m8n8k128 with AND and popcount: c0 and c1 are this lane's two entries of the product A x B. Called by a whole warp. */
__device__ __forceinline__ void multiply(unsigned fragA, unsigned fragB, int &c0, int &c1) {
    asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%0, %1}, {%2}, {%3}, {%4, %4};"
                 : "=r"(c0), "=r"(c1)
                 : "r"(fragA), "r"(fragB), "r"(0));
}

// Three ways to pull one VSS (lines 19 to 27 of Algorithm 2). Called by all lanes of a warp, with the lane's mask word and the
// frontier byte alpha of the slice set, which is the same in all lanes. Their results are equal, their costs are not.

/** The layout of section 5.1: two products. Every popcount is used, and arrives at the lane that owns the slice. */
struct PullMma {
    static __device__ __forceinline__ Hits pull(unsigned mask, unsigned alpha, int lane) {
        const int diagonal = lane % 9;
        const unsigned fragB = diagonal == 0 ? alpha : diagonal == 4 ? alpha << SLICE_SIZE : 0u;
        int c0, c1, c2, c3;
        multiply(mask & 0xffffu, fragB, c0, c1);
        multiply(mask >> 16, fragB, c2, c3);
        return {{c0 != 0, c1 != 0, c2 != 0, c3 != 0}};
    }
};

/**
 * The layout of BerryBees, variant A of the paper's section 7.1. One slice takes a row of the 8 x 128 factor, so 128 slices
 * need 16 products, each with one useful column of eight. Product i takes into row r slice i of the 16 that lanes 4 r to 4 r +
 * 3 hold. Only the owner sets a mask in the row, so alpha can stand under every word of every column, and the owner finds its
 * popcount in its own registers.
 */
struct PullBerryBees {
    static __device__ __forceinline__ Hits pull(unsigned mask, unsigned alpha, int lane) {
        const int owner = lane % SLICES_PER_THREAD;
        Hits hits = {};
#pragma unroll
        for (int i = 0; i < 4 * SLICES_PER_THREAD; i++) {
            const bool mine = i / SLICES_PER_THREAD == owner;
            const int slice = i % SLICES_PER_THREAD;
            int c0, c1;
            multiply(mine ? (mask >> (slice * SLICE_SIZE)) & 0xffu : 0u, alpha, c0, c1);
            hits.of[slice] = hits.of[slice] || (mine && c0 != 0);
        }
        return hits;
    }
};

/** Without tensor cores: one AND for four slices. */
struct PullAnd {
    static __device__ __forceinline__ Hits pull(unsigned mask, unsigned alpha, int) {
        const unsigned both = mask & (alpha * 0x01010101u);
        return {{(both & 0xffu) != 0, (both & 0xff00u) != 0, (both & 0xff0000u) != 0, (both & 0xff000000u) != 0}};
    }
};

}  // namespace proxima

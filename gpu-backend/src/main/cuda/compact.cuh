// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "host.cuh"

// The graph of the kernels that do not read BVSS: adjacency lists over compact slots.
//
//   slot     vertices by falling out-degree, so hubs have small slots and share few cache lines; then vertices with
//            in-neighbours only, then isolated vertices, which have slots but no lists. Slots 0 to active - 1 have an entry.
//   lists    ascending by slot: the likeliest parent, the in-neighbour of the most entries, comes first
//   heads    the first HEADS in-neighbours of all slots once more, column by column, so that a warp that asks the first
//            in-neighbour of 32 slots reads 128 bytes side by side: Merrill et al. (PPoPP 2012) and Liu and Huang
//            (Enterprise, SC 2015) pull from the lists, where the same takes 32 places
namespace proxima {

constexpr int HEADS = 4;             // columns of heads
constexpr int NO_HEAD = -1;          // in heads: the list is shorter
constexpr int HEAD_ALIGNMENT = 128;  // slots; the length of a column is a multiple of it
constexpr int64_t MOST_NARROW =
        (int64_t{1} << 32) - (1 << 16);  // entries; what a grid computes past the last fits 32 bits too

HOST_CONSTANT(HEADS, HEADS)
HOST_CONSTANT(HEAD_ALIGNMENT, HEAD_ALIGNMENT)
HOST_CONSTANT(MOST_NARROW, MOST_NARROW)

/** In device memory, constant while a kernel runs. Pointer is uint32_t up to MOST_NARROW entries, else uint64_t. */
template <class Pointer>
struct CompactGraph {
    const Pointer *outPtrs;  // Pointer[active + 1]: first entry of each slot in outIdx
    const int *outIdx;       // int[entries]: out-neighbours, slots
    const Pointer *inPtrs;   // Pointer[active + 1]; outPtrs if the graph is symmetric
    const int *inIdx;        // int[entries]; outIdx if the graph is symmetric
    const int *heads;        // int[HEADS * headColumn(active)]
    int active;              // slots with an entry in or out
};

/** The length of a column of heads. */
__host__ __device__ constexpr int64_t headColumn(int active) {
    return (static_cast<int64_t>(active) + HEAD_ALIGNMENT - 1) / HEAD_ALIGNMENT * HEAD_ALIGNMENT;
}

}  // namespace proxima

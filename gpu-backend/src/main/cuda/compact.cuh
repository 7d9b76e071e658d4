// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "host.cuh"

// The graph of the kernels that do not use BVSS: adjacency lists over compact slots.
//
//   slot     The index of a vertex in this order: by descending out-degree, so hubs have low slots and share few cache lines;
//            then vertices that have in-neighbours only; then isolated vertices, which have no lists. Slots 0 to active - 1
//            have at least one entry.
//   lists    Ascending by slot. The first in-neighbour has the most entries, so it is the likeliest parent.
//   heads    A copy of the first HEADS in-neighbours of each slot, stored column by column. A warp that tests the first
//            in-neighbour of 32 slots reads 128 contiguous bytes. Merrill et al. (PPoPP 2012) and Liu and Huang (Enterprise,
//            SC 2015) pull from the lists, which takes 32 separate reads.
namespace proxima {

constexpr int HEADS = 4;             // columns of heads
constexpr int NO_HEAD = -1;          // in heads: the list has no such entry
constexpr int HEAD_ALIGNMENT = 128;  // slots; the length of a column is a multiple of this
constexpr int64_t MOST_NARROW =
        (int64_t{1} << 32) - (1 << 16);  // entries; even the indices that a grid computes past the last entry fit 32 bits

HOST_CONSTANT(HEADS, HEADS)
HOST_CONSTANT(HEAD_ALIGNMENT, HEAD_ALIGNMENT)
HOST_CONSTANT(MOST_NARROW, MOST_NARROW)

/** Arrays in device memory, constant while a kernel runs. Pointer is uint32_t up to MOST_NARROW entries, else uint64_t. */
template <class Pointer>
struct CompactGraph {
    const Pointer *outPtrs;  // Pointer[active + 1]: first entry of each slot in outIdx
    const int *outIdx;       // int[entries]: out-neighbours, slots
    const Pointer *inPtrs;   // Pointer[active + 1]; outPtrs if the graph is symmetric
    const int *inIdx;        // int[entries]; outIdx if the graph is symmetric
    const int *heads;        // int[HEADS * headColumn(active)]
    int active;              // number of slots with an in-entry or out-entry
};

/** The length of a column of heads, in slots. */
__host__ __device__ constexpr int64_t headColumn(int active) {
    return (static_cast<int64_t>(active) + HEAD_ALIGNMENT - 1) / HEAD_ALIGNMENT * HEAD_ALIGNMENT;
}

}  // namespace proxima

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "persistent.cuh"

// Lists that are too long for the warp or block that finds them; the whole grid processes them after a synchronisation.
namespace proxima {

constexpr int LONG_LIST_BITS =
        28;  // bits of the number of lists; the other bits hold the number of edges, which is below 2^36

/** Arrays in device memory. */
struct LongLists {
    int *vertices;              // int[edges / shortest length of such a list]
    int64_t *before;            // int64[as vertices]: edges of the lists before each list
    unsigned long long *total;  // number of lists in the low bits, of their edges above; the kernel clears it first

    /** Adds the list of one vertex per lane; length 0 adds none. */
    __device__ __forceinline__ void add_warp(int vertex, int64_t length, int lane) const {
        const unsigned long long mine = length == 0 ? 0 : static_cast<unsigned long long>(length) << LONG_LIST_BITS | 1;
        if (!__any_sync(ALL_LANES, mine != 0)) {
            return;
        }
        const unsigned long long upToMine = inclusiveSum_warp(mine, lane);
        unsigned long long base = 0;
        if (lane == WARP_SIZE - 1) {
            base = atomicAdd(total, upToMine);
        }
        // one atomic determines place and edges together, so both ascend
        const unsigned long long at = __shfl_sync(ALL_LANES, base, WARP_SIZE - 1) + upToMine - mine;
        if (mine != 0) {
            vertices[countOf(at)] = vertex;
            before[countOf(at)] = edgesOf(at);
        }
    }

    static __device__ __forceinline__ int countOf(unsigned long long packed) {
        return static_cast<int>(packed & ((1ull << LONG_LIST_BITS) - 1));
    }

    static __device__ __forceinline__ int64_t edgesOf(unsigned long long packed) {
        return static_cast<int64_t>(packed >> LONG_LIST_BITS);
    }
};

/**
 * Calls visit(vertex[U], edge[U], has[U]) for all edges of the long lists, of which each warp has an equal share. Called after
 * a synchronisation of the grid. edge is an index into the lists to which ptrs points.
 *
 * @param total the final value of *LongLists::total
 */
template <int U, class Visit>
__device__ __forceinline__ void forLongLists_grid(
        const LongLists &lists, unsigned long long total, const int64_t *ptrs, const Place &place, Visit visit) {
    const int count = LongLists::countOf(total);
    const int64_t edges = LongLists::edgesOf(total);
    constexpr int64_t STEP = U * WARP_SIZE;
    const int64_t each = ((edges + place.warps - 1) / place.warps + STEP - 1) / STEP * STEP;
    int64_t at = each * place.warp;
    const int64_t end = at + each < edges ? at + each : edges;
    if (at >= end) {
        return;
    }
    // find the last list that begins here or before, with 32 probes a step
    int low = 0;
    for (int high = count; high - low > 1;) {
        const int step = (high - low + WARP_SIZE - 1) / WARP_SIZE;
        const int probe = low + place.lane * step;
        const bool isBefore = probe < high && lists.before[probe] <= at;
        const int last = __popc(__ballot_sync(ALL_LANES, isBefore)) - 1;
        high = min(high, low + (last + 1) * step);
        low += last * step;
    }
    for (; at < end; low++) {
        const int vertex = lists.vertices[low];
        const int64_t listEnd = low + 1 < count ? lists.before[low + 1] : edges;
        const int64_t stop = listEnd < end ? listEnd : end;
        const int64_t first = __ldg(ptrs + vertex) - lists.before[low];
        for (; at < stop; at += STEP) {
            int owner[U];
            int64_t edge[U];
            bool has[U];
#pragma unroll
            for (int u = 0; u < U; u++) {
                const int64_t rank = at + u * WARP_SIZE + place.lane;
                owner[u] = vertex;
                edge[u] = first + rank;
                has[u] = rank < stop;
            }
            visit(owner, edge, has);
        }
        at = stop;
    }
}

}  // namespace proxima

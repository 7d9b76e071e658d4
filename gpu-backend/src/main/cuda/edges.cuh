// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compact.cuh"
#include "persistent.cuh"

// A walk over the edges of a queue that balances edges.
namespace proxima {

/**
 * Calls visit(slots of the entries, neighbours), with U edges per lane, for all edges of the queue entries from (inclusive) to
 * to (exclusive). Each warp of the grid has an equal share of the edges. edgesOf[i] is the number of edges before entry i;
 * edges is the number of all. A warp finds its first entry by a 33-way search. It then takes 32 entries at a time, and each
 * lane finds the entry of its edge by a search among the lanes. Pointer must hold edges plus the greater of the number of warps
 * and 32 U.
 */
template <int U, class Pointer, class Visit>
__device__ __forceinline__ void forEdges_grid(const Pointer *ptrs, const int *idx, const int *slots, const Pointer *edgesOf,
        int from, int to, Pointer firstEdge, Pointer edges, const Place &place, Visit visit) {
    const Pointer total = edges - firstEdge;
    const Pointer each = ((total + place.warps - 1) / place.warps + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE;
    Pointer at = firstEdge + each * static_cast<Pointer>(place.warp);
    if (each * static_cast<uint64_t>(place.warp) >= total) {
        return;
    }
    const Pointer end = total - (at - firstEdge) < each ? edges : at + each;
    // unsigned, because a warp looks past the end, which may be near 2^31
    unsigned low = from;
    unsigned high = to;
    while (high - low > 1) {
        const unsigned step = (high - low + WARP_SIZE - 1) / WARP_SIZE;
        const unsigned probe = low + place.lane * step;
        const bool before = probe < high && edgesOf[probe] <= at;
        const unsigned last = __popc(__ballot_sync(ALL_LANES, before)) - 1;
        high = min(high, low + (last + 1) * step);
        low += last * step;
    }
    while (at < end) {
        const unsigned entry = low + place.lane;
        const bool has = entry < static_cast<unsigned>(to);
        const Pointer begins = has ? edgesOf[entry] : edges;
        const int slot = has ? slots[entry] : 0;
        const Pointer windowEnd = low + WARP_SIZE < static_cast<unsigned>(to) ? edgesOf[low + WARP_SIZE] : edges;
        const Pointer base = has ? ptrs[slot] - begins : 0;
        const Pointer stop = windowEnd < end ? windowEnd : end;
        // the begin of each entry, relative to here; 0 for an entry that began earlier
        const int begin = begins <= at ? 0 : begins - at < (1u << 30) ? static_cast<int>(begins - at) : 1 << 30;
        const Pointer origin = at;
        for (; at < stop; at += U * WARP_SIZE) {
            int owner[U];
            int neighbour[U];
#pragma unroll
            for (int u = 0; u < U; u++) {
                const Pointer edge = at + static_cast<Pointer>(u * WARP_SIZE + place.lane);
                const int mine = static_cast<int>(edge - origin);
                int which = 0;
#pragma unroll
                for (int step = WARP_SIZE / 2; step > 0; step /= 2) {
                    const int there = __shfl_sync(ALL_LANES, begin, which + step);
                    which += there <= mine ? step : 0;
                }
                const Pointer baseOf = __shfl_sync(ALL_LANES, base, which);
                owner[u] = __shfl_sync(ALL_LANES, slot, which);
                neighbour[u] = edge < stop ? __ldg(idx + static_cast<Pointer>(baseOf + edge)) : -1;
            }
            visit(owner, neighbour);
        }
        at = stop;
        low += WARP_SIZE;
    }
}

}  // namespace proxima

/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

#include "columns.cuh"

// Weakly connected components by Afforest: Sutton, Ben-Nun, Barak, Optimizing Parallel Graph Connectivity Computation via
// Subgraph Sampling, IPDPS 2018. The host launches the steps one after the other; see WeakComponents.java.
//
//   components_plant_thread        every slot hangs under its first neighbour, if that is lower
//   components_neighbour_thread    links every slot with one neighbour
//   components_flatten_thread      every slot names the root of its tree
//   components_sample_thread       copies a sample of the roots, of which the host finds the most frequent one
//   components_link_warp           links the ends of entries, except of the slots of that root
//
// and, where slots are not vertices, for the download
//
//   components_lowest_thread       finds the lowest vertex of each root
//   components_name_thread         every slot names that vertex
//
// Blocks of BLOCK_THREADS, plain launches, any grid. The roots are the same for every grid: the higher of two roots hangs under
// the lower one, by compare-and-swap with halved paths, as in Jaiganesh and Burtscher: A High-performance Connected Components
// Implementation for GPUs, HPDC 2018. No parent is then higher than its child, and a root is the lowest slot of its tree.
//
// A slot that is skipped does not see its entries. An entry between slots a and b, of which both lists contain the other, is
// missed only if each was found under the skipped root when its turn came, and then both are in one tree already.
namespace proxima {

__device__ __forceinline__ int parentOf(const int *component, int slot) {
    return *static_cast<const volatile int *>(component + slot);
}

/** The root of a slot's tree. Halves the way there, or a path whose links were all made at once would stay a chain. */
__device__ __forceinline__ int rootOf(int *component, int slot) {
    int at = slot;
    int above = parentOf(component, at);
    while (above != at) {
        const int next = parentOf(component, above);
        if (next != above) {
            *static_cast<volatile int *>(component + at) = next;
        }
        at = above;
        above = next;
    }
    return at;
}

/**
 * Hangs the higher of two roots under the lower, which keeps the forest free of cycles. Of the lanes that would hang the same
 * root under the same one, one does so: most links are of the largest trees, and atomics on one word follow one another.
 */
__device__ __forceinline__ void link(int *component, int a, int b) {
    if (parentOf(component, a) == parentOf(component, b)) {
        return;
    }
    int one = rootOf(component, a);
    int other = rootOf(component, b);
    while (one != other) {
        const int high = max(one, other);
        const int low = min(one, other);
        const unsigned same = __match_any_sync(__activemask(),
                static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 | static_cast<unsigned>(low));
        if (static_cast<int>(threadIdx.x % WARP_SIZE) == __ffs(static_cast<int>(same)) - 1) {
            atomicCAS(component + high, high, low);
        }
        one = low;
        other = rootOf(component, high);
    }
}

/**
 * Makes a slot a child of the root of its tree, which it returns. Writes only its own slot: a late write to another could
 * replace the root that another thread has found.
 */
__device__ __forceinline__ int flatten(int *component, int slot) {
    int above = parentOf(component, slot);
    int next = parentOf(component, above);
    while (next != above) {
        *static_cast<volatile int *>(component + slot) = next;
        above = next;
        next = parentOf(component, above);
    }
    return above;
}

struct PlantArguments {
    const int64_t *ptrs;
    const int *idx;
    int *component;
    int n;
};

struct NeighbourArguments {
    const int64_t *ptrs;
    const int *idx;
    int *component;
    int n;
    int index;
};

struct FlattenArguments {
    int *component;
    int *count;
    int n;
};

struct SampleArguments {
    const int *component;
    int *sample;
    int n;
    int samples;
};

struct LinkArguments {
    const int64_t *ptrs;
    const int *idx;
    int *component;
    int n;
    int skipped;
    int64_t firstEntry;
    int64_t lastEntry;
};

struct LowestArguments {
    const int *component;
    const int *slotOfVertex;
    int *lowest;
    int n;
};

struct NameArguments {
    const int *component;
    int *lowest;
    int n;
};

/**
 * Links the entries at (inclusive) to end (exclusive) of 32 slots, lane by lane, except of the slots under a root. Lists that
 * are long for a lane are shared by the warp. Called by all lanes.
 */
__device__ __forceinline__ void linkLists_warp(const LinkArguments &args, int slot, int64_t from, int64_t to, int lane) {
    constexpr int MOST_OF_A_LANE = 8;
    const bool links = from < to && parentOf(args.component, slot) != args.skipped;
    unsigned shared = __ballot_sync(ALL_LANES, links && to - from > MOST_OF_A_LANE);
    while (shared != 0) {
        const int owner = __ffs(static_cast<int>(shared)) - 1;
        shared &= shared - 1;
        const int ownersSlot = __shfl_sync(ALL_LANES, slot, owner);
        const int64_t last = __shfl_sync(ALL_LANES, to, owner);
        for (int64_t entry = __shfl_sync(ALL_LANES, from, owner) + lane; entry < last; entry += WARP_SIZE) {
            link(args.component, ownersSlot, __ldg(args.idx + entry));
        }
    }
    if (links && to - from <= MOST_OF_A_LANE) {
        for (int64_t entry = from; entry < to; entry++) {
            link(args.component, slot, __ldg(args.idx + entry));
        }
    }
}

}  // namespace proxima

using proxima::ALL_LANES;
using proxima::BLOCK_THREADS;
using proxima::Columns;
using proxima::Place;

// reads ptrs[n + 1] idx; writes component[n]: the slot, or the first of its list if that is lower
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        components_plant_thread(const __grid_constant__ proxima::PlantArguments args) {
    const Place place = Place::here();
    for (int64_t i = place.thread; i < args.n; i += place.threads) {
        const int slot = static_cast<int>(i);
        const int64_t entry = __ldg(args.ptrs + slot);
        const bool has = entry < __ldg(args.ptrs + slot + 1);
        args.component[slot] = has ? min(slot, __ldg(args.idx + entry)) : slot;
    }
}

// reads ptrs[n + 1] idx; writes component[n], as components_link_warp, for entry "index" of each list that has so many
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        components_neighbour_thread(const __grid_constant__ proxima::NeighbourArguments args) {
    const Place place = Place::here();
    for (int64_t slot = place.thread; slot < args.n; slot += place.threads) {
        const int64_t entry = __ldg(args.ptrs + slot) + args.index;
        if (entry < __ldg(args.ptrs + slot + 1)) {
            proxima::link(args.component, static_cast<int>(slot), __ldg(args.idx + entry));
        }
    }
}

// writes component[n]: the root of the tree, which is its lowest slot; count[0], zeroed by the host before: of the trees
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        components_flatten_thread(const __grid_constant__ proxima::FlattenArguments args) {
    const Place place = Place::here();
    int roots = 0;
    for (int64_t slot = place.thread; slot < args.n; slot += place.threads) {
        roots += proxima::flatten(args.component, static_cast<int>(slot)) == slot ? 1 : 0;
    }
    roots = __reduce_add_sync(ALL_LANES, roots);
    if (place.lane == 0) {
        atomicAdd(args.count, roots);
    }
}

// reads component[n], flattened; writes sample[samples]: the roots of slots at equal distances; samples <= n
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        components_sample_thread(const __grid_constant__ proxima::SampleArguments args) {
    const Place place = Place::here();
    for (int64_t i = place.thread; i < args.samples; i += place.threads) {
        args.sample[i] = args.component[i * args.n / args.samples];
    }
}

// reads ptrs[n + 1] idx, the entries firstEntry (inclusive) to lastEntry (exclusive) of the slots whose parent is not
// "skipped" (-1 for none); writes component[n]: a forest of which each tree lies in one component, and the ends of each entry
// read are in one tree. atomics: one a link
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        components_link_warp(const __grid_constant__ proxima::LinkArguments args) {
    // a warp finds the slots of so many entries at once, most of which it need not read
    constexpr int64_t ENTRIES_A_PORTION = 4096;
    const Columns columns{args.ptrs, args.idx, args.n};
    const Place place = Place::here();
    for (int64_t portion = args.firstEntry + place.warp * ENTRIES_A_PORTION; portion < args.lastEntry;
            portion += place.warps * ENTRIES_A_PORTION) {
        int64_t at = portion;
        const int64_t end = min(at + ENTRIES_A_PORTION, args.lastEntry);
        int64_t first = static_cast<int64_t>(proxima::setOfEntry_warp(columns, at, place.lane)) * proxima::SLICE_SIZE;
        while (at < end) {
            const int64_t slot = first + place.lane;
            const int64_t from = __ldg(args.ptrs + (slot < args.n ? slot : args.n));
            const int64_t to = __ldg(args.ptrs + (slot < args.n ? slot + 1 : args.n));
            const int64_t next = __shfl_sync(ALL_LANES, to, proxima::WARP_SIZE - 1);
            proxima::linkLists_warp(args, static_cast<int>(slot), max(from, at), min(to, end), place.lane);
            // there may be many slots without entries
            first = next > at
                    ? first + proxima::WARP_SIZE
                    : static_cast<int64_t>(proxima::setOfEntry_warp(columns, at, place.lane)) * proxima::SLICE_SIZE;
            at = max(at, next);
        }
    }
}

// reads component[n], flattened, slotOfVertex[n]; writes lowest[n], where the host has set every value to n or more: of a root,
// its lowest vertex. atomics: one a warp and root, and only until the lowest is there
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        components_lowest_thread(const __grid_constant__ proxima::LowestArguments args) {
    const Place place = Place::here();
    for (int64_t vertex = place.thread; vertex < args.n; vertex += place.threads) {
        const int root = __ldg(args.component + __ldg(args.slotOfVertex + vertex));
        const unsigned same = __match_any_sync(__activemask(), root);
        const bool lowestOfWarp = __ffs(static_cast<int>(same)) - 1 == place.lane;
        if (lowestOfWarp && proxima::parentOf(args.lowest, root) > vertex) {
            atomicMin(args.lowest + root, static_cast<int>(vertex));
        }
    }
}

// reads component[n], flattened; writes lowest[n]: of every slot what there is of its root, which stays
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        components_name_thread(const __grid_constant__ proxima::NameArguments args) {
    const Place place = Place::here();
    for (int64_t slot = place.thread; slot < args.n; slot += place.threads) {
        const int root = __ldg(args.component + slot);
        if (root != slot) {
            args.lowest[slot] = args.lowest[root];
        }
    }
}

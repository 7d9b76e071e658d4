// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include "columns.cuh"

// Weakly connected components by Afforest: Sutton, Ben-Nun, Barak, Optimizing Parallel Graph Connectivity Computation via
// Subgraph Sampling, IPDPS 2018. One persistent launch runs all steps; see WeakComponents.java.
//
//   components_afforest_grid   writes for every slot the lowest slot of its component
//
// Where slots are not vertices, the download needs
//
//   components_lowest_thread   finds the lowest vertex of each root
//   components_name_thread     writes that vertex for every slot
//
// The roots are the same for every grid. Of two roots, the higher one is linked to the lower one by compare-and-swap with path
// halving, as in Jaiganesh and Burtscher, A High-performance Connected Components Implementation for GPUs, HPDC 2018. So no
// parent is higher than its child, and a root is the lowest slot of its tree.
//
// The last step skips the entries of slots under the most frequent root. That is right if each entry has its reverse. An entry
// between slots a and b, of which both lists contain the other, is missed only if both were found under the skipped root, and
// then both are in one tree already. All blocks skip the same root.
namespace proxima {

__device__ __forceinline__ int parentOf(const int *component, int slot) {
    return *static_cast<const volatile int *>(component + slot);
}

/** Finds the root of a slot, with path halving; otherwise a path whose links were all made at once would stay a chain. */
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
 * Links the higher of two roots to the lower one, which keeps the forest free of cycles. If several lanes link the same two
 * roots, one of them does it: most links involve the largest trees, and atomics on one word are serialised.
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
 * Makes a slot a child of the root of its tree, and returns the root. Writes to its own slot only; a late write to another slot
 * could overwrite a root that another thread has found.
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

constexpr int COMPONENTS_THREADS = 512;
constexpr int COMPONENTS_BLOCKS = 4;  // blocks per multiprocessor for which registers must suffice
constexpr int SAMPLES = 1 << 10;      // slots that are sampled for the most frequent root
constexpr int COUNTER_BITS = 11;
constexpr int COUNTERS = 1 << COUNTER_BITS;  // hash table of the roots in the sample
constexpr int NO_ROOT = -1;                  // as the root to skip: none; in the table of roots: a free place

struct AfforestArguments {
    const int64_t *ptrs;
    const int *idx;
    int *component;
    const int *stopFlag;
    RunControl *control;
    RunControl *report;
    int64_t entriesATurn;  // entries after which all blocks check whether to stop or to pause
    int n;
    int skips;  // 1 if each entry has its reverse, so that the slots of one component may be skipped
};

/** Shared memory of a block. */
struct AfforestShared {
    int roots[COUNTERS];
    int counts[COUNTERS];
    unsigned long long best;
    int trees;
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

/** A run as seen by one thread. */
class Afforest {
    enum Step { PLANT, FLATTEN_PLANTED, LINK_SECOND, FLATTEN_SECOND, SAMPLE, LINK, FLATTEN, END };

    struct Saved {
        int step;
        int skipped;  // written by the step that finds the most frequent root
        int64_t entry;
    };

    // entries for which a warp finds the slots at once; it skips most of them without reading
    static constexpr int64_t ENTRIES_A_PORTION = 2048;

    const AfforestArguments &args;
    AfforestShared &shared;
    const Place place;
    const Paused<Saved> saved;
    GridBarrier barrier;

public:
    __device__ Afforest(const AfforestArguments &args, AfforestShared &shared)
        : args(args), shared(shared), place(Place::here()), saved(args.control), barrier(args.control) {}

    __device__ void run() {
        StopWatch watch(args.stopFlag, args.control);
        int step = PLANT;
        int64_t entry = 0;
        if (args.control->resumes != 0) {
            step = saved->step;
            entry = saved->entry;
            barrier.resume();
        }
        int turn = 0;
        while (true) {
            switch (step) {
                case PLANT:
                    plant_grid();
                    step = FLATTEN_PLANTED;
                    break;
                case LINK_SECOND:
                    linkSecond_grid();
                    step = FLATTEN_SECOND;
                    break;
                case SAMPLE:
                    findMostFrequent();
                    step = LINK;
                    break;
                case LINK: {
                    const int64_t entries = __ldg(args.ptrs + args.n);
                    const int64_t end = min(entry + args.entriesATurn, entries);
                    linkEntries_grid(entry, end, __ldcg(&saved->skipped));
                    entry = end;
                    step = entry < entries ? LINK : FLATTEN;
                    break;
                }
                default:
                    flatten_grid(step == FLATTEN);
                    step++;
            }
            if (step == END) {
                return;
            }
            turn++;
            if (place.thread == 0) {
                watch.look(turn);
            }
            barrier.sync();
            if (watch.seen(turn)) {
                break;
            }
        }
        if (place.thread == 0 && watch.pauses(turn)) {
            saved->step = step;
            saved->entry = entry;
            barrier.pause();
            watch.pause();
        }
    }

private:
    /** Links every slot to its first neighbour if that is lower. All trees are single slots, so no root search is needed. */
    __device__ __forceinline__ void plant_grid() const {
        for (int64_t i = place.thread; i < args.n; i += place.threads) {
            const int slot = static_cast<int>(i);
            const int64_t entry = __ldg(args.ptrs + slot);
            const bool has = entry < __ldg(args.ptrs + slot + 1);
            args.component[slot] = has ? min(slot, __ldg(args.idx + entry)) : slot;
        }
    }

    /** Links every slot to its second neighbour. */
    __device__ __forceinline__ void linkSecond_grid() const {
        for (int64_t slot = place.thread; slot < args.n; slot += place.threads) {
            const int64_t entry = __ldg(args.ptrs + slot) + 1;
            if (entry < __ldg(args.ptrs + slot + 1)) {
                link(args.component, static_cast<int>(slot), __ldg(args.idx + entry));
            }
        }
    }

    /** Makes every slot a child of its root, which is its lowest slot. counts: also counts the trees. */
    __device__ __forceinline__ void flatten_grid(bool counts) const {
        int trees = 0;
        for (int64_t slot = place.thread; slot < args.n; slot += place.threads) {
            trees += flatten(args.component, static_cast<int>(slot)) == slot ? 1 : 0;
        }
        if (!counts) {
            return;
        }
        if (threadIdx.x == 0) {
            shared.trees = 0;
        }
        __syncthreads();
        trees = __reduce_add_sync(ALL_LANES, trees);
        if (place.lane == 0 && trees != 0) {
            atomicAdd(&shared.trees, trees);
        }
        __syncthreads();
        if (threadIdx.x == 0 && shared.trees != 0) {
            atomicAdd(reinterpret_cast<unsigned long long *>(&args.control->work),
                    static_cast<unsigned long long>(shared.trees));
        }
    }

    /** Finds the most frequent root among slots at equal distances; the lowest of several. Only the first block works. */
    __device__ __forceinline__ void findMostFrequent() const {
        if (blockIdx.x != 0) {
            return;
        }
        const int thread = static_cast<int>(threadIdx.x);
        if (args.skips == 0) {
            if (thread == 0) {
                saved->skipped = NO_ROOT;
            }
            return;
        }
        for (int i = thread; i < COUNTERS; i += COMPONENTS_THREADS) {
            shared.roots[i] = NO_ROOT;
            shared.counts[i] = 0;
        }
        if (thread == 0) {
            shared.best = 0;
        }
        __syncthreads();
        const int samples = min(args.n, SAMPLES);
        for (int i = thread; i < samples; i += COMPONENTS_THREADS) {
            const int root = parentOf(args.component, static_cast<int>(static_cast<int64_t>(i) * args.n / samples));
            const unsigned same = __match_any_sync(__activemask(), root);
            if (__ffs(static_cast<int>(same)) - 1 == place.lane) {
                // the upper bits of the product with the golden ratio, because roots at equal distances have equal lower bits
                unsigned at = static_cast<unsigned>(root) * 0x9e3779b9u >> (32 - COUNTER_BITS);
                int there = atomicCAS(shared.roots + at, NO_ROOT, root);
                while (there != NO_ROOT && there != root) {
                    at = (at + 1) % COUNTERS;
                    there = atomicCAS(shared.roots + at, NO_ROOT, root);
                }
                atomicAdd(shared.counts + at, __popc(same));
            }
        }
        __syncthreads();
        for (int i = thread; i < COUNTERS; i += COMPONENTS_THREADS) {
            if (shared.counts[i] != 0) {
                atomicMax(&shared.best,
                        static_cast<unsigned long long>(shared.counts[i]) << 32
                                | (0xffffffffu - static_cast<unsigned>(shared.roots[i])));
            }
        }
        __syncthreads();
        if (thread == 0) {
            saved->skipped = static_cast<int>(0xffffffffu - static_cast<unsigned>(shared.best));
        }
    }

    /**
     * Links the ends of the entries firstEntry (inclusive) to lastEntry (exclusive), except those of slots under a root.
     *
     * @param skipped that root, or NO_ROOT
     */
    __device__ __forceinline__ void linkEntries_grid(int64_t firstEntry, int64_t lastEntry, int skipped) const {
        const Columns columns{args.ptrs, args.idx, args.n};
        for (int64_t portion = firstEntry + place.warp * ENTRIES_A_PORTION; portion < lastEntry;
                portion += place.warps * ENTRIES_A_PORTION) {
            int64_t at = portion;
            const int64_t end = min(at + ENTRIES_A_PORTION, lastEntry);
            int64_t first = static_cast<int64_t>(setOfEntry_warp(columns, at, place.lane)) * SLICE_SIZE;
            while (at < end) {
                const int64_t slot = first + place.lane;
                const int64_t from = __ldg(args.ptrs + (slot < args.n ? slot : args.n));
                const int64_t to = __ldg(args.ptrs + (slot < args.n ? slot + 1 : args.n));
                const int64_t next = __shfl_sync(ALL_LANES, to, WARP_SIZE - 1);
                linkLists_warp(static_cast<int>(slot), max(from, at), min(to, end), skipped);
                // many slots may have no entries
                first = next > at ? first + WARP_SIZE
                                  : static_cast<int64_t>(setOfEntry_warp(columns, at, place.lane)) * SLICE_SIZE;
                at = max(at, next);
            }
        }
    }

    /**
     * Links the ends of the entries from (inclusive) to to (exclusive) of 32 slots, one slot per lane, except those of slots
     * under a root. Long lists are shared by the warp.
     */
    __device__ __forceinline__ void linkLists_warp(int slot, int64_t from, int64_t to, int skipped) const {
        constexpr int MOST_OF_A_LANE = 8;
        const bool links = from < to && parentOf(args.component, slot) != skipped;
        unsigned together = __ballot_sync(ALL_LANES, links && to - from > MOST_OF_A_LANE);
        while (together != 0) {
            const int owner = __ffs(static_cast<int>(together)) - 1;
            together &= together - 1;
            const int ownersSlot = __shfl_sync(ALL_LANES, slot, owner);
            const int64_t last = __shfl_sync(ALL_LANES, to, owner);
            for (int64_t entry = __shfl_sync(ALL_LANES, from, owner) + place.lane; entry < last; entry += WARP_SIZE) {
                link(args.component, ownersSlot, __ldg(args.idx + entry));
            }
        }
        if (links && to - from <= MOST_OF_A_LANE) {
            for (int64_t entry = from; entry < to; entry++) {
                link(args.component, slot, __ldg(args.idx + entry));
            }
        }
    }
};

}  // namespace proxima

using proxima::BLOCK_THREADS;
using proxima::Place;

// reads ptrs[n + 1] idx; writes component[n]: the lowest slot of each slot's component, and work: the number of
// components. One cooperative launch of COMPONENTS_THREADS, any grid; may pause after each step. atomics: one per link
extern "C" __global__ void __launch_bounds__(proxima::COMPONENTS_THREADS, proxima::COMPONENTS_BLOCKS)
        components_afforest_grid(const __grid_constant__ proxima::AfforestArguments args) {
    __shared__ proxima::AfforestShared shared;
    proxima::Afforest(args, shared).run();
    proxima::leave_grid(args.control, args.report);
}

// reads component[n] (flattened) and slotOfVertex[n]; writes lowest[n]: the lowest vertex of each root. The host sets all bits
// of lowest, which as an unsigned number exceeds every vertex. atomics: one per warp and root, only until the lowest is known
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        components_lowest_thread(const __grid_constant__ proxima::LowestArguments args) {
    const Place place = Place::here();
    for (int64_t vertex = place.thread; vertex < args.n; vertex += place.threads) {
        const int root = __ldg(args.component + __ldg(args.slotOfVertex + vertex));
        const unsigned same = __match_any_sync(__activemask(), root);
        const bool lowestOfWarp = __ffs(static_cast<int>(same)) - 1 == place.lane;
        if (lowestOfWarp && static_cast<unsigned>(proxima::parentOf(args.lowest, root)) > vertex) {
            atomicMin(reinterpret_cast<unsigned *>(args.lowest) + root, static_cast<unsigned>(vertex));
        }
    }
}

// reads component[n] (flattened); writes lowest[n] for every slot that is not a root: the value of its root
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

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include "columns.cuh"

// Weakly connected components by Afforest: Sutton, Ben-Nun, Barak, Optimizing Parallel Graph Connectivity Computation via
// Subgraph Sampling, IPDPS 2018. One persistent launch runs all steps; see WeakComponents.java.
//
//   components_afforest_grid   every slot names the lowest slot of its component
//
// and, where slots are not vertices, for the download
//
//   components_lowest_thread   finds the lowest vertex of each root
//   components_name_thread     every slot names that vertex
//
// The roots are the same for every grid: the higher of two roots hangs under the lower one, by compare-and-swap with halved
// paths, as in Jaiganesh and Burtscher: A High-performance Connected Components Implementation for GPUs, HPDC 2018. No parent is
// then higher than its child, and a root is the lowest slot of its tree.
//
// A slot that is skipped does not see its entries. An entry between slots a and b, of which both lists contain the other, is
// missed only if each was found under the skipped root when its turn came, and then both are in one tree already. All blocks
// skip the same root.
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

constexpr int COMPONENTS_THREADS = 512;
constexpr int COMPONENTS_BLOCKS = 4;  // of a multiprocessor with room for them
constexpr int SAMPLES = 1 << 10;      // slots among which the most frequent root is looked for
constexpr int COUNTER_BITS = 11;
constexpr int COUNTERS = 1 << COUNTER_BITS;  // of roots in the sample
constexpr int NO_ROOT = -1;                  // no slot is skipped, and no root is counted

struct AfforestArguments {
    const int64_t *ptrs;
    const int *idx;
    int *component;
    const int *stopFlag;
    RunControl *control;
    RunControl *report;
    int64_t entriesATurn;  // entries after which all blocks look whether to stop or to pause
    int n;
    int skips;  // 1 if each entry has its reverse, so that the slots of one component may be skipped
};

/** What the threads of a block share. */
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

/** A run as one thread sees it. All threads of the grid call each method whose name ends in _grid. */
class Afforest {
    enum Step { PLANT, FLATTEN_PLANTED, LINK_SECOND, FLATTEN_SECOND, SAMPLE, LINK, FLATTEN, END };

    // where a paused run goes on, in RunControl::saved
    static constexpr int SAVED_STEP = 0;
    static constexpr int SAVED_ENTRY = 1;
    static constexpr int SAVED_BARRIERS = 2;
    static constexpr int SKIPPED = 3;  // set by the step that finds the root

    // a warp finds the slots of so many entries at once, most of which it need not read
    static constexpr int64_t ENTRIES_A_PORTION = 2048;

    const AfforestArguments &args;
    AfforestShared &shared;
    const Place place;
    GridBarrier barrier;

public:
    __device__ Afforest(const AfforestArguments &args, AfforestShared &shared)
        : args(args), shared(shared), place(Place::here()), barrier(args.control) {}

    __device__ void run() {
        StopWatch watch(args.stopFlag, args.control);
        int step = PLANT;
        int64_t entry = 0;
        if (args.control->resumes != 0) {
            step = static_cast<int>(args.control->saved[SAVED_STEP]);
            entry = args.control->saved[SAVED_ENTRY];
            barrier.resume(static_cast<unsigned>(args.control->saved[SAVED_BARRIERS]));
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
                    linkEntries_grid(entry, end, static_cast<int>(__ldcg(args.control->saved + SKIPPED)));
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
            args.control->saved[SAVED_STEP] = step;
            args.control->saved[SAVED_ENTRY] = entry;
            args.control->saved[SAVED_BARRIERS] = barrier.count();
            watch.pause();
        }
    }

private:
    /** Every slot hangs under its first neighbour, if that is lower. No root is searched for, because all trees have one slot. */
    __device__ __forceinline__ void plant_grid() const {
        for (int64_t i = place.thread; i < args.n; i += place.threads) {
            const int slot = static_cast<int>(i);
            const int64_t entry = __ldg(args.ptrs + slot);
            const bool has = entry < __ldg(args.ptrs + slot + 1);
            args.component[slot] = has ? min(slot, __ldg(args.idx + entry)) : slot;
        }
    }

    /** Links every slot with its second neighbour. */
    __device__ __forceinline__ void linkSecond_grid() const {
        for (int64_t slot = place.thread; slot < args.n; slot += place.threads) {
            const int64_t entry = __ldg(args.ptrs + slot) + 1;
            if (entry < __ldg(args.ptrs + slot + 1)) {
                link(args.component, static_cast<int>(slot), __ldg(args.idx + entry));
            }
        }
    }

    /** Every slot names the root of its tree, which is its lowest slot. The last time the trees are counted. */
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
            atomicAdd(reinterpret_cast<unsigned long long *>(&args.control->vssPulled),
                    static_cast<unsigned long long>(shared.trees));
        }
    }

    /** Finds the most frequent root of slots at equal distances, by the first block: of several the lowest. */
    __device__ __forceinline__ void findMostFrequent() const {
        if (blockIdx.x != 0) {
            return;
        }
        const int thread = static_cast<int>(threadIdx.x);
        if (args.skips == 0) {
            if (thread == 0) {
                args.control->saved[SKIPPED] = NO_ROOT;
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
                // by the upper bits of the product with the golden ratio: the lower ones of roots at equal distances are equal
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
            args.control->saved[SKIPPED] = static_cast<int>(0xffffffffu - static_cast<unsigned>(shared.best));
        }
    }

    /**
     * Links the ends of the entries first (inclusive) to last (exclusive), except of the slots under a root.
     *
     * @param skipped the root; NO_ROOT for none
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
                // there may be many slots without entries
                first = next > at ? first + WARP_SIZE
                                  : static_cast<int64_t>(setOfEntry_warp(columns, at, place.lane)) * SLICE_SIZE;
                at = max(at, next);
            }
        }
    }

    /**
     * Links the entries at (inclusive) to end (exclusive) of 32 slots, lane by lane, except of the slots under a root. Lists that
     * are long for a lane are shared by the warp.
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

// reads ptrs[n + 1] idx; writes component[n]: the lowest slot of each slot's component, and vssPulled: the number of components.
// A cooperative launch of COMPONENTS_THREADS, any grid. atomics: one a link. It may pause after each step.
extern "C" __global__ void __launch_bounds__(proxima::COMPONENTS_THREADS, proxima::COMPONENTS_BLOCKS)
        components_afforest_grid(const __grid_constant__ proxima::AfforestArguments args) {
    __shared__ proxima::AfforestShared shared;
    proxima::Afforest(args, shared).run();
    proxima::leave_grid(args.control, args.report);
}

// reads component[n], flattened, slotOfVertex[n]; writes lowest[n], where the host has set all bits, which as an unsigned number
// is above every vertex: of a root, its lowest vertex. atomics: one a warp and root, and only until the lowest is there
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

// reads component[n], flattened; writes lowest[n]: of every slot that is not a root, the value of its root
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

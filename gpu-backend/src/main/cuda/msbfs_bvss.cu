// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include "persistent.cuh"

// Breadth-first searches from up to kappa = 32 KW sources at once, each with its own levels: Elbek and Kaya, arXiv:2606.05081,
// Algorithm 5, and the sums of closeness by its equation (7).
//
//   msbfs_bvss_k{32|64|128|256}_grid    Algorithm 5 on tensor cores
//
// One cooperative launch a batch, blocks of BLOCK_THREADS. n >= 1, 1 <= sourceCount <= kappa. Vertices are in the id space of
// the BVSS. A vertex has KW words; bit b of word w stands for source 32 w + b. nHat = 8 sliceSets.
//   reads   realPtrs[sliceSets + 1] virtualToReal[V] rowIds[128 V] masks[32 V]    the graph
//           sources[sourceCount]      vertices; stopFlag[1]
//   writes  levels and sums by slot
//           frontier visited next [nHat * KW] (16-byte aligned), activeSets[sliceSets * KW] dirtySets[sliceSets]
//           queueA[V] queueB[V]       state, initialised here
//           control                   zeroed by the host; level, stopped, overflow and work are results
//   gives   sums and levels equal for every grid
namespace proxima {

struct MultiSourceArguments : SourceBatchHead {
    Bvss graph;
    unsigned *frontier;
    unsigned *visited;
    unsigned *next;
    unsigned *activeSets;
    unsigned char *dirtySets;
    int *queueA;
    int *queueB;
    int sliceSets;
};

/** KW words of one vertex or slice set, moved with the widest loads and stores that fit. */
template <int KW>
struct Words {
    unsigned of[KW];

    static __device__ __forceinline__ Words load(const unsigned *at) {
        Words words;
        if constexpr (KW % 4 == 0) {
#pragma unroll
            for (int k = 0; k < KW; k += 4) {
                const uint4 quad = *reinterpret_cast<const uint4 *>(at + k);
                words.of[k] = quad.x;
                words.of[k + 1] = quad.y;
                words.of[k + 2] = quad.z;
                words.of[k + 3] = quad.w;
            }
        } else if constexpr (KW == 2) {
            const uint2 pair = *reinterpret_cast<const uint2 *>(at);
            words.of[0] = pair.x;
            words.of[1] = pair.y;
        } else {
            words.of[0] = *at;
        }
        return words;
    }

    __device__ __forceinline__ void store(unsigned *at) const {
        if constexpr (KW % 4 == 0) {
#pragma unroll
            for (int k = 0; k < KW; k += 4) {
                *reinterpret_cast<uint4 *>(at + k) = make_uint4(of[k], of[k + 1], of[k + 2], of[k + 3]);
            }
        } else if constexpr (KW == 2) {
            *reinterpret_cast<uint2 *>(at) = make_uint2(of[0], of[1]);
        } else {
            *at = of[0];
        }
    }

    __device__ __forceinline__ bool any() const {
        unsigned all = 0;
#pragma unroll
        for (int k = 0; k < KW; k++) {
            all |= of[k];
        }
        return all != 0;
    }
};

template <int KW>
class MultiSourceBfs {
    const MultiSourceArguments &args;
    const Place place;
    RunControl *const control;

    /** First word of a vertex; getVI(u, rho) of section 6.1 for u = 8 set + column, where rho is the number of slice sets. */
    __device__ __forceinline__ int64_t wordsOf(int set, int column) const {
        return (static_cast<int64_t>(column) * args.sliceSets + set) * KW;
    }

    __device__ __forceinline__ void initialize() const {
        const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
        const int64_t bytes = static_cast<int64_t>(args.sliceSets) * SLICE_SIZE * KW * sizeof(unsigned);
        fill_grid(args.frontier, bytes, 0, place);
        fill_grid(args.visited, bytes, 0, place);
        fill_grid(args.next, bytes, 0, place);
        fill_grid(args.dirtySets, args.sliceSets, 0, place);
        if (args.levels != nullptr) {
            fill_grid(args.levels, args.sourceCount * args.stride * args.levelBytes, 0xff, place);
        }
        grid.sync();
        for (int i = place.thread; i < args.sourceCount; i += place.threads) {
            const int set = args.sources[i] / SLICE_SIZE;
            atomicOr(args.next + wordsOf(set, args.sources[i] % SLICE_SIZE) + i / 32, 1u << (i % 32));
            args.dirtySets[set] = 1;
        }
    }

    /** Lines 31 to 35 for one word: adds the bits that a lane gathered for its four rows to next. */
    __device__ __forceinline__ void flush(const int4 &rows, const unsigned (&marks)[SLICES_PER_THREAD], int k) const {
        unsigned missing[SLICES_PER_THREAD];
#pragma unroll
        for (int c = 0; c < SLICES_PER_THREAD; c++) {
            const int row = c == 0 ? rows.x : c == 1 ? rows.y : c == 2 ? rows.z : rows.w;
            missing[c] = marks[c] != 0 ? marks[c] & ~args.next[wordsOf(row / SLICE_SIZE, row % SLICE_SIZE) + k] : 0;
        }
#pragma unroll
        for (int c = 0; c < SLICES_PER_THREAD; c++) {
            if (missing[c] != 0) {
                const int row = c == 0 ? rows.x : c == 1 ? rows.y : c == 2 ? rows.z : rows.w;
                atomicOr(args.next + wordsOf(row / SLICE_SIZE, row % SLICE_SIZE) + k, missing[c]);
                args.dirtySets[row / SLICE_SIZE] = 1;
            }
        }
    }

    /** Stage 1: one warp per VSS, its sources one after another. */
    __device__ __forceinline__ void markLazily(const int *queue, int queueSize) const {
        for (unsigned w = place.warp; w < static_cast<unsigned>(queueSize); w += place.warps) {
            const int vss = queue[w];
            const int set = __ldg(args.graph.virtualToReal + vss);
            const int64_t tile = static_cast<int64_t>(vss) * WARP_SIZE + place.lane;
            const int4 rows = __ldg(args.graph.rowIds + tile);
            const unsigned mask = __ldg(args.graph.masks + tile);
            Words<KW> inFrontier = {};
            if (place.lane < SLICE_SIZE) {
                inFrontier = Words<KW>::load(args.frontier + wordsOf(set, place.lane));
            }
            unsigned active = 0;
            if (place.lane < KW) {
                active = args.activeSets[static_cast<int64_t>(set) * KW + place.lane];
            }
#pragma unroll
            for (int k = 0; k < KW; k++) {
                unsigned left = __shfl_sync(ALL_LANES, active, k);
                if (left == 0) {
                    continue;
                }
                unsigned marks[SLICES_PER_THREAD] = {};
                while (left != 0) {
                    const int source = __ffs(left) - 1;
                    left &= left - 1;
                    const unsigned alpha = __ballot_sync(ALL_LANES, (inFrontier.of[k] >> source & 1) != 0);
                    const Hits hits = PullMma::pull(mask, alpha, place.lane);
#pragma unroll
                    for (int c = 0; c < SLICES_PER_THREAD; c++) {
                        marks[c] |= hits.of[c] ? 1u << source : 0u;
                    }
                }
                flush(rows, marks, k);
            }
        }
    }

    /** Adds the pairs that the lanes of a warp found at a level; level 0 is not counted. */
    __device__ __forceinline__ void addPairs(unsigned found, int level) const {
        if (args.pairs == nullptr || level == 0) {
            return;
        }
        const unsigned long long sum = wideSum_warp(found);
        if (place.lane == 0 && sum != 0) {
            atomicAdd(args.pairs + level, sum);
        }
    }

    /** Lines 44 to 51 for one slice set: returns the sources that newly reach it, and adds up pairs. */
    __device__ __forceinline__ Words<KW> finalizeSet(int set, int level, unsigned &pairs) const {
        Words<KW> anew = {};
#pragma unroll 2
        for (int column = 0; column < SLICE_SIZE; column++) {
            const int64_t at = wordsOf(set, column);
            const Words<KW> next = Words<KW>::load(args.next + at);
            Words<KW> diff = Words<KW>::load(args.visited + at);
            int count = 0;
#pragma unroll
            for (int k = 0; k < KW; k++) {
                diff.of[k] ^= next.of[k];
                anew.of[k] |= diff.of[k];
                count += __popc(diff.of[k]);
            }
            diff.store(args.frontier + at);
            pairs += count;
            if (count != 0) {
                next.store(args.visited + at);
                if (level != 0) {
                    args.addToSlot(set * SLICE_SIZE + column, level, count);
                }
            }
        }
        return anew;
    }

    /**
     * Stores the level of the pairs that finalizeSet found. Called by all lanes of a warp, so that a store covers many
     * vertices.
     */
    __device__ __forceinline__ void storeLevels(int set, const Words<KW> &anew, int level) const {
#pragma unroll 1
        for (int k = 0; k < KW; k++) {
            unsigned mine = anew.of[0];
#pragma unroll
            for (int i = 1; i < KW; i++) {
                mine = i == k ? anew.of[i] : mine;
            }
            unsigned left = __reduce_or_sync(ALL_LANES, mine);
            if (left == 0) {
                continue;
            }
            unsigned diff[SLICE_SIZE];
#pragma unroll
            for (int column = 0; column < SLICE_SIZE; column++) {
                diff[column] = mine != 0 ? args.frontier[wordsOf(set, column) + k] : 0;
            }
            while (left != 0) {
                const int source = __ffs(left) - 1;
                left &= left - 1;
                const int64_t first =
                        static_cast<int64_t>(32 * k + source) * args.stride + static_cast<int64_t>(set) * SLICE_SIZE;
#pragma unroll
                for (int column = 0; column < SLICE_SIZE; column++) {
                    if ((diff[column] >> source & 1) != 0) {
                        storeLevel(args.levels, args.levelBytes, first + column, level);
                    }
                }
            }
        }
    }

    /** Stage 2: one thread per slice set. */
    __device__ __forceinline__ void finalizeFrontier(int level, int *queue, int *queueSize) const {
        const bool fits = static_cast<unsigned>(level) <= deepestLevel(args);
        unsigned pairs = 0;
        for (int base = place.warp * WARP_SIZE; base < args.sliceSets; base += place.threads) {
            const int set = base + place.lane;
            int first[1] = {};
            int count[1] = {};
            Words<KW> anew = {};
            if (set < args.sliceSets && args.dirtySets[set] != 0) {
                anew = finalizeSet(set, level, pairs);
                args.dirtySets[set] = 0;
                anew.store(args.activeSets + static_cast<int64_t>(set) * KW);
            }
            const bool found = anew.any();
            if (found) {
                first[0] = __ldg(args.graph.realPtrs + set);
                count[0] = __ldg(args.graph.realPtrs + set + 1) - first[0];
            }
            if (args.levels != nullptr && fits && __any_sync(ALL_LANES, found)) {
                storeLevels(set, anew, level);
            }
            enqueue_warp(queue, queueSize, first, count, place.lane);
            if (found) {
                control->level = fits ? level : level - 1;
                if (!fits) {
                    control->overflow = LEVELS_TOO_NARROW;
                }
            }
        }
        addPairs(pairs, level);
    }

public:
    __device__ explicit MultiSourceBfs(const MultiSourceArguments &args)
        : args(args), place(Place::here()), control(args.control) {}

    __device__ __forceinline__ void run() const {
        const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
        PhasedCounters<QueueCount> counters(control);
        StopWatch watch(args.stopFlag, control);
        int *queue = args.queueA;
        int *nextQueue = args.queueB;
        int level = 0;
        if (control->resumes == 0) {
            initialize();
            if (place.thread == 0) {
                watch.look(0);
            }
            grid.sync();
            finalizeFrontier(0, queue, &counters->size);
            grid.sync();
        } else {
            level = *Paused<int>(control);
            counters.resume(level % 3);
        }
        if (level % 2 != 0) {
            queue = args.queueB;
            nextQueue = args.queueA;
        }
        int queueSize = counters->size;
        while (queueSize != 0 && level != args.maxDepth && static_cast<unsigned>(level) <= deepestLevel(args)
                && !args.allCounted(level) && !watch.seen(level)) {
            level++;
            counters.next(place.thread);
            if (place.thread == 0) {
                control->work += queueSize;
                watch.look(level);
            }
            markLazily(queue, queueSize);
            grid.sync();
            int *taken = queue;
            queue = nextQueue;
            nextQueue = taken;
            finalizeFrontier(level, queue, &counters->size);
            grid.sync();
            queueSize = counters->size;
        }
        if (place.thread == 0 && queueSize != 0 && watch.pauses(level)) {
            // the rest of the state follows from the level
            *Paused<int>(control) = level;
            watch.pause();
        }
    }
};

}  // namespace proxima

#define MSBFS_BVSS_ENTRY(NAME, KW)                                                                                          \
    extern "C" __global__ void __launch_bounds__(proxima::BLOCK_THREADS, 4)                                                 \
            NAME(const __grid_constant__ proxima::MultiSourceArguments args) {                                              \
        proxima::MultiSourceBfs<KW>(args).run();                                                                            \
        proxima::leave_grid(args.control, args.report);                                                                     \
    }

MSBFS_BVSS_ENTRY(msbfs_bvss_k32_grid, 1)
MSBFS_BVSS_ENTRY(msbfs_bvss_k64_grid, 2)
MSBFS_BVSS_ENTRY(msbfs_bvss_k128_grid, 4)
MSBFS_BVSS_ENTRY(msbfs_bvss_k256_grid, 8)

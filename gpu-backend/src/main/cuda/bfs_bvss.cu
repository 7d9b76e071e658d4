// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include "persistent.cuh"

// Breadth-first search over BVSS, from one source or from several together: Elbek and Kaya, arXiv:2606.05081, Algorithms 2, 3
// and 4.
//
//   bfs_bvss_eager_{berrybees|mma|and}_grid   Algorithm 2; variants A, AB and AB with AND of its section 7.1
//   bfs_bvss_lazy_{mma|and}_grid              Algorithm 3 (variant ABCD with eta = 0); with eta > 0 Algorithm 4 runs the
//                                             levels for which condition (6) holds (variant Full with eta = 10)
//
// One cooperative launch a run, blocks of BLOCK_THREADS. n >= 1. Arrays over vertices are in the id space of the BVSS.
//   reads   realPtrs[sliceSets + 1] virtualToReal[V] rowIds[128 V] masks[32 V]    the graph
//           inPtrs[n + 1] inIdx[m]    in-neighbours of each vertex; lazy with eta > 0 only, else null
//           sources[sourceCount]      vertices without repeats, at least one
//           stopTargets[stopTargetCount]    vertices; the run ends with the first level that contains one of them
//           stopFlag[1]               host-mapped or null; not zero asks the run to stop or pause, see StopWatch
//   writes  levels[n]                 hops from the nearest source, -1 if not reached or beyond the end of the run
//           bitsA bitsB bitsC [bitWords(n)] queueA[V] queueB[V]    state, initialised here
//           control                   zeroed by the host; level, stopped and the counters are results
//   gives   levels equal for every grid and every variant. Only queue order depends on scheduling.
namespace proxima {

struct BfsArguments : SearchHead {
    Bvss graph;
    const int64_t *inPtrs;
    const int *inIdx;
    unsigned *bitsA;
    unsigned *bitsB;
    unsigned *bitsC;
    int *queueA;
    int *queueB;
    int sliceSets;
    int eta;
};

/** Called by the whole grid after a synchronisation that follows the level; the same answer in all threads. */
__device__ __forceinline__ bool ends_grid(
        const BfsArguments &args, int level, int queueSize, const StopWatch &watch, const Place &place) {
    return queueSize == 0 || level == args.maxDepth || watch.seen(level)
            || targetReached_grid(args.stopTargets, args.stopTargetCount, args.levels, args.control, place);
}

using QueueCounters = PhasedCounters<QueueCount>;
static_assert(QueueCounters::LEAVES_BARRIER, "counters must not overlap the barrier");

/** Saves a run that has to pause; called by all threads at the end of a launch. */
__device__ __forceinline__ void pauseIfAsked(const BfsArguments &args, int level, int queueSize, const StopWatch &watch,
        const GridBarrier &grid, const Place &place) {
    if (place.thread == 0 && queueSize != 0 && level != args.maxDepth && watch.pauses(level)) {
        // the rest of the state follows from the level
        *Paused<int>(args.control) = level;
        grid.pause();
        watch.pause();
    }
}

/** Data of one VSS that a warp needs before the pull: lines 13 to 18 of Algorithm 2. */
struct VssOfLane {
    int4 rows;
    unsigned mask;
    unsigned alpha;

    static __device__ __forceinline__ VssOfLane load(const Bvss &graph, int vss, const unsigned *frontier, int lane) {
        const int64_t tile = static_cast<int64_t>(vss) * WARP_SIZE + lane;
        const int set = __ldg(graph.virtualToReal + vss);
        return {__ldg(graph.rowIds + tile), __ldg(graph.masks + tile),
                reinterpret_cast<const unsigned char *>(frontier)[set]};
    }

    __device__ __forceinline__ int row(int c) const { return c == 0 ? rows.x : c == 1 ? rows.y : c == 2 ? rows.z : rows.w; }
};

/** Inputs and outputs of a level of Algorithm 2. */
struct EagerLevel {
    const unsigned *frontier;
    unsigned *nextFrontier;
    int *nextQueue;
    int *nextQueueSize;
    int level;
};

/**
 * Processes one VSS of Algorithm 2; called by all lanes of a warp.
 *
 * @tparam AHEAD whether the states of all rows are read along with the frontier, before it is known which rows are hit. In a
 *     level that leaves warps idle, the cost is the number of dependent reads.
 * @return whether the lane has found a vertex
 */
template <class Pull, bool AHEAD>
__device__ __forceinline__ bool pullEagerly_warp(const BfsArguments &args, int queued, const EagerLevel &at, int lane) {
    const VssOfLane vss = VssOfLane::load(args.graph, queued, at.frontier, lane);
    unsigned levelOf[SLICES_PER_THREAD];
    int first[SLICES_PER_THREAD];
    int count[SLICES_PER_THREAD];
    if (AHEAD) {
#pragma unroll
        for (int c = 0; c < SLICES_PER_THREAD; c++) {
            const int row = vss.row(c);
            levelOf[c] = static_cast<unsigned>(args.levels[row]);
            first[c] = __ldg(args.graph.realPtrs + row / SLICE_SIZE);
            count[c] = __ldg(args.graph.realPtrs + row / SLICE_SIZE + 1) - first[c];
        }
    }
    Hits fresh = Pull::pull(vss.mask, vss.alpha, lane);
    if (!__any_sync(ALL_LANES, fresh.any())) {
        return false;
    }
    if (!AHEAD) {
#pragma unroll
        for (int c = 0; c < SLICES_PER_THREAD; c++) {
            levelOf[c] = fresh.of[c] ? static_cast<unsigned>(args.levels[vss.row(c)]) : 0u;
        }
    }
    unsigned old[SLICES_PER_THREAD];
    bool found = false;
#pragma unroll
    for (int c = 0; c < SLICES_PER_THREAD; c++) {
        const int row = vss.row(c);
        fresh.of[c] = fresh.of[c] && static_cast<unsigned>(at.level) < levelOf[c];
        if (fresh.of[c]) {
            args.levels[row] = at.level;
            old[c] = atomicOr(at.nextFrontier + row / 32, bitOf(row));
            found = true;
        }
    }
#pragma unroll
    for (int c = 0; c < SLICES_PER_THREAD; c++) {
        const int row = vss.row(c);
        if (!(fresh.of[c] && (old[c] >> (row & 24) & 0xffu) == 0)) {
            first[c] = 0;
            count[c] = 0;
        } else if (!AHEAD) {
            first[c] = __ldg(args.graph.realPtrs + row / SLICE_SIZE);
            count[c] = __ldg(args.graph.realPtrs + row / SLICE_SIZE + 1) - first[c];
        }
    }
    enqueue_warp(at.nextQueue, at.nextQueueSize, first, count, lane);
    return found;
}

/** Marks the sources in the frontier, and queues each of their VSS once. */
__device__ __forceinline__ void enqueueSources_grid(
        const BfsArguments &args, unsigned *frontier, int *queue, int *queueSize, const Place &place) {
    for (int64_t base = place.warp * WARP_SIZE; base < args.sourceCount; base += place.threads) {
        int first[1] = {0};
        int count[1] = {0};
        if (base + place.lane < args.sourceCount) {
            const int source = args.sources[base + place.lane];
            args.levels[source] = 0;
            const unsigned old = atomicOr(frontier + source / 32, bitOf(source));
            if ((old >> (source & 24) & 0xffu) == 0) {
                first[0] = args.graph.realPtrs[source / SLICE_SIZE];
                count[0] = args.graph.realPtrs[source / SLICE_SIZE + 1] - first[0];
            }
        }
        enqueue_warp(queue, queueSize, first, count, place.lane);
    }
}

// Algorithm 2, in one stage with a warp per VSS of the queue.
//   atomics  OR with return into the next frontier, once for each thread that finds a vertex unreached; one add per warp for
//            the queue's size. Every thread that finds a vertex unreached stores its level; all store the same value.
//   against the paper    Three frontiers rotate, and one is cleared while the level runs. So a level needs one synchronisation
//            of the grid instead of three.
template <class Pull>
__device__ __forceinline__ void bfsEager(const BfsArguments &args) {
    const Place place = Place::here();
    RunControl *control = args.control;
    GridBarrier grid(control);
    QueueCounters counters(control);
    StopWatch watch(args.stopFlag, control);
    const int quads = bitWords(args.n) / 4;
    unsigned *frontier = args.bitsA;
    unsigned *nextFrontier = args.bitsB;
    unsigned *emptied = args.bitsC;
    int *queue = args.queueA;
    int *nextQueue = args.queueB;

    const bool resumes = control->resumes != 0;
    if (!resumes) {
        fill_grid(args.levels, static_cast<int64_t>(args.n) * sizeof(int), 0xff, place);
        fill_grid(frontier, quads * 16LL, 0, place);
        fill_grid(nextFrontier, quads * 16LL, 0, place);
        grid.sync();
        enqueueSources_grid(args, frontier, queue, &counters->size, place);
        if (place.thread == 0) {
            watch.look(0);
        }
        grid.sync();
    }

    int level = 0;
    if (resumes) {
        level = *Paused<int>(control);
        grid.resume();
        const int phase = level % 3;
        counters.resume(phase);
        frontier = phase == 0 ? args.bitsA : phase == 1 ? args.bitsB : args.bitsC;
        nextFrontier = phase == 0 ? args.bitsB : phase == 1 ? args.bitsC : args.bitsA;
        emptied = phase == 0 ? args.bitsC : phase == 1 ? args.bitsA : args.bitsB;
        queue = level % 2 == 0 ? args.queueA : args.queueB;
        nextQueue = level % 2 == 0 ? args.queueB : args.queueA;
    }
    int queueSize = counters->size;
    while (!ends_grid(args, level, queueSize, watch, place)) {
        level++;
        counters.next(place.thread);
        if (place.thread == 0) {
            control->work += queueSize;
            watch.look(level);
        }
        for (int i = place.thread; i < quads; i += place.threads) {
            reinterpret_cast<uint4 *>(emptied)[i] = make_uint4(0, 0, 0, 0);
        }
        const EagerLevel at{frontier, nextFrontier, nextQueue, &counters->size, level};
        bool found = false;
        if (queueSize <= place.warps) {
            if (place.warp < queueSize) {
                found = pullEagerly_warp<Pull, true>(args, queue[place.warp], at, place.lane);
            }
        } else {
            for (unsigned w = place.warp; w < static_cast<unsigned>(queueSize); w += place.warps) {
                found |= pullEagerly_warp<Pull, false>(args, queue[w], at, place.lane);
            }
        }
        if (found) {
            control->level = level;
        }
        grid.sync();

        unsigned *done = frontier;
        frontier = nextFrontier;
        nextFrontier = emptied;
        emptied = done;
        int *taken = queue;
        queue = nextQueue;
        nextQueue = taken;
        queueSize = counters->size;
    }
    pauseIfAsked(args, level, queueSize, watch, grid, place);
}

/**
 * Stage 1 of Algorithm 3: marks in visitedNext the rows of the queue's VSS that have a column in the frontier. A warp takes
 * VSS_IN_FLIGHT VSS at once to hide memory latency. The bit is tested before the atomic; a stale value only costs a needless
 * atomic.
 */
template <class Pull>
__device__ __forceinline__ void markLazily_grid(const Bvss &graph, const int *queue, int queueSize, const unsigned *frontier,
        unsigned *visitedNext, const Place &place) {
    constexpr int VSS_IN_FLIGHT = 2;
    const unsigned size = queueSize;
    const unsigned warps = place.warps;
    for (unsigned w = place.warp; w < size; w += VSS_IN_FLIGHT * warps) {
        VssOfLane vss[VSS_IN_FLIGHT];
#pragma unroll
        for (int i = 0; i < VSS_IN_FLIGHT; i++) {
            vss[i] = {};
            if (w + i * warps < size) {
                vss[i] = VssOfLane::load(graph, queue[w + i * warps], frontier, place.lane);
            }
        }
        unsigned seen[VSS_IN_FLIGHT][SLICES_PER_THREAD];
#pragma unroll
        for (int i = 0; i < VSS_IN_FLIGHT; i++) {
            const Hits hits = Pull::pull(vss[i].mask, vss[i].alpha, place.lane);
#pragma unroll
            for (int c = 0; c < SLICES_PER_THREAD; c++) {
                seen[i][c] = hits.of[c] ? visitedNext[vss[i].row(c) / 32] : ~0u;
            }
        }
#pragma unroll
        for (int i = 0; i < VSS_IN_FLIGHT; i++) {
#pragma unroll
            for (int c = 0; c < SLICES_PER_THREAD; c++) {
                const int row = vss[i].row(c);
                if ((seen[i][c] & bitOf(row)) == 0) {
                    atomicOr(visitedNext + row / 32, bitOf(row));
                }
            }
        }
    }
}

/**
 * Stage 1 of Algorithm 4: marks in visitedNext the unvisited vertices that have an in-neighbour in the frontier. A warp takes a
 * word of 32 vertices, a lane each. The whole warp continues lists that a lane has not finished after LANE_ENTRIES entries,
 * because an unreachable vertex with many in-neighbours would delay the level. The warp owns its word, so it needs no atomic. A
 * frontier word may be older than the level; it then holds only vertices whose out-neighbours are all visited.
 */
__device__ __forceinline__ void markBottomUp_grid(const int64_t *inPtrs, const int *inIdx, const unsigned *frontier,
        const unsigned *visited, unsigned *visitedNext, int n, const Place &place) {
    constexpr int LANE_ENTRIES = 16;
    constexpr int STRIDE = 2;
    const int words = static_cast<int>((static_cast<int64_t>(n) + 31) / 32);
    for (int word = place.warp; word < words; word += place.warps) {
        const unsigned visitedOfWord = visited[word];
        const int64_t vertex = static_cast<int64_t>(word) * 32 + place.lane;
        const bool unvisited = vertex < n && (visitedOfWord >> place.lane & 1) == 0;
        int64_t at = unvisited ? __ldg(inPtrs + vertex) : 0;
        const int64_t end = unvisited ? __ldg(inPtrs + vertex + 1) : 0;
        bool found = false;
        for (int entry = 0; entry < LANE_ENTRIES && !found && at < end; entry += STRIDE) {
            int neighbour[STRIDE];
#pragma unroll
            for (int i = 0; i < STRIDE; i++) {
                neighbour[i] = at + i < end ? __ldg(inIdx + at + i) : -1;
            }
#pragma unroll
            for (int i = 0; i < STRIDE; i++) {
                found = found || (neighbour[i] >= 0 && isSet(frontier, neighbour[i]));
            }
            at += STRIDE;
        }
        unsigned unfinished = __ballot_sync(ALL_LANES, !found && at < end);
        while (unfinished != 0) {
            const int owner = __ffs(unfinished) - 1;
            unfinished &= unfinished - 1;
            const int64_t ownersEnd = __shfl_sync(ALL_LANES, end, owner);
            bool reached = false;
            for (int64_t i = __shfl_sync(ALL_LANES, at, owner); i < ownersEnd && !reached; i += WARP_SIZE) {
                reached =
                        __any_sync(ALL_LANES, i + place.lane < ownersEnd && isSet(frontier, __ldg(inIdx + i + place.lane)));
            }
            found = found || (place.lane == owner && reached);
        }
        const unsigned marks = __ballot_sync(ALL_LANES, found);
        if (place.lane == 0 && marks != 0) {
            visitedNext[word] = visitedOfWord | marks;
        }
    }
}

/**
 * Stage 2 of Algorithm 3: makes the vertices that Stage 1 newly marked the frontier, writes their levels, and queues their
 * slice sets. A lane takes a word; the whole warp stores a word's levels. Also counts the visited vertices for condition (6).
 */
__device__ __forceinline__ void finalizeFrontier_grid(const BfsArguments &args, int level, unsigned *frontier,
        unsigned *visited, const unsigned *visitedNext, int *queue, int *queueSize, const Place &place) {
    const int words = static_cast<int>((static_cast<int64_t>(args.n) + 31) / 32);
    for (int base = place.warp * WARP_SIZE; base < words; base += place.threads) {
        const int word = base + place.lane;
        unsigned diff = 0;
        if (word < words) {
            const unsigned next = visitedNext[word];
            diff = visited[word] ^ next;
            if (diff != 0) {
                visited[word] = next;
                frontier[word] = diff;
            }
        }
        unsigned changed = __ballot_sync(ALL_LANES, diff != 0);
        if (changed == 0) {
            continue;
        }
        int first[SETS_PER_WORD];
        int count[SETS_PER_WORD];
#pragma unroll
        for (int i = 0; i < SETS_PER_WORD; i++) {
            first[i] = 0;
            count[i] = 0;
            if ((diff >> (i * SLICE_SIZE) & 0xffu) != 0) {
                const int set = word * SETS_PER_WORD + i;
                first[i] = __ldg(args.graph.realPtrs + set);
                count[i] = __ldg(args.graph.realPtrs + set + 1) - first[i];
            }
        }
        enqueue_warp(queue, queueSize, first, count, place.lane);
        const unsigned found = __reduce_add_sync(ALL_LANES, __popc(diff));
        if (place.lane == 0) {
            atomicAdd(reinterpret_cast<unsigned long long *>(&args.control->visited), found);
            args.control->level = level;
        }
        while (changed != 0) {
            const int owner = __ffs(changed) - 1;
            changed &= changed - 1;
            const unsigned diffOfOwner = __shfl_sync(ALL_LANES, diff, owner);
            if ((diffOfOwner >> place.lane & 1) != 0) {
                args.levels[(base + owner) * 32 + place.lane] = level;
            }
        }
    }
}

// Algorithms 3 and 4, in two stages per level with a synchronisation of the grid after each.
//   atomics  Stage 1: OR without return into visitedNext; none bottom-up. Stage 2: two adds per warp.
//   init     The sources are marked in visitedNext, and level 0 is a Stage 2.
//   against the paper    The third synchronisation is not needed, because every thread swaps its own pointers.
template <class Pull>
__device__ __forceinline__ void bfsLazy(const BfsArguments &args) {
    const Place place = Place::here();
    RunControl *control = args.control;
    GridBarrier grid(control);
    QueueCounters counters(control);
    StopWatch watch(args.stopFlag, control);
    unsigned *frontier = args.bitsA;
    unsigned *visited = args.bitsB;
    unsigned *visitedNext = args.bitsC;
    const int64_t bitBytes = bitWords(args.n) * 4LL;
    int *queue = args.queueA;
    int *nextQueue = args.queueB;

    const bool resumes = control->resumes != 0;
    if (!resumes) {
        fill_grid(args.levels, static_cast<int64_t>(args.n) * sizeof(int), 0xff, place);
        fill_grid(frontier, bitBytes, 0, place);
        fill_grid(visited, bitBytes, 0, place);
        fill_grid(visitedNext, bitBytes, 0, place);
        grid.sync();
        for (int64_t i = place.thread; i < args.sourceCount; i += place.threads) {
            atomicOr(visitedNext + args.sources[i] / 32, bitOf(args.sources[i]));
        }
        if (place.thread == 0) {
            watch.look(0);
        }
        grid.sync();
        finalizeFrontier_grid(args, 0, frontier, visited, visitedNext, queue, &counters->size, place);
        grid.sync();
    }

    int level = 0;
    if (resumes) {
        level = *Paused<int>(control);
        grid.resume();
        counters.resume(level % 3);
        queue = level % 2 == 0 ? args.queueA : args.queueB;
        nextQueue = level % 2 == 0 ? args.queueB : args.queueA;
    }
    int queueSize = counters->size;
    while (!ends_grid(args, level, queueSize, watch, place)) {
        level++;
        const bool bottomUp = args.n - control->visited < static_cast<int64_t>(args.eta) * queueSize;
        counters.next(place.thread);
        if (place.thread == 0) {
            control->work += bottomUp ? 0 : queueSize;
            control->bottomUpLevels += bottomUp ? 1 : 0;
            watch.look(level);
        }
        if (bottomUp) {
            markBottomUp_grid(args.inPtrs, args.inIdx, frontier, visited, visitedNext, args.n, place);
        } else {
            markLazily_grid<Pull>(args.graph, queue, queueSize, frontier, visitedNext, place);
        }
        grid.sync();
        int *taken = queue;
        queue = nextQueue;
        nextQueue = taken;
        finalizeFrontier_grid(args, level, frontier, visited, visitedNext, queue, &counters->size, place);
        grid.sync();
        queueSize = counters->size;
    }
    pauseIfAsked(args, level, queueSize, watch, grid, place);
}

}  // namespace proxima

#define BFS_BVSS_ENTRY(NAME, RUN)                                                                                           \
    extern "C" __global__ void __launch_bounds__(proxima::BLOCK_THREADS, 4)                                                 \
            NAME(const __grid_constant__ proxima::BfsArguments args) {                                                      \
        proxima::RUN(args);                                                                                                 \
        proxima::leave_grid(args.control, args.report);                                                                     \
    }

BFS_BVSS_ENTRY(bfs_bvss_eager_berrybees_grid, bfsEager<proxima::PullBerryBees>)
BFS_BVSS_ENTRY(bfs_bvss_eager_mma_grid, bfsEager<proxima::PullMma>)
BFS_BVSS_ENTRY(bfs_bvss_eager_and_grid, bfsEager<proxima::PullAnd>)
BFS_BVSS_ENTRY(bfs_bvss_lazy_mma_grid, bfsLazy<proxima::PullMma>)
BFS_BVSS_ENTRY(bfs_bvss_lazy_and_grid, bfsLazy<proxima::PullAnd>)

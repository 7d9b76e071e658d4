// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include <cub/block/block_reduce.cuh>

#include "persistent.cuh"

// Direction-optimizing breadth-first search over CSR that chooses for each level how to generate the queue: Gaihre, Wu, Yao and
// Liu, "XBFS: eXploring Runtime Optimizations for Breadth-First Search on GPUs" (HPDC 2019).
//
//   bfs_xbfs_grid
//
// One cooperative launch a run, at most XBFS_MOST_BLOCKS blocks of XBFS_THREADS. Arrays over vertices are in slots.
//   reads   outPtrs[n + 1] outIdx[outPtrs[n]] inPtrs[n + 1] inIdx[inPtrs[n]], equal addresses if the graph is symmetric
//           sources[sourceCount] without repeats, stopTargets[stopTargetCount], stopFlag[1] or null
//   writes  levels[n]                       hops from the nearest source, -1 if not reached or beyond the end of the run;
//                                           the status array of the paper
//           endsA middleA endsB middleB[n]  queues
//           blockCounts[XBFS_MOST_BLOCKS]   scratch
//           state[1]                        state
//           control                         persistent.cuh; level, stopped, paused, bottomUpLevels are results
//   gives   levels equal for every grid and every order of work
//
// The step of a level (section 4.3), where the frontier has e edges and the graph has E:
//   e >= ALPHA E                  bottom-up: double-scan (4.2) writes a sorted queue of the unvisited vertices, then
//                                 asynchronous updates (5.2)
//   after a bottom-up level       top-down without a new queue (4.1): the queue of the unvisited contains the frontier
//   e lambda >= ALPHA E           top-down with single-scan (4.1): labels by stores, then a scan of the labels. lambda is e
//                                 divided by that of the level before
//   else                          top-down scan-free (4.1): labels by compare-and-swap; the thread that wins queues
// Bottom-up, a warp takes 32 vertices of the queue at a time, one per lane whatever their degrees (5.1.2, Algorithm 2).
// Top-down, vertices are queued in three classes of degree: fewer than WARP_SIZE for a thread, fewer than WIDE_LIST for a warp,
// others for a block.
//
// Differences from the paper:
//   - A level is a step of one launch, because a launch with its readback costs more than a synchronisation of the grid. The
//     three classes of degree, which run in streams in Liu and Huang, Enterprise (SC 2015), are one step without a
//     synchronisation between them.
//   - If a bottom-up level follows another one, its queue is scanned from the last queue, a superset (Lemma 1), instead of
//     from all labels.
//   - Asynchronous updates remove vertices from the queue one level before they become the frontier ("early" vertices). The
//     level that generates no queue therefore reads the last queue but one if there were any, and finds its own early vertices
//     by a single-scan of the last queue.
//   - After a lane has tested LANE_ENTRIES neighbours in vain, its warp joins in. The paper tried that and left it out
//     (5.1.2), but an unvisited vertex may have half of the graph's edges.
//   - If a class has no more vertices than there are warps, warps process it. If there are fewer lists for blocks than blocks,
//     several blocks share a list. Deep graphs and first levels have few vertices.
namespace proxima {

constexpr int XBFS_THREADS = 512;
constexpr int XBFS_WARPS = XBFS_THREADS / WARP_SIZE;
[[maybe_unused]] constexpr int XBFS_MOST_BLOCKS = 4096;  // the largest grid that the host launches
constexpr float ALPHA = 0.1f;                            // value of the paper
constexpr int WIDE_LIST = 1024;                          // entries; a list of as many or more is processed by a block
constexpr int LANE_ENTRIES = 128;                        // neighbours that a lane tests alone

/** The state of the search before a level; the same in all threads. Kept when the run pauses. */
struct XbfsProgress {
    unsigned long long edges;       // edges of the frontier
    unsigned long long priorEdges;  // edges of the frontier before
    unsigned long long earlyEdges;  // edges of early vertices, which belong to the next frontier
    unsigned early;                 // vertices of the next frontier that the last level found early
    unsigned earlyBefore;           // vertices of this frontier that were found early
    int level;
    int phase;
    int narrow;        // top-down queue: vertices processed by a thread each
    int medium;        // vertices processed by a warp each
    int wide;          // vertices processed by a block each
    int set;           // index of the arrays that hold the queue
    int listed;        // bottom-up queue: number of vertices
    int listedBefore;  // number of vertices in the level before
    int list;          // index of the array that holds the queue
    int pulled;        // whether the last level was bottom-up
};

/** The counts of a step. */
struct XbfsCounts {
    unsigned long long narrowMedium;  // vertices queued in these two classes, 32 bits each
    unsigned long long wide;
    unsigned long long found;  // vertices labelled in the low 32 bits, of those the early ones above
    unsigned long long edges;
    unsigned long long earlyEdges;
    unsigned long long taken;  // vertices taken from a bottom-up queue
};

/** Kept in memory. */
struct XbfsState {
    XbfsCounts counts[PhasedCounters<XbfsCounts>::PHASES];
    XbfsProgress paused;
};

struct XbfsArguments : SearchHead {
    const int64_t *outPtrs;
    const int *outIdx;
    const int64_t *inPtrs;
    const int *inIdx;
    int *endsA;
    int *middleA;
    int *endsB;
    int *middleB;
    int *blockCounts;
    XbfsState *state;
};

HOST_CONSTANT(XBFS_THREADS, XBFS_THREADS)
HOST_CONSTANT(XBFS_MOST_BLOCKS, XBFS_MOST_BLOCKS)
HOST_CONSTANT(XBFS_STATE_BYTES, sizeof(XbfsState))

/** A run as seen by one thread. */
class Xbfs {
    using Reduce = cub::BlockReduce<unsigned long long, XBFS_THREADS>;
    static constexpr int U = 4;  // neighbours that a lane has in flight

public:
    /** Shared memory of a block. */
    struct Shared {
        Reduce::TempStorage reduce;
        unsigned long long counts[3];  // found, edges and earlyEdges of XbfsCounts
        unsigned long long sums;
        int ofWarp[XBFS_WARPS];
    };

private:
    const XbfsArguments &args;
    const Place place;
    const int rank;  // index of the warp, such that consecutive warps are in different blocks
    RunControl *const control;
    PhasedCounters<XbfsCounts> counters;
    Shared &shared;
    GridBarrier grid;
    XbfsProgress at = {};
    // counts of this thread in a step
    unsigned long long edges = 0;
    unsigned long long earlyEdges = 0;
    unsigned found = 0;
    unsigned early = 0;

public:
    __device__ Xbfs(const XbfsArguments &args, Shared &shared)
        : args(args), place(Place::here()), rank(threadIdx.x / WARP_SIZE * gridDim.x + blockIdx.x), control(args.control),
          counters(args.state->counts), shared(shared), grid(args.control) {}

    __device__ void run() {
        StopWatch watch(args.stopFlag, control);
        if (threadIdx.x < 3) {
            shared.counts[threadIdx.x] = 0;
        }
        __syncthreads();
        const Paused<XbfsProgress> paused(&args.state->paused);
        if (control->resumes != 0) {
            at = *paused;
            counters.resume(at.phase);
            grid.resume();
        } else {
            begin_grid(watch);
        }
        const float most = ALPHA * static_cast<float>(args.outPtrs[args.n]);
        bool reached;
        while (!(reached = targetReached_grid()) && at.edges != 0 && at.level != args.maxDepth && !watch.seen(at.level)) {
            at.level++;
            if (place.thread == 0) {
                watch.look(at.level);
            }
            const float checks = static_cast<float>(at.edges);
            const float lambda = checks / static_cast<float>(at.priorEdges);
            at.priorEdges = at.edges;
            if (checks >= most) {
                bottomUp_grid();
            } else if (at.pulled != 0) {
                afterBottomUp_grid();
            } else if (checks * lambda >= most) {
                topDown_grid<false>();
                grid.sync();
                singleScan_grid(nullptr, args.n);
                takeQueue(0);
            } else {
                topDown_grid<true>();
                takeQueue(0);
            }
        }
        if (!reached && at.edges != 0 && at.level != args.maxDepth && watch.pauses(at.level)) {
            if (place.thread == 0) {
                at.phase = counters.phase();
                *paused = at;
                grid.pause();
                watch.pause();
            }
        } else if (at.early != 0) {
            // reset levels beyond the one that contains a target
            for (int64_t i = place.thread; i < args.n; i += place.threads) {
                if (args.levels[i] > at.level) {
                    args.levels[i] = UNREACHED;
                }
            }
        }
    }

private:
    __device__ __forceinline__ int *ends(int set) const { return set == 0 ? args.endsA : args.endsB; }
    __device__ __forceinline__ int *middle(int set) const { return set == 0 ? args.middleA : args.middleB; }

    /**
     * The two arrays of bottom-up queues, in the second set; the level after the last bottom-up one writes to the first set.
     */
    __device__ __forceinline__ int *listOf(int list) const { return list == 0 ? args.endsB : args.middleB; }

    /** Clears the state and queues the sources. */
    __device__ __forceinline__ void begin_grid(StopWatch &watch) {
        fill_grid(args.levels, static_cast<int64_t>(args.n) * sizeof(int), 0xff, place);
        counters.clear(place.thread);
        if (place.thread == 0) {
            watch.look(0);
        }
        grid.sync();
        counters.next(place.thread);
        at.set = 1;
        for (int64_t first = place.warp * static_cast<int64_t>(WARP_SIZE); first < args.sourceCount;
                first += place.threads) {
            const int64_t i = first + place.lane;
            const bool has[1] = {i < args.sourceCount};
            const int vertex[1] = {!has[0] ? 0 : args.sourceCount == 1 ? args.onlySource : args.sources[i]};
            if (has[0]) {
                args.levels[vertex[0]] = 0;
            }
            enqueue_warp(vertex, has, 0);
        }
        takeQueue(0);
        at.priorEdges = at.edges;
    }

    /** As in the other kernels, but ignores vertices that were found early. */
    __device__ __forceinline__ bool targetReached_grid() const {
        if (args.stopTargetCount == 0) {
            return false;
        }
        for (int64_t i = place.thread; i < args.stopTargetCount; i += place.threads) {
            if (static_cast<unsigned>(args.levels[args.stopTargets[i]]) <= static_cast<unsigned>(at.level)) {
                control->targetReached = 1;
            }
        }
        cooperative_groups::this_grid().sync();
        return control->targetReached != 0;
    }

    /** Adds up the counts of the block's threads. */
    __device__ __forceinline__ void addCounts_block() {
        if (__any_sync(ALL_LANES, (found | early) != 0)) {
            const unsigned long long bothFound = sum_warp(static_cast<unsigned long long>(early) << 32 | found);
            const unsigned long long allEdges = sum_warp(edges);
            const unsigned long long allEarlyEdges = sum_warp(earlyEdges);
            if (place.lane == 0) {
                atomicAdd(shared.counts, bothFound);
                atomicAdd(shared.counts + 1, allEdges);
                atomicAdd(shared.counts + 2, allEarlyEdges);
            }
        }
        found = early = 0;
        edges = earlyEdges = 0;
        __syncthreads();
        if (threadIdx.x < 3 && shared.counts[threadIdx.x] != 0) {
            atomicAdd(&counters->found + threadIdx.x, shared.counts[threadIdx.x]);
            shared.counts[threadIdx.x] = 0;
        }
    }

    /** Ends a step that queued the next frontier top-down. earlier: vertices of the level that had been found early. */
    __device__ __forceinline__ void takeQueue(unsigned earlier) {
        addCounts_block();
        grid.sync();
        const unsigned long long queued = __ldcg(&counters->narrowMedium);
        at.narrow = static_cast<int>(queued);
        at.medium = static_cast<int>(queued >> 32);
        at.wide = static_cast<int>(__ldcg(&counters->wide));
        at.edges = __ldcg(&counters->edges);
        at.set ^= 1;
        at.pulled = 0;
        at.early = at.earlyBefore = 0;
        at.earlyEdges = 0;
        tell((__ldcg(&counters->found) | earlier) != 0);
    }

    __device__ __forceinline__ void tell(bool any) const {
        if (place.thread == 0 && any) {
            control->level = at.level;
        }
    }

    /**
     * Appends vertices to the queues of their classes in the next set, and counts them. Narrow and wide vertices share an
     * array, from both ends.
     */
    template <int N>
    __device__ __forceinline__ void enqueue_warp(const int (&vertex)[N], const bool (&has)[N], int set) {
        int64_t degree[N];
        unsigned long long mine = 0;
#pragma unroll
        for (int i = 0; i < N; i++) {
            degree[i] = has[i] ? args.outPtrs[vertex[i] + 1] - args.outPtrs[vertex[i]] : 0;
        }
#pragma unroll
        for (int i = 0; i < N; i++) {
            found += has[i] ? 1 : 0;
            edges += degree[i];
            mine += degree[i] == 0 ? 0 : degree[i] < WARP_SIZE ? 1ull : degree[i] < WIDE_LIST ? 1ull << 16 : 1ull << 32;
        }
        if (!__any_sync(ALL_LANES, mine != 0)) {
            return;
        }
        const unsigned long long upToMine = inclusiveSum_warp(mine, place.lane);
        unsigned long long narrowMedium = 0;
        unsigned long long wideBase = 0;
        if (place.lane == WARP_SIZE - 1) {
            const unsigned long long both = (upToMine & 0xffff) | (upToMine >> 16 & 0xffff) << 32;
            narrowMedium = both == 0 ? 0 : atomicAdd(&counters->narrowMedium, both);
            wideBase = upToMine >> 32 == 0 ? 0 : atomicAdd(&counters->wide, upToMine >> 32);
        }
        narrowMedium = __shfl_sync(ALL_LANES, narrowMedium, WARP_SIZE - 1);
        wideBase = __shfl_sync(ALL_LANES, wideBase, WARP_SIZE - 1);
        const unsigned long long before = upToMine - mine;
        int narrow = static_cast<int>(narrowMedium) + static_cast<int>(before & 0xffff);
        int medium = static_cast<int>(narrowMedium >> 32) + static_cast<int>(before >> 16 & 0xffff);
        int wide = static_cast<int>(wideBase) + static_cast<int>(before >> 32);
#pragma unroll
        for (int i = 0; i < N; i++) {
            if (degree[i] == 0) {
                continue;
            }
            if (degree[i] < WARP_SIZE) {
                ends(set)[narrow++] = vertex[i];
            } else if (degree[i] < WIDE_LIST) {
                middle(set)[medium++] = vertex[i];
            } else {
                ends(set)[args.n - 1 - wide++] = vertex[i];
            }
        }
    }

    /**
     * Labels unlabelled neighbours; -1 stands for none. With QUEUES (scan-free), labels by compare-and-swap and the thread that
     * wins queues. Otherwise labels by stores, which all write the same value.
     */
    template <bool QUEUES>
    __device__ __forceinline__ void visit_warp(const int (&neighbour)[U], int set) {
        int label[U];
#pragma unroll
        for (int u = 0; u < U; u++) {
            label[u] = neighbour[u] >= 0 ? args.levels[neighbour[u]] : 0;
        }
        bool has[U];
#pragma unroll
        for (int u = 0; u < U; u++) {
            has[u] = label[u] == UNREACHED;
            if (has[u] && QUEUES) {
                label[u] = atomicCAS(args.levels + neighbour[u], UNREACHED, at.level);
            } else if (has[u]) {
                args.levels[neighbour[u]] = at.level;
            }
        }
        if constexpr (QUEUES) {
            bool any = false;
#pragma unroll
            for (int u = 0; u < U; u++) {
                has[u] = has[u] && label[u] == UNREACHED;
                any = any || has[u];
            }
            if (__any_sync(ALL_LANES, any)) {
                enqueue_warp(neighbour, has, set);
            }
        }
    }

    /** Visits every stride-th entry of a list, from first on. All lanes have the same list. */
    template <bool QUEUES>
    __device__ __forceinline__ void visitList_warp(int64_t begin, int64_t end, int first, int64_t stride, int set) {
        for (int64_t base = begin + first; base - place.lane < end; base += U * stride) {
            int neighbour[U];
#pragma unroll
            for (int u = 0; u < U; u++) {
                const int64_t entry = base + u * stride;
                neighbour[u] = entry < end ? __ldg(args.outIdx + entry) : -1;
            }
            visit_warp<QUEUES>(neighbour, set);
        }
    }

    /** Visits lists of fewer than WARP_SIZE entries, one per lane. */
    template <bool QUEUES>
    __device__ __forceinline__ void visitNarrow_warp(int64_t begin, int length, int set) {
        const int longest = __reduce_max_sync(ALL_LANES, length);
        for (int i = 0; i < longest; i += U) {
            int neighbour[U];
#pragma unroll
            for (int u = 0; u < U; u++) {
                neighbour[u] = i + u < length ? __ldg(args.outIdx + begin + i + u) : -1;
            }
            visit_warp<QUEUES>(neighbour, set);
        }
    }

    template <bool QUEUES>
    __device__ __forceinline__ void visitByWarps_grid(const int *queue, int size, int set) {
        for (int64_t i = rank; i < size; i += place.warps) {
            const int vertex = __ldcg(queue + i);
            visitList_warp<QUEUES>(args.outPtrs[vertex], args.outPtrs[vertex + 1], place.lane, WARP_SIZE, set);
        }
    }

    /** Visits the neighbours of the queue's vertices. */
    template <bool QUEUES>
    __device__ __forceinline__ void topDown_grid() {
        counters.next(place.thread);
        const int set = at.set ^ 1;
        const int *const narrow = ends(at.set);
        const int blocks = static_cast<int>(gridDim.x);
        const int sharers = at.wide == 0 ? 0 : at.wide < blocks ? blocks / at.wide : 1;
        for (int64_t part = blockIdx.x; part < static_cast<int64_t>(at.wide) * sharers; part += blocks) {
            const int vertex = __ldcg(narrow + args.n - 1 - part / sharers);
            visitList_warp<QUEUES>(args.outPtrs[vertex], args.outPtrs[vertex + 1],
                    static_cast<int>(part % sharers) * XBFS_THREADS + static_cast<int>(threadIdx.x),
                    static_cast<int64_t>(sharers) * XBFS_THREADS, set);
        }
        visitByWarps_grid<QUEUES>(middle(at.set), at.medium, set);
        if (at.narrow <= place.warps) {
            visitByWarps_grid<QUEUES>(narrow, at.narrow, set);
            return;
        }
        for (int64_t first = rank * static_cast<int64_t>(WARP_SIZE); first < at.narrow; first += place.threads) {
            const int64_t i = first + place.lane;
            int64_t begin = 0;
            int length = 0;
            if (i < at.narrow) {
                const int vertex = __ldcg(narrow + i);
                begin = args.outPtrs[vertex];
                length = static_cast<int>(args.outPtrs[vertex + 1] - begin);
            }
            visitNarrow_warp<QUEUES>(begin, length, set);
        }
    }

    /** Queues the vertices of this level, found among all vertices or in a list that contains them. */
    __device__ __forceinline__ void singleScan_grid(const int *list, int size) {
        counters.next(place.thread);
        const int set = at.set ^ 1;
        for (int64_t first = place.warp * static_cast<int64_t>(U * WARP_SIZE); first < size;
                first += static_cast<int64_t>(U) * place.threads) {
            int vertex[U];
            bool has[U];
            bool any = false;
#pragma unroll
            for (int u = 0; u < U; u++) {
                const int64_t i = first + u * WARP_SIZE + place.lane;
                vertex[u] = i >= size ? -1 : list == nullptr ? static_cast<int>(i) : __ldcg(list + i);
            }
#pragma unroll
            for (int u = 0; u < U; u++) {
                has[u] = vertex[u] >= 0 && args.levels[vertex[u]] == at.level;
                any = any || has[u];
            }
            if (__any_sync(ALL_LANES, any)) {
                enqueue_warp(vertex, has, set);
            }
        }
    }

    /**
     * The first level after bottom-up ones (section 4.1, "no frontier generation"): visits the neighbours of those vertices in
     * the queue of the unvisited that are the frontier.
     */
    __device__ __forceinline__ void afterBottomUp_grid() {
        const bool before = at.earlyBefore != 0;
        const int *const queue = listOf(before ? at.list ^ 1 : at.list);
        const int size = before ? at.listedBefore : at.listed;
        const unsigned earlier = at.early;
        at.set = 1;  // so that takeQueue makes the first set the next one
        if (earlier == 0) {
            visitFrontierOf_grid<true>(queue, size);
        } else {
            visitFrontierOf_grid<false>(queue, size);
            grid.sync();
            singleScan_grid(listOf(at.list), at.listed);
        }
        takeQueue(earlier);
    }

    template <bool QUEUES>
    __device__ __forceinline__ void visitFrontierOf_grid(const int *queue, int size) {
        counters.next(place.thread);
        for (int64_t first = rank * static_cast<int64_t>(WARP_SIZE); first < size; first += place.threads) {
            const int64_t i = first + place.lane;
            const int vertex = i < size ? __ldcg(queue + i) : -1;
            int64_t begin = 0;
            int64_t length = 0;
            if (vertex >= 0 && args.levels[vertex] == at.level - 1) {
                begin = args.outPtrs[vertex];
                length = args.outPtrs[vertex + 1] - begin;
            }
            visitNarrow_warp<QUEUES>(begin, length < WARP_SIZE ? static_cast<int>(length) : 0, 0);
            unsigned longer = __ballot_sync(ALL_LANES, length >= WARP_SIZE);
            while (longer != 0) {
                const int owner = __ffs(longer) - 1;
                longer &= longer - 1;
                const int64_t from = __shfl_sync(ALL_LANES, begin, owner);
                visitList_warp<QUEUES>(from, from + __shfl_sync(ALL_LANES, length, owner), place.lane, WARP_SIZE, 0);
            }
        }
    }

    /** Sections 4.2 and 5: generates the queue of the unvisited, then labels them. */
    __device__ __forceinline__ void bottomUp_grid() {
        if (place.thread == 0) {
            control->bottomUpLevels++;
        }
        if (at.pulled == 0) {
            at.list = 0;
            at.listedBefore = 0;
            at.listed = doubleScan_grid(nullptr, args.n, listOf(0));
        } else {
            const int size = doubleScan_grid(listOf(at.list), at.listed, listOf(at.list ^ 1));
            at.list ^= 1;
            at.listedBefore = at.listed;
            at.listed = size;
        }
        counters.next(place.thread);
        pull_grid();
        addCounts_block();
        grid.sync();
        const unsigned long long bothFound = __ldcg(&counters->found);
        tell(static_cast<unsigned>(bothFound) != 0 || at.early != 0);
        at.edges = __ldcg(&counters->edges) + at.earlyEdges;
        at.earlyEdges = __ldcg(&counters->earlyEdges);
        at.earlyBefore = at.early;
        at.early = static_cast<unsigned>(bothFound >> 32);
        at.pulled = 1;
    }

    /**
     * Writes the unvisited of all vertices, or of a list, to another list in the same order, and returns their number. A warp
     * counts the unvisited of a segment, then writes them behind those of the segments before.
     */
    __device__ __forceinline__ int doubleScan_grid(const int *from, int size, int *to) {
        constexpr int STEP = U * WARP_SIZE;
        const int64_t steps = (static_cast<int64_t>(size) + STEP - 1) / STEP;
        const int64_t each = (steps + place.warps - 1) / place.warps * STEP;
        const int64_t begin = each * place.warp;
        const int64_t end = begin + each < size ? begin + each : size;
        const int warpOfBlock = static_cast<int>(threadIdx.x) / WARP_SIZE;
        int count = 0;
        forUnvisited_warp(from, begin, end, [&](int, unsigned votes) { count += __popc(votes); });
        if (place.lane == 0) {
            shared.ofWarp[warpOfBlock] = count;
        }
        __syncthreads();
        int inBlock = 0;
        int before = 0;
#pragma unroll
        for (int warp = 0; warp < XBFS_WARPS; warp++) {
            inBlock += shared.ofWarp[warp];
            before += warp < warpOfBlock ? shared.ofWarp[warp] : 0;
        }
        if (threadIdx.x == 0) {
            args.blockCounts[blockIdx.x] = inBlock;
        }
        grid.sync();
        unsigned long long sums = 0;  // upper 32 bits: all blocks; lower 32 bits: the blocks before this one
        for (int block = threadIdx.x; block < static_cast<int>(gridDim.x); block += XBFS_THREADS) {
            const unsigned long long ofBlock = __ldcg(args.blockCounts + block);
            sums += ofBlock << 32 | (block < static_cast<int>(blockIdx.x) ? ofBlock : 0);
        }
        sums = Reduce(shared.reduce).Sum(sums);
        if (threadIdx.x == 0) {
            shared.sums = sums;
        }
        __syncthreads();
        int *next = to + static_cast<unsigned>(shared.sums) + before;
        forUnvisited_warp(from, begin, end, [&](int vertex, unsigned votes) {
            if ((votes >> place.lane & 1) != 0) {
                next[__popc(votes & lowBits(place.lane))] = vertex;
            }
            next += __popc(votes);
        });
        const int all = static_cast<int>(shared.sums >> 32);
        grid.sync();
        return all;
    }

    /** Calls visit(vertex of the lane, ballot of the unvisited) for 32 vertices at a time. */
    template <class Visit>
    __device__ __forceinline__ void forUnvisited_warp(const int *list, int64_t begin, int64_t end, Visit visit) const {
        for (int64_t first = begin; first < end; first += U * WARP_SIZE) {
            int vertex[U];
            int label[U];
#pragma unroll
            for (int u = 0; u < U; u++) {
                const int64_t i = first + u * WARP_SIZE + place.lane;
                vertex[u] = i >= end ? -1 : list == nullptr ? static_cast<int>(i) : __ldcg(list + i);
            }
#pragma unroll
            for (int u = 0; u < U; u++) {
                label[u] = vertex[u] >= 0 ? args.levels[vertex[u]] : 0;
            }
#pragma unroll
            for (int u = 0; u < U; u++) {
                visit(vertex[u], __ballot_sync(ALL_LANES, label[u] == UNREACHED));
            }
        }
    }

    /** Algorithm 3, with work distributed by Algorithm 2. */
    __device__ __forceinline__ void pull_grid() {
        const int *const queue = listOf(at.list);
        const unsigned size = at.listed;
        for (unsigned first = rank * WARP_SIZE; first < size;) {
            unsigned long long next = size;
            if (place.lane == 0 && size > static_cast<unsigned>(place.threads)) {
                // issued now, needed after these vertices
                next = place.threads + atomicAdd(&counters->taken, static_cast<unsigned long long>(WARP_SIZE));
            }
            const unsigned i = first + place.lane;
            const int vertex = i < size ? __ldcg(queue + i) : -1;
            int64_t entry = vertex >= 0 ? args.inPtrs[vertex] : 0;
            const int64_t end = vertex >= 0 ? args.inPtrs[vertex + 1] : 0;
            bool parent = false;   // has a neighbour in the level before
            bool sibling = false;  // has a neighbour in this level
            for (int asked = 0; asked < LANE_ENTRIES && !parent && entry < end; asked += U, entry += U) {
                int label[U];
#pragma unroll
                for (int u = 0; u < U; u++) {
                    label[u] = entry + u < end ? args.levels[__ldg(args.inIdx + entry + u)] : UNREACHED;
                }
#pragma unroll
                for (int u = 0; u < U; u++) {
                    parent = parent || label[u] == at.level - 1;
                    sibling = sibling || label[u] == at.level;
                }
            }
            unsigned unfinished = __ballot_sync(ALL_LANES, !parent && entry < end);
            while (unfinished != 0) {
                const int owner = __ffs(unfinished) - 1;
                unfinished &= unfinished - 1;
                const int64_t ownersEnd = __shfl_sync(ALL_LANES, end, owner);
                bool hasParent = false;
                bool hasSibling = false;
                for (int64_t e = __shfl_sync(ALL_LANES, entry, owner); e < ownersEnd && !hasParent; e += WARP_SIZE) {
                    const int label =
                            e + place.lane < ownersEnd ? args.levels[__ldg(args.inIdx + e + place.lane)] : UNREACHED;
                    hasParent = __any_sync(ALL_LANES, label == at.level - 1);
                    hasSibling = hasSibling || label == at.level;
                }
                hasSibling = __any_sync(ALL_LANES, hasSibling);
                if (place.lane == owner) {
                    parent = hasParent;
                    sibling = sibling || hasSibling;
                }
            }
            const bool isEarly = !parent && sibling && at.level != args.maxDepth;
            if (parent || isEarly) {
                const unsigned long long degree = args.outPtrs[vertex + 1] - args.outPtrs[vertex];
                args.levels[vertex] = parent ? at.level : at.level + 1;
                found += parent ? 1 : 0;
                early += parent ? 0 : 1;
                edges += parent ? degree : 0;
                earlyEdges += parent ? 0 : degree;
            }
            next = __shfl_sync(ALL_LANES, next, 0);
            if (next >= size) {
                return;
            }
            first = static_cast<unsigned>(next);
        }
    }
};

}  // namespace proxima

extern "C" __global__ void __launch_bounds__(proxima::XBFS_THREADS, 2)
        bfs_xbfs_grid(const __grid_constant__ proxima::XbfsArguments args) {
    __shared__ proxima::Xbfs::Shared shared;
    proxima::Xbfs(args, shared).run();
    proxima::leave_grid(args.control, args.report);
}

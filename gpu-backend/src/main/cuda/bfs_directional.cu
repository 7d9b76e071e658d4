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

#include "edges.cuh"

// Breadth-first search over the compact graph, from one source or several together, top-down or bottom-up a level: Beamer,
// Asanovic and Patterson (SC 2012), with the bottom-up step over a list of what is left (Enterprise, SC 2015) and an
// edge-balanced top-down step as in Merrill et al. (PPoPP 2012). Beyond them: heads, compact.cuh; a queue whose one atomic
// gives place and edge offset together, so that the next level is shared edge by edge without a prefix sum; the direction of
// a level from forecast costs, CostModel.
//
//   bfs_directional_p32_grid   below 2^32 entries
//   bfs_directional_p64_grid   any number
//
// One cooperative launch a run, blocks of DIRECTIONAL_THREADS, dynamic shared memory: DirectionalShared and sharedWords. Arrays over
// vertices are in slots, sources and stopTargets in the ids that slotOf is indexed by; slotOf null: slots.
//   reads   the graph, slotOf[n], sources[sourceCount] without repeats, stopTargets[stopTargetCount], stopFlag[1] or null
//   writes  levels[slots]             hops from the nearest source, -1 if not reached or beyond the end of the run
//           visitedA visitedB [bitWords(active)], queue queueEdges [active + entries / LONG_LIST], listA listB [active]
//           control                   zeroed by the host before; level, stopped, bottomUpLevels are results
//   gives   levels equal for every grid, every cost model and every order of work
//   ends    as bfs_bvss.cu
//   limits  entries < 2^(64 - countBits), countBits = the bits of active
//
// A level is one of four steps, with one synchronisation of the grid after it:
//   push, queued    the queue's edges; who wins the bit of a vertex appends it with its edges
//   push, marking   the same when the next level is forecast to be pulled: bits are set and nothing is queued. No atomic returns
//   pull, dense     every unvisited slot asks its heads, then its list. The warp that owns a word of 32 slots writes it, from
//                   visitedA to visitedB: no atomics, and a vertex found in this level cannot be taken for a parent. What is
//                   left goes into a list
//   pull, listed    the same for the list; parents are known by their level, so the bits need no second array
// After a dense pull the frontier is the difference of the bit arrays: before a push it is swept into the queue.
// Until the first dense pull visitedB mirrors visitedA but for what a marking push has set, so that the pull can tell whose
// levels are still to be written.
// Invariants: each vertex is queued once a run at most, so queue[active] cannot overflow; levels of unvisited slots are
// written by the first dense pull, or at the end if there was none.
namespace proxima {

constexpr int DIRECTIONAL_THREADS = 512;  // with 1024 registers spill, and each step waits for them
constexpr int DIRECTIONAL_WARPS = DIRECTIONAL_THREADS / WARP_SIZE;
constexpr int LONG_LIST = 4096;      // a longer rest of a list is left to the whole grid
constexpr int WIDE_PUSH = 1 << 15;   // edges of a push from which the hubs' bits are shared
constexpr int LANES_A_LIST = 8;      // lanes that read one list together: 32 bytes
constexpr int GROUP_ENTRIES = 128;   // entries that they read before the whole warp goes on
constexpr int SLOTS_A_STEP = 128;    // slots that a warp asks at once in a dense pull

/** Nanoseconds that the whole grid takes, measured by device; only their ratios matter. */
struct CostModel {
    float pushEdge;    // an edge of a queued or marking push
    float headSlot;    // a slot of a dense pull
    float probe;       // a neighbour asked in a pull
    float listSlot;    // a slot of a listed pull
    float sweep;       // a sweep, with its synchronisation
    float edgeDegree;  // mean out-degree of the end of an edge: sum d^2 / sum d
};

template <class Pointer>
struct DirectionalArguments {
    CompactGraph<Pointer> graph;
    const int *slotOf;
    const int *sources;
    const int *stopTargets;
    const int *stopFlag;
    int *levels;
    unsigned *visitedA;
    unsigned *visitedB;
    int *queue;
    Pointer *queueEdges;
    int *listA;
    int *listB;
    RunControl *control;
    int slots;
    int sourceCount;
    int stopTargetCount;
    int maxDepth;
    int sharedWords;  // of the bit array that a dense pull keeps in shared memory
    CostModel costs;
};

// Indices within a turn of the counters. Each step counts in a turn of its own, of three: while a slow thread still
// reads what the step before counted, a fast one may count already, and the turn after is being zeroed. A queue or list
// counts entries in its low countBits, their edges above.
constexpr int QUEUE = 0;
constexpr int FOUND = 1;        // vertices found by marking and dense pulls
constexpr int FOUND_EDGES = 2;  // their out-edges, estimated in dense pulls
constexpr int LONG_QUEUE = 3;
constexpr int LIST = 4;
constexpr int TURN_COUNTERS = 5;
constexpr int TURNS = 3;

/** What a step counted: what the indices above name. */
struct StepCounts {
    unsigned long long queue;
    unsigned long long found;
    unsigned long long foundEdges;
    unsigned long long longQueue;
    unsigned long long list;
};

/** A list that a group of lanes or a warp has still to read. */
template <class Pointer>
struct Rest {
    Pointer at;
    int slot;
    int length;
};

/** What a block keeps in shared memory, in front of the bits of the dense pull. */
template <class Pointer>
struct DirectionalShared {
    Rest<Pointer> rests[DIRECTIONAL_WARPS][2 * WARP_SIZE];
    int out[DIRECTIONAL_WARPS][2 * WARP_SIZE];
    unsigned long long found;
    unsigned long long foundEdges;
};
static_assert(sizeof(DirectionalShared<uint32_t>) == 16400, "the host asks for so much, and the bits");
static_assert(sizeof(DirectionalShared<uint64_t>) == 20496, "the host asks for so much, and the bits");

__device__ __forceinline__ bool isSet(const unsigned *bits, int slot) { return (bits[slot / 32] >> (slot % 32) & 1) != 0; }
__device__ __forceinline__ unsigned bitOf(int slot) { return 1u << (slot % 32); }

/** A run of one thread block's view; every method named _grid is called by all threads of the grid. */
template <class Pointer>
class Directional {
    using Arguments = DirectionalArguments<Pointer>;
    static constexpr int U = 4;

    const Arguments &args;
    const CompactGraph<Pointer> &graph;
    const Place place;
    RunControl *const control;
    DirectionalShared<Pointer> &shared;
    unsigned *const sharedBits;
    const int countBits;
    const int warpOfBlock;
    unsigned *visited;
    unsigned *other;
    int *list;
    int *nextList;
    int level = 0;
    int turn = 0;
    int queueEnd = 0;
    Pointer edgesEnd = 0;
    int restCount = 0;
    int outCount = 0;
    unsigned long long outEdges = 0;

public:
    __device__ Directional(const Arguments &args, DirectionalShared<Pointer> &shared, unsigned *sharedBits)
        : args(args), graph(args.graph), place(Place::here()), control(args.control), shared(shared), sharedBits(sharedBits),
          countBits(32 - __clz(args.graph.active)), warpOfBlock(threadIdx.x / WARP_SIZE), visited(args.visitedA),
          other(args.visitedB), list(args.listA), nextList(args.listB) {}

    __device__ void run() {
        const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
        StopWatch watch(args.stopFlag, control);
        const int source = args.sourceCount == 1 ? slotOf(args.sources[0]) : -1;
        const int words = bitWords(graph.active);
        for (int i = place.thread; i < words; i += place.threads) {
            visited[i] = source >= 0 && source / 32 == i ? bitOf(source) : 0;
            other[i] = visited[i];
        }
        for (int64_t slot = graph.active + static_cast<int64_t>(place.thread); slot < args.slots; slot += place.threads) {
            args.levels[slot] = slot == source ? 0 : UNREACHED;
        }
        if (args.sourceCount != 1) {
            grid.sync();
        }
        enqueueSources();
        if (place.thread == 0) {
            watch.look(0);
        }
        grid.sync();

        int queueBegin = 0;
        Pointer edgesBegin = 0;
        takeQueued(counter(QUEUE));
        const float allEdges = static_cast<float>(graph.outPtrs[graph.active]);
        float unvisitedEdges = allEdges - static_cast<float>(edgesEnd);
        float unvisitedSlots = static_cast<float>(graph.active) - queueEnd;
        float frontierEdges = static_cast<float>(edgesEnd);
        Frontier frontier = Frontier::QUEUED;
        bool hasList = false;
        int listSize = 0;
        bool empty = queueEnd == 0;
        while (!empty && level != args.maxDepth && !watch.seen(level) && !targetVisited_grid()) {
            level++;
            if (place.thread == 0) {
                watch.look(level);
            }
            const Step step = choose(frontier, hasList, frontierEdges, unvisitedEdges, unvisitedSlots, listSize);
            if (step == Step::PUSH && frontier == Frontier::DIFFERENCE) {
                beginStep();
                sweep_grid();
                grid.sync();
                queueBegin = queueEnd;
                edgesBegin = edgesEnd;
                takeQueued(counter(QUEUE));
                frontierEdges = static_cast<float>(static_cast<Pointer>(edgesEnd - edgesBegin));
            }
            beginStep();
            StepCounts counts;
            if (step == Step::PUSH) {
                const bool marks = marksOnly(hasList, frontierEdges, allEdges, unvisitedEdges, unvisitedSlots);
                if (marks) {
                    push_grid<true>(queueBegin, edgesBegin, false);
                } else {
                    push_grid<false>(queueBegin, edgesBegin, !hasList);
                }
                grid.sync();
                counts = counted();
                frontier = marks ? Frontier::MARKED : Frontier::QUEUED;
            } else {
                if (place.thread == 0) {
                    control->bottomUpLevels++;
                }
                if (step == Step::DENSE) {
                    pullDense_grid(frontier == Frontier::MARKED);
                } else {
                    pullListed_grid(listSize);
                }
                grid.sync();
                counts = counted();
                if (counts.longQueue != 0) {
                    pullLong_grid(step == Step::DENSE);
                    grid.sync();
                    counts = counted();
                }
                if (step == Step::DENSE) {
                    unsigned *taken = visited;
                    visited = other;
                    other = taken;
                }
                int *taken = list;
                list = nextList;
                nextList = taken;
                hasList = true;
                listSize = static_cast<int>(counts.list & countMask());
                unvisitedSlots = listSize;
                unvisitedEdges = static_cast<float>(counts.list >> countBits);
                frontier = step == Step::DENSE ? Frontier::DIFFERENCE : Frontier::QUEUED;
            }
            if (frontier == Frontier::QUEUED) {
                queueBegin = queueEnd;
                edgesBegin = edgesEnd;
                takeQueued(counts.queue);
                frontierEdges = static_cast<float>(static_cast<Pointer>(edgesEnd - edgesBegin));
                if (step == Step::PUSH) {
                    unvisitedEdges = fmaxf(unvisitedEdges - frontierEdges, 0.f);
                    unvisitedSlots = fmaxf(unvisitedSlots - (queueEnd - queueBegin), 0.f);
                }
                empty = queueEnd == queueBegin;
            } else {
                frontierEdges = static_cast<float>(counts.foundEdges);
                empty = counts.found == 0 || (frontier == Frontier::DIFFERENCE && listSize == 0);
            }
        }
        if (!hasList) {
            setRest_grid(frontier == Frontier::MARKED);
        }
    }

private:
    enum class Frontier { QUEUED, MARKED, DIFFERENCE };
    enum class Step { PUSH = 0, DENSE = 1, LISTED = 2 };

    __device__ __forceinline__ unsigned long long countMask() const { return (1ull << countBits) - 1; }
    __device__ __forceinline__ unsigned long long &counter(int which) const {
        return counters(control)[turn * TURN_COUNTERS + which];
    }

    __device__ __forceinline__ void beginStep() {
        turn = turn == TURNS - 1 ? 0 : turn + 1;
        if (place.thread < TURN_COUNTERS) {
            counters(control)[(turn == TURNS - 1 ? 0 : turn + 1) * TURN_COUNTERS + place.thread] = 0;
        }
    }

    __device__ __forceinline__ StepCounts counted() const {
        const unsigned long long *at = counters(control) + turn * TURN_COUNTERS;
        return {__ldcg(at + QUEUE), __ldcg(at + FOUND), __ldcg(at + FOUND_EDGES), __ldcg(at + LONG_QUEUE),
                __ldcg(at + LIST)};
    }

    /** Moves the end of the queue behind what a step has appended. */
    __device__ __forceinline__ void takeQueued(unsigned long long packed) {
        queueEnd += static_cast<int>(packed & countMask());
        edgesEnd += static_cast<Pointer>(packed >> countBits);
    }

    __device__ __forceinline__ int slotOf(int id) const { return args.slotOf == nullptr ? id : args.slotOf[id]; }

    /** The step of this level: that of the least forecast cost. Equal in all threads. */
    __device__ Step choose(
            Frontier frontier, bool hasList, float frontierEdges, float unvisitedEdges, float unvisitedSlots,
            int listSize) const {
        if (frontier == Frontier::MARKED) {
            return Step::DENSE;
        }
        const float push = frontierEdges * args.costs.pushEdge + (frontier == Frontier::DIFFERENCE ? args.costs.sweep : 0);
        const float dense = denseCost(frontierEdges, unvisitedEdges, unvisitedSlots);
        if (!hasList) {
            return dense < push ? Step::DENSE : Step::PUSH;
        }
        const float listed = listSize * args.costs.listSlot + probeCost(frontierEdges, unvisitedEdges, unvisitedSlots);
        return push < listed && push < dense ? Step::PUSH : dense < listed ? Step::DENSE : Step::LISTED;
    }

    /** Neighbours asked until a parent is found: as often as the frontier's share of the edges that are left tells. */
    __device__ float probeCost(float frontierEdges, float unvisitedEdges, float unvisitedSlots) const {
        const float share = __fdividef(frontierEdges, frontierEdges + unvisitedEdges + 1);
        return fminf(unvisitedEdges, __fdividef(unvisitedSlots, fmaxf(share, 1e-9f))) * args.costs.probe;
    }

    __device__ float denseCost(float frontierEdges, float unvisitedEdges, float unvisitedSlots) const {
        return graph.active * args.costs.headSlot
                + probeCost(frontierEdges, unvisitedEdges, unvisitedSlots);
    }

    /** Whether the level after a push is forecast to be pulled, so that the push need not queue what it finds. */
    __device__ bool marksOnly(
            bool hasList, float frontierEdges, float allEdges, float unvisitedEdges, float unvisitedSlots) const {
        if (hasList) {
            return false;
        }
        const float hit = 1 - __expf(-__fdividef(frontierEdges * args.costs.edgeDegree, allEdges));
        const float nextEdges = unvisitedEdges * hit;
        const float nextSlots = unvisitedSlots * (1 - __expf(
                -__fdividef(frontierEdges, allEdges) * __fdividef(unvisitedEdges, unvisitedSlots + 1)));
        return denseCost(nextEdges, unvisitedEdges - nextEdges, unvisitedSlots - nextSlots)
                < nextEdges * args.costs.pushEdge;
    }

    /** Appends up to N slots a lane with their edges, where has is set. All lanes of the warp call it. */
    template <int N>
    __device__ __forceinline__ void enqueue_warp(const int (&slot)[N], const Pointer (&edges)[N], const bool (&has)[N]) {
        unsigned long long mine = 0;
#pragma unroll
        for (int i = 0; i < N; i++) {
            mine += has[i] ? static_cast<unsigned long long>(edges[i]) << countBits | 1 : 0;
        }
        if (!__any_sync(ALL_LANES, mine != 0)) {
            return;
        }
        unsigned long long upToMine = mine;
#pragma unroll
        for (int step = 1; step < WARP_SIZE; step *= 2) {
            const unsigned long long below = __shfl_up_sync(ALL_LANES, upToMine, step);
            upToMine += place.lane >= step ? below : 0;
        }
        unsigned long long base = 0;
        if (place.lane == WARP_SIZE - 1) {
            base = atomicAdd(&counter(QUEUE), upToMine);
        }
        unsigned long long at = __shfl_sync(ALL_LANES, base, WARP_SIZE - 1) + upToMine - mine;
#pragma unroll
        for (int i = 0; i < N; i++) {
            if (has[i]) {
                const int index = queueEnd + static_cast<int>(at & countMask());
                args.queue[index] = slot[i];
                args.queueEdges[index] = edgesEnd + static_cast<Pointer>(at >> countBits);
                at += static_cast<unsigned long long>(edges[i]) << countBits | 1;
            }
        }
        if (place.lane == 0) {
            control->level = level;
        }
    }

    __device__ void enqueueSources() {
        for (int64_t first = place.warp * static_cast<int64_t>(WARP_SIZE); first < args.sourceCount;
             first += place.threads) {
            const int64_t i = first + place.lane;
            int slot[1] = {i < args.sourceCount ? slotOf(args.sources[i]) : graph.active};
            if (i < args.sourceCount && args.sourceCount != 1) {
                args.levels[slot[0]] = 0;
            }
            bool has[1] = {slot[0] < graph.active};
            Pointer edges[1] = {0};
            if (has[0]) {
                args.levels[slot[0]] = 0;
                if (args.sourceCount != 1) {
                    atomicOr(visited + slot[0] / 32, bitOf(slot[0]));
                    atomicOr(other + slot[0] / 32, bitOf(slot[0]));
                }
                edges[0] = graph.outPtrs[slot[0] + 1] - graph.outPtrs[slot[0]];
            }
            enqueue_warp(slot, edges, has);
        }
    }

    /** Brings the first bits into shared memory: those of the hubs. */
    __device__ __forceinline__ void shareBits_block() {
        for (int i = threadIdx.x; i < args.sharedWords / 4; i += DIRECTIONAL_THREADS) {
            reinterpret_cast<uint4 *>(sharedBits)[i] = __ldcg(reinterpret_cast<const uint4 *>(visited) + i);
        }
        __syncthreads();
    }

    /**
     * In a wide push a block collects the bits of the hubs in shared memory and brings them to the device's in the end: all
     * edges to them would meet in the same few lines, and those in one slice of the L2 cache.
     */
    template <bool MARKS>
    __device__ void push_grid(int from, Pointer firstEdge, bool mirrors) {
        bool any = false;
        const int sharedWords = edgesEnd - firstEdge < WIDE_PUSH ? 0 : args.sharedWords;
        if (sharedWords != 0) {
            shareBits_block();
        }
        forEdges_grid<U>(
                graph.outPtrs, graph.outIdx, args.queue, args.queueEdges, from, queueEnd, firstEdge, edgesEnd, place,
                [&](const int(&)[U], const int(&neighbour)[U]) {
                    unsigned seen[U];
#pragma unroll
                    for (int u = 0; u < U; u++) {
                        seen[u] = neighbour[u] < 0 ? ~0u
                                : neighbour[u] / 32 < sharedWords
                                ? *const_cast<volatile unsigned *>(sharedBits + neighbour[u] / 32)
                                : __ldcg(visited + neighbour[u] / 32);
                    }
                    bool fresh[U];
                    Pointer degree[U];
#pragma unroll
                    for (int u = 0; u < U; u++) {
                        const int slot = neighbour[u];
                        fresh[u] = slot >= 0 && (seen[u] & bitOf(slot)) == 0;
                        degree[u] = 0;
                        if (fresh[u] && slot / 32 < sharedWords) {
                            atomicOr(sharedBits + slot / 32, bitOf(slot));
                            fresh[u] = false;
                        }
                        if (fresh[u] && MARKS) {
                            atomicOr(visited + slot / 32, bitOf(slot));
                            any = true;
                        } else if (fresh[u]) {
                            degree[u] = graph.outPtrs[slot + 1] - graph.outPtrs[slot];
                            fresh[u] = (atomicOr(visited + slot / 32, bitOf(slot)) & bitOf(slot)) == 0;
                            if (fresh[u]) {
                                args.levels[slot] = level;
                                if (mirrors) {
                                    atomicOr(other + slot / 32, bitOf(slot));
                                }
                            }
                        }
                    }
                    if (!MARKS) {
                        enqueue_warp(neighbour, degree, fresh);
                    }
                });
        if (sharedWords != 0) {
            __syncthreads();
            for (int first = warpOfBlock * WARP_SIZE; first < sharedWords; first += DIRECTIONAL_THREADS) {
                const int word = first + place.lane;
                const unsigned mine = word < sharedWords ? sharedBits[word] & ~__ldcg(visited + word) : 0;
                unsigned won = mine == 0 ? 0 : mine & ~atomicOr(visited + word, mine);
                any = any || won != 0;
                if (!MARKS) {
                    if (mirrors && won != 0) {
                        atomicOr(other + word, won);
                    }
                    enqueueBits_warp(word, won, true);
                }
            }
        }
        if (MARKS && __any_sync(ALL_LANES, any) && place.lane == 0) {
            counter(FOUND) = 1;
            control->level = level;
        }
    }

    /** Appends the slots of a word of bits a lane. */
    __device__ __forceinline__ void enqueueBits_warp(int word, unsigned bits, bool withLevels) {
        while (__any_sync(ALL_LANES, bits != 0)) {
            int slot[1] = {word * 32 + __ffs(bits) - 1};
            const bool has[1] = {bits != 0};
            Pointer edges[1] = {0};
            if (has[0]) {
                bits &= bits - 1;
                edges[0] = graph.outPtrs[slot[0] + 1] - graph.outPtrs[slot[0]];
                if (withLevels) {
                    args.levels[slot[0]] = level;
                }
            }
            enqueue_warp(slot, edges, has);
        }
    }

    /** Puts the slots that are in one bit array and not in the other into the queue. */
    __device__ void sweep_grid() {
        const int words = bitWords(graph.active);
        const int previous = level;
        level--;  // what is queued was found in the level before
        for (int first = place.warp * WARP_SIZE; first < words; first += place.threads) {
            const int word = first + place.lane;
            enqueueBits_warp(word, word < words ? visited[word] & ~other[word] : 0, false);
        }
        level = previous;
    }

    /** Whether a neighbour can be a parent in this pull: visited before this level. */
    template <bool DENSE>
    __device__ __forceinline__ bool isParent(int neighbour) const {
        if (!DENSE) {
            return static_cast<unsigned>(args.levels[neighbour]) < static_cast<unsigned>(level);
        }
        const int word = neighbour / 32;
        const unsigned bits = word < args.sharedWords ? sharedBits[word] : visited[word];
        return (bits >> (neighbour % 32) & 1) != 0;
    }

    /** Writes the warp's unresolved slots to the next list. */
    __device__ __forceinline__ void flushOut_warp() {
        __syncwarp();
        unsigned long long base = 0;
        const unsigned edges = __reduce_add_sync(ALL_LANES, static_cast<unsigned>(outEdges));
        outEdges = 0;
        if (place.lane == 0) {
            base = atomicAdd(
                    &counter(LIST),
                    static_cast<unsigned long long>(edges) << countBits | static_cast<unsigned>(outCount));
        }
        const int at = static_cast<int>(__shfl_sync(ALL_LANES, base, 0) & countMask());
        for (int i = place.lane; i < outCount; i += WARP_SIZE) {
            nextList[at + i] = shared.out[warpOfBlock][i];
        }
        outCount = 0;
        __syncwarp();
    }

    /** Keeps slots without a parent so far for the next list; edges: what a further pull would read of them. */
    __device__ __forceinline__ void keep_warp(bool has, int slot, int edges) {
        const unsigned which = __ballot_sync(ALL_LANES, has);
        if (has) {
            shared.out[warpOfBlock][outCount + __popc(which & ((1u << place.lane) - 1))] = slot;
            outEdges += edges;
        }
        outCount += __popc(which);
        if (outCount >= WARP_SIZE) {
            flushOut_warp();
        }
    }

    /** Keeps lists to be read on; reads them when enough have come together. */
    template <bool DENSE>
    __device__ __forceinline__ void readOn_warp(bool has, int slot, int done, unsigned &found, float &foundEdges) {
        const unsigned which = __ballot_sync(ALL_LANES, has);
        if (has) {
            const Pointer at = graph.inPtrs[slot] + done;
            const Pointer left = graph.inPtrs[slot + 1] - at;
            shared.rests[warpOfBlock][restCount + __popc(which & ((1u << place.lane) - 1))] = {
                at, slot, left > 0x7fffffffu ? 0x7fffffff : static_cast<int>(left)};
        }
        restCount += __popc(which);
        if (restCount >= WARP_SIZE) {
            readRests_warp<DENSE>(found, foundEdges);
        }
    }

    /** A found slot of a list, at most one a lane. */
    template <bool DENSE>
    __device__ __forceinline__ void settle_warp(bool has, int slot, int edges, unsigned &found, float &foundEdges) {
        if (DENSE) {
            if (has) {
                args.levels[slot] = level;
                atomicOr(other + slot / 32, bitOf(slot));
                found++;
                foundEdges += edges;
            }
            return;
        }
        Pointer degree[1] = {0};
        if (has) {
            args.levels[slot] = level;
            atomicOr(visited + slot / 32, bitOf(slot));
            degree[0] = graph.outPtrs[slot + 1] - graph.outPtrs[slot];
        }
        const int slots[1] = {slot};
        const bool hass[1] = {has};
        enqueue_warp(slots, degree, hass);
    }

    /** Reads all lists kept: LANES_A_LIST lanes each, then the whole warp, and the longest are left to the grid. */
    template <bool DENSE>
    __device__ __forceinline__ void readRests_warp(unsigned &found, float &foundEdges) {
        constexpr int GROUPS = WARP_SIZE / LANES_A_LIST;
        constexpr int K = 2;  // lists of a group at once
        __syncwarp();
        const int sub = place.lane % LANES_A_LIST;
        const unsigned groupLanes = ((1u << LANES_A_LIST) - 1) << (place.lane - sub);
        for (int first = 0; first < restCount; first += K * GROUPS) {
            Rest<Pointer> rest[K] = {};
            int most[K];
            bool is[K];
            bool hit[K];
            bool open = false;
#pragma unroll
            for (int k = 0; k < K; k++) {
                const int which = first + k * GROUPS + place.lane / LANES_A_LIST;
                is[k] = which < restCount;
                if (is[k]) {
                    rest[k] = shared.rests[warpOfBlock][which];
                }
                most[k] = min(rest[k].length, GROUP_ENTRIES);
                hit[k] = false;
                open = open || most[k] > 0;
            }
            for (int done = 0; __any_sync(ALL_LANES, open); done += 2 * LANES_A_LIST) {
                const int i = done + sub;
                int a[K];
                int b[K];
#pragma unroll
                for (int k = 0; k < K; k++) {
                    a[k] = !hit[k] && i < most[k] ? __ldg(graph.inIdx + rest[k].at + i) : -1;
                    b[k] = !hit[k] && i + LANES_A_LIST < most[k] ? __ldg(graph.inIdx + rest[k].at + i + LANES_A_LIST) : -1;
                }
                open = false;
#pragma unroll
                for (int k = 0; k < K; k++) {
                    const bool parent = (a[k] >= 0 && isParent<DENSE>(a[k])) || (b[k] >= 0 && isParent<DENSE>(b[k]));
                    const unsigned parents = __ballot_sync(ALL_LANES, parent);
                    hit[k] = hit[k] || (parents & groupLanes) != 0;
                    open = open || (!hit[k] && done + 2 * LANES_A_LIST < most[k]);
                }
            }
#pragma unroll
            for (int k = 0; k < K; k++) {
                const bool leads = is[k] && sub == 0;
                const bool goesOn = leads && !hit[k] && most[k] < rest[k].length;
                bool kept = leads && !hit[k] && !goesOn;
                if (__any_sync(ALL_LANES, goesOn)) {
                    readLong_warp<DENSE>(goesOn, rest[k], hit[k], kept);
                }
                settle_warp<DENSE>(leads && hit[k], rest[k].slot, rest[k].length, found, foundEdges);
                keep_warp(kept, rest[k].slot, rest[k].length);
            }
        }
        restCount = 0;
        __syncwarp();
    }

    /** Lists that their lanes have not come to the end of: by the whole warp, one by one; the longest are left to the grid. */
    template <bool DENSE>
    __device__ __forceinline__ void readLong_warp(bool goesOn, const Rest<Pointer> &rest, bool &hit, bool &kept) {
        unsigned onward = __ballot_sync(ALL_LANES, goesOn);
        while (onward != 0) {
            const int owner = __ffs(onward) - 1;
            onward &= onward - 1;
            const int length = __shfl_sync(ALL_LANES, rest.length, owner);
            const Pointer at = __shfl_sync(ALL_LANES, rest.at, owner);
            if (length > LONG_LIST) {
                if (place.lane == owner) {
                    const unsigned long long edges = graph.inPtrs[rest.slot + 1] - graph.inPtrs[rest.slot];
                    const unsigned long long packed = atomicAdd(&counter(LONG_QUEUE), edges << countBits | 1);
                    args.queue[graph.active + (packed & countMask())] = rest.slot;
                    args.queueEdges[graph.active + (packed & countMask())] = static_cast<Pointer>(packed >> countBits);
                    kept = true;
                }
                continue;
            }
            bool reached = false;
            for (int i = GROUP_ENTRIES; i < length && !reached; i += WARP_SIZE) {
                const bool in = i + place.lane < length;
                const int neighbour = in ? __ldg(graph.inIdx + at + i + place.lane) : -1;
                reached = __any_sync(ALL_LANES, in && isParent<DENSE>(neighbour));
            }
            if (place.lane == owner) {
                hit = reached;
                kept = !reached;
            }
        }
    }

    __device__ void pullDense_grid(bool marked) {
        if (threadIdx.x == 0) {
            shared.found = 0;
            shared.foundEdges = 0;
        }
        shareBits_block();
        constexpr int G = SLOTS_A_STEP / WARP_SIZE;
        const int steps = static_cast<int>(headColumn(graph.active) / SLOTS_A_STEP);
        const int64_t column = headColumn(graph.active);
        unsigned found = 0;
        float foundEdges = 0;
        for (int at = place.warp; at < steps; at += place.warps) {
            const uint4 quad = reinterpret_cast<const uint4 *>(visited)[at];
            const unsigned before[G] = {quad.x, quad.y, quad.z, quad.w};
            // what the push before has marked has no level yet
            const uint4 older = marked ? reinterpret_cast<const uint4 *>(other)[at] : quad;
            const unsigned fresh[G] = {quad.x & ~older.x, quad.y & ~older.y, quad.z & ~older.z, quad.w & ~older.w};
            unsigned after[G];
            const int64_t slot0 = static_cast<int64_t>(at) * SLOTS_A_STEP + place.lane;
            bool asks[G];
            bool hit[G];
            bool ends[G];
            bool any = false;
#pragma unroll
            for (int g = 0; g < G; g++) {
                asks[g] = slot0 + g * WARP_SIZE < graph.active && (before[g] >> place.lane & 1) == 0;
                hit[g] = false;
                ends[g] = false;
                any = any || asks[g];
                if ((fresh[g] >> place.lane & 1) != 0) {
                    args.levels[slot0 + g * WARP_SIZE] = level - 1;
                }
            }
            __syncwarp();
            if (!__any_sync(ALL_LANES, any)) {
                if (place.lane == 0) {
                    reinterpret_cast<uint4 *>(other)[at] = quad;
                }
                continue;
            }
            bool open[G];
#pragma unroll
            for (int g = 0; g < G; g++) {
                open[g] = asks[g];
            }
            // the first column finds most parents; what it leaves asks the others all at once
            int head[HEADS][G];
#pragma unroll
            for (int g = 0; g < G; g++) {
                head[0][g] = open[g] ? __ldg(graph.heads + slot0 + g * WARP_SIZE) : NO_HEAD;
            }
#pragma unroll
            for (int g = 0; g < G; g++) {
                if (open[g]) {
                    ends[g] = head[0][g] == NO_HEAD;
                    hit[g] = !ends[g] && isParent<true>(head[0][g]);
                    open[g] = !ends[g] && !hit[g];
                }
            }
#pragma unroll
            for (int h = 1; h < HEADS; h++) {
#pragma unroll
                for (int g = 0; g < G; g++) {
                    head[h][g] = open[g] ? __ldg(graph.heads + h * column + slot0 + g * WARP_SIZE) : NO_HEAD;
                }
            }
            int length[G] = {};
#pragma unroll
            for (int h = 1; h < HEADS; h++) {
#pragma unroll
                for (int g = 0; g < G; g++) {
                    const bool is = head[h][g] != NO_HEAD;
                    length[g] += is ? 1 : 0;
                    hit[g] = (is && isParent<true>(head[h][g])) || hit[g];
                }
            }
#pragma unroll
            for (int g = 0; g < G; g++) {
                ends[g] = ends[g] || (open[g] && !hit[g] && length[g] < HEADS - 1);
                open[g] = open[g] && !hit[g] && !ends[g];
            }
            unsigned hits = 0;
#pragma unroll
            for (int g = 0; g < G; g++) {
                const unsigned marks = __ballot_sync(ALL_LANES, hit[g]);
                after[g] = before[g] | marks;
                hits += __popc(marks);
                if (asks[g]) {
                    args.levels[slot0 + g * WARP_SIZE] = hit[g] ? level : UNREACHED;
                }
            }
            if (place.lane == 0) {
                reinterpret_cast<uint4 *>(other)[at] = make_uint4(after[0], after[1], after[2], after[3]);
                if (hits != 0) {
                    // slots beside each other have nearly the same degree
                    const int first = at * SLOTS_A_STEP;
                    const int last = min(first + SLOTS_A_STEP, graph.active);
                    found += hits;
                    foundEdges += static_cast<float>(static_cast<Pointer>(graph.outPtrs[last] - graph.outPtrs[first]))
                            / (last - first) * hits;
                }
            }
            __syncwarp();
#pragma unroll
            for (int g = 0; g < G; g++) {
                const int slot = static_cast<int>(slot0 + g * WARP_SIZE);
                keep_warp(ends[g], slot, HEADS);
                readOn_warp<true>(open[g], slot, HEADS, found, foundEdges);
            }
        }
        readRests_warp<true>(found, foundEdges);
        if (outCount != 0) {
            flushOut_warp();
        }
        const unsigned foundByWarp = __reduce_add_sync(ALL_LANES, found);
#pragma unroll
        for (int step = WARP_SIZE / 2; step > 0; step /= 2) {
            foundEdges += __shfl_xor_sync(ALL_LANES, foundEdges, step);
        }
        if (place.lane == 0 && foundByWarp != 0) {
            atomicAdd(&shared.found, static_cast<unsigned long long>(foundByWarp));
            atomicAdd(&shared.foundEdges, static_cast<unsigned long long>(foundEdges));
        }
        __syncthreads();
        if (threadIdx.x == 0 && shared.found != 0) {
            atomicAdd(&counter(FOUND), shared.found);
            atomicAdd(&counter(FOUND_EDGES), shared.foundEdges);
            control->level = level;
        }
    }

    __device__ void pullListed_grid(int size) {
        const int64_t column = headColumn(graph.active);
        unsigned unused = 0;
        float unusedEdges = 0;
        for (int first = place.warp * WARP_SIZE; first < size; first += place.threads) {
            const int i = first + place.lane;
            const int slot = i < size ? list[i] : -1;
            const bool asks = slot >= 0 && args.levels[slot] == UNREACHED;
            int head[HEADS];
#pragma unroll
            for (int h = 0; h < HEADS; h++) {
                head[h] = slot >= 0 ? __ldg(graph.heads + h * column + slot) : NO_HEAD;
            }
            bool hit = false;
            int length = 0;
#pragma unroll
            for (int h = 0; h < HEADS; h++) {
                const bool is = asks && head[h] != NO_HEAD;
                hit = (is && isParent<false>(head[h])) || hit;
                length += is ? 1 : 0;
            }
            settle_warp<false>(hit, slot, 0, unused, unusedEdges);
            keep_warp(asks && !hit && length < HEADS, slot, length);
            readOn_warp<false>(asks && !hit && length == HEADS, slot, HEADS, unused, unusedEdges);
        }
        readRests_warp<false>(unused, unusedEdges);
        if (outCount != 0) {
            flushOut_warp();
        }
    }

    /** The lists that were too long for a warp: edge by edge, as in a push. */
    __device__ void pullLong_grid(bool dense) {
        const unsigned long long packed = counter(LONG_QUEUE);
        unsigned *bits = dense ? other : visited;
        forEdges_grid<U>(
                graph.inPtrs, graph.inIdx, args.queue + graph.active, args.queueEdges + graph.active, 0,
                static_cast<int>(packed & countMask()), Pointer(0), static_cast<Pointer>(packed >> countBits), place,
                [&](const int(&owner)[U], const int(&neighbour)[U]) {
                    bool won[U];
                    Pointer degree[U];
#pragma unroll
                    for (int u = 0; u < U; u++) {
                        won[u] = neighbour[u] >= 0 && !isSet(bits, owner[u])
                                && (dense ? isSet(visited, neighbour[u]) : isParent<false>(neighbour[u]));
                        degree[u] = 0;
                        if (won[u]) {
                            won[u] = (atomicOr(bits + owner[u] / 32, bitOf(owner[u])) & bitOf(owner[u])) == 0;
                        }
                        if (won[u]) {
                            args.levels[owner[u]] = level;
                            degree[u] = graph.outPtrs[owner[u] + 1] - graph.outPtrs[owner[u]];
                            if (dense) {
                                atomicAdd(&counter(FOUND), 1ull);
                                atomicAdd(&counter(FOUND_EDGES), static_cast<unsigned long long>(degree[u]));
                                control->level = level;
                            }
                        }
                    }
                    if (!dense) {
                        enqueue_warp(owner, degree, won);
                    }
                });
    }

    /** Writes the levels that no dense pull came to write. */
    __device__ void setRest_grid(bool marked) {
        for (int64_t i = place.thread; i < graph.active; i += place.threads) {
            const int slot = static_cast<int>(i);
            if (!isSet(visited, slot)) {
                args.levels[slot] = UNREACHED;
            } else if (marked && !isSet(other, slot)) {
                args.levels[slot] = level;
            }
        }
    }

    /** As targetReached_grid, by the bits: levels of unvisited slots may not be written yet. */
    __device__ bool targetVisited_grid() {
        if (args.stopTargetCount == 0) {
            return false;
        }
        for (int64_t i = place.thread; i < args.stopTargetCount; i += place.threads) {
            const int slot = slotOf(args.stopTargets[i]);
            if (slot < graph.active ? isSet(visited, slot) : args.levels[slot] == 0) {
                control->targetReached = 1;
            }
        }
        cooperative_groups::this_grid().sync();
        return control->targetReached != 0;
    }
};

template <class Pointer>
__device__ __forceinline__ void bfsDirectional(const DirectionalArguments<Pointer> &args) {
    extern __shared__ __align__(16) unsigned char sharedMemory[];
    auto &shared = *reinterpret_cast<DirectionalShared<Pointer> *>(sharedMemory);
    Directional<Pointer>(args, shared, reinterpret_cast<unsigned *>(sharedMemory + sizeof(shared))).run();
}

}  // namespace proxima

// clang-format off
#define BFS_DIRECTIONAL_ENTRY(NAME, POINTER)                                                                             \
    extern "C" __global__ void __launch_bounds__(proxima::DIRECTIONAL_THREADS, 1) NAME(                                  \
            const POINTER *outPtrs, const int *outIdx, const POINTER *inPtrs, const int *inIdx, const int *heads,        \
            const int *slotOf, const int *sources, const int *stopTargets, const int *stopFlag, int *levels,             \
            unsigned *visitedA, unsigned *visitedB, int *queue, POINTER *queueEdges, int *listA, int *listB,             \
            proxima::RunControl *control, int active, int slots, int sourceCount, int stopTargetCount,                   \
            int maxDepth, int sharedWords, float pushEdge, float headSlot, float probe, float listSlot, float sweep,     \
            float edgeDegree) {                                                                                          \
        proxima::bfsDirectional<POINTER>({{outPtrs, outIdx, inPtrs, inIdx, heads, active}, slotOf, sources, stopTargets, \
                stopFlag, levels, visitedA, visitedB, queue, queueEdges, listA, listB, control, slots, sourceCount,      \
                stopTargetCount, maxDepth, sharedWords, {pushEdge, headSlot, probe, listSlot, sweep, edgeDegree}});      \
    }
// clang-format on

BFS_DIRECTIONAL_ENTRY(bfs_directional_p32_grid, uint32_t)
BFS_DIRECTIONAL_ENTRY(bfs_directional_p64_grid, uint64_t)

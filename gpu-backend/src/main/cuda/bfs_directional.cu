// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include "edges.cuh"

// Direction-optimizing breadth-first search over the compact graph, from one source or several together: Beamer, Asanovic and
// Patterson (SC 2012). The bottom-up step uses a list of the unvisited slots (Enterprise, SC 2015), and the top-down step
// balances edges as Merrill et al. (PPoPP 2012) do. New here: the heads of compact.cuh; a queue whose single atomic determines
// place and edge offset together, so that the next level can be shared edge by edge without a prefix sum; and the choice of
// direction by forecast costs (CostModel).
//
//   bfs_directional_p32_grid   up to MOST_NARROW entries
//   bfs_directional_p64_grid   any number of entries
//
// One cooperative launch a run, blocks of DIRECTIONAL_THREADS, dynamic shared memory for DirectionalShared and sharedWords.
// Arrays over vertices are in slots. sources and stopTargets are in the ids by which slotOf is indexed; in slots if it is null.
//   reads   the graph, inIdx at a multiple of 32 bytes, slotOf[n], sources[sourceCount] without repeats,
//           stopTargets[stopTargetCount], stopFlag[1] or null
//   writes  levels[n]                 hops from the nearest source, -1 if not reached or beyond the end of the run
//           visitedA visitedB [bitWords(active)], queue queueEdges [active + entries / LONG_LIST], listA listB [active]
//           control                   persistent.cuh; level, stopped, paused, bottomUpLevels are results
//   gives   levels equal for every grid, every cost model and every order of work
//   limits  entries < 2^(64 - countBits), where countBits is the number of bits of active
//
// A level is one of five steps. The grid synchronises once after each, but for narrow pushes.
//   push, narrow    A queued push of few edges. The first block does consecutive levels of this kind alone, while the other
//                   blocks wait: a synchronisation of the grid takes longer than such a level. So the long tails of a graph
//                   with hubs take few microseconds a level.
//   push, queued    Visits the queue's edges. The thread that sets the bit of a vertex appends the vertex and its edge count.
//   push, marking   Used when the next level is forecast to be pulled. Sets bits by atomics without return and queues nothing.
//                   It may thus count edges to visited vertices only, and report a level without new vertices.
//   pull, dense     Every unvisited slot tests its first head (all heads if the graph has no hubs), then its list. The warp
//                   that owns a word of 32 slots reads it from visitedA and writes it to visitedB, so a vertex found in this
//                   level cannot be taken for a parent. Slots that remain unvisited go into a list.
//   pull, listed    Reads the in-lists of the slots in that list. Before, the vertices that the last pull found are copied
//                   into both bit arrays, which then change roles. Over many slots this pull sets bits only; over few slots
//                   it queues the vertices that it finds.
// After a pull that queues nothing, the frontier is the difference of the two bit arrays; before a push it is swept into the
// queue. A queued push sets bits in both arrays. A marking push sets them in one, so that the next pull recognises by the
// difference the slots whose levels are not written yet.
//
// Invariants. Each vertex is queued at most once a run, so queue[active] cannot overflow. The levels of unvisited slots are
// written by the first dense pull, or at the end if there is none.
namespace proxima {

constexpr int DIRECTIONAL_THREADS = 512;  // with 1024 threads registers spill, and every step waits for them
constexpr int DIRECTIONAL_WARPS = DIRECTIONAL_THREADS / WARP_SIZE;
constexpr int LONG_LIST = 4096;      // entries; the whole grid reads what remains of a longer list
constexpr int NARROW_PUSH = 1024;    // edges; up to this many, one block does a level alone
constexpr int WIDE_PUSH = 1 << 15;   // edges; from this many on, a push caches hub bits in shared memory
constexpr int SECTOR_ENTRIES = 8;    // entries in 32 bytes of a list, which a lane tests at once
constexpr float BLIND_SHARE = 3.f;   // up to this many edges per slot, a marking push sets bits without testing them
constexpr int LANE_ENTRIES = 128;    // entries; the whole warp reads what remains of a longer list
constexpr int WIDE_LIST = 1 << 16;   // slots; from this many on, a listed pull only sets bits
constexpr int SLOTS_A_STEP = 128;    // slots that a warp tests at once in a dense pull
constexpr float QUEUED_EDGES = 8.f;  // cost of queueing a found vertex, in scanned edges

/** Costs in nanoseconds of the whole grid, measured for each device; only their ratios matter. */
struct CostModel {
    float pushEdge;    // per edge of a push
    float headSlot;    // per slot of a dense pull
    float probe;       // per neighbour tested in a pull
    float listSlot;    // per slot of a listed pull
    float sweep;       // per sweep, with its synchronisation
    float edgeDegree;  // mean out-degree of an edge's target: sum d^2 / sum d
};

template <class Pointer>
struct DirectionalArguments : SearchHead {
    CompactGraph<Pointer> graph;
    const int *slotOf;
    unsigned *visitedA;
    unsigned *visitedB;
    int *queue;
    Pointer *queueEdges;
    int *listA;
    int *listB;
    int sharedWords;  // words of the bit array that a dense pull keeps in shared memory
    CostModel costs;
};

/**
 * The counts of a step. Those of a queue or list hold the number of entries in the low countBits bits, and the number of their
 * edges above.
 */
struct StepCounts {
    unsigned long long queue;
    unsigned long long found;       // vertices found by marking and dense pulls
    unsigned long long foundEdges;  // out-edges of those, estimated in dense pulls
    unsigned long long longQueue;
    unsigned long long list;
};

/** A list that a warp has not read to its end. */
template <class Pointer>
struct Rest {
    Pointer at;
    int slot;
    int length;
};

/** Shared memory of a block, in front of the bits that a dense pull caches. */
template <class Pointer>
struct DirectionalShared {
    Rest<Pointer> rests[DIRECTIONAL_WARPS][SLOTS_A_STEP + WARP_SIZE];
    int out[DIRECTIONAL_WARPS][SLOTS_A_STEP + WARP_SIZE];
    unsigned long long found;
    unsigned long long foundEdges;
    unsigned long long queued[2];  // counter of a narrow push; two rotate
};

HOST_CONSTANT(DIRECTIONAL_LONG_LIST, LONG_LIST)
HOST_CONSTANT(DIRECTIONAL_SHARED_BYTES, sizeof(DirectionalShared<uint32_t>))
HOST_CONSTANT(DIRECTIONAL_WIDE_SHARED_BYTES, sizeof(DirectionalShared<uint64_t>))

/** A run as seen by one thread. */
template <class Pointer>
class Directional {
    using Arguments = DirectionalArguments<Pointer>;
    static constexpr int EDGES_AT_ONCE = 4;                      // edges that a lane has in flight
    static constexpr int LANE_SLOTS = SLOTS_A_STEP / WARP_SIZE;  // slots that a lane tests at once in a dense pull

    const Arguments &args;
    const CompactGraph<Pointer> &graph;
    const Place place;
    RunControl *const control;
    PhasedCounters<StepCounts> counters;
    DirectionalShared<Pointer> &shared;
    unsigned *const sharedBits;
    const int countBits;
    const int warpOfBlock;
    const Pointer entries;
    unsigned *visited;
    unsigned *other;
    int *list;
    int *nextList;
    int level = 0;
    int queueEnd = 0;
    Pointer edgesEnd = 0;
    int sharedLimit = 0;  // words of the bit array that this pull finds in shared memory
    int restCount = 0;
    int outCount = 0;
    unsigned long long outEdges = 0;

public:
    __device__ Directional(const Arguments &args, DirectionalShared<Pointer> &shared, unsigned *sharedBits)
        : args(args), graph(args.graph), place(Place::here()), control(args.control), counters(args.control), shared(shared),
          sharedBits(sharedBits), countBits(32 - __clz(args.graph.active)), warpOfBlock(threadIdx.x / WARP_SIZE),
          entries(args.graph.inPtrs[args.graph.active]), visited(args.visitedA), other(args.visitedB), list(args.listA),
          nextList(args.listB) {}

    __device__ void run() {
        const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
        StopWatch watch(args.stopFlag, control);
        const bool resumes = control->resumes != 0;
        const int source = args.sourceCount == 1 ? slotOf(args.onlySource) : -1;
        if (!resumes) {
            begin_grid(grid, watch, source);
        }
        const float allEdges = static_cast<float>(graph.outPtrs[graph.active]);
        Progress at;
        at.unvisitedEdges = allEdges - static_cast<float>(edgesEnd);
        at.unvisitedSlots = static_cast<float>(graph.active) - queueEnd;
        at.frontierEdges = static_cast<float>(edgesEnd);
        at.empty = queueEnd == 0;
        if (resumes) {
            load(at);
        }
        while (!at.empty && level != args.maxDepth && !watch.seen(level) && !targetVisited_grid(source)) {
            if (isNarrow(at)) {
                pushNarrow_grid(grid, watch, at);
                continue;
            }
            level++;
            if (place.thread == 0) {
                watch.look(level);
            }
            const float foundNext =
                    at.hasList ? 0 : foundSlots(at.frontierEdges, allEdges, at.unvisitedEdges, at.unvisitedSlots);
            const bool marks =
                    !at.hasList && marksOnly(foundNext, at.frontierEdges, allEdges, at.unvisitedEdges, at.unvisitedSlots);
            const Step step = choose(at, marks ? 0 : foundNext);
            if (step == Step::PUSH && at.frontier == Frontier::DIFFERENCE) {
                counters.next(place.thread);
                sweep_grid();
                grid.sync();
                advanceQueue(at, counters->queue);
            }
            counters.next(place.thread);
            const StepCounts counts = step == Step::PUSH ? pushLevel_grid(grid, at, marks, allEdges)
                                                         : pullLevel_grid(grid, at, step, source, allEdges);
            if (place.thread == 0 && (counts.queue | counts.found) != 0) {
                control->level = level;
            }
            endLevel(at, step, counts);
        }
        if (!at.empty && level != args.maxDepth && watch.pauses(level)) {
            if (place.thread == 0) {
                save(at);
                watch.pause();
            }
            return;
        }
        if (!at.hasList) {
            if (args.sourceCount == 1) {
                fillIsolated_grid(source);
            }
            setRest_grid(at.frontier == Frontier::MARKED);
        }
    }

private:
    /** Where the frontier is: in the queue, or in the difference of the bit arrays after a marking push or after a pull. */
    enum class Frontier { QUEUED, MARKED, DIFFERENCE };
    /** What the other bit array lacks of the last pull: nothing, vertices of which it only set bits, or those that it queued. */
    enum class Behind { NOTHING, WORDS, QUEUED };
    enum class Step { PUSH = 0, DENSE = 1, LISTED = 2 };

    /** The state of the search before a level; the same in all threads. */
    struct Progress {
        int queueBegin = 0;
        Pointer edgesBegin = 0;
        float unvisitedEdges;
        float unvisitedSlots;
        float frontierEdges;
        Frontier frontier = Frontier::QUEUED;
        Behind behind = Behind::NOTHING;
        bool hasList = false;  // whether the list of unvisited slots exists
        int listSize = 0;
        bool empty;
    };

    /** State of a run that is paused, or that another block continues. */
    struct Saved {
        uint64_t edgesBegin;
        uint64_t edgesEnd;
        int queueBegin;
        int queueEnd;
        float unvisitedEdges;
        float unvisitedSlots;
        int level;
        unsigned char phase;
        unsigned char frontier;  // Frontier in the upper four bits, Behind in the lower four
        unsigned char hasList;
        unsigned char swapped;
    };

    /** The rest of that state, which is kept behind the counters. */
    struct SavedFrontier {
        float edges;
        int listSize;
    };

    __device__ __forceinline__ Paused<Saved> saved() const { return Paused<Saved>(control); }

    __device__ __forceinline__ Paused<SavedFrontier> savedFrontier() const {
        return Paused<SavedFrontier>(control->counters + PhasedCounters<StepCounts>::WORDS);
    }

    __device__ __forceinline__ void load(Progress &at) {
        const Saved &from = *saved();
        at.queueBegin = from.queueBegin;
        queueEnd = from.queueEnd;
        at.edgesBegin = static_cast<Pointer>(from.edgesBegin);
        edgesEnd = static_cast<Pointer>(from.edgesEnd);
        at.unvisitedEdges = from.unvisitedEdges;
        at.unvisitedSlots = from.unvisitedSlots;
        level = from.level;
        counters.resume(from.phase);
        at.frontier = static_cast<Frontier>(from.frontier >> 4);
        at.behind = static_cast<Behind>(from.frontier & 15);
        at.hasList = from.hasList != 0;
        if ((from.swapped != 0) != (visited != args.visitedA)) {
            swapBuffers();
        }
        at.frontierEdges = savedFrontier()->edges;
        at.listSize = savedFrontier()->listSize;
        at.empty = at.frontier == Frontier::QUEUED && isQueueDone(at);
    }

    __device__ __forceinline__ void save(const Progress &at) const {
        *saved() = {at.edgesBegin, edgesEnd, at.queueBegin, queueEnd, at.unvisitedEdges, at.unvisitedSlots, level,
                static_cast<unsigned char>(counters.phase()),
                static_cast<unsigned char>(static_cast<int>(at.frontier) << 4 | static_cast<int>(at.behind)),
                static_cast<unsigned char>(at.hasList), static_cast<unsigned char>(visited != args.visitedA)};
        *savedFrontier() = {at.frontierEdges, at.listSize};
    }

    /** Visits and queues the sources. */
    __device__ __forceinline__ void begin_grid(const cooperative_groups::grid_group &grid, StopWatch &watch, int source) {
        const int words = bitWords(graph.active);
        for (int i = place.thread; i < words; i += place.threads) {
            visited[i] = source >= 0 && source / 32 == i ? bitOf(source) : 0;
            other[i] = visited[i];
        }
        if (args.sourceCount != 1) {
            fillIsolated_grid(source);
            grid.sync();
        }
        enqueueSources();
        if (place.thread == 0) {
            watch.look(0);
        }
        grid.sync();
        takeQueued(counters->queue);
    }

    __device__ __forceinline__ StepCounts pushLevel_grid(
            const cooperative_groups::grid_group &grid, Progress &at, bool marks, float allEdges) {
        catchUp_grid(at.behind, at.queueBegin);
        at.behind = Behind::NOTHING;
        if (marks) {
            push<true, 2 * EDGES_AT_ONCE>(place, counters->queue,
                    isEven(allEdges) && at.frontierEdges < BLIND_SHARE * graph.active, at.queueBegin, at.edgesBegin);
        } else {
            push<false, EDGES_AT_ONCE>(place, counters->queue, false, at.queueBegin, at.edgesBegin);
        }
        grid.sync();
        at.frontier = marks ? Frontier::MARKED : Frontier::QUEUED;
        return counters.read();
    }

    /** Returns whether the next level is a push of few edges; the same in all threads. */
    __device__ __forceinline__ bool isNarrow(const Progress &at) const {
        return at.frontier == Frontier::QUEUED && at.behind == Behind::NOTHING && args.stopTargetCount == 0
                && edgesEnd - at.edgesBegin <= NARROW_PUSH;
    }

    /** Pushes levels within the first block for as long as they are narrow. The other blocks continue from where it ends. */
    __device__ __forceinline__ void pushNarrow_grid(
            const cooperative_groups::grid_group &grid, StopWatch &watch, Progress &at) {
        if (blockIdx.x == 0) {
            const Place block = {
                    static_cast<int>(threadIdx.x), DIRECTIONAL_THREADS, place.lane, warpOfBlock, DIRECTIONAL_WARPS};
            bool asked;
            do {
                level++;
                unsigned long long &queued = shared.queued[level & 1];
                if (threadIdx.x == 0) {
                    queued = 0;
                }
                asked = __syncthreads_or(threadIdx.x == 0 && watch.look(level)) != 0;
                push<false, NARROW_PUSH / DIRECTIONAL_THREADS>(block, queued, false, at.queueBegin, at.edgesBegin);
                __syncthreads();
                const StepCounts counts = {queued};
                if (threadIdx.x == 0 && counts.queue != 0) {
                    control->level = level;
                }
                endLevel(at, Step::PUSH, counts);
            } while (!asked && !at.empty && level != args.maxDepth && isNarrow(at));
            if (threadIdx.x == 0) {
                save(at);
            }
        }
        grid.sync();
        if (blockIdx.x != 0) {
            load(at);
        }
    }

    __device__ __forceinline__ StepCounts pullLevel_grid(
            const cooperative_groups::grid_group &grid, Progress &at, Step step, int source, float allEdges) {
        if (place.thread == 0) {
            control->bottomUpLevels++;
        }
        if (step == Step::DENSE) {
            if (!at.hasList && args.sourceCount == 1) {
                fillIsolated_grid(source);
            }
            pullDense_grid(at.frontier == Frontier::MARKED, asksAll(at.frontierEdges, at.unvisitedEdges, allEdges));
        } else {
            catchUp_grid(at.behind, at.queueBegin);
            pullListed_grid(at.listSize);
        }
        grid.sync();
        StepCounts counts = counters.read();
        const bool leaves = step == Step::DENSE || isWide(at.listSize);
        if (counts.longQueue != 0) {
            pullLong_grid(leaves);
            grid.sync();
            counts = counters.read();
        }
        swapBuffers();
        at.behind = leaves ? Behind::WORDS : Behind::QUEUED;
        at.hasList = true;
        at.listSize = static_cast<int>(counts.list & countMask());
        at.unvisitedSlots = at.listSize;
        at.unvisitedEdges = static_cast<float>(counts.list >> countBits);
        at.frontier = leaves ? Frontier::DIFFERENCE : Frontier::QUEUED;
        return counts;
    }

    /** Makes the vertices that the last step queued the frontier. */
    __device__ __forceinline__ void advanceQueue(Progress &at, unsigned long long packed) {
        at.queueBegin = queueEnd;
        at.edgesBegin = edgesEnd;
        takeQueued(packed);
        at.frontierEdges = static_cast<float>(static_cast<Pointer>(edgesEnd - at.edgesBegin));
    }

    /** Returns whether the queue has no next level. Without a list, it holds all vertices found. */
    __device__ __forceinline__ bool isQueueDone(const Progress &at) const {
        return queueEnd == at.queueBegin || (!at.hasList && queueEnd == graph.active);
    }

    __device__ __forceinline__ void endLevel(Progress &at, Step step, const StepCounts &counts) {
        if (at.frontier == Frontier::QUEUED) {
            advanceQueue(at, counts.queue);
            if (step == Step::PUSH) {
                at.unvisitedEdges = fmaxf(at.unvisitedEdges - at.frontierEdges, 0.f);
                at.unvisitedSlots = fmaxf(at.unvisitedSlots - (queueEnd - at.queueBegin), 0.f);
            }
            at.empty = isQueueDone(at);
        } else {
            at.frontierEdges = static_cast<float>(counts.foundEdges);
            at.empty = counts.found == 0 || (at.frontier == Frontier::DIFFERENCE && at.listSize == 0);
        }
    }

    __device__ __forceinline__ void swapBuffers() {
        swap(visited, other);
        swap(list, nextList);
    }

    __device__ __forceinline__ unsigned long long countMask() const { return (1ull << countBits) - 1; }

    /** Moves the end of the queue behind the entries of the last step. */
    __device__ __forceinline__ void takeQueued(unsigned long long packed) {
        queueEnd += static_cast<int>(packed & countMask());
        edgesEnd += static_cast<Pointer>(packed >> countBits);
    }

    __device__ __forceinline__ int slotOf(int id) const { return args.slotOf == nullptr ? id : args.slotOf[id]; }

    /** Returns the step with the lowest forecast cost; the same in all threads. queued: vertices that a push would queue. */
    __device__ __forceinline__ Step choose(const Progress &at, float queued) const {
        if (at.frontier == Frontier::MARKED) {
            return Step::DENSE;
        }
        const float push =
                at.frontierEdges * args.costs.pushEdge + (at.frontier == Frontier::DIFFERENCE ? args.costs.sweep : 0);
        const float dense = denseCost(at.frontierEdges, at.unvisitedEdges, at.unvisitedSlots);
        if (!at.hasList) {
            return dense < push + queued * QUEUED_EDGES * args.costs.pushEdge ? Step::DENSE : Step::PUSH;
        }
        const float listed = at.listSize * args.costs.listSlot + args.costs.sweep
                + probeCost(at.frontierEdges, at.unvisitedEdges, at.unvisitedSlots);
        return push < listed && push < dense ? Step::PUSH : dense < listed ? Step::DENSE : Step::LISTED;
    }

    /** Forecast cost of finding parents: each probe hits with the frontier's share of the edges that are left. */
    __device__ float probeCost(float frontierEdges, float unvisitedEdges, float unvisitedSlots) const {
        const float share = __fdividef(frontierEdges, frontierEdges + unvisitedEdges + 1);
        return fminf(unvisitedEdges, __fdividef(unvisitedSlots, fmaxf(share, 1e-9f))) * args.costs.probe;
    }

    /** Returns whether a dense pull loads all heads at once, because the first is no likelier a parent than the others. */
    __device__ bool asksAll(float frontierEdges, float unvisitedEdges, float allEdges) const {
        return isEven(allEdges) && frontierEdges < unvisitedEdges;
    }

    /** Returns whether the graph has no hubs: edges end at vertices of hardly more than average degree. */
    __device__ bool isEven(float allEdges) const { return args.costs.edgeDegree * graph.active < 2 * allEdges; }

    __device__ float denseCost(float frontierEdges, float unvisitedEdges, float unvisitedSlots) const {
        return graph.active * args.costs.headSlot + probeCost(frontierEdges, unvisitedEdges, unvisitedSlots);
    }

    /** Forecast number of slots that a level finds, if edges end anywhere with equal probability. */
    __device__ float foundSlots(float frontierEdges, float allEdges, float unvisitedEdges, float unvisitedSlots) const {
        return unvisitedSlots
                * (1 - __expf(-__fdividef(frontierEdges, allEdges) * __fdividef(unvisitedEdges, unvisitedSlots + 1)));
    }

    /** Returns whether the level after a push is forecast to be pulled, so that the push need not queue what it finds. */
    __device__ bool marksOnly(
            float nextSlots, float frontierEdges, float allEdges, float unvisitedEdges, float unvisitedSlots) const {
        const float hit = 1 - __expf(-__fdividef(frontierEdges * args.costs.edgeDegree, allEdges));
        const float nextEdges = unvisitedEdges * hit;
        return denseCost(nextEdges, unvisitedEdges - nextEdges, unvisitedSlots - nextSlots)
                < nextEdges * args.costs.pushEdge;
    }

    /** Appends up to N slots per lane with their edge counts, where has is set. queued: the counter of this step. */
    template <int N>
    __device__ __forceinline__ void enqueue_warp(
            unsigned long long &queued, const int (&slot)[N], const Pointer (&edges)[N], const bool (&has)[N]) {
        unsigned long long mine = 0;
#pragma unroll
        for (int i = 0; i < N; i++) {
            mine += has[i] ? static_cast<unsigned long long>(edges[i]) << countBits | 1 : 0;
        }
        if (!__any_sync(ALL_LANES, mine != 0)) {
            return;
        }
        const unsigned long long upToMine = inclusiveSum_warp(mine, place.lane);
        unsigned long long base = 0;
        if (place.lane == WARP_SIZE - 1) {
            base = atomicAdd(&queued, upToMine);
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
    }

    __device__ __forceinline__ int sourceAt(int64_t i) const {
        return args.sourceCount == 1 ? args.onlySource : args.sources[i];
    }

    __device__ void enqueueSources() {
        for (int64_t first = place.warp * static_cast<int64_t>(WARP_SIZE); first < args.sourceCount;
                first += place.threads) {
            const int64_t i = first + place.lane;
            int slot[1] = {i < args.sourceCount ? slotOf(sourceAt(i)) : graph.active};
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
            enqueue_warp(counters->queue, slot, edges, has);
        }
    }

    /** Copies the lowest words of the bit array, which are those of the hubs, to shared memory. */
    __device__ __forceinline__ void shareBits_block(int words) {
        for (int i = threadIdx.x; i < words / 4; i += DIRECTIONAL_THREADS) {
            reinterpret_cast<uint4 *>(sharedBits)[i] = __ldcg(reinterpret_cast<const uint4 *>(visited) + i);
        }
        __syncthreads();
    }

    /**
     * Visits the edges of the queue, with the threads of the grid or of one block. In a wide push, blocks collect hub bits in
     * shared memory and merge them at the end. Otherwise all edges to hubs would access the same few cache lines, in one slice
     * of the L2 cache.
     */
    template <bool MARKS, int EDGES>
    __device__ __forceinline__ void push(
            const Place &among, unsigned long long &queued, bool blind, int from, Pointer firstEdge) {
        bool any = false;
        const int sharedWords = edgesEnd - firstEdge < WIDE_PUSH ? 0 : args.sharedWords;
        if (sharedWords != 0) {
            shareBits_block(sharedWords);
        }
        forEdges_grid<EDGES>(graph.outPtrs, graph.outIdx, args.queue, args.queueEdges, from, queueEnd, firstEdge, edgesEnd,
                among, [&](const int(&)[EDGES], const int(&neighbour)[EDGES]) {
                    unsigned seen[EDGES];
#pragma unroll
                    for (int u = 0; u < EDGES; u++) {
                        seen[u] = neighbour[u] < 0 ? ~0u
                                : neighbour[u] / 32 < sharedWords
                                ? *const_cast<volatile unsigned *>(sharedBits + neighbour[u] / 32)
                                : blind ? 0
                                        : __ldcg(visited + neighbour[u] / 32);
                    }
                    bool fresh[EDGES];
                    Pointer degree[EDGES];
#pragma unroll
                    for (int u = 0; u < EDGES; u++) {
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
                                atomicOr(other + slot / 32, bitOf(slot));
                            }
                        }
                    }
                    if (!MARKS) {
                        enqueue_warp(queued, neighbour, degree, fresh);
                    }
                });
        if (sharedWords != 0) {
            bringBits_block<MARKS>(sharedWords, any);
        }
        if (MARKS && __any_sync(ALL_LANES, any) && place.lane == 0) {
            counters->found = 1;
        }
    }

    /** Merges the bits that the block has collected into global memory. any: set if a bit was new. */
    template <bool MARKS>
    __device__ __forceinline__ void bringBits_block(const int &sharedWords, bool &any) {
        __syncthreads();
        for (int first = warpOfBlock * WARP_SIZE; first < sharedWords; first += DIRECTIONAL_THREADS) {
            const int word = first + place.lane;
            const unsigned mine = word < sharedWords ? sharedBits[word] & ~__ldcg(visited + word) : 0;
            unsigned won = mine == 0 ? 0 : mine & ~atomicOr(visited + word, mine);
            any = any || won != 0;
            if (!MARKS) {
                if (won != 0) {
                    atomicOr(other + word, won);
                }
                enqueueBits_warp(word, won, true);
            }
        }
    }

    /** Appends the slots of one word of bits per lane. */
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
            enqueue_warp(counters->queue, slot, edges, has);
        }
    }

    /** Queues the slots whose bit is set in only one of the two arrays. */
    __device__ void sweep_grid() {
        const int words = bitWords(graph.active);
        for (int first = place.warp * WARP_SIZE; first < words; first += place.threads) {
            const int word = first + place.lane;
            enqueueBits_warp(word, word < words ? visited[word] & ~other[word] : 0, false);
        }
    }

    /** Returns whether a neighbour was visited before this level. */
    __device__ __forceinline__ bool isParent(int neighbour) const {
        const int word = neighbour / 32;
        const unsigned bits = word < sharedLimit ? sharedBits[word] : visited[word];
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
                    &counters->list, static_cast<unsigned long long>(edges) << countBits | static_cast<unsigned>(outCount));
        }
        const int at = static_cast<int>(__shfl_sync(ALL_LANES, base, 0) & countMask());
#pragma unroll 1
        for (int i = place.lane; i < outCount; i += WARP_SIZE) {
            nextList[at + i] = shared.out[warpOfBlock][i];
        }
        outCount = 0;
        __syncwarp();
    }

    /** Adds slots without a parent so far to the next list. edges: what another pull would read of them. */
    __device__ __forceinline__ void keep_warp(bool has, int slot, int edges) {
        const unsigned which = __ballot_sync(ALL_LANES, has);
        if (has) {
            shared.out[warpOfBlock][outCount + __popc(which & ((1u << place.lane) - 1))] = slot;
            outEdges += edges;
        }
        outCount += __popc(which);
    }

    /** Keeps lists to be read later by the warp, and prefetches their next entries into the L2 cache. */
    __device__ __forceinline__ void begin_warp(bool has, int slot, Pointer at, Pointer end) {
        const unsigned which = __ballot_sync(ALL_LANES, has);
        if (has) {
            asm volatile("prefetch.global.L2 [%0];" ::"l"(graph.inIdx + at));
            const Pointer left = end - at;
            shared.rests[warpOfBlock][restCount + __popc(which & ((1u << place.lane) - 1))] = {
                    at, slot, left > 0x7fffffffu ? 0x7fffffff : static_cast<int>(left)};
        }
        restCount += __popc(which);
    }

    /** Leaves a very long list to the whole grid. */
    __device__ __forceinline__ void leaveToGrid(bool has, int slot) {
        if (has) {
            const unsigned long long edges = graph.inPtrs[slot + 1] - graph.inPtrs[slot];
            const unsigned long long packed = atomicAdd(&counters->longQueue, edges << countBits | 1);
            args.queue[graph.active + (packed & countMask())] = slot;
            args.queueEdges[graph.active + (packed & countMask())] = static_cast<Pointer>(packed >> countBits);
        }
    }

    /** Returns whether the rest of one list, the same in all lanes, contains a parent. */
    __device__ __forceinline__ bool hasParent_warp(const Rest<Pointer> &rest) const {
        bool hit = false;
#pragma unroll 1
        for (int i = place.lane; !hit && i - place.lane < rest.length; i += 2 * WARP_SIZE) {
            const int a = i < rest.length ? __ldg(graph.inIdx + rest.at + i) : NO_HEAD;
            const int b = i + WARP_SIZE < rest.length ? __ldg(graph.inIdx + rest.at + i + WARP_SIZE) : NO_HEAD;
            hit = __any_sync(ALL_LANES, (a != NO_HEAD && isParent(a)) || (b != NO_HEAD && isParent(b)));
        }
        return hit;
    }

    /** Returns whether the 32 bytes at sector contain a parent, among the entries first (inclusive) to stop (exclusive). */
    __device__ __forceinline__ bool hasParentInSector(Pointer sector, int first, int stop) const {
        int neighbour[SECTOR_ENTRIES];
        // the last sector of the array may be incomplete
        if (sector + SECTOR_ENTRIES <= entries) {
            const int4 *at = reinterpret_cast<const int4 *>(graph.inIdx + sector);
            const int4 low = __ldg(at);
            const int4 high = __ldg(at + 1);
            neighbour[0] = low.x;
            neighbour[1] = low.y;
            neighbour[2] = low.z;
            neighbour[3] = low.w;
            neighbour[4] = high.x;
            neighbour[5] = high.y;
            neighbour[6] = high.z;
            neighbour[7] = high.w;
        } else {
#pragma unroll
            for (int i = 0; i < SECTOR_ENTRIES; i++) {
                neighbour[i] = i >= first && i < stop ? __ldg(graph.inIdx + sector + i) : 0;
            }
        }
        bool hit = false;
#pragma unroll
        for (int i = 0; i < SECTOR_ENTRIES; i++) {
            hit = (i >= first && i < stop && isParent(neighbour[i])) || hit;
        }
        return hit;
    }

    /**
     * Reads from the kept lists while there are enough for all lanes; at the end, reads all. A lane tests the entries of a list
     * up to the next multiple of 32 bytes, where most lists have a parent. Lists without one are kept again, so that no lane
     * waits for the longest list of its warp. The whole warp reads a long list; the longest are left to the grid.
     */
    __device__ __forceinline__ void readOn_warp(bool dense, bool end, unsigned &found, float &foundEdges) {
        const int enough = end ? 1 : WARP_SIZE;
#pragma unroll 1
        while (restCount >= enough || outCount >= enough) {
            if (outCount >= enough && (outCount >= WARP_SIZE || restCount < enough)) {
                flushOut_warp();
                continue;
            }
            __syncwarp();
            Rest<Pointer> rest = shared.rests[warpOfBlock][restCount - 1];
            bool has = place.lane == 0;
            bool hit = false;
            bool kept = false;
            bool goesOn = false;
            if (rest.length > LANE_ENTRIES) {
                restCount--;
                if (rest.length > LONG_LIST) {
                    leaveToGrid(has, rest.slot);
                } else {
                    hit = hasParent_warp(rest);
                }
                hit = hit && has;
                kept = has && !hit;
            } else {
                const int first = max(restCount - WARP_SIZE, 0);
                has = first + place.lane < restCount;
                restCount = first;
                if (has) {
                    rest = shared.rests[warpOfBlock][first + place.lane];
                }
                const Pointer sector = rest.at / SECTOR_ENTRIES * SECTOR_ENTRIES;
                const int skipped = static_cast<int>(rest.at - sector);
                const int stop = has ? min(SECTOR_ENTRIES, skipped + rest.length) : 0;
                hit = hasParentInSector(sector, skipped, stop);
                const int left = rest.length - (stop - skipped);
                goesOn = has && !hit && left != 0;
                kept = has && !hit && left == 0;
                // the list is put back below, without the entries just tested
                rest.at = sector + SECTOR_ENTRIES;
                rest.length = left;
                __syncwarp();
            }
            settle_warp(dense, hit, rest.slot, rest.length + HEADS, found, foundEdges);
            keep_warp(kept, rest.slot,
                    kept ? static_cast<int>(min(
                            static_cast<Pointer>(graph.inPtrs[rest.slot + 1] - graph.inPtrs[rest.slot]), Pointer(1 << 26)))
                         : 0);
            begin_warp(goesOn, rest.slot, rest.at, rest.at + static_cast<Pointer>(rest.length));
        }
    }

    /** Visits found slots of lists, at most one per lane. */
    __device__ __forceinline__ void settle_warp(
            bool dense, bool has, int slot, int edges, unsigned &found, float &foundEdges) {
        if (has) {
            args.levels[slot] = level;
            atomicOr(other + slot / 32, bitOf(slot));
        }
        if (dense) {
            found += has ? 1 : 0;
            foundEdges += has ? edges : 0;
            return;
        }
        Pointer degree[1] = {0};
        if (has) {
            degree[0] = graph.outPtrs[slot + 1] - graph.outPtrs[slot];
        }
        const int slots[1] = {slot};
        const bool hass[1] = {has};
        enqueue_warp(counters->queue, slots, degree, hass);
    }

    /** Copies into the other bit array the vertices that the last pull found. */
    __device__ __forceinline__ void catchUp_grid(Behind behind, int from) {
        if (behind == Behind::WORDS) {
            const int words = bitWords(graph.active);
            for (int word = place.thread; word < words; word += place.threads) {
                const unsigned bits = visited[word];
                if ((bits & ~__ldcg(other + word)) != 0) {
                    atomicOr(other + word, bits);
                }
            }
        } else if (behind == Behind::QUEUED) {
            for (int64_t i = from + static_cast<int64_t>(place.thread); i < queueEnd; i += place.threads) {
                atomicOr(other + args.queue[i] / 32, bitOf(args.queue[i]));
            }
        }
    }

    /** Clears the block's counts. Followed by a synchronisation of the block, before endFound_block. */
    __device__ __forceinline__ void beginFound_block() {
        if (threadIdx.x == 0) {
            shared.found = 0;
            shared.foundEdges = 0;
        }
    }

    /** Adds up what the block's threads have found. */
    __device__ __forceinline__ void endFound_block(unsigned found, float foundEdges) {
        const unsigned foundByWarp = __reduce_add_sync(ALL_LANES, found);
        foundEdges = sum_warp(foundEdges);
        if (place.lane == 0 && foundByWarp != 0) {
            atomicAdd(&shared.found, static_cast<unsigned long long>(foundByWarp));
            atomicAdd(&shared.foundEdges, static_cast<unsigned long long>(foundEdges));
        }
        __syncthreads();
        if (threadIdx.x == 0 && shared.found != 0) {
            atomicAdd(&counters->found, shared.found);
            atomicAdd(&counters->foundEdges, shared.foundEdges);
        }
    }

    /** Loads the heads of unvisited slots, from column BEGIN on. */
    template <int BEGIN, int END>
    __device__ __forceinline__ void loadHeads(
            const bool (&of)[LANE_SLOTS], int64_t slot0, int (&head)[END - BEGIN][LANE_SLOTS]) const {
        const int64_t column = headColumn(graph.active);
#pragma unroll
        for (int h = BEGIN; h < END; h++) {
#pragma unroll
            for (int g = 0; g < LANE_SLOTS; g++) {
                head[h - BEGIN][g] = of[g] ? __ldg(graph.heads + h * column + slot0 + g * WARP_SIZE) : NO_HEAD;
            }
        }
    }

    /** The end of a step's slots, which may be near 2^31. */
    __device__ __forceinline__ int slotsEndOf(int at) const {
        return static_cast<int>(min((at + 1u) * SLOTS_A_STEP, static_cast<unsigned>(graph.active)));
    }

    /** Loads where the lists of a step's slots begin, and where the last one ends. */
    __device__ __forceinline__ void loadPlaces(int at, Pointer (&from)[LANE_SLOTS], Pointer &end) const {
        const int first = at * SLOTS_A_STEP;
#pragma unroll
        for (int g = 0; g < LANE_SLOTS; g++) {
            from[g] = __ldg(graph.inPtrs + min(first + g * WARP_SIZE + place.lane, graph.active));
        }
        end = __ldg(graph.inPtrs + slotsEndOf(at));
    }

    /** Sets asks for those of SLOTS_A_STEP slots that are unvisited. */
    __device__ __forceinline__ void unvisited(const uint4 &quad, int64_t slot0, bool (&asks)[LANE_SLOTS]) const {
        const unsigned words[LANE_SLOTS] = {quad.x, quad.y, quad.z, quad.w};
#pragma unroll
        for (int g = 0; g < LANE_SLOTS; g++) {
            asks[g] = slot0 + g * WARP_SIZE < graph.active && (words[g] >> place.lane & 1) == 0;
        }
    }

    /** Tests the first heads: hit if it is a parent; open if there is a first head that is not. */
    __device__ __forceinline__ void askFirst(const bool (&asks)[LANE_SLOTS], const int (&head)[LANE_SLOTS],
            bool (&hit)[LANE_SLOTS], bool (&open)[LANE_SLOTS]) const {
#pragma unroll
        for (int g = 0; g < LANE_SLOTS; g++) {
            hit[g] = head[g] != NO_HEAD && asks[g] && isParent(head[g]);
            open[g] = head[g] != NO_HEAD && asks[g] && !hit[g];
        }
    }

    /** Tests the remaining heads of open slots. */
    __device__ __forceinline__ void askColumns(
            int64_t slot0, const bool (&open)[LANE_SLOTS], bool (&hit)[LANE_SLOTS]) const {
        int more[HEADS - 1][LANE_SLOTS];
        loadHeads<1, HEADS>(open, slot0, more);
#pragma unroll
        for (int h = 0; h < HEADS - 1; h++) {
#pragma unroll
            for (int g = 0; g < LANE_SLOTS; g++) {
                hit[g] = (more[h][g] != NO_HEAD && isParent(more[h][g])) || hit[g];
            }
        }
    }

    /** Writes bits and levels of a step's slots, and returns how many have a parent. older: the bits before the last level. */
    __device__ __forceinline__ unsigned settleDense_warp(int at, int64_t slot0, const uint4 &quad, const uint4 &older,
            const bool (&asks)[LANE_SLOTS], const bool (&hit)[LANE_SLOTS]) const {
        const unsigned before[LANE_SLOTS] = {quad.x, quad.y, quad.z, quad.w};
        const unsigned fresh[LANE_SLOTS] = {quad.x & ~older.x, quad.y & ~older.y, quad.z & ~older.z, quad.w & ~older.w};
        unsigned after[LANE_SLOTS];
        unsigned hits = 0;
#pragma unroll
        for (int g = 0; g < LANE_SLOTS; g++) {
            const unsigned marks = __ballot_sync(ALL_LANES, hit[g]);
            after[g] = before[g] | marks;
            hits += __popc(marks);
            if ((fresh[g] >> place.lane & 1) != 0) {
                args.levels[slot0 + g * WARP_SIZE] = level - 1;
            } else if (asks[g]) {
                args.levels[slot0 + g * WARP_SIZE] = hit[g] ? level : UNREACHED;
            }
        }
        if (place.lane == 0) {
            reinterpret_cast<uint4 *>(other)[at] = make_uint4(after[0], after[1], after[2], after[3]);
        }
        return hits;
    }

    /** Keeps the lists of slots that are still open, or the slots themselves if their heads were the whole list. */
    __device__ __forceinline__ void keepOpen_warp(int64_t slot0, const bool (&open)[LANE_SLOTS],
            const bool (&hit)[LANE_SLOTS], const Pointer (&from)[LANE_SLOTS], Pointer end, Pointer asked) {
#pragma unroll
        for (int g = 0; g < LANE_SLOTS; g++) {
            const int slot = static_cast<int>(slot0 + g * WARP_SIZE);
            const Pointer behind = __shfl_sync(ALL_LANES, g + 1 < LANE_SLOTS ? from[(g + 1) % LANE_SLOTS] : end, 0);
            const Pointer below = __shfl_down_sync(ALL_LANES, from[g], 1);
            const Pointer to = place.lane == WARP_SIZE - 1 ? behind : below;
            const bool more = open[g] && !hit[g] && to - from[g] > asked;
            keep_warp(open[g] && !hit[g] && !more, slot, static_cast<int>(asked));
            begin_warp(more, slot, from[g] + asked, to);
        }
    }

    /**
     * The dense pull. A warp takes SLOTS_A_STEP slots per step, and prefetches the first data of its next step.
     *
     * @param columns whether to test all heads before the list
     */
    __device__ void pullDense_grid(bool marked, bool columns) {
        beginFound_block();
        sharedLimit = args.sharedWords;
        shareBits_block(sharedLimit);
        const int steps = static_cast<int>(headColumn(graph.active) / SLOTS_A_STEP);
        const auto quads = reinterpret_cast<const uint4 *>(visited);
        unsigned found = 0;
        float foundEdges = 0;
        uint4 quad = {};
        int head[1][LANE_SLOTS] = {};
        Pointer from[LANE_SLOTS] = {};
        Pointer end = 0;
        if (place.warp < steps) {
            quad = quads[place.warp];
            bool asks[LANE_SLOTS];
            const int64_t slot0 = static_cast<int64_t>(place.warp) * SLOTS_A_STEP + place.lane;
            unvisited(quad, slot0, asks);
            loadHeads<0, 1>(asks, slot0, head);
            loadPlaces(place.warp, from, end);
        }
#pragma unroll 1
        for (int at = place.warp;; at += place.warps) {
            // the lists of the step before; their prefetches have had time to arrive
            readOn_warp(true, at >= steps, found, foundEdges);
            if (at >= steps) {
                break;
            }
            const bool last = at + place.warps >= steps;
            const uint4 nextQuad = last ? make_uint4(~0u, ~0u, ~0u, ~0u) : quads[at + place.warps];
            // adjacent slots have nearly the same degree
            const int slotsEnd = slotsEndOf(at);
            const Pointer edges = graph.outPtrs[slotsEnd] - graph.outPtrs[at * SLOTS_A_STEP];
            // slots that the last push marked have no level yet
            const uint4 older = marked ? reinterpret_cast<const uint4 *>(other)[at] : quad;
            const int64_t slot0 = static_cast<int64_t>(at) * SLOTS_A_STEP + place.lane;
            bool asks[LANE_SLOTS];
            bool open[LANE_SLOTS];
            bool hit[LANE_SLOTS];
            unvisited(quad, slot0, asks);
            askFirst(asks, head[0], hit, open);
            Pointer nextFrom[LANE_SLOTS];
            Pointer nextEnd;
            loadPlaces(last ? at : at + place.warps, nextFrom, nextEnd);
            if (columns) {
                askColumns(slot0, open, hit);
            }
            const int64_t nextSlot0 = slot0 + static_cast<int64_t>(place.warps) * SLOTS_A_STEP;
            bool asksNext[LANE_SLOTS];
            unvisited(nextQuad, nextSlot0, asksNext);
            loadHeads<0, 1>(asksNext, nextSlot0, head);
            const unsigned hits = settleDense_warp(at, slot0, quad, older, asks, hit);
            if (place.lane == 0) {
                found += hits;
                foundEdges += __fdividef(static_cast<float>(edges), slotsEnd - at * SLOTS_A_STEP) * hits;
            }
            __syncwarp();
            keepOpen_warp(slot0, open, hit, from, end, columns ? HEADS : 1);
#pragma unroll
            for (int g = 0; g < LANE_SLOTS; g++) {
                from[g] = nextFrom[g];
            }
            end = nextEnd;
            quad = nextQuad;
        }
        endFound_block(found, foundEdges);
    }

    /** Returns whether a listed pull only sets bits, as a dense pull does, and queues nothing. */
    static __device__ __forceinline__ bool isWide(int size) { return size >= WIDE_LIST; }

    __device__ void pullListed_grid(int size) {
        const bool wide = isWide(size);
        unsigned found = 0;
        float foundEdges = 0;
        sharedLimit = 0;
        if (wide) {
            beginFound_block();
            sharedLimit = args.sharedWords;
            shareBits_block(sharedLimit);
        }
        // loads slots two steps ahead, and the positions of their lists one step ahead
        const int first = place.warp * WARP_SIZE;
        const int mine = first + place.lane;
        int slot = mine < size ? list[mine] : -1;
        int nextSlot = mine < size - place.threads ? list[mine + place.threads] : -1;
        Pointer from = slot >= 0 ? graph.inPtrs[slot] : 0;
        Pointer to = slot >= 0 ? graph.inPtrs[slot + 1] : 0;
#pragma unroll 1
        for (int64_t at = first;; at += place.threads) {
            readOn_warp(wide, at >= size, found, foundEdges);
            if (at >= size) {
                break;
            }
            const int afterNext =
                    at + place.lane < size - 2 * place.threads ? list[at + place.lane + 2 * place.threads] : -1;
            const Pointer nextFrom = nextSlot >= 0 ? graph.inPtrs[nextSlot] : 0;
            const Pointer nextTo = nextSlot >= 0 ? graph.inPtrs[nextSlot + 1] : 0;
            begin_warp(from != to && !isSet(visited, slot), slot, from, to);
            slot = nextSlot;
            nextSlot = afterNext;
            from = nextFrom;
            to = nextTo;
        }
        if (wide) {
            endFound_block(found, foundEdges);
        }
    }

    /** Processes the lists that were too long for a warp, edge by edge as in a push. */
    __device__ void pullLong_grid(bool dense) {
        const unsigned long long packed = counters->longQueue;
        forEdges_grid<EDGES_AT_ONCE>(graph.inPtrs, graph.inIdx, args.queue + graph.active, args.queueEdges + graph.active, 0,
                static_cast<int>(packed & countMask()), Pointer(0), static_cast<Pointer>(packed >> countBits), place,
                [&](const int(&owner)[EDGES_AT_ONCE], const int(&neighbour)[EDGES_AT_ONCE]) {
                    bool won[EDGES_AT_ONCE];
                    Pointer degree[EDGES_AT_ONCE];
#pragma unroll
                    for (int u = 0; u < EDGES_AT_ONCE; u++) {
                        won[u] = neighbour[u] >= 0 && !isSet(other, owner[u]) && isSet(visited, neighbour[u]);
                        degree[u] = 0;
                        if (won[u]) {
                            won[u] = (atomicOr(other + owner[u] / 32, bitOf(owner[u])) & bitOf(owner[u])) == 0;
                        }
                        if (won[u]) {
                            args.levels[owner[u]] = level;
                            degree[u] = graph.outPtrs[owner[u] + 1] - graph.outPtrs[owner[u]];
                            if (dense) {
                                atomicAdd(&counters->found, 1ull);
                                atomicAdd(&counters->foundEdges, static_cast<unsigned long long>(degree[u]));
                            }
                        }
                    }
                    if (!dense) {
                        enqueue_warp(counters->queue, owner, degree, won);
                    }
                });
    }

    /**
     * Writes the levels of slots without entries. In a one-source run this happens during a pull, because the start would wait
     * for these stores.
     */
    __device__ void fillIsolated_grid(int source) {
        for (int64_t slot = graph.active + static_cast<int64_t>(place.thread); slot < args.n; slot += place.threads) {
            args.levels[slot] = slot == source ? 0 : UNREACHED;
        }
    }

    /** Writes the levels that no dense pull has written. */
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

    /** As targetReached_grid, but by the bits, because the levels of unvisited slots may not be written yet. */
    __device__ bool targetVisited_grid(int source) {
        if (args.stopTargetCount == 0) {
            return false;
        }
        for (int64_t i = place.thread; i < args.stopTargetCount; i += place.threads) {
            const int slot = slotOf(args.stopTargets[i]);
            if (slot < graph.active                 ? isSet(visited, slot)
                            : args.sourceCount == 1 ? slot == source
                                                    : args.levels[slot] == 0) {
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

extern "C" __global__ void __launch_bounds__(proxima::DIRECTIONAL_THREADS, 1)
        bfs_directional_p32_grid(const __grid_constant__ proxima::DirectionalArguments<uint32_t> args) {
    proxima::bfsDirectional(args);
    proxima::leave_grid(args.control, args.report);
}

extern "C" __global__ void __launch_bounds__(proxima::DIRECTIONAL_THREADS, 1)
        bfs_directional_p64_grid(const __grid_constant__ proxima::DirectionalArguments<uint64_t> args) {
    proxima::bfsDirectional(args);
    proxima::leave_grid(args.control, args.report);
}

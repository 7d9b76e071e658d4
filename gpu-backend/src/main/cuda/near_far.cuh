// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "persistent.cuh"

// Shortest paths from one source with a near queue and a far pile: Davidson, Baxter, Garland, Owens, Work-Efficient Parallel
// GPU Methods for Single-Source Shortest Paths, IPDPS 2014, in one persistent launch.
//
// Vertices whose cost has decreased wait in the near queue if the cost is below the limit, and in the far pile otherwise. A
// step relaxes the edges of the near queue, which warps share evenly, and queues the improved vertices for the next step. When
// the near queue is empty, the limit rises by the width, and a step moves vertices from the far pile to the near queue.
//
// A step with few edges leaves most of the device idle. Its warps continue with the vertices that they have improved, a few
// batches each, before the grid synchronises: asynchronously, as in Wang, Fussell, Lin, A Fast Work-Efficient SSSP Algorithm
// for GPUs, PPoPP 2021. As there, the width adapts: it grows while steps have few edges, and shrinks while they have many.
//
// Invariant: a vertex that has not relaxed its edges at its current cost is in the near queue, in the far pile, or in the ring
// of the warp that has set this cost. The costs are the least floating-point sums over paths from the source, for every grid
// and any order of relaxations, because addition is monotonic even when it rounds.
//
// Each queue contains a vertex once, which bit sets over the vertices ensure: two that rotate for the near queue, and one for
// the far pile.
//
// limits: entries < 2^(64 - countBits), where countBits is the number of bits of n; sums as in near_far.cu
namespace proxima {

constexpr int NEAR_FAR_THREADS = 768;
constexpr int NEAR_FAR_WARPS = NEAR_FAR_THREADS / WARP_SIZE;
constexpr int RING = 128;           // vertices that a warp collects before it queues them; a power of two
constexpr int RELAXED_AT_ONCE = 4;  // edges per lane
constexpr int WARP_DEGREE = 256;    // edges; a warp continues alone only with vertices of at most this many
constexpr int FEW_EDGES = 16;       // a step of at most this many edges per warp of the grid has few
constexpr int WARP_BATCHES = 16;    // batches of vertices with which a warp continues in a step of few edges
constexpr int NARROW_BUCKETS = 4;   // successive buckets of few edges before the width grows

/** Represents costs as unsigned words of the same order. */
template <class Cost>
struct CostWords;

template <>
struct CostWords<uint32_t> {
    static constexpr uint32_t UNREACHED_COST = 0xffffffffu;

    /** Cannot overflow: a path has fewer than n edges, and n times the greatest weight fits. */
    static __device__ __forceinline__ uint32_t plus(uint32_t cost, uint32_t weight) { return cost + weight; }

    /** A limit above a cost: by the width if that does not overflow. */
    static __device__ __forceinline__ uint32_t limit(uint32_t cost, uint32_t width) {
        return width > UNREACHED_COST - cost ? UNREACHED_COST : cost + width;
    }

    static __device__ __forceinline__ uint32_t doubled(uint32_t width) {
        return width > UNREACHED_COST / 2 ? UNREACHED_COST : 2 * width;
    }

    static __device__ __forceinline__ uint32_t halved(uint32_t width) { return width / 2; }
};

/** Nonnegative doubles, ordered by their bits. */
template <>
struct CostWords<unsigned long long> {
    static constexpr unsigned long long UNREACHED_COST = 0x7ff0000000000000ull;

    static __device__ __forceinline__ double number(unsigned long long cost) {
        return __longlong_as_double(static_cast<long long>(cost));
    }

    static __device__ __forceinline__ unsigned long long word(double cost) {
        return static_cast<unsigned long long>(__double_as_longlong(cost));
    }

    template <class Weight>
    static __device__ __forceinline__ unsigned long long plus(unsigned long long cost, Weight weight) {
        return word(number(cost) + static_cast<double>(weight));
    }

    static __device__ __forceinline__ unsigned long long limit(unsigned long long cost, unsigned long long width) {
        const unsigned long long sum = word(number(cost) + number(width));
        return sum > cost ? sum : cost + 1;
    }

    static __device__ __forceinline__ unsigned long long doubled(unsigned long long width) {
        return word(2 * number(width));
    }

    static __device__ __forceinline__ unsigned long long halved(unsigned long long width) { return word(number(width) / 2); }
};

/** The count of a step. */
struct NearCount {
    unsigned long long queued;  // number of vertices in the low bits, of their edges above
};

/** The counts of a far pile. */
struct FarCounts {
    unsigned long long least;  // the least cost that a step has left in the pile, inverted
    unsigned size;
    unsigned unused;
};

/** Where a paused run resumes. */
struct NearFarSaved {
    int step;
    int size;
    int nearPhase;
    int farPhase;
    int swapped;
    int narrowBuckets;
    int splits;
    int64_t edges;
    int64_t excess;
    unsigned long long limit;
    unsigned long long before;
    unsigned long long width;
};

/** Zeroed by the host. */
struct NearFarState {
    NearCount near[PhasedCounters<NearCount>::PHASES];
    FarCounts far[PhasedCounters<FarCounts>::PHASES];
    NearFarSaved saved;
};

/** Adjacency lists, and the arrays of one search. */
template <class Cost, class Weight>
struct NearFarArrays {
    const int64_t *ptrs;
    const int *idx;
    const Weight *weights;  // null if every weight is 1
    Cost *costs;
    int *nearA;
    int *nearB;
    int64_t *edgesA;  // number of edges before each entry of the near queue
    int64_t *edgesB;
    int *farA;
    int *farB;
    unsigned *nearBitsA;
    unsigned *nearBitsB;
    unsigned *farBits;
    NearFarState *state;
    const int *stopFlag;
    RunControl *control;
    RunControl *report;
    unsigned long long width;  // in the representation of costs
    int n;
};

template <class Cost, class Weight>
struct NearFarArguments : NearFarArrays<Cost, Weight> {
    int source;
};

HOST_CONSTANT(NEAR_FAR_THREADS, NEAR_FAR_THREADS)
HOST_CONSTANT(NEAR_FAR_STATE_BYTES, sizeof(NearFarState))

/** Improved vertices that a warp has not queued yet. */
template <class Cost>
struct NearFarShared {
    Cost cost[NEAR_FAR_WARPS][RING];
    int near[NEAR_FAR_WARPS][RING];
    int far[NEAR_FAR_WARPS][RING];
};

HOST_CONSTANT(NEAR_FAR_SHARED_BYTES, sizeof(NearFarShared<uint32_t>))
HOST_CONSTANT(NEAR_FAR_WIDE_SHARED_BYTES, sizeof(NearFarShared<unsigned long long>))

/**
 * A search as seen by one of the threads that search together: those of the grid, or of a team of blocks.
 *
 * @tparam Barrier synchronises these threads
 * @tparam Watch as StopWatch
 * @tparam PAUSES whether a launch may pause within the search
 */
template <class Cost, class Weight, class Barrier, class Watch, bool PAUSES>
class NearFar {
    using Words = CostWords<Cost>;

    const NearFarArrays<Cost, Weight> &args;
    const int source;
    const Place place;
    Barrier &barrier;
    const Paused<NearFarSaved> saved;
    PhasedCounters<NearCount> queued;
    PhasedCounters<FarCounts> piles;
    Cost *const ringCosts;
    int *const ring;
    int *const farRing;
    const int countBits;

    // state of the warp
    int ringBegin = 0;
    int ringSize = 0;
    int farSize = 0;

    // the same in all threads of the grid
    int step = 0;
    bool swapped = false;
    int size = 1;  // vertices in the near queue
    int64_t edges = 0;
    Cost before = 0;  // limit of the last bucket
    Cost limit;
    Cost width;
    int narrowBuckets = 0;
    int64_t excess = 0;  // edges of the bucket's steps beyond FEW_EDGES per warp
    int splits = 0;

public:
    __device__ NearFar(const NearFarArrays<Cost, Weight> &args, int source, NearFarShared<Cost> &shared, const Place &place,
            Barrier &barrier)
        : args(args), source(source), place(place), barrier(barrier), saved(&args.state->saved), queued(args.state->near),
          piles(args.state->far), ringCosts(shared.cost[threadIdx.x / WARP_SIZE]),
          ring(shared.near[threadIdx.x / WARP_SIZE]), farRing(shared.far[threadIdx.x / WARP_SIZE]),
          countBits(32 - __clz(args.n)), limit(args.width), width(args.width) {}

    /** Searches; returns whether the search has ended, the same in all threads. */
    __device__ bool run(Watch watch) {
        bool ended = false;
        if (PAUSES && args.control->resumes != 0) {
            resume();
        } else {
            begin_grid();
            barrier.sync();
            ended = edges == 0;
        }
        const int few = FEW_EDGES * place.warps;
        while (!ended && !watch.seen(step)) {
            step++;
            if (place.thread == 0) {
                watch.look(step);
                atomicAdd(
                        reinterpret_cast<unsigned long long *>(&args.control->work), static_cast<unsigned long long>(edges));
            }
            queued.next(place.thread);
            if (size > 0) {
                excess += edges - few;
                relaxQueue_grid(edges <= few ? WARP_BATCHES : 0);
                barrier.sync();
                swapped = !swapped;
                takeQueued();
                if (size == 0) {
                    endBucket();
                    ended = __ldcg(&piles->size) == 0;
                }
            } else {
                const int count = static_cast<int>(__ldcg(&piles->size));
                piles.next(place.thread);
                splitFar_grid(count);
                barrier.sync();
                swapped = !swapped;
                splits++;
                takeQueued();
                if (size == 0) {
                    ended = __ldcg(&piles->size) == 0;
                    before = limit;
                    limit = Words::limit(static_cast<Cost>(~__ldcg(&piles->least)), width);
                }
            }
        }
        if (place.thread == 0) {
            args.control->level = step;
            if (PAUSES && !ended && watch.pauses(step)) {
                save();
                watch.pause();
            }
        }
        return ended;
    }

private:
    __device__ __forceinline__ const int *near() const { return swapped ? args.nearB : args.nearA; }
    __device__ __forceinline__ const int64_t *nearEdges() const { return swapped ? args.edgesB : args.edgesA; }
    __device__ __forceinline__ unsigned *nearBits() const { return swapped ? args.nearBitsB : args.nearBitsA; }
    __device__ __forceinline__ unsigned *nextBits() const { return swapped ? args.nearBitsA : args.nearBitsB; }

    /** The current or the next far pile; two rotate. */
    __device__ __forceinline__ int *farPile(bool next) const { return ((splits & 1) != 0) != next ? args.farB : args.farA; }

    __device__ __forceinline__ void begin_grid() {
        for (int64_t i = place.thread; i < args.n; i += place.threads) {
            args.costs[i] = i == source ? 0 : Words::UNREACHED_COST;
        }
        const int words = bitWords(args.n);
        for (int i = place.thread; i < words; i += place.threads) {
            args.nearBitsA[i] = 0;
            args.nearBitsB[i] = 0;
            args.farBits[i] = 0;
        }
        if (place.thread == 0) {
            args.nearA[0] = source;
            args.edgesA[0] = 0;
        }
        edges = args.ptrs[source + 1] - args.ptrs[source];
    }

    __device__ __forceinline__ void takeQueued() {
        const unsigned long long packed = __ldcg(&queued->queued);
        size = static_cast<int>(packed & ((1ull << countBits) - 1));
        edges = static_cast<int64_t>(packed >> countBits);
    }

    /** Adapts the width to the steps of the bucket, and raises the limit. */
    __device__ __forceinline__ void endBucket() {
        if (excess <= 0) {
            narrowBuckets++;
            if (narrowBuckets == NARROW_BUCKETS) {
                width = Words::doubled(width);
                narrowBuckets = 0;
            }
        } else {
            narrowBuckets = 0;
            const Cost half = Words::halved(width);
            width = half < static_cast<Cost>(args.width) ? static_cast<Cost>(args.width) : half;
        }
        excess = 0;
        before = limit;
        limit = Words::limit(limit, width);
    }

    __device__ __forceinline__ void save() const {
        *saved = {step, size, queued.phase(), piles.phase(), swapped, narrowBuckets, splits, edges, excess, limit, before,
                width};
        barrier.pause();
    }

    __device__ __forceinline__ void resume() {
        step = saved->step;
        size = saved->size;
        queued.resume(saved->nearPhase);
        piles.resume(saved->farPhase);
        swapped = saved->swapped != 0;
        narrowBuckets = saved->narrowBuckets;
        splits = saved->splits;
        edges = saved->edges;
        excess = saved->excess;
        limit = static_cast<Cost>(saved->limit);
        before = static_cast<Cost>(saved->before);
        width = static_cast<Cost>(saved->width);
        barrier.resume();
    }

    /**
     * Relaxes the edges of the near queue. Each warp then continues with up to this many batches of vertices it has improved.
     */
    __device__ __forceinline__ void relaxQueue_grid(int batches) {
        const int64_t *const edgesOf = nearEdges();
        const int64_t each = ((edges + place.warps - 1) / place.warps + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE;
        int64_t at = each * place.warp;
        if (at >= edges) {
            return;
        }
        const int64_t end = edges - at < each ? edges : at + each;
        // unsigned, because a warp looks past the end, which may be near 2^31
        unsigned low = 0;
        unsigned high = size;
        while (high - low > 1) {
            const unsigned stride = (high - low + WARP_SIZE - 1) / WARP_SIZE;
            const unsigned probe = low + place.lane * stride;
            const bool starts = probe < high && edgesOf[probe] <= at;
            const unsigned last = __popc(__ballot_sync(ALL_LANES, starts)) - 1;
            high = min(high, low + (last + 1) * stride);
            low += last * stride;
        }
        while (at < end) {
            const unsigned entry = low + place.lane;
            const bool has = entry < static_cast<unsigned>(size);
            const int64_t begins = has ? edgesOf[entry] : edges;
            const int vertex = has ? near()[entry] : 0;
            const int64_t windowEnd = low + WARP_SIZE < static_cast<unsigned>(size) ? edgesOf[low + WARP_SIZE] : edges;
            const int64_t stop = windowEnd < end ? windowEnd : end;
            if (has) {
                // all bits of this word belong to entries of this queue
                nearBits()[vertex / 32] = 0;
            }
            const Cost cost = has ? args.costs[vertex] : 0;
            const int64_t base = has ? args.ptrs[vertex] - begins + at : 0;
            const int begin = begins <= at ? 0 : begins < stop ? static_cast<int>(begins - at) : 1 << 30;
            relax_warp<RELAXED_AT_ONCE>(begin, base, cost, static_cast<int>(stop - at), true);
            at = stop;
            low += WARP_SIZE;
        }
        goOn_warp(batches);
        queueNear_warp();
        queueFar_warp(false);
    }

    /**
     * Relaxes count edges, of which the first belongs to the vertex of lane 0. The edges of a lane's vertex have the numbers
     * from begin to the begin of the next lane; edge i is the entry base + i.
     *
     * @tparam U edges per lane at once
     * @param reads whether costs are read before the atomic. That saves atomics, but costs time where a warp waits for little
     * else.
     */
    template <int U>
    __device__ __forceinline__ void relax_warp(int begin, int64_t base, Cost cost, int count, bool reads) {
        for (int at = 0; at < count; at += U * WARP_SIZE) {
            int neighbour[U];
            Cost through[U];
            Cost known[U];
#pragma unroll
            for (int u = 0; u < U; u++) {
                const int edge = at + u * WARP_SIZE + place.lane;
                int which = 0;
#pragma unroll
                for (int stride = WARP_SIZE / 2; stride > 0; stride /= 2) {
                    const int there = __shfl_sync(ALL_LANES, begin, which + stride);
                    which += there <= edge ? stride : 0;
                }
                const int64_t entry = __shfl_sync(ALL_LANES, base, which) + edge;
                const Cost costOf = __shfl_sync(ALL_LANES, cost, which);
                neighbour[u] = -1;
                through[u] = 0;
                if (edge < count) {
                    neighbour[u] = __ldg(args.idx + entry);
                    through[u] = Words::plus(
                            costOf, args.weights == nullptr ? static_cast<Weight>(1) : __ldg(args.weights + entry));
                }
            }
#pragma unroll
            for (int u = 0; u < U; u++) {
                // may be stale; the atomic decides what lowers the cost
                known[u] = neighbour[u] < 0 ? 0 : reads ? args.costs[neighbour[u]] : Words::UNREACHED_COST;
            }
#pragma unroll
            for (int u = 0; u < U; u++) {
                known[u] = through[u] < known[u] ? atomicMin(args.costs + neighbour[u], through[u]) : 0;
            }
#pragma unroll
            for (int u = 0; u < U; u++) {
                const bool improved = through[u] < known[u];
                addNear_warp(improved && through[u] < limit, neighbour[u], through[u]);
                addFar_warp(improved && through[u] >= limit, neighbour[u], false);
            }
        }
    }

    /** Relaxes batches of vertices that this warp has improved and no other thread has since. */
    __device__ __forceinline__ void goOn_warp(int batches) {
        for (int batch = 0; batch < batches && ringSize > 0; batch++) {
            const int taken = min(ringSize, WARP_SIZE);
            const bool has = place.lane < taken;
            const int at = (ringBegin + place.lane) % RING;
            const int vertex = has ? ring[at] : 0;
            const Cost cost = has ? ringCosts[at] : 0;
            __syncwarp();
            ringBegin = (ringBegin + taken) % RING;
            ringSize -= taken;
            const Cost now = has ? __ldcg(args.costs + vertex) : 0;
            const int64_t begin = has ? args.ptrs[vertex] : 0;
            const int64_t end = has ? args.ptrs[vertex + 1] : 0;
            // skip it if another thread has queued it at a lower cost
            const int64_t degree = now == cost ? end - begin : 0;
            const bool isLong = degree > WARP_DEGREE;
            const int mine = isLong ? 0 : static_cast<int>(degree);
            const int upTo = inclusiveSum_warp(mine, place.lane);
            const int total = __shfl_sync(ALL_LANES, upTo, WARP_SIZE - 1);
            queueNear_warp(isLong, vertex);
            if (total <= WARP_SIZE) {
                relax_warp<1>(upTo - mine, begin - (upTo - mine), cost, total, false);
            } else {
                relax_warp<RELAXED_AT_ONCE>(
                        upTo - mine, begin - (upTo - mine), cost, total, total > RELAXED_AT_ONCE * WARP_SIZE);
            }
        }
    }

    /** Appends vertices to the ring, with their costs. */
    __device__ __forceinline__ void addNear_warp(bool has, int vertex, Cost cost) {
        const unsigned lanes = __ballot_sync(ALL_LANES, has);
        if (lanes == 0) {
            return;
        }
        if (ringSize > RING - WARP_SIZE) {
            queueNear_warp();
        }
        if (has) {
            const int at = (ringBegin + ringSize + __popc(lanes & lowBits(place.lane))) % RING;
            ring[at] = vertex;
            ringCosts[at] = cost;
        }
        ringSize += __popc(lanes);
        __syncwarp();
    }

    /** Queues the vertices of the ring for the next step. */
    __device__ __forceinline__ void queueNear_warp() {
        for (int done = 0; done < ringSize; done += WARP_SIZE) {
            const bool has = done + place.lane < ringSize;
            queueNear_warp(has, has ? ring[(ringBegin + done + place.lane) % RING] : 0);
        }
        ringBegin = 0;
        ringSize = 0;
        __syncwarp();
    }

    __device__ __forceinline__ void queueNear_warp(bool has, int vertex) {
        if (!__any_sync(ALL_LANES, has)) {
            return;
        }
        const bool isNew = has && sets(nextBits(), vertex);
        // a vertex without edges needs no relaxation
        const int64_t degree = isNew ? args.ptrs[vertex + 1] - args.ptrs[vertex] : 0;
        const unsigned long long mine = static_cast<unsigned long long>(degree) << countBits | (degree > 0 ? 1 : 0);
        const unsigned long long upTo = inclusiveSum_warp(mine, place.lane);
        unsigned long long first = 0;
        if (place.lane == WARP_SIZE - 1 && upTo != 0) {
            first = atomicAdd(&queued->queued, upTo);
        }
        const unsigned long long to = __shfl_sync(ALL_LANES, first, WARP_SIZE - 1) + upTo - mine;
        if (degree > 0) {
            const auto index = static_cast<int64_t>(to & ((1ull << countBits) - 1));
            (swapped ? args.nearA : args.nearB)[index] = vertex;
            (swapped ? args.edgesA : args.edgesB)[index] = static_cast<int64_t>(to >> countBits);
        }
    }

    /** Sets the bit of a vertex; returns whether it was clear. */
    __device__ __forceinline__ bool sets(unsigned *bits, int vertex) const {
        return (__ldcg(bits + vertex / 32) & bitOf(vertex)) == 0
                && (atomicOr(bits + vertex / 32, bitOf(vertex)) & bitOf(vertex)) == 0;
    }

    /** Collects vertices for the far pile. splits: they come from the last pile. */
    __device__ __forceinline__ void addFar_warp(bool has, int vertex, bool splits) {
        const unsigned lanes = __ballot_sync(ALL_LANES, has);
        if (lanes == 0) {
            return;
        }
        if (farSize > RING - WARP_SIZE) {
            queueFar_warp(splits);
        }
        if (has) {
            farRing[farSize + __popc(lanes & lowBits(place.lane))] = vertex;
        }
        farSize += __popc(lanes);
        __syncwarp();
    }

    /** Appends the collected vertices to the far pile unless it contains them. */
    __device__ __forceinline__ void queueFar_warp(bool fromPile) {
        for (int done = 0; done < farSize; done += WARP_SIZE) {
            const bool has = done + place.lane < farSize;
            const int vertex = has ? farRing[done + place.lane] : 0;
            const bool isNew = has && (fromPile || sets(args.farBits, vertex));
            const unsigned lanes = __ballot_sync(ALL_LANES, isNew);
            unsigned first = 0;
            if (place.lane == 0 && lanes != 0) {
                first = atomicAdd(&piles->size, __popc(lanes));
            }
            first = __shfl_sync(ALL_LANES, first, 0);
            if (isNew) {
                farPile(fromPile)[first + __popc(lanes & lowBits(place.lane))] = vertex;
            }
        }
        farSize = 0;
        __syncwarp();
    }

    /** Moves the vertices below the limit from the far pile to the near queue, and the others to the next pile. */
    __device__ __forceinline__ void splitFar_grid(int count) {
        const int *const from = farPile(false);
        unsigned long long least = ~0ull;
        for (int64_t first = static_cast<int64_t>(place.warp) * WARP_SIZE; first < count; first += place.threads) {
            const bool has = first + place.lane < count;
            const int vertex = has ? from[first + place.lane] : 0;
            const Cost cost = has ? args.costs[vertex] : 0;
            const bool stays = has && cost >= limit;
            if (has && !stays) {
                atomicAnd(args.farBits + vertex / 32, ~bitOf(vertex));
            }
            // a vertex below the last limit has relaxed its edges in the meantime
            addNear_warp(has && !stays && cost >= before, vertex, cost);
            addFar_warp(stays, vertex, true);
            least = stays && cost < least ? cost : least;
        }
        queueNear_warp();
        queueFar_warp(true);
#pragma unroll
        for (int stride = WARP_SIZE / 2; stride > 0; stride /= 2) {
            const unsigned long long other = __shfl_xor_sync(ALL_LANES, least, stride);
            least = other < least ? other : least;
        }
        if (place.lane == 0 && ~least > __ldcg(&piles->least)) {
            atomicMax(&piles->least, ~least);
        }
    }
};

template <class Cost, class Weight>
__device__ __forceinline__ void nearFar(const NearFarArguments<Cost, Weight> &args) {
    extern __shared__ __align__(16) unsigned char sharedMemory[];
    GridBarrier barrier(args.control);
    NearFar<Cost, Weight, GridBarrier, StopWatch, true>(
            args, args.source, *reinterpret_cast<NearFarShared<Cost> *>(sharedMemory), Place::here(), barrier)
            .run(StopWatch(args.stopFlag, args.control));
}

}  // namespace proxima

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cub/block/block_scan.cuh>

#include "edges.cuh"
#include "long_lists.cuh"

// Operators over frontiers, from which traversals are composed: De Caro, Cordasco and Cosenza (SYgraph, ICPP 2025). A kernel is
// one cooperative launch that calls operators and synchronises the grid between them; SYgraph launches each operator as a
// kernel of its own. docs/decisions/0055; docs/modules/ROOT/pages/operators.adoc has a complete example.
//
//   for_grid       calls a functor for each vertex
//   collect_grid   for each word of a frontier: builds the buffer of offsets (section 4.3), and computes (section 3.1)
//   filter_grid    for each vertex of a collected frontier: removes the vertices for which a functor returns false
//   advance_grid   for each out-edge of a collected frontier: inserts the neighbours for which a functor returns true into
//                  another frontier
//
// Blocks have OPERATOR_THREADS threads. A frontier passes through these stages, with a synchronisation of the grid after each:
// insert, collect, filter (optional), advance. Afterwards it is empty, so two frontiers rotate and neither needs clearing.
// Supersteps holds both and synchronises. Functors run concurrently in many threads: they need atomics for what they write,
// unless only one thread writes it or all threads write the same value.
namespace proxima {

constexpr int OPERATOR_THREADS = 512;               // threads of a block
constexpr int WORD_VERTICES = 32;                   // vertices of a first-layer word: the lanes of a warp (section 4.3)
constexpr int LAYER_VERTICES = WORD_VERTICES * 32;  // vertices of a second-layer word
constexpr int GROUP_WORDS =
        OPERATOR_THREADS / WARP_SIZE;  // words that a block processes at once, at most: the coarsening factor
constexpr int GRID_LIST = 1 << 10;     // entries; a longer list is read by the whole grid, not by one block

HOST_CONSTANT(OPERATOR_GRID_LIST, GRID_LIST)
HOST_CONSTANT(LAYER_VERTICES, LAYER_VERTICES)

/** Adjacency lists in device memory. */
struct EdgeLists {
    const int64_t *ptrs;  // int64[n + 1]: first entry of each vertex in idx
    const int *idx;       // int[ptrs[n]]
};

/** A set of vertices as a two-layer bitmap (section 4.3), in device memory. It cannot hold duplicates (section 4.1). */
struct TwoLayerBitmap {
    unsigned *words;  // unsigned[bitWords(n)]: one bit per vertex
    unsigned *
            nonzero;  // unsigned[layerWords(n)]: one bit per word; set if the word is not zero, until the frontier is collected

    /** Called by any thread at any time between a synchronisation and the next collect_grid. */
    __device__ __forceinline__ void insert(int vertex) const {
        const int word = vertex / WORD_VERTICES;
        if ((__ldcg(words + word) & bitOf(vertex)) == 0 && atomicOr(words + word, bitOf(vertex)) == 0) {
            atomicOr(nonzero + word / 32, bitOf(word));
        }
    }
};

/** The length of a second layer, in words. */
__host__ __device__ constexpr int layerWords(int n) {
    return static_cast<int>((static_cast<int64_t>(n) + LAYER_VERTICES - 1) / LAYER_VERTICES);
}

/** The nonzero words of a frontier, as found by collect_grid. The order of offsets depends on scheduling. */
struct CollectedFrontier {
    unsigned *words;     // the words of the frontier
    const int *offsets;  // int[count]: indices of the nonzero words
    int count;
};

/** Shared memory of a block in advance_grid. */
struct AdvanceShared {
    using Scan = cub::BlockScan<unsigned long long, OPERATOR_THREADS>;

    typename Scan::TempStorage scan;
    int64_t first[OPERATOR_THREADS];  // first entry of each active vertex
    int vertex[OPERATOR_THREADS];
    int before[OPERATOR_THREADS];  // entries of the block's vertices before this one
};

/** The index of the warp, such that consecutive warps are in different blocks: few words then keep many blocks busy. */
__device__ __forceinline__ int spreadWarp() { return static_cast<int>(threadIdx.x / WARP_SIZE * gridDim.x + blockIdx.x); }

/** Calls functor(vertex) for all vertices. */
template <class Functor>
__device__ __forceinline__ void for_grid(int n, const Place &place, Functor functor) {
    for (int64_t vertex = place.thread; vertex < n; vertex += place.threads) {
        functor(static_cast<int>(vertex));
    }
}

/**
 * Stores the offsets of a frontier's nonzero words, and calls functor(vertex) for each of its vertices, which is the operator
 * compute. A warp takes a second-layer word and leaves it zero.
 *
 * @param count zero before the call; the number of offsets after the next synchronisation
 * @param united null, or a bit set that receives the frontier's vertices: unsigned[bitWords(n)]
 */
template <class Functor>
__device__ __forceinline__ void collect_grid(const TwoLayerBitmap &frontier, int *offsets, unsigned long long *count,
        unsigned *united, int n, const Place &place, Functor functor) {
    const int layer = layerWords(n);
    for (int64_t i = spreadWarp(); i < layer; i += place.warps) {
        const unsigned nonzero = frontier.nonzero[i];
        if (nonzero == 0) {
            continue;
        }
        // all lanes have read the word
        __syncwarp();
        int base = 0;
        if (place.lane == 0) {
            frontier.nonzero[i] = 0;
            base = static_cast<int>(atomicAdd(count, static_cast<unsigned long long>(__popc(nonzero))));
        }
        base = __shfl_sync(ALL_LANES, base, 0);
        const int word = static_cast<int>(i) * 32 + place.lane;
        const bool has = (nonzero >> place.lane & 1) != 0;
        const unsigned bits = has ? frontier.words[word] : 0;
        if (has) {
            offsets[base + __popc(nonzero & lowBits(place.lane))] = word;
            if (united != nullptr) {
                united[word] |= bits;
            }
        }
        for (unsigned left = nonzero; left != 0; left &= left - 1) {
            const int owner = __ffs(left) - 1;
            const unsigned ofOwner = __shfl_sync(ALL_LANES, bits, owner);
            if ((ofOwner >> place.lane & 1) != 0) {
                functor((static_cast<int>(i) * 32 + owner) * WORD_VERTICES + place.lane);
            }
        }
    }
}

/** Removes the vertices for which functor(vertex) returns false, in place. A warp takes a word. */
template <class Functor>
__device__ __forceinline__ void filter_grid(const CollectedFrontier &frontier, const Place &place, Functor functor) {
    for (int64_t i = spreadWarp(); i < frontier.count; i += place.warps) {
        const int word = frontier.offsets[i];
        const bool has = (frontier.words[word] >> place.lane & 1) != 0;
        const unsigned kept = __ballot_sync(ALL_LANES, has && functor(word * WORD_VERTICES + place.lane));
        if (place.lane == 0) {
            frontier.words[word] = kept;
        }
    }
}

/**
 * Calls the functor for up to U edges per lane and inserts the neighbours for which it returns true. Edge first[u] belongs to
 * vertex source[u]; it exists if has[u].
 */
template <int U, class Functor>
__device__ __forceinline__ void advanceEdges(const EdgeLists &lists, const TwoLayerBitmap &out, const int (&source)[U],
        const int64_t (&edge)[U], const bool (&has)[U], Functor functor) {
    int neighbour[U];
    bool passes[U];
#pragma unroll
    for (int u = 0; u < U; u++) {
        neighbour[u] = has[u] ? __ldg(lists.idx + edge[u]) : -1;
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
        passes[u] = has[u] && functor(source[u], neighbour[u], edge[u]);
    }
#pragma unroll
    for (int u = 0; u < U; u++) {
        if (passes[u]) {
            out.insert(neighbour[u]);
        }
    }
}

/**
 * Calls functor(source, neighbour, edge) for each out-edge of a frontier, and inserts the neighbours for which it returns true
 * into another frontier. The first frontier is empty afterwards.
 *
 * Workgroup mapping (section 4.2): a block takes as many words as keep all blocks busy, up to GROUP_WORDS (the coarsening
 * factor). Its threads compact the active vertices into shared memory and then share their edges evenly. advanceLong_grid
 * processes the lists longer than GRID_LIST.
 */
template <class Functor>
__device__ __forceinline__ void advance_grid(const EdgeLists &lists, const CollectedFrontier &frontier,
        const TwoLayerBitmap &out, const LongLists &longLists, AdvanceShared &shared, Functor functor) {
    constexpr int U = 4;
    constexpr int COUNT_BITS = 32;
    const int blocks = static_cast<int>(gridDim.x);
    const int perBlock = (frontier.count + blocks - 1) / blocks;
    const int words = perBlock < GROUP_WORDS ? perBlock : GROUP_WORDS;
    const int warp = threadIdx.x / WARP_SIZE;
    const int lane = threadIdx.x % WARP_SIZE;
    // consecutive words go to different blocks, because hubs may be neighbours
    for (int64_t begin = blockIdx.x; begin < frontier.count; begin += static_cast<int64_t>(blocks) * words) {
        const int64_t mine = begin + static_cast<int64_t>(warp) * blocks;
        const bool takes = warp < words && mine < frontier.count;
        const int word = takes ? frontier.offsets[mine] : 0;
        const unsigned bits = takes ? frontier.words[word] : 0;
        __syncwarp();
        if (takes && lane == 0) {
            frontier.words[word] = 0;
        }
        const int vertex = word * WORD_VERTICES + lane;
        const bool active = (bits >> lane & 1) != 0;
        const int64_t first = active ? __ldg(lists.ptrs + vertex) : 0;
        int64_t length = active ? __ldg(lists.ptrs + vertex + 1) - first : 0;
        const bool isLong = length > GRID_LIST;
        longLists.add_warp(vertex, isLong ? length : 0, lane);
        length = isLong ? 0 : length;
        // upper half: number of vertices with edges; lower half: number of edges
        const unsigned long long own = length == 0 ? 0 : 1ull << COUNT_BITS | static_cast<unsigned long long>(length);
        unsigned long long before;
        unsigned long long all;
        AdvanceShared::Scan(shared.scan).ExclusiveSum(own, before, all);
        if (length != 0) {
            const int at = static_cast<int>(before >> COUNT_BITS);
            shared.vertex[at] = vertex;
            shared.first[at] = first;
            shared.before[at] = static_cast<int>(before);
        }
        __syncthreads();
        const int vertices = static_cast<int>(all >> COUNT_BITS);
        const int edges = static_cast<int>(all);
        for (int base = threadIdx.x; base < edges; base += U * OPERATOR_THREADS) {
            int source[U];
            int64_t edge[U];
            bool has[U];
#pragma unroll
            for (int u = 0; u < U; u++) {
                const int rank = base + u * OPERATOR_THREADS;
                has[u] = rank < edges;
                int low = 0;
                for (int high = vertices; high - low > 1;) {
                    const int middle = (low + high) / 2;
                    const bool isBefore = shared.before[middle] <= rank;
                    low = isBefore ? middle : low;
                    high = isBefore ? high : middle;
                }
                source[u] = shared.vertex[low];
                edge[u] = shared.first[low] + (rank - shared.before[low]);
            }
            advanceEdges<U>(lists, out, source, edge, has, functor);
        }
        __syncthreads();
    }
}

/** Processes the lists that advance_grid has left to the whole grid; called after a synchronisation. */
template <class Functor>
__device__ __forceinline__ void advanceLong_grid(const EdgeLists &lists, const LongLists &longLists,
        unsigned long long total, const TwoLayerBitmap &out, const Place &place, Functor functor) {
    constexpr int U = 4;
    forLongLists_grid<U>(
            longLists, total, lists.ptrs, place, [&](const int(&source)[U], const int64_t(&edge)[U], const bool(&has)[U]) {
                advanceEdges<U>(lists, out, source, edge, has, functor);
            });
}

/** The arrays of a traversal's two frontiers, in device memory. */
struct FrontierArrays {
    unsigned *wordsA;    // unsigned[bitWords(n)]
    unsigned *nonzeroA;  // unsigned[layerWords(n)]
    unsigned *wordsB;
    unsigned *nonzeroB;
    int *offsets;        // int[bitWords(n)]
    int *longLists;      // int[edges / GRID_LIST]
    int64_t *longEdges;  // int64[edges / GRID_LIST]
};

/**
 * A traversal in supersteps (section 3): two frontiers that rotate, and a synchronisation of the grid after each operator. One
 * object per thread. All threads of the grid call each method.
 */
class Supersteps {
    /** The counts of a superstep. */
    struct Counts {
        unsigned long long offsets;    // of the collected frontier
        unsigned long long longLists;  // see LongLists
    };
    static_assert(PhasedCounters<Counts>::LEAVES_BARRIER, "counters must not overlap the barrier");

    struct Saved {
        int step;
        int phase;
        int swapped;
    };

    const EdgeLists lists;
    const FrontierArrays &arrays;
    RunControl *const control;
    PhasedCounters<Counts> counters;
    AdvanceShared &shared;
    const Place place = Place::here();
    GridBarrier barrier;
    TwoLayerBitmap frontier;
    TwoLayerBitmap next;
    const int n;
    int step = 0;

public:
    __device__ Supersteps(
            const EdgeLists &lists, const FrontierArrays &arrays, RunControl *control, AdvanceShared &shared, int n)
        : lists(lists), arrays(arrays), control(control), counters(control), shared(shared),
          barrier(control), frontier{arrays.wordsA, arrays.nonzeroA}, next{arrays.wordsB, arrays.nonzeroB}, n(n) {}

    /** The number of advances so far. */
    __device__ __forceinline__ int steps() const { return step; }

    /** Empties both frontiers. */
    __device__ __forceinline__ void begin_grid() {
        const int64_t wordBytes = static_cast<int64_t>(bitWords(n)) * sizeof(unsigned);
        const int64_t layerBytes = static_cast<int64_t>(layerWords(n)) * sizeof(unsigned);
        fill_grid(arrays.wordsA, wordBytes, 0, place);
        fill_grid(arrays.wordsB, wordBytes, 0, place);
        fill_grid(arrays.nonzeroA, layerBytes, 0, place);
        fill_grid(arrays.nonzeroB, layerBytes, 0, place);
        barrier.sync();
    }

    /** Inserts vertexAt(0) to vertexAt(count - 1) into the first frontier. */
    template <class VertexAt>
    __device__ __forceinline__ void insert_grid(int count, VertexAt vertexAt) {
        for_grid(count, place, [&](int i) { frontier.insert(vertexAt(i)); });
        barrier.sync();
    }

    /** Collects the frontier and calls functor(vertex) for each vertex. united: as in collect_grid, or null. */
    template <class Functor>
    __device__ __forceinline__ void collect_grid(unsigned *united, Functor functor) {
        proxima::collect_grid(frontier, arrays.offsets, &counters->offsets, united, n, place, functor);
        barrier.sync();
    }

    /** The collected frontier; the same in all threads. Its count is 0 if it is empty. */
    __device__ __forceinline__ CollectedFrontier collected() const {
        return {frontier.words, arrays.offsets, static_cast<int>(__ldcg(&counters->offsets))};
    }

    /** Removes the vertices of the collected frontier for which functor(vertex) returns false. */
    template <class Functor>
    __device__ __forceinline__ void filter_grid(Functor functor) {
        proxima::filter_grid(collected(), place, functor);
        barrier.sync();
    }

    /** Advances the collected frontier. The result becomes the current frontier, which is not collected yet. */
    template <class Functor>
    __device__ __forceinline__ void advance_grid(Functor functor) {
        const CollectedFrontier from = collected();
        step++;
        counters.next(place.thread);
        const LongLists longLists = {arrays.longLists, arrays.longEdges, &counters->longLists};
        proxima::advance_grid(lists, from, next, longLists, shared, functor);
        barrier.sync();
        const unsigned long long total = __ldcg(longLists.total);
        if (total != 0) {
            advanceLong_grid(lists, longLists, total, next, place, functor);
            barrier.sync();
        }
        swap(frontier, next);
    }

    /** Synchronises the grid, for work of a kernel between two operators. */
    __device__ __forceinline__ void synchronise_grid() { barrier.sync(); }

    /** Saves the state of the traversal after a collect_grid; called by one thread of the grid. */
    __device__ __forceinline__ void pause() const {
        *Paused<Saved>(control) = {step, counters.phase(), frontier.words == arrays.wordsB ? 1 : 0};
        barrier.pause();
    }

    /** Restores the state after the last collect_grid of a paused launch. */
    __device__ __forceinline__ void resume() {
        const Saved &saved = *Paused<Saved>(control);
        step = saved.step;
        counters.resume(saved.phase);
        barrier.resume();
        if (saved.swapped != 0) {
            swap(frontier, next);
        }
    }
};

}  // namespace proxima

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include <cub/block/block_scan.cuh>

#include "edges.cuh"

// Top-down breadth-first search over CSR with queues compacted by prefix sums: Merrill, Garland and Grimshaw, "Scalable GPU
// graph traversal" (PPoPP 2012), section 5. An edge queue holds the neighbours of a level before their status lookup, with
// duplicates. A vertex queue holds the neighbours that remain after it, without duplicates.
//
//   bfs_merrill_expand_contract_grid   5.1: vertex queue to vertex queue; neighbours are looked up as they are gathered
//   bfs_merrill_contract_expand_grid   5.2: edge queue to edge queue
//   bfs_merrill_two_phase_grid         5.3: edge queue to vertex queue, then to edge queue, with a synchronisation between
//   bfs_merrill_hybrid_grid            5.4: 5.2 for edge queues of no more entries than the grid has threads, else 5.3
//
// One cooperative launch a run, blocks of MERRILL_THREADS. Arrays over vertices are in slots.
//   reads   ptrs[n + 1] idx[ptrs[n]]  out-neighbours
//           sources[sourceCount] without repeats, stopTargets[stopTargetCount], stopFlag[1] or null
//   writes  levels[n]                 hops from the nearest source, -1 if not reached or beyond the end of the run
//           mask[bitWords(n) * 4]     bytes; a set bit means visited, a clear bit means nothing
//           vertices[n]               the vertex queues of all levels, one after the other; null in 5.2
//           edges[ptrs[n] + sourceCount]   the edge queues of all levels, one after the other; null in 5.1
//           control                   persistent.cuh; level, stopped and paused are results
//   gives   levels equal for every grid and every order of work
//   limits  entries < 2^(64 - LOOSE_BITS)
//
// Gathering (section 4.1): the block gathers lists of at least MERRILL_THREADS entries, a warp those of at least WARP_SIZE
// entries, and a gather vector in shared memory the loose ends of all threads. Status lookup (section 4.2): a bitmask updated
// without atomics, warp culling and history culling, then the label. Prefix sums in the block determine places in a queue, and
// the block reserves its part of the queue by one addition per tile.
//
// Differences from the paper:
//   - Labels are claimed by compare-and-swap, not by a store, so of the duplicates that culling misses one survives. A vertex
//     is thus expanded once a run, and one array of n or m entries holds the queues of all levels. The paper has two arrays of
//     each kind, and duplicates can exhaust any capacity.
//   - A level is a step of one launch, because a launch with its readback costs more than a synchronisation of the grid.
//   - A short queue is divided among all blocks; a long one is divided into tiles that blocks take at their own rate (4.1,
//     "tile stealing"). A tile of vertices is spread over the queue, because a few adjacent vertices may have most edges.
//   - The lane that commands a warp is chosen by a vote, not by a race.
namespace proxima {

constexpr int MERRILL_THREADS = 512;
constexpr int MERRILL_WARPS = MERRILL_THREADS / WARP_SIZE;
constexpr int CONTRACT_ENTRIES = 8;  // entries of the edge queue per thread of a tile
constexpr int GATHERED_ENTRIES = 4;  // entries of the gather vector per thread
constexpr int GATHER_ENTRIES = GATHERED_ENTRIES * MERRILL_THREADS;
constexpr int CULL_ENTRIES = 128;      // entries of a warp's hash table; a power of two
constexpr int HISTORY_ENTRIES = 4096;  // entries of a block's history; a power of two
constexpr int LOOSE_BITS = 14;         // bits of the number of loose ends of a tile of vertices
static_assert(MERRILL_THREADS * (WARP_SIZE - 1) < 1 << LOOSE_BITS, "a loose end has fewer entries than a warp has lanes");

struct MerrillArguments : SearchHead {
    const int64_t *ptrs;
    const int *idx;
    unsigned char *mask;
    int *vertices;
    int *edges;
};

enum class Strategy { EXPAND_CONTRACT, CONTRACT_EXPAND, TWO_PHASE, HYBRID };

/** A run as seen by one thread. */
template <Strategy STRATEGY>
class Merrill {
    using Scan = cub::BlockScan<unsigned long long, MERRILL_THREADS, cub::BLOCK_SCAN_WARP_SCANS>;

    /** The counts of a step. */
    struct Counts {
        unsigned long long edges;
        unsigned long long vertices;
        unsigned long long tiles;
    };
    static_assert(PhasedCounters<Counts>::LEAVES_BARRIER, "counters must not overlap the barrier");

    static constexpr bool QUEUES_EDGES = STRATEGY != Strategy::EXPAND_CONTRACT;

public:
    /** Shared memory of a block. */
    struct Shared {
        int64_t gather[GATHER_ENTRIES];         // entries of loose ends
        int history[HISTORY_ENTRIES];           // vertices that the block has looked up
        int cull[MERRILL_WARPS][CULL_ENTRIES];  // vertices, then lanes
        typename Scan::TempStorage scan;
        unsigned long long reserved;  // the block's place in a queue
        unsigned long long tile;
        int64_t from;  // the list that the block gathers
        int64_t length;
        unsigned long long to;
        int commander;
    };

private:
    const MerrillArguments &args;
    const Place place;
    RunControl *const control;
    PhasedCounters<Counts> counters;
    Shared &shared;
    unsigned long long edgesBegin = 0;
    unsigned long long edgesEnd = 0;
    int verticesBegin = 0;
    int verticesEnd = 0;
    int level = 0;
    int reportedLevel = -1;  // the last level that this thread has reported

    struct Saved {
        uint64_t edgesBegin;
        uint64_t edgesEnd;
        int verticesBegin;
        int verticesEnd;
        int level;
        int phase;
    };

public:
    __device__ Merrill(const MerrillArguments &args, Shared &shared)
        : args(args), place(Place::here()), control(args.control), counters(args.control), shared(shared) {}

    __device__ void run() {
        GridBarrier grid(control);
        StopWatch watch(args.stopFlag, control);
        for (int i = threadIdx.x; i < HISTORY_ENTRIES; i += MERRILL_THREADS) {
            shared.history[i] = -1;
        }
        __syncthreads();
        if (control->resumes != 0) {
            const Saved &saved = *Paused<Saved>(control);
            edgesBegin = saved.edgesBegin;
            edgesEnd = saved.edgesEnd;
            verticesBegin = saved.verticesBegin;
            verticesEnd = saved.verticesEnd;
            level = saved.level;
            counters.resume(saved.phase);
            grid.resume();
        } else {
            begin_grid(grid, watch);
        }
        while (!empty() && level != args.maxDepth && !watch.seen(level)
                && !targetReached_grid(args.stopTargets, args.stopTargetCount, args.levels, control, place)) {
            level++;
            if (place.thread == 0) {
                watch.look(level);
            }
            level_grid(grid);
        }
        if (place.thread == 0 && !empty() && level != args.maxDepth && watch.pauses(level)) {
            *Paused<Saved>(control) = {edgesBegin, edgesEnd, verticesBegin, verticesEnd, level, counters.phase()};
            grid.pause();
            watch.pause();
        }
    }

private:
    __device__ __forceinline__ bool empty() const {
        return QUEUES_EDGES ? edgesBegin == edgesEnd : verticesBegin == verticesEnd;
    }

    /** The entries that the last step appended become the queue. */
    __device__ __forceinline__ void takeEdges() {
        edgesBegin = edgesEnd;
        edgesEnd += __ldcg(&counters->edges);
    }

    __device__ __forceinline__ void takeVertices() {
        verticesBegin = verticesEnd;
        verticesEnd += static_cast<int>(__ldcg(&counters->vertices));
    }

    /** Clears the state and builds the first queue: the sources are the edge queue or the vertex queue of level 0. */
    __device__ __forceinline__ void begin_grid(GridBarrier &grid, StopWatch &watch) {
        fill_grid(args.levels, static_cast<int64_t>(args.n) * sizeof(int), 0xff, place);
        fill_grid(args.mask, bitWords(args.n) * 4LL, 0, place);
        int *const queue = QUEUES_EDGES ? args.edges : args.vertices;
        for (int64_t i = place.thread; i < args.sourceCount; i += place.threads) {
            queue[i] = args.sourceCount == 1 ? args.onlySource : args.sources[i];
        }
        if (place.thread == 0) {
            watch.look(0);
        }
        grid.sync();
        if constexpr (QUEUES_EDGES) {
            edgesEnd = args.sourceCount;
            level_grid(grid);
        } else {
            verticesEnd = args.sourceCount;
            for (int64_t i = place.thread; i < args.sourceCount; i += place.threads) {
                args.levels[__ldcg(queue + i)] = 0;
            }
            grid.sync();
        }
    }

    /** Finds the vertices of a level, and those neighbours of them that the next level looks up. */
    __device__ __forceinline__ void level_grid(GridBarrier &grid) {
        counters.next(place.thread);
        if constexpr (STRATEGY == Strategy::EXPAND_CONTRACT) {
            expandContract_grid();
            grid.sync();
            takeVertices();
        } else {
            const bool fuses = STRATEGY == Strategy::CONTRACT_EXPAND
                    || (STRATEGY == Strategy::HYBRID
                            && edgesEnd - edgesBegin <= static_cast<unsigned long long>(place.threads));
            if (!fuses) {
                contract_grid();
                grid.sync();
                takeVertices();
                counters.next(place.thread);
            }
            if (!fuses && level != args.maxDepth) {
                expand_grid();
            } else if (fuses) {
                contractExpand_grid();
            }
            grid.sync();
            takeEdges();
        }
    }

    /** One of `tiles` pieces of a queue, of up to `part` entries. */
    struct Tile {
        unsigned long long index;
        unsigned long long tiles;
        int part;
    };

    /**
     * Assigns size entries of a queue to the blocks, in tiles of at most `most` entries: visit_block(tile). A short queue is
     * divided evenly, because a few vertices may have many neighbours.
     */
    template <class Visit>
    __device__ __forceinline__ void forTiles_grid(unsigned long long size, int most, Visit visit) {
        if (size == 0) {
            return;
        }
        const unsigned long long even = (size + gridDim.x - 1) / gridDim.x;
        const int part = even < most ? static_cast<int>(even) : most;
        const unsigned long long tiles = (size + part - 1) / part;
        const bool steals = tiles > gridDim.x;
        for (unsigned long long at = blockIdx.x; at < tiles;) {
            unsigned long long next = tiles;
            if (threadIdx.x == 0 && steals) {
                // issued now, needed after the tile
                next = gridDim.x + atomicAdd(&counters->tiles, 1ull);
            }
            visit(Tile{at, tiles, part});
            if (!steals) {
                return;
            }
            if (threadIdx.x == 0) {
                shared.tile = next;
            }
            __syncthreads();
            at = shared.tile;
            __syncthreads();
        }
    }

    /**
     * Assigns the vertex queue to the blocks, one vertex per thread: visit_block(from, length) with its list, which is empty
     * for threads without a vertex. A tile takes vertices from all over the queue, because hubs are adjacent in it if vertices
     * are in order of degree.
     */
    template <class Visit>
    __device__ __forceinline__ void forVertices_grid(Visit visit) {
        const unsigned long long size = verticesEnd - verticesBegin;
        forTiles_grid(size, MERRILL_THREADS, [&](const Tile &tile) {
            const unsigned long long index = threadIdx.x * tile.tiles + tile.index;
            int64_t from = 0;
            int64_t length = 0;
            if (static_cast<int>(threadIdx.x) < tile.part && index < size) {
                const int vertex = __ldcg(args.vertices + verticesBegin + index);
                from = args.ptrs[vertex];
                length = args.ptrs[vertex + 1] - from;
            }
            visit(from, length);
        });
    }

    /**
     * Section 4.2: sets neighbours that are visited or duplicates to -1, as far as that is known without the label. Never
     * removes all duplicates of an unvisited vertex, because a culled one has seen the trace of one that was kept.
     */
    template <int N>
    __device__ __forceinline__ void cull_warp(int (&neighbour)[N]) const {
        unsigned seen[N];
#pragma unroll
        for (int i = 0; i < N; i++) {
            seen[i] = neighbour[i] >= 0 ? args.mask[neighbour[i] / 8] : 0;
        }
#pragma unroll
        for (int i = 0; i < N; i++) {
            const unsigned bit = 1u << (neighbour[i] & 7);
            if (neighbour[i] >= 0 && (seen[i] & bit) == 0) {
                // lost updates in either direction are harmless
                args.mask[neighbour[i] / 8] = static_cast<unsigned char>(seen[i] | bit);
            } else {
                neighbour[i] = -1;
            }
        }
        bool any = false;
#pragma unroll
        for (int i = 0; i < N; i++) {
            any = any || neighbour[i] >= 0;
        }
        if (!__any_sync(ALL_LANES, any)) {
            return;
        }
        volatile int *const slots = shared.cull[threadIdx.x / WARP_SIZE];
        bool vies[N];
#pragma unroll
        for (int i = 0; i < N; i++) {
            if (neighbour[i] >= 0) {
                slots[neighbour[i] & (CULL_ENTRIES - 1)] = neighbour[i];
            }
        }
        __syncwarp();
#pragma unroll
        for (int i = 0; i < N; i++) {
            vies[i] = neighbour[i] >= 0 && slots[neighbour[i] & (CULL_ENTRIES - 1)] == neighbour[i];
        }
        __syncwarp();
#pragma unroll
        for (int i = 0; i < N; i++) {
            if (vies[i]) {
                slots[neighbour[i] & (CULL_ENTRIES - 1)] = i * WARP_SIZE + place.lane;
            }
        }
        __syncwarp();
        volatile int *const history = shared.history;
#pragma unroll
        for (int i = 0; i < N; i++) {
            if (vies[i] && slots[neighbour[i] & (CULL_ENTRIES - 1)] != i * WARP_SIZE + place.lane) {
                neighbour[i] = -1;
            }
            if (neighbour[i] >= 0) {
                volatile int *const last = history + (neighbour[i] & (HISTORY_ENTRIES - 1));
                if (*last == neighbour[i]) {
                    neighbour[i] = -1;
                } else {
                    *last = neighbour[i];
                }
            }
        }
        __syncwarp();
    }

    /** Labels unlabelled neighbours, and sets the others to -1. */
    template <int N>
    __device__ __forceinline__ void claim(int (&neighbour)[N]) const {
        int label[N];
#pragma unroll
        for (int i = 0; i < N; i++) {
            label[i] = neighbour[i] >= 0 ? atomicCAS(args.levels + neighbour[i], UNREACHED, level) : 0;
        }
#pragma unroll
        for (int i = 0; i < N; i++) {
            neighbour[i] = label[i] == UNREACHED ? neighbour[i] : -1;
        }
    }

    /** Reports that the level has a vertex, once per level. */
    __device__ __forceinline__ void report() {
        if (reportedLevel != level) {
            reportedLevel = level;
            control->level = level;
        }
    }

    /** Reserves places in a queue for the block and returns the first. The block synchronises between two calls. */
    __device__ __forceinline__ unsigned long long reserve_block(unsigned long long &counter, unsigned long long count) {
        if (threadIdx.x == 0) {
            shared.reserved = atomicAdd(&counter, count);
        }
        __syncthreads();
        return shared.reserved;
    }

    /** Looks up a neighbour each N times, and appends those that remain to the vertex queue. */
    template <int N>
    __device__ __forceinline__ void contract_block(int (&neighbour)[N]) {
        cull_warp(neighbour);
        claim(neighbour);
        unsigned long long mine = 0;
#pragma unroll
        for (int i = 0; i < N; i++) {
            mine += neighbour[i] >= 0 ? 1 : 0;
        }
        unsigned long long at;
        unsigned long long total;
        Scan(shared.scan).ExclusiveSum(mine, at, total);
        if (total != 0) {
            at += verticesEnd + reserve_block(counters->vertices, total);
#pragma unroll
            for (int i = 0; i < N; i++) {
                if (neighbour[i] >= 0) {
                    args.vertices[at++] = neighbour[i];
                }
            }
            if (threadIdx.x == 0) {
                report();
            }
        }
        __syncthreads();
    }

    /** Section 5.3, the second kernel. */
    __device__ __forceinline__ void contract_grid() {
        const unsigned long long size = edgesEnd - edgesBegin;
        forTiles_grid(size, CONTRACT_ENTRIES * MERRILL_THREADS, [&](const Tile &tile) {
            const unsigned long long first = tile.index * tile.part;
            const int count = static_cast<int>(size - first < tile.part ? size - first : tile.part);
            int neighbour[CONTRACT_ENTRIES];
#pragma unroll
            for (int i = 0; i < CONTRACT_ENTRIES; i++) {
                const int index = i * MERRILL_THREADS + static_cast<int>(threadIdx.x);
                neighbour[i] = index < count ? __ldcg(args.edges + edgesBegin + first + index) : -1;
            }
            contract_block(neighbour);
        });
    }

    /** Section 5.3, the first kernel. */
    __device__ __forceinline__ void expand_grid() {
        forVertices_grid([&](int64_t from, int64_t length) { expand_block(from, length); });
    }

    /** Section 5.2. */
    __device__ __forceinline__ void contractExpand_grid() {
        const unsigned long long size = edgesEnd - edgesBegin;
        forTiles_grid(size, MERRILL_THREADS, [&](const Tile &tile) {
            const unsigned long long index = tile.index * tile.part + threadIdx.x;
            int neighbour[1] = {static_cast<int>(threadIdx.x) < tile.part && index < size
                            ? __ldcg(args.edges + edgesBegin + index)
                            : -1};
            cull_warp(neighbour);
            // load these while the label is claimed
            int64_t from = 0;
            int64_t length = 0;
            if (neighbour[0] >= 0) {
                from = args.ptrs[neighbour[0]];
                length = args.ptrs[neighbour[0] + 1] - from;
            }
            claim(neighbour);
            if (neighbour[0] >= 0) {
                report();
            }
            expand_block(from, neighbour[0] >= 0 && level != args.maxDepth ? length : 0);
        });
    }

    /**
     * Appends the lists of all threads to the edge queue (section 4.1). One prefix sum over pairs covers both the lists that
     * the block or a warp gathers and the loose ends (5.2: "we overlap these prefix sums").
     */
    __device__ __forceinline__ void expand_block(int64_t from, int64_t length) {
        const bool loose = length < WARP_SIZE;
        unsigned long long at;
        unsigned long long total;
        Scan(shared.scan).ExclusiveSum(static_cast<unsigned long long>(length) << (loose ? 0 : LOOSE_BITS), at, total);
        if (total == 0) {
            __syncthreads();
            return;
        }
        const unsigned long long longEntries = total >> LOOSE_BITS;
        const int looseEntries = static_cast<int>(total & ((1 << LOOSE_BITS) - 1));
        int *const to = args.edges + edgesEnd + reserve_block(counters->edges, longEntries + looseEntries);
        if (longEntries != 0) {
            int64_t rest = loose ? 0 : length;
            gatherWide_block(from, rest, at >> LOOSE_BITS,
                    [&](int64_t first, int64_t count, unsigned long long place) { copy_block(first, count, to + place); });
            copyNarrow_warp(from, static_cast<int>(rest), to + (at >> LOOSE_BITS));
        }
        int *const looseTo = to + longEntries;
        gatherLoose_block(from, loose ? static_cast<int>(length) : 0, static_cast<int>(at & ((1 << LOOSE_BITS) - 1)),
                looseEntries, [&](int done, int count) {
                    int neighbour[GATHERED_ENTRIES];
                    loadGathered(count, neighbour);
#pragma unroll
                    for (int i = 0; i < GATHERED_ENTRIES; i++) {
                        const int index = i * MERRILL_THREADS + static_cast<int>(threadIdx.x);
                        if (index < count) {
                            looseTo[done + index] = neighbour[i];
                        }
                    }
                });
        __syncthreads();
    }

    /** Loads the neighbours to which the gather vector refers. */
    __device__ __forceinline__ void loadGathered(int count, int (&neighbour)[GATHERED_ENTRIES]) const {
#pragma unroll
        for (int i = 0; i < GATHERED_ENTRIES; i++) {
            const int index = i * MERRILL_THREADS + static_cast<int>(threadIdx.x);
            neighbour[i] = index < count ? __ldg(args.idx + shared.gather[index]) : -1;
        }
    }

    __device__ __forceinline__ void copy_block(int64_t from, int64_t length, int *to) const {
#pragma unroll 4
        for (int64_t i = threadIdx.x; i < length; i += MERRILL_THREADS) {
            to[i] = __ldg(args.idx + from + i);
        }
    }

    /** Copies the lists of all lanes, two lists at a time, so that a lane has four entries in flight. */
    __device__ __forceinline__ void copyNarrow_warp(int64_t from, int length, int *to) const {
        for (unsigned votes = __ballot_sync(ALL_LANES, length != 0); votes != 0;) {
            const int *list[2];
            int *place[2];
            int count[2];
#pragma unroll
            for (int k = 0; k < 2; k++) {
                const int commander = votes == 0 ? 0 : __ffs(votes) - 1;
                list[k] = args.idx + __shfl_sync(ALL_LANES, from, commander);
                place[k] =
                        reinterpret_cast<int *>(__shfl_sync(ALL_LANES, reinterpret_cast<unsigned long long>(to), commander));
                count[k] = __shfl_sync(ALL_LANES, length, commander);
                count[k] = votes == 0 ? 0 : count[k];
                votes &= votes - 1;
            }
            for (int i = this->place.lane; i - this->place.lane < max(count[0], count[1]); i += 2 * WARP_SIZE) {
                int neighbour[2][2];
#pragma unroll
                for (int k = 0; k < 4; k++) {
                    const int index = i + k / 2 * WARP_SIZE;
                    neighbour[k % 2][k / 2] = index < count[k % 2] ? __ldg(list[k % 2] + index) : 0;
                }
#pragma unroll
                for (int k = 0; k < 4; k++) {
                    const int index = i + k / 2 * WARP_SIZE;
                    if (index < count[k % 2]) {
                        place[k % 2][index] = neighbour[k % 2][k / 2];
                    }
                }
            }
        }
    }

    /**
     * Gathers lists of at least MERRILL_THREADS entries: visit_block(from, length, at). A thread enlists the block by winning a
     * race. length becomes 0 for lists that were visited.
     */
    template <class Visit>
    __device__ __forceinline__ void gatherWide_block(int64_t from, int64_t &length, unsigned long long at, Visit visit) {
        while (__syncthreads_or(length >= MERRILL_THREADS)) {
            if (length >= MERRILL_THREADS) {
                shared.commander = threadIdx.x;
            }
            __syncthreads();
            if (shared.commander == static_cast<int>(threadIdx.x)) {
                shared.from = from;
                shared.length = length;
                shared.to = at;
                length = 0;
            }
            __syncthreads();
            visit(shared.from, shared.length, shared.to);
        }
    }

    /** Gathers loose ends: visit_block(done, count) for each filling of the gather vector, which begins at entry `done`. */
    template <class Visit>
    __device__ __forceinline__ void gatherLoose_block(int64_t from, int length, int at, int entries, Visit visit) {
        int next = 0;
        for (int done = 0; done < entries; done += GATHER_ENTRIES) {
            for (; next < length && at + next < done + GATHER_ENTRIES; next++) {
                shared.gather[at + next - done] = from + next;
            }
            __syncthreads();
            visit(done, entries - done < GATHER_ENTRIES ? entries - done : GATHER_ENTRIES);
            __syncthreads();
        }
    }

    /**
     * Section 5.1. A prefix sum in the warp places the lists that a warp gathers. Warps have different numbers of such lists,
     * so they cannot take part in a prefix sum of the block.
     */
    __device__ __forceinline__ void expandContract_grid() {
        forVertices_grid([&](int64_t from, int64_t length) {
            const bool loose = length < WARP_SIZE;
            int64_t rest = loose ? 0 : length;
            gatherWide_block(from, rest, 0,
                    [&](int64_t first, int64_t count, unsigned long long) { contractList_block(first, count); });
            for (unsigned votes = __ballot_sync(ALL_LANES, rest != 0); votes != 0; votes &= votes - 1) {
                const int commander = __ffs(votes) - 1;
                contractList_warp(
                        __shfl_sync(ALL_LANES, from, commander), static_cast<int>(__shfl_sync(ALL_LANES, rest, commander)));
            }
            unsigned long long at;
            unsigned long long total;
            Scan(shared.scan).ExclusiveSum(loose ? static_cast<unsigned long long>(length) : 0, at, total);
            gatherLoose_block(from, loose ? static_cast<int>(length) : 0, static_cast<int>(at), static_cast<int>(total),
                    [&](int, int count) {
                        int neighbour[GATHERED_ENTRIES];
                        loadGathered(count, neighbour);
                        contract_block(neighbour);
                    });
            __syncthreads();
        });
    }

    __device__ __forceinline__ void contractList_block(int64_t from, int64_t length) {
        for (int64_t done = 0; done < length; done += GATHER_ENTRIES) {
            int neighbour[GATHERED_ENTRIES];
#pragma unroll
            for (int i = 0; i < GATHERED_ENTRIES; i++) {
                const int64_t index = done + i * MERRILL_THREADS + threadIdx.x;
                neighbour[i] = index < length ? __ldg(args.idx + from + index) : -1;
            }
            contract_block(neighbour);
        }
    }

    __device__ __forceinline__ void contractList_warp(int64_t from, int length) {
        for (int done = 0; done < length; done += WARP_SIZE) {
            int neighbour[1] = {done + place.lane < length ? __ldg(args.idx + from + done + place.lane) : -1};
            cull_warp(neighbour);
            claim(neighbour);
            const unsigned found = __ballot_sync(ALL_LANES, neighbour[0] >= 0);
            if (found == 0) {
                continue;
            }
            unsigned long long at = 0;
            if (place.lane == 0) {
                at = verticesEnd + atomicAdd(&counters->vertices, static_cast<unsigned long long>(__popc(found)));
                report();
            }
            at = __shfl_sync(ALL_LANES, at, 0) + __popc(found & lowBits(place.lane));
            if (neighbour[0] >= 0) {
                args.vertices[at] = neighbour[0];
            }
        }
    }
};

template <Strategy STRATEGY>
__device__ __forceinline__ void bfsMerrill(const MerrillArguments &args) {
    __shared__ typename Merrill<STRATEGY>::Shared shared;
    Merrill<STRATEGY>(args, shared).run();
    leave_grid(args.control, args.report);
}

}  // namespace proxima

#define BFS_MERRILL_ENTRY(NAME, STRATEGY)                                                                                   \
    extern "C" __global__ void __launch_bounds__(proxima::MERRILL_THREADS, 2)                                               \
            NAME(const __grid_constant__ proxima::MerrillArguments args) {                                                  \
        proxima::bfsMerrill<proxima::Strategy::STRATEGY>(args);                                                             \
    }

BFS_MERRILL_ENTRY(bfs_merrill_expand_contract_grid, EXPAND_CONTRACT)
BFS_MERRILL_ENTRY(bfs_merrill_contract_expand_grid, CONTRACT_EXPAND)
BFS_MERRILL_ENTRY(bfs_merrill_two_phase_grid, TWO_PHASE)
BFS_MERRILL_ENTRY(bfs_merrill_hybrid_grid, HYBRID)

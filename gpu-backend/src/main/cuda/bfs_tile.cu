// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include "edges.cuh"
#include "long_lists.cuh"
#include "tile_matrix.cuh"

// Breadth-first search over a matrix of bitmask tiles: TileBFS of Ji et al. (TileSpMSpV, ICPP 2022), section 3.4.
//
//   bfs_tile_nt32_grid, bfs_tile_nt64_grid
//
// One cooperative launch a run, blocks of TILE_THREADS. Arrays over vertices, sources and stopTargets are in slots. A vector
// has one word of NT bits per tile column.
//   reads   out and in, the matrices of out-edges and in-edges, equal if the graph is symmetric; sources[sourceCount] without
//           repeats, stopTargets[stopTargetCount], stopFlag[1] or null
//   writes  levels[n]                                   hops from the nearest source, -1 if not reached
//           mask, frontierA, frontierB [tile columns]   vectors: the visited vertices, and two frontiers that rotate
//           listA, listB [tile columns]                 sparse forms of the frontiers (section 3.2.3): their nonzero words
//           longParts[tiles / LONG_TILES]               rows and columns of tiles that the whole grid processes
//           longLists longEdges [rest / LONG_REST]      lists of the rest that the whole grid processes
//           control                                     persistent.cuh; level, stopped, paused, bottomUpLevels are results
//   gives   levels equal for every grid and every order of work
//
// A level first settles the frontier (sets its bits in the mask and writes its levels), then multiplies by it in one of three
// ways:
//   Push-CSC   (algorithm 5) A warp takes a word of the frontier. Its lanes take the tiles of that tile column and combine the
//              words of the columns that are in the frontier.
//   Push-CSR   (algorithm 6) A warp takes a row of tiles, and of these the tiles whose columns have a frontier. A lane takes a
//              row.
//   Pull-CSC   (algorithm 7) A warp takes a word of unvisited vertices, one vertex after the other. Its lanes take the tiles
//              of the row, and the warp stops at the first parent.
// The first two push the rest of the matrix from the frontier as well; the third pulls it. Invariants: the mask is constant
// during a multiplication, so a bit that is found belongs to this level. The bits behind the last vertex are set in the mask.
namespace proxima {

constexpr int TILE_THREADS = 512;
constexpr int LONG_TILES = 256;  // tiles; a row or column of at least this many is processed by the whole grid (section 3.4)
constexpr int LONG_REST = 1 << 8;         // entries; a list of the rest of at least this many is processed by the whole grid
constexpr int TILES_A_PART = 32;          // tiles of a long row or column that a warp takes at once
constexpr float SPARSE_FRONTIER = 0.01f;  // a frontier of less than this share of the vertices is sparse (section 3.4)
constexpr float PULL_SHARE = 0.5f;        // pull while the unvisited vertices are at most this share of the frontier

HOST_CONSTANT(LONG_TILES, LONG_TILES)
HOST_CONSTANT(LONG_REST, LONG_REST)

struct TileSearchArguments : SearchHead {
    const int64_t *outTilePtrs;
    const int *outTileRows;
    const unsigned *outWords;  // of type Word, as all vectors
    const int64_t *outRestPtrs;
    const int *outRestRows;
    const int64_t *inTilePtrs;
    const int *inTileRows;
    const unsigned *inWords;
    const int64_t *inRestPtrs;
    const int *inRestRows;
    unsigned *mask;
    unsigned *frontierA;
    unsigned *frontierB;
    int *listA;
    int *listB;
    int *longParts;
    int *longLists;
    int64_t *longEdges;
    int reachable;  // number of vertices with in-edges
};

__device__ __forceinline__ int bitCount(unsigned word) { return __popc(word); }
__device__ __forceinline__ int bitCount(unsigned long long word) { return __popcll(word); }
__device__ __forceinline__ int lowestBit(unsigned word) { return __ffs(word) - 1; }
__device__ __forceinline__ int lowestBit(unsigned long long word) { return __ffsll(word) - 1; }

/** A vector and its sparse form. */
template <class Word>
struct TileVector {
    Word *words;
    int *list;  // indices of the nonzero words
};

/** A run as seen by one thread. */
template <class Word>
class TileSearch {
    static constexpr int NT = TILE_SIDE<Word>;
    static constexpr int HALVES = NT / WARP_SIZE;  // vertices of a word per lane

    enum class Method { PUSH_CSC, PUSH_CSR, PULL_CSC };

    /** The counts of a level. */
    struct Counts {
        unsigned long long listed;  // words of the frontier
        unsigned long long
                activeAndParts;        // its vertices in the low ACTIVE_BITS bits, long parts that the level found above
        unsigned long long longLists;  // see LongLists
    };
    static constexpr int ACTIVE_BITS = 32;
    static_assert(PhasedCounters<Counts>::LEAVES_BARRIER, "counters must not overlap the barrier");

    struct Saved {
        int level;
        int phase;
        int swapped;
        int visited;
    };

    const TileSearchArguments &args;
    const TileMatrix<Word> out;
    const TileMatrix<Word> in;
    const Place place;
    RunControl *const control;
    PhasedCounters<Counts> counters;
    GridBarrier barrier;
    const int columns;
    Word *const mask;
    TileVector<Word> frontier;
    TileVector<Word> next;
    int level = 0;
    int visited = 0;

public:
    explicit __device__ TileSearch(const TileSearchArguments &args)
        : args(args), out{args.outTilePtrs, args.outTileRows, reinterpret_cast<const Word *>(args.outWords),
                              args.outRestPtrs, args.outRestRows},
          in{args.inTilePtrs, args.inTileRows, reinterpret_cast<const Word *>(args.inWords), args.inRestPtrs,
                  args.inRestRows},
          place(Place::here()), control(args.control), counters(args.control), barrier(args.control),
          columns(tileColumns<Word>(args.n)),
          mask(reinterpret_cast<Word *>(args.mask)), frontier{reinterpret_cast<Word *>(args.frontierA), args.listA},
          next{reinterpret_cast<Word *>(args.frontierB), args.listB} {}

    __device__ void run() {
        StopWatch watch(args.stopFlag, control);
        if (control->resumes != 0) {
            resume();
        } else {
            begin_grid(watch);
        }
        int listed;
        for (;;) {
            listed = listedWords();
            if (listed != 0 && place.thread == 0) {
                control->level = level;
            }
            if (listed == 0 || level == args.maxDepth || watch.seen(level)
                    || targetReached_grid(args.stopTargets, args.stopTargetCount, args.levels, control, place)) {
                break;
            }
            const int active = static_cast<int>(__ldcg(&counters->activeAndParts));
            visited += active;
            level++;
            counters.next(place.thread);
            if (place.thread == 0) {
                watch.look(level);
            }
            multiply_grid(choose(active), listed);
            swap(frontier, next);
            settle_grid(listed);
        }
        if (listed != 0 && level != args.maxDepth && watch.pauses(level) && place.thread == 0) {
            *Paused<Saved>(control) = {level, counters.phase(), frontier.list == args.listB ? 1 : 0, visited};
            barrier.pause();
            watch.pause();
        }
    }

private:
    __device__ __forceinline__ void resume() {
        const Saved &saved = *Paused<Saved>(control);
        level = saved.level;
        visited = saved.visited;
        counters.resume(saved.phase);
        barrier.resume();
        if (saved.swapped != 0) {
            swap(frontier, next);
        }
    }

    __device__ __forceinline__ int listedWords() const { return static_cast<int>(__ldcg(&counters->listed)); }

    __device__ __forceinline__ int spreadWarp() const {
        return static_cast<int>(threadIdx.x / WARP_SIZE * gridDim.x + blockIdx.x);
    }

    __device__ __forceinline__ bool isVisited(int vertex) const { return (mask[vertex / NT] >> (vertex % NT) & 1) != 0; }

    __device__ __forceinline__ void begin_grid(StopWatch &watch) {
        fill_grid(args.levels, static_cast<int64_t>(args.n) * sizeof(int), 0xff, place);
        for (int64_t i = place.thread; i < columns; i += place.threads) {
            const int64_t behind = (i + 1) * NT - args.n;
            mask[i] = behind <= 0 ? 0 : static_cast<Word>(~Word(0) << (NT - behind));
            frontier.words[i] = 0;
            next.words[i] = 0;
        }
        barrier.sync();
        for (int64_t i = place.thread; i < args.sourceCount; i += place.threads) {
            insert(frontier, args.sources[i] / NT, Word(1) << (args.sources[i] % NT));
        }
        if (place.thread == 0) {
            watch.look(0);
        }
        barrier.sync();
        settle_grid(0);
    }

    /** Adds bits to a word of a vector, and appends the word to the list if it was zero, by the level's counter. */
    __device__ __forceinline__ void insert(const TileVector<Word> &vector, int at, Word bits) const {
        if (atomicOr(vector.words + at, bits) == 0) {
            vector.list[atomicAdd(&counters->listed, 1ull)] = at;
        }
    }

    /**
     * Visits the frontier: sets its bits in the mask, writes its levels and counts it. Synchronises.
     *
     * @param before words of the frontier before, which is cleared to become the next one
     */
    __device__ __forceinline__ void settle_grid(int before) {
        for (int64_t i = place.thread; i < before; i += place.threads) {
            next.words[next.list[i]] = 0;
        }
        const int listed = listedWords();
        unsigned active = 0;
        for (int64_t i = spreadWarp(); i < listed; i += place.warps) {
            const int at = frontier.list[i];
            const Word bits = frontier.words[at];
            if (place.lane == 0) {
                mask[at] |= bits;
            }
#pragma unroll
            for (int h = 0; h < HALVES; h++) {
                const int bit = h * WARP_SIZE + place.lane;
                if ((bits >> bit & 1) != 0) {
                    args.levels[at * NT + bit] = level;
                }
            }
            active += bitCount(bits);
        }
        // active is the same in all lanes
        if (place.lane == 0 && active != 0) {
            atomicAdd(&counters->activeAndParts, static_cast<unsigned long long>(active));
        }
        barrier.sync();
    }

    /** The rules of section 3.4. "Few unvisited vertices" has the meaning that the authors' program gives it. */
    __device__ __forceinline__ Method choose(int active) const {
        const int unvisited = args.reachable > visited ? args.reachable - visited : 0;
        if (static_cast<float>(unvisited) <= PULL_SHARE * static_cast<float>(active)) {
            return Method::PULL_CSC;
        }
        return static_cast<float>(active) < SPARSE_FRONTIER * static_cast<float>(args.n) ? Method::PUSH_CSC
                                                                                         : Method::PUSH_CSR;
    }

    /** Multiplies the frontier into the next one. Synchronises. */
    __device__ __forceinline__ void multiply_grid(Method method, int listed) {
        if (method == Method::PULL_CSC) {
            if (place.thread == 0) {
                control->bottomUpLevels++;
            }
            pull_grid();
        } else {
            push_grid(method == Method::PUSH_CSC, listed);
            if (method == Method::PUSH_CSR) {
                pushRows_grid();
            }
        }
        barrier.sync();
        const int parts = static_cast<int>(__ldcg(&counters->activeAndParts) >> ACTIVE_BITS);
        const unsigned long long lists = __ldcg(&counters->longLists);
        if (parts != 0 || lists != 0) {
            if (method == Method::PULL_CSC) {
                multiplyLongLists_grid<true>(lists);
            } else {
                multiplyLongTiles_grid(method == Method::PUSH_CSC, parts);
                multiplyLongLists_grid<false>(lists);
            }
            barrier.sync();
        }
    }

    /** Leaves a row or column of tiles to the whole grid. */
    __device__ __forceinline__ void leaveToGrid(int part) const {
        args.longParts[atomicAdd(&counters->activeAndParts, 1ull << ACTIVE_BITS) >> ACTIVE_BITS] = part;
    }

    __device__ __forceinline__ LongLists longLists() const { return {args.longLists, args.longEdges, &counters->longLists}; }

    __device__ __forceinline__ void push_grid(bool tiles, int listed) const {
        for (int64_t i = spreadWarp(); i < listed; i += place.warps) {
            const int at = frontier.list[i];
            const Word bits = frontier.words[at];
            if (tiles) {
                const int64_t first = __ldg(out.tilePtrs + at);
                const int64_t end = __ldg(out.tilePtrs + at + 1);
                if (end - first > LONG_TILES) {
                    if (place.lane == 0) {
                        leaveToGrid(at);
                    }
                } else {
                    pushColumn_warp(bits, first, end);
                }
            }
            pushRest_warp(at, bits);
        }
    }

    /** Algorithm 5 for tiles of one column. */
    __device__ __forceinline__ void pushColumn_warp(Word bits, int64_t first, int64_t end) const {
        for (int64_t tile = first + place.lane; tile < end; tile += WARP_SIZE) {
            const int row = __ldg(out.tileRows + tile);
            const Word free = ~mask[row];
            if (free == 0) {
                continue;
            }
            Word sum = 0;
            for (Word left = bits; left != 0; left &= left - 1) {
                sum |= __ldg(out.words + tile * NT + lowestBit(left));
            }
            sum &= free;
            if (sum != 0) {
                insert(next, row, sum);
            }
        }
    }

    __device__ __forceinline__ void pushEdge(int neighbour) const {
        const int at = neighbour / NT;
        const Word bit = Word(1) << (neighbour % NT);
        if ((mask[at] & bit) == 0 && (__ldcg(next.words + at) & bit) == 0) {
            insert(next, at, bit);
        }
    }

    /** The rest of a word's columns; lanes share it evenly. */
    __device__ __forceinline__ void pushRest_warp(int at, Word bits) const {
#pragma unroll
        for (int h = 0; h < HALVES; h++) {
            const int vertex = at * NT + h * WARP_SIZE + place.lane;
            const bool active = (bits >> (h * WARP_SIZE + place.lane) & 1) != 0;
            int64_t first = active ? __ldg(out.restPtrs + vertex) : 0;
            const int64_t entries = active ? __ldg(out.restPtrs + vertex + 1) - first : 0;
            const bool isLong = entries > LONG_REST;
            longLists().add_warp(vertex, isLong ? entries : 0, place.lane);
            const int length = isLong ? 0 : static_cast<int>(entries);
            const int upToMine = inclusiveSum_warp(length, place.lane);
            const int all = __shfl_sync(ALL_LANES, upToMine, WARP_SIZE - 1);
            // such that first plus the rank of an entry is its place
            first -= upToMine - length;
            for (int base = 0; base < all; base += WARP_SIZE) {
                const int rank = base + place.lane;
                // the owner is the first lane whose entries end behind the rank
                int owner = 0;
#pragma unroll
                for (int step = WARP_SIZE / 2; step > 0; step /= 2) {
                    const int end = __shfl_sync(ALL_LANES, upToMine, owner + step - 1);
                    owner += end <= rank ? step : 0;
                }
                const int64_t from = __shfl_sync(ALL_LANES, first, owner);
                if (rank < all) {
                    pushEdge(__ldg(out.restRows + from + rank));
                }
            }
        }
    }

    __device__ __forceinline__ void pushRows_grid() const {
        for (int64_t i = spreadWarp(); i < columns; i += place.warps) {
            const int row = static_cast<int>(i);
            if (mask[row] == ~Word(0)) {
                continue;
            }
            const int64_t first = __ldg(in.tilePtrs + row);
            const int64_t end = __ldg(in.tilePtrs + row + 1);
            if (end - first > LONG_TILES) {
                if (place.lane == 0) {
                    leaveToGrid(row);
                }
            } else {
                pushRow_warp(row, first, end);
            }
        }
    }

    /** Algorithm 6 for tiles of one row. */
    __device__ __forceinline__ void pushRow_warp(int row, int64_t first, int64_t end) const {
        const Word free = ~mask[row];
        Word found = 0;
        for (int64_t base = first; base < end && found != free; base += WARP_SIZE) {
            const int64_t tile = base + place.lane;
            const Word mine = tile < end ? frontier.words[__ldg(in.tileRows + tile)] : 0;
            for (unsigned left = __ballot_sync(ALL_LANES, mine != 0); left != 0 && found != free; left &= left - 1) {
                const int owner = __ffs(left) - 1;
                const Word x = __shfl_sync(ALL_LANES, mine, owner);
#pragma unroll
                for (int h = 0; h < HALVES; h++) {
                    const Word word = __ldg(in.words + (base + owner) * NT + h * WARP_SIZE + place.lane);
                    const unsigned hits = __ballot_sync(ALL_LANES, (word & x) != 0);
                    found |= static_cast<Word>(hits) << (h * WARP_SIZE) & free;
                }
            }
        }
        if (place.lane == 0 && found != 0) {
            insert(next, row, found);
        }
    }

    __device__ __forceinline__ void pull_grid() const {
        for (int64_t i = spreadWarp(); i < columns; i += place.warps) {
            const int row = static_cast<int>(i);
            const Word free = ~mask[row];
            if (free == 0) {
                continue;
            }
            const int64_t first = __ldg(in.tilePtrs + row);
            const int64_t end = __ldg(in.tilePtrs + row + 1);
            Word found = 0;
#pragma unroll
            for (int h = 0; h < HALVES; h++) {
                found |= static_cast<Word>(pullHalf_warp(row, static_cast<unsigned>(free >> (h * WARP_SIZE)), h, first, end))
                        << (h * WARP_SIZE);
            }
            if (place.lane == 0 && found != 0) {
                insert(next, row, found);
            }
        }
    }

    /** Returns which of 32 unvisited vertices have a parent among the tiles of their row or in the rest. */
    __device__ __forceinline__ unsigned pullHalf_warp(int row, unsigned free, int half, int64_t first, int64_t end) const {
        const bool asks = (free >> place.lane & 1) != 0;
        const int vertex = row * NT + half * WARP_SIZE + place.lane;
        const int64_t restFirst = asks ? __ldg(in.restPtrs + vertex) : 0;
        const int64_t restEnd = asks ? __ldg(in.restPtrs + vertex + 1) : 0;
        unsigned found = 0;
        for (unsigned left = __ballot_sync(ALL_LANES, asks && (first < end || restFirst < restEnd)); left != 0;
                left &= left - 1) {
            const int owner = __ffs(left) - 1;
            const int64_t from = __shfl_sync(ALL_LANES, restFirst, owner);
            const int64_t to = __shfl_sync(ALL_LANES, restEnd, owner);
            const bool isLong = to - from > LONG_REST;
            const bool inTiles = pullTiles_warp(half * WARP_SIZE + owner, first, end);
            const bool hit = inTiles || (!isLong && pullRest_warp(from, to));
            longLists().add_warp(vertex, !hit && isLong && place.lane == owner ? to - from : 0, place.lane);
            found |= hit ? 1u << owner : 0;
        }
        return found;
    }

    /** Algorithm 7: returns whether a row of tiles has a parent for one of its vertices. */
    __device__ __forceinline__ bool pullTiles_warp(int bit, int64_t first, int64_t end) const {
        bool hit = false;
        for (int64_t base = first; base < end && !hit; base += WARP_SIZE) {
            const int64_t tile = base + place.lane;
            hit = __any_sync(
                    ALL_LANES, tile < end && (__ldg(in.words + tile * NT + bit) & mask[__ldg(in.tileRows + tile)]) != 0);
        }
        return hit;
    }

    __device__ __forceinline__ bool pullRest_warp(int64_t first, int64_t end) const {
        bool hit = false;
        for (int64_t base = first; base < end && !hit; base += WARP_SIZE) {
            const int64_t entry = base + place.lane;
            hit = __any_sync(ALL_LANES, entry < end && isVisited(__ldg(in.restRows + entry)));
        }
        return hit;
    }

    /** Processes the rows or columns of tiles that warps have left to the whole grid. */
    __device__ __forceinline__ void multiplyLongTiles_grid(bool columnwise, int count) const {
        const int64_t *const ptrs = columnwise ? out.tilePtrs : in.tilePtrs;
        // each part begins with the warp after the last warp of the part before
        int taken = 0;
        for (int i = 0; i < count; i++) {
            const int part = __ldcg(args.longParts + i);
            const int64_t begin = __ldg(ptrs + part);
            const int64_t end = __ldg(ptrs + part + 1);
            const int warp = spreadWarp() - taken;
            const int64_t step = warp < 0 ? warp + place.warps : warp;
            taken = static_cast<int>((taken + (end - begin + TILES_A_PART - 1) / TILES_A_PART) % place.warps);
            for (int64_t first = begin + step * TILES_A_PART; first < end;
                    first += static_cast<int64_t>(place.warps) * TILES_A_PART) {
                const int64_t partEnd = first + TILES_A_PART < end ? first + TILES_A_PART : end;
                if (columnwise) {
                    pushColumn_warp(frontier.words[part], first, partEnd);
                } else {
                    pushRow_warp(part, first, partEnd);
                }
            }
        }
    }

    /** Processes the lists of the rest that warps have left to the whole grid. */
    template <bool PULLS>
    __device__ __forceinline__ void multiplyLongLists_grid(unsigned long long total) const {
        constexpr int U = 2;
        const int *const rows = PULLS ? in.restRows : out.restRows;
        forLongLists_grid<U>(longLists(), total, PULLS ? in.restPtrs : out.restPtrs, place,
                [&](const int(&vertex)[U], const int64_t(&entry)[U], const bool(&has)[U]) {
                    int row[U];
#pragma unroll
                    for (int u = 0; u < U; u++) {
                        row[u] = has[u] ? __ldg(rows + entry[u]) : 0;
                    }
#pragma unroll
                    for (int u = 0; u < U; u++) {
                        if (has[u] && (!PULLS || isVisited(row[u]))) {
                            pushEdge(PULLS ? vertex[u] : row[u]);
                        }
                    }
                });
    }
};

}  // namespace proxima

extern "C" __global__ void __launch_bounds__(proxima::TILE_THREADS, 2)
        bfs_tile_nt32_grid(const __grid_constant__ proxima::TileSearchArguments args) {
    proxima::TileSearch<unsigned>(args).run();
    proxima::leave_grid(args.control, args.report);
}

extern "C" __global__ void __launch_bounds__(proxima::TILE_THREADS, 2)
        bfs_tile_nt64_grid(const __grid_constant__ proxima::TileSearchArguments args) {
    proxima::TileSearch<unsigned long long>(args).run();
    proxima::leave_grid(args.control, args.report);
}

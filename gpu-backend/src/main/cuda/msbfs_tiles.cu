// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include "persistent.cuh"
#include "tiles.cuh"

// Sums over searches from every slot of a graph of large diameter: kappa = 128 neighbouring slots per batch, several batches at
// once. The slots are arranged in positions so that neighbours in the graph are close (balls of kappa, which consist of balls
// of a tile). The searches of a batch then pass a slot at nearly the same level, and only the tiles at the frontier are
// visited.
//
//   msbfs_tiles_k128_grid
//   msbfs_tiles_add_thread        adds the results of a launch to the sums of the slots
//
// One cooperative launch for the batches from *nextBatch (inclusive) to lastBatch (exclusive), blocks of BLOCK_THREADS in
// groups of equal size. A group takes one batch after another, and none after the launch has run for nanos. Batch b has the
// sources at positions b kappa to min(n, (b + 1) kappa) - 1. A tile is 4096 / kappa positions, which a warp reads in one
// instruction. Positions from n to the end of the last tile have no neighbours.
//   reads   columnPtrs[tiles + 1]            int64: first column of each tile
//           columns[columnPtrs[tiles] * tile positions]    a position with an edge to this one; the position itself if there
//                                            are no more
//           nearPtrs[tiles + 1] near[nearPtrs[tiles]]  int64: the other tiles with an edge from a position of this one, and
//                                            which of its positions have one; a tile may be listed more than once
//           inPtrs[n + 1] inIdx              in-lists by slot, for entries beyond the columns: a tile with TILE_COLUMNS columns
//                                            holds only that many entries of each list
//           slotAt[n] positionOf[n]          the slot at each position, the position of each slot
//           stopFlag[1]
//   writes  sums by slot, but far and reach by position, because the slots of a tile are far apart in memory
//           state[groups]                    see TileState; all but the queues are zeroed by the host before the launch. bits,
//                                            marks and full are zero again at its end
//           nextBatch[1]                     raised: all batches before it have been searched; it may exceed lastBatch
//           control                          persistent.cuh; stopped; paused; level: the deepest of all batches; overflow:
//                                            COUNTS_TOO_SHALLOW; work: tiles visited
//   gives   sums equal for every grid. If only levelCounts are wanted, a search ends one level after their window
//   ends    with the last batch, the time limit, or the stop flag. A pause ends the launch with the current level, and a launch
//           with the same arguments and state resumes the batches
//
// Invariant: both buffers are equal for a tile that the last level did not change. A tile that it changed is visited in the
// next level, which at least copies it. Between two batches, the bits, marks and full of a group are zero.
//
// A tile is full once every source of the batch has reached all of it. That saves visits if the graph is connected.
namespace proxima {

/** The counts of a level. */
struct TileCounts {
    int queued;  // tiles for the next level
    int asked;   // what the watch returned: 0, STOP or PAUSE
};

/** The state of a group; the barrier is in a memory sector of its own. */
struct alignas(64) TileGroup {
    TileCounts counts[PhasedCounters<TileCounts>::PHASES];
    int batch;
    int pausedAt;  // the last level of a paused batch, plus 1; 0 if no batch is paused
    alignas(32) BarrierState barrier;
};

/** The arrays of a group: group g has the g-th part of each. */
struct TileState {
    uint4 *bitsA;         // [tiles * WARP_SIZE]
    uint4 *bitsB;         // [tiles * WARP_SIZE]
    int *marks;           // [tiles] the last level for which the tile was queued
    unsigned char *full;  // [tiles] whether every source has reached every position of the tile
    int *queueA;          // [tiles]
    int *queueB;          // [tiles]
    TileGroup *groupStates;
};

HOST_CONSTANT(TILE_GROUP_BYTES, sizeof(TileGroup))
HOST_CONSTANT(TILE_BYTES, WARP_SIZE * sizeof(uint4))

struct TileArguments : BatchHead {
    const int64_t *columnPtrs;
    const int *columns;
    const int64_t *nearPtrs;
    const NearTile *near;
    const int64_t *inPtrs;
    const int *inIdx;
    const int *slotAt;
    const int *positionOf;
    TileState state;
    int *nextBatch;
    int64_t nanos;
    int tiles;
    int groups;
    int lastBatch;

    /** The level with which a search ends at the latest. */
    __device__ __forceinline__ int lastLevel() const { return onlyCountsLevels() ? firstLevel + levelCapacity : INT32_MAX; }
};

class TileBfs {
    static constexpr int POSITIONS = WARP_SIZE;  // positions of a tile: a lane holds the row of one
    static constexpr int SOURCES = 128;
    static constexpr int UNROLL = 8;                  // columns whose rows are in flight
    static constexpr int REST_UNROLL = 4;             // entries beyond the columns whose rows are in flight
    static constexpr int64_t REST_PORTION = 1 << 14;  // entries beyond the columns between two checks of the stop flag

    const TileArguments &args;
    RunControl *const control;
    const int lane;
    const int group;
    const int blocks;  // blocks of the group
    const int warp;    // index in the group
    const int warps;
    TileState state;
    TileGroup &groupState;
    PhasedCounters<TileCounts> counters;
    GridBarrier barrier;  // synchronises the group

    /** Queues the tile for a level unless it is queued; called by the lanes with a tile. */
    __device__ __forceinline__ void queue(bool wanted, int tile, int level, int *to, int *size) const {
        const bool mine = wanted && atomicExch(state.marks + tile, level) != level;
        const unsigned all = __ballot_sync(ALL_LANES, mine);
        if (all == 0) {
            return;
        }
        int base = 0;
        if (lane == 0) {
            base = atomicAdd(size, __popc(all));
        }
        base = __shfl_sync(ALL_LANES, base, 0);
        if (mine) {
            to[base + __popc(all & ((1u << lane) - 1))] = tile;
        }
    }

    /** Queues the tile, and the tiles near it to which one of the positions has an edge. */
    __device__ __forceinline__ void queueAround(int tile, unsigned positions, int level, int *to, int *size) const {
        const int64_t begin = __ldg(args.nearPtrs + tile);
        const int64_t end = __ldg(args.nearPtrs + tile + 1);
        // place base - 1 stands for the tile itself
        for (int64_t base = begin - 1; base < end; base += WARP_SIZE) {
            const int64_t at = base + lane;
            int other = tile;
            bool wanted = at == begin - 1;
            if (at >= begin && at < end) {
                const int2 near = __ldg(reinterpret_cast<const int2 *>(args.near) + at);
                other = near.x;
                wanted = (static_cast<unsigned>(near.y) & positions) != 0 && state.full[other] == 0;
            }
            queue(wanted, other, level, to, size);
        }
    }

    /** Returns whether a source of the mask has not reached the position. */
    static __device__ __forceinline__ bool isLacking(const uint4 &mask, const uint4 &have) {
        return any(andNot(mask, have));
    }

    /** Gathers the entries of open positions beyond the columns; all lanes share one list after another. */
    __device__ __forceinline__ void gatherRest(
            int position, bool open, const uint4 *in, const uint4 &mask, uint4 &acc) const {
        int64_t begin = 0;
        int64_t end = 0;
        if (open) {
            const int slot = __ldg(args.slotAt + position);
            begin = __ldg(args.inPtrs + slot) + TILE_COLUMNS;
            end = __ldg(args.inPtrs + slot + 1);
        }
        unsigned owners = __ballot_sync(ALL_LANES, begin < end);
        while (owners != 0) {
            const int owner = __ffs(owners) - 1;
            owners &= owners - 1;
            const int64_t to = __shfl_sync(ALL_LANES, end, owner);
            int64_t entry = __shfl_sync(ALL_LANES, begin, owner) + lane;
            uint4 got = make_uint4(0, 0, 0, 0);
            bool stopping = false;
            // ends early once no source is missing, or if the host requests a stop
            for (int64_t portion = entry - lane; portion < to && !stopping; portion += REST_PORTION) {
                const int64_t portionEnd = min(to, portion + REST_PORTION);
                for (; entry < portionEnd; entry += POSITIONS * REST_UNROLL) {
                    uint4 rows[REST_UNROLL];
#pragma unroll
                    for (int i = 0; i < REST_UNROLL; i++) {
                        const int64_t at = entry + i * POSITIONS;
                        rows[i] = at < portionEnd ? in[__ldg(args.positionOf + __ldg(args.inIdx + at))]
                                                  : make_uint4(0, 0, 0, 0);
                    }
#pragma unroll
                    for (int i = 0; i < REST_UNROLL; i++) {
                        got = got | rows[i];
                    }
                }
                __syncwarp();
#pragma unroll
                for (int step = WARP_SIZE / 2; step > 0; step /= 2) {
                    got = got | shuffleXor_warp(got, step);
                }
                const bool asked = lane == 0 && args.stopFlag != nullptr && portionEnd < to
                        && *static_cast<const volatile int *>(args.stopFlag) != 0;
                stopping = __any_sync(ALL_LANES, asked) || !__any_sync(ALL_LANES, isLacking(mask, got));
            }
            if (lane == owner) {
                acc = acc | got;
            }
        }
    }

    /** Adds count sources, which newly reach a position at a level, to its sums. */
    __device__ __forceinline__ void add(int position, int level, int count) const {
        if (args.far != nullptr) {
            atomicAdd(args.far + position, static_cast<unsigned long long>(level) * count);
        }
        if (args.reach != nullptr) {
            atomicAdd(args.reach + position, static_cast<unsigned long long>(count));
        }
        if (args.depths == nullptr && args.levelCounts == nullptr) {
            return;
        }
        const int slot = __ldg(args.slotAt + position);
        if (args.depths != nullptr) {
            atomicMax(args.depths + slot, level);
        }
        const int window = level - args.firstLevel;
        if (args.levelCounts != nullptr && window >= 0 && window < args.levelCapacity) {
            atomicAdd(args.levelCounts + static_cast<int64_t>(window) * args.n + slot, static_cast<unsigned>(count));
        }
    }

    __device__ __forceinline__ void visit(
            int tile, int level, const uint4 *in, uint4 *out, const uint4 &mask, int *to, int *size, unsigned &pairs) const {
        const int64_t at = static_cast<int64_t>(tile) * WARP_SIZE + lane;
        const int position = tile * POSITIONS + lane;
        const int64_t begin = __ldg(args.columnPtrs + tile);
        const int64_t end = __ldg(args.columnPtrs + tile + 1);
        const uint4 old = in[at];
        const unsigned lacking = __ballot_sync(ALL_LANES, position < args.n && isLacking(mask, old));
        if (lacking == 0) {
            out[at] = old;
            return;
        }
        const bool open = (lacking >> lane & 1) != 0;
        const int *const column = args.columns + lane;
        uint4 acc = old;
        for (int64_t c = begin; c < end; c += UNROLL) {
            int from[UNROLL];
#pragma unroll
            for (int i = 0; i < UNROLL; i++) {
                from[i] = open && c + i < end ? __ldg(column + (c + i) * POSITIONS) : position;
            }
            uint4 rows[UNROLL];
#pragma unroll
            for (int i = 0; i < UNROLL; i++) {
                rows[i] = from[i] != position ? in[from[i]] : make_uint4(0, 0, 0, 0);
            }
#pragma unroll
            for (int i = 0; i < UNROLL; i++) {
                acc = acc | rows[i];
            }
        }
        if (end - begin == TILE_COLUMNS) {
            gatherRest(position, open, in, mask, acc);
        }
        out[at] = acc;
        const int count = bits(andNot(acc, old));
        const unsigned changed = __ballot_sync(ALL_LANES, count != 0);
        if (changed == 0) {
            return;
        }
        if (count != 0) {
            add(position, level, count);
            pairs += count;
        }
        const bool stillOpen = position < args.n && isLacking(mask, acc);
        if (!__any_sync(ALL_LANES, stillOpen) && lane == 0) {
            state.full[tile] = 1;
        }
        queueAround(tile, changed, level + 1, to, size);
    }

    /** Sets the bits of the sources, and queues their tiles and the tiles near them. */
    __device__ __forceinline__ void begin(int firstSource, int sources) const {
        const int last = (firstSource + sources - 1) / POSITIONS;
        for (int tile = firstSource / POSITIONS + warp; tile <= last; tile += warps) {
            const int64_t at = static_cast<int64_t>(tile) * WARP_SIZE + lane;
            const int bit = tile * POSITIONS + lane - firstSource;
            const int word = bit / 32;
            if (bit < sources) {
                const unsigned one = 1u << (bit % 32);
                const uint4 row =
                        make_uint4(word == 0 ? one : 0, word == 1 ? one : 0, word == 2 ? one : 0, word == 3 ? one : 0);
                state.bitsA[at] = row;
                state.bitsB[at] = row;
            }
            queueAround(tile, ALL_LANES, 1, state.queueA, &counters->queued);
        }
    }

    /** Clears the tiles that the search has visited. */
    __device__ __forceinline__ void clear() const {
        const uint4 none = make_uint4(0, 0, 0, 0);
        for (int64_t base = static_cast<int64_t>(warp) * WARP_SIZE; base < args.tiles;
                base += static_cast<int64_t>(warps) * WARP_SIZE) {
            const int64_t tile = base + lane;
            const bool touched = tile < args.tiles && state.marks[tile] != 0;
            if (touched) {
                state.marks[tile] = 0;
                state.full[tile] = 0;
            }
            for (unsigned left = __ballot_sync(ALL_LANES, touched); left != 0; left &= left - 1) {
                const int64_t at = (base + __ffs(left) - 1) * WARP_SIZE + lane;
                state.bitsA[at] = none;
                state.bitsB[at] = none;
            }
        }
    }

    /** Searches a batch, or resumes it at pausedAt if that is not 0. Returns the next value of pausedAt. */
    __device__ __forceinline__ int search(int batch, int pausedAt, SharedWatch &watch) {
        const int thread = warp * WARP_SIZE + lane;
        const int firstSource = batch * SOURCES;
        const int sources = min(SOURCES, args.n - firstSource);
        const int lastLevel = args.lastLevel();
        int level = pausedAt == 0 ? 0 : pausedAt - 1;
        counters.resume(level % PhasedCounters<TileCounts>::PHASES);
        if (pausedAt == 0) {
            counters.clear(thread);
        } else if (thread == 0) {
            // keep the size of the queue
            counters->asked = 0;
        }
        barrier.sync();
        const uint4 mask = make_uint4(lowBits(sources), lowBits(sources - 32), lowBits(sources - 64), lowBits(sources - 96));
        if (pausedAt == 0) {
            begin(firstSource, sources);
        }
        barrier.sync();
        const bool odd = level % 2 != 0;
        const uint4 *in = odd ? state.bitsB : state.bitsA;
        uint4 *out = odd ? state.bitsA : state.bitsB;
        int *queue = odd ? state.queueB : state.queueA;
        int *next = odd ? state.queueA : state.queueB;
        int size = counters->queued;
        long long visited = 0;
        while (size != 0 && level != lastLevel && counters->asked == 0) {
            level++;
            visited += size;
            counters.next(thread);
            if (thread == 0) {
                counters->asked = watch.look();
            }
            unsigned pairs = 0;
            for (int i = warp; i < size; i += warps) {
                visit(queue[i], level, in, out, mask, next, &counters->queued, pairs);
            }
            if (args.pairs != nullptr) {
                const unsigned long long found = wideSum_warp(pairs);
                if (lane == 0 && found != 0) {
                    atomicAdd(args.pairs + level, found);
                }
            }
            barrier.sync();
            size = counters->queued;
            uint4 *const was = out;
            out = const_cast<uint4 *>(in);
            in = was;
            int *const taken = queue;
            queue = next;
            next = taken;
        }
        if (thread == 0) {
            atomicAdd(reinterpret_cast<unsigned long long *>(&control->work), static_cast<unsigned long long>(visited));
        }
        if (size != 0 && level != lastLevel && counters->asked == SharedWatch::PAUSE) {
            return level + 1;
        }
        if (thread == 0) {
            // a level that changed a tile has queued it again
            reportDeepest(size != 0 ? level : level - 1);
        }
        clear();
        return 0;
    }

    __device__ __forceinline__ void reportDeepest(const int &deepest) {
        atomicMax(&control->level, deepest);
        if (args.levelCounts != nullptr && deepest - args.firstLevel >= args.levelCapacity) {
            atomicOr(&control->overflow, COUNTS_TOO_SHALLOW);
        }
    }

    static __device__ __forceinline__ int64_t nanosNow() {
        int64_t now;
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
        return now;
    }

public:
    __device__ __forceinline__ explicit TileBfs(const TileArguments &args)
        : args(args), control(args.control), lane(threadIdx.x % WARP_SIZE),
          group(static_cast<int>(blockIdx.x) % args.groups), blocks(static_cast<int>(gridDim.x) / args.groups),
          warp((static_cast<int>(blockIdx.x) / args.groups * BLOCK_THREADS + static_cast<int>(threadIdx.x)) / WARP_SIZE),
          warps(blocks * BLOCK_THREADS / WARP_SIZE), state(args.state), groupState(args.state.groupStates[group]),
          counters(groupState.counts), barrier(&groupState.barrier, blocks) {
        const int64_t tiles = args.tiles;
        state.bitsA += group * tiles * WARP_SIZE;
        state.bitsB += group * tiles * WARP_SIZE;
        state.marks += group * tiles;
        state.full += group * tiles;
        state.queueA += group * tiles;
        state.queueB += group * tiles;
    }

    __device__ __forceinline__ void run() {
        SharedWatch watch(args.stopFlag, control, group, args.groups);
        const int64_t end = nanosNow() + args.nanos;
        int pausedAt = 0;
        if (control->resumes != 0) {
            pausedAt = groupState.pausedAt;
            barrier.resume();
        }
        for (bool isFirst = true;; isFirst = false) {
            if (warp == 0 && lane == 0 && pausedAt == 0) {
                const bool goesOn = isFirst || (watch.asked() == 0 && nanosNow() < end);
                groupState.batch = goesOn ? atomicAdd(args.nextBatch, 1) : args.lastBatch;
            }
            barrier.sync();
            const int batch = groupState.batch;
            barrier.sync();
            if (batch >= args.lastBatch) {
                break;
            }
            pausedAt = search(batch, pausedAt, watch);
            barrier.sync();
            if (pausedAt != 0) {
                break;
            }
        }
        if (warp == 0 && lane == 0) {
            groupState.pausedAt = pausedAt;
            barrier.pause();
            if (pausedAt != 0) {
                watch.pause();
            }
        }
    }
};

struct AddTilesArguments {
    const int *slotAt;
    const unsigned long long *far;
    const unsigned long long *reach;
    unsigned long long *farOfSlots;
    unsigned long long *reachOfSlots;
    int n;
};

}  // namespace proxima

extern "C" __global__ void __launch_bounds__(proxima::BLOCK_THREADS, 4)
        msbfs_tiles_k128_grid(const __grid_constant__ proxima::TileArguments args) {
    const int groups = args.groups;
    if (static_cast<int>(blockIdx.x) < static_cast<int>(gridDim.x) / groups * groups) {
        proxima::TileBfs(args).run();
    }
    proxima::leave_grid(args.control, args.report);
}

// reads slotAt[n], and far[n] and reach[n] by position, each null or as a launch has left it; adds them to farOfSlots[n] and
// reachOfSlots[n]. No atomics.
extern "C" __global__ void __launch_bounds__(proxima::BLOCK_THREADS)
        msbfs_tiles_add_thread(const __grid_constant__ proxima::AddTilesArguments args) {
    const proxima::Place place = proxima::Place::here();
    for (int64_t position = place.thread; position < args.n; position += place.threads) {
        const int slot = args.slotAt[position];
        if (args.far != nullptr) {
            args.farOfSlots[slot] += args.far[position];
        }
        if (args.reach != nullptr) {
            args.reachOfSlots[slot] += args.reach[position];
        }
    }
}

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

#include "persistent.cuh"

// The sums of closeness over one component of a symmetric graph of large diameter: a search from every slot, kappa = 32 KW
// neighbouring slots a batch, several batches at once. Slots are ordered so that neighbours in the graph are near in the
// order (balls of kappa, in them balls of a tile): the searches of a batch then pass a vertex at almost the same level, and
// only the tiles at the front are visited.
//
//   msbfs_tiles_k{128|256}_grid
//
// One cooperative launch for batches firstBatch to lastBatch - 1, blocks of BLOCK_THREADS in groups equal in size; a group
// takes one batch after another. Batch b has the sources b kappa to min(n, (b + 1) kappa) - 1. A tile is 4096 / kappa slots,
// what a warp reads in one instruction. Slots from n to the end of the last tile have no neighbours.
//   reads   columnPtrs[tiles + 1]            int64: first column of each tile
//           columns[columnPtrs[tiles] * tile slots]    a neighbour of each slot of the tile, the slot itself where it has no more
//           nearPtrs[tiles + 1] near[nearPtrs[tiles]]  tiles with a neighbour of a slot of this one, itself left out, and
//                                            which slots of this one have neighbours there
//           stopFlag[1]                      host-mapped or null
//   writes  far[n]                           u64: added to: the levels at which sources reach the slot
//           depths[n]                        i32, may be null: raised to the greatest of them
//           pairs[n]                         u64, may be null: added to: pairs (source, slot) at each level from 1 on
//           state[groups]                    see TileState; nothing need be cleared but barriers[groups] (u32) and nextBatch[1]
//           control                          zeroed by the host before; stopped, level: the deepest of all batches; vssPulled:
//                                            tiles visited
//   needs   the slots 0 to n - 1 are one component, so that every source reaches every slot.
//   gives   sums equal for every grid.
//   ends    with the last batch or the stop flag (control.stopped, results incomplete).
//
// Invariant: both buffers hold the same for a tile that the last level did not change; a tile that it changed is visited at
// the next level, where it is copied at the least.
namespace proxima {

/** A tile near another, and the slots that lead there. */
struct NearTile {
    int tile;
    unsigned slots;
};

/** The arrays of a group: group g has the g-th part of each. */
struct TileState {
    uint4 *bitsA;         // [tiles * WARP_SIZE]
    uint4 *bitsB;         // [tiles * WARP_SIZE]
    int *marks;           // [tiles] the last level for which the tile was queued
    unsigned char *full;  // [tiles] whether every source has reached every slot of the tile
    int *queueA;          // [tiles]
    int *queueB;          // [tiles]
    int *turns;           // [TILE_TURNS] sizes of queues in four turns; whether to stop in two; the batch
};

constexpr int TILE_TURNS = 8;
constexpr int STOP_TURN = 4;
constexpr int BATCH_TURN = 6;

struct TileArguments {
    const int64_t *columnPtrs;
    const int *columns;
    const int *nearPtrs;
    const NearTile *near;
    const int *stopFlag;
    unsigned long long *far;
    int *depths;
    unsigned long long *pairs;
    TileState state;
    unsigned *barriers;
    int *nextBatch;
    RunControl *control;
    int n;
    int tiles;
    int groups;
    int lastBatch;
};

template <int KW>
class TileBfs {
    static constexpr int LANES = KW / 4;               // lanes that hold a row
    static constexpr int SLOTS = WARP_SIZE / LANES;    // slots of a tile
    static constexpr int SOURCES = 32 * KW;
    static constexpr int UNROLL = 8;                   // columns whose rows are under way at once

    const TileArguments &args;
    RunControl *const control;
    const int lane;
    const int group;
    const int blocks;  // of the group
    const int warp;    // in the group
    const int warps;
    TileState state;
    unsigned generation = 0;

    static __device__ __forceinline__ unsigned ones(int count) {
        return count >= 32 ? ~0u : count <= 0 ? 0u : (1u << count) - 1;
    }

    /** Waits for all blocks of the group. */
    __device__ __forceinline__ void sync() {
        __syncthreads();
        generation += blocks;
        if (threadIdx.x == 0) {
            unsigned *const arrived = args.barriers + group;
            asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(arrived) : "memory");
            unsigned seen;
            do {
                asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(arrived) : "memory");
            } while (static_cast<int>(seen - generation) < 0);
        }
        __syncthreads();
    }

    /** Queues the tile for a level unless it is queued; the lanes that call it. */
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

    /** Queues the tile, and those near it that one of the slots leads to. */
    __device__ __forceinline__ void queueAround(int tile, unsigned slots, int level, int *to, int *size) const {
        const int begin = __ldg(args.nearPtrs + tile);
        const int end = __ldg(args.nearPtrs + tile + 1);
        // the tile itself takes the place before the first
        for (int base = begin - 1; base < end; base += WARP_SIZE) {
            const int at = base + lane;
            int other = tile;
            bool wanted = at == begin - 1;
            if (at >= begin && at < end) {
                const int2 near = __ldg(reinterpret_cast<const int2 *>(args.near) + at);
                other = near.x;
                wanted = (static_cast<unsigned>(near.y) & slots) != 0 && state.full[other] == 0;
            }
            queue(wanted, other, level, to, size);
        }
    }

    /** Which slots of the tile a ballot of its lanes names. */
    static __device__ __forceinline__ unsigned slotsOf(unsigned ballot) {
        if constexpr (LANES == 1) {
            return ballot;
        } else {
            // any of the two lanes of a slot
            unsigned even = (ballot | ballot >> 1) & 0x55555555u;
            even = (even | even >> 1) & 0x33333333u;
            even = (even | even >> 2) & 0x0f0f0f0fu;
            even = (even | even >> 4) & 0x00ff00ffu;
            return (even | even >> 8) & 0x0000ffffu;
        }
    }

    __device__ __forceinline__ void visit(
            int tile, int level, const uint4 *in, uint4 *out, const uint4 &mask, int *to, int *size,
            unsigned &pairs) const {
        const int64_t at = static_cast<int64_t>(tile) * WARP_SIZE + lane;
        const int slot = tile * SLOTS + lane / LANES;
        const int part = lane % LANES;
        const int64_t begin = __ldg(args.columnPtrs + tile);
        const int64_t end = __ldg(args.columnPtrs + tile + 1);
        const uint4 old = in[at];
        const unsigned lacking = slotsOf(__ballot_sync(
                ALL_LANES, slot < args.n && ((mask.x & ~old.x) | (mask.y & ~old.y) | (mask.z & ~old.z) | (mask.w & ~old.w)) != 0));
        if (lacking == 0) {
            out[at] = old;
            return;
        }
        const bool open = (lacking >> (lane / LANES) & 1) != 0;
        const int *const column = args.columns + lane / LANES;
        uint4 acc = old;
        for (int64_t c = begin; c < end; c += UNROLL) {
            int from[UNROLL];
#pragma unroll
            for (int i = 0; i < UNROLL; i++) {
                from[i] = open && c + i < end ? __ldg(column + (c + i) * SLOTS) : slot;
            }
            uint4 rows[UNROLL];
#pragma unroll
            for (int i = 0; i < UNROLL; i++) {
                rows[i] = from[i] != slot ? in[static_cast<int64_t>(from[i]) * LANES + part] : make_uint4(0, 0, 0, 0);
            }
#pragma unroll
            for (int i = 0; i < UNROLL; i++) {
                acc.x |= rows[i].x;
                acc.y |= rows[i].y;
                acc.z |= rows[i].z;
                acc.w |= rows[i].w;
            }
        }
        out[at] = acc;
        const uint4 anew = make_uint4(acc.x & ~old.x, acc.y & ~old.y, acc.z & ~old.z, acc.w & ~old.w);
        int count = __popc(anew.x) + __popc(anew.y) + __popc(anew.z) + __popc(anew.w);
        if constexpr (LANES == 2) {
            count += __shfl_xor_sync(ALL_LANES, count, 1);
        }
        const unsigned changed = slotsOf(__ballot_sync(ALL_LANES, count != 0));
        if (changed == 0) {
            return;
        }
        if (count != 0 && part == 0) {
            atomicAdd(args.far + slot, static_cast<unsigned long long>(level) * count);
            if (args.depths != nullptr) {
                atomicMax(args.depths + slot, level);
            }
            pairs += count;
        }
        const bool stillOpen = slot < args.n
                && ((mask.x & ~acc.x) | (mask.y & ~acc.y) | (mask.z & ~acc.z) | (mask.w & ~acc.w)) != 0;
        if (!__any_sync(ALL_LANES, stillOpen) && lane == 0) {
            state.full[tile] = 1;
        }
        queueAround(tile, changed, level + 1, to, size);
    }

    __device__ __forceinline__ void search(int batch, StopWatch &watch) {
        const int64_t threads = static_cast<int64_t>(warps) * WARP_SIZE;
        const int64_t thread = static_cast<int64_t>(warp) * WARP_SIZE + lane;
        const int firstSource = batch * SOURCES;
        const int sources = min(SOURCES, args.n - firstSource);
        for (int64_t i = thread; i < static_cast<int64_t>(args.tiles) * WARP_SIZE; i += threads) {
            const int64_t bit = i / LANES - firstSource;
            const int word = static_cast<int>(bit / 32) - static_cast<int>(i % LANES) * 4;
            uint4 row = make_uint4(0, 0, 0, 0);
            if (bit >= 0 && bit < sources) {
                const unsigned one = 1u << (bit % 32);
                row = make_uint4(word == 0 ? one : 0, word == 1 ? one : 0, word == 2 ? one : 0, word == 3 ? one : 0);
            }
            state.bitsA[i] = row;
            state.bitsB[i] = row;
        }
        for (int64_t i = thread; i < args.tiles; i += threads) {
            state.marks[i] = 0;
            state.full[i] = 0;
        }
        if (thread < BATCH_TURN) {
            state.turns[thread] = 0;
        }
        sync();
        const int part = lane % LANES;
        const uint4 mask = make_uint4(ones(sources - 128 * part), ones(sources - 128 * part - 32),
                                      ones(sources - 128 * part - 64), ones(sources - 128 * part - 96));
        for (int tile = firstSource / SLOTS + warp; tile < (firstSource + sources + SLOTS - 1) / SLOTS; tile += warps) {
            queueAround(tile, ones(SLOTS), 1, state.queueA, state.turns + 1);
        }
        sync();
        const uint4 *in = state.bitsA;
        uint4 *out = state.bitsB;
        int *queue = state.queueA;
        int *next = state.queueB;
        int level = 0;
        int size = state.turns[1];
        long long visited = 0;
        while (size != 0 && state.turns[STOP_TURN + level % 2] == 0) {
            level++;
            visited += size;
            if (thread == 0) {
                state.turns[(level + 2) % 4] = 0;
                watch.look(0);
                state.turns[STOP_TURN + level % 2] = watch.seen(0) ? 1 : 0;
            }
            unsigned pairs = 0;
            for (int i = warp; i < size; i += warps) {
                visit(queue[i], level, in, out, mask, next, state.turns + (level + 1) % 4, pairs);
            }
            if (args.pairs != nullptr) {
                pairs = __reduce_add_sync(ALL_LANES, pairs);
                if (lane == 0 && pairs != 0) {
                    atomicAdd(args.pairs + level, static_cast<unsigned long long>(pairs));
                }
            }
            sync();
            size = state.turns[(level + 1) % 4];
            uint4 *const was = out;
            out = const_cast<uint4 *>(in);
            in = was;
            int *const taken = queue;
            queue = next;
            next = taken;
        }
        if (thread == 0) {
            atomicMax(&control->level, level - 1);
            atomicAdd(reinterpret_cast<unsigned long long *>(&control->vssPulled), static_cast<unsigned long long>(visited));
        }
    }

public:
    __device__ __forceinline__ explicit TileBfs(const TileArguments &args)
        : args(args), control(args.control), lane(threadIdx.x % WARP_SIZE),
          group(static_cast<int>(blockIdx.x) % args.groups), blocks(static_cast<int>(gridDim.x) / args.groups),
          warp((static_cast<int>(blockIdx.x) / args.groups * BLOCK_THREADS + static_cast<int>(threadIdx.x)) / WARP_SIZE),
          warps(blocks * BLOCK_THREADS / WARP_SIZE), state(args.state) {
        const int64_t tiles = args.tiles;
        state.bitsA += group * tiles * WARP_SIZE;
        state.bitsB += group * tiles * WARP_SIZE;
        state.marks += group * tiles;
        state.full += group * tiles;
        state.queueA += group * tiles;
        state.queueB += group * tiles;
        state.turns += group * TILE_TURNS;
    }

    __device__ __forceinline__ void run() {
        StopWatch watch(args.stopFlag, control);
        for (;;) {
            if (warp == 0 && lane == 0) {
                state.turns[BATCH_TURN] = watch.seen(0) ? args.lastBatch : atomicAdd(args.nextBatch, 1);
            }
            sync();
            const int batch = state.turns[BATCH_TURN];
            sync();
            if (batch >= args.lastBatch) {
                break;
            }
            search(batch, watch);
            sync();
        }
    }
};

}  // namespace proxima

// clang-format off
#define MSBFS_TILES_ENTRY(NAME, KW)                                                                                      \
    extern "C" __global__ void __launch_bounds__(proxima::BLOCK_THREADS, 4) NAME(                                        \
            const int64_t *columnPtrs, const int *columns, const int *nearPtrs, const proxima::NearTile *near,           \
            const int *stopFlag, unsigned long long *far, int *depths, unsigned long long *pairs, uint4 *bitsA,          \
            uint4 *bitsB, int *marks, unsigned char *full, int *queueA, int *queueB, int *turns, unsigned *barriers,     \
            int *nextBatch, proxima::RunControl *control, int n, int tiles, int groups, int lastBatch) {                 \
        const proxima::TileArguments args = {                                                                            \
                columnPtrs, columns, nearPtrs, near, stopFlag, far, depths, pairs,                                       \
                {bitsA, bitsB, marks, full, queueA, queueB, turns}, barriers, nextBatch, control, n, tiles, groups,      \
                lastBatch};                                                                                              \
        if (static_cast<int>(blockIdx.x) < static_cast<int>(gridDim.x) / groups * groups) {                              \
            proxima::TileBfs<KW>(args).run();                                                                            \
        }                                                                                                                \
    }
// clang-format on

MSBFS_TILES_ENTRY(msbfs_tiles_k128_grid, 4)
MSBFS_TILES_ENTRY(msbfs_tiles_k256_grid, 8)

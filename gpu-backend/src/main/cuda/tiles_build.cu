// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include "columns.cuh"
#include "tiles.cuh"

// Builds the tiles of msbfs_tiles.cu for kappa = KAPPA, from the lists of a graph and an order of its slots.
//
//   tiles_build_positions_thread   the position of each slot
//   tiles_build_measure_warp       the number of columns and of near tiles of each tile
//   tiles_build_pointers_grid      where they begin; cooperative
//   tiles_build_columns_thread     writes the columns
//   tiles_build_near_warp          writes the near tiles
//
// Blocks of BLOCK_THREADS, any grid. A hash table in shared memory collects near tiles, and is emptied whenever it fills up. So
// a tile with neighbours in more than about 400 other tiles may list one of them twice. When the table is emptied depends only
// on the lists, so the number of near tiles measured is the number written.
namespace proxima {

constexpr int KAPPA = 128;          // sources of a batch
constexpr int TILE = 4096 / KAPPA;  // positions of a tile: as many as a warp reads in one instruction
static_assert(TILE == WARP_SIZE, "one lane per position");
constexpr int TABLE_BITS = 9;
constexpr int TABLE = 1 << TABLE_BITS;  // entries
constexpr int TABLE_FULL = TABLE - 4 * WARP_SIZE;
constexpr int NO_TILE = -1;
constexpr int64_t LOOK_ENTRIES = 1 << 16;  // entries that a warp processes between two checks of the stop flag

HOST_CONSTANT(KAPPA, KAPPA)
HOST_CONSTANT(TILE_POSITIONS, TILE)

struct NearTable {
    int tiles[TABLE];
    unsigned positions[TABLE];
    int count;

    __device__ __forceinline__ void clear_warp(int lane) {
        __syncwarp();
        for (int i = lane; i < TABLE; i += WARP_SIZE) {
            tiles[i] = NO_TILE;
            positions[i] = 0;
        }
        if (lane == 0) {
            count = 0;
        }
        __syncwarp();
    }

    /** Adds an entry, called by each lane on its own; the table has fewer than TABLE - WARP_SIZE entries. */
    __device__ __forceinline__ void add(int tile, unsigned position) {
        unsigned at = static_cast<unsigned>(tile) * 2654435769u >> (32 - TABLE_BITS);
        for (;;) {
            const int was = atomicCAS(tiles + at, NO_TILE, tile);
            if (was == NO_TILE) {
                atomicAdd(&count, 1);
            }
            if (was == NO_TILE || was == tile) {
                atomicOr(positions + at, position);
                return;
            }
            at = (at + 1) % TABLE;
        }
    }

    /** Appends the entries to a list; returns their number. */
    __device__ __forceinline__ int giveOut_warp(NearTile *to, int lane) const {
        int given = 0;
        for (int base = 0; base < TABLE; base += WARP_SIZE) {
            const int tile = tiles[base + lane];
            const unsigned there = __ballot_sync(ALL_LANES, tile != NO_TILE);
            if (tile != NO_TILE) {
                to[given + __popc(there & ((1u << lane) - 1))] = {tile, positions[base + lane]};
            }
            given += __popc(there);
        }
        return given;
    }
};

/**
 * Calls give(tile, table, number of its entries) for each tile, once per filling of the table. Ends early if the host requests
 * it.
 */
template <class Give, class End>
__device__ __forceinline__ void forEachTile_grid(const int64_t *outPtrs, const int *outIdx, const int *slotAt,
        const int *positionOf, const int *stopFlag, RunControl *control, int n, int tiles, Give give, End end) {
    __shared__ NearTable tables[BLOCK_THREADS / WARP_SIZE];
    const Place place = Place::here();
    NearTable &table = tables[threadIdx.x / WARP_SIZE];
    int64_t seen = 0;
    for (int tile = place.warp; tile < tiles; tile += place.warps) {
        const int64_t own = static_cast<int64_t>(tile) * TILE + place.lane;
        const int slot = own < n ? slotAt[own] : 0;
        const int64_t first = own < n ? outPtrs[slot] : 0;
        const int64_t last = own < n ? outPtrs[slot + 1] : 0;
        table.clear_warp(place.lane);
        for (int i = 0; i < TILE; i++) {
            const int64_t to = __shfl_sync(ALL_LANES, last, i);
            for (int64_t base = __shfl_sync(ALL_LANES, first, i); base < to; base += WARP_SIZE) {
                const int64_t entry = base + place.lane;
                if (entry < to) {
                    const int near = positionOf[outIdx[entry]] / TILE;
                    if (near != tile) {
                        table.add(near, 1u << i);
                    }
                }
                __syncwarp();
                // all lanes have read the count before one lane adds
                if (__any_sync(ALL_LANES, table.count > TABLE_FULL)) {
                    give(tile, table);
                    table.clear_warp(place.lane);
                }
                seen += WARP_SIZE;
                if (seen >= LOOK_ENTRIES) {
                    seen = 0;
                    const bool asked =
                            place.lane == 0 && stopFlag != nullptr && *static_cast<const volatile int *>(stopFlag) != 0;
                    if (__any_sync(ALL_LANES, asked)) {
                        control->stopped = 1;
                        return;
                    }
                }
            }
        }
        __syncwarp();
        give(tile, table);
        end(tile);
    }
}

struct PositionsArguments {
    const int *slotAt;
    int *positionOf;
    int n;
};

struct MeasureTilesArguments {
    const int64_t *inPtrs;
    const int64_t *outPtrs;
    const int *outIdx;
    const int *slotAt;
    const int *positionOf;
    const int *stopFlag;
    int *columnCounts;
    int *nearCounts;
    RunControl *control;
    RunControl *report;
    int n;
    int tiles;
};

struct TilePointersArguments {
    const int *columnCounts;
    const int *nearCounts;
    int64_t *columnPtrs;
    int64_t *nearPtrs;
    unsigned long long *blockSums;
    int tiles;
};

struct WriteColumnsArguments {
    const int64_t *inPtrs;
    const int *inIdx;
    const int *slotAt;
    const int *positionOf;
    const int64_t *columnPtrs;
    int *columns;
    int n;
    int tiles;
};

struct WriteNearArguments {
    const int64_t *outPtrs;
    const int *outIdx;
    const int *slotAt;
    const int *positionOf;
    const int *stopFlag;
    const int64_t *nearPtrs;
    NearTile *near;
    RunControl *control;
    RunControl *report;
    int n;
    int tiles;
};

}  // namespace proxima

using proxima::ALL_LANES;
using proxima::BLOCK_THREADS;
using proxima::NearTable;
using proxima::NearTile;
using proxima::Place;
using proxima::TILE;
using proxima::WARP_SIZE;

// reads slotAt[n]; writes positionOf[n]. no atomics
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        tiles_build_positions_thread(const __grid_constant__ proxima::PositionsArguments args) {
    const Place place = Place::here();
    for (int64_t i = place.thread; i < args.n; i += place.threads) {
        args.positionOf[args.slotAt[i]] = static_cast<int>(i);
    }
}

// reads the lists, slotAt[n], positionOf[n], stopFlag[1]: host-mapped or null; writes columnCounts[tiles] nearCounts[tiles]
// (nearCounts zeroed by the host) and control: stopped. A single warp processes a hub. atomics: shared memory only
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        tiles_build_measure_warp(const __grid_constant__ proxima::MeasureTilesArguments args) {
    const int lane = threadIdx.x % WARP_SIZE;
    proxima::forEachTile_grid(
            args.outPtrs, args.outIdx, args.slotAt, args.positionOf, args.stopFlag, args.control, args.n, args.tiles,
            [&](int tile, const NearTable &table) {
                if (lane == 0) {
                    args.nearCounts[tile] += table.count;
                }
            },
            [&](int tile) {
                const int64_t own = static_cast<int64_t>(tile) * TILE + lane;
                const int64_t length = own < args.n ? args.inPtrs[args.slotAt[own] + 1] - args.inPtrs[args.slotAt[own]] : 0;
                const int columns = static_cast<int>(
                        length < proxima::TILE_COLUMNS ? length : static_cast<int64_t>(proxima::TILE_COLUMNS));
                const int most = __reduce_max_sync(ALL_LANES, columns);
                if (lane == 0) {
                    args.columnCounts[tile] = most;
                }
            });
    proxima::leave_grid(args.control, args.report);
}

// reads columnCounts[tiles] nearCounts[tiles]; writes columnPtrs[tiles + 1] nearPtrs[tiles + 1]; blockSums[grid]: scratch
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        tiles_build_pointers_grid(const __grid_constant__ proxima::TilePointersArguments args) {
    const auto sumUp = [&](const int *counts, int64_t *ptrs) {
        proxima::sumUp_grid(
                args.tiles, args.blockSums, [&](int64_t tile) { return static_cast<unsigned long long>(counts[tile]); },
                [&](int64_t tile, unsigned long long sum) { ptrs[tile] = static_cast<int64_t>(sum); });
    };
    sumUp(args.columnCounts, args.columnPtrs);
    cooperative_groups::this_grid().sync();
    sumUp(args.nearCounts, args.nearPtrs);
}

// reads the in-lists, slotAt[n], positionOf[n], columnPtrs[tiles + 1]; writes columns[columnPtrs[tiles] * TILE]: the positions
// of the first neighbours of each position, then its own. No atomics.
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        tiles_build_columns_thread(const __grid_constant__ proxima::WriteColumnsArguments args) {
    const Place place = Place::here();
    for (int64_t at = place.thread; at < static_cast<int64_t>(args.tiles) * TILE; at += place.threads) {
        int64_t entry = at < args.n ? args.inPtrs[args.slotAt[at]] : 0;
        const int64_t last = at < args.n ? args.inPtrs[args.slotAt[at] + 1] : 0;
        const int64_t end = args.columnPtrs[at / TILE + 1];
        for (int64_t column = args.columnPtrs[at / TILE]; column < end; column++, entry++) {
            args.columns[column * TILE + at % TILE] =
                    entry < last ? args.positionOf[args.inIdx[entry]] : static_cast<int>(at);
        }
    }
}

// reads the out-lists, slotAt[n], positionOf[n], nearPtrs[tiles + 1], stopFlag[1]: host-mapped or null; writes
// near[nearPtrs[tiles]] and control: stopped. A single warp processes a hub. atomics: shared memory only
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        tiles_build_near_warp(const __grid_constant__ proxima::WriteNearArguments args) {
    const int lane = threadIdx.x % WARP_SIZE;
    int64_t given = 0;
    proxima::forEachTile_grid(
            args.outPtrs, args.outIdx, args.slotAt, args.positionOf, args.stopFlag, args.control, args.n, args.tiles,
            [&](int tile, const NearTable &table) {
                given += table.giveOut_warp(args.near + args.nearPtrs[tile] + given, lane);
            },
            [&](int) { given = 0; });
    proxima::leave_grid(args.control, args.report);
}

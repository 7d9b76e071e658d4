// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include "columns.cuh"
#include "tile_matrix.cuh"

// Builds the tiles and the rest of tile_matrix.cuh from lists in ascending order.
//
//   tile_matrix_count_nt32_warp, tile_matrix_count_nt64_warp   tiles of each tile column, rest of each column
//   tile_matrix_pointers_nt32_grid, ..._nt64_grid              where they begin; cooperative
//   tile_matrix_write_nt32_warp, tile_matrix_write_nt64_warp   writes them
//
// Blocks of BLOCK_THREADS, any grid. A warp merges the lists of a tile column. Its lanes hold the next row of NT / 32 columns
// each, and all take the entries in the lowest row of tiles. So a warp takes as many steps as its columns have row tiles, at
// most n / NT, however long the lists of hubs are. Deterministic; no atomics except a count.
namespace proxima {

constexpr unsigned NO_ROW_TILE = ~0u;
constexpr int TILES_BETWEEN_LOOKS = 1 << 12;  // row tiles that a warp merges between two checks of the stop flag

struct CountTilesArguments {
    const int64_t *ptrs;
    const int *idx;
    const int *stopFlag;
    int *tileCounts;
    int *restCounts;
    unsigned long long *columnsWithEntries;
    RunControl *control;
    RunControl *report;
    int n;
};

struct TileMatrixPointersArguments {
    const int *tileCounts;
    const int *restCounts;
    int64_t *tilePtrs;
    int64_t *restPtrs;
    unsigned long long *blockSums;
    int n;
};

struct WriteTilesArguments {
    const int64_t *ptrs;
    const int *idx;
    const int *stopFlag;
    const int64_t *tilePtrs;
    const int64_t *restPtrs;
    int *tileRows;
    unsigned *words;  // of type Word
    int *restRows;
    RunControl *control;
    RunControl *report;
    int n;
};

/** Reads the stop flag now and then. */
class SeldomStop {
    const volatile int *flag;
    RunControl *control;
    int steps = 0;

public:
    __device__ SeldomStop(const int *flag, RunControl *control) : flag(flag), control(control) {}

    __device__ __forceinline__ bool asked_warp(int lane) {
        if (++steps < TILES_BETWEEN_LOOKS) {
            return false;
        }
        steps = 0;
        const bool asked = lane == 0 && flag != nullptr && *flag != 0;
        if (asked) {
            control->stopped = 1;
        }
        return __any_sync(ALL_LANES, asked);
    }
};

__device__ __forceinline__ int bitCount(unsigned word) { return __popc(word); }
__device__ __forceinline__ int bitCount(unsigned long long word) { return __popcll(word); }

/** The columns of a tile column that belong to a lane. */
template <class Word>
struct TileLane {
    static constexpr int COLUMNS = TILE_SIDE<Word> / WARP_SIZE;

    int64_t column[COLUMNS];  // may be n or more
    int64_t at[COLUMNS];
    int64_t end[COLUMNS];
    int row[COLUMNS];  // the row of the entry at `at`
    Word word[COLUMNS];

    __device__ __forceinline__ void open(const int64_t *ptrs, const int *idx, int tileColumn, int n, int lane) {
#pragma unroll
        for (int k = 0; k < COLUMNS; k++) {
            column[k] = static_cast<int64_t>(tileColumn) * TILE_SIDE<Word> + k * WARP_SIZE + lane;
            at[k] = column[k] < n ? ptrs[column[k]] : 0;
            end[k] = column[k] < n ? ptrs[column[k] + 1] : 0;
            row[k] = at[k] < end[k] ? idx[at[k]] : 0;
        }
    }

    __device__ __forceinline__ unsigned leastRowTile() const {
        unsigned least = NO_ROW_TILE;
#pragma unroll
        for (int k = 0; k < COLUMNS; k++) {
            least = min(least, at[k] < end[k] ? static_cast<unsigned>(row[k]) / TILE_SIDE<Word> : NO_ROW_TILE);
        }
        return least;
    }

    /** Collects the entries in a row of tiles into word, and returns their number. */
    __device__ __forceinline__ unsigned take(const int *idx, unsigned rowTile) {
        unsigned taken = 0;
#pragma unroll
        for (int k = 0; k < COLUMNS; k++) {
            word[k] = 0;
            while (at[k] < end[k] && static_cast<unsigned>(row[k]) / TILE_SIDE<Word> == rowTile) {
                word[k] |= Word(1) << (row[k] % TILE_SIDE<Word>);
                at[k]++;
                row[k] = at[k] < end[k] ? idx[at[k]] : 0;
            }
            taken += bitCount(word[k]);
        }
        return taken;
    }
};

/**
 * Calls tile(rowTile, lane) or rest(rowTile, lane) for each row tile of each tile column; begin before and end after each
 * column.
 */
template <class Word, class Arguments, class Begin, class Tile, class Rest, class End>
__device__ __forceinline__ void forEachTile_warp(
        const Arguments &args, const Place &place, Begin begin, Tile tile, Rest rest, End end) {
    SeldomStop stop(args.stopFlag, args.control);
    TileLane<Word> own;
    for (int column = place.warp; column < tileColumns<Word>(args.n); column += place.warps) {
        own.open(args.ptrs, args.idx, column, args.n, place.lane);
        begin(column, own);
        for (;;) {
            const unsigned rowTile = __reduce_min_sync(ALL_LANES, own.leastRowTile());
            if (rowTile == NO_ROW_TILE) {
                break;
            }
            if (stop.asked_warp(place.lane)) {
                return;
            }
            const unsigned entries = __reduce_add_sync(ALL_LANES, own.take(args.idx, rowTile));
            if (entries >= LEAST_TILE_ENTRIES<Word>) {
                tile(static_cast<int>(rowTile), own);
            } else {
                rest(static_cast<int>(rowTile), own);
            }
        }
        end(column, own);
    }
}

template <class Word>
__device__ __forceinline__ void countTiles(const CountTilesArguments &args) {
    constexpr int COLUMNS = TileLane<Word>::COLUMNS;
    const Place place = Place::here();
    int tiles = 0;
    int rest[COLUMNS];
    unsigned withEntries = 0;
    forEachTile_warp<Word>(
            args, place,
            [&](int, const TileLane<Word> &own) {
                tiles = 0;
#pragma unroll
                for (int k = 0; k < COLUMNS; k++) {
                    rest[k] = 0;
                    withEntries += own.at[k] < own.end[k] ? 1 : 0;
                }
            },
            [&](int, const TileLane<Word> &) { tiles++; },
            [&](int, const TileLane<Word> &own) {
#pragma unroll
                for (int k = 0; k < COLUMNS; k++) {
                    rest[k] += bitCount(own.word[k]);
                }
            },
            [&](int column, const TileLane<Word> &own) {
                if (place.lane == 0) {
                    args.tileCounts[column] = tiles;
                }
#pragma unroll
                for (int k = 0; k < COLUMNS; k++) {
                    if (own.column[k] < args.n) {
                        args.restCounts[own.column[k]] = rest[k];
                    }
                }
            });
    withEntries = __reduce_add_sync(ALL_LANES, withEntries);
    if (place.lane == 0 && withEntries != 0) {
        atomicAdd(args.columnsWithEntries, static_cast<unsigned long long>(withEntries));
    }
    leave_grid(args.control, args.report);
}

template <class Word>
__device__ __forceinline__ void sumTiles_grid(const TileMatrixPointersArguments &args) {
    const auto sumUp = [&](int64_t count, const int *counts, int64_t *ptrs) {
        sumUp_grid(
                count, args.blockSums, [&](int64_t i) { return static_cast<unsigned long long>(counts[i]); },
                [&](int64_t i, unsigned long long sum) { ptrs[i] = static_cast<int64_t>(sum); });
    };
    sumUp(tileColumns<Word>(args.n), args.tileCounts, args.tilePtrs);
    cooperative_groups::this_grid().sync();
    sumUp(args.n, args.restCounts, args.restPtrs);
}

template <class Word>
__device__ __forceinline__ void writeTiles(const WriteTilesArguments &args) {
    constexpr int COLUMNS = TileLane<Word>::COLUMNS;
    const Place place = Place::here();
    Word *const words = reinterpret_cast<Word *>(args.words);
    int64_t at = 0;
    int64_t restAt[COLUMNS];
    forEachTile_warp<Word>(
            args, place,
            [&](int column, const TileLane<Word> &own) {
                at = args.tilePtrs[column];
#pragma unroll
                for (int k = 0; k < COLUMNS; k++) {
                    restAt[k] = own.column[k] < args.n ? args.restPtrs[own.column[k]] : 0;
                }
            },
            [&](int rowTile, const TileLane<Word> &own) {
                if (place.lane == 0) {
                    args.tileRows[at] = rowTile;
                }
#pragma unroll
                for (int k = 0; k < COLUMNS; k++) {
                    words[at * TILE_SIDE<Word> + k * WARP_SIZE + place.lane] = own.word[k];
                }
                at++;
            },
            [&](int rowTile, const TileLane<Word> &own) {
#pragma unroll
                for (int k = 0; k < COLUMNS; k++) {
                    for (Word left = own.word[k]; left != 0; left &= left - 1) {
                        // the index of the lowest set bit
                        args.restRows[restAt[k]++] =
                                rowTile * TILE_SIDE<Word> + bitCount(static_cast<Word>(~left & (left - 1)));
                    }
                }
            },
            [&](int, const TileLane<Word> &) {});
    leave_grid(args.control, args.report);
}

}  // namespace proxima

using proxima::BLOCK_THREADS;

// reads ptrs[n + 1] idx[ptrs[n]], stopFlag[1]: host-mapped or null; writes tileCounts[tile columns] restCounts[n], and adds the
// number of columns that have entries to columnsWithEntries[1]; control: stopped
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        tile_matrix_count_nt32_warp(const __grid_constant__ proxima::CountTilesArguments args) {
    proxima::countTiles<unsigned>(args);
}

extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        tile_matrix_count_nt64_warp(const __grid_constant__ proxima::CountTilesArguments args) {
    proxima::countTiles<unsigned long long>(args);
}

// reads tileCounts[tile columns] restCounts[n]; writes tilePtrs[tile columns + 1] restPtrs[n + 1]; blockSums[grid]: scratch
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        tile_matrix_pointers_nt32_grid(const __grid_constant__ proxima::TileMatrixPointersArguments args) {
    proxima::sumTiles_grid<unsigned>(args);
}

extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        tile_matrix_pointers_nt64_grid(const __grid_constant__ proxima::TileMatrixPointersArguments args) {
    proxima::sumTiles_grid<unsigned long long>(args);
}

// reads the inputs and outputs of the two kernels above; writes tileRows[tiles] words[NT * tiles] restRows[rest]; control:
// stopped
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        tile_matrix_write_nt32_warp(const __grid_constant__ proxima::WriteTilesArguments args) {
    proxima::writeTiles<unsigned>(args);
}

extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        tile_matrix_write_nt64_warp(const __grid_constant__ proxima::WriteTilesArguments args) {
    proxima::writeTiles<unsigned long long>(args);
}

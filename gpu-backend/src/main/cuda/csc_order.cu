// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include <climits>

#include "columns.cuh"

// Relabels and transposes a CSC on the device. Both scatter the entries to their new columns in any order and then sort the
// columns. Rows are distinct within a column, so the result is the same for every grid.
//
//   csc_relabel_pointers_grid    new column pointers for an order; cooperative
//   csc_relabel_entries_warp     moves entries to their new columns, with their new rows
//   csc_transpose_count_thread   counts the entries of each row
//   csc_transpose_pointers_grid  column pointers of the transpose; cooperative
//   csc_transpose_entries_warp   moves entries to the columns of their rows
//   csc_sort_columns_block       sorts columns of up to SORTED_IN_BLOCK entries and lists the longer ones
//   csc_sort_long_columns_block  sorts the listed columns, except those of hubs
//   csc_mark_rows_thread         marks the rows of a hub's column in a bit set
//   csc_list_rows_grid           writes that bit set as a sorted column; cooperative
//
// Blocks of BLOCK_THREADS, any grid. No launch takes more than about 10 ms, so that the host can stop in between: the two
// sorting kernels leave the rest to a next launch, and the columns of hubs are marked in parts.
namespace proxima {

constexpr int SORTED_IN_BLOCK = 2048;
constexpr int SORT_TILE = 64;               // columns that a block takes at once
constexpr long long SORT_CYCLES = 1 << 24;  // about 10 ms, after which a block takes no more columns

HOST_CONSTANT(SORTED_IN_BLOCK, SORTED_IN_BLOCK)
HOST_CONSTANT(SORT_TILE, SORT_TILE)

/** Sorts in ascending order in shared memory. size is a power of two. Ends with a synchronisation of the block. */
__device__ __forceinline__ void sortShared_block(int *values, int size) {
    for (int run = 2; run <= size; run *= 2) {
        for (int step = run / 2; step > 0; step /= 2) {
            for (int i = threadIdx.x; i < size / 2; i += BLOCK_THREADS) {
                const int low = 2 * i - (i & (step - 1));
                const int high = low + step;
                const bool ascending = (low & run) == 0;
                const int a = values[low];
                const int b = values[high];
                if ((a > b) == ascending) {
                    values[low] = b;
                    values[high] = a;
                }
            }
            __syncthreads();
        }
    }
}

/** Sorts one value per lane in ascending order. */
__device__ __forceinline__ int sorted_warp(int value, int lane) {
#pragma unroll
    for (int run = 2; run <= WARP_SIZE; run *= 2) {
#pragma unroll
        for (int step = run / 2; step > 0; step /= 2) {
            const int other = __shfl_xor_sync(ALL_LANES, value, step);
            const bool ascending = (lane & run) == 0 || run == WARP_SIZE;
            const bool lower = (lane & step) == 0;
            value = (lower == ascending) ? min(value, other) : max(value, other);
        }
    }
    return value;
}

/**
 * Sorts a long column by radix, RADIX_BITS at a time from the lowest, between two buffers. Each pass is stable: the place of an
 * entry is the number of entries with a lower digit, plus the number of earlier entries with the same digit.
 */
class RadixSort {
    static constexpr int RADIX_BITS = 8;
    static constexpr int DIGITS = 1 << RADIX_BITS;
    static constexpr int WARPS = BLOCK_THREADS / WARP_SIZE;
    static constexpr int ROUNDS = 8;  // groups of 32 entries per warp in a tile
    static constexpr int TILE = BLOCK_THREADS * ROUNDS;
    static_assert(DIGITS == BLOCK_THREADS, "one thread per digit");
    using Scan = cub::BlockScan<int, BLOCK_THREADS>;

public:
    struct Shared {
        int place[DIGITS];          // where the next entry with the digit goes
        int ofWarp[WARPS][DIGITS];  // number of a warp's entries with the digit; then where the first of them goes
        Scan::TempStorage scan;
    };

    /** The number of passes for rows of this many bits. */
    static __device__ __forceinline__ int passes(int bits) { return (bits + RADIX_BITS - 1) / RADIX_BITS; }

    static __device__ void pass_block(Shared &shared, const int *from, int *to, int length, int shift) {
        const int thread = threadIdx.x;
        const int lane = thread % WARP_SIZE;
        const int warp = thread / WARP_SIZE;
        shared.place[thread] = 0;
        __syncthreads();
        for (int i = thread; i < length; i += BLOCK_THREADS) {
            atomicAdd(&shared.place[from[i] >> shift & (DIGITS - 1)], 1);
        }
        __syncthreads();
        int place;
        Scan(shared.scan).ExclusiveSum(shared.place[thread], place);
        shared.place[thread] = place;

        for (int tile = 0; tile < length; tile += TILE) {
            for (int w = 0; w < WARPS; w++) {
                shared.ofWarp[w][thread] = 0;
            }
            __syncthreads();
            int value[ROUNDS];
            int rank[ROUNDS];
            const int begin = tile + warp * WARP_SIZE * ROUNDS + lane;
#pragma unroll
            for (int r = 0; r < ROUNDS; r++) {
                const int i = begin + r * WARP_SIZE;
                const bool there = i < length;
                value[r] = there ? from[i] : 0;
                const int digit = there ? value[r] >> shift & (DIGITS - 1) : DIGITS;
                const unsigned same = __match_any_sync(ALL_LANES, digit);
                rank[r] = __popc(same & ((1u << lane) - 1));
                if (there) {
                    rank[r] += shared.ofWarp[warp][digit];
                }
                __syncwarp();
                if (there && lane == __ffs(same) - 1) {
                    shared.ofWarp[warp][digit] += __popc(same);
                }
                __syncwarp();
            }
            __syncthreads();
            int at = shared.place[thread];
            for (int w = 0; w < WARPS; w++) {
                const int here = shared.ofWarp[w][thread];
                shared.ofWarp[w][thread] = at;
                at += here;
            }
            shared.place[thread] = at;
            __syncthreads();
#pragma unroll
            for (int r = 0; r < ROUNDS; r++) {
                if (begin + r * WARP_SIZE < length) {
                    to[shared.ofWarp[warp][value[r] >> shift & (DIGITS - 1)] + rank[r]] = value[r];
                }
            }
            __syncthreads();
        }
    }
};

struct RelabelPointersArguments {
    const int64_t *ptrs;
    const int *vertexOfSlot;
    int64_t *newPtrs;
    unsigned long long *blockSums;
    int n;
};

struct RelabelEntriesArguments {
    const int64_t *ptrs;
    const int *idx;
    const int *slotOfVertex;
    const int64_t *newPtrs;
    int *newIdx;
    int n;
    int64_t firstEntry;
    int64_t lastEntry;
};

struct CountRowsArguments {
    const int *idx;
    int *counts;
    int64_t entries;
};

struct TransposePointersArguments {
    const int *counts;
    int64_t *newPtrs;
    unsigned long long *blockSums;
    int n;
};

struct TransposeEntriesArguments {
    const int64_t *ptrs;
    const int *idx;
    int *counts;
    const int64_t *newPtrs;
    int *newIdx;
    int n;
    int64_t firstEntry;
    int64_t lastEntry;
};

struct SortColumnsArguments {
    const int64_t *ptrs;
    int *idx;
    int *longColumns;
    int *longCount;
    int *lastHub;
    int *hubCount;
    int *nextTile;
    int n;
    int mostEntries;
};

struct SortLongColumnsArguments {
    const int64_t *ptrs;
    int *idx;
    int *other;
    const int *longColumns;
    const int *longCount;
    int *nextColumn;
    int bits;
};

struct MarkRowsArguments {
    const int *idx;
    unsigned *marks;
    int64_t firstEntry;
    int64_t lastEntry;
};

struct ListRowsArguments {
    const unsigned *marks;
    int *idx;
    unsigned long long *blockSums;
    int words;
};

}  // namespace proxima

using proxima::ALL_LANES;
using proxima::BLOCK_THREADS;
using proxima::Columns;
using proxima::Place;
using proxima::SetPart;
using proxima::WARP_SIZE;

// reads ptrs[n + 1], vertexOfSlot[n]; writes newPtrs[n + 1] in slots; blockSums[grid]: scratch
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        csc_relabel_pointers_grid(const __grid_constant__ proxima::RelabelPointersArguments args) {
    proxima::sumUp_grid(
            args.n, args.blockSums,
            [&](int64_t slot) {
                const int64_t vertex = args.vertexOfSlot[slot];
                return static_cast<unsigned long long>(args.ptrs[vertex + 1] - args.ptrs[vertex]);
            },
            [&](int64_t slot, unsigned long long sum) { args.newPtrs[slot] = static_cast<int64_t>(sum); });
}

// Writes the slot of each row to newIdx at newPtrs[slot of column] + place within the column, for the entries firstEntry
// (inclusive) to lastEntry (exclusive) of idx. The columns are not sorted. No atomics.
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        csc_relabel_entries_warp(const __grid_constant__ proxima::RelabelEntriesArguments args) {
    const Columns columns{args.ptrs, args.idx, args.n};
    proxima::forEachSetPart_grid(columns, args.firstEntry, args.lastEntry, Place::here(), [&](const SetPart &part) {
        const int64_t begin = part.start(part.column);
        if (part.active) {
            const int column = part.set * proxima::SLICE_SIZE + part.column;
            const int64_t to = __ldg(args.newPtrs + __ldg(args.slotOfVertex + column));
            args.newIdx[to + part.entry - begin] = __ldg(args.slotOfVertex + __ldg(args.idx + part.entry));
        }
    });
}

// writes counts[n], zeroed by the host: entries of each row. atomics: an add without return per entry
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        csc_transpose_count_thread(const __grid_constant__ proxima::CountRowsArguments args) {
    const Place place = Place::here();
    for (int64_t e = place.thread; e < args.entries; e += place.threads) {
        atomicAdd(args.counts + __ldg(args.idx + e), 1);
    }
}

// reads counts[n]; writes newPtrs[n + 1]; blockSums[grid]: scratch
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        csc_transpose_pointers_grid(const __grid_constant__ proxima::TransposePointersArguments args) {
    proxima::sumUp_grid(
            args.n, args.blockSums, [&](int64_t row) { return static_cast<unsigned long long>(args.counts[row]); },
            [&](int64_t row, unsigned long long sum) { args.newPtrs[row] = static_cast<int64_t>(sum); });
}

// Writes to newIdx the column of each entry, at any place in the new column of its row. Counts decrease to 0. The columns are
// not sorted. atomics: an add with return per entry
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        csc_transpose_entries_warp(const __grid_constant__ proxima::TransposeEntriesArguments args) {
    const Columns columns{args.ptrs, args.idx, args.n};
    proxima::forEachSetPart_grid(columns, args.firstEntry, args.lastEntry, Place::here(), [&](const SetPart &part) {
        if (part.active) {
            const int row = __ldg(args.idx + part.entry);
            const int64_t to = __ldg(args.newPtrs + row) + atomicAdd(args.counts + row, -1) - 1;
            args.newIdx[to] = part.set * proxima::SLICE_SIZE + part.column;
        }
    });
}

namespace proxima {

/** Sorts a tile's columns that fit in the registers of a warp; lists those for the block or for another kernel. */
static __device__ __forceinline__ void sortShort_block(
        const SortColumnsArguments &args, const int &tile, int *ofBlock, int *blockCount) {
    const int lane = threadIdx.x % WARP_SIZE;
    for (int c = threadIdx.x / WARP_SIZE; c < SORT_TILE; c += BLOCK_THREADS / WARP_SIZE) {
        const int64_t column = static_cast<int64_t>(tile) * SORT_TILE + c;
        if (column >= args.n) {
            break;
        }
        const int64_t begin = __ldg(args.ptrs + column);
        const int64_t length = __ldg(args.ptrs + column + 1) - begin;
        if (length <= 1) {
            continue;
        }
        if (length <= WARP_SIZE) {
            const int value = lane < length ? args.idx[begin + lane] : INT_MAX;
            const int sorted = sorted_warp(value, lane);
            if (lane < length) {
                args.idx[begin + lane] = sorted;
            }
        } else if (lane == 0) {
            if (length <= SORTED_IN_BLOCK) {
                ofBlock[atomicAdd(blockCount, 1)] = static_cast<int>(column);
            } else if (length > args.mostEntries) {
                args.lastHub[-atomicAdd(args.hubCount, 1)] = static_cast<int>(column);
            } else {
                args.longColumns[atomicAdd(args.longCount, 1)] = static_cast<int>(column);
            }
        }
    }
}

/** Sorts a column in shared memory. */
static __device__ __forceinline__ void sortColumn_block(const SortColumnsArguments &args, int64_t column, int *values) {
    const int64_t begin = __ldg(args.ptrs + column);
    const int length = static_cast<int>(__ldg(args.ptrs + column + 1) - begin);
    int size = 2 * WARP_SIZE;
    while (size < length) {
        size *= 2;
    }
    for (int k = threadIdx.x; k < size; k += BLOCK_THREADS) {
        values[k] = k < length ? args.idx[begin + k] : INT_MAX;
    }
    __syncthreads();
    sortShared_block(values, size);
    for (int k = threadIdx.x; k < length; k += BLOCK_THREADS) {
        args.idx[begin + k] = values[k];
    }
    __syncthreads();
}

}  // namespace proxima

// Sorts in place. Blocks take tiles of columns by rotation. A warp sorts a column of up to 32 entries in registers, a block one
// of up to SORTED_IN_BLOCK in shared memory. Longer columns are listed.
//   writes  idx
//           longColumns    the longer columns, in any order; longCount[0]: their number, zeroed by the host
//           lastHub        columns of more than mostEntries entries, listed here and before this address instead; hubCount[0]:
//                          their number, zeroed by the host
//           nextTile[0]    zeroed by the host before the first launch; at least ceil(n / SORT_TILE) after the last one
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        csc_sort_columns_block(const __grid_constant__ proxima::SortColumnsArguments args) {
    __shared__ int values[proxima::SORTED_IN_BLOCK];
    __shared__ int ofBlock[proxima::SORT_TILE];
    __shared__ int blockCount;
    __shared__ int tile;
    const int tiles = (args.n - 1) / proxima::SORT_TILE + 1;
    const long long begin = clock64();
    while (true) {
        __syncthreads();
        if (threadIdx.x == 0) {
            tile = clock64() - begin < proxima::SORT_CYCLES ? atomicAdd(args.nextTile, 1) : tiles;
            blockCount = 0;
        }
        __syncthreads();
        if (tile >= tiles) {
            return;
        }
        proxima::sortShort_block(args, tile, ofBlock, &blockCount);
        __syncthreads();
        for (int i = 0; i < blockCount; i++) {
            proxima::sortColumn_block(args, ofBlock[i], values);
        }
    }
}

// Sorts the listed columns in place, one per block. other: scratch as long as idx; bits: number of bits of the greatest row;
// nextColumn[0]: zeroed by the host before the first launch, at least longCount[0] after the last one
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        csc_sort_long_columns_block(const __grid_constant__ proxima::SortLongColumnsArguments args) {
    __shared__ proxima::RadixSort::Shared shared;
    __shared__ int next;
    const int count = *args.longCount;
    const long long start = clock64();
    while (true) {
        __syncthreads();
        if (threadIdx.x == 0) {
            next = clock64() - start < proxima::SORT_CYCLES ? atomicAdd(args.nextColumn, 1) : count;
        }
        __syncthreads();
        if (next >= count) {
            return;
        }
        const int64_t column = args.longColumns[next];
        const int64_t begin = __ldg(args.ptrs + column);
        const int length = static_cast<int>(__ldg(args.ptrs + column + 1) - begin);
        int *from = args.idx + begin;
        int *to = args.other + begin;
        for (int pass = 0; pass < proxima::RadixSort::passes(args.bits); pass++) {
            proxima::RadixSort::pass_block(shared, from, to, length, 8 * pass);
            int *done = from;
            from = to;
            to = done;
        }
        if (from != args.idx + begin) {
            for (int i = threadIdx.x; i < length; i += BLOCK_THREADS) {
                to[i] = from[i];
            }
        }
    }
}

// writes marks, zeroed by the host: a bit for the row of each entry from firstEntry (inclusive) to lastEntry (exclusive).
// atomics: OR without return, one per entry
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        csc_mark_rows_thread(const __grid_constant__ proxima::MarkRowsArguments args) {
    const Place place = Place::here();
    for (int64_t e = args.firstEntry + place.thread; e < args.lastEntry; e += place.threads) {
        const int row = __ldg(args.idx + e);
        atomicOr(args.marks + row / 32, proxima::bitOf(row));
    }
}

// reads marks[words]; writes idx: the marked rows, ascending; blockSums[grid]: scratch
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)
        csc_list_rows_grid(const __grid_constant__ proxima::ListRowsArguments args) {
    proxima::sumUp_grid(
            args.words, args.blockSums,
            [&](int64_t word) { return static_cast<unsigned long long>(__popc(args.marks[word])); },
            [&](int64_t word, unsigned long long before) {
                unsigned rows = word < args.words ? args.marks[word] : 0;
                for (int *to = args.idx + before; rows != 0; rows &= rows - 1) {
                    *to++ = static_cast<int>(word * 32) + __ffs(static_cast<int>(rows)) - 1;
                }
            });
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include "columns.cuh"

// Builds BVSS (Elbek and Kaya, arXiv:2606.05081, section 3.1) from a CSC, bit by bit as TextbookBvss of the tests
// does. A slice is a row that occurs in the columns of a slice set. Its entry in the lowest of these columns is its first
// entry.
//
//   bvss_build_firsts_warp      marks the first entries
//   bvss_build_sums_grid        prefix sums of the marks, word by word; cooperative
//   bvss_build_sets_grid        from those, the first virtual slice set of each slice set; cooperative
//   bvss_build_slices_warp      writes the slices: the place of a row is the number of first entries with lower rows
//
// Every entry is looked up in the seven other columns of its set by binary search. That balances the work by entries, whatever
// the degrees are; no warp has to merge a whole set. Blocks of BLOCK_THREADS, any grid.
//   reads   ptrs[n + 1] idx[m]        the CSC, rows ascending
//           marks[words] sums[words]  words = m / 32 + 1; marks zeroed by the host
//           blockSums[grid]           scratch
//   gives   the same bits for every grid
namespace proxima {

/** The number of first entries before an entry, modulo 2^32; differences within a slice set are exact. */
__device__ __forceinline__ unsigned firstsBefore(const unsigned *marks, const unsigned *sums, int64_t entry) {
    const int64_t word = entry / 32;
    return __ldg(sums + word) + __popc(__ldg(marks + word) & ((1u << (entry % 32)) - 1));
}

/** The number of slices of a slice set. */
__device__ __forceinline__ unsigned slicesOf(
        const Columns &columns, const unsigned *marks, const unsigned *sums, int64_t set) {
    return firstsBefore(marks, sums, columns.setStart(set + 1)) - firstsBefore(marks, sums, columns.setStart(set));
}

struct MarkFirstsArguments {
    const int64_t *ptrs;
    const int *idx;
    unsigned *marks;
    int n;
    int64_t firstEntry;
    int64_t lastEntry;
};

struct SumMarksArguments {
    const unsigned *marks;
    unsigned *sums;
    unsigned long long *blockSums;
    unsigned long long *total;
    int64_t words;
};

struct CountSetsArguments {
    const int64_t *ptrs;
    const unsigned *marks;
    const unsigned *sums;
    int *realPtrs;
    unsigned long long *blockSums;
    unsigned long long *total;
    int n;
};

struct WriteSlicesArguments {
    const int64_t *ptrs;
    const int *idx;
    const unsigned *marks;
    const unsigned *sums;
    const int *realPtrs;
    int *virtualToReal;
    int *rowIds;
    unsigned char *masks;
    int n;
    int64_t firstEntry;
    int64_t lastEntry;
};

}  // namespace proxima

using proxima::ALL_LANES;
using proxima::Columns;
using proxima::Place;
using proxima::SetPart;
using proxima::SLICE_SIZE;

// writes marks: bit e % 32 of word e / 32 for each first entry e from firstEntry (inclusive) to lastEntry (exclusive), a range
// of whole slice sets. atomics: OR without return, two per warp
extern "C" __global__ void __launch_bounds__(proxima::BLOCK_THREADS)
        bvss_build_firsts_warp(const __grid_constant__ proxima::MarkFirstsArguments args) {
    const Columns columns{args.ptrs, args.idx, args.n};
    const Place place = Place::here();
    proxima::forEachSetPart_grid(columns, args.firstEntry, args.lastEntry, place, [&](const SetPart &part) {
        const int row = part.active ? __ldg(args.idx + part.entry) : 0;
        bool first = part.active;
        int64_t begin = part.start(0);
#pragma unroll
        for (int b = 0; b < SLICE_SIZE - 1; b++) {
            const int64_t end = part.start(b + 1);
            if (first && b < part.column) {
                const int length = static_cast<int>(end - begin);
                const int at = proxima::lowerBound(args.idx + begin, length, row);
                first = at == length || __ldg(args.idx + begin + at) != row;
            }
            begin = end;
        }
        const unsigned found = __ballot_sync(ALL_LANES, first);
        if (place.lane < 2 && found != 0) {
            // lane 0 has an entry, so lane 1's word is at most the word after that of the last entry
            const int64_t firstOfWarp = part.entry - place.lane;
            const int shift = static_cast<int>(firstOfWarp % 32);
            const unsigned bits = place.lane == 0 ? found << shift : shift == 0 ? 0 : found >> (32 - shift);
            if (bits != 0) {
                atomicOr(args.marks + firstOfWarp / 32 + place.lane, bits);
            }
        }
    });
}

// writes sums[words] modulo 2^32, total[0]: the number of slices
extern "C" __global__ void __launch_bounds__(proxima::BLOCK_THREADS)
        bvss_build_sums_grid(const __grid_constant__ proxima::SumMarksArguments args) {
    proxima::sumUp_grid(
            args.words, args.blockSums, [&](int64_t i) { return static_cast<unsigned long long>(__popc(args.marks[i])); },
            [&](int64_t i, unsigned long long sum) {
                if (i < args.words) {
                    args.sums[i] = static_cast<unsigned>(sum);
                } else {
                    *args.total = sum;
                }
            });
}

// writes total[0]: the number of virtual slice sets; realPtrs[sliceSets + 1] unless it is null
extern "C" __global__ void __launch_bounds__(proxima::BLOCK_THREADS)
        bvss_build_sets_grid(const __grid_constant__ proxima::CountSetsArguments args) {
    const Columns columns{args.ptrs, nullptr, args.n};
    const int64_t sets = columns.sets();
    proxima::sumUp_grid(
            sets, args.blockSums,
            [&](int64_t set) {
                return (static_cast<unsigned long long>(proxima::slicesOf(columns, args.marks, args.sums, set))
                               + proxima::VSS_SLICES - 1)
                        / proxima::VSS_SLICES;
            },
            [&](int64_t set, unsigned long long sum) {
                if (args.realPtrs != nullptr) {
                    args.realPtrs[set] = static_cast<int>(sum);
                }
                if (set == sets) {
                    *args.total = sum;
                }
            });
}

// writes virtualToReal[V] rowIds[128 V] masks[128 V bytes] for the slices whose first entries are firstEntry (inclusive) to
// lastEntry (exclusive); the host zeroes padding first. No atomics.
extern "C" __global__ void __launch_bounds__(proxima::BLOCK_THREADS)
        bvss_build_slices_warp(const __grid_constant__ proxima::WriteSlicesArguments args) {
    const Columns columns{args.ptrs, args.idx, args.n};
    const Place place = Place::here();
    proxima::forEachSetPart_grid(columns, args.firstEntry, args.lastEntry, place, [&](const SetPart &part) {
        const bool first = part.active && (__ldg(args.marks + part.entry / 32) >> (part.entry % 32) & 1) != 0;
        if (!__any_sync(ALL_LANES, first)) {
            return;
        }
        const int row = first ? __ldg(args.idx + part.entry) : 0;
        const unsigned before = proxima::firstsBefore(args.marks, args.sums, part.bound);
        unsigned mask = 0;
        unsigned slice = 0;
        int64_t begin = part.start(0);
#pragma unroll
        for (int b = 0; b < SLICE_SIZE; b++) {
            const int64_t end = part.start(b + 1);
            const unsigned beforeColumn = __shfl_sync(ALL_LANES, before, b);
            if (first) {
                const int length = static_cast<int>(end - begin);
                const int at = b == part.column ? static_cast<int>(part.entry - begin)
                                                : proxima::lowerBound(args.idx + begin, length, row);
                if (at < length && __ldg(args.idx + begin + at) == row) {
                    mask |= 1u << b;
                }
                slice += proxima::firstsBefore(args.marks, args.sums, begin + at) - beforeColumn;
            }
            begin = end;
        }
        if (first) {
            const int firstVss = __ldg(args.realPtrs + part.set);
            const int64_t at = static_cast<int64_t>(firstVss) * proxima::VSS_SLICES + slice;
            args.rowIds[at] = row;
            args.masks[at] = static_cast<unsigned char>(mask);
            if (slice % proxima::VSS_SLICES == 0) {
                args.virtualToReal[firstVss + slice / proxima::VSS_SLICES] = part.set;
            }
        }
    });
}

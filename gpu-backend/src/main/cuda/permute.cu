// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include "warps.cuh"

// permute_rows_gather{8,16,32,64}_thread: copies results from the order of slots to the order of vertices. Plain launch, any
// grid. A thread writes 16 bytes at a time, so that a target in host memory receives full packets across the bus.
//   reads   in[rows * n]              elements of 8, 16, 32 or 64 bits, row by row, in slots
//           slotOfVertex[n]           a bijection
//   writes  out[count]                the elements from first on of the rows in vertex order; 16-byte aligned
//   gives   out[i] = in[r n + slotOfVertex[v]] where first + i = r n + v. No atomics.
// permute_levels_gather{8,16}_thread: the same for levels of 32 bits that all fit the narrower element, so that fewer bytes
// cross the bus. UNREACHED is -1 in all widths. If slotOfVertex is null, slots are vertices.
// permute_levels_count_thread: counts the vertices of each level. Plain launch, any grid.
//   reads   levels[n]            of any depth
//   writes  counts[MOST_LEVELS]  added to: counts[i] are the vertices of level i - 1; deeper ones are not counted
//   atomics relaxed: sums of integers
namespace proxima {

template <class From, class Entry>
struct GatherArguments {
    const From *in;
    const int *slotOfVertex;
    Entry *out;
    int n;
    int64_t first;
    int64_t count;
};

template <class From, class Entry>
__device__ __forceinline__ void gatherRows(const GatherArguments<From, Entry> &args) {
    constexpr int PACK = 16 / sizeof(Entry);
    const int64_t threads = static_cast<int64_t>(gridDim.x) * blockDim.x;
    const int64_t packs = (args.count + PACK - 1) / PACK;
    for (int64_t p = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; p < packs; p += threads) {
        const int64_t at = p * PACK;
        int64_t row = (args.first + at) / args.n;
        int vertex = static_cast<int>((args.first + at) % args.n);
        union {
            Entry entries[PACK];
            uint4 quad;
        } pack;
#pragma unroll
        for (int i = 0; i < PACK; i++) {
            const int slot = args.slotOfVertex == nullptr ? vertex : __ldg(args.slotOfVertex + vertex);
            pack.entries[i] = at + i < args.count ? static_cast<Entry>(args.in[row * args.n + slot]) : Entry{};
            vertex++;
            if (vertex == args.n) {
                vertex = 0;
                row++;
            }
        }
        if (at + PACK <= args.count) {
            reinterpret_cast<uint4 *>(args.out)[p] = pack.quad;
        } else {
#pragma unroll
            for (int i = 0; i < PACK; i++) {
                if (at + i < args.count) {
                    args.out[at + i] = pack.entries[i];
                }
            }
        }
    }
}

/** Levels that fit a signed byte, with UNREACHED. */
constexpr int MOST_LEVELS = 129;

struct CountArguments {
    const int *levels;
    unsigned *counts;
    int n;
};

}  // namespace proxima

extern "C" __global__ void permute_levels_count_thread(const __grid_constant__ proxima::CountArguments args) {
    using namespace proxima;
    // a column for each lane: most vertices have the same level, and the lanes of a warp would wait for each other
    __shared__ unsigned own[MOST_LEVELS][WARP_SIZE];
    const int lane = threadIdx.x % WARP_SIZE;
    const int warp = threadIdx.x / WARP_SIZE;
    const int warps = blockDim.x / WARP_SIZE;
    for (int row = warp; row < MOST_LEVELS; row += warps) {
        own[row][lane] = 0;
    }
    __syncthreads();
    const int64_t threads = static_cast<int64_t>(gridDim.x) * blockDim.x;
    for (int64_t v = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; v < args.n; v += threads) {
        const unsigned row = static_cast<unsigned>(args.levels[v] + 1);
        if (row < MOST_LEVELS) {
            atomicAdd(&own[row][lane], 1u);
        }
    }
    __syncthreads();
    for (int row = warp; row < MOST_LEVELS; row += warps) {
        const unsigned sum = sum_warp(own[row][lane]);
        if (lane == 0 && sum > 0) {
            atomicAdd(args.counts + row, sum);
        }
    }
}

#define PERMUTE_ENTRY(NAME, FROM, ENTRY)                                                                                    \
    extern "C" __global__ void NAME(const __grid_constant__ proxima::GatherArguments<FROM, ENTRY> args) {                   \
        proxima::gatherRows(args);                                                                                          \
    }

PERMUTE_ENTRY(permute_rows_gather8_thread, uint8_t, uint8_t)
PERMUTE_ENTRY(permute_rows_gather16_thread, uint16_t, uint16_t)
PERMUTE_ENTRY(permute_rows_gather32_thread, uint32_t, uint32_t)
PERMUTE_ENTRY(permute_rows_gather64_thread, uint64_t, uint64_t)
PERMUTE_ENTRY(permute_levels_gather8_thread, int32_t, int8_t)
PERMUTE_ENTRY(permute_levels_gather16_thread, int32_t, int16_t)

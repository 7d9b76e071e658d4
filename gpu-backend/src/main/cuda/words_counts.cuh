// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "words.cuh"

// The sums by source of msbfs_words.cu: counts the slots that each source reaches in a level.
namespace proxima {

/**
 * Counts of a level by source. Bit b of word w of a row stands for a source. The planes hold the number of a warp's rows that
 * have that bit: its bit p is bit b of plane p of word w. So a few logical operations add a row, whatever its bits.
 */
template <int KW>
class SourceCounts {
    static constexpr int WARPS = BLOCK_THREADS / WARP_SIZE;

public:
    /** Shared memory of a block. */
    struct Shared {
        uint4 rows[WARPS][WARP_SIZE];  // to transpose from lanes of a row to lanes of a word
        unsigned planes[WARPS][COUNT_PLANES][WARP_SIZE];
        unsigned wholes[BLOCK_THREADS];  // slots that all sources of wholeRow reached at once, by counting thread
        int wholeRow;                    // a row of masks; most slots are in one component
        int isUsed;                      // whether a plane is not zero
    };

private:
    static constexpr bool NARROW = SlotRows<KW>::NARROW;

    const WordsArguments &args;
    const SlotRows<KW> &rows;
    Shared &shared;
    const Place &place;

    /** The counts of a level, in the order of the bits of a row. */
    __device__ __forceinline__ unsigned *countsOf(int level) const { return args.counts + level % COUNT_PHASES * 32 * KW; }

    __device__ __forceinline__ static unsigned majority(unsigned a, unsigned b, unsigned c) {
        return (a & b) | (a & c) | (b & c);
    }

    __device__ __forceinline__ void clearPlanes() const {
        const int warp = threadIdx.x / WARP_SIZE;
        for (int plane = 0; plane < COUNT_PLANES; plane++) {
            shared.planes[warp][plane][place.lane] = 0;
        }
        if (threadIdx.x == 0) {
            shared.isUsed = 0;
        }
    }

    /** The row of masks that contains a source. */
    __device__ __forceinline__ int rowOf(int slot) const {
        return slot < args.n ? rows.sourcesOf(slot) & ((1 << MASK_COUNT_SHIFT) - 1) : 0;
    }

public:
    __device__ __forceinline__ SourceCounts(
            const WordsArguments &args, const SlotRows<KW> &rows, Shared &shared, const Place &place)
        : args(args), rows(rows), shared(shared), place(place) {}

    /**
     * Counts the rows that the teams of a warp have added to, team by team; a row may be empty. Called by all lanes of the
     * warp. A word of four rows goes to one lane, which adds it to the planes of that word.
     */
    __device__ __forceinline__ void add(const uint4 &anew, int level) const {
        if (!__any_sync(ALL_LANES, any(anew))) {
            return;
        }
        const int warp = threadIdx.x / WARP_SIZE;
        shared.rows[warp][place.lane] = anew;
        __syncwarp();
        const unsigned *const words = reinterpret_cast<const unsigned *>(shared.rows[warp]) + place.lane;
        const unsigned a = words[0];
        const unsigned b = words[WARP_SIZE];
        const unsigned c = words[2 * WARP_SIZE];
        const unsigned d = words[3 * WARP_SIZE];
        unsigned *const planes = shared.planes[warp][0] + place.lane;
        const unsigned ones = planes[0];
        const unsigned sum = ones ^ a ^ b;
        const unsigned twosOfFirst = majority(ones, a, b);
        const unsigned twosOfLast = majority(sum, c, d);
        planes[0] = sum ^ c ^ d;
        const unsigned twos = planes[WARP_SIZE];
        planes[WARP_SIZE] = twos ^ twosOfFirst ^ twosOfLast;
        unsigned carry = majority(twos, twosOfFirst, twosOfLast);
        for (int plane = 2; plane < COUNT_PLANES && __any_sync(ALL_LANES, carry != 0); plane++) {
            const unsigned before = planes[plane * WARP_SIZE];
            planes[plane * WARP_SIZE] = before ^ carry;
            carry &= before;
        }
        for (; carry != 0; carry &= carry - 1) {
            atomicAdd(countsOf(level) + (__ffs(carry) - 1) * KW + place.lane % KW, 1u << COUNT_PLANES);
        }
        if (place.lane == 0) {
            shared.isUsed = 1;
        }
        __syncwarp();
    }

    /** Counts a slot that all sources of its component reach at once. row: the row of masks with these sources. By one lane. */
    __device__ __forceinline__ void addWhole(int row, int level) const {
        if (row == shared.wholeRow) {
            shared.wholes[threadIdx.x]++;
        } else {
            atomicAdd(args.wholes + level % LEVEL_PHASES * args.sourceCount + row, 1u);
        }
    }

    /** Adds the block's counts to those of the level. */
    __device__ __forceinline__ void flush(int level) const {
        constexpr int BITS = 32 / WARPS;  // bits of each word that a warp adds up
        __syncthreads();
        const int warp = threadIdx.x / WARP_SIZE;
        const bool isUsed = shared.isUsed != 0;
        if (isUsed) {
            const unsigned *const planes = &shared.planes[0][0][0];
            unsigned sums[BITS] = {};
#pragma unroll 2
            for (int i = 0; i < WARPS * COUNT_PLANES; i++) {
                const unsigned plane = planes[i * WARP_SIZE + place.lane] >> (BITS * warp);
#pragma unroll
                for (int bit = 0; bit < BITS; bit++) {
                    sums[bit] += (plane >> bit & 1) << (i % COUNT_PLANES);
                }
            }
#pragma unroll
            for (int bit = 0; bit < BITS; bit++) {
                if (sums[bit] != 0) {
                    atomicAdd(countsOf(level) + (BITS * warp + bit) * KW + place.lane % KW, sums[bit]);
                }
            }
        }
        if (!NARROW && warp == 0) {
            unsigned whole = 0;
            for (int i = place.lane; i < BLOCK_THREADS; i += WARP_SIZE) {
                whole += shared.wholes[i];
                shared.wholes[i] = 0;
            }
            whole = sum_warp(whole);
            if (place.lane == 0 && whole != 0) {
                atomicAdd(args.wholes + level % LEVEL_PHASES * args.sourceCount + shared.wholeRow, whole);
            }
        }
        __syncthreads();
        if (isUsed) {
            clearPlanes();
        }
    }

    /** Adds a level's counts to the sums by source. A thread per source, so that levels are added in order. */
    __device__ __forceinline__ void addToSources(int level) const {
        for (int i = place.thread; i < args.sourceCount; i += place.threads) {
            unsigned *const counted = countsOf(level) + i % 32 * KW + i / 32;
            unsigned count = __ldcg(counted);
            *counted = 0;
            if (!NARROW) {
                const int slot = args.sources[i];
                count += slot < args.n ? __ldcg(args.wholes + level % LEVEL_PHASES * args.sourceCount + rowOf(slot)) : 0;
                // the wholes of the last level, which all threads have read
                args.wholes[(level + 2) % LEVEL_PHASES * args.sourceCount + i] = 0;
            }
            if (count != 0) {
                args.addToSource(i, level, count);
            }
        }
    }

    /** Clears the counts at the begin of a launch. */
    __device__ __forceinline__ void begin() const {
        clearPlanes();
        shared.wholes[threadIdx.x] = 0;
        if (threadIdx.x == 0) {
            shared.wholeRow = rowOf(args.sources[0]);
        }
        __syncthreads();
    }
};

}  // namespace proxima

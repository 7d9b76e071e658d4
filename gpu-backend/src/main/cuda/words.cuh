// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "persistent.cuh"

// What the parts of msbfs_words.cu share: its arguments, and the rows and flags of the slots.
namespace proxima {

constexpr int PART_ENTRIES = 1024;   // entries of an in-list that a warp gathers as one item
constexpr int PUSH_ENTRIES = 256;    // entries of an out-list that a warp pushes to as one item
constexpr unsigned FULL = 1;         // flag: every source of its component has reached the slot
constexpr unsigned TOUCHED = 2;      // flag: some source has reached the slot
constexpr unsigned DIRTY = 4;        // flag: a push of this level added to the slot
constexpr int SECTOR_SHIFT = 4;      // the flags' upper four bits: sectors to which the last level added
constexpr int SECTOR_LANES = 2;      // lanes that read a sector, 16 bytes each
constexpr int FLAGS_ALIGNMENT = 32;  // slots; the length of the flags is a multiple of this
constexpr int SLOTS_A_LANE = 4;      // slots whose flags a lane reads at once
constexpr int WIDEST_TEAM = 8;       // lanes that gather for a slot of few entries, at most
constexpr int COUNT_PLANES = 8;      // bits of the numbers that a warp counts at once
constexpr int COUNT_PHASES = 2;      // two sets of counts rotate: one is added to the sums while the next level is counted

// maskOf of a component with sources: the row of masks that holds them, their number, and their sectors
constexpr int MASK_COUNT_SHIFT = 10;
constexpr int MASK_SECTOR_SHIFT = 21;

static_assert(FLAGS_ALIGNMENT % SLOTS_A_LANE == 0, "a lane reads past the last flag");

/** Totals of a level, from which the direction of the next is chosen. */
struct LevelTotals {
    unsigned long long active;      // slots that the level changed
    unsigned long long outEntries;  // out-entries of those
    unsigned long long inEntries;   // in-entries of the slots that the level made full
    unsigned long long pairs;       // bits that the level set
    int itemCursor;
    int blockCursor;
    int queued;
    int unused;
};

constexpr int LEVEL_PHASES = PhasedCounters<LevelTotals>::PHASES;

HOST_CONSTANT(PART_ENTRIES, PART_ENTRIES)
HOST_CONSTANT(PUSH_ENTRIES, PUSH_ENTRIES)
HOST_CONSTANT(FLAGS_ALIGNMENT, FLAGS_ALIGNMENT)
HOST_CONSTANT(WIDEST_TEAM, WIDEST_TEAM)
HOST_CONSTANT(LEVEL_PHASES, LEVEL_PHASES)
HOST_CONSTANT(COUNT_PHASES, COUNT_PHASES)
HOST_CONSTANT(LEVEL_TOTALS_BYTES, sizeof(LevelTotals))

struct WordsArguments : SourceBatchHead {
    const int64_t *inPtrs;
    const int *inIdx;
    const int64_t *outPtrs;
    const int *outIdx;
    const int *component;
    const int2 *items;
    unsigned *counts;
    unsigned *wholes;
    unsigned *bitsA;
    unsigned *bitsB;
    unsigned char *flagsA;
    unsigned char *flagsB;
    unsigned *hubBits;
    int *hubDone;
    unsigned *masks;
    int *maskOf;
    int2 *queue;
    LevelTotals *levelTotals;
    int components;
    int itemCount;
    int wide;
    int longEntries;
    int hubItems;
    int pushShare;
};

/** A slot with its flags. */
struct Found {
    int slot;
    unsigned flags;
};

/** Adds after all writes that the warp has seen. A fence on both sides would invalidate the multiprocessor's L1 cache. */
__device__ __forceinline__ int addBehindWrites(int *at, int more) {
    int before;
    asm volatile("atom.add.release.gpu.global.s32 %0, [%1], %2;" : "=r"(before) : "l"(at), "r"(more) : "memory");
    return before;
}

/** The length of a slot's list. */
__device__ __forceinline__ int entriesOf(const int64_t *ptrs, int slot) {
    return static_cast<int>(__ldg(ptrs + slot + 1) - __ldg(ptrs + slot));
}

/**
 * The rows and flags of the slots as seen by one thread. Two buffers of each alternate: a level reads one and writes the other.
 */
template <int KW>
class SlotRows {
    const WordsArguments &args;
    const Place place;     // a copy, because a reference into the object that has both would keep it out of registers
    bool flipped = false;  // whether the last level wrote the buffers B

public:
    static constexpr int LANES = KW / 4;     // lanes that hold a row, 16 bytes each
    static constexpr int QUADS = LANES;      // uint4 of a row
    static constexpr bool NARROW = KW < 32;  // testing whether to read a row costs about as much as reading it

    bool zeroIn = false;  // whether untouched rows of bitsIn are zero
    bool zeroOut = false;

    __device__ __forceinline__ SlotRows(const WordsArguments &args, const Place &place) : args(args), place(place) {}

    /** Makes what the level has written the input of the next. */
    __device__ __forceinline__ void flip() {
        flipped = !flipped;
        swap(zeroIn, zeroOut);
    }

    /** What a launch that resumes needs to know of the buffers. */
    __device__ __forceinline__ int state() const { return (flipped ? 1 : 0) | (zeroIn ? 2 : 0) | (zeroOut ? 4 : 0); }

    __device__ __forceinline__ void resume(int state) {
        flipped = (state & 1) != 0;
        zeroIn = (state & 2) != 0;
        zeroOut = (state & 4) != 0;
    }

    /** The rows before the level. */
    __device__ __forceinline__ uint4 *bitsIn() const { return reinterpret_cast<uint4 *>(flipped ? args.bitsB : args.bitsA); }

    /** The rows that the level writes. */
    __device__ __forceinline__ uint4 *bitsOut() const {
        return reinterpret_cast<uint4 *>(flipped ? args.bitsA : args.bitsB);
    }

    __device__ __forceinline__ unsigned char *flagsIn() const { return flipped ? args.flagsB : args.flagsA; }

    __device__ __forceinline__ unsigned char *flagsOut() const { return flipped ? args.flagsA : args.flagsB; }

    /** The lane's part of the mask of sources, if all slots are in one component. */
    __device__ __forceinline__ uint4 batchMask(int part) const {
        unsigned words[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            words[k] = lowBits(args.sourceCount - 32 * (4 * part + k));
        }
        return make_uint4(words[0], words[1], words[2], words[3]);
    }

    /** The lane's part of the mask of sources in the slot's component. */
    __device__ __forceinline__ uint4 maskOf(int slot, int part) const {
        if (args.component == nullptr) {
            return batchMask(part);
        }
        const int64_t row = args.maskOf[__ldg(args.component + slot)] & ((1 << MASK_COUNT_SHIFT) - 1);
        return reinterpret_cast<const uint4 *>(args.masks)[row * QUADS + part];
    }

    /** Number and sectors of the sources in the slot's component, encoded as in maskOf. */
    __device__ __forceinline__ int sourcesOf(int slot) const {
        if (args.component == nullptr) {
            constexpr int SECTOR_SOURCES = 128 * SECTOR_LANES;
            const int sectors = (args.sourceCount + SECTOR_SOURCES - 1) / SECTOR_SOURCES;
            return args.sourceCount << MASK_COUNT_SHIFT | ((1 << sectors) - 1) << MASK_SECTOR_SHIFT;
        }
        return args.maskOf[__ldg(args.component + slot)];
    }

    __device__ __forceinline__ int part() const { return place.lane % LANES; }

    __device__ __forceinline__ static bool sectorOf(unsigned flags, int part) {
        return (flags >> (SECTOR_SHIFT + part / SECTOR_LANES) & 1) != 0;
    }

    __device__ __forceinline__ static bool isActive(unsigned flags) { return flags >> SECTOR_SHIFT != 0; }

    /** A slot's row before the level. */
    __device__ __forceinline__ uint4 rowBefore(int slot, unsigned flags) const {
        return (flags & TOUCHED) != 0 ? bitsIn()[static_cast<int64_t>(slot) * QUADS + part()] : make_uint4(0, 0, 0, 0);
    }

    /** ORs over those lanes of a team that hold the same part of a row. */
    template <int SIZE>
    __device__ __forceinline__ static void combine(uint4 &acc) {
#pragma unroll
        for (int step = LANES; step < SIZE; step *= 2) {
            acc = acc | shuffleXor_warp(acc, step);
        }
    }

    /** This team's bits of a ballot. */
    template <int SIZE>
    __device__ __forceinline__ unsigned ofTeam(unsigned ballot) const {
        return SIZE == WARP_SIZE ? ballot : ballot >> (place.lane / SIZE * SIZE) & ((1u << (SIZE % 32)) - 1);
    }

    /**
     * Lists in found the slots that have one of these flags, then calls work(their number), warp by warp. The slots of a warp
     * are groups of four that are far apart, so that many warps share a dense region. Before that, calls seen(the flags of
     * four, their position) for all slots. Flags past slot n - 1 are ignored.
     */
    template <class Seen, class Work>
    __device__ __forceinline__ void forFlagged(
            const unsigned char *flags, unsigned which, Found *found, const Seen &seen, const Work &work) const {
        const int64_t words = (static_cast<int64_t>(args.n) + SLOTS_A_LANE - 1) / SLOTS_A_LANE;
        for (int64_t first = 0; first < words; first += place.threads) {
            const int64_t word = first + static_cast<int64_t>(place.lane) * place.warps + place.warp;
            unsigned four = 0;
            if (word < words) {
                four = reinterpret_cast<const unsigned *>(flags)[word];
                seen(four, word);
            }
            if (!__any_sync(ALL_LANES, (four & which * 0x01010101u) != 0)) {
                continue;
            }
            int at = 0;
            int count = 0;
            unsigned mine = 0;
#pragma unroll
            for (int i = 0; i < SLOTS_A_LANE; i++) {
                const bool is = (four >> 8 * i & which) != 0 && word * SLOTS_A_LANE + i < args.n;
                const unsigned all = __ballot_sync(ALL_LANES, is);
                at += __popc(all & ((1u << place.lane) - 1));
                count += __popc(all);
                mine |= is ? 1u << i : 0;
            }
#pragma unroll
            for (int i = 0; i < SLOTS_A_LANE; i++) {
                if ((mine >> i & 1) != 0) {
                    found[at++] = {static_cast<int>(word * SLOTS_A_LANE + i), four >> 8 * i & 0xff};
                }
            }
            __syncwarp();
            work(count);
            __syncwarp();
        }
    }

    /** Clears the untouched rows of bitsOut, to which a push may add. */
    __device__ __forceinline__ void zeroUntouched() const {
        for (int64_t base = static_cast<int64_t>(place.warp) * WARP_SIZE; base < args.n;
                base += static_cast<int64_t>(place.warps) * WARP_SIZE) {
            const int64_t slot = base + place.lane;
            const unsigned zeroed = __ballot_sync(ALL_LANES, slot < args.n && (flagsIn()[slot] & (FULL | TOUCHED)) == 0);
#pragma unroll 4
            for (int row = place.lane / LANES; row < WARP_SIZE; row += WARP_SIZE / LANES) {
                if ((zeroed >> row & 1) != 0) {
                    bitsOut()[(base + row) * QUADS + part()] = make_uint4(0, 0, 0, 0);
                }
            }
        }
    }
};

}  // namespace proxima

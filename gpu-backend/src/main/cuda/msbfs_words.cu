// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include "persistent.cuh"

// Breadth-first searches from up to kappa = 32 KW sources at once. Each vertex has a row of kappa bits, one for each source
// that has reached it. A level pulls (a vertex gathers its in-neighbours' rows) or pushes (a vertex adds its row to its
// out-neighbours'), whichever costs less. Every order of the slots is correct. In descending order of degree, the in-neighbour
// tested first is the one most likely to have been reached.
//
//   msbfs_words_k{256|512|1024}_grid
//   msbfs_words_rows_k{256|512|1024}_grid    sums over the slots that each source reaches, instead of over the sources that
//                                            reach each slot
//
// One cooperative launch a batch, blocks of BLOCK_THREADS. n >= 1, 1 <= sourceCount <= kappa, sources distinct. Slots from n to
// stride have no entries.
//   reads   inPtrs[n + 1] outPtrs[n + 1]     int64; equal arrays if the graph is symmetric
//           inIdx outIdx                     slots, ascending in each list, so that the likeliest parent comes first
//           component[n]                     weakly connected component of each slot, 0 to components - 1; null if all slots
//                                            are in one component
//           items[itemCount]                 (slot, part) for each part of PART_ENTRIES entries of the long in-lists; the
//                                            first hubItems are those of lists of more than one part
//           sources[sourceCount]             slots; those from n on reach only themselves
//           stopFlag[1]                      host-mapped or null
//   writes  levels[sourceCount * stride]     unsigned, of levelBytes (1, 2 or 4), levels[source * stride + slot]; all bits set
//                                            where not reached; may be null. 16-byte aligned; filled here
//           far[n] reach[n]                  u64, may be null: added to, so they accumulate over batches: the sum of levels,
//                                            and the number, of the sources that reach the slot. Both sums exclude the slot
//                                            itself
//           levelCounts[levelCapacity * stride]    u32, may be null: added to, as in msbfs_bvss.cu
//           depths[n]                        i32, may be null: raised to the greatest level at which a source reached the slot
//           pairs[n]                         u64, may be null: added to: the pairs (source, slot) at each level from 1 on
//           rowFar[sourceCount] rowReach[sourceCount]    u64, msbfs_words_rows only: added to: the sum of levels, and the
//                                            number, of the slots that the source reaches. Both sums exclude the source
//           rowHarmonic[sourceCount]         double, may be null: added to, level by level: number of slots / level
//           rowDepths[sourceCount]           i32, may be null: the greatest level at which the source reaches a slot
//           counts[COUNT_PHASES * kappa] wholes[LEVEL_PHASES * sourceCount]    u32, msbfs_words_rows only
//           bitsA bitsB [n * KW] flagsA flagsB [n, rounded up to FLAGS_ALIGNMENT] hubBits[hubItems * KW] hubDone[hubItems]
//           masks[sourceCount * KW] maskOf[components] (unused if component is null)
//           queue[n + entries / PUSH_ENTRIES]
//           levelTotals[LEVEL_PHASES]        LevelTotals; all these are state, initialised here
//           control                          zeroed by the host; level, stopped, overflow; bottomUpLevels: pulled levels
//   takes   pushShare                        a level pushes if the frontier's entries, times this, are fewer than the entries
//                                            that a pull may read: those of the slots that are not full
//           wide longEntries                 items contains the in-lists of slots 0 to wide - 1, and of the other slots those
//                                            of more than longEntries entries (0: none)
//   needs   In-lists of more than PART_ENTRIES entries are in items. msbfs_words_rows computes neither levels nor sums by
//           slot; pairs are added to in both.
//   gives   sums and levels equal for every grid; rowHarmonic is bit by bit that of io.proxima.backend.Farness.addHarmonic
//   ends    as msbfs_bvss.cu
//
// Invariants. If a slot's flags have TOUCHED and not FULL, bitsX holds all its bits after the last level. The bits of a FULL
// slot are all sources of its component. They are not stored, except that a level writes narrow rows that it makes full. A slot
// that the last level changed and this level did not is copied, so that both buffers hold it. The flags' sectors say to which
// 256 bits of a row the last level added. Others need no reading, because a bit goes to all neighbours in the level after it
// came.
namespace proxima {

constexpr int PART_ENTRIES = 1024;   // entries of an in-list that a warp gathers as one item
constexpr int PUSH_ENTRIES = 256;    // entries of an out-list that a warp pushes to as one item
constexpr unsigned FULL = 1;         // flag: every source of its component has reached the slot
constexpr unsigned TOUCHED = 2;      // flag: some source has reached the slot
constexpr unsigned DIRTY = 4;        // flag: a push of this level added to the slot
constexpr int SECTOR_SHIFT = 4;      // the flags' upper four bits: sectors to which the last level added
constexpr int SECTOR_LANES = 2;      // lanes that read a sector, 16 bytes each
constexpr int FLAGS_ALIGNMENT = 32;  // slots; the length of the flags is a multiple of this
constexpr int WIDEST_TEAM = 8;       // lanes that gather for a slot of few entries, at most
constexpr int COUNT_PLANES = 8;      // bits of the numbers that a warp counts at once
constexpr int COUNT_PHASES = 2;      // two sets of counts rotate: one is added to the sums while the next level is counted
constexpr int LEVEL_PHASES = 3;      // three totals rotate: one is added up, one is read, one is cleared

// maskOf of a component with sources: the row of masks that holds them, their number, and their sectors
constexpr int MASK_COUNT_SHIFT = 10;
constexpr int MASK_SECTOR_SHIFT = 21;

/** Totals of a level, from which the direction of the next is chosen; LEVEL_PHASES of them rotate. */
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

HOST_CONSTANT(PART_ENTRIES, PART_ENTRIES)
HOST_CONSTANT(PUSH_ENTRIES, PUSH_ENTRIES)
HOST_CONSTANT(FLAGS_ALIGNMENT, FLAGS_ALIGNMENT)
HOST_CONSTANT(WIDEST_TEAM, WIDEST_TEAM)
HOST_CONSTANT(LEVEL_PHASES, LEVEL_PHASES)
HOST_CONSTANT(COUNT_PHASES, COUNT_PHASES)
HOST_CONSTANT(LEVEL_TOTALS_BYTES, sizeof(LevelTotals))

struct WordsArguments {
    const int64_t *inPtrs;
    const int *inIdx;
    const int64_t *outPtrs;
    const int *outIdx;
    const int *component;
    const int2 *items;
    const int *sources;
    const int *stopFlag;
    void *levels;
    unsigned long long *far;
    unsigned long long *reach;
    unsigned *levelCounts;
    int *depths;
    unsigned long long *pairs;
    unsigned long long *rowFar;
    unsigned long long *rowReach;
    double *rowHarmonic;
    int *rowDepths;
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
    RunControl *control;
    RunControl *report;
    int64_t stride;
    int n;
    int components;
    int itemCount;
    int wide;
    int longEntries;
    int hubItems;
    int sourceCount;
    int maxDepth;
    int levelBytes;
    int levelCapacity;
    int firstLevel;
    int pushShare;
};

/** Adds after all writes that the warp has seen. A fence on both sides would invalidate the multiprocessor's L1 cache. */
__device__ __forceinline__ int addBehindWrites(int *at, int more) {
    int before;
    asm volatile("atom.add.release.gpu.global.s32 %0, [%1], %2;" : "=r"(before) : "l"(at), "r"(more) : "memory");
    return before;
}

/**
 * Counts of a block in a level, by source. Bit b of word w of a row stands for a source. The planes hold the number of a warp's
 * rows that have that bit: its bit p is bit b of plane p of word w. So a few logical operations add a row, whatever its bits.
 */
struct SourceCounts {
    static constexpr int WARPS = BLOCK_THREADS / WARP_SIZE;

    uint4 rows[WARPS][WARP_SIZE];  // to transpose from lanes of a row to lanes of a word
    unsigned planes[WARPS][COUNT_PLANES][WARP_SIZE];
    unsigned wholes[BLOCK_THREADS];  // slots that all sources of wholeRow reached at once, by the thread that counted them
    int wholeRow;                    // a row of masks; most slots are in one component
    int isUsed;                      // whether a plane is not zero
};

struct NoSourceCounts {};

template <bool ROWS>
struct SourceCountsIf {
    using Type = NoSourceCounts;
};

template <>
struct SourceCountsIf<true> {
    using Type = SourceCounts;
};

/** @tparam ROWS whether sums are by source */
template <int KW, bool ROWS>
class WordsBfs {
    static constexpr int LANES = KW / 4;  // lanes that hold a row, 16 bytes each
    static constexpr int QUADS = LANES;   // uint4 of a row
    static constexpr int ENTRIES = 4;     // entries that a lane tests at once in a long list
    static constexpr int TEAM = LANES;    // lanes that gather for a slot of few entries
    static_assert(TEAM <= WIDEST_TEAM, "the host assumes no more");
    static constexpr bool NARROW = KW < 32;  // testing whether to read a row costs about as much as reading it
    static constexpr int WARPS = BLOCK_THREADS / WARP_SIZE;
    static constexpr int PORTIONS = 4;  // portions that a warp takes from a cursor, at least, if there is enough work
    static constexpr int FLAGS = 4;     // slots whose flags a lane reads at once
    static_assert(FLAGS_ALIGNMENT % FLAGS == 0, "a lane reads past the last flag");
    static constexpr int SPARSE = 8;         // entries per slot; below, many slots have a single in-neighbour
    static constexpr int MARKED_PUSHES = 4;  // first pushes of a batch that may clear only the rows to which they add
    static constexpr int MOST_SHARES = 8;    // warps that push to one part of an out-list, at most

    // indices of the totals, in the order of LevelTotals
    static constexpr int ACTIVE = 0;
    static constexpr int OUT_ENTRIES = 1;
    static constexpr int IN_ENTRIES = 2;
    static constexpr int PAIRS = 3;
    static constexpr int TOTALS = 4;

    // indices in control->saved
    static constexpr int SAVED_OPEN = 0;
    static constexpr int SAVED_LEVEL = 1;
    static constexpr int SAVED_PUSHES = 2;
    static constexpr int SAVED_BUFFERS = 3;
    static constexpr int SAVED_BARRIER = 4;

    struct Found {
        int slot;
        unsigned flags;
    };

    struct Shared {
        Found found[WARPS][WARP_SIZE * (ENTRIES > FLAGS ? ENTRIES : FLAGS)];
        unsigned char order[WARPS][WARP_SIZE];  // the lanes of the slots that a warp pulls
        unsigned long long totals[TOTALS]
                                 [BLOCK_THREADS];  // of each thread in this level; kept here because registers are scarce
        typename SourceCountsIf<ROWS>::Type counts;
    };

    const WordsArguments &args;
    const Place place;
    RunControl *const control;
    Shared &shared;
    LevelTotals *const levelTotals;
    QuietGridBarrier barrier;
    bool flipped = false;  // whether the last level wrote the buffers B
    const bool asksFirst;  // whether a pull first tests the likeliest in-neighbours
    int pushCount = 0;
    bool zeroIn = false;  // whether untouched rows of bitsIn are zero
    bool zeroOut = false;
    bool dense = false;  // whether the last level changed so many slots that rows are read without testing

    __device__ __forceinline__ uint4 *bitsIn() const { return reinterpret_cast<uint4 *>(flipped ? args.bitsB : args.bitsA); }

    __device__ __forceinline__ uint4 *bitsOut() const {
        return reinterpret_cast<uint4 *>(flipped ? args.bitsA : args.bitsB);
    }

    __device__ __forceinline__ unsigned char *flagsIn() const { return flipped ? args.flagsB : args.flagsA; }

    __device__ __forceinline__ unsigned char *flagsOut() const { return flipped ? args.flagsA : args.flagsB; }

    __device__ __forceinline__ void count(int which, int64_t more) const { shared.totals[which][threadIdx.x] += more; }

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

    /**
     * Lists in found the slots that have one of these flags, then calls work(their number), warp by warp. The slots of a warp
     * are groups of four that are far apart, so that many warps share a dense region. Before that, calls seen(the flags of
     * four, their position) for all slots. Flags past slot n - 1 are ignored.
     */
    template <class Seen, class Work>
    __device__ __forceinline__ void forFlagged(
            const unsigned char *flags, unsigned which, const Seen &seen, const Work &work) const {
        const int64_t words = (static_cast<int64_t>(args.n) + FLAGS - 1) / FLAGS;
        Found *const found = shared.found[threadIdx.x / WARP_SIZE];
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
            for (int i = 0; i < FLAGS; i++) {
                const bool is = (four >> 8 * i & which) != 0 && word * FLAGS + i < args.n;
                const unsigned all = __ballot_sync(ALL_LANES, is);
                at += __popc(all & ((1u << place.lane) - 1));
                count += __popc(all);
                mine |= is ? 1u << i : 0;
            }
#pragma unroll
            for (int i = 0; i < FLAGS; i++) {
                if ((mine >> i & 1) != 0) {
                    found[at++] = {static_cast<int>(word * FLAGS + i), four >> 8 * i & 0xff};
                }
            }
            __syncwarp();
            work(count);
            __syncwarp();
        }
    }

    __device__ __forceinline__ int part() const { return place.lane % LANES; }

    __device__ __forceinline__ static bool sectorOf(unsigned flags, int part) {
        return (flags >> (SECTOR_SHIFT + part / SECTOR_LANES) & 1) != 0;
    }

    __device__ __forceinline__ static bool isActive(unsigned flags) { return flags >> SECTOR_SHIFT != 0; }

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
     * Gathers the rows of the in-neighbours begin (inclusive) to end (exclusive) that the last level changed, until no source
     * is missing. Called by all lanes of a warp, a team of SIZE lanes per slot; all lanes of a team get the whole result. The
     * first in-neighbours are the likeliest to have all sources, so a team tests few of them at first, then many at once.
     */
    template <int SIZE>
    __device__ __forceinline__ void gather(int64_t begin, int64_t end, const uint4 &mask, uint4 &acc) const {
        const int lane = place.lane % SIZE;
        Found *const found = shared.found[threadIdx.x / WARP_SIZE] + (place.lane - lane) * ENTRIES;
        int64_t at = begin;
        bool done = begin >= end;
        if (__any_sync(ALL_LANES, !done)) {
            round<SIZE, 1>(at, end, mask, acc, done, found);
        }
        while (__any_sync(ALL_LANES, !done)) {
            round<SIZE, ENTRIES>(at, end, mask, acc, done, found);
        }
    }

    /**
     * As gather, for narrow rows: the lanes that hold a row read it as soon as its slot is known.
     *
     * @tparam ASKS whether rows of neighbours that the last level did not change are skipped. Otherwise all rows are read,
     * which
     *     is correct if zeroIn: no slot that still misses a source has an in-neighbour that was full before the last level.
     */
    template <int SIZE, bool ASKS>
    __device__ __forceinline__ void gatherNarrow(int64_t begin, int64_t end, const uint4 &mask, uint4 &acc) const {
        constexpr int AT_ONCE = SIZE / LANES;
        constexpr int UNROLL = 4;
        const int sub = place.lane % SIZE / LANES;
        int64_t at = begin + sub;
        bool done = begin >= end;
        while (__any_sync(ALL_LANES, !done)) {
            int slots[UNROLL];
#pragma unroll
            for (int i = 0; i < UNROLL; i++) {
                slots[i] = !done && at + i * AT_ONCE < end ? __ldg(args.inIdx + at + i * AT_ONCE) : -1;
            }
            at += UNROLL * AT_ONCE;
            uint4 rows[UNROLL];
            bool fullNear = false;
            if constexpr (ASKS) {
                unsigned flags[UNROLL];
#pragma unroll
                for (int i = 0; i < UNROLL; i++) {
                    flags[i] = slots[i] >= 0 ? flagsIn()[slots[i]] : 0;
                }
#pragma unroll
                for (int i = 0; i < UNROLL; i++) {
                    fullNear = fullNear || (isActive(flags[i]) && (flags[i] & FULL) != 0);
                    rows[i] = make_uint4(0, 0, 0, 0);
                    if (sectorOf(flags[i], part()) && (flags[i] & FULL) == 0) {
                        rows[i] = bitsIn()[static_cast<int64_t>(slots[i]) * QUADS + part()];
                    }
                }
            } else {
#pragma unroll
                for (int i = 0; i < UNROLL; i++) {
                    rows[i] = make_uint4(0, 0, 0, 0);
                    if (slots[i] >= 0) {
                        rows[i] = bitsIn()[static_cast<int64_t>(slots[i]) * QUADS + part()];
                    }
                }
            }
#pragma unroll
            for (int i = 0; i < UNROLL; i++) {
                acc = acc | rows[i];
            }
            if constexpr (AT_ONCE > 1) {
                combine<SIZE>(acc);
            }
            if constexpr (ASKS) {
                if (ofTeam<SIZE>(__ballot_sync(ALL_LANES, fullNear)) != 0) {
                    acc = mask;
                }
            }
            const unsigned missing = ofTeam<SIZE>(__ballot_sync(ALL_LANES, any(andNot(mask, acc))));
            done = done || missing == 0 || at - sub >= end;
        }
        if constexpr (!ASKS) {
            // a source that is alone in its component misses none, and is not tested until a level pulls
            acc = acc & mask;
        }
    }

    /** Lists the active slots of a team; returns their number. */
    template <int SIZE, int EACH>
    __device__ __forceinline__ int list_team(
            const int (&slots)[EACH], const unsigned (&flags)[EACH], const bool &done, Found *found) const {
        const int lane = place.lane % SIZE;
        int count = 0;
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            const bool wanted = isActive(flags[i]) && !done;
            const unsigned all = ofTeam<SIZE>(__ballot_sync(ALL_LANES, wanted));
            if (wanted) {
                found[count + __popc(all & ((1u << lane) - 1))] = {slots[i], flags[i]};
            }
            count += __popc(all);
        }
        return count;
    }

    /** One round of gather, with EACH entries per lane. */
    template <int SIZE, int EACH>
    __device__ __forceinline__ void round(
            int64_t &at, int64_t end, const uint4 &mask, uint4 &acc, bool &done, Found *found) const {
        constexpr int AT_ONCE = SIZE / LANES;  // rows that a team reads in one instruction
        constexpr int UNROLL = 4;
        const int lane = place.lane % SIZE;
        const int sub = lane / LANES;
        int slots[EACH];
        unsigned flags[EACH];
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            const bool there = !done && at + i * SIZE + lane < end;
            slots[i] = there ? __ldg(args.inIdx + at + i * SIZE + lane) : -1;
        }
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            flags[i] = slots[i] >= 0 ? flagsIn()[slots[i]] : 0;
        }
        at += SIZE * EACH;
        bool fullNear = false;
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            fullNear = fullNear || (isActive(flags[i]) && (flags[i] & FULL) != 0);
        }
        if (ofTeam<SIZE>(__ballot_sync(ALL_LANES, fullNear)) != 0) {
            acc = mask;
            done = true;
        }
        const int count = list_team<SIZE>(slots, flags, done, found);
        __syncwarp();
        int next = sub;
        while (__any_sync(ALL_LANES, !done && next - sub < count)) {
            uint4 rows[UNROLL];
#pragma unroll
            for (int i = 0; i < UNROLL; i++) {
                const int mine = next + i * AT_ONCE;
                rows[i] = make_uint4(0, 0, 0, 0);
                if (!done && mine < count) {
                    const Found from = found[mine];
                    if (sectorOf(from.flags, part())) {
                        rows[i] = bitsIn()[static_cast<int64_t>(from.slot) * QUADS + part()];
                    }
                }
            }
#pragma unroll
            for (int i = 0; i < UNROLL; i++) {
                acc = acc | rows[i];
            }
            next += UNROLL * AT_ONCE;
            if constexpr (AT_ONCE == 1) {
                const unsigned missing = ofTeam<SIZE>(__ballot_sync(ALL_LANES, any(andNot(mask, acc))));
                done = done || missing == 0;
            }
        }
        if constexpr (AT_ONCE > 1) {
            combine<SIZE>(acc);
            const unsigned missing = ofTeam<SIZE>(__ballot_sync(ALL_LANES, any(andNot(mask, acc))));
            done = done || missing == 0;
        }
        done = done || at >= end;
        __syncwarp();
    }

    /** Equation (7) and the level counts: count sources reach the slot at this level, which is not 0. */
    __device__ __forceinline__ void addUp(int slot, int count, int level) const {
        this->count(PAIRS, count);
        if constexpr (ROWS) {
            return;  // countRows has counted them
        }
        // only one team adds to a slot in a level; atomics, because they do not wait for the old value
        if (args.far != nullptr) {
            atomicAdd(args.far + slot, static_cast<unsigned long long>(level) * count);
        }
        if (args.reach != nullptr) {
            atomicAdd(args.reach + slot, static_cast<unsigned long long>(count));
        }
        if (args.depths != nullptr) {
            atomicMax(args.depths + slot, level);
        }
        if (args.levelCounts != nullptr && level >= args.firstLevel) {
            if (level - args.firstLevel < args.levelCapacity) {
                atomicAdd(args.levelCounts + (level - args.firstLevel) * args.stride + slot, count);
            } else {
                control->overflow = COUNTS_TOO_SHALLOW;
            }
        }
    }

    /** The counts of a level, in the order of the bits of a row. */
    __device__ __forceinline__ unsigned *countsOf(int level) const { return args.counts + level % COUNT_PHASES * 32 * KW; }

    /**
     * Counts the rows that the teams of a warp have added to, team by team; a row may be empty. Called by all lanes of the
     * warp. A word of four rows goes to one lane, which adds it to the planes of that word.
     */
    __device__ __forceinline__ void countRows(const uint4 &anew, int level) const {
        if (!__any_sync(ALL_LANES, any(anew))) {
            return;
        }
        const int warp = threadIdx.x / WARP_SIZE;
        shared.counts.rows[warp][place.lane] = anew;
        __syncwarp();
        const unsigned *const rows = reinterpret_cast<const unsigned *>(shared.counts.rows[warp]) + place.lane;
        const unsigned a = rows[0];
        const unsigned b = rows[WARP_SIZE];
        const unsigned c = rows[2 * WARP_SIZE];
        const unsigned d = rows[3 * WARP_SIZE];
        unsigned *const planes = shared.counts.planes[warp][0] + place.lane;
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
            shared.counts.isUsed = 1;
        }
        __syncwarp();
    }

    __device__ __forceinline__ static unsigned majority(unsigned a, unsigned b, unsigned c) {
        return (a & b) | (a & c) | (b & c);
    }

    /** Counts a slot that all sources of its component reach at once. row: the row of masks with these sources. By one lane. */
    __device__ __forceinline__ void countWhole(int row, int level) const {
        if (row == shared.counts.wholeRow) {
            shared.counts.wholes[threadIdx.x]++;
        } else {
            atomicAdd(args.wholes + level % LEVEL_PHASES * args.sourceCount + row, 1u);
        }
    }

    /** Adds the block's counts to those of the level. */
    __device__ __forceinline__ void flushCounts(int level) const {
        constexpr int BITS = 32 / WARPS;  // bits of each word that a warp adds up
        __syncthreads();
        const int warp = threadIdx.x / WARP_SIZE;
        const bool isUsed = shared.counts.isUsed != 0;
        if (isUsed) {
            const unsigned *const planes = &shared.counts.planes[0][0][0];
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
                whole += shared.counts.wholes[i];
                shared.counts.wholes[i] = 0;
            }
            whole = sum_warp(whole);
            if (place.lane == 0 && whole != 0) {
                atomicAdd(args.wholes + level % LEVEL_PHASES * args.sourceCount + shared.counts.wholeRow, whole);
            }
        }
        __syncthreads();
        if (isUsed) {
            clearPlanes();
        }
    }

    __device__ __forceinline__ void clearPlanes() const {
        const int warp = threadIdx.x / WARP_SIZE;
        for (int plane = 0; plane < COUNT_PLANES; plane++) {
            shared.counts.planes[warp][plane][place.lane] = 0;
        }
        if (threadIdx.x == 0) {
            shared.counts.isUsed = 0;
        }
    }

    /** The row of masks that contains a source. */
    __device__ __forceinline__ int rowOf(int slot) const {
        return slot < args.n ? sourcesOf(slot) & ((1 << MASK_COUNT_SHIFT) - 1) : 0;
    }

    /** Adds a level's counts to the sums by source. A thread per source, so that levels are added in order. */
    __device__ __forceinline__ void addToRows(int level) const {
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
                args.rowFar[i] += static_cast<unsigned long long>(level) * count;
                args.rowReach[i] += count;
                if (args.rowHarmonic != nullptr) {
                    args.rowHarmonic[i] = __dadd_rn(
                            args.rowHarmonic[i], __ddiv_rn(static_cast<double>(count), static_cast<double>(level)));
                }
                if (args.rowDepths != nullptr) {
                    args.rowDepths[i] = level;
                }
            }
        }
    }

    /** Clears the counts at the begin of a launch. */
    __device__ __forceinline__ void clearCounts() const {
        clearPlanes();
        shared.counts.wholes[threadIdx.x] = 0;
        if (threadIdx.x == 0) {
            shared.counts.wholeRow = rowOf(args.sources[0]);
        }
        __syncthreads();
    }

    /** Stores the flags of a slot that count sources of these sectors newly reach, and adds it to the totals. */
    __device__ __forceinline__ void keep(
            int slot, int inEntries, unsigned flags, bool full, unsigned sectors, int count, int level) const {
        flagsOut()[slot] =
                (full ? FULL | TOUCHED : (flags & TOUCHED) | (sectors != 0 ? TOUCHED : 0)) | sectors << SECTOR_SHIFT;
        if (sectors != 0) {
            this->count(ACTIVE, 1);
            this->count(OUT_ENTRIES, args.inPtrs == args.outPtrs ? inEntries : entriesOf(args.outPtrs, slot));
            addUp(slot, count, level);
        }
        if (full) {
            this->count(IN_ENTRIES, inEntries);
        }
    }

    /**
     * Stores the result of a level for a slot. Called by all lanes of the warp, a team of SIZE lanes per slot, with the slot's
     * row before (old) and after (acc) the level. Teams without a slot have valid = false.
     *
     * @param inEntries length of the slot's in-list
     * @param inPlace whether bitsOut contains the new row already
     */
    template <int SIZE>
    __device__ __forceinline__ void settle(bool valid, int slot, int inEntries, unsigned flags, const uint4 &mask,
            const uint4 &old, const uint4 &acc, int level, bool inPlace) const {
        const int lane = place.lane % SIZE;
        const uint4 anew = andNot(acc, old);
        const unsigned rowLanes = (1u << LANES) - 1;
        const unsigned changes = ofTeam<SIZE>(__ballot_sync(ALL_LANES, any(anew))) & rowLanes;
        const bool full = (ofTeam<SIZE>(__ballot_sync(ALL_LANES, any(andNot(mask, acc)))) & rowLanes) == 0;
        int count = bits(anew);
#pragma unroll
        for (int step = 1; step < LANES; step *= 2) {
            count += __shfl_xor_sync(ALL_LANES, count, step);
        }
        if constexpr (ROWS) {
            countRows(lane < LANES ? anew : make_uint4(0, 0, 0, 0), level);
        }
        if (!valid) {
            return;
        }
        const bool kept = NARROW ? changes != 0 || isActive(flags) || (!zeroOut && (flags & TOUCHED) == 0)
                                 : !full && (changes != 0 || isActive(flags));
        if (lane < LANES && !inPlace && kept) {
            bitsOut()[static_cast<int64_t>(slot) * QUADS + lane] = acc;
        }
        if (lane == 0) {
            unsigned sectors = 0;
#pragma unroll
            for (int s = 0; s < LANES / SECTOR_LANES; s++) {
                sectors |= (changes >> (SECTOR_LANES * s) & ((1u << SECTOR_LANES) - 1)) != 0 ? 1u << s : 0u;
            }
            keep(slot, inEntries, flags, full, sectors, count, level);
        }
    }

    __device__ __forceinline__ static int entriesOf(const int64_t *ptrs, int slot) {
        return static_cast<int>(__ldg(ptrs + slot + 1) - __ldg(ptrs + slot));
    }

    /** A slot's row before the level. */
    __device__ __forceinline__ uint4 rowBefore(int slot, unsigned flags) const {
        return (flags & TOUCHED) != 0 ? bitsIn()[static_cast<int64_t>(slot) * QUADS + part()] : make_uint4(0, 0, 0, 0);
    }

    /**
     * Pulls one part of a long in-list, by one warp. The last part of a hub to complete stores the result. The state of a hub
     * has the index of its first item.
     */
    __device__ __forceinline__ void pullItem(int index, int level) const {
        const int2 item = __ldg(args.items + index);
        const int slot = item.x;
        const unsigned flags = flagsIn()[slot];
        if ((flags & FULL) != 0) {
            if (item.y == 0 && place.lane == 0) {
                flagsOut()[slot] = FULL | TOUCHED;
            }
            return;
        }
        const int64_t first = __ldg(args.inPtrs + slot);
        const int64_t last = __ldg(args.inPtrs + slot + 1);
        const int entries = static_cast<int>(last - first);
        const int64_t begin = first + static_cast<int64_t>(item.y) * PART_ENTRIES;
        const int64_t end = min(begin + PART_ENTRIES, last);
        const bool inParts = entries > PART_ENTRIES;
        const uint4 mask = maskOf(slot, part());
        const uint4 old = rowBefore(slot, flags);
        uint4 acc = old;
        const int hubIndex = index - item.y;
        uint4 *const hub = reinterpret_cast<uint4 *>(args.hubBits) + static_cast<int64_t>(hubIndex) * QUADS + part();
        if (inParts) {
            acc = acc | __ldcg(hub);
        }
        const bool missing = !inParts || __any_sync(ALL_LANES, any(andNot(mask, acc)));
        if (NARROW && dense) {
            gatherNarrow<WARP_SIZE, false>(missing ? begin : end, end, mask, acc);
        } else {
            gather<WARP_SIZE>(missing ? begin : end, end, mask, acc);
        }
        if (inParts) {
            if (place.lane < LANES) {
                const uint4 there = __ldcg(hub);
                orInto(hub, andNot(acc, there | old));
            }
            __syncwarp();
            const int parts = (entries + PART_ENTRIES - 1) / PART_ENTRIES;
            int ended = 0;
            if (place.lane == 0) {
                ended = addBehindWrites(args.hubDone + hubIndex, 1) + 1;
            }
            if (__shfl_sync(ALL_LANES, ended, 0) < parts) {
                return;
            }
            __threadfence();
            acc = old | __ldcg(hub);
            __syncwarp();
            if (place.lane < LANES) {
                *hub = make_uint4(0, 0, 0, 0);
            }
            if (place.lane == 0) {
                args.hubDone[hubIndex] = 0;
            }
        }
        settle<WARP_SIZE>(true, slot, entries, flags, mask, old, acc, level, false);
    }

    /**
     * Pulls 32 slots by one warp: teams of lanes share the slots that still miss a source. In a graph with hubs or with few
     * entries, each lane first tests the likeliest in-neighbour of one slot. If that is full, as often, no list is read, and no
     * row either if nothing has reached the slot so far. A leaf whose neighbour has nothing new is finished too.
     */
    __device__ __forceinline__ void pullBlock(int base, int level) const {
        const int mine = base + place.lane;
        const bool there = mine < args.n && (args.longEntries == 0 || entriesOf(args.inPtrs, mine) <= args.longEntries);
        const unsigned flagsOfMine = there ? flagsIn()[mine] : FULL;
        const bool full = (flagsOfMine & FULL) != 0;
        if (full && there) {
            flagsOut()[mine] = FULL | TOUCHED;
        }
        bool whole = false;  // whether the likeliest in-neighbour has every source
        const bool left = !full && !(asksFirst && ask(mine, flagsOfMine, level, whole));
        const unsigned open = __ballot_sync(ALL_LANES, left);
        unsigned char *const order = shared.order[threadIdx.x / WARP_SIZE];
        if (left) {
            order[__popc(open & ((1u << place.lane) - 1))] = static_cast<unsigned char>(place.lane);
        }
        __syncwarp();
        const int count = __popc(open);
        for (int first = 0; first < count; first += WARP_SIZE / TEAM) {
            const int at = first + place.lane / TEAM;
            const bool valid = at < count;
            const int which = valid ? order[at] : 0;
            const int slot = base + which;
            const unsigned flags = __shfl_sync(ALL_LANES, flagsOfMine, which);
            const bool gathers = !__shfl_sync(ALL_LANES, whole, which);
            uint4 mask = {}, old = {};
            int64_t begin = 0, end = 0;
            if (valid) {
                begin = __ldg(args.inPtrs + slot);
                end = __ldg(args.inPtrs + slot + 1);
                mask = maskOf(slot, part());
                old = rowBefore(slot, flags);
            }
            uint4 acc = gathers ? old : mask;
            const int64_t last = gathers ? end : begin;
            if constexpr (!NARROW) {
                gather<TEAM>(begin, last, mask, acc);
            } else if (dense) {
                gatherNarrow<TEAM, false>(begin, last, mask, acc);
            } else {
                gatherNarrow<TEAM, true>(begin, last, mask, acc);
            }
            settle<TEAM>(valid, slot, static_cast<int>(end - begin), flags, mask, old, acc, level, false);
        }
        __syncwarp();
    }

    /** Tests the first in-neighbour of a slot that is not full, and finishes the slot if that suffices; by one lane. */
    __device__ __forceinline__ bool ask(int slot, unsigned flags, int level, bool &whole) const {
        const int64_t begin = __ldg(args.inPtrs + slot);
        const int64_t entries = __ldg(args.inPtrs + slot + 1) - begin;
        const unsigned near = entries > 0 ? flagsIn()[__ldg(args.inIdx + begin)] : 0;
        whole = isActive(near) && (near & FULL) != 0;
        if constexpr (NARROW) {
            return false;  // its row must be written
        }
        if (whole && (flags & TOUCHED) == 0) {
            const int sources = sourcesOf(slot);
            if constexpr (ROWS) {
                countWhole(sources & ((1 << MASK_COUNT_SHIFT) - 1), level);
            }
            keep(slot, static_cast<int>(entries), flags, true, sources >> MASK_SECTOR_SHIFT,
                    sources >> MASK_COUNT_SHIFT & ((1 << (MASK_SECTOR_SHIFT - MASK_COUNT_SHIFT)) - 1), level);
            return true;
        }
        if (entries <= 1 && !isActive(near) && !isActive(flags)) {
            flagsOut()[slot] = static_cast<unsigned char>(flags);
            return true;
        }
        return false;
    }

    /** Distributes 0 to count - 1 over the warps, a few at a time: few enough to balance, enough to limit atomics. */
    template <class Work>
    __device__ __forceinline__ void deal(int *cursor, int count, const Work &work) const {
        const int atOnce = max(1, count / (place.warps * PORTIONS));
        const auto take = [&] {
            int taken = 0;
            if (place.lane == 0) {
                taken = atomicAdd(cursor, atOnce);
            }
            return (NARROW ? place.warps * atOnce : 0) + __shfl_sync(ALL_LANES, taken, 0);
        };
        // narrow: the first portions are assigned without an atomic, whose contention matters in such short levels
        for (int first = NARROW ? place.warp * atOnce : take(); first < count; first = take()) {
            for (int i = first; i < min(first + atOnce, count); i++) {
                work(i);
            }
        }
    }

    __device__ __forceinline__ void pull(int level, LevelTotals &totals) {
        // the longest tasks first: slots for which a small team gathers
        deal(&totals.blockCursor, (args.n - args.wide + WARP_SIZE - 1) / WARP_SIZE,
                [&](int i) { pullBlock(args.wide + i * WARP_SIZE, level); });
        deal(&totals.itemCursor, args.itemCount, [&](int i) { pullItem(i, level); });
        zeroOut = zeroOut || NARROW;
    }

    /** Prepares a push: copies bitsIn to bitsOut, and queues the out-lists of the changed slots in parts. */
    __device__ __forceinline__ void preparePush(LevelTotals &totals) const {
        constexpr unsigned KEPT = (FULL | TOUCHED) * 0x01010101u;
        constexpr unsigned ACTIVE_FLAGS = 0xffu << SECTOR_SHIFT & 0xffu;
        const Found *const found = shared.found[threadIdx.x / WARP_SIZE];
        forFlagged(
                flagsIn(), ACTIVE_FLAGS,
                [&](unsigned four, int64_t word) { reinterpret_cast<unsigned *>(flagsOut())[word] = four & KEPT; },
                [&](int count) {
#pragma unroll 4
                    for (int i = place.lane / LANES; i < count; i += WARP_SIZE / LANES) {
                        if ((found[i].flags & FULL) == 0) {
                            const int64_t at = static_cast<int64_t>(found[i].slot) * QUADS + part();
                            bitsOut()[at] = bitsIn()[at];
                        }
                    }
                    for (int i = 0; i < count; i += WARP_SIZE) {
                        enqueue(i + place.lane < count ? found[i + place.lane].slot : -1, totals);
                    }
                });
    }

    /** Queues the parts of a lane's out-list; slot -1 stands for none. */
    __device__ __forceinline__ void enqueue(int slot, LevelTotals &totals) const {
        int parts = 0;
        if (slot >= 0) {
            const int64_t entries = __ldg(args.outPtrs + slot + 1) - __ldg(args.outPtrs + slot);
            parts = static_cast<int>((entries + PUSH_ENTRIES - 1) / PUSH_ENTRIES);
        }
        const int upToMine = inclusiveSum_warp(parts, place.lane);
        int at = 0;
        if (place.lane == WARP_SIZE - 1) {
            at = atomicAdd(&totals.queued, upToMine);
        }
        at = __shfl_sync(ALL_LANES, at, WARP_SIZE - 1) + upToMine - parts;
        for (int i = 0; i < parts; i++) {
            args.queue[at + i] = make_int2(slot, i);
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

    /** Clears the rows that mark found, all of which the push adds to. */
    __device__ __forceinline__ void zeroMarked() const {
        const Found *const found = shared.found[threadIdx.x / WARP_SIZE];
        forFlagged(
                flagsOut(), DIRTY, [](unsigned, int64_t) {},
                [&](int count) {
                    for (int i = place.lane / LANES; i < count; i += WARP_SIZE / LANES) {
                        bitsOut()[static_cast<int64_t>(found[i].slot) * QUADS + part()] = make_uint4(0, 0, 0, 0);
                    }
                });
    }

    /** Calls work(slot, begin, end) for this warp's share of each queued part of an out-list. */
    template <class Work>
    __device__ __forceinline__ void forQueued(int queued, const Work &work) const {
        int shares = 1;
        while (shares < MOST_SHARES && 2ll * queued * shares <= place.warps) {
            shares *= 2;
        }
        const int each = PUSH_ENTRIES / shares;
        for (int64_t i = place.warp; i < static_cast<int64_t>(queued) * shares; i += place.warps) {
            const int2 item = args.queue[i / shares];
            const int64_t begin =
                    __ldg(args.outPtrs + item.x) + static_cast<int64_t>(item.y) * PUSH_ENTRIES + i % shares * each;
            const int64_t end = min(begin + each, __ldg(args.outPtrs + item.x + 1));
            if (begin < end) {
                work(item.x, begin, end);
            }
        }
    }

    /** Marks the untouched out-neighbours. */
    __device__ __forceinline__ void mark(int64_t begin, int64_t end) const {
        for (int64_t at = begin + place.lane; at < end; at += WARP_SIZE) {
            const int to = __ldg(args.outIdx + at);
            if ((flagsIn()[to] & (FULL | TOUCHED)) == 0) {
                flagsOut()[to] = DIRTY;
            }
        }
    }

    /** Pushes a slot's row to the entries begin to end of its out-list, by one warp. */
    __device__ __forceinline__ void pushTo(int slot, int64_t begin, int64_t end) const {
        constexpr int AT_ONCE = WARP_SIZE / LANES;
        const uint4 row =
                (flagsIn()[slot] & FULL) != 0 ? maskOf(slot, part()) : bitsIn()[static_cast<int64_t>(slot) * QUADS + part()];
        Found *const found = shared.found[threadIdx.x / WARP_SIZE];
        for (int64_t at = begin; at < end; at += WARP_SIZE) {
            int to = 0;
            unsigned flags = FULL;
            if (at + place.lane < end) {
                to = __ldg(args.outIdx + at + place.lane);
                flags = flagsIn()[to];
            }
            const bool open = (flags & FULL) == 0;
            const unsigned opens = __ballot_sync(ALL_LANES, open);
            if (open) {
                found[__popc(opens & ((1u << place.lane) - 1))] = {to, flags};
            }
            __syncwarp();
            const int count = __popc(opens);
#pragma unroll 4
            for (int i = place.lane / LANES; i < count; i += AT_ONCE) {
                const Found target = found[i];
                uint4 *const quad = bitsOut() + static_cast<int64_t>(target.slot) * QUADS + part();
                const uint4 missing = andNot(row, __ldcg(quad));
                orInto(quad, missing);
                if (any(missing)) {
                    // every writer of this level stores the same value
                    flagsOut()[target.slot] = static_cast<unsigned char>((target.flags & TOUCHED) | DIRTY);
                }
            }
            __syncwarp();
        }
    }

    /** Finishes the slots that a push has added to. */
    __device__ __forceinline__ void settlePush(int level) const {
        const Found *const found = shared.found[threadIdx.x / WARP_SIZE];
        forFlagged(
                flagsOut(), DIRTY, [](unsigned, int64_t) {},
                [&](int count) {
                    for (int first = 0; first < count; first += WARP_SIZE / TEAM) {
                        const int i = first + place.lane / TEAM;
                        const bool valid = i < count;
                        const int slot = found[valid ? i : first].slot;
                        unsigned flags = 0;
                        uint4 mask = {}, old = {}, acc = {};
                        if (valid) {
                            flags = flagsIn()[slot];
                            mask = maskOf(slot, part());
                            old = rowBefore(slot, flags);
                            acc = bitsOut()[static_cast<int64_t>(slot) * QUADS + part()];
                        }
                        settle<TEAM>(
                                valid, slot, valid ? entriesOf(args.inPtrs, slot) : 0, flags, mask, old, acc, level, true);
                    }
                });
    }

    /** Pushes the changed slots. entries: number of their out-entries. */
    __device__ __forceinline__ void push(int level, LevelTotals &totals, unsigned long long entries) {
        // a few pushes add to few rows; before many, clearing all rows once is cheaper than two synchronisations for each
        const bool marks = !zeroOut && pushCount < MARKED_PUSHES && 2 * entries < static_cast<unsigned long long>(args.n);
        pushCount++;
        preparePush(totals);
        if (!marks && !zeroOut) {
            zeroUntouched();
            zeroOut = true;
        }
        barrier.sync();
        if (marks) {
            forQueued(totals.queued, [&](int, int64_t begin, int64_t end) { mark(begin, end); });
            barrier.sync();
            zeroMarked();
            barrier.sync();
        }
        forQueued(totals.queued, [&](int slot, int64_t begin, int64_t end) { pushTo(slot, begin, end); });
        barrier.sync();
        settlePush(level);
    }

    /** Adds the totals of the block's threads to those of the level. */
    __device__ __forceinline__ void flushTotals(LevelTotals &totals) const {
        __syncthreads();
        const int which = threadIdx.x / WARP_SIZE;
        if (which < TOTALS) {
            unsigned long long sum = 0;
            for (int i = place.lane; i < BLOCK_THREADS; i += WARP_SIZE) {
                sum += shared.totals[which][i];
                shared.totals[which][i] = 0;
            }
            sum = sum_warp(sum);
            if (place.lane == 0 && sum != 0) {
                atomicAdd(&totals.active + which, sum);
            }
        }
        __syncthreads();
    }

    /** Stores the level of the pairs that the last level found; bitsIn still holds the rows before it. */
    __device__ __forceinline__ void storeLevels(int level) const {
        const unsigned *const before = reinterpret_cast<const unsigned *>(bitsIn());
        const unsigned *const after = reinterpret_cast<const unsigned *>(bitsOut());
        for (int64_t base = static_cast<int64_t>(place.warp) * WARP_SIZE; base < args.n;
                base += static_cast<int64_t>(place.warps) * WARP_SIZE) {
            const int64_t slot = base + place.lane;
            const unsigned flags = slot < args.n ? flagsOut()[slot] : 0;
            if (!__any_sync(ALL_LANES, isActive(flags))) {
                continue;
            }
            const unsigned flagsBefore = slot < args.n ? flagsIn()[slot] : 0;
#pragma unroll 1
            for (int k = 0; k < KW; k++) {
                unsigned anew = 0;
                if (sectorOf(flags, k / 4)) {
                    if ((flags & FULL) != 0) {
                        const uint4 mask = maskOf(static_cast<int>(slot), k / 4);
                        anew = k % 4 == 0 ? mask.x : k % 4 == 1 ? mask.y : k % 4 == 2 ? mask.z : mask.w;
                    } else {
                        anew = after[slot * KW + k];
                    }
                    anew &= (flagsBefore & TOUCHED) != 0 ? ~before[slot * KW + k] : ~0u;
                }
                unsigned left = __reduce_or_sync(ALL_LANES, anew);
                while (left != 0) {
                    const int source = __ffs(left) - 1;
                    left &= left - 1;
                    if ((anew >> source & 1) != 0) {
                        storeLevel(args.levels, args.levelBytes, (32 * k + source) * args.stride + slot, level);
                    }
                }
            }
        }
    }

    /** Builds masks, the rows of the sources of each component, and maskOf: a component's row in masks, or -1. */
    __device__ __forceinline__ void initializeMasks() {
        fill_grid(args.maskOf, static_cast<int64_t>(args.components) * sizeof(int), 0xff, place);
        fill_grid(args.masks, static_cast<int64_t>(args.sourceCount) * KW * sizeof(unsigned), 0, place);
        barrier.sync();
        for (int i = place.thread; i < args.sourceCount; i += place.threads) {
            if (args.sources[i] < args.n) {
                atomicCAS(args.maskOf + args.component[args.sources[i]], -1, i);
            }
        }
        barrier.sync();
        for (int i = place.thread; i < args.sourceCount; i += place.threads) {
            if (args.sources[i] < args.n) {
                const int64_t row = args.maskOf[args.component[args.sources[i]]];
                atomicOr(args.masks + row * KW + i / 32, 1u << (i % 32));
            }
        }
        barrier.sync();
        for (int i = place.thread; i < args.sourceCount; i += place.threads) {
            int *const summary = args.maskOf + (args.sources[i] < args.n ? args.component[args.sources[i]] : 0);
            if (args.sources[i] < args.n && *summary == i) {
                int sources = 0;
                unsigned sectors = 0;
                for (int k = 0; k < KW; k++) {
                    const unsigned word = args.masks[static_cast<int64_t>(i) * KW + k];
                    sources += __popc(word);
                    sectors |= word != 0 ? 1u << k / (4 * SECTOR_LANES) : 0u;
                }
                *summary = i | sources << MASK_COUNT_SHIFT | static_cast<int>(sectors << MASK_SECTOR_SHIFT);
            }
        }
    }

    __device__ __forceinline__ void clearTotals() const {
        for (int i = 0; i < TOTALS; i++) {
            shared.totals[i][threadIdx.x] = 0;
        }
    }

    __device__ __forceinline__ void initialize() {
        clearTotals();
        if (place.thread < 3) {
            levelTotals[place.thread] = {};
        }
        fill_grid(args.hubBits, static_cast<int64_t>(args.hubItems) * KW * sizeof(unsigned), 0, place);
        fill_grid(args.hubDone, static_cast<int64_t>(args.hubItems) * sizeof(int), 0, place);
        // flags are read in words
        const int64_t flagsEnd = (static_cast<int64_t>(args.n) + FLAGS - 1) / FLAGS * FLAGS;
        for (int64_t slot = static_cast<int64_t>(args.n) + place.thread; slot < flagsEnd; slot += place.threads) {
            args.flagsA[slot] = 0;
            args.flagsB[slot] = 0;
        }
        if constexpr (ROWS) {
            fill_grid(args.counts, COUNT_PHASES * 32 * KW * sizeof(unsigned), 0, place);
            fill_grid(args.wholes, static_cast<int64_t>(LEVEL_PHASES) * args.sourceCount * sizeof(unsigned), 0, place);
        }
        if (!ROWS && args.levels != nullptr) {
            fill_grid(args.levels, args.sourceCount * args.stride * args.levelBytes, 0xff, place);
        }
        if (args.component == nullptr) {
            fill_grid(flagsIn(), args.n, 0, place);
        } else {
            initializeMasks();
            for (int slot = place.thread; slot < args.n; slot += place.threads) {
                const bool open = args.maskOf[args.component[slot]] != -1;
                flagsIn()[slot] = open ? 0 : FULL | TOUCHED;
                count(IN_ENTRIES, open ? args.inPtrs[slot + 1] - args.inPtrs[slot] : 0);
            }
        }
        barrier.sync();
        if constexpr (ROWS) {
            clearCounts();
        }
        unsigned *const rows = reinterpret_cast<unsigned *>(bitsIn());
        for (int64_t i = place.thread; i < static_cast<int64_t>(args.sourceCount) * KW; i += place.threads) {
            const int source = static_cast<int>(i / KW);
            const int word = static_cast<int>(i % KW);
            const int slot = args.sources[source];
            if (slot < args.n) {
                rows[static_cast<int64_t>(slot) * KW + word] = word == source / 32 ? 1u << (source % 32) : 0u;
            }
            if (word == 0) {
                if (!ROWS && args.levels != nullptr) {
                    storeLevel(args.levels, args.levelBytes, source * args.stride + slot, 0);
                }
                if (slot < args.n) {
                    flagsIn()[slot] =
                            static_cast<unsigned char>(TOUCHED | 1u << (SECTOR_SHIFT + source / (128 * SECTOR_LANES)));
                    count(ACTIVE, 1);
                    count(OUT_ENTRIES, args.outPtrs[slot + 1] - args.outPtrs[slot]);
                }
            }
        }
    }

    /** Returns whether no later level can add to a result. */
    __device__ __forceinline__ bool allCounted(int level) const {
        const bool counting = !ROWS && args.levels == nullptr && args.far == nullptr && args.reach == nullptr
                && args.depths == nullptr && args.pairs == nullptr;
        return counting && level - args.firstLevel >= args.levelCapacity;
    }

    /** Saves the state of a launch that pauses. */
    __device__ __forceinline__ void save(const unsigned long long &open, const int &level) {
        control->saved[SAVED_OPEN] = open;
        control->saved[SAVED_LEVEL] = level;
        control->saved[SAVED_PUSHES] = pushCount;
        control->saved[SAVED_BUFFERS] = (flipped ? 1 : 0) | (zeroIn ? 2 : 0) | (zeroOut ? 4 : 0);
        control->saved[SAVED_BARRIER] = barrier.count();
    }

    /** Restores the state of a paused launch. */
    __device__ __forceinline__ void resume(unsigned long long &open, int &level) {
        clearTotals();
        if constexpr (ROWS) {
            clearCounts();
        }
        open = control->saved[SAVED_OPEN];
        level = static_cast<int>(control->saved[SAVED_LEVEL]);
        pushCount = static_cast<int>(control->saved[SAVED_PUSHES]);
        const int64_t buffers = control->saved[SAVED_BUFFERS];
        flipped = (buffers & 1) != 0;
        zeroIn = (buffers & 2) != 0;
        zeroOut = (buffers & 4) != 0;
        barrier.resume(static_cast<unsigned>(control->saved[SAVED_BARRIER]));
    }

public:
    using SharedState = Shared;

    __device__ __forceinline__ WordsBfs(const WordsArguments &args, Shared &shared)
        : args(args), place(Place::here()), control(args.control), shared(shared), levelTotals(args.levelTotals),
          barrier(args.control),
          asksFirst(args.hubItems != 0 || args.inPtrs[args.n] < static_cast<int64_t>(SPARSE) * args.n) {}

    __device__ __forceinline__ void run() {
        StopWatch watch(args.stopFlag, control);
        unsigned long long open;
        int level;
        if (control->resumes == 0) {
            initialize();
            flushTotals(levelTotals[0]);
            if (place.thread == 0) {
                watch.look(0);
            }
            barrier.sync();
            open = args.component == nullptr ? args.inPtrs[args.n] : levelTotals[0].inEntries;
            level = 0;
        } else {
            resume(open, level);
        }
        while (levelTotals[level % LEVEL_PHASES].active != 0 && open != 0 && level != args.maxDepth && !allCounted(level)
                && !watch.seen(level)) {
            const bool pushes = levelTotals[level % LEVEL_PHASES].outEntries * args.pushShare < open;
            level++;
            LevelTotals &totals = levelTotals[level % LEVEL_PHASES];
            if (place.thread == 0) {
                // all threads have read it before the last synchronisation, and use it only after the next
                levelTotals[(level + 1) % LEVEL_PHASES] = {};
                control->bottomUpLevels += pushes ? 0 : 1;
                watch.look(level);
            }
            if (pushes) {
                push(level, totals, levelTotals[(level - 1) % LEVEL_PHASES].outEntries);
            } else {
                dense = NARROW && zeroIn
                        && 2 * levelTotals[(level - 1) % LEVEL_PHASES].active > static_cast<unsigned long long>(args.n);
                pull(level, totals);
            }
            if constexpr (ROWS) {
                flushCounts(level);
            }
            flushTotals(totals);
            barrier.sync();
            open -= totals.inEntries;
            if (totals.active == 0) {
                break;
            }
            if (static_cast<unsigned>(level) > deepestLevel(args)) {
                control->overflow = LEVELS_TOO_NARROW;
                break;
            }
            if (place.thread == 0) {
                control->level = level;
                if (args.pairs != nullptr) {
                    args.pairs[level] += totals.pairs;
                }
            }
            if constexpr (ROWS) {
                addToRows(level);
            }
            if (!ROWS && args.levels != nullptr) {
                storeLevels(level);
                barrier.sync();
            }
            flipped = !flipped;
            swap(zeroIn, zeroOut);
        }
        if (place.thread == 0 && watch.pauses(level) && levelTotals[level % LEVEL_PHASES].active != 0
                && control->overflow != LEVELS_TOO_NARROW) {
            save(open, level);
            watch.pause();
        }
    }
};

}  // namespace proxima

#define MSBFS_WORDS_ENTRY(NAME, KW, ROWS)                                                                                   \
    extern "C" __global__ void __launch_bounds__(proxima::BLOCK_THREADS, 4)                                                 \
            NAME(const __grid_constant__ proxima::WordsArguments args) {                                                    \
        __shared__ proxima::WordsBfs<KW, ROWS>::SharedState shared;                                                         \
        proxima::WordsBfs<KW, ROWS>(args, shared).run();                                                                    \
        proxima::leave_grid(args.control, args.report);                                                                     \
    }

MSBFS_WORDS_ENTRY(msbfs_words_k256_grid, 8, false)
MSBFS_WORDS_ENTRY(msbfs_words_k512_grid, 16, false)
MSBFS_WORDS_ENTRY(msbfs_words_k1024_grid, 32, false)
MSBFS_WORDS_ENTRY(msbfs_words_rows_k256_grid, 8, true)
MSBFS_WORDS_ENTRY(msbfs_words_rows_k512_grid, 16, true)
MSBFS_WORDS_ENTRY(msbfs_words_rows_k1024_grid, 32, true)

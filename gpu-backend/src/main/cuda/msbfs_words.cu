// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include "words_counts.cuh"
#include "words_gather.cuh"

// Breadth-first searches from up to kappa = 32 KW sources at once. Each vertex has a row of kappa bits, one for each source
// that has reached it. A level pulls (a vertex gathers its in-neighbours' rows) or pushes (a vertex adds its row to its
// out-neighbours'), whichever costs less. Every order of the slots is correct. In descending order of degree, the in-neighbour
// tested first is the one most likely to have been reached.
//
//   msbfs_words_k{256|512|1024}_grid
//   msbfs_words_sources_k{256|512|1024}_grid    computes sums by source instead of levels and sums by slot
//
// One cooperative launch a batch, blocks of BLOCK_THREADS. n >= 1, 1 <= sourceCount <= kappa, sources distinct. Slots from n to
// stride have no entries. If kappa is 1024, they may have some: then they are left out, and the searches are those of the graph
// without them.
//   reads   inPtrs[n + 1] outPtrs[n + 1]     int64; equal arrays if the graph is symmetric
//           inIdx outIdx                     slots, ascending in each list, so that the likeliest parent comes first
//           component[n]                     weakly connected component of each slot, 0 to components - 1; null if all slots
//                                            are in one component
//           items[itemCount]                 (slot, part) for each part of PART_ENTRIES entries of the long in-lists; the
//                                            first hubItems are those of lists of more than one part
//           sources[sourceCount]             slots; those from n on reach only themselves
//           stopFlag[1]
//   writes  levels and sums by slot, or sums by source; pairs in both
//           counts[COUNT_PHASES * kappa] wholes[LEVEL_PHASES * sourceCount]    u32, sums by source only
//           bitsA bitsB [n * KW] flagsA flagsB [n, rounded up to FLAGS_ALIGNMENT] hubBits[hubItems * KW] hubDone[hubItems]
//           masks[sourceCount * KW] maskOf[components] (unused if component is null)
//           queue[n + entries / PUSH_ENTRIES]
//           levelTotals[LEVEL_PHASES]        LevelTotals; all these are state, initialised here
//           control                          zeroed by the host; level, stopped, overflow; bottomUpLevels: pulled levels
//   takes   pushShare                        a level pushes if the frontier's entries, times this, are fewer than the entries
//                                            that a pull may read: those of the slots that are not full
//           wide                             items has the in-lists of all slots before this one
//           longEntries                      items also has the in-lists of the other slots that have more entries than this;
//                                            0 if it has no in-list of the other slots
//   needs   In-lists of more than PART_ENTRIES entries are in items.
//   gives   sums and levels equal for every grid; harmonic is bit by bit that of io.proxima.backend.Farness.addHarmonic
//
// Invariants. If a slot's flags have TOUCHED and not FULL, bitsX holds all its bits after the last level. The bits of a FULL
// slot are all sources of its component. They are not stored, except that a level writes narrow rows that it makes full. A slot
// that the last level changed and this level did not is copied, so that both buffers hold it. The flags' sectors say to which
// 256 bits of a row the last level added. Others need no reading, because a bit goes to all neighbours in the level after it
// came.
namespace proxima {

/** @tparam BY_SOURCE whether sums are by source */
template <int KW, bool BY_SOURCE>
class WordsBfs {
    static constexpr int LANES = SlotRows<KW>::LANES;
    static constexpr int QUADS = SlotRows<KW>::QUADS;
    static constexpr bool NARROW = SlotRows<KW>::NARROW;
    static constexpr int TEAM = LANES;  // lanes that gather for a slot of few entries
    static_assert(TEAM <= WIDEST_TEAM, "the host assumes no more");
    static constexpr int WARPS = BLOCK_THREADS / WARP_SIZE;
    static constexpr int PORTIONS = 4;       // portions that a warp takes from a cursor, at least, if there is enough work
    static constexpr int SPARSE = 8;         // entries per slot; below, many slots have a single in-neighbour
    static constexpr int MARKED_PUSHES = 4;  // first pushes of a batch that may clear only the rows to which they add
    static constexpr int MOST_SHARES = 8;    // warps that push to one part of an out-list, at most

    // indices of the totals, in the order of LevelTotals
    static constexpr int ACTIVE = 0;
    static constexpr int OUT_ENTRIES = 1;
    static constexpr int IN_ENTRIES = 2;
    static constexpr int PAIRS = 3;
    static constexpr int TOTALS = 4;

    struct Saved {
        unsigned long long open;
        int level;
        int pushCount;
        int buffers;
    };

    struct NoCounts {};

    struct Shared {
        Found found[WARPS][WARP_SIZE * SLOTS_A_LANE];
        unsigned char order[WARPS][WARP_SIZE];  // the lanes of the slots that a warp pulls
        unsigned long long totals[TOTALS]
                                 [BLOCK_THREADS];  // of each thread in this level; kept here because registers are scarce
        std::conditional_t<BY_SOURCE, typename SourceCounts<KW>::Shared, NoCounts> counts;
    };

    const WordsArguments &args;
    const Place place;
    RunControl *const control;
    Shared &shared;
    PhasedCounters<LevelTotals> levelTotals;
    QuietGridBarrier barrier;
    SlotRows<KW> rows;
    const bool asksFirst;  // whether a pull first tests the likeliest in-neighbours
    int pushCount = 0;
    bool dense = false;  // whether the last level changed so many slots that rows are read without testing

    /** The slots that this warp has found. */
    __device__ __forceinline__ Found *found() const { return shared.found[threadIdx.x / WARP_SIZE]; }

    __device__ __forceinline__ SourceCounts<KW> counts() const { return {args, rows, shared.counts, place}; }

    __device__ __forceinline__ Gather<KW> gather() const { return {args, rows, found(), place}; }

    __device__ __forceinline__ void count(int which, int64_t more) const { shared.totals[which][threadIdx.x] += more; }

    /** Adds count sources, which newly reach the slot at this level, to the sums. */
    __device__ __forceinline__ void addUp(int slot, int count, int level) const {
        this->count(PAIRS, count);
        if constexpr (!BY_SOURCE) {
            args.addToSlot(slot, level, count);
        }
    }

    /** Stores the flags of a slot that count sources of these sectors newly reach, and adds it to the totals. */
    __device__ __forceinline__ void keep(
            int slot, int inEntries, unsigned flags, bool full, unsigned sectors, int count, int level) const {
        rows.flagsOut()[slot] =
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
        const unsigned changes = rows.template ofTeam<SIZE>(__ballot_sync(ALL_LANES, any(anew))) & rowLanes;
        const bool full = (rows.template ofTeam<SIZE>(__ballot_sync(ALL_LANES, any(andNot(mask, acc)))) & rowLanes) == 0;
        int count = bits(anew);
#pragma unroll
        for (int step = 1; step < LANES; step *= 2) {
            count += __shfl_xor_sync(ALL_LANES, count, step);
        }
        if constexpr (BY_SOURCE) {
            counts().add(lane < LANES ? anew : make_uint4(0, 0, 0, 0), level);
        }
        if (!valid) {
            return;
        }
        const bool kept = NARROW ? changes != 0 || rows.isActive(flags) || (!rows.zeroOut && (flags & TOUCHED) == 0)
                                 : !full && (changes != 0 || rows.isActive(flags));
        if (lane < LANES && !inPlace && kept) {
            rows.bitsOut()[static_cast<int64_t>(slot) * QUADS + lane] = acc;
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

    /**
     * Pulls one part of a long in-list, by one warp. The last part of a hub to complete stores the result. The state of a hub
     * has the index of its first item.
     */
    __device__ __forceinline__ void pullItem(int index, int level) const {
        const int2 item = __ldg(args.items + index);
        const int slot = item.x;
        const unsigned flags = rows.flagsIn()[slot];
        if ((flags & FULL) != 0) {
            if (item.y == 0 && place.lane == 0) {
                rows.flagsOut()[slot] = FULL | TOUCHED;
            }
            return;
        }
        const int64_t first = __ldg(args.inPtrs + slot);
        const int64_t last = __ldg(args.inPtrs + slot + 1);
        const int entries = static_cast<int>(last - first);
        const int64_t begin = first + static_cast<int64_t>(item.y) * PART_ENTRIES;
        const int64_t end = min(begin + PART_ENTRIES, last);
        const bool inParts = entries > PART_ENTRIES;
        const uint4 mask = rows.maskOf(slot, rows.part());
        const uint4 old = rows.rowBefore(slot, flags);
        uint4 acc = old;
        const int hubIndex = index - item.y;
        uint4 *const hub = reinterpret_cast<uint4 *>(args.hubBits) + static_cast<int64_t>(hubIndex) * QUADS + rows.part();
        if (inParts) {
            acc = acc | __ldcg(hub);
        }
        const bool missing = !inParts || __any_sync(ALL_LANES, any(andNot(mask, acc)));
        if (NARROW && dense) {
            gather().template narrow<WARP_SIZE, false>(missing ? begin : end, end, mask, acc);
        } else {
            gather().template wide<WARP_SIZE>(missing ? begin : end, end, mask, acc);
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
        const unsigned flagsOfMine = there ? rows.flagsIn()[mine] : FULL;
        const bool full = (flagsOfMine & FULL) != 0;
        if (full && there) {
            rows.flagsOut()[mine] = FULL | TOUCHED;
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
                mask = rows.maskOf(slot, rows.part());
                old = rows.rowBefore(slot, flags);
            }
            uint4 acc = gathers ? old : mask;
            const int64_t last = gathers ? end : begin;
            if constexpr (!NARROW) {
                gather().template wide<TEAM>(begin, last, mask, acc);
            } else if (dense) {
                gather().template narrow<TEAM, false>(begin, last, mask, acc);
            } else {
                gather().template narrow<TEAM, true>(begin, last, mask, acc);
            }
            settle<TEAM>(valid, slot, static_cast<int>(end - begin), flags, mask, old, acc, level, false);
        }
        __syncwarp();
    }

    /** Tests the first in-neighbour of a slot that is not full, and finishes the slot if that suffices; by one lane. */
    __device__ __forceinline__ bool ask(int slot, unsigned flags, int level, bool &whole) const {
        const int64_t begin = __ldg(args.inPtrs + slot);
        const int64_t entries = __ldg(args.inPtrs + slot + 1) - begin;
        const unsigned near = entries > 0 ? rows.flagsIn()[__ldg(args.inIdx + begin)] : 0;
        whole = rows.isActive(near) && (near & FULL) != 0;
        if constexpr (NARROW) {
            return false;  // its row must be written
        }
        if (whole && (flags & TOUCHED) == 0) {
            const int sources = rows.sourcesOf(slot);
            if constexpr (BY_SOURCE) {
                counts().addWhole(sources & ((1 << MASK_COUNT_SHIFT) - 1), level);
            }
            keep(slot, static_cast<int>(entries), flags, true, sources >> MASK_SECTOR_SHIFT,
                    sources >> MASK_COUNT_SHIFT & ((1 << (MASK_SECTOR_SHIFT - MASK_COUNT_SHIFT)) - 1), level);
            return true;
        }
        if (entries <= 1 && !rows.isActive(near) && !rows.isActive(flags)) {
            rows.flagsOut()[slot] = static_cast<unsigned char>(flags);
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
        rows.zeroOut = rows.zeroOut || NARROW;
    }

    /** Prepares a push: copies bitsIn to bitsOut, and queues the out-lists of the changed slots in parts. */
    __device__ __forceinline__ void preparePush(LevelTotals &totals) const {
        constexpr unsigned KEPT = (FULL | TOUCHED) * 0x01010101u;
        constexpr unsigned ACTIVE_FLAGS = 0xffu << SECTOR_SHIFT & 0xffu;
        Found *const found = this->found();
        rows.forFlagged(
                rows.flagsIn(), ACTIVE_FLAGS, found,
                [&](unsigned four, int64_t word) { reinterpret_cast<unsigned *>(rows.flagsOut())[word] = four & KEPT; },
                [&](int count) {
#pragma unroll 4
                    for (int i = place.lane / LANES; i < count; i += WARP_SIZE / LANES) {
                        if ((found[i].flags & FULL) == 0) {
                            const int64_t at = static_cast<int64_t>(found[i].slot) * QUADS + rows.part();
                            rows.bitsOut()[at] = rows.bitsIn()[at];
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

    /** Clears the rows that mark found, all of which the push adds to. */
    __device__ __forceinline__ void zeroMarked() const {
        Found *const found = this->found();
        rows.forFlagged(
                rows.flagsOut(), DIRTY, found, [](unsigned, int64_t) {},
                [&](int count) {
                    for (int i = place.lane / LANES; i < count; i += WARP_SIZE / LANES) {
                        rows.bitsOut()[static_cast<int64_t>(found[i].slot) * QUADS + rows.part()] = make_uint4(0, 0, 0, 0);
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
            if ((rows.flagsIn()[to] & (FULL | TOUCHED)) == 0) {
                rows.flagsOut()[to] = DIRTY;
            }
        }
    }

    /** Pushes a slot's row to the entries begin to end of its out-list, by one warp. */
    __device__ __forceinline__ void pushTo(int slot, int64_t begin, int64_t end) const {
        constexpr int AT_ONCE = WARP_SIZE / LANES;
        const uint4 row = (rows.flagsIn()[slot] & FULL) != 0
                ? rows.maskOf(slot, rows.part())
                : rows.bitsIn()[static_cast<int64_t>(slot) * QUADS + rows.part()];
        Found *const found = this->found();
        for (int64_t at = begin; at < end; at += WARP_SIZE) {
            int to = 0;
            unsigned flags = FULL;
            if (at + place.lane < end) {
                to = __ldg(args.outIdx + at + place.lane);
                flags = rows.flagsIn()[to];
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
                uint4 *const quad = rows.bitsOut() + static_cast<int64_t>(target.slot) * QUADS + rows.part();
                const uint4 missing = andNot(row, __ldcg(quad));
                orInto(quad, missing);
                if (any(missing)) {
                    // every writer of this level stores the same value
                    rows.flagsOut()[target.slot] = static_cast<unsigned char>((target.flags & TOUCHED) | DIRTY);
                }
            }
            __syncwarp();
        }
    }

    /** Finishes the slots that a push has added to. */
    __device__ __forceinline__ void settlePush(int level) const {
        Found *const found = this->found();
        rows.forFlagged(
                rows.flagsOut(), DIRTY, found, [](unsigned, int64_t) {},
                [&](int count) {
                    for (int first = 0; first < count; first += WARP_SIZE / TEAM) {
                        const int i = first + place.lane / TEAM;
                        const bool valid = i < count;
                        const int slot = found[valid ? i : first].slot;
                        unsigned flags = 0;
                        uint4 mask = {}, old = {}, acc = {};
                        if (valid) {
                            flags = rows.flagsIn()[slot];
                            mask = rows.maskOf(slot, rows.part());
                            old = rows.rowBefore(slot, flags);
                            acc = rows.bitsOut()[static_cast<int64_t>(slot) * QUADS + rows.part()];
                        }
                        settle<TEAM>(
                                valid, slot, valid ? entriesOf(args.inPtrs, slot) : 0, flags, mask, old, acc, level, true);
                    }
                });
    }

    /** Pushes the changed slots. entries: number of their out-entries. */
    __device__ __forceinline__ void push(int level, LevelTotals &totals, unsigned long long entries) {
        // a few pushes add to few rows; before many, clearing all rows once is cheaper than two synchronisations for each
        const bool marks =
                !rows.zeroOut && pushCount < MARKED_PUSHES && 2 * entries < static_cast<unsigned long long>(args.n);
        pushCount++;
        preparePush(totals);
        if (!marks && !rows.zeroOut) {
            rows.zeroUntouched();
            rows.zeroOut = true;
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
        const unsigned *const before = reinterpret_cast<const unsigned *>(rows.bitsIn());
        const unsigned *const after = reinterpret_cast<const unsigned *>(rows.bitsOut());
        for (int64_t base = static_cast<int64_t>(place.warp) * WARP_SIZE; base < args.n;
                base += static_cast<int64_t>(place.warps) * WARP_SIZE) {
            const int64_t slot = base + place.lane;
            const unsigned flags = slot < args.n ? rows.flagsOut()[slot] : 0;
            if (!__any_sync(ALL_LANES, rows.isActive(flags))) {
                continue;
            }
            const unsigned flagsBefore = slot < args.n ? rows.flagsIn()[slot] : 0;
#pragma unroll 1
            for (int k = 0; k < KW; k++) {
                unsigned anew = 0;
                if (rows.sectorOf(flags, k / 4)) {
                    if ((flags & FULL) != 0) {
                        const uint4 mask = rows.maskOf(static_cast<int>(slot), k / 4);
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
        levelTotals.clear(place.thread);
        fill_grid(args.hubBits, static_cast<int64_t>(args.hubItems) * KW * sizeof(unsigned), 0, place);
        fill_grid(args.hubDone, static_cast<int64_t>(args.hubItems) * sizeof(int), 0, place);
        // so that no level pulls, pushes or changes them; flags are read in words
        const int64_t lanes = (static_cast<int64_t>(args.n) + SLOTS_A_LANE - 1) / SLOTS_A_LANE;
        const int64_t flagsEnd = max(args.stride, lanes * SLOTS_A_LANE);
        for (int64_t slot = static_cast<int64_t>(args.n) + place.thread; slot < flagsEnd; slot += place.threads) {
            args.flagsA[slot] = FULL | TOUCHED;
            args.flagsB[slot] = FULL | TOUCHED;
        }
        if constexpr (BY_SOURCE) {
            fill_grid(args.counts, COUNT_PHASES * 32 * KW * sizeof(unsigned), 0, place);
            fill_grid(args.wholes, static_cast<int64_t>(LEVEL_PHASES) * args.sourceCount * sizeof(unsigned), 0, place);
        }
        if (!BY_SOURCE && args.levels != nullptr) {
            fill_grid(args.levels, args.sourceCount * args.stride * args.levelBytes, 0xff, place);
        }
        if (args.component == nullptr) {
            fill_grid(rows.flagsIn(), args.n, 0, place);
        } else {
            initializeMasks();
            for (int slot = place.thread; slot < args.n; slot += place.threads) {
                const bool open = args.maskOf[args.component[slot]] != -1;
                rows.flagsIn()[slot] = open ? 0 : FULL | TOUCHED;
                count(IN_ENTRIES, open ? args.inPtrs[slot + 1] - args.inPtrs[slot] : 0);
            }
        }
        barrier.sync();
        if constexpr (BY_SOURCE) {
            counts().begin();
        }
        unsigned *const words = reinterpret_cast<unsigned *>(rows.bitsIn());
        for (int64_t i = place.thread; i < static_cast<int64_t>(args.sourceCount) * KW; i += place.threads) {
            const int source = static_cast<int>(i / KW);
            const int word = static_cast<int>(i % KW);
            const int slot = args.sources[source];
            if (slot < args.n) {
                words[static_cast<int64_t>(slot) * KW + word] = word == source / 32 ? 1u << (source % 32) : 0u;
            }
            if (word == 0) {
                if (!BY_SOURCE && args.levels != nullptr) {
                    storeLevel(args.levels, args.levelBytes, source * args.stride + slot, 0);
                }
                if (slot < args.n) {
                    rows.flagsIn()[slot] =
                            static_cast<unsigned char>(TOUCHED | 1u << (SECTOR_SHIFT + source / (128 * SECTOR_LANES)));
                    count(ACTIVE, 1);
                    count(OUT_ENTRIES, args.outPtrs[slot + 1] - args.outPtrs[slot]);
                }
            }
        }
    }

    /** Saves the state of a launch that pauses. */
    __device__ __forceinline__ void save(const unsigned long long &open, const int &level) {
        *Paused<Saved>(control) = {open, level, pushCount, rows.state()};
        barrier.pause();
    }

    /** Restores the state of a paused launch. */
    __device__ __forceinline__ void resume(unsigned long long &open, int &level) {
        clearTotals();
        if constexpr (BY_SOURCE) {
            counts().begin();
        }
        const Saved &saved = *Paused<Saved>(control);
        open = saved.open;
        level = saved.level;
        pushCount = saved.pushCount;
        rows.resume(saved.buffers);
        levelTotals.resume(level % LEVEL_PHASES);
        barrier.resume();
    }

public:
    using SharedState = Shared;

    __device__ __forceinline__ WordsBfs(const WordsArguments &args, Shared &shared)
        : args(args), place(Place::here()), control(args.control), shared(shared), levelTotals(args.levelTotals),
          barrier(args.control), rows(args, place),
          asksFirst(args.hubItems != 0 || args.inPtrs[args.n] < static_cast<int64_t>(SPARSE) * args.n) {}

    __device__ __forceinline__ void run() {
        StopWatch watch(args.stopFlag, control);
        unsigned long long open;
        int level;
        if (control->resumes == 0) {
            initialize();
            flushTotals(*levelTotals);
            if (place.thread == 0) {
                watch.look(0);
            }
            barrier.sync();
            open = args.component == nullptr ? args.inPtrs[args.n] : levelTotals->inEntries;
            level = 0;
        } else {
            resume(open, level);
        }
        while (levelTotals->active != 0 && open != 0 && level != args.maxDepth && !args.allCounted(level)
                && !watch.seen(level)) {
            const unsigned long long outEntries = levelTotals->outEntries;
            const bool pushes = outEntries * args.pushShare < open;
            if (!pushes) {
                dense = NARROW && rows.zeroIn && 2 * levelTotals->active > static_cast<unsigned long long>(args.n);
            }
            level++;
            levelTotals.next(place.thread);
            LevelTotals &totals = *levelTotals;
            if (place.thread == 0) {
                control->bottomUpLevels += pushes ? 0 : 1;
                watch.look(level);
            }
            if (pushes) {
                push(level, totals, outEntries);
            } else {
                pull(level, totals);
            }
            if constexpr (BY_SOURCE) {
                counts().flush(level);
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
            if constexpr (BY_SOURCE) {
                counts().addToSources(level);
            }
            if (!BY_SOURCE && args.levels != nullptr) {
                storeLevels(level);
                barrier.sync();
            }
            rows.flip();
        }
        if (place.thread == 0 && watch.pauses(level) && levelTotals->active != 0 && control->overflow != LEVELS_TOO_NARROW) {
            save(open, level);
            watch.pause();
        }
    }
};

}  // namespace proxima

#define MSBFS_WORDS_ENTRY(NAME, KW, BY_SOURCE)                                                                              \
    extern "C" __global__ void __launch_bounds__(proxima::BLOCK_THREADS, 4)                                                 \
            NAME(const __grid_constant__ proxima::WordsArguments args) {                                                    \
        __shared__ proxima::WordsBfs<KW, BY_SOURCE>::SharedState shared;                                                    \
        proxima::WordsBfs<KW, BY_SOURCE>(args, shared).run();                                                               \
        proxima::leave_grid(args.control, args.report);                                                                     \
    }

MSBFS_WORDS_ENTRY(msbfs_words_k256_grid, 8, false)
MSBFS_WORDS_ENTRY(msbfs_words_k512_grid, 16, false)
MSBFS_WORDS_ENTRY(msbfs_words_k1024_grid, 32, false)
MSBFS_WORDS_ENTRY(msbfs_words_sources_k256_grid, 8, true)
MSBFS_WORDS_ENTRY(msbfs_words_sources_k512_grid, 16, true)
MSBFS_WORDS_ENTRY(msbfs_words_sources_k1024_grid, 32, true)

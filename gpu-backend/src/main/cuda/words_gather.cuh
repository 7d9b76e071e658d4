// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "words.cuh"

// The pull of msbfs_words.cu: gathers the rows of in-neighbours.
namespace proxima {

template <int KW>
class Gather {
    static constexpr int LANES = SlotRows<KW>::LANES;
    static constexpr int QUADS = SlotRows<KW>::QUADS;

    const WordsArguments &args;
    const SlotRows<KW> &rows;
    Found *const found;  // of the warp, SLOTS_A_LANE for each lane
    const Place &place;

public:
    __device__ __forceinline__ Gather(const WordsArguments &args, const SlotRows<KW> &rows, Found *found, const Place &place)
        : args(args), rows(rows), found(found), place(place) {}

    /**
     * Gathers the rows of the in-neighbours begin (inclusive) to end (exclusive) that the last level changed, until no source
     * is missing. Called by all lanes of a warp, a team of SIZE lanes per slot; all lanes of a team get the whole result. The
     * first in-neighbours are the likeliest to have all sources, so a team tests few of them at first, then many at once.
     */
    template <int SIZE>
    __device__ __forceinline__ void wide(int64_t begin, int64_t end, const uint4 &mask, uint4 &acc) const {
        const int lane = place.lane % SIZE;
        Found *const teamFound = found + (place.lane - lane) * SLOTS_A_LANE;
        int64_t at = begin;
        bool done = begin >= end;
        if (__any_sync(ALL_LANES, !done)) {
            round<SIZE, 1>(at, end, mask, acc, done, teamFound);
        }
        while (__any_sync(ALL_LANES, !done)) {
            round<SIZE, SLOTS_A_LANE>(at, end, mask, acc, done, teamFound);
        }
    }

    /**
     * As wide, for narrow rows: the lanes that hold a row read it as soon as its slot is known.
     *
     * @tparam ASKS whether rows of neighbours that the last level did not change are skipped. Otherwise all rows are read.
     *     That is correct if zeroIn: no slot that still misses a source has an in-neighbour that was full before the last level.
     */
    template <int SIZE, bool ASKS>
    __device__ __forceinline__ void narrow(int64_t begin, int64_t end, const uint4 &mask, uint4 &acc) const {
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
            uint4 got[UNROLL];
            bool fullNear = false;
            if constexpr (ASKS) {
                unsigned flags[UNROLL];
#pragma unroll
                for (int i = 0; i < UNROLL; i++) {
                    flags[i] = slots[i] >= 0 ? rows.flagsIn()[slots[i]] : 0;
                }
#pragma unroll
                for (int i = 0; i < UNROLL; i++) {
                    fullNear = fullNear || (rows.isActive(flags[i]) && (flags[i] & FULL) != 0);
                    got[i] = make_uint4(0, 0, 0, 0);
                    if (rows.sectorOf(flags[i], rows.part()) && (flags[i] & FULL) == 0) {
                        got[i] = rows.bitsIn()[static_cast<int64_t>(slots[i]) * QUADS + rows.part()];
                    }
                }
            } else {
#pragma unroll
                for (int i = 0; i < UNROLL; i++) {
                    got[i] = make_uint4(0, 0, 0, 0);
                    if (slots[i] >= 0) {
                        got[i] = rows.bitsIn()[static_cast<int64_t>(slots[i]) * QUADS + rows.part()];
                    }
                }
            }
#pragma unroll
            for (int i = 0; i < UNROLL; i++) {
                acc = acc | got[i];
            }
            if constexpr (AT_ONCE > 1) {
                rows.template combine<SIZE>(acc);
            }
            if constexpr (ASKS) {
                if (rows.template ofTeam<SIZE>(__ballot_sync(ALL_LANES, fullNear)) != 0) {
                    acc = mask;
                }
            }
            const unsigned missing = rows.template ofTeam<SIZE>(__ballot_sync(ALL_LANES, any(andNot(mask, acc))));
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
            const bool wanted = rows.isActive(flags[i]) && !done;
            const unsigned all = rows.template ofTeam<SIZE>(__ballot_sync(ALL_LANES, wanted));
            if (wanted) {
                found[count + __popc(all & ((1u << lane) - 1))] = {slots[i], flags[i]};
            }
            count += __popc(all);
        }
        return count;
    }

    /** One round of wide, with EACH entries per lane. */
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
            flags[i] = slots[i] >= 0 ? rows.flagsIn()[slots[i]] : 0;
        }
        at += SIZE * EACH;
        bool fullNear = false;
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            fullNear = fullNear || (rows.isActive(flags[i]) && (flags[i] & FULL) != 0);
        }
        if (rows.template ofTeam<SIZE>(__ballot_sync(ALL_LANES, fullNear)) != 0) {
            acc = mask;
            done = true;
        }
        const int count = list_team<SIZE>(slots, flags, done, found);
        __syncwarp();
        int next = sub;
        while (__any_sync(ALL_LANES, !done && next - sub < count)) {
            const bool misses = any(andNot(mask, acc));
            uint4 got[UNROLL];
#pragma unroll
            for (int i = 0; i < UNROLL; i++) {
                const int mine = next + i * AT_ONCE;
                got[i] = make_uint4(0, 0, 0, 0);
                if (!done && misses && mine < count) {
                    const Found from = found[mine];
                    if (rows.sectorOf(from.flags, rows.part())) {
                        got[i] = rows.bitsIn()[static_cast<int64_t>(from.slot) * QUADS + rows.part()];
                    }
                }
            }
#pragma unroll
            for (int i = 0; i < UNROLL; i++) {
                acc = acc | got[i];
            }
            next += UNROLL * AT_ONCE;
            if constexpr (AT_ONCE == 1) {
                const unsigned missing = rows.template ofTeam<SIZE>(__ballot_sync(ALL_LANES, any(andNot(mask, acc))));
                done = done || missing == 0;
            }
        }
        if constexpr (AT_ONCE > 1) {
            rows.template combine<SIZE>(acc);
            const unsigned missing = rows.template ofTeam<SIZE>(__ballot_sync(ALL_LANES, any(andNot(mask, acc))));
            done = done || missing == 0;
        }
        done = done || at >= end;
        __syncwarp();
    }
};

}  // namespace proxima

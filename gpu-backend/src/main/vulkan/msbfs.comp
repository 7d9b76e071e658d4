// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
#include "common.glsl"
#include "steps.glsl"
#include "softdouble.glsl"

// Bit-parallel BFS from up to 1,024 sources. A slot has a row of a bit for each source, in parts of 128. A step is a level: each
// row takes the bits of its in-neighbours that changed with the level before. A team of as many lanes as a row has parts does a
// short list, a subgroup a long one, a workgroup the list of a hub. The first neighbours of a list should be the likeliest to have
// all bits, as in an order by degree.
//   reads   inPtrs[n + 1], inIdx[]      against the edges for sums by source
//           longSlots[longCount]        slots whose lists have more than longEntries entries; the first hubCount are hubs
//           sources[sourceCount]        without repeats
//   writes  levels[sourceCount * n]     if storesLevels is not 0: distances of levelBytes (1, 2 or 4); all bits set if not reached
//           added to, by slot:          far, reach, levelCounts[levelCapacity * n] from firstLevel on, depths; may be null
//           or by source:               far, reach, harmonic, depths; the last two may be null
//           pairs[]                     added to: pairs of source and slot by level; may be null
//   uses    bitsA, bitsB[n * parts]     rows, read and written in turn
//           flagsA, flagsB[n]           of the slots, in turn
//           alive[2][32]                sources that the last level and this level have found slots for
//           counts[1024]                slots that the level has reached, by source; for sums by source, otherwise null
//   reports deepest, overflow; work: levels. A source does not count for itself.
//
// Invariants. A search that finds nothing in a level has ended. The rows of slots that are FULL have the bits of all searches that
// have not ended, and are not stored; those of other slots are in both buffers if they are TOUCHED, but for sectors that are
// ACTIVE, which only the buffer of the last level has. Other rows are empty, and undefined.
// Loops with operations of subgroups end by a vote, unless the whole workgroup makes the same rounds: without one, an H200 found
// wrong sums, although all lanes of a subgroup made the same rounds.

const uint FULL = 1;
const uint TOUCHED = 2;
const uint ACTIVE = 0xf0; // a bit for each sector of the row that the last level may have changed
const uint LEVELS = 1;

const uint MOST_PARTS = 8;
const uint MOST_SOURCES = 128 * MOST_PARTS;
const uint ALIVE_WORDS = MOST_SOURCES / 32;

/** Sectors of a row: its parts, or pairs of them. */
const uint SECTORS = 4;
const uint SECTOR_SHIFT = 4;

/** Entries that a lane looks at together, and rows that it reads together. */
const uint ENTRIES = 4;

/** Entries of a hub's list that a subgroup reads before it looks whether others have found the rest. */
const uint HUB_PART = 512;

/** Bits of the numbers in which a thread counts rows. */
const uint PLANES = 3;

const uint NONE = 0xffffffffu;

// what a subgroup has to do for a slot: its lane, the slot's flags, whether a neighbour has all bits, and the entry of the slot's
// list from which on neighbours have changed
const uint LANE = 0xff;
const uint FLAGS_SHIFT = 8;
const uint WHOLE = 1 << 16;
const uint AT_SHIFT = 24;

// Control.state_: number of searches alive; pairs that the level has found, in two words
const uint ALIVE = 0;
const uint FOUND_LOW = 1;
const uint FOUND_HIGH = 2;

layout(buffer_reference, std430, buffer_reference_align = 8) buffer Arguments {
    Control control;
    Uints report;
    StopFlag stopFlag;
    Longs inPtrs;
    Uints inIdx;
    Uints longSlots;
    Uints sources;
    Uints levels;
    Quads bitsA;
    Quads bitsB;
    Bytes flagsA;
    Bytes flagsB;
    Uints alive;
    Uints counts;
    Longs far;
    Longs reach;
    Longs harmonic;
    Uints levelCounts;
    Uints depths;
    Longs pairs;
    uint n;
    uint parts;
    uint sourceCount;
    uint maxDepth;
    uint levelBytes;
    uint storesLevels;
    uint hubCount;
    uint longCount;
    uint longEntries;
    uint levelCapacity;
    uint firstLevel;
    uint weight;
};

layout(push_constant) uniform Push {
    Arguments arguments;
} push;

#define ARGS push.arguments
#define CONTROL ARGS.control
#ifdef BY_SOURCE
const bool COUNTS = true;
#else
const bool COUNTS = false;
#endif
#define IS_NULL(pointer) (uint64_t(pointer) == uint64_t(0))
#define QUAD_OF(words, part) uvec4(words[4 * (part)], words[4 * (part) + 1], words[4 * (part) + 2], words[4 * (part) + 3])

shared uvec2 found[GROUP * ENTRIES]; // by subgroup: the neighbours that the last level changed, and their flags
shared uint tasks[GROUP];            // by subgroup: the slots that need a team
shared uint gathered[4 * MOST_PARTS];
shared uint aliveNow[ALIVE_WORDS];
shared uint aliveNext[ALIVE_WORDS];
shared uint foundHere;
shared uint aliveHere;
shared uint wholesHere;
// slots that this workgroup has reached in this step, by source, so that it adds once to memory for each source
shared uint counted[MOST_SOURCES];

// of this step
uint level;
Quads bitsIn;
Quads bitsOut;
Bytes flagsIn;
Bytes flagsOut;

// bit p of the number of rows that have a bit is that bit of planes[p]
uvec4 planes[PLANES];
uint rowsInPlanes;
uint wholes;

/** The thread's index in shared arrays, in which the lanes of a subgroup are side by side. */
uint threadInGroup() {
    return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
}

/**
 * Orders the accesses of a subgroup to shared memory. lavapipe, whose subgroups go in lockstep, takes subgroupBarrier for a barrier
 * of the workgroup; its workgroups are smaller.
 */
void syncSubgroup() {
    subgroupMemoryBarrierShared();
    if (GROUP == MOST_THREADS) {
        subgroupBarrier();
    }
}

uint sizeOf(uvec4 bits) {
    ivec4 count = bitCount(bits);
    return uint(count.x + count.y + count.z + count.w);
}

/** The flag of the sector of a part. */
uint sectorOf(uint part) {
    return 1u << (SECTOR_SHIFT + (ARGS.parts > SECTORS ? part / (MOST_PARTS / SECTORS) : part));
}

void store(uint64_t entry) {
    if (ARGS.levelBytes == 1) {
        BYTE_AT(ARGS.levels, entry) = uint8_t(level);
    } else if (ARGS.levelBytes == 2) {
        BYTE_AT(ARGS.levels, 2 * entry) = uint8_t(level);
        BYTE_AT(ARGS.levels, 2 * entry + 1) = uint8_t(level >> 8);
    } else {
        UINT_AT(ARGS.levels, entry) = level;
    }
}

/** Stores the distances of new bits. */
void storeLevels(uint slot, uint part, uvec4 fresh) {
    if (ARGS.storesLevels == 0) {
        return;
    }
    for (uint k = 0; k < 4; k++) {
        uint left = fresh[k];
        while (left != 0) {
            uint source = 128 * part + 32 * k + uint(findLSB(left));
            left &= left - 1;
            store(uint64_t(source) * ARGS.n + slot);
        }
    }
}

/** Adds the planes of a thread to the workgroup's counts. */
void emptyPlanes(uint part) {
    [[unroll]] for (uint k = 0; k < 4; k++) {
        uint left = 0;
        [[unroll]] for (uint p = 0; p < PLANES; p++) {
            left |= planes[p][k];
        }
        while (left != 0) {
            uint bit = uint(findLSB(left));
            left &= left - 1;
            uint count = 0;
            [[unroll]] for (uint p = 0; p < PLANES; p++) {
                count += (planes[p][k] >> bit & 1) << p;
            }
            atomicAdd(counted[128 * part + 32 * k + bit], count);
        }
    }
    [[unroll]] for (uint p = 0; p < PLANES; p++) {
        planes[p] = uvec4(0);
    }
    rowsInPlanes = 0;
}

/** Counts new bits by source. By all lanes of a subgroup. */
void countBits(uint part, uvec4 fresh) {
    if (!COUNTS) {
        return;
    }
    uvec4 carry = fresh;
    [[unroll]] for (uint p = 0; p < PLANES; p++) {
        uvec4 sum = planes[p] ^ carry;
        carry &= planes[p];
        planes[p] = sum;
    }
    rowsInPlanes++;
    if (rowsInPlanes == (1u << PLANES) - 1) {
        emptyPlanes(part);
    }
}

/** Adds to the sums of a slot. By one thread of the slot. */
void addUp(uint slot, uint count) {
    if (!IS_NULL(ARGS.pairs)) {
        atomicAdd(foundHere, count);
    }
    if (COUNTS) {
        return; // addLevel adds to the sums
    }
    uint64_t vertices = uint64_t(count) * ARGS.weight;
    if (!IS_NULL(ARGS.far)) {
        ARGS.far.v[slot] += vertices * level;
    }
    if (!IS_NULL(ARGS.reach)) {
        ARGS.reach.v[slot] += vertices;
    }
    if (!IS_NULL(ARGS.depths)) {
        ARGS.depths.v[slot] = max(ARGS.depths.v[slot], level);
    }
    if (!IS_NULL(ARGS.levelCounts) && level >= ARGS.firstLevel && level - ARGS.firstLevel < ARGS.levelCapacity) {
        UINT_AT(ARGS.levelCounts, uint64_t(level - ARGS.firstLevel) * ARGS.n + slot) += count;
    }
}

/**
 * Adds the rows of a long list's entries, from begin to end, that the last level changed, until no bit is missing. By all lanes of
 * a subgroup, which get the result for their part.
 */
uvec4 gatherLong(uint64_t begin, uint64_t end, uvec4 wanted, uvec4 row) {
    uint size = gl_SubgroupSize;
    uint lane = gl_SubgroupInvocationID;
    uint part = lane & (ARGS.parts - 1);
    uint rowsAtOnce = size / ARGS.parts;
    uint base = (threadInGroup() - lane) * ENTRIES;
    uint64_t at = begin;
    bool done = begin >= end;
    // the first neighbours are the likeliest to have all bits, so few are tested at first
    uint each = 1;
    while (subgroupAny(!done)) {
        uint neighbours[ENTRIES];
        uint flags[ENTRIES];
        [[unroll]] for (uint k = 0; k < ENTRIES; k++) {
            uint64_t i = at + uint64_t(k * size + lane);
            neighbours[k] = k < each && i < end ? UINT_AT(ARGS.inIdx, i) : NONE;
        }
        [[unroll]] for (uint k = 0; k < ENTRIES; k++) {
            flags[k] = neighbours[k] != NONE ? uint(BYTE_AT(flagsIn, neighbours[k])) : 0;
        }
        at += uint64_t(each * size);
        each = ENTRIES;
        bool nearFull = false;
        uint count = 0;
        [[unroll]] for (uint k = 0; k < ENTRIES; k++) {
            bool changed = (flags[k] & ACTIVE) != 0;
            nearFull = nearFull || changed && (flags[k] & FULL) != 0;
            uvec4 lanes = subgroupBallot(changed);
            if (changed) {
                found[base + count + subgroupBallotExclusiveBitCount(lanes)] = uvec2(neighbours[k], flags[k]);
            }
            count += subgroupBallotBitCount(lanes);
        }
        syncSubgroup();
        if (subgroupAny(nearFull)) {
            row |= wanted;
            count = 0;
        }
        for (uint first = 0; subgroupAny(first < count); first += ENTRIES * rowsAtOnce) {
            uvec4 rows[ENTRIES];
            [[unroll]] for (uint k = 0; k < ENTRIES; k++) {
                uint mine = first + k * rowsAtOnce + lane / ARGS.parts;
                uvec2 near = mine < count ? found[base + mine] : uvec2(0);
                bool adds = (near.y & sectorOf(part)) != 0;
                rows[k] = adds ? QUAD_AT(bitsIn, uint64_t(near.x) * ARGS.parts + part) : uvec4(0);
            }
            [[unroll]] for (uint k = 0; k < ENTRIES; k++) {
                row |= rows[k];
            }
        }
        for (uint step = ARGS.parts; step < size; step *= 2) {
            row |= subgroupShuffleXor(row, step);
        }
        done = !subgroupAny((wanted & ~row) != uvec4(0)) || at >= end;
        syncSubgroup();
    }
    return row;
}

/** The next ENTRIES neighbours of a list; at its end, the last one again. */
uvec4 neighboursAt(uint64_t at, uint64_t end) {
    uvec4 neighbours;
    [[unroll]] for (uint k = 0; k < ENTRIES; k++) {
        neighbours[k] = UINT_AT(ARGS.inIdx, min(at + uint64_t(k), end - uint64_t(1)));
    }
    return neighbours;
}

uvec4 flagsOf(uvec4 slots) {
    uvec4 flags;
    [[unroll]] for (uint k = 0; k < ENTRIES; k++) {
        flags[k] = uint(BYTE_AT(flagsIn, slots[k]));
    }
    return flags;
}

/** As gatherLong, for a short list; by one lane for its part. */
uvec4 gatherShort(uint64_t begin, uint64_t end, uint part, uvec4 wanted, uvec4 row) {
    for (uint64_t at = begin; at < end && (wanted & ~row) != uvec4(0); at += uint64_t(ENTRIES)) {
        uvec4 neighbours = neighboursAt(at, end);
        uvec4 flags = flagsOf(neighbours);
        [[unroll]] for (uint k = 0; k < ENTRIES; k++) {
            if ((flags[k] & ACTIVE) != 0 && (flags[k] & FULL) != 0) {
                row |= wanted;
            } else if ((flags[k] & sectorOf(part)) != 0) {
                row |= QUAD_AT(bitsIn, uint64_t(neighbours[k]) * ARGS.parts + part);
            }
        }
    }
    return row;
}

/**
 * Stores a slot's row, given what it had before the step and what it has now. By all lanes of a subgroup; those that are not valid
 * have no part of a slot.
 */
void settle(bool valid, uint slot, uint flags, uvec4 wanted, uvec4 old, uvec4 now) {
    uint part = gl_SubgroupInvocationID & (ARGS.parts - 1);
    uvec4 fresh = valid ? now & ~old : uvec4(0);
    uint count = sizeOf(fresh);
    uint sectors = count != 0 ? sectorOf(part) : 0;
    uint full = (wanted & ~now) == uvec4(0) ? 1 : 0;
    for (uint step = 1; step < ARGS.parts; step *= 2) {
        count += subgroupShuffleXor(count, step);
        sectors |= subgroupShuffleXor(sectors, step);
        full &= subgroupShuffleXor(full, step);
    }
    bool changed = count != 0;
    // the first bits of a row are copied as a whole into the other buffer
    bool first = (flags & TOUCHED) == 0;
    [[unroll]] for (uint k = 0; k < 4; k++) {
        if ((fresh[k] & ~aliveNext[4 * part + k]) != 0) {
            atomicOr(aliveNext[4 * part + k], fresh[k]);
        }
    }
    countBits(part, fresh);
    storeLevels(slot, part, fresh);
    if (valid && full == 0 && (fresh != uvec4(0) || (flags & sectorOf(part)) != 0 || changed && first)) {
        QUAD_AT(bitsOut, uint64_t(slot) * ARGS.parts + part) = now;
    }
    if (valid && part == 0) {
        uint kept = full != 0 ? FULL | TOUCHED : changed ? TOUCHED : flags & TOUCHED;
        BYTE_AT(flagsOut, slot) = uint8_t(kept | (changed && first ? ACTIVE : sectors));
        if (changed) {
            addUp(slot, count);
        }
    }
    // lanes leave the loops above at different rounds
    syncSubgroup();
}

/** The part of a slot's row before the step; empty if the slot is FULL. */
uvec4 rowBefore(uint slot, uint flags, uint part) {
    return (flags & (TOUCHED | FULL)) == TOUCHED ? QUAD_AT(bitsIn, uint64_t(slot) * ARGS.parts + part) : uvec4(0);
}

/** Does a hub. By the workgroup. */
void pullHub(uint slot) {
    uint part = gl_SubgroupInvocationID & (ARGS.parts - 1);
    uvec4 wanted = QUAD_OF(aliveNow, part);
    uint flags = uint(BYTE_AT(flagsIn, slot));
    bool open = (flags & FULL) == 0;
    uvec4 old = rowBefore(slot, flags, part);
    if (threadInGroup() < ARGS.parts) {
        [[unroll]] for (uint k = 0; k < 4; k++) {
            gathered[4 * part + k] = old[k];
        }
    }
    barrier();
    uint64_t begin = ARGS.inPtrs.v[slot];
    uint64_t end = open ? ARGS.inPtrs.v[slot + 1] : begin;
    for (uint64_t at = begin; at < end; at += uint64_t(gl_NumSubgroups * HUB_PART)) {
        uvec4 row = QUAD_OF(gathered, part);
        uint64_t first = min(end, at + uint64_t(gl_SubgroupID * HUB_PART));
        uint64_t last = min(end, first + uint64_t(HUB_PART));
        bool missing = subgroupAny((wanted & ~row) != uvec4(0));
        row = gatherLong(first, missing ? last : first, wanted, row);
        [[unroll]] for (uint k = 0; k < 4; k++) {
            if ((row[k] & ~gathered[4 * part + k]) != 0) {
                atomicOr(gathered[4 * part + k], row[k]);
            }
        }
    }
    barrier();
    if (!open && threadInGroup() == 0) {
        BYTE_AT(flagsOut, slot) = uint8_t(FULL | TOUCHED);
    }
    settle(open && threadInGroup() < ARGS.parts, slot, flags, wanted, old, QUAD_OF(gathered, part));
    barrier();
}

/** Does a slot with a long list. By a subgroup; not valid: nothing. */
void pullLong(bool valid, uint slot) {
    uint part = gl_SubgroupInvocationID & (ARGS.parts - 1);
    uvec4 wanted = QUAD_OF(aliveNow, part);
    uint flags = valid ? uint(BYTE_AT(flagsIn, slot)) : FULL;
    bool open = (flags & FULL) == 0;
    uvec4 old = rowBefore(slot, flags, part);
    uint64_t begin = open ? ARGS.inPtrs.v[slot] : uint64_t(0);
    uint64_t end = open ? ARGS.inPtrs.v[slot + 1] : uint64_t(0);
    uvec4 now = gatherLong(begin, end, wanted, old);
    if (valid && !open && gl_SubgroupInvocationID == 0) {
        BYTE_AT(flagsOut, slot) = uint8_t(FULL | TOUCHED);
    }
    settle(open && gl_SubgroupInvocationID < ARGS.parts, slot, flags, wanted, old, now);
}

/** Does as many slots with short lists as a subgroup has lanes. By a subgroup. */
void pullShort(uint first) {
    uint part = gl_SubgroupInvocationID & (ARGS.parts - 1);
    uvec4 wanted = QUAD_OF(aliveNow, part);
    uint slot = first + gl_SubgroupInvocationID;
    uint64_t begin = slot < ARGS.n ? ARGS.inPtrs.v[slot] : uint64_t(0);
    uint64_t end = slot < ARGS.n ? ARGS.inPtrs.v[slot + 1] : uint64_t(0);
    bool isMine = slot < ARGS.n && end - begin <= uint64_t(ARGS.longEntries);
    uint flags = isMine ? uint(BYTE_AT(flagsIn, slot)) : FULL;
    bool open = (flags & FULL) == 0;
    if (isMine && !open) {
        BYTE_AT(flagsOut, slot) = uint8_t(FULL | TOUCHED);
    }
    // one lane looks for a neighbour that the last level changed; often there is none, or it has all bits
    uint64_t at = open ? begin : end;
    uint near = 0;
    while (at < end && near == 0) {
        uvec4 its = flagsOf(neighboursAt(at, end));
        [[unroll]] for (uint k = 0; k < ENTRIES; k++) {
            near |= (its[k] & ACTIVE) != 0 ? its[k] : 0;
        }
        at += uint64_t(near == 0 ? ENTRIES : 0);
    }
    syncSubgroup();
    bool whole = (near & FULL) != 0;
    bool isWhole = whole && (flags & TOUCHED) == 0 && ARGS.storesLevels == 0;
    bool rests = open && near == 0 && (flags & ACTIVE) == 0;
    if (isWhole) {
        BYTE_AT(flagsOut, slot) = uint8_t(FULL | TOUCHED | ACTIVE);
        addUp(slot, CONTROL.state_[ALIVE]);
        wholes++;
    } else if (rests) {
        BYTE_AT(flagsOut, slot) = uint8_t(flags);
    }
    bool left = open && !isWhole && !rests;
    uint base = threadInGroup() - gl_SubgroupInvocationID;
    uvec4 lefts = subgroupBallot(left);
    if (left) {
        tasks[base + subgroupBallotExclusiveBitCount(lefts)] =
            gl_SubgroupInvocationID | flags << FLAGS_SHIFT | (whole ? WHOLE : 0) | uint(at - begin) << AT_SHIFT;
    }
    syncSubgroup();
    uint count = subgroupBallotBitCount(lefts);
    uint teams = gl_SubgroupSize / ARGS.parts;
    for (uint i = 0; subgroupAny(i < count); i += teams) {
        uint at = i + gl_SubgroupInvocationID / ARGS.parts;
        bool valid = at < count;
        uint task = valid ? tasks[base + at] : WHOLE;
        uint its = first + (task & LANE);
        uint flagsOfIt = task >> FLAGS_SHIFT;
        bool gathers = (task & WHOLE) == 0;
        uint64_t from = gathers ? ARGS.inPtrs.v[its] + uint64_t(task >> AT_SHIFT) : uint64_t(0);
        uint64_t to = gathers ? ARGS.inPtrs.v[its + 1] : uint64_t(0);
        uvec4 old = valid ? rowBefore(its, flagsOfIt, part) : uvec4(0);
        uvec4 now = gatherShort(from, to, part, wanted, gathers ? old : old | wanted);
        // lanes leave the loop at different rounds
        syncSubgroup();
        settle(valid, its, flagsOfIt, wanted, old, now);
    }
    syncSubgroup();
}

/** Adds what the workgroup has found to what is in memory. */
void addFound() {
    uint t = gl_LocalInvocationIndex;
    if (COUNTS) {
        emptyPlanes(gl_SubgroupInvocationID & (ARGS.parts - 1));
    }
    if (wholes != 0) {
        atomicAdd(wholesHere, wholes);
    }
    barrier();
    for (uint source = t; COUNTS && source < ARGS.sourceCount; source += GROUP) {
        uint count = counted[source];
        if ((aliveNow[source / 32] >> (source & 31) & 1) != 0) {
            count += wholesHere;
        }
        if (count != 0) {
            addTo(ARGS.counts, source, count);
        }
    }
    uint found = t < ALIVE_WORDS ? aliveNext[t] | (wholesHere != 0 ? aliveNow[t] : 0) : 0;
    if (found != 0) {
        atomicOr(ARGS.alive.v[ALIVE_WORDS + t], found, gl_ScopeDevice, 0, 0);
    }
    if (t == 0 && foundHere != 0) {
        uint before = atomicAdd(CONTROL.state_[FOUND_LOW], foundHere, gl_ScopeDevice, 0, 0);
        if (before + foundHere < before) {
            atomicAdd(CONTROL.state_[FOUND_HIGH], 1, gl_ScopeDevice, 0, 0);
        }
    }
}

/** Adds the counts of a level to the sums by source. By one workgroup, when all others have done the level. */
void addLevel() {
    for (uint source = gl_LocalInvocationIndex; source < ARGS.sourceCount; source += GROUP) {
        uint count = ARGS.counts.v[source];
        ARGS.counts.v[source] = 0;
        if (count != 0) {
            ARGS.far.v[source] += uint64_t(count) * level;
            ARGS.reach.v[source] += uint64_t(count);
            if (!IS_NULL(ARGS.harmonic)) {
                ARGS.harmonic.v[source] = sum(ARGS.harmonic.v[source], quotient(count, level));
            }
            if (!IS_NULL(ARGS.depths)) {
                ARGS.depths.v[source] = level;
            }
        }
    }
}

/** Ends a level, and decides whether there is another. By one thread, when all workgroups have done the level. */
void plan(uint alive) {
    uint64_t pairs = uint64_t(CONTROL.state_[FOUND_HIGH]) << 32 | uint64_t(CONTROL.state_[FOUND_LOW]);
    bool changed = alive != 0;
    CONTROL.mode_ = changed && level != ARGS.maxDepth ? LEVELS : DONE;
    if (changed) {
        CONTROL.deepest = level;
        if (!IS_NULL(ARGS.pairs)) {
            ARGS.pairs.v[level] += pairs;
        }
        bool narrow = ARGS.storesLevels != 0
            && (ARGS.levelBytes == 1 && level > 254 || ARGS.levelBytes == 2 && level > 65534);
        if (narrow) {
            CONTROL.overflow_ = LEVELS_TOO_NARROW;
            CONTROL.mode_ = DONE;
        } else if (!IS_NULL(ARGS.levelCounts) && level >= ARGS.firstLevel
            && level - ARGS.firstLevel >= ARGS.levelCapacity) {
            CONTROL.overflow_ = COUNTS_TOO_SHALLOW;
        }
    }
    CONTROL.state_[ALIVE] = alive;
    CONTROL.state_[FOUND_LOW] = 0;
    CONTROL.state_[FOUND_HIGH] = 0;
    CONTROL.flips_ ^= 1;
    CONTROL.level_ = level + 1;
    CONTROL.work++;
    obey(CONTROL, ARGS.stopFlag);
}

void step() {
    uint t = gl_LocalInvocationIndex;
    bool flipped = CONTROL.flips_ != 0;
    level = CONTROL.level_;
    bitsIn = flipped ? ARGS.bitsB : ARGS.bitsA;
    bitsOut = flipped ? ARGS.bitsA : ARGS.bitsB;
    flagsIn = flipped ? ARGS.flagsB : ARGS.flagsA;
    flagsOut = flipped ? ARGS.flagsA : ARGS.flagsB;
    [[unroll]] for (uint p = 0; p < PLANES; p++) {
        planes[p] = uvec4(0);
    }
    rowsInPlanes = 0;
    wholes = 0;
    if (t == 0) {
        foundHere = 0;
        aliveHere = 0;
        wholesHere = 0;
    }
    if (t < ALIVE_WORDS) {
        aliveNow[t] = ARGS.alive.v[t];
        aliveNext[t] = 0;
    }
    for (uint source = t; COUNTS && source < ARGS.sourceCount; source += GROUP) {
        counted[source] = 0;
    }
    barrier();
    // the longest tasks first; all subgroups of a workgroup make the same rounds
    for (uint i = gl_WorkGroupID.x; i < ARGS.hubCount; i += gl_NumWorkGroups.x) {
        pullHub(ARGS.longSlots.v[i]);
    }
    uint subgroup = gl_WorkGroupID.x * gl_NumSubgroups;
    for (uint first = ARGS.hubCount + subgroup; first < ARGS.longCount; first += gl_NumWorkGroups.x * gl_NumSubgroups) {
        uint i = first + gl_SubgroupID;
        pullLong(i < ARGS.longCount, i < ARGS.longCount ? ARGS.longSlots.v[i] : 0);
    }
    for (uint first = gl_WorkGroupID.x * GROUP; first < ARGS.n; first += globalThreads()) {
        pullShort(first + gl_SubgroupID * gl_SubgroupSize);
    }
    addFound();
    if (isLast(CONTROL)) {
        uint word = t < ALIVE_WORDS ? ARGS.alive.v[ALIVE_WORDS + t] : 0;
        if (t < ALIVE_WORDS) {
            ARGS.alive.v[t] = word;
            ARGS.alive.v[ALIVE_WORDS + t] = 0;
            atomicAdd(aliveHere, uint(bitCount(word)));
        }
        if (COUNTS) {
            addLevel();
        }
        syncGroup();
        if (t == 0) {
            plan(aliveHere);
        }
    }
}

void clear() {
    for (uint slot = globalThread(); slot < ARGS.n; slot += globalThreads()) {
        BYTE_AT(ARGS.flagsA, slot) = uint8_t(0);
        BYTE_AT(ARGS.flagsB, slot) = uint8_t(0);
    }
    uint64_t bytes = uint64_t(ARGS.sourceCount) * ARGS.n * (ARGS.levelBytes * ARGS.storesLevels);
    uint64_t words = (bytes + uint64_t(3)) / uint64_t(4);
    for (uint64_t word = uint64_t(globalThread()); word < words; word += uint64_t(globalThreads())) {
        UINT_AT(ARGS.levels, word) = 0xffffffffu;
    }
    for (uint word = globalThread(); word < ALIVE_WORDS; word += globalThreads()) {
        uint sources = ARGS.sourceCount > 32 * word ? ARGS.sourceCount - 32 * word : 0;
        ARGS.alive.v[word] = sources >= 32 ? NONE : (1u << sources) - 1;
        ARGS.alive.v[ALIVE_WORDS + word] = 0;
    }
    if (COUNTS) {
        for (uint source = globalThread(); source < ARGS.sourceCount; source += globalThreads()) {
            ARGS.counts.v[source] = 0;
        }
    }
}

void begin() {
    level = 0;
    for (uint j = globalThread(); j < ARGS.sourceCount * ARGS.parts; j += globalThreads()) {
        uint i = j / ARGS.parts;
        uint part = j % ARGS.parts;
        uint slot = ARGS.sources.v[i];
        uvec4 row = uvec4(0);
        if (part == i / 128) {
            row[i / 32 % 4] = 1u << (i & 31);
            BYTE_AT(ARGS.flagsA, slot) = uint8_t(TOUCHED | ACTIVE);
            if (ARGS.storesLevels != 0) {
                store(uint64_t(i) * ARGS.n + slot);
            }
        }
        QUAD_AT(ARGS.bitsA, uint64_t(slot) * ARGS.parts + part) = row;
    }
    if (globalThread() == 0) {
        CONTROL.level_ = 1;
        CONTROL.state_[ALIVE] = ARGS.sourceCount;
        CONTROL.mode_ = ARGS.maxDepth == 0 ? DONE : LEVELS;
        obey(CONTROL, ARGS.stopFlag);
    }
}

void main() {
    if (PHASE == PHASE_END) {
        report(CONTROL, ARGS.report);
    } else if (PHASE == PHASE_STEP) {
        if (!hasEnded(CONTROL)) {
            step();
        }
    } else if (CONTROL.resumes == 0) {
        if (PHASE == PHASE_CLEAR) {
            clear();
        } else {
            begin();
        }
    }
}

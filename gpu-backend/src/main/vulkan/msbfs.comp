// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "steps.glsl"
#include "softdouble.glsl"

// Bit-parallel BFS from up to 1,024 sources. A slot has a row of a bit for each source, in parts of 128. A step is a level: each
// row takes the bits of its in-neighbours that changed with the level before. A thread does a part of a row, a workgroup the row
// of a long list.
//   reads   inPtrs[n + 1], inIdx[]      against the edges for sums by source
//           longSlots[longCount]        slots whose lists have more than longEntries entries
//           sources[sourceCount]
//   writes  levels[sourceCount * n]     if storesLevels is not 0: distances of levelBytes (1, 2 or 4); all bits set if not reached
//           by slot, added to:          far, reach, levelCounts[levelCapacity * n] from firstLevel on, depths; may be null
//           by source, added to:        rowFar, rowReach, rowHarmonic, rowDepths; may be null
//           pairs[]                     added to: pairs of source and slot by level; may be null
//   uses    bitsA, bitsB[n * parts]     rows, read and written in turn
//           flagsA, flagsB[n * parts]   whether a part is full, and whether it changed
//           counts[1024]                slots that the level has reached, by source; for sums by source
//   reports deepest, overflow; work: levels. A source does not count for itself.

const uint FULL = 1;
const uint ACTIVE = 2;
const uint LEVELS = 1;

const uint MOST_PARTS = 8;
const uint MOST_SOURCES = 128 * MOST_PARTS;

// Control.state_: workgroups that changed a row; pairs that the level has found, in two words; whether most rows change
const uint CHANGED = 0;
const uint FOUND_LOW = 1;
const uint FOUND_HIGH = 2;
const uint DENSE = 3;

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
    Uints counts;
    Longs far;
    Longs reach;
    Uints levelCounts;
    Uints depths;
    Longs pairs;
    Longs rowFar;
    Longs rowReach;
    Longs rowHarmonic;
    Uints rowDepths;
    uint n;
    uint parts;
    uint sourceCount;
    uint maxDepth;
    uint levelBytes;
    uint storesLevels;
    uint longCount;
    uint longEntries;
    uint levelCapacity;
    uint firstLevel;
};

layout(push_constant) uniform Push {
    Arguments arguments;
} push;

#define ARGS push.arguments
#define CONTROL ARGS.control
#define IS_NULL(pointer) (uint64_t(pointer) == uint64_t(0))

shared uint gathered[4 * MOST_PARTS];
shared uint foundBits[GROUP];
shared uint changedHere;
shared uint foundHere;
shared uint incomplete;
// slots that this workgroup has reached in this step, by source, so that it adds once to memory for each source
shared uint counted[MOST_SOURCES];

uvec4 maskOf(uint part) {
    uvec4 mask;
    for (uint k = 0; k < 4; k++) {
        uint before = 32 * (4 * part + k);
        uint bits = ARGS.sourceCount > before ? ARGS.sourceCount - before : 0;
        mask[k] = bits >= 32 ? 0xffffffffu : (1u << bits) - 1;
    }
    return mask;
}

void store(uint64_t entry, uint level) {
    if (ARGS.levelBytes == 1) {
        BYTE_AT(ARGS.levels, entry) = uint8_t(level);
    } else if (ARGS.levelBytes == 2) {
        BYTE_AT(ARGS.levels, 2 * entry) = uint8_t(level);
        BYTE_AT(ARGS.levels, 2 * entry + 1) = uint8_t(level >> 8);
    } else {
        UINT_AT(ARGS.levels, entry) = level;
    }
}

/** What newly set bits mean besides the sums by slot. Not inside of a branch: lavapipe 22.3 loses threads in loops there. */
void storeBits(uint slot, uint part, uvec4 fresh, uint level) {
    bool counts = !IS_NULL(ARGS.counts);
    if (ARGS.storesLevels == 0 && !counts) {
        return;
    }
    for (uint k = 0; k < 4; k++) {
        uint left = fresh[k];
        while (left != 0) {
            uint source = 128 * part + 32 * k + uint(findLSB(left));
            left &= left - 1;
            if (ARGS.storesLevels != 0) {
                store(uint64_t(source) * ARGS.n + slot, level);
            }
            if (counts) {
                atomicAdd(counted[source], 1);
            }
        }
    }
}

/** Writes a part of a row, given the bits that its neighbours have. Returns the new bits. */
uvec4 finish(uint row, uint part, uint flags, uvec4 own, uvec4 theirs, Quads bits, Bytes flagsOut) {
    uvec4 mask = maskOf(part);
    uvec4 fresh = theirs & mask & ~own;
    bool changed = fresh != uvec4(0);
    uvec4 now = own | fresh;
    if (changed || (flags & ACTIVE) != 0) {
        QUAD_AT(bits, row) = now;
    }
    BYTE_AT(flagsOut, row) = uint8_t((changed ? ACTIVE : 0) | (now == mask ? FULL : 0));
    if (changed) {
        changedHere = 1;
    }
    return fresh;
}

uint sizeOf(uvec4 bits) {
    ivec4 count = bitCount(bits);
    return uint(count.x + count.y + count.z + count.w);
}

/** Copies a part that is full. */
void passOn(uint row, uint flags, uint part, Quads bits, Bytes flagsOut) {
    if ((flags & ACTIVE) != 0) {
        QUAD_AT(bits, row) = maskOf(part);
    }
    BYTE_AT(flagsOut, row) = uint8_t(FULL);
}

/** Adds to the sums of a slot. By one thread of the slot. */
void addUp(uint slot, uint found, uint level) {
    if (found == 0) {
        return;
    }
    atomicAdd(foundHere, found);
    if (!IS_NULL(ARGS.far)) {
        ARGS.far.v[slot] += uint64_t(found) * level;
    }
    if (!IS_NULL(ARGS.reach)) {
        ARGS.reach.v[slot] += uint64_t(found);
    }
    if (!IS_NULL(ARGS.depths)) {
        ARGS.depths.v[slot] = max(ARGS.depths.v[slot], level);
    }
    if (!IS_NULL(ARGS.levelCounts) && level >= ARGS.firstLevel && level - ARGS.firstLevel < ARGS.levelCapacity) {
        UINT_AT(ARGS.levelCounts, uint64_t(level - ARGS.firstLevel) * ARGS.n + slot) += found;
    }
}

/** Whether a neighbour has bits that the row may not have. */
bool asks(Bytes flags, uint row) {
    return CONTROL.state_[DENSE] != 0 || (uint(BYTE_AT(flags, row)) & ACTIVE) != 0;
}

void longRow(uint slot, uint level, Quads bitsIn, Bytes flagsIn, Quads bitsOut, Bytes flagsOut) {
    uint t = gl_LocalInvocationIndex;
    uint part = t % ARGS.parts;
    uint team = t / ARGS.parts;
    uint teams = GROUP / ARGS.parts;
    uint row = slot * ARGS.parts + part;
    uint flags = uint(BYTE_AT(flagsIn, row));
    uvec4 own = QUAD_AT(bitsIn, row);
    uvec4 mask = maskOf(part);
    bool open = (flags & FULL) == 0;
    if (team == 0) {
        for (uint k = 0; k < 4; k++) {
            gathered[4 * part + k] = own[k];
        }
        foundBits[part] = 0;
    }
    if (t == 0) {
        incomplete = 1;
    }
    barrier();
    uint64_t end = ARGS.inPtrs.v[slot + 1];
    uint64_t at = ARGS.inPtrs.v[slot];
    bool done = false;
    while (at < end && !done) {
        uvec4 theirs = uvec4(0);
        for (uint k = 0; k < 4; k++) {
            uint64_t i = at + uint64_t(k * teams + team);
            if (open && i < end) {
                uint neighbour = UINT_AT(ARGS.inIdx, i) * ARGS.parts + part;
                if (asks(flagsIn, neighbour)) {
                    theirs |= QUAD_AT(bitsIn, neighbour);
                }
            }
        }
        bool missing = false;
        for (uint k = 0; k < 4; k++) {
            if ((theirs[k] & ~gathered[4 * part + k]) != 0) {
                atomicOr(gathered[4 * part + k], theirs[k]);
            }
        }
        barrier();
        if (t == 0) {
            incomplete = 0;
        }
        barrier();
        if (team == 0 && open) {
            for (uint k = 0; k < 4; k++) {
                missing = missing || (gathered[4 * part + k] & mask[k]) != mask[k];
            }
            if (missing) {
                incomplete = 1;
            }
        }
        barrier();
        done = incomplete == 0;
        at += uint64_t(4 * teams);
    }
    uvec4 fresh = uvec4(0);
    if (team == 0) {
        if (open) {
            uvec4 theirs = uvec4(
                gathered[4 * part], gathered[4 * part + 1], gathered[4 * part + 2], gathered[4 * part + 3]);
            fresh = finish(row, part, flags, own, theirs, bitsOut, flagsOut);
        } else {
            passOn(row, flags, part, bitsOut, flagsOut);
        }
        foundBits[part] = sizeOf(fresh);
    }
    storeBits(slot, part, fresh, level);
    barrier();
    uint found = 0;
    for (uint i = 0; i < ARGS.parts; i++) {
        found += foundBits[i];
    }
    if (t == 0) {
        addUp(slot, found, level);
    }
    barrier();
}

void shortRows(uint first, uint level, Quads bitsIn, Bytes flagsIn, Quads bitsOut, Bytes flagsOut) {
    uint t = gl_LocalInvocationIndex;
    uint row = first + t;
    uint slot = row / ARGS.parts;
    uint part = row % ARGS.parts;
    bool inside = slot < ARGS.n;
    uint64_t begin = inside ? ARGS.inPtrs.v[slot] : uint64_t(0);
    uint64_t end = inside ? ARGS.inPtrs.v[slot + 1] : uint64_t(0);
    bool isMine = inside && end - begin <= uint64_t(ARGS.longEntries);
    uint flags = isMine ? uint(BYTE_AT(flagsIn, row)) : FULL;
    bool open = (flags & FULL) == 0;
    uvec4 mask = maskOf(part);
    uvec4 own = open ? QUAD_AT(bitsIn, row) : mask;
    uvec4 theirs = own;
    for (uint64_t i = begin; i < end && (theirs & mask) != mask; i += uint64_t(4)) {
        uint neighbours[4];
        [[unroll]] for (uint k = 0; k < 4; k++) {
            neighbours[k] = UINT_AT(ARGS.inIdx, min(i + uint64_t(k), end - uint64_t(1))) * ARGS.parts + part;
        }
        [[unroll]] for (uint k = 0; k < 4; k++) {
            if (asks(flagsIn, neighbours[k])) {
                theirs |= QUAD_AT(bitsIn, neighbours[k]);
            }
        }
    }
    uvec4 fresh = uvec4(0);
    if (open) {
        fresh = finish(row, part, flags, own, theirs, bitsOut, flagsOut);
    } else if (isMine) {
        passOn(row, flags, part, bitsOut, flagsOut);
    }
    storeBits(slot, part, fresh, level);
    uint found = sizeOf(fresh);
    foundBits[t] = found;
    barrier();
    for (uint i = 1; i < ARGS.parts; i++) {
        found += foundBits[(t + i) % GROUP];
    }
    if (part == 0 && inside) {
        addUp(slot, found, level);
    }
    barrier();
}

void step() {
    uint level = CONTROL.level_;
    bool flipped = CONTROL.flips_ != 0;
    Quads bitsIn = flipped ? ARGS.bitsB : ARGS.bitsA;
    Quads bitsOut = flipped ? ARGS.bitsA : ARGS.bitsB;
    Bytes flagsIn = flipped ? ARGS.flagsB : ARGS.flagsA;
    Bytes flagsOut = flipped ? ARGS.flagsA : ARGS.flagsB;
    if (gl_LocalInvocationIndex == 0) {
        changedHere = 0;
        foundHere = 0;
    }
    // all threads make the same rounds, because lavapipe 22.3 loses threads that leave a loop early before a barrier
    uint countedSources = IS_NULL(ARGS.counts) ? 0 : ARGS.sourceCount;
    for (uint first = 0; first < countedSources; first += GROUP) {
        counted[first + gl_LocalInvocationIndex] = 0;
    }
    barrier();
    for (uint i = gl_WorkGroupID.x; i < ARGS.longCount; i += gl_NumWorkGroups.x) {
        longRow(ARGS.longSlots.v[i], level, bitsIn, flagsIn, bitsOut, flagsOut);
    }
    uint rows = ARGS.n * ARGS.parts;
    for (uint first = gl_WorkGroupID.x * GROUP; first < rows; first += globalThreads()) {
        shortRows(first, level, bitsIn, flagsIn, bitsOut, flagsOut);
    }
    for (uint first = 0; first < countedSources; first += GROUP) {
        uint source = first + gl_LocalInvocationIndex;
        if (counted[source] != 0) {
            addTo(ARGS.counts, source, counted[source]);
        }
    }
    if (gl_LocalInvocationIndex == 0 && changedHere != 0) {
        atomicAdd(CONTROL.state_[CHANGED], 1, gl_ScopeDevice, 0, 0);
        uint before = atomicAdd(CONTROL.state_[FOUND_LOW], foundHere, gl_ScopeDevice, 0, 0);
        if (before + foundHere < before) {
            atomicAdd(CONTROL.state_[FOUND_HIGH], 1, gl_ScopeDevice, 0, 0);
        }
    }
    if (isLast(CONTROL)) {
        bool changed = CONTROL.state_[CHANGED] != 0;
        if (!IS_NULL(ARGS.counts) && changed) {
            for (uint source = gl_LocalInvocationIndex; source < ARGS.sourceCount; source += GROUP) {
                uint count = ARGS.counts.v[source];
                ARGS.counts.v[source] = 0;
                if (count != 0) {
                    ARGS.rowFar.v[source] += uint64_t(count) * level;
                    ARGS.rowReach.v[source] += uint64_t(count);
                    if (!IS_NULL(ARGS.rowHarmonic)) {
                        ARGS.rowHarmonic.v[source] = sum(ARGS.rowHarmonic.v[source], quotient(count, level));
                    }
                    if (!IS_NULL(ARGS.rowDepths)) {
                        ARGS.rowDepths.v[source] = level;
                    }
                }
            }
        }
        syncGroup();
        if (gl_LocalInvocationIndex == 0) {
            uint64_t pairs = uint64_t(CONTROL.state_[FOUND_HIGH]) << 32 | uint64_t(CONTROL.state_[FOUND_LOW]);
            if (!IS_NULL(ARGS.pairs) && changed) {
                ARGS.pairs.v[level] += pairs;
            }
            CONTROL.mode_ = changed && level != ARGS.maxDepth ? LEVELS : DONE;
            if (changed) {
                CONTROL.deepest = level;
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
            CONTROL.state_[DENSE] = CONTROL.state_[CHANGED] * 2 > gl_NumWorkGroups.x && pairs > uint64_t(rows) * 8 ? 1 : 0;
            CONTROL.state_[CHANGED] = 0;
            CONTROL.state_[FOUND_LOW] = 0;
            CONTROL.state_[FOUND_HIGH] = 0;
            CONTROL.flips_ ^= 1;
            CONTROL.level_ = level + 1;
            CONTROL.work++;
            obey(CONTROL, ARGS.stopFlag);
        }
    }
}

void clear() {
    uint rows = ARGS.n * ARGS.parts;
    for (uint row = globalThread(); row < rows; row += globalThreads()) {
        QUAD_AT(ARGS.bitsA, row) = uvec4(0);
        QUAD_AT(ARGS.bitsB, row) = uvec4(0);
        BYTE_AT(ARGS.flagsA, row) = uint8_t(0);
        BYTE_AT(ARGS.flagsB, row) = uint8_t(0);
    }
    uint64_t bytes = uint64_t(ARGS.sourceCount) * ARGS.n * (ARGS.levelBytes * ARGS.storesLevels);
    uint64_t words = (bytes + uint64_t(3)) / uint64_t(4);
    for (uint64_t word = uint64_t(globalThread()); word < words; word += uint64_t(globalThreads())) {
        UINT_AT(ARGS.levels, word) = 0xffffffffu;
    }
    if (!IS_NULL(ARGS.counts)) {
        for (uint source = globalThread(); source < ARGS.sourceCount; source += globalThreads()) {
            ARGS.counts.v[source] = 0;
        }
    }
}

void begin() {
    for (uint i = globalThread(); i < ARGS.sourceCount; i += globalThreads()) {
        uint slot = ARGS.sources.v[i];
        uint row = slot * ARGS.parts + i / 128;
        atomicOr(UINT_AT(ARGS.bitsA, 4 * uint64_t(row) + i / 32 % 4), 1u << (i & 31), gl_ScopeDevice, 0, 0);
        BYTE_AT(ARGS.flagsA, row) = uint8_t(ACTIVE);
        if (ARGS.storesLevels != 0) {
            store(uint64_t(i) * ARGS.n + slot, 0);
        }
    }
    if (globalThread() == 0) {
        CONTROL.level_ = 1;
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

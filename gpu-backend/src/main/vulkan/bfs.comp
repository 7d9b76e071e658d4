// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
#define MOST_THREADS 1024
#include "common.glsl"
#include "steps.glsl"

// Direction-optimizing BFS from one or several sources. A step is a level: top-down by the out-lists of the frontier, or bottom-up
// by the in-lists of the vertices that were not reached. While the frontier is small, one workgroup does many levels in one step.
// Vertices that were reached bottom-up are queued by a step of its own, and only if the next level is top-down.
//   reads   outPtrs[n + 1], outIdx[], inPtrs[n + 1], inIdx[]   sorted or not; at most 2^32 - 2^16 entries
//           sources[sourceCount]                               without repeats; onlySource if there is one
//           stopTargets[stopTargetCount]                       the search ends with the first level that has one of them
//   writes  levels[n]                                          -1 if not reached
//   uses    bitsA, bitsB                                       a bit for each vertex that was reached
//           queue[n + entries / PART]                          the lists of frontiers for top-down levels, in parts
//   reports deepest; work: steps

/** The host refuses devices with smaller subgroups. */
const uint LEAST_SUBGROUP = 8;

const uint NONE = 0xffffffffu;

const uint TOP_DOWN = 1;
const uint BOTTOM_UP = 2;
const uint SMALL = 3;
const uint COLLECT = 4;

/** Entries of a part of a list: what one thread of a tile contributes at most. */
const uint PART = 128;

/** One workgroup does a level alone if it has so many parts at most, with so many entries on average. */
const uint SMALL_PARTS = 2048;
const uint SMALL_LENGTH = 8;

/** Levels of one small step, between which stop and pause are not looked at. */
const uint SMALL_LEVELS = 512;

/** Entries that a thread reads together, and so vertices that it may find. */
const uint EDGES = 4;

/** Entries of a list that one thread reads before its subgroup takes the rest. */
const uint OWN_ENTRIES = 64;

// as in Beamer's direction-optimizing BFS
const uint ALPHA = 8;
const uint BETA = 24;

/** Edges of a frontier below which it is always top-down. */
const uint LEAST_BOTTOM_UP = 32768;

// Control.state_: parts queued, first and last part of the frontier, its vertices and edges, edges of all levels so far,
// the mode of the next step, parts that a workgroup takes at once
const uint QUEUED = 0;
const uint FIRST = 1;
const uint LAST = 2;
const uint VERTICES = 3;
const uint EDGES_FOUND = 4;
const uint EDGES_BEFORE = 5;
const uint NEXT_MODE = 6;
const uint GROUP_PARTS = 7;
const uint COUNTS = 8;

layout(buffer_reference, std430, buffer_reference_align = 8) buffer Arguments {
    Control control;
    Uints report;
    StopFlag stopFlag;
    Longs outPtrs;
    Uints outIdx;
    Longs inPtrs;
    Uints inIdx;
    Uints sources;
    Uints stopTargets;
    Ints levels;
    Uints bitsA;
    Uints bitsB;
    Pairs queue;
    uint n;
    uint entries;
    uint sourceCount;
    uint onlySource;
    uint stopTargetCount;
    uint maxDepth;
};

layout(push_constant) uniform Push {
    Arguments arguments;
} push;

#define ARGS push.arguments
#define CONTROL ARGS.control

shared uvec3 sums[GROUP / LEAST_SUBGROUP];
shared uint partBegin[GROUP];
shared uint partEnd[GROUP];
shared uint queueBase;
shared uint anyReached;
shared uvec3 frontier; // of the next level: mode, first and last part
shared uint ownCounts[COUNTS];

// whether this workgroup does the levels of a step alone; then the counts are its own
bool alone = false;

uint count(uint which) {
    return alone ? ownCounts[which] : atomicLoad(CONTROL.state_[which], gl_ScopeDevice, 0, 0);
}

void setCount(uint which, uint x) {
    if (alone) {
        ownCounts[which] = x;
    } else {
        atomicStore(CONTROL.state_[which], x, gl_ScopeDevice, 0, 0);
    }
}

/** The sum of x over the threads before this one, and over all threads. All threads of the workgroup call it. */
uvec3 scan(uvec3 x, out uvec3 total) {
    uvec3 upToMine = subgroupInclusiveAdd(x);
    if (gl_SubgroupInvocationID == subgroupBallotFindMSB(subgroupBallot(true))) {
        sums[gl_SubgroupID] = upToMine;
    }
    barrier();
    uvec3 before = uvec3(0);
    total = uvec3(0);
    for (uint i = 0; i < gl_NumSubgroups; i++) {
        uvec3 sum = sums[i];
        before += i < gl_SubgroupID ? sum : uvec3(0);
        total += sum;
    }
    barrier();
    return before + upToMine - x;
}

/** The lists of some vertices. */
struct Lists {
    uint begins[EDGES];
    uint lengths[EDGES];
};

uint partsOf(uint length) {
    return (length + PART - 1) / PART;
}

/** The lists of the vertices that are not NONE, and how many parts, edges and vertices these are. */
Lists listsOf(uint found[EDGES], out uvec3 counts) {
    Lists lists;
    [[unroll]] for (uint k = 0; k < EDGES; k++) {
        uint begin = found[k] != NONE ? uint(ARGS.outPtrs.v[found[k]]) : 0;
        uint end = found[k] != NONE ? uint(ARGS.outPtrs.v[found[k] + 1]) : 0;
        lists.begins[k] = begin;
        lists.lengths[k] = end - begin;
    }
    counts = uvec3(0);
    [[unroll]] for (uint k = 0; k < EDGES; k++) {
        counts += uvec3(partsOf(lists.lengths[k]), lists.lengths[k], found[k] != NONE ? 1 : 0);
    }
    return lists;
}

/** Writes the parts of the lists, from this place of the queue on. By all lanes of a subgroup, which do long lists together. */
void writeParts(Lists lists, uint at) {
    [[unroll]] for (uint k = 0; k < EDGES; k++) {
        uint begin = lists.begins[k];
        uint length = lists.lengths[k];
        if (length > 0 && length <= PART) {
            ARGS.queue.v[at] = uvec2(begin, length);
        }
        bool left = length > PART;
        while (subgroupAny(left)) {
            uint lane = subgroupBallotFindLSB(subgroupBallot(left));
            uint from = subgroupShuffle(begin, lane);
            uint entries = subgroupShuffle(length, lane);
            uint to = subgroupShuffle(at, lane);
            for (uint part = gl_SubgroupInvocationID; part * PART < entries; part += gl_SubgroupSize) {
                ARGS.queue.v[to + part] = uvec2(from + part * PART, min(PART, entries - part * PART));
            }
            left = left && gl_SubgroupInvocationID != lane;
        }
        at += partsOf(length);
    }
}

/** Adds parts, edges and vertices to those of the level; returns the place of the parts. By one thread of a workgroup. */
uint addFound(uvec3 counts) {
    atomicAdd(CONTROL.state_[EDGES_FOUND], counts.y, gl_ScopeDevice, 0, 0);
    atomicAdd(CONTROL.state_[VERTICES], counts.z, gl_ScopeDevice, 0, 0);
    return atomicAdd(CONTROL.state_[QUEUED], counts.x, gl_ScopeDevice, 0, 0);
}

/** Queues the lists of the vertices, or NONE, that each thread has found. All threads of the workgroup call it. */
void queueLists(uint found[EDGES]) {
    uvec3 mine;
    Lists lists = listsOf(found, mine);
    uvec3 total;
    uvec3 before = scan(mine, total);
    if (total.z != 0) {
        if (gl_LocalInvocationIndex == 0) {
            queueBase = addFound(total);
        }
        barrier();
        writeParts(lists, queueBase + before.x);
    }
    barrier();
}

/** As queueLists, by a subgroup of the workgroup that is alone. */
void queueListsAlone(uint found[EDGES]) {
    uvec3 mine;
    Lists lists = listsOf(found, mine);
    uvec3 total = subgroupAdd(mine);
    uint base = 0;
    if (subgroupElect()) {
        base = atomicAdd(ownCounts[QUEUED], total.x);
        atomicAdd(ownCounts[EDGES_FOUND], total.y);
        atomicAdd(ownCounts[VERTICES], total.z);
    }
    writeParts(lists, subgroupBroadcastFirst(base) + subgroupExclusiveAdd(mine.x));
}

bool isReached(Uints bits, uint u) {
    return (bits.v[u >> 5] >> (u & 31) & 1) != 0;
}

/** Marks the vertices as reached by this level, and makes those NONE that were reached before. */
void claim(inout uint found[EDGES], uint level, Uints bits) {
    uint before[EDGES];
    [[unroll]] for (uint k = 0; k < EDGES; k++) {
        before[k] = found[k] == NONE
            ? 0
            : atomicOr(bits.v[found[k] >> 5], 1u << (found[k] & 31), gl_ScopeDevice, 0, 0);
    }
    [[unroll]] for (uint k = 0; k < EDGES; k++) {
        found[k] = found[k] != NONE && (before[k] >> (found[k] & 31) & 1) != 0 ? NONE : found[k];
        if (found[k] != NONE) {
            ARGS.levels.v[found[k]] = int(level);
        }
    }
}

/** Follows the edges of up to GROUP parts, from part to last. All threads of the workgroup call it. */
void expand(uint part, uint last, uint level, Uints bits) {
    uint i = part + gl_LocalInvocationIndex;
    uvec2 mine = i < last ? ARGS.queue.v[i] : uvec2(0);
    uvec3 total;
    uint before = scan(uvec3(mine.y, 0, 0), total).x;
    partBegin[gl_LocalInvocationIndex] = mine.x - before;
    partEnd[gl_LocalInvocationIndex] = before + mine.y;
    barrier();
    for (uint first = 0; first < total.x; first += EDGES * GROUP) {
        // each loop by itself, so that the memory has all requests of a thread at once
        uint found[EDGES];
        [[unroll]] for (uint k = 0; k < EDGES; k++) {
            uint edge = first + k * GROUP + gl_LocalInvocationIndex;
            // the first part that ends behind the edge
            uint low = 0;
            for (uint stride = GROUP / 2; stride != 0; stride /= 2) {
                low += partEnd[low + stride - 1] <= edge ? stride : 0;
            }
            found[k] = edge < total.x ? UINT_AT(ARGS.outIdx, partBegin[low] + edge) : NONE;
        }
        // an atomic operation costs more than a look
        [[unroll]] for (uint k = 0; k < EDGES; k++) {
            found[k] = found[k] != NONE && isReached(bits, found[k]) ? NONE : found[k];
        }
        claim(found, level, bits);
        queueLists(found);
    }
}

void topDown(uint first, uint last, uint level, Uints bits) {
    uint size = ownCounts[GROUP_PARTS];
    for (uint part = first + gl_WorkGroupID.x * size; part < last; part += gl_NumWorkGroups.x * size) {
        expand(part, min(part + size, last), level, bits);
    }
}

/** As topDown, by the workgroup that is alone: a thread follows a whole part, so that none waits for another. */
void topDownAlone(uint first, uint last, uint level, Uints bits) {
    for (uint i = first + gl_LocalInvocationIndex; subgroupAny(i < last); i += GROUP) {
        uvec2 part = i < last ? ARGS.queue.v[i] : uvec2(0);
        for (uint at = 0; subgroupAny(at < part.y); at += EDGES) {
            uint found[EDGES];
            [[unroll]] for (uint k = 0; k < EDGES; k++) {
                found[k] = at + k < part.y ? UINT_AT(ARGS.outIdx, part.x + at + k) : NONE;
            }
            claim(found, level, bits);
            queueListsAlone(found);
        }
    }
}

/** Whether one of the entries of a long list, from begin to end, is reached. By a subgroup. */
bool reachesOne(uint begin, uint end, Uints bits) {
    bool found = false;
    for (uint at = begin; subgroupAny(at < end && !found); at += gl_SubgroupSize) {
        uint i = at + gl_SubgroupInvocationID;
        found = subgroupAny(i < end && isReached(bits, UINT_AT(ARGS.inIdx, i)));
    }
    return found;
}

/** Looks for reached vertices among the in-neighbours of those that are not. Each subgroup goes its own way. */
void bottomUp(uint level, Uints bits, Uints next) {
    uint vertices = 0;
    uint edges = 0;
    uint subgroup = gl_WorkGroupID.x * GROUP + gl_SubgroupID * gl_SubgroupSize;
    for (uint first = subgroup; subgroupAny(first < ARGS.n); first += globalThreads()) {
        uint v = first + gl_SubgroupInvocationID;
        bool inside = v < ARGS.n;
        uint word = inside ? bits.v[v >> 5] : 0;
        bool isOpen = inside && (word >> (v & 31) & 1) == 0;
        uint begin = isOpen ? uint(ARGS.inPtrs.v[v]) : 0;
        uint end = isOpen ? uint(ARGS.inPtrs.v[v + 1]) : 0;
        uint stop = begin + min(end - begin, OWN_ENTRIES);
        bool reached = false;
        // the first neighbours are the likeliest in an order by degree
        for (uint i = begin; subgroupAny(i < stop && !reached); i += EDGES) {
            if (i < stop && !reached) {
                uint neighbours[EDGES];
                [[unroll]] for (uint k = 0; k < EDGES; k++) {
                    neighbours[k] = UINT_AT(ARGS.inIdx, min(i + k, stop - 1));
                }
                [[unroll]] for (uint k = 0; k < EDGES; k++) {
                    reached = reached || isReached(bits, neighbours[k]);
                }
            }
        }
        bool left = stop < end && !reached;
        while (subgroupAny(left)) {
            uint lane = subgroupBallotFindLSB(subgroupBallot(left));
            bool found = reachesOne(subgroupShuffle(stop, lane), subgroupShuffle(end, lane), bits);
            if (gl_SubgroupInvocationID == lane) {
                reached = found;
                left = false;
            }
        }
        uvec4 lanes = subgroupBallot(reached);
        if (inside && (gl_SubgroupInvocationID & 31) == 0) {
            // a word may be that of several subgroups, and has bits of bits already
            uint its = word | lanes[gl_SubgroupInvocationID / 32] << (v & 31);
            atomicOr(next.v[v >> 5], its, gl_ScopeDevice, 0, 0);
        }
        if (reached) {
            ARGS.levels.v[v] = int(level);
            vertices++;
            edges += uint(ARGS.outPtrs.v[v + 1] - ARGS.outPtrs.v[v]);
        }
    }
    uvec3 total;
    scan(uvec3(0, edges, vertices), total);
    if (gl_LocalInvocationIndex == 0 && total.z != 0) {
        addFound(total);
    }
}

/** Queues the lists of the vertices that a level has reached bottom-up. */
void collect(Uints bits, Uints before) {
    for (uint first = gl_WorkGroupID.x * GROUP; first < ARGS.n; first += EDGES * globalThreads()) {
        uint found[EDGES];
        [[unroll]] for (uint k = 0; k < EDGES; k++) {
            uint v = first + k * globalThreads() + gl_LocalInvocationIndex;
            found[k] = v < ARGS.n && isReached(bits, v) && !isReached(before, v) ? v : NONE;
        }
        queueLists(found);
    }
}

/** Whether a target was reached. All threads of the workgroup call it. */
bool hasTarget(Uints bits) {
    if (gl_LocalInvocationIndex == 0) {
        anyReached = 0;
    }
    syncGroup();
    for (uint first = 0; first < ARGS.stopTargetCount; first += GROUP) {
        uint i = first + gl_LocalInvocationIndex;
        if (i < ARGS.stopTargetCount && isReached(bits, ARGS.stopTargets.v[i])) {
            anyReached = 1;
        }
    }
    barrier();
    return anyReached != 0;
}

/**
 * Ends a level: makes what it has queued the frontier, and decides how the next level is done. By the workgroup that has seen the
 * whole level; bits has the vertices reached up to it.
 */
void plan(uint mode, uint level, Uints bits) {
    bool atTarget = ARGS.stopTargetCount != 0 && hasTarget(bits);
    if (gl_LocalInvocationIndex == 0) {
        uint vertices = count(VERTICES);
        uint edges = count(EDGES_FOUND);
        uint first = count(LAST);
        uint last = count(QUEUED);
        uint edgesSoFar = count(EDGES_BEFORE) + edges;
        uint next = DONE;
        if (vertices != 0) {
            CONTROL.deepest = level;
        }
        if (edges != 0 && !atTarget && level != ARGS.maxDepth) {
            bool widens =
                edges > (ARGS.entries - edgesSoFar) / ALPHA || (mode == BOTTOM_UP && vertices > ARGS.n / BETA);
            if (edges >= LEAST_BOTTOM_UP && widens) {
                next = BOTTOM_UP;
            } else if (mode == BOTTOM_UP) {
                next = COLLECT;
            } else {
                uint length = (edges + last - first - 1) / (last - first);
                next = last - first <= SMALL_PARTS && length <= SMALL_LENGTH ? SMALL : TOP_DOWN;
                // as many parts of this length as have EDGES entries for each thread
                setCount(GROUP_PARTS, clamp(EDGES * GROUP / length, 1, GROUP));
            }
        }
        if (next != COLLECT) {
            setCount(EDGES_BEFORE, edgesSoFar);
            CONTROL.level_ = level + 1;
        }
        setCount(VERTICES, 0);
        setCount(EDGES_FOUND, 0);
        setCount(FIRST, first);
        setCount(LAST, last);
        setCount(NEXT_MODE, next);
        frontier = uvec3(next, first, last);
    }
    syncGroup();
}

void clear() {
    for (uint v = globalThread(); v < ARGS.n; v += globalThreads()) {
        ARGS.levels.v[v] = -1;
        if ((v & 31) == 0) {
            ARGS.bitsA.v[v >> 5] = 0;
            ARGS.bitsB.v[v >> 5] = 0;
        }
    }
}

/** Queues the sources; the first step has an empty frontier, and makes them the next one. */
void begin() {
    for (uint first = gl_WorkGroupID.x * GROUP; first < ARGS.sourceCount; first += globalThreads()) {
        uint i = first + gl_LocalInvocationIndex;
        uint v = NONE;
        if (i < ARGS.sourceCount) {
            v = ARGS.sourceCount == 1 ? ARGS.onlySource : ARGS.sources.v[i];
            atomicOr(ARGS.bitsA.v[v >> 5], 1u << (v & 31), gl_ScopeDevice, 0, 0);
            ARGS.levels.v[v] = 0;
        }
        queueLists(uint[EDGES](v, NONE, NONE, NONE));
    }
    if (globalThread() == 0) {
        CONTROL.mode_ = TOP_DOWN;
    }
}

void step() {
    uint mode = CONTROL.mode_;
    uint level = CONTROL.level_;
    bool flipped = CONTROL.flips_ != 0;
    Uints bits = flipped ? ARGS.bitsB : ARGS.bitsA;
    Uints other = flipped ? ARGS.bitsA : ARGS.bitsB;
    if (gl_LocalInvocationIndex < COUNTS) {
        ownCounts[gl_LocalInvocationIndex] = count(gl_LocalInvocationIndex);
    }
    barrier();
    alone = mode == SMALL;
    uint first = ownCounts[FIRST];
    uint last = ownCounts[LAST];
    bool ends = false;
    bool goesOn = !alone || gl_WorkGroupID.x == 0;
    // fewer if each of them reads many targets
    uint mostLevels = SMALL_LEVELS / (1 + ARGS.stopTargetCount / (16 * GROUP));
    for (uint i = 1; goesOn; i++) {
        if (alone) {
            topDownAlone(first, last, level, bits);
        } else if (mode == BOTTOM_UP) {
            bottomUp(level, bits, other);
        } else if (mode == COLLECT) {
            collect(bits, other);
        } else {
            topDown(first, last, level, bits);
        }
        syncGroup();
        if (!alone) {
            ends = isLast(CONTROL);
        }
        goesOn = false;
        if (alone || ends) {
            plan(mode, level, mode == BOTTOM_UP ? other : bits);
            goesOn = alone && frontier.x == SMALL && i < mostLevels;
            first = frontier.y;
            last = frontier.z;
            level++;
        }
    }
    if (alone) {
        alone = false;
        if (gl_WorkGroupID.x == 0 && gl_LocalInvocationIndex < COUNTS) {
            setCount(gl_LocalInvocationIndex, ownCounts[gl_LocalInvocationIndex]);
        }
        // the others may not have read the mode yet
        ends = isLast(CONTROL);
    }
    if (ends && gl_LocalInvocationIndex == 0) {
        CONTROL.flips_ ^= mode == BOTTOM_UP ? 1 : 0;
        CONTROL.mode_ = count(NEXT_MODE);
        CONTROL.work++;
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

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "common.glsl"
#include "steps.glsl"

// Direction-optimizing BFS from one or several sources. A step is a level: top-down by the out-lists of the frontier, or bottom-up
// by the in-lists of the vertices that were not reached. While the frontier is small, one workgroup does many levels in one step.
//   reads   outPtrs[n + 1], outIdx[], inPtrs[n + 1], inIdx[]   sorted or not; fewer than 2^32 entries
//           sources[sourceCount]                               without repeats; onlySource if there is one
//           stopTargets[stopTargetCount]                       the search ends with the first level that has one of them
//   writes  levels[n]                                          -1 if not reached
//   uses    bitsA, bitsB                                       a bit for each vertex that was reached
//           queue[n + entries / PART + 1]                      the lists of the vertices reached, in parts, level after level
//   reports deepest; work: steps

/** The host refuses devices with smaller subgroups. */
const uint LEAST_SUBGROUP = 8;

const uint TOP_DOWN = 1;
const uint BOTTOM_UP = 2;
const uint SMALL = 3;

/** Entries of a part of a list: what one thread of a tile contributes at most. */
const uint PART = 128;

/** Parts up to which one workgroup does a level alone. */
const uint SMALL_PARTS = 512;

/** Levels of one small step, between which stop and pause are not looked at. */
const uint SMALL_LEVELS = 64;

/** Edges of a tile that a thread follows, and so vertices that it may find. */
const uint EDGES = 4;

/** Entries of a list that one thread reads before the workgroup takes the rest. */
const uint OWN_ENTRIES = 64;

// as in Beamer's direction-optimizing BFS
const uint ALPHA = 8;
const uint BETA = 24;

/** Edges of a frontier below which it is always top-down. */
const uint LEAST_BOTTOM_UP = 32768;

// Control.state_: parts queued, first and last part of the frontier, its vertices and edges, edges of all levels so far,
// the mode of the next step
const uint QUEUED = 0;
const uint FIRST = 1;
const uint LAST = 2;
const uint VERTICES = 3;
const uint EDGES_FOUND = 4;
const uint EDGES_BEFORE = 5;
const uint NEXT_MODE = 6;
const uint COUNTS = 7;

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
shared uint reachedBits[GROUP / 32];
shared uint anyReached;
shared uint unread[GROUP];
shared uint unreadCount;
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

/** Adds to a count, and returns what it was. By one thread of a workgroup. */
uint addToCount(uint which, uint x) {
    uint before = ownCounts[which];
    if (alone) {
        ownCounts[which] = before + x;
    } else {
        before = atomicAdd(CONTROL.state_[which], x, gl_ScopeDevice, 0, 0);
    }
    return before;
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

/** Queues the lists of the vertices that each thread has found. All threads of the workgroup call it. */
void queueLists(uint found[EDGES], uint vertices) {
    uint begins[EDGES];
    uint ends[EDGES];
    uvec3 mine = uvec3(0, 0, vertices);
    for (uint k = 0; k < vertices; k++) {
        begins[k] = uint(ARGS.outPtrs.v[found[k]]);
        ends[k] = uint(ARGS.outPtrs.v[found[k] + 1]);
        mine.x += (ends[k] - begins[k] + PART - 1) / PART;
        mine.y += ends[k] - begins[k];
    }
    uvec3 total;
    uvec3 before = scan(mine, total);
    if (total.z != 0) {
        if (gl_LocalInvocationIndex == 0) {
            queueBase = addToCount(QUEUED, total.x);
            addToCount(EDGES_FOUND, total.y);
            addToCount(VERTICES, total.z);
        }
        barrier();
        uint at = queueBase + before.x;
        for (uint k = 0; k < vertices; k++) {
            for (uint from = begins[k]; from < ends[k]; from += PART) {
                ARGS.queue.v[at++] = uvec2(from, min(PART, ends[k] - from));
            }
        }
    }
    barrier();
}

/** Follows the edges of up to GROUP parts. All threads of the workgroup call it. */
void expand(uint part, uint last, uint level, Uints bits) {
    uint i = part + gl_LocalInvocationIndex;
    uvec2 mine = i < last ? ARGS.queue.v[i] : uvec2(0);
    uvec3 total;
    uint before = scan(uvec3(mine.y, 0, 0), total).x;
    partBegin[gl_LocalInvocationIndex] = mine.x - before;
    partEnd[gl_LocalInvocationIndex] = before + mine.y;
    barrier();
    for (uint first = 0; first < total.x; first += EDGES * GROUP) {
        uint found[EDGES];
        uint vertices = 0;
        for (uint k = 0; k < EDGES; k++) {
            uint edge = first + k * GROUP + gl_LocalInvocationIndex;
            // the first part that ends behind the edge
            uint low = 0;
            for (uint stride = GROUP / 2; stride != 0; stride /= 2) {
                low += partEnd[low + stride - 1] <= edge ? stride : 0;
            }
            if (edge < total.x) {
                uint u = UINT_AT(ARGS.outIdx, partBegin[low] + edge);
                uint bit = 1u << (u & 31);
                // alone, latency counts, and not the number of atomic operations
                if ((alone || (bits.v[u >> 5] & bit) == 0)
                    && (atomicOr(bits.v[u >> 5], bit, gl_ScopeDevice, 0, 0) & bit) == 0) {
                    ARGS.levels.v[u] = int(level);
                    found[vertices++] = u;
                }
            }
        }
        queueLists(found, vertices);
    }
}

/** Does a level top-down, as one of so many workgroups. */
void topDown(uint first, uint last, uint level, Uints bits, uint group, uint groups) {
    for (uint part = first + group * GROUP; part < last; part += groups * GROUP) {
        expand(part, last, level, bits);
    }
}

bool isReached(Uints bits, uint u) {
    return (bits.v[u >> 5] >> (u & 31) & 1) != 0;
}

/** Looks for reached vertices among the in-neighbours of GROUP vertices. All threads of the workgroup call it. */
void lookBack(uint block, uint level, Uints bits, Uints next) {
    uint t = gl_LocalInvocationIndex;
    uint v = block * GROUP + t;
    bool inside = v < ARGS.n;
    uint word = inside ? bits.v[v >> 5] : 0;
    if (t < GROUP / 32) {
        reachedBits[t] = 0;
    }
    if (t == 0) {
        unreadCount = 0;
        anyReached = 0;
    }
    barrier();
    bool isOpen = inside && (word >> (v & 31) & 1) == 0;
    uint begin = isOpen ? uint(ARGS.inPtrs.v[v]) : 0;
    uint end = isOpen ? uint(ARGS.inPtrs.v[v + 1]) : 0;
    uint stop = min(end, begin + OWN_ENTRIES);
    bool reached = false;
    // the first neighbours are the likeliest in an order by degree
    for (uint i = begin; i < stop && !reached; i += 4) {
        uint neighbours[4];
        [[unroll]] for (uint k = 0; k < 4; k++) {
            neighbours[k] = UINT_AT(ARGS.inIdx, min(i + k, stop - 1));
        }
        [[unroll]] for (uint k = 0; k < 4; k++) {
            reached = reached || isReached(bits, neighbours[k]);
        }
    }
    if (reached) {
        atomicOr(reachedBits[t / 32], 1u << (t & 31));
        anyReached = 1;
    } else if (stop < end) {
        unread[atomicAdd(unreadCount, 1)] = t;
    }
    barrier();
    uint rest = unreadCount;
    for (uint r = 0; r < rest; r++) {
        uint local = unread[r];
        uint listEnd = uint(ARGS.inPtrs.v[block * GROUP + local + 1]);
        uint i = uint(ARGS.inPtrs.v[block * GROUP + local]) + OWN_ENTRIES;
        bool got = false;
        while (i < listEnd && !got) {
            if (i + t < listEnd && isReached(bits, UINT_AT(ARGS.inIdx, i + t))) {
                atomicOr(reachedBits[local / 32], 1u << (local & 31));
                anyReached = 1;
            }
            barrier();
            got = (reachedBits[local / 32] >> (local & 31) & 1) != 0;
            barrier();
            i += GROUP;
        }
    }
    if (inside && (v & 31) == 0) {
        next.v[v >> 5] = word | reachedBits[t / 32];
    }
    if (anyReached != 0) {
        uint found[EDGES];
        found[0] = v;
        bool isMine = (reachedBits[t / 32] >> (t & 31) & 1) != 0;
        if (isMine) {
            ARGS.levels.v[v] = int(level);
        }
        queueLists(found, isMine ? 1 : 0);
    }
    barrier();
}

void bottomUp(uint level, Uints bits, Uints next) {
    for (uint block = gl_WorkGroupID.x; block * GROUP < ARGS.n; block += gl_NumWorkGroups.x) {
        lookBack(block, level, bits, next);
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
        if (last != first && !atTarget && level != ARGS.maxDepth) {
            bool widens =
                edges > (ARGS.entries - edgesSoFar) / ALPHA || (mode == BOTTOM_UP && vertices > ARGS.n / BETA);
            bool small = last - first <= SMALL_PARTS;
            next = edges >= LEAST_BOTTOM_UP && widens ? BOTTOM_UP : small ? SMALL : TOP_DOWN;
        }
        setCount(VERTICES, 0);
        setCount(EDGES_FOUND, 0);
        setCount(FIRST, first);
        setCount(LAST, last);
        setCount(EDGES_BEFORE, edgesSoFar);
        CONTROL.level_ = level + 1;
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
        }
    }
}

/** Queues the sources; the first step has an empty frontier, and makes them the next one. */
void begin() {
    for (uint first = gl_WorkGroupID.x * GROUP; first < ARGS.sourceCount; first += globalThreads()) {
        uint i = first + gl_LocalInvocationIndex;
        uint found[EDGES];
        uint vertices = 0;
        if (i < ARGS.sourceCount) {
            uint v = ARGS.sourceCount == 1 ? ARGS.onlySource : ARGS.sources.v[i];
            atomicOr(ARGS.bitsA.v[v >> 5], 1u << (v & 31), gl_ScopeDevice, 0, 0);
            ARGS.levels.v[v] = 0;
            found[vertices++] = v;
        }
        queueLists(found, vertices);
    }
    if (globalThread() == 0) {
        CONTROL.mode_ = TOP_DOWN;
    }
}

void step() {
    uint mode = CONTROL.mode_;
    uint level = CONTROL.level_;
    uint group = gl_WorkGroupID.x;
    uint groups = mode == SMALL ? 1 : gl_NumWorkGroups.x;
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
    bool goesOn = group < groups;
    for (uint i = 1; goesOn; i++) {
        if (mode == BOTTOM_UP) {
            bottomUp(level, bits, other);
        } else {
            topDown(first, last, level, bits, group, groups);
        }
        syncGroup();
        if (!alone) {
            ends = isLast(CONTROL);
        }
        goesOn = false;
        if (alone || ends) {
            plan(mode, level, mode == BOTTOM_UP ? other : bits);
            goesOn = alone && frontier.x == SMALL && i < SMALL_LEVELS;
            first = frontier.y;
            last = frontier.z;
            level++;
        }
    }
    if (alone) {
        alone = false;
        if (group == 0 && gl_LocalInvocationIndex < COUNTS) {
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

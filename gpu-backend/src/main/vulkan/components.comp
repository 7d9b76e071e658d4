// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "steps.glsl"

// Weakly connected components by union-find: a step links the ends of some edges, the last one compresses the paths. A root is
// only ever linked to a lower one, so the root of a component is its lowest slot.
//   reads   outPtrs[n + 1], outIdx[entries]
//   writes  component[n]    the lowest slot of each slot's component
//   reports work: steps

const uint LINK = 1;
const uint COMPRESS = 2;

// Control.state_: entries that are linked, in two words
const uint LINKED_LOW = 0;
const uint LINKED_HIGH = 1;

layout(buffer_reference, std430, buffer_reference_align = 8) buffer Arguments {
    Control control;
    Uints report;
    StopFlag stopFlag;
    Longs outPtrs;
    Uints outIdx;
    Uints component;
    uint n;
    uint entriesOfAStep;
};

layout(push_constant) uniform Push {
    Arguments arguments;
} push;

#define ARGS push.arguments
#define CONTROL ARGS.control

uint parent(uint slot) {
    return atomicAdd(ARGS.component.v[slot], 0, gl_ScopeDevice, 0, 0);
}

void link(uint a, uint b) {
    uint p = parent(a);
    uint q = parent(b);
    while (p != q) {
        uint high = max(p, q);
        uint low = min(p, q);
        uint was = atomicCompSwap(
            ARGS.component.v[high], high, low, gl_ScopeDevice, 0, 0, 0, 0);
        if (was == high) {
            return;
        }
        p = parent(was);
        q = parent(low);
    }
}

void linkEdges(uint64_t first, uint64_t last) {
    for (uint64_t edge = first + uint64_t(globalThread()); edge < last; edge += uint64_t(globalThreads())) {
        // the last slot whose list begins at the edge or before
        uint low = 0;
        uint high = ARGS.n - 1;
        while (low < high) {
            uint middle = low + (high - low + 1) / 2;
            if (ARGS.outPtrs.v[middle] <= edge) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        link(low, UINT_AT(ARGS.outIdx, edge));
    }
}

void compress() {
    for (uint slot = globalThread(); slot < ARGS.n; slot += globalThreads()) {
        uint root = slot;
        uint up = parent(root);
        while (up != root) {
            root = up;
            up = parent(root);
        }
        atomicExchange(ARGS.component.v[slot], root, gl_ScopeDevice, 0, 0);
    }
}

void step() {
    uint64_t entries = ARGS.outPtrs.v[ARGS.n];
    uint64_t first = uint64_t(CONTROL.state_[LINKED_HIGH]) << 32 | uint64_t(CONTROL.state_[LINKED_LOW]);
    uint64_t last = min(entries, first + uint64_t(ARGS.entriesOfAStep));
    uint mode = CONTROL.mode_;
    if (mode == LINK) {
        linkEdges(first, last);
    } else {
        compress();
    }
    if (isLast(CONTROL) && gl_LocalInvocationIndex == 0) {
        CONTROL.state_[LINKED_LOW] = uint(last);
        CONTROL.state_[LINKED_HIGH] = uint(last >> 32);
        CONTROL.mode_ = mode == COMPRESS ? DONE : last == entries ? COMPRESS : LINK;
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
            for (uint slot = globalThread(); slot < ARGS.n; slot += globalThreads()) {
                ARGS.component.v[slot] = slot;
            }
        } else if (globalThread() == 0) {
            CONTROL.mode_ = LINK;
        }
    }
}

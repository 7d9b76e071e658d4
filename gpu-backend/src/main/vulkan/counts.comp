// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

// Counts the vertices of each level.
//   reads   levels[n]             of any depth
//   writes  counts[MOST_LEVELS]   added to: counts[i] are the vertices of level i - 1; deeper ones are not counted
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Arguments {
    Ints levels;
    Uints counts;
    uint n;
};

layout(push_constant) uniform Push {
    Arguments arguments;
} push;

#define ARGS push.arguments

/** Levels that fit a signed byte, with UNREACHED. */
const uint MOST_LEVELS = 129;

/** Counters of a level, by thread: most vertices have the same level, and threads would wait for each other. */
const uint COUNTERS = 32;

shared uint own[MOST_LEVELS * COUNTERS];

void main() {
    for (uint i = gl_LocalInvocationIndex; i < MOST_LEVELS * COUNTERS; i += GROUP) {
        own[i] = 0;
    }
    syncGroup();
    uint counter = gl_LocalInvocationIndex % COUNTERS;
    for (uint slot = globalThread(); slot < ARGS.n; slot += globalThreads()) {
        uint level = uint(ARGS.levels.v[slot] + 1);
        if (level < MOST_LEVELS) {
            atomicAdd(own[level * COUNTERS + counter], 1, gl_ScopeWorkgroup, 0, 0);
        }
    }
    syncGroup();
    for (uint level = gl_LocalInvocationIndex; level < MOST_LEVELS; level += GROUP) {
        uint sum = 0;
        for (uint i = 0; i < COUNTERS; i++) {
            sum += own[level * COUNTERS + i];
        }
        if (sum > 0) {
            addTo(ARGS.counts, level, sum);
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "softdouble.glsl"

// Adds the counts of a window of levels to the harmonic sums, the lowest level first.
//   reads   levelCounts[levelCount * n]
//   writes  harmonic[n]    double, added to: count / level, from firstLevel on
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Arguments {
    Uints levelCounts;
    Longs harmonic;
    uint n;
    uint levelCount;
    uint firstLevel;
};

layout(push_constant) uniform Push {
    Arguments arguments;
} push;

#define ARGS push.arguments

void main() {
    for (uint slot = globalThread(); slot < ARGS.n; slot += globalThreads()) {
        uint64_t total = ARGS.harmonic.v[slot];
        for (uint i = 0; i < ARGS.levelCount; i++) {
            uint count = UINT_AT(ARGS.levelCounts, uint64_t(i) * ARGS.n + slot);
            total = sum(total, quotient(count, ARGS.firstLevel + i));
        }
        ARGS.harmonic.v[slot] = total;
    }
}

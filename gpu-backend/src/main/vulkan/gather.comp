// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"

// Copies rows from the order of slots to the order of vertices. A thread writes whole words of 4 bytes.
//   reads   in[rows * n]        elements of IN_BYTES
//           slotOfVertex[n]     null if slots are vertices
//   writes  out[count]          elements of OUT_BYTES, from the element first on; their lowest bytes if they are narrower
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Arguments {
    Uints in_;
    Uints slotOfVertex;
    Uints out_;
    uint64_t first;
    uint64_t count;
    uint n;
};

layout(push_constant) uniform Push {
    Arguments arguments;
} push;

#define ARGS push.arguments

uint64_t source(uint64_t entry) {
    uint64_t row = entry / uint64_t(ARGS.n);
    uint vertex = uint(entry % uint64_t(ARGS.n));
    uint slot = uint64_t(ARGS.slotOfVertex) == uint64_t(0) ? vertex : ARGS.slotOfVertex.v[vertex];
    return row * uint64_t(ARGS.n) + uint64_t(slot);
}

uint element(uint64_t at) {
#if IN_BYTES == 1
    return uint(BYTE_AT(ARGS.in_, at));
#elif IN_BYTES == 2
    return UINT_AT(ARGS.in_, at / uint64_t(2)) >> (16 * uint(at & uint64_t(1))) & 0xffffu;
#else
    return UINT_AT(ARGS.in_, at);
#endif
}

void main() {
#if OUT_BYTES == 8
    for (uint64_t i = uint64_t(globalThread()); i < ARGS.count; i += uint64_t(globalThreads())) {
        LONG_AT(ARGS.out_, i) = LONG_AT(ARGS.in_, source(ARGS.first + i));
    }
#else
    const uint PACK = 4 / OUT_BYTES;
    uint64_t words = (ARGS.count + uint64_t(PACK - 1)) / uint64_t(PACK);
    for (uint64_t word = uint64_t(globalThread()); word < words; word += uint64_t(globalThreads())) {
        uint packed = 0;
        for (uint k = 0; k < PACK; k++) {
            uint64_t i = word * uint64_t(PACK) + uint64_t(k);
            if (i < ARGS.count) {
#if OUT_BYTES == 4
                packed = element(source(ARGS.first + i));
#else
                uint kept = (1u << (8 * OUT_BYTES)) - 1;
                packed |= (element(source(ARGS.first + i)) & kept) << (8 * OUT_BYTES * k);
#endif
            }
        }
        UINT_AT(ARGS.out_, word) = packed;
    }
#endif
}

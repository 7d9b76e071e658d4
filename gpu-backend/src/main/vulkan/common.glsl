// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

// What all kernels share. A kernel's argument is the struct Arguments, whose fields the host sets by name.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model

#ifndef MOST_THREADS
#define MOST_THREADS 256
#endif

/** Threads of a workgroup. The host makes it smaller for a device that computes on the CPU. */
layout(constant_id = 1) const uint GROUP = MOST_THREADS;

layout(local_size_x = MOST_THREADS, local_size_x_id = 1) in;

layout(buffer_reference, std430, buffer_reference_align = 4) nonprivate buffer Uints { uint v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) nonprivate buffer Ints { int v[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) nonprivate buffer Pairs { uvec2 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) nonprivate buffer Longs { uint64_t v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) nonprivate buffer Quads { uvec4 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 1) nonprivate buffer Bytes { uint8_t v[]; };

// an index of v is a signed number of 32 bits; these take any
#define UINT_AT(base, index) Uints(uint64_t(base) + 4 * uint64_t(index)).v[0]
#define LONG_AT(base, index) Longs(uint64_t(base) + 8 * uint64_t(index)).v[0]
#define QUAD_AT(base, index) Quads(uint64_t(base) + 16 * uint64_t(index)).v[0]
#define BYTE_AT(base, index) Bytes(uint64_t(base) + uint64_t(index)).v[0]

uint globalThread() {
    return gl_WorkGroupID.x * GROUP + gl_LocalInvocationIndex;
}

uint globalThreads() {
    return gl_NumWorkGroups.x * GROUP;
}

/** A barrier of the workgroup that orders its accesses to buffers and to shared memory. */
void syncGroup() {
    controlBarrier(
        gl_ScopeWorkgroup,
        gl_ScopeWorkgroup,
        gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
        gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
}

uint addTo(Uints counter, uint index, uint x) {
    return atomicAdd(counter.v[index], x, gl_ScopeDevice, 0, 0);
}

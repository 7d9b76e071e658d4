// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bvss.cuh"

// Warp primitives: exchange of two values, sums over lanes, words of bits, and 16 bytes at a time.
namespace proxima {

template <class T>
__device__ __forceinline__ void swap(T &a, T &b) {
    const T was = a;
    a = b;
    b = was;
}

/** The sum of the values of all lanes up to and including this one. */
template <class T>
__device__ __forceinline__ T inclusiveSum_warp(T value, int lane) {
#pragma unroll
    for (int step = 1; step < WARP_SIZE; step *= 2) {
        const T below = __shfl_up_sync(ALL_LANES, value, step);
        value += lane >= step ? below : 0;
    }
    return value;
}

/** The sum of the values of all lanes, returned to all of them; also floating-point sums are equal in all lanes. */
template <class T>
__device__ __forceinline__ T sum_warp(T value) {
#pragma unroll
    for (int step = WARP_SIZE / 2; step > 0; step /= 2) {
        value += __shfl_xor_sync(ALL_LANES, value, step);
    }
    return value;
}

/** The same for counts that fit 32 bits each while their sum may not. */
__device__ __forceinline__ unsigned long long wideSum_warp(unsigned value) {
    const unsigned long long low = __reduce_add_sync(ALL_LANES, value & 0xffffu);
    const unsigned long long high = __reduce_add_sync(ALL_LANES, value >> 16);
    return (high << 16) + low;
}

/** A word with the lowest count bits set; count may be negative or exceed 32. */
__device__ __forceinline__ unsigned lowBits(int count) { return count >= 32 ? ~0u : count <= 0 ? 0u : (1u << count) - 1; }

__device__ __forceinline__ bool isSet(const unsigned *bits, int index) {
    return (bits[index / 32] >> (index % 32) & 1) != 0;
}
__device__ __forceinline__ unsigned bitOf(int index) { return 1u << (index % 32); }

__device__ __forceinline__ uint4 operator|(const uint4 &a, const uint4 &b) {
    return make_uint4(a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w);
}

__device__ __forceinline__ uint4 operator&(const uint4 &a, const uint4 &b) {
    return make_uint4(a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w);
}

__device__ __forceinline__ uint4 andNot(const uint4 &a, const uint4 &b) {
    return make_uint4(a.x & ~b.x, a.y & ~b.y, a.z & ~b.z, a.w & ~b.w);
}

__device__ __forceinline__ bool any(const uint4 &a) { return (a.x | a.y | a.z | a.w) != 0; }

__device__ __forceinline__ int bits(const uint4 &a) { return __popc(a.x) + __popc(a.y) + __popc(a.z) + __popc(a.w); }

/** The value of the lane whose number differs by XOR with step. */
__device__ __forceinline__ uint4 shuffleXor_warp(const uint4 &a, int step) {
    return make_uint4(__shfl_xor_sync(ALL_LANES, a.x, step), __shfl_xor_sync(ALL_LANES, a.y, step),
            __shfl_xor_sync(ALL_LANES, a.z, step), __shfl_xor_sync(ALL_LANES, a.w, step));
}

/** Sets bits in global memory by atomics without return; words without bits are skipped. */
__device__ __forceinline__ void orInto(uint4 *at, const uint4 &bits) {
    unsigned *const words = reinterpret_cast<unsigned *>(at);
    if (bits.x != 0) {
        atomicOr(words, bits.x);
    }
    if (bits.y != 0) {
        atomicOr(words + 1, bits.y);
    }
    if (bits.z != 0) {
        atomicOr(words + 2, bits.z);
    }
    if (bits.w != 0) {
        atomicOr(words + 3, bits.w);
    }
}

}  // namespace proxima

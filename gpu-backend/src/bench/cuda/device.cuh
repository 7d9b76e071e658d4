// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "../../test/cuda/graphs.cuh"

// What the benches use of the CUDA runtime.
namespace proxima {
namespace test {

inline void check(cudaError_t code, const char *what) {
    if (code != cudaSuccess) {
        fail(std::string(what) + " gave " + cudaGetErrorName(code) + ": " + cudaGetErrorString(code));
    }
}
#define CUDA(CALL) proxima::test::check(CALL, #CALL)

/** Device memory of the exact size, so that compute-sanitizer sees every access beside it; filled with rubbish. */
template <class T>
struct OnDevice {
    T *at = nullptr;
    size_t length = 0;

    OnDevice() = default;
    explicit OnDevice(size_t length) : length(length) {
        if (length != 0) {
            CUDA(cudaMalloc(&at, length * sizeof(T)));
            CUDA(cudaMemset(at, 0xa5, length * sizeof(T)));
        }
    }
    explicit OnDevice(const std::vector<T> &values) : OnDevice(values.size()) {
        if (length != 0) {
            CUDA(cudaMemcpy(at, values.data(), length * sizeof(T), cudaMemcpyHostToDevice));
        }
    }
    OnDevice(OnDevice &&other) noexcept { *this = std::move(other); }
    OnDevice &operator=(OnDevice &&other) noexcept {
        std::swap(at, other.at);
        std::swap(length, other.length);
        return *this;
    }
    ~OnDevice() { cudaFree(at); }
    void zero() { CUDA(cudaMemset(at, 0, length * sizeof(T))); }
    std::vector<T> get(size_t from, size_t count) const {
        std::vector<T> values(count);
        CUDA(cudaMemcpy(values.data(), at + from, count * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }
    std::vector<T> get() const { return get(0, length); }
    T get(size_t i) const { return get(i, 1)[0]; }
};

template <class F>
__global__ void forAll(unsigned long long count, F f) {
    for (unsigned long long i = blockIdx.x * static_cast<unsigned long long>(blockDim.x) + threadIdx.x; i < count;
            i += static_cast<unsigned long long>(gridDim.x) * blockDim.x) {
        f(i);
    }
}

/** Calls a device function for 0 to count - 1. */
template <class F>
void each(unsigned long long count, F f) {
    if (count != 0) {
        forAll<<<static_cast<unsigned>(std::min<unsigned long long>((count + 255) / 256, 1 << 16)), 256>>>(count, f);
        CUDA(cudaGetLastError());
    }
}

/** Bits of a number, one at least. */
inline int bitsOf(unsigned long long value) {
    int bits = 1;
    while (bits < 64 && value >> bits != 0) {
        bits++;
    }
    return bits;
}

inline double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/** Milliseconds on the device between the begin and the end of work. */
struct Timer {
    cudaEvent_t begin, end;
    Timer() {
        CUDA(cudaEventCreate(&begin));
        CUDA(cudaEventCreate(&end));
    }
    double ms(const std::function<void()> &work) {
        CUDA(cudaEventRecord(begin));
        work();
        CUDA(cudaEventRecord(end));
        CUDA(cudaEventSynchronize(end));
        float took = 0;
        CUDA(cudaEventElapsedTime(&took, begin, end));
        return took;
    }
};

inline int multiprocessorCount() {
    int count = 0;
    CUDA(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
    return count;
}

inline int residentBlocks(const void *kernel, int threads, size_t shared = 0) {
    int blocks = 0;
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared));
    return blocks * multiprocessorCount();
}

/** A cooperative launch. */
template <class Arguments>
void launch(
        void (*kernel)(Arguments), int blocks, int threads, size_t sharedBytes, std::common_type_t<Arguments> arguments) {
    void *pointers[] = {&arguments};
    CUDA(cudaLaunchCooperativeKernel(
            reinterpret_cast<const void *>(kernel), blocks, threads, pointers, sharedBytes, nullptr));
}

/** Read by kernels that can be stopped; as the JVM does it, in host memory. */
inline int *stopFlag() {
    static int *flag = nullptr;
    if (flag == nullptr) {
        CUDA(cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped));
        *flag = 0;
    }
    return flag;
}

/** The sum of the levels of each vertex, of rows with a byte each; 255 is none. Any grid. */
__global__ void addRows(const unsigned char *levels, int rows, int64_t stride, int n, unsigned long long *far) {
    for (int64_t v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += static_cast<int64_t>(gridDim.x) * blockDim.x) {
        unsigned long long sum = 0;
        for (int i = 0; i < rows; i++) {
            const unsigned char level = levels[i * stride + v];
            sum += level == 255 ? 0 : level;
        }
        far[v] = sum;
    }
}

}  // namespace test
}  // namespace proxima

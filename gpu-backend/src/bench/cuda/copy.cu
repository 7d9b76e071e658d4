// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

// What a copy within the device's memory reaches, in bytes read and written a second: the best of ten copies of 4 GiB.
#include <algorithm>
#include <cstdio>

#define CUDA(call)                                                                                                          \
    do {                                                                                                                    \
        const cudaError_t error = (call);                                                                                   \
        if (error != cudaSuccess) {                                                                                         \
            std::printf("%s: %s\n", #call, cudaGetErrorString(error));                                                      \
            return 1;                                                                                                       \
        }                                                                                                                   \
    } while (0)

int main() {
    constexpr size_t BYTES = 4ull << 30;
    void *from;
    void *to;
    cudaEvent_t begin;
    cudaEvent_t end;
    CUDA(cudaMalloc(&from, BYTES));
    CUDA(cudaMalloc(&to, BYTES));
    CUDA(cudaMemset(from, 1, BYTES));
    CUDA(cudaEventCreate(&begin));
    CUDA(cudaEventCreate(&end));
    float best = 1e9f;
    for (int i = 0; i < 10; i++) {
        CUDA(cudaEventRecord(begin));
        CUDA(cudaMemcpyAsync(to, from, BYTES, cudaMemcpyDeviceToDevice));
        CUDA(cudaEventRecord(end));
        CUDA(cudaEventSynchronize(end));
        float millis = 0;
        CUDA(cudaEventElapsedTime(&millis, begin, end));
        best = std::min(best, millis);
    }
    cudaDeviceProp device;
    CUDA(cudaGetDeviceProperties(&device, 0));
    std::printf("%s: copy %.3f TB/s\n", device.name, 2.0 * BYTES / best / 1e9);
    return 0;
}

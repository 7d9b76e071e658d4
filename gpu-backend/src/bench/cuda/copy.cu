/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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

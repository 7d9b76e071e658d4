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
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "../graphs.cuh"

// What both benches use of the CUDA runtime.
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

}  // namespace test
}  // namespace proxima

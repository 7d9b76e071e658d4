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

#include <cstddef>

#include "persistent.cuh"

// probe_bvss_constants_thread: what host and device must agree on, for the host to compare. One thread.
//   writes  constants[18]
extern "C" __global__ void probe_bvss_constants_thread(int *constants) {
    using namespace proxima;
    const int values[] = {
            SLICE_SIZE,                                        // 0  BvssLayout.SLICE_SIZE
            WARP_SIZE,                                         // 1  BvssLayout.WARP_SIZE
            SLICES_PER_THREAD,                                 // 2  BvssLayout.SLICES_PER_THREAD
            VSS_SLICES,                                        // 3  BvssLayout.VSS_SLICES
            VSS_MASK_WORDS,                                    // 4  BvssLayout.VSS_MASK_WORDS
            PADDING_ROW,                                       // 5  BvssLayout.PADDING_ROW
            BLOCK_THREADS,                                     // 6  block of every *_grid kernel
            NO_MAX_DEPTH,                                      // 7
            UNREACHED,                                         // 8
            LEVELS_TOO_NARROW,                                 // 9
            COUNTS_TOO_SHALLOW,                                // 10
            static_cast<int>(sizeof(RunControl)),              // 11
            static_cast<int>(offsetof(RunControl, level)),     // 12
            static_cast<int>(offsetof(RunControl, stopped)),   // 13
            static_cast<int>(offsetof(RunControl, overflow)),  // 14
            static_cast<int>(offsetof(RunControl, vssPulled)),       // 15
            static_cast<int>(offsetof(RunControl, visited)),         // 16
            static_cast<int>(offsetof(RunControl, bottomUpLevels)),  // 17
    };
    for (int i = 0; i < static_cast<int>(sizeof(values) / sizeof(int)); i++) {
        constants[i] = values[i];
    }
}

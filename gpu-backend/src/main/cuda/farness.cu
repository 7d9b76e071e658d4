// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>

// farness_counts_harmonic_thread: adds the levels of one window of levelCounts (persistent.cuh) to the harmonic sums. One thread
// per vertex, plain launch, any grid.
//   reads   levelCounts[levelCount * n]    entry (level - firstLevel) * n + v
//   writes  harmonic[n]                    double, added to: count / level for each level of the window, ascending
//   needs   firstLevel >= 1; windows in ascending order; all batches counted first
//   gives   bit by bit the doubles of io.proxima.backend.Farness.addHarmonic: every operation rounds once, none is fused
namespace proxima {

struct HarmonicArguments {
    const unsigned *levelCounts;
    double *harmonic;
    int n;
    int levelCount;
    int firstLevel;
};

}  // namespace proxima

extern "C" __global__ void farness_counts_harmonic_thread(const __grid_constant__ proxima::HarmonicArguments args) {
    const int64_t threads = static_cast<int64_t>(gridDim.x) * blockDim.x;
    for (int64_t v = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; v < args.n; v += threads) {
        double sum = args.harmonic[v];
        for (int64_t i = 0; i < args.levelCount; i++) {
            const unsigned count = args.levelCounts[i * args.n + v];
            sum = __dadd_rn(sum, __ddiv_rn(static_cast<double>(count), static_cast<double>(args.firstLevel + i)));
        }
        args.harmonic[v] = sum;
    }
}

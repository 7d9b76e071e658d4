// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0

#include "near_far.cuh"
#include "near_far_sums.cuh"

// near_far_<costs>_<weights>_grid: the costs of the shortest paths from one source, see near_far.cuh. Cooperative launches with
// blocks of NEAR_FAR_THREADS. u32: costs and weights are integers, and n times the greatest weight is at most 2^32 - 2. f64:
// costs are doubles.
//
// near_far_sums_<costs>_<weights>_grid: sums over the costs from each of many sources, see near_far_sums.cuh. The same limits.

#define NEAR_FAR_ENTRY(NAME, RUN, ARGUMENTS, COST, WEIGHT)                                                                  \
    extern "C" __global__ void __launch_bounds__(proxima::NEAR_FAR_THREADS, 1)                                              \
            NAME(const __grid_constant__ proxima::ARGUMENTS<COST, WEIGHT> args) {                                           \
        proxima::RUN(args);                                                                                                 \
        proxima::leave_grid(args.control, args.report);                                                                     \
    }

NEAR_FAR_ENTRY(near_far_u32_u32_grid, nearFar, NearFarArguments, uint32_t, uint32_t)
NEAR_FAR_ENTRY(near_far_f64_f32_grid, nearFar, NearFarArguments, unsigned long long, float)
NEAR_FAR_ENTRY(near_far_f64_f64_grid, nearFar, NearFarArguments, unsigned long long, double)
NEAR_FAR_ENTRY(near_far_sums_u32_u32_grid, nearFarSums, NearFarSumsArguments, uint32_t, uint32_t)
NEAR_FAR_ENTRY(near_far_sums_f64_f32_grid, nearFarSums, NearFarSumsArguments, unsigned long long, float)
NEAR_FAR_ENTRY(near_far_sums_f64_f64_grid, nearFarSums, NearFarSumsArguments, unsigned long long, double)

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.kernel;

import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.Tuning;
import io.proxima.backend.cuda.device.TuningParameter;
import io.proxima.backend.cuda.kernel.KernelFamily.Levels;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A benchmark by which a calibration finds the best values of some tuning parameters.
 *
 * @param name shown as progress
 * @param on the depth of the graphs to measure on
 * @param numbers the parameters to try values of
 * @param searches creates kernels of one search with given parameters; null if the benchmark measures batches
 * @param batches creates kernels of multi-source BFS, which accumulate sums; null if the benchmark measures single
 *     searches
 */
public record CalibrationBench(
        String name,
        Levels on,
        List<TuningParameter> numbers,
        BiFunction<CudaDevice, Tuning, LevelKernels> searches,
        Function<CudaDevice, BatchKernels> batches) {

    /** A benchmark of single searches. */
    public static CalibrationBench ofSearches(
            String name,
            Levels on,
            List<TuningParameter> numbers,
            BiFunction<CudaDevice, Tuning, LevelKernels> searches) {
        return new CalibrationBench(name, on, numbers, searches, null);
    }

    /** A benchmark of multi-source BFS. */
    public static CalibrationBench ofBatches(
            String name, Levels on, List<TuningParameter> numbers, Function<CudaDevice, BatchKernels> batches) {
        return new CalibrationBench(name, on, numbers, null, batches);
    }
}

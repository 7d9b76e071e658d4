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

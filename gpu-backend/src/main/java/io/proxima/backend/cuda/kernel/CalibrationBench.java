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
 * What a calibration measures to find the best values of some numbers.
 *
 * @param name what is measured, for progress
 * @param on the kind of graphs that it is measured on
 * @param numbers whose values are tried
 * @param searches kernels of one search with such values; null if many searches are measured
 * @param batches kernels of many searches, which add up distances; null if single searches are measured
 */
public record CalibrationBench(
        String name,
        Levels on,
        List<TuningParameter> numbers,
        BiFunction<CudaDevice, Tuning, LevelKernels> searches,
        Function<CudaDevice, BatchKernels> batches) {

    /** Searches from one source each. */
    public static CalibrationBench ofSearches(
            String name,
            Levels on,
            List<TuningParameter> numbers,
            BiFunction<CudaDevice, Tuning, LevelKernels> searches) {
        return new CalibrationBench(name, on, numbers, searches, null);
    }

    /** Searches from many sources at once. */
    public static CalibrationBench ofBatches(
            String name, Levels on, List<TuningParameter> numbers, Function<CudaDevice, BatchKernels> batches) {
        return new CalibrationBench(name, on, numbers, null, batches);
    }
}

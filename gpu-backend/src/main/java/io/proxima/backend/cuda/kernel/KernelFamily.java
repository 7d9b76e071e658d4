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

import io.proxima.backend.Kernel;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.TuningParameter;
import io.proxima.backend.cuda.graph.DeviceStructure;
import io.proxima.backend.cuda.graph.GraphSizes;
import java.util.List;
import java.util.Set;

/**
 * DeviceKernels that belong together: what 'auto', the key {@code kernel}, estimates, calibration and tests know of them. A family is
 * one folder and one line in {@code META-INF/services/io.proxima.backend.Kernel$Provider}. A family has no state.
 */
public interface KernelFamily extends Kernel.Provider {

    /** Whether searches of a graph have few large levels, or many small ones. */
    enum Levels {
        FEW_LARGE,
        MANY_SMALL
    }

    /** The numbers on which the speed of the kernels depends. */
    default List<TuningParameter> numbers() {
        return List.of();
    }

    /** Whether the kernels of one search can search such a graph. */
    default boolean canSearch(GraphSizes graph) {
        return true;
    }

    /**
     * The kernels of one search for a value of the key {@code kernel}; the next ones are taken where the device has no room for
     * the structures of those before. Empty if the family has none.
     */
    default List<LevelKernels> levels(CudaDevice device, Kernel kernel) {
        return List.of();
    }

    /** The kernels of searches with distances of their own for a value of the key {@code kernel}; null if it has none. */
    default BatchKernels distances(CudaDevice device, Kernel kernel) {
        return null;
    }

    /** The kernels of sums for a value of the key {@code kernel}; null if it has none. */
    default SumKernels sums(CudaDevice device, Kernel kernel) {
        return null;
    }

    /**
     * The kernels of one search that 'auto' tries.
     *
     * @param there structures that are resident
     */
    default List<LevelKernels> tried(CudaDevice device, Levels levels, Set<DeviceStructure<?>> there) {
        return List.of();
    }

    /** DeviceKernels of one search over spare structures, which 'auto' tries on graphs of many small levels that are used again. */
    default List<LevelKernels> triedWithSpares(CudaDevice device) {
        return List.of();
    }

    /** The kernels of sums that 'auto' tries on graphs of many small levels. */
    default List<SumKernels> triedSums(CudaDevice device) {
        return List.of();
    }

    /** What a calibration measures. */
    default List<CalibrationBench> benches() {
        return List.of();
    }
}

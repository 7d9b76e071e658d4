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
package io.proxima.backend.cuda;

import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions.Kernel;

/** Chooses the kernels of a run: those that were asked for, or those that suit the graph. */
final class KernelDispatch {

    /** Divergence comes from the device in units of 1/16 row: UNITS of bvss_build.cu. */
    static final double DIVERGENCE_UNITS = 16;

    private final CudaDevice device;

    KernelDispatch(CudaDevice device) {
        this.device = device;
    }

    /** The kernels of one search. */
    LevelKernels levels(GraphView graph, RunControl control) {
        Kernel kernel = control.options().kernel();
        LevelKernels chosen = new BvssLevelKernels(
                device,
                switch (kernel) {
                    case AUTO -> device.policy().searchKernel();
                    case BLEST_A -> LaunchPolicy.SearchKernel.A;
                    case BLEST_AB -> LaunchPolicy.SearchKernel.AB;
                    case BLEST_ABCD -> LaunchPolicy.SearchKernel.ABCD;
                    case BLEST_FULL -> LaunchPolicy.SearchKernel.FULL;
                    case BLEST_AB_AND -> LaunchPolicy.SearchKernel.AB_AND;
                    case BLEST_ABCD_AND -> LaunchPolicy.SearchKernel.ABCD_AND;
                    case BLEST_FULL_AND -> LaunchPolicy.SearchKernel.FULL_AND;
                });
        tell(graph, control, chosen.name());
        return chosen;
    }

    /** The kernels of many searches. */
    BatchKernels batches(GraphView graph, RunControl control) {
        Kernel kernel = control.options().kernel();
        BatchKernels chosen = new BvssBatchKernels(
                device,
                switch (kernel) {
                    case AUTO -> device.policy().multiSourceKernel();
                    case BLEST_A -> LaunchPolicy.MultiSourceKernel.A;
                    case BLEST_AB -> LaunchPolicy.MultiSourceKernel.AB;
                    // many searches at once have no lazy variant without the rest
                    case BLEST_ABCD, BLEST_FULL -> LaunchPolicy.MultiSourceKernel.FULL;
                    case BLEST_AB_AND -> LaunchPolicy.MultiSourceKernel.AB_AND;
                    case BLEST_ABCD_AND, BLEST_FULL_AND -> LaunchPolicy.MultiSourceKernel.FULL_AND;
                },
                device.policy().batchSources());
        tell(graph, control, chosen.name());
        return chosen;
    }

    private static void tell(GraphView graph, RunControl control, String kernel) {
        control.observer().runsWith(graph.order().name(), kernel, graph.order().reason());
    }
}

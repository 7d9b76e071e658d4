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
package io.proxima.backend.cuda.run;

import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.graph.DeviceStructure;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.backend.cuda.kernel.RowKernels;
import io.proxima.backend.cuda.kernel.RowKernels.Rows;
import io.proxima.backend.cuda.kernel.SumKernels;
import java.util.Set;

/**
 * The searches from the sources of one run, numbered as they lie on the device. They add to rows, not to sums by slot.
 *
 * @param sources device address of the slots
 * @param count maximum number of sources
 * @param rows the rows of all sources
 */
record RowSums(RowKernels kernels, long sources, int count, Rows rows) implements SumKernels {

    @Override
    public String name() {
        return kernels.name();
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        return kernels.structures();
    }

    @Override
    public int mostSources() {
        return kernels.mostSources();
    }

    @Override
    public int leastSources() {
        return kernels.leastSources();
    }

    @Override
    public long bytes(GraphSizes graph, int most, int sourcesOfBatch) {
        return kernels.bytes(graph, Math.min(sourcesOfBatch, count));
    }

    @Override
    public int sourceCount(GraphView graph) {
        return count;
    }

    @Override
    public Adding begin(
            DeviceLease lease, GraphView graph, int most, long at, int first, int number, BatchKernels.Sums sums) {
        DeviceLease.Launch launch =
                kernels.begin(lease, graph, at, sources + (long) first * Integer.BYTES, number, rows.from(first));
        return () -> new Added(launch.end(), number);
    }
}

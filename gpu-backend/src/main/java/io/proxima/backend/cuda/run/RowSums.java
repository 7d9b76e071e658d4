// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
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

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import java.util.Set;

/**
 * Sums accumulated by multi-source BFS.
 *
 * @param kernels the kernels of a batch
 */
public record BatchedSums(BatchKernels kernels) implements SumKernels {

    private static final int NO_LEVELS = 0;

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
        return LaunchPolicy.SMALLEST_BATCH;
    }

    @Override
    public boolean mayEndEarly() {
        return kernels.mayPauseItself();
    }

    @Override
    public long bytes(GraphSizes graph, int most, int count) {
        return kernels.workspace(graph, most, count, NO_LEVELS).bytes();
    }

    @Override
    public boolean listsSources() {
        return true;
    }

    @Override
    public Adding begin(DeviceLease lease, GraphView graph, int most, long at, int first, int count, Sums sums) {
        Sums added = kernels.bySource() ? sums.from(first) : sums;
        DeviceLease.Launch launch = kernels.begin(
                lease,
                graph,
                at,
                sums.sources() + (long) first * Integer.BYTES,
                new BatchKernels.Batch(most, count, LoadedGraph.NO_MAX_DEPTH, NO_LEVELS, added));
        return () -> new Added(launch.end(), count);
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.graph.SourceSlots;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Sums accumulated by multi-source BFS. The sources of sums by vertex are the slots with entries, in ascending order,
 * so that the sources of a batch are near each other.
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
        Set<DeviceStructure<?>> structures = new LinkedHashSet<>(kernels.structures());
        if (!kernels.bySource()) {
            structures.add(SourceSlots.SOURCES);
        }
        return structures;
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
    public int sourceCount(GraphView graph) {
        return graph.structure(SourceSlots.SOURCES).count();
    }

    @Override
    public Adding begin(DeviceLease lease, GraphView graph, int most, long at, int first, int count, Sums sums) {
        Sums added = kernels.bySource() ? sums.from(first) : sums;
        long sources = kernels.bySource()
                ? added.sources()
                : graph.structure(SourceSlots.SOURCES).slots() + (long) first * Integer.BYTES;
        DeviceLease.Launch launch = kernels.begin(
                lease,
                graph,
                at,
                sources,
                new BatchKernels.Batch(most, count, LoadedGraph.NO_MAX_DEPTH, NO_LEVELS, added));
        return () -> new Added(launch.end(), count);
    }
}

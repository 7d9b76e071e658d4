// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import java.util.Set;

/** Sums as others make them; a subclass changes what it wants to. */
public abstract class ForwardingSumKernels implements SumKernels {

    final SumKernels kernels;

    protected ForwardingSumKernels(SumKernels kernels) {
        this.kernels = kernels;
    }

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
    public int levelCapacity(int usual) {
        return kernels.levelCapacity(usual);
    }

    @Override
    public int leastShare(GraphSizes graph) {
        return kernels.leastShare(graph);
    }

    @Override
    public long bytes(GraphSizes graph, int most, int count) {
        return kernels.bytes(graph, most, count);
    }

    @Override
    public int sourceCount(GraphView graph) {
        return kernels.sourceCount(graph);
    }

    @Override
    public boolean mayEndEarly() {
        return kernels.mayEndEarly();
    }

    @Override
    public Adding begin(DeviceLease lease, GraphView graph, int most, long at, int first, int count, Sums sums) {
        return kernels.begin(lease, graph, most, at, first, count, sums);
    }
}

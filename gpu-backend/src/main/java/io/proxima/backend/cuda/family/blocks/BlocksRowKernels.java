// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.blocks;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.cuda.graph.DeviceStructure;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.backend.cuda.kernel.RowKernels;
import java.util.Set;

/** BFS against the edges with one thread block per source, which counts what its search finds: msbfs_blocks.cu. */
record BlocksRowKernels(BlocksBatchKernels kernels) implements RowKernels {

    private static final int NO_LEVELS = 0;

    @Override
    public String name() {
        return kernels.name();
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        return Set.of(Csr.IN);
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
    public long bytes(GraphSizes graph, int count) {
        return kernels.workspace(graph, count, count, NO_LEVELS).bytes();
    }

    @Override
    public DeviceLease.Launch begin(DeviceLease lease, GraphView graph, long at, long sources, int count, Rows rows) {
        return kernels.begin(
                lease,
                graph,
                Csr.IN,
                at,
                sources,
                count,
                LoadedGraph.NO_MAX_DEPTH,
                NO_LEVELS,
                BatchKernels.Sums.NONE,
                rows);
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.words;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.cuda.graph.DeviceStructure;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.graph.WeakComponents;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.backend.cuda.kernel.RowKernels;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Bit-parallel multi-source BFS against the edges that counts at the source: the entries with rows of msbfs_words.cu. */
record WordsRowKernels(WordsBatchKernels kernels) implements RowKernels {

    private static final int NO_LEVELS = 0;

    @Override
    public String name() {
        return kernels.name();
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        return new LinkedHashSet<>(List.of(Csr.OUT, Csr.IN, WeakComponents.COMPONENTS, LongLists.REVERSED));
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
        return WordsBatchKernels.workspace(graph, count, NO_LEVELS, true).bytes();
    }

    @Override
    public DeviceLease.Launch begin(DeviceLease lease, GraphView graph, long at, long sources, int count, Rows rows) {
        WordsBatchKernels.Searched lists = new WordsBatchKernels.Searched(
                graph.structure(Csr.OUT), graph.structure(Csr.IN), graph.structure(LongLists.REVERSED));
        return lease.beginLaunch(
                kernels.grid(lists),
                kernels.arguments(
                        "msbfs_words_rows_k" + WordsBatchKernels.width(count) + "_grid",
                        graph,
                        lists,
                        at,
                        sources,
                        count,
                        LoadedGraph.NO_MAX_DEPTH,
                        NO_LEVELS,
                        BatchKernels.Sums.NONE,
                        rows));
    }
}

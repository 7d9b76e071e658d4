// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import java.util.List;
import java.util.function.Function;

/** Another graph, which closing this leaves open. */
public class BorrowedGraph extends RoutedGraph {

    private final LoadedGraph graph;

    public BorrowedGraph(LoadedGraph graph) {
        this.graph = graph;
    }

    @Override
    public int vertexCount() {
        return graph.vertexCount();
    }

    @Override
    public int multiSourceBatchSize() {
        return graph.multiSourceBatchSize();
    }

    @Override
    public List<Residence> residences() {
        return graph.residences();
    }

    @Override
    protected <T> T route(Operation operation, RunContext control, Function<LoadedGraph, T> run) {
        return run.apply(graph);
    }

    @Override
    public void close() {}
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Aggregation;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.CscBuilder;
import io.proxima.projection.csc.IntPages;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.csc.WeightedCsc;
import java.util.List;
import java.util.Objects;

/**
 * A graph as a list of edges with weights between the vertices 0 to vertexCount - 1, for programs without Neo4j.
 * Parallel edges are kept, loops are left out. Used by one thread.
 */
public final class WeightedEdgeList {

    private final int vertexCount;
    private final CscBuilder builder;
    private final double[][] added = new double[1][1];

    /**
     * Creates a graph without edges.
     *
     * @param vertexCount number of vertices, 0 to {@link Csc#MAX_VERTICES}
     * @param orientation how an edge becomes entries
     */
    public WeightedEdgeList(int vertexCount, Orientation orientation) {
        this.vertexCount = vertexCount;
        this.builder = new CscBuilder(
                vertexCount,
                orientation,
                List.of(new CscBuilder.EdgeValue(Aggregation.NONE, 0)),
                1,
                0,
                IntPages.DEFAULT_PAGE_SHIFT);
    }

    /**
     * Adds an edge.
     *
     * @param source vertex
     * @param target vertex
     * @return this list
     */
    public WeightedEdgeList add(int source, int target, double weight) {
        Objects.checkIndex(source, vertexCount);
        Objects.checkIndex(target, vertexCount);
        added[0][0] = weight;
        builder.buffer(0).add(source, target, added, 0);
        return this;
    }

    /**
     * The graph in both forms, which share arrays if no edges are parallel.
     *
     * @param csc the distinct edges
     * @param weights all edges with their weights
     */
    public record Graphs(Csc csc, WeightedCsc weights) {}

    /**
     * Builds the graph; to be called once, after the last edge.
     *
     * @param concurrency number of building threads, at least 1
     * @param stop requests the work to end early
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public Graphs build(int concurrency, Stop stop) {
        CscBuilder.Built built = builder.build(concurrency, stop, Progress.NONE);
        return new Graphs(built.graph(), built.weights().get(0));
    }
}

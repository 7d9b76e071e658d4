// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.CscBuilder;
import io.proxima.projection.csc.IntPages;
import io.proxima.projection.csc.LongPages;
import io.proxima.projection.csc.Orientation;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A graph as a list of edges between the vertices 0 to vertexCount - 1, for programs without Neo4j. Duplicate edges and
 * loops are allowed. As a source, the neo4jId of each node is its vertex. It has no labels and no types, so only
 * {@link ProjectionSpec#ALL} can be projected. Edges are added by one thread; afterwards any number of threads can
 * read.
 */
public final class EdgeList implements GraphSource {

    private final int vertexCount;

    /** Edges: source in the upper and target in the lower 32 bits. */
    private final LongPages edges = new LongPages();

    /**
     * Creates a graph without edges.
     *
     * @param vertexCount number of vertices, 0 to {@link Csc#MAX_VERTICES}
     */
    public EdgeList(int vertexCount) {
        if (vertexCount < 0 || vertexCount > Csc.MAX_VERTICES) {
            throw new IllegalArgumentException(
                    "vertexCount must be 0 to " + Csc.MAX_VERTICES + ": vertexCount=" + vertexCount);
        }
        this.vertexCount = vertexCount;
    }

    /**
     * Adds an edge.
     *
     * @param source vertex
     * @param target vertex
     * @return this list
     */
    public EdgeList add(int source, int target) {
        Objects.checkIndex(source, vertexCount);
        Objects.checkIndex(target, vertexCount);
        edges.add((long) source << 32 | target);
        return this;
    }

    /** Number of vertices. */
    public int vertexCount() {
        return vertexCount;
    }

    /** Number of edges, including duplicates and loops. */
    public long edgeCount() {
        return edges.length();
    }

    /** The source of edge number {@code edge}. */
    public int source(long edge) {
        return (int) (edge(edge) >>> 32);
    }

    /** The target of edge number {@code edge}. */
    public int target(long edge) {
        return (int) edge(edge);
    }

    private long edge(long edge) {
        Objects.checkIndex(edge, edges.length());
        return edges.pageOf(edge)[(int) edge & edges.pageMask()];
    }

    /**
     * The graph as CSC, without loops and duplicates. Vertices keep their numbers.
     *
     * @param orientation how an edge becomes entries
     * @param concurrency number of building threads, at least 1
     * @param stop requests the work to end early
     * @return the graph
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public Csc toCsc(Orientation orientation, int concurrency, Stop stop) {
        return toCsc(orientation, concurrency, IntPages.DEFAULT_PAGE_SHIFT, stop);
    }

    public Csc toCsc(Orientation orientation, int concurrency, int pageShift, Stop stop) {
        CscBuilder builder = new CscBuilder(vertexCount, orientation, List.of(), concurrency, edgeCount(), pageShift);
        Workers.forRanges(concurrency, edgeCount(), LongPages.PAGE_LENGTH, stop, (worker, from, to) -> {
            CscBuilder.EdgeBuffer buffer = builder.buffer(worker);
            long[] page = edges.pageOf(from);
            int length = (int) (to - from);
            for (int i = 0; i < length; i++) {
                buffer.add((int) (page[i] >>> 32), (int) page[i]);
            }
        });
        return builder.build(concurrency, stop);
    }

    @Override
    public long estimateNodeCount(List<String> labels) {
        return vertexCount;
    }

    @Override
    public long estimateRelationshipCount(List<String> types) {
        return edges.length();
    }

    @Override
    public void scanNodes(List<String> labels, int concurrency, Stop stop, NodeSink sink) {
        Workers.forRanges(concurrency, vertexCount, LongPages.PAGE_LENGTH, stop, (worker, from, to) -> {
            long[] ids = new long[(int) (to - from)];
            for (int i = 0; i < ids.length; i++) {
                ids[i] = from + i;
            }
            sink.accept(worker, 0, ids, ids.length);
        });
    }

    @Override
    public void scanRelationships(
            List<String> types, List<Property> properties, int concurrency, Stop stop, RelationshipSink sink) {
        Workers.forRanges(concurrency, edgeCount(), LongPages.PAGE_LENGTH, stop, (worker, from, to) -> {
            long[] page = edges.pageOf(from);
            int length = (int) (to - from);
            long[] sources = new long[length];
            long[] targets = new long[length];
            for (int i = 0; i < length; i++) {
                sources[i] = page[i] >>> 32;
                targets[i] = (int) page[i];
            }
            double[][] values = new double[properties.size()][length];
            for (int property = 0; property < values.length; property++) {
                Arrays.fill(values[property], properties.get(property).absent());
            }
            sink.accept(worker, sources, targets, new int[length], values, length);
        });
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.write.PropertyWriter.NodeValues;
import java.util.Arrays;
import java.util.Set;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import org.neo4j.values.storable.Value;
import org.neo4j.values.storable.Values;

/**
 * A value of each vertex of a run, or of some: what the mode mutate adds to the graph, and the mode write to the
 * database.
 */
public abstract class VertexValues implements NodeValues {

    private final int[] vertices;
    private final int count;

    /**
     * Creates values.
     *
     * @param vertices the vertices that have a value, ascending, vertex id space of the run; null for all
     * @param count number of vertices that have a value
     */
    private VertexValues(int[] vertices, int count) {
        this.vertices = vertices;
        this.count = count;
    }

    /**
     * The place of each vertex of a run among the vertices of the whole graph.
     *
     * @param count number of vertices of the whole graph
     * @param place the place; null if the run sees all vertices
     */
    record Places(int count, IntUnaryOperator place, Stop stop) {

        @FunctionalInterface
        private interface Copy {
            void copy(int vertex, int place);
        }

        private void forEach(int vertexCount, Copy copy) {
            PacedStop paced = new PacedStop(stop);
            for (int vertex = 0; vertex < vertexCount; vertex++) {
                copy.copy(vertex, place == null ? vertex : place.applyAsInt(vertex));
                paced.worked(2);
            }
        }
    }

    /** The vertices that have a value, ascending; null for all. */
    final int[] vertices() {
        return vertices;
    }

    /** Number of vertices that have a value. */
    final int count() {
        return count;
    }

    /**
     * The values as a property of the whole graph.
     *
     * @param labels the projected labels that the run sees
     */
    abstract NodeProperty property(String name, Set<String> labels, Places places);

    /**
     * Heap of a property in addition to the values, for vertices that the run does not see.
     *
     * @param valueBytes bytes of a value
     */
    public static MemoryTree propertyMemory(int vertexCount, int wholeVertexCount, int valueBytes) {
        return MemoryTree.exactly(
                "values of all nodes", vertexCount == wholeVertexCount ? 0 : (long) wholeVertexCount * valueBytes);
    }

    /** Heap of a property of {@link #ofLongs}. */
    public static MemoryTree longsMemory(int wholeVertexCount) {
        return MemoryTree.exactly("ids of all nodes", (long) wholeVertexCount * Long.BYTES);
    }

    /**
     * Integers.
     *
     * @param values {@code int[run.vertexCount()]}; not copied
     * @param none the value of vertices without one
     */
    public static VertexValues ofInts(int[] values, int none) {
        return new VertexValues(null, values.length) {
            @Override
            public Value value(int vertex) {
                return values[vertex] == none ? null : Values.longValue(values[vertex]);
            }

            @Override
            NodeProperty property(String name, Set<String> labels, Places places) {
                int[] all = places.place == null ? values : new int[places.count];
                if (all != values) {
                    places.forEach(values.length, (vertex, place) -> all[place] = values[vertex]);
                }
                return NodeProperty.ofInts(name, labels, all, none);
            }
        };
    }

    /**
     * Integers that are computed when they are needed.
     *
     * @param vertexCount number of vertices of the run
     * @param none the value of vertices without one
     */
    public static VertexValues ofLongs(int vertexCount, IntToLongFunction values, long none) {
        return new VertexValues(null, vertexCount) {
            @Override
            public Value value(int vertex) {
                long value = values.applyAsLong(vertex);
                return value == none ? null : Values.longValue(value);
            }

            @Override
            NodeProperty property(String name, Set<String> labels, Places places) {
                long[] all = new long[places.count];
                places.forEach(vertexCount, (vertex, place) -> all[place] = values.applyAsLong(vertex));
                return NodeProperty.ofLongs(name, labels, all, none);
            }
        };
    }

    /**
     * Floating-point numbers.
     *
     * @param values {@code double[run.vertexCount()]}, NaN for vertices without a value; not copied
     */
    public static VertexValues ofDoubles(double[] values) {
        return ofDoubles(null, values, values.length);
    }

    /**
     * Floating-point numbers of some vertices.
     *
     * @param vertices the vertices that have a value, ascending; null for all
     * @param values the value of each of these vertices; not copied
     * @param vertexCount number of vertices of the run
     */
    public static VertexValues ofDoubles(int[] vertices, double[] values, int vertexCount) {
        return new VertexValues(vertices, values.length) {
            @Override
            public Value value(int vertex) {
                double value = values[vertices == null ? vertex : Arrays.binarySearch(vertices, vertex)];
                return Double.isNaN(value) ? null : Values.doubleValue(value);
            }

            @Override
            NodeProperty property(String name, Set<String> labels, Places places) {
                double[] own = vertices == null ? values : byVertex();
                double[] all = places.place == null ? own : new double[places.count];
                if (all != own) {
                    places.forEach(own.length, (vertex, place) -> all[place] = own[vertex]);
                }
                return NodeProperty.ofDoubles(name, labels, all);
            }

            private double[] byVertex() {
                double[] byVertex = new double[vertexCount];
                Arrays.fill(byVertex, Double.NaN);
                for (int i = 0; i < vertices.length; i++) {
                    byVertex[vertices[i]] = values[i];
                }
                return byVertex;
            }
        };
    }

    /**
     * Values that only the mode write has.
     *
     * @param vertexCount number of vertices of the run
     */
    public static VertexValues written(int vertexCount, NodeValues values) {
        return new VertexValues(null, vertexCount) {
            @Override
            public Value value(int vertex) {
                return values.value(vertex);
            }

            @Override
            public long bytes() {
                return values.bytes();
            }

            @Override
            NodeProperty property(String name, Set<String> labels, Places places) {
                throw new UnsupportedOperationException("a property of lists");
            }
        };
    }
}

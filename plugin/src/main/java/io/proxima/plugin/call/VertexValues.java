// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.write.PropertyWriter.PropertyValues;
import io.proxima.projection.file.NodeColumn;
import io.proxima.projection.file.NodeColumn.Kind;
import java.util.Arrays;
import java.util.Set;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import org.neo4j.values.storable.Value;

/**
 * A value of each vertex of a run, or of some: what the mode mutate adds to the graph, and the mode write to the
 * database.
 */
public class VertexValues implements PropertyValues {

    private final int[] vertices;
    /** The vertices that the mode write visits: it removes the property of those without a value; null for all. */
    private final int[] visited;

    private final int count;
    private final Kind kind;
    private final long none;
    /** Bytes of a value in memory; 0 if it is computed when it is needed. */
    private final int storedBytes;
    /** The bits of each value, as in {@link NodeColumn}. */
    private final IntToLongFunction bits;

    private VertexValues(
            int[] vertices, int[] visited, int count, Kind kind, long none, int storedBytes, IntToLongFunction bits) {
        this.vertices = vertices;
        this.visited = visited;
        this.count = count;
        this.kind = kind;
        this.none = none;
        this.storedBytes = storedBytes;
        this.bits = bits;
    }

    /**
     * Values that only the mode write has; a subclass computes them.
     *
     * @param vertexCount number of vertices of the run
     */
    protected VertexValues(int vertexCount) {
        this(null, null, vertexCount, null, 0, 0, null);
    }

    /**
     * Integers.
     *
     * @param values {@code int[run.vertexCount()]}; not copied
     * @param none the value of vertices without one
     */
    public static VertexValues ofInts(int[] values, int none) {
        return new VertexValues(null, null, values.length, Kind.INTEGER, none, Integer.BYTES, vertex -> values[vertex]);
    }

    /**
     * Integers that are computed when they are needed.
     *
     * @param vertexCount number of vertices of the run
     * @param none the value of vertices without one
     */
    public static VertexValues ofLongs(int vertexCount, IntToLongFunction values, long none) {
        return new VertexValues(null, null, vertexCount, Kind.INTEGER, none, 0, values);
    }

    /**
     * Floating-point numbers.
     *
     * @param vertices the vertices that have a value, ascending, vertex id space of the run; null for all
     * @param values the value of each of these vertices, NaN for none; not copied
     */
    public static VertexValues ofDoubles(int[] vertices, double[] values) {
        return ofDoubles(vertices, values, vertices);
    }

    /**
     * Floating-point numbers of some vertices, which others are to lose.
     *
     * @param visited the vertices that lose the property when it is written, and those of the values, ascending; null
     *     for all
     */
    public static VertexValues ofDoubles(int[] vertices, double[] values, int[] visited) {
        return new VertexValues(
                vertices,
                visited,
                values.length,
                Kind.FLOAT,
                Double.doubleToLongBits(Double.NaN),
                Double.BYTES,
                index -> Double.doubleToLongBits(values[index]));
    }

    /**
     * Costs of paths. Those of unreached vertices, which are infinite, are replaced by NaN.
     *
     * @param vertices the vertices that have a value, ascending, vertex id space of the run; null for all
     * @param costs the cost of each of these vertices; changed
     */
    public static VertexValues ofCosts(int[] vertices, double[] costs, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        for (int index = 0; index < costs.length; index++) {
            costs[index] = Double.isInfinite(costs[index]) ? Double.NaN : costs[index];
            paced.worked(1);
        }
        return ofDoubles(vertices, costs);
    }

    /** The vertices that the mode write visits, ascending; null for all. */
    final int[] visited() {
        return visited;
    }

    /** Number of vertices that have a value. */
    final int count() {
        return count;
    }

    @Override
    public Value value(int vertex) {
        int index = vertices == null ? vertex : Arrays.binarySearch(vertices, vertex);
        long value = index < 0 ? none : bits.applyAsLong(index);
        return value == none ? null : NodeProperty.number(kind, value);
    }

    /**
     * Heap of a property in addition to the values, for vertices that have none or that the run does not see.
     *
     * @param count number of values
     * @param valueBytes bytes of a value
     */
    static MemoryTree propertyMemory(int count, int wholeVertexCount, int valueBytes) {
        return MemoryTree.exactly(
                "values of all nodes", count == wholeVertexCount ? 0 : (long) wholeVertexCount * valueBytes);
    }

    /** Heap of a property of {@link #ofLongs}. */
    public static MemoryTree longsMemory(int wholeVertexCount) {
        return MemoryTree.exactly("ids of all nodes", (long) wholeVertexCount * Long.BYTES);
    }

    /**
     * The values as a property of the whole graph.
     *
     * @param labels the projected labels that the run sees
     * @param wholeVertexCount number of vertices of the whole graph
     * @param place the vertex of the whole graph for each vertex of the run; null if they are the same
     */
    final NodeProperty property(
            String name, Set<String> labels, int wholeVertexCount, IntUnaryOperator place, Stop stop) {
        IntToLongFunction all = bits;
        // vertices and their places ascend, so that values of all vertices are in place already
        if (storedBytes == 0 || count < wholeVertexCount) {
            PacedStop paced = new PacedStop(stop);
            int[] ints = new int[storedBytes == Integer.BYTES ? wholeVertexCount : 0];
            long[] longs = new long[storedBytes == Integer.BYTES ? 0 : wholeVertexCount];
            Arrays.fill(ints, (int) none);
            Arrays.fill(longs, none);
            for (int index = 0; index < count; index++) {
                int vertex = vertices == null ? index : vertices[index];
                int placed = place == null ? vertex : place.applyAsInt(vertex);
                if (ints.length > 0) {
                    ints[placed] = (int) bits.applyAsLong(index);
                } else {
                    longs[placed] = bits.applyAsLong(index);
                }
                paced.worked(2);
            }
            all = ints.length > 0 ? vertex -> ints[vertex] : vertex -> longs[vertex];
        }
        long bytes = (long) wholeVertexCount * (storedBytes == Integer.BYTES ? Integer.BYTES : Long.BYTES);
        return new NodeProperty(new NodeColumn(name, labels, kind, none, all), bytes);
    }
}

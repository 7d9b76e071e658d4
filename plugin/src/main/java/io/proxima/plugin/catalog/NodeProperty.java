// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.catalog;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.HeapPart;
import io.proxima.plugin.memory.ObjectBytes;
import io.proxima.projection.IdMap;
import io.proxima.projection.file.NodeColumn;
import io.proxima.projection.file.NodeColumn.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.neo4j.values.storable.NumberValue;
import org.neo4j.values.storable.Value;
import org.neo4j.values.storable.Values;

/**
 * A node property of a projected graph, kept in memory and not in the database. Immutable.
 *
 * @param column the property as a file holds it
 * @param bytes heap of the values
 */
public record NodeProperty(NodeColumn column, long bytes) {

    /** Heap besides the values and the names: this object, its column and its entry in a map. */
    private static final int OBJECT_BYTES = 128;

    /** The name of the property. */
    public String name() {
        return column.name();
    }

    /** The projected labels whose nodes have the property. */
    public Set<String> labels() {
        return column.labels();
    }

    /** The value of a vertex of the whole graph that has one of the labels; the default if it has none. */
    public Value value(int vertex) {
        long bits = column.bits().applyAsLong(vertex);
        if (column.kind() != Kind.FLOAT_LIST) {
            return number(column.kind(), bits);
        }
        return isNoValue(bits) ? Values.NO_VALUE : Values.doubleArray(column.list(bits));
    }

    /** Like {@link #value}, but null if the vertex has no value, as for a node that a search has not reached. */
    public Value valueOrNull(int vertex) {
        return isNoValue(column.bits().applyAsLong(vertex)) ? null : value(vertex);
    }

    /** Whether bits stand for no value. No NaN equals another one, and their bits may differ. */
    public boolean isNoValue(long bits) {
        return bits == column.noValue()
                || (column.kind() == Kind.FLOAT
                        && Double.isNaN(Double.longBitsToDouble(bits))
                        && Double.isNaN(Double.longBitsToDouble(column.noValue())));
    }

    /**
     * The property of another version or of a part of its graph.
     *
     * @param before the nodes of the graph that has the property
     * @param now the nodes of the other graph; those that were not in the graph have no value
     * @param reborn neo4jIds, ascending, of nodes that may be others than before, and have no value
     */
    public NodeProperty carried(IdMap before, IdMap now, long[] reborn, Stop stop) {
        if (now == before && reborn.length == 0) {
            return this;
        }
        boolean narrow = bytes < (long) before.size() * Long.BYTES;
        int[] ints = new int[narrow ? now.size() : 0];
        long[] longs = new long[narrow ? 0 : now.size()];
        PacedStop paced = new PacedStop(stop);
        for (int vertex = 0; vertex < now.size(); vertex++) {
            paced.worked(4);
            long node = now.toNeo4jId(vertex);
            int old = before.toVertex(node);
            boolean isNew = old == IdMap.ABSENT || Arrays.binarySearch(reborn, node) >= 0;
            long bits = isNew ? column.noValue() : column.bits().applyAsLong(old);
            if (narrow) {
                ints[vertex] = (int) bits;
            } else {
                longs[vertex] = bits;
            }
        }
        NodeColumn carried = new NodeColumn(
                name(),
                labels(),
                column.kind(),
                column.noValue(),
                narrow ? vertex -> ints[vertex] : vertex -> longs[vertex],
                column.elements());
        return new NodeProperty(carried, narrow ? (long) now.size() * Integer.BYTES : carried.heapBytes(now.size()));
    }

    /** The most heap of the values of {@link #carried}. */
    public static long carriedBytes(int nodeCount) {
        return (long) nodeCount * Long.BYTES;
    }

    /** The heap of the values, of the name and of the set of labels; graphs share the elements of lists. */
    public List<HeapPart> heapParts() {
        long names = ObjectBytes.of(name()) + ObjectBytes.ofTable(labels()) + OBJECT_BYTES;
        if (column.elements() == null) {
            return List.of(new HeapPart(this, bytes + names));
        }
        HeapPart elements = HeapPart.of(column.elements());
        return List.of(new HeapPart(this, bytes - elements.bytes() + names), elements);
    }

    /** Type, default value and origin, as in GDS's schema. */
    public String schema() {
        if (column.kind() == Kind.FLOAT_LIST) {
            return "List of Float (DefaultValue(null), TRANSIENT)";
        }
        return (column.kind() == Kind.INTEGER ? "Integer" : "Float") + " (DefaultValue("
                + number(column.kind(), column.noValue()).asObject() + "), TRANSIENT)";
    }

    /** The number that the bits of a value stand for. */
    public static NumberValue number(Kind kind, long bits) {
        return kind == Kind.INTEGER ? Values.longValue(bits) : Values.doubleValue(Double.longBitsToDouble(bits));
    }
}

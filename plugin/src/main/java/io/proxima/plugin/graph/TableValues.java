// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.arrow.ArrowColumn.Kind;
import io.proxima.plugin.arrow.ArrowTable;
import io.proxima.plugin.arrow.ArrowTable.Cursor;
import io.proxima.plugin.config.Shown;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.IdMap;
import io.proxima.projection.file.NodeColumn;
import io.proxima.projection.file.NodeValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Values of nodes from a table that a client has sent. */
final class TableValues {

    /** Heap of a key that is looked up, without its text: a boxed key, a boxed row and their entry in a map. */
    private static final int KEY_BYTES = 120;

    private static final long NO_INTEGER = Long.MIN_VALUE;
    private static final long NO_FLOAT = Double.doubleToRawLongBits(Double.NaN);

    private final ArrowTable table;
    private final NodeKey key;
    private final GraphProjection graph;
    private final PacedStop stop;

    TableValues(ArrowTable table, NodeKey key, GraphProjection graph, Stop stop) {
        this.table = table;
        this.key = key;
        this.graph = graph;
        this.stop = new PacedStop(stop);
        if (!table.names().contains(key.name())) {
            throw refused(
                    "they have no column %s, which `key` names. Rename a column, or give another `key`", key.name());
        }
        if (table.kind(key.name()) == Kind.FLOAT || table.kind(key.name()) == Kind.FLOAT_LIST) {
            throw refused("the column %s must be of INTEGERs or STRINGs to be the `key`", key.name());
        }
    }

    /** The columns to read; all besides the key if none are named. */
    List<String> names(List<String> wanted) {
        List<String> others = new ArrayList<>(table.names());
        others.remove(key.name());
        List<String> names =
                wanted.isEmpty() ? others : wanted.stream().distinct().toList();
        if (names.isEmpty()) {
            throw refused("they have no column besides %s. Add one with values", key.name());
        }
        for (String name : names) {
            if (!others.contains(name)) {
                throw refused(
                        "`nodeProperties` must name columns besides the key, but %s is none. Correct the name", name);
            }
            if (table.kind(name) == Kind.STRING) {
                throw refused("the column %s has STRINGs. Name the columns of numbers in `nodeProperties`", name);
            }
        }
        return names;
    }

    /** The heap of the values of some columns, and of reading them. */
    MemoryTree memory(List<String> names) {
        long elements = 0;
        for (String name : names) {
            elements += table.kind(name) == Kind.FLOAT_LIST ? elements(name) : 0;
        }
        long keys = key.isProperty() ? (long) table.rowCount() * KEY_BYTES : 0;
        // a character that is not of one byte makes two of each
        long texts = key.isProperty() && table.kind(key.name()) == Kind.STRING ? 2L * elements(key.name()) : 0;
        return MemoryTree.exactly(
                "values",
                NodeValues.heapBytes(names.size(), graph.vertexCount())
                        + elements * Double.BYTES
                        + (long) table.rowCount() * Integer.BYTES
                        + keys
                        + texts);
    }

    /** Number of elements of the lists, or of bytes of the STRINGs, of a column. */
    private int elements(String name) {
        Cursor lists = table.cursor(name);
        int elements = 0;
        while (lists.next()) {
            elements += lists.isMissing() ? 0 : lists.length();
        }
        return elements;
    }

    /**
     * Reads columns.
     *
     * @throws ProximaException if a row has no key, if a node of a row is not in the graph or has two rows, or if a
     *     value is not allowed
     */
    NodeValues.Read read(List<String> names) {
        int[] vertices = vertices();
        return new NodeValues.Read(
                names.stream().map(name -> column(name, vertices)).toList(), vertices.length);
    }

    /** The vertex of each row. */
    private int[] vertices() {
        int[] vertices = new int[table.rowCount()];
        Arrays.fill(vertices, IdMap.ABSENT);
        Map<Object, Integer> rows = new HashMap<>();
        Cursor keys = table.cursor(key.name());
        for (int row = 0; keys.next(); row++) {
            Object given = given(keys);
            if (!key.isProperty()) {
                vertices[row] = graph.idMap().toVertex(key.neo4jId(given));
            } else if (rows.put(given, row) != null) {
                throw twice(given);
            }
        }
        for (int vertex = 0; key.isProperty() && vertex < graph.vertexCount(); vertex++) {
            stop.worked(10);
            Integer row = rows.get(key.of(graph.idMap().toNeo4jId(vertex)));
            if (row != null && vertices[row] != IdMap.ABSENT) {
                throw refused("two nodes of the graph have the same %s. Give another `key`", key.name());
            }
            if (row != null) {
                vertices[row] = vertex;
            }
        }
        BitSet seen = new BitSet(graph.vertexCount());
        keys = table.cursor(key.name());
        for (int row = 0; keys.next(); row++) {
            Object given = given(keys);
            if (vertices[row] == IdMap.ABSENT) {
                throw refused("no node of the graph has the key %s. Leave out its row", given);
            }
            if (seen.get(vertices[row])) {
                throw twice(given);
            }
            seen.set(vertices[row]);
        }
        return vertices;
    }

    private static ProximaException twice(Object given) {
        return refused("the key %s has two rows. Keep one of them", given);
    }

    /** The error of a table that cannot be used, because of a name or value. */
    private static ProximaException refused(String what, Object which) {
        return ArrowTable.refused(what.replace("%s", "`" + Shown.text(which.toString()) + "`"));
    }

    private Object given(Cursor keys) {
        if (keys.isMissing()) {
            throw refused("a row has no %s. Leave it out", key.name());
        }
        return table.kind(key.name()) == Kind.INTEGER ? (Object) keys.bits() : keys.text();
    }

    private NodeColumn column(String name, int[] vertices) {
        Kind kind = table.kind(name);
        double[] elements = kind == Kind.FLOAT_LIST ? new double[elements(name)] : null;
        int end = 0;
        long none = kind == Kind.INTEGER ? NO_INTEGER : kind == Kind.FLOAT ? NO_FLOAT : NodeColumn.NO_LIST;
        long[] bits = new long[graph.vertexCount()];
        stop.worked(bits.length);
        Arrays.fill(bits, none);
        Cursor values = table.cursor(name);
        for (int row = 0; values.next(); row++) {
            if (!values.isMissing() && kind == Kind.FLOAT_LIST) {
                values.copyTo(elements, end);
                bits[vertices[row]] = NodeColumn.list(end, values.length());
                end += values.length();
            } else if (!values.isMissing()) {
                bits[vertices[row]] = values.bits();
                if (kind == Kind.INTEGER && values.bits() == NO_INTEGER) {
                    throw refused(
                            "the value " + NO_INTEGER + " of the column %s stands for no value. Give null instead",
                            name);
                }
            }
        }
        return new NodeColumn(
                name, graph.labels(), NodeColumn.Kind.valueOf(kind.name()), none, vertex -> bits[vertex], elements);
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Columns;
import io.proxima.projection.csc.Orientation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** What a graph contains, to be compared. */
public final class GraphEntries {

    private GraphEntries() {}

    /** An entry of a column; its weight is 1 if the graph has none. */
    public record Entry(int row, double weight) {}

    /** The entries of each column. */
    public static List<List<Entry>> of(Columns graph) {
        List<List<Entry>> columns = new ArrayList<>();
        for (int column = 0; column < graph.vertexCount(); column++) {
            List<Entry> entries = new ArrayList<>();
            for (long index = graph.columnStart(column); index < graph.columnEnd(column); index++) {
                double weight =
                        graph.values().isEmpty() ? 1 : graph.values().get(0).get(index);
                entries.add(new Entry(graph.rowIndices().get(index), weight));
            }
            columns.add(entries);
        }
        return columns;
    }

    /** The rows of each column. */
    public static int[][] rows(Columns graph) {
        return IntStream.range(0, graph.vertexCount())
                .mapToObj(column -> LongStream.range(graph.columnStart(column), graph.columnEnd(column))
                        .mapToInt(graph.rowIndices()::get)
                        .toArray())
                .toArray(int[][]::new);
    }

    /** The rows that a CSC of the edges must have, by definition: without loops and repeats, in ascending order. */
    public static int[][] rows(EdgeList edges, Orientation orientation) {
        List<IntStream.Builder> columns = new ArrayList<>();
        for (int vertex = 0; vertex < edges.vertexCount(); vertex++) {
            columns.add(IntStream.builder());
        }
        for (long edge = 0; edge < edges.edgeCount(); edge++) {
            int source = edges.source(edge);
            int target = edges.target(edge);
            if (source != target && orientation != Orientation.REVERSE) {
                columns.get(source).add(target);
            }
            if (source != target && orientation != Orientation.NATURAL) {
                columns.get(target).add(source);
            }
        }
        return columns.stream()
                .map(rows -> rows.build().sorted().toArray())
                .map(GraphEntries::withoutRepeats)
                .toArray(int[][]::new);
    }

    private static int[] withoutRepeats(int[] ascending) {
        return IntStream.range(0, ascending.length)
                .filter(i -> i == 0 || ascending[i] != ascending[i - 1])
                .map(i -> ascending[i])
                .toArray();
    }

    /** Compares nodes, labels, and the relationships and weights of each type. */
    public static void assertEqual(GraphProjection found, GraphProjection expected) {
        found.validate(1, Stop.NEVER);
        assertThat(neo4jIds(found)).isEqualTo(neo4jIds(expected));
        assertThat(found.labels()).isEqualTo(expected.labels());
        for (String label : expected.labels()) {
            assertThat(vertices(found, label)).as(label).isEqualTo(vertices(expected, label));
        }
        assertThat(found.types()).isEqualTo(expected.types());
        for (String type : expected.types()) {
            assertThat(of(found.csc(type))).as(type).isEqualTo(of(expected.csc(type)));
            assertThat(found.csc(type).isSymmetric())
                    .isEqualTo(expected.csc(type).isSymmetric());
            assertThat(List.copyOf(found.properties(type))).isEqualTo(List.copyOf(expected.properties(type)));
            for (String property : expected.properties(type)) {
                assertThat(of(found.weighted(type, property))).isEqualTo(of(expected.weighted(type, property)));
            }
        }
    }

    private static long[] neo4jIds(GraphProjection graph) {
        return IntStream.range(0, graph.vertexCount())
                .mapToLong(graph.idMap()::toNeo4jId)
                .toArray();
    }

    private static int[] vertices(GraphProjection graph, String label) {
        return IntStream.range(0, graph.vertexCount())
                .filter(vertex -> graph.hasLabel(vertex, label))
                .toArray();
    }
}

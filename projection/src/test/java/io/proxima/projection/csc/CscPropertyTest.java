// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.GraphEntries;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** The CSC of random graphs against one ordered set a column. */
class CscPropertyTest {

    @Property
    void shouldEqualOneOrderedSetPerColumn(
            @ForAll @IntRange(min = 1, max = 300) int vertexCount,
            @ForAll @IntRange(max = 4000) int edgeCount,
            @ForAll long seed,
            @ForAll Orientation orientation,
            @ForAll @IntRange(min = 1, max = 4) int concurrency,
            @ForAll @IntRange(max = 6) int pageShift) {
        EdgeList edges = skewed(vertexCount, edgeCount, seed);

        Csc csc = edges.toCsc(orientation, concurrency, pageShift, Stop.NEVER);

        assertModel(csc, edges, orientation);
        assertThat(csc.isSymmetric()).isEqualTo(orientation == Orientation.UNDIRECTED);
    }

    @Property(tries = 100)
    void shouldEqualTheModelWhateverTheRanges(
            @ForAll @IntRange(min = 1, max = 5000) int vertexCount,
            @ForAll @LongRange(min = 0, max = 1L << 40) long expectedEdges,
            @ForAll long seed) {
        EdgeList edges = skewed(vertexCount, 20_000, seed);
        CscBuilder builder = new CscBuilder(vertexCount, Orientation.UNDIRECTED, 2, expectedEdges);

        Csc csc = built(builder, edges);

        assertModel(csc, edges, Orientation.UNDIRECTED);
    }

    /** With 17 bits a vertex and few edges the only range has too many columns for an edge to fit into an int. */
    @Property(tries = 20)
    void shouldEqualTheModelWhereAnEdgeTakesTwoInts(
            @ForAll @IntRange(min = 65_537, max = 80_000) int vertexCount,
            @ForAll @IntRange(max = 8000) int edgeCount,
            @ForAll long seed,
            @ForAll Orientation orientation) {
        EdgeList edges = skewed(vertexCount, edgeCount, seed);

        Csc csc = edges.toCsc(orientation, 2, Stop.NEVER);

        assertModel(csc, edges, orientation);
    }

    /** The range of the hubs has more entries than an array may have; parts of it are built by different workers. */
    @Property(tries = 20)
    void shouldDivideARangeThatNoArrayCanHold(@ForAll long seed, @ForAll @IntRange(min = 1, max = 3000) int maxLength) {
        EdgeList edges = skewed(70_000, 8000, seed);
        CscBuilder builder = new CscBuilder(70_000, Orientation.UNDIRECTED, List.of(), 2, 8000, 4, maxLength);

        Csc csc = built(builder, edges);

        assertModel(csc, edges, Orientation.UNDIRECTED);
    }

    /** Half the ends fall on three columns: their range is longer than a block and than the arrays a sorter keeps. */
    @Property(tries = 5)
    void shouldEqualTheModelWithALongRange(@ForAll long seed) {
        EdgeList edges = skewed(2000, 1_500_000, seed);

        Csc csc = edges.toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER);

        assertModel(csc, edges, Orientation.UNDIRECTED);
    }

    @Property(tries = 200)
    void shouldReverseEveryEdgeWhenTransposed(
            @ForAll @IntRange(min = 1, max = 200) int vertexCount,
            @ForAll @IntRange(max = 2000) int edgeCount,
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 4) int concurrency,
            @ForAll @IntRange(max = 6) int pageShift) {
        EdgeList edges = skewed(vertexCount, edgeCount, seed);
        Csc csc = edges.toCsc(Orientation.NATURAL, concurrency, pageShift, Stop.NEVER);

        Csc transposed = csc.transposed(concurrency, Stop.NEVER);

        assertModel(transposed, edges, Orientation.REVERSE);
        assertThat(transposed.transposed(concurrency, Stop.NEVER)).isSameAs(csc);
        assertThat(csc.transposed(concurrency, Stop.NEVER)).isSameAs(transposed);
    }

    private static void assertModel(Csc found, EdgeList edges, Orientation orientation) {
        found.validate(1, Stop.NEVER);
        assertThat(GraphEntries.rows(found)).isDeepEqualTo(GraphEntries.rows(edges, orientation));
    }

    private static Csc built(CscBuilder builder, EdgeList edges) {
        for (long edge = 0; edge < edges.edgeCount(); edge++) {
            builder.buffer((int) (edge % 2)).add(edges.source(edge), edges.target(edge));
        }
        return builder.build(3, Stop.NEVER);
    }

    /** Half the ends fall on few vertices, so that long lists, repeats and loops are common. */
    static EdgeList skewed(int vertexCount, int edgeCount, long seed) {
        Random random = new Random(seed);
        EdgeList edges = new EdgeList(vertexCount);
        for (int edge = 0; edge < edgeCount; edge++) {
            edges.add(end(vertexCount, random), end(vertexCount, random));
        }
        return edges;
    }

    private static int end(int vertexCount, Random random) {
        return random.nextBoolean() ? random.nextInt(vertexCount) : random.nextInt(Math.min(3, vertexCount));
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.papers.jaccard;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.proxima.backend.FailingGraphs;
import io.proxima.backend.SmallGraph;
import io.proxima.backend.order.Permutation;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JaccardWithWindowsTest {

    @Provide
    Arbitrary<SmallGraph> graphs() {
        return SmallGraph.arbitrary(150, 600);
    }

    @Property(tries = 500)
    void shouldBeAlgorithmOne(
            @ForAll("graphs") SmallGraph sample,
            @ForAll Orientation orientation,
            @ForAll @IntRange(min = 2, max = 20) int setsOfAWindow) {
        EdgeList edges = sample.toEdgeList();
        FailingGraphs.saving(
                "JaccardWithWindowsTest.shouldBeAlgorithmOne",
                edges,
                () -> check(edges.toCsc(orientation, 1, Stop.NEVER), 8 * setsOfAWindow));
    }

    private static void check(Csc graph, int window) {
        Permutation fast = JaccardWithWindows.of(graph, window, 2, Stop.NEVER, Progress.NONE);
        assertThat(slots(fast)).isEqualTo(literally(graph, window));
    }

    @Test
    void shouldBeAlgorithmOneOnSkewedDegrees() {
        for (int seed = 0; seed < 8; seed++) {
            Orientation orientation = seed % 2 == 0 ? Orientation.UNDIRECTED : Orientation.NATURAL;
            check(TestGraphs.rmat(9, 4 << seed % 4, seed).toCsc(orientation, 1, Stop.NEVER), seed < 4 ? 512 : 256);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 40, 100})
    void shouldBeAlgorithmOneOnEvenDegrees(int degree) {
        EdgeList edges = TestGraphs.uniform(300, 300L * degree / 2, degree, false);
        check(edges.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER), 304);
    }

    /** Many rows, each of few columns of the window. */
    @Test
    void shouldTakeNoMoreHeapThanExpected() {
        int vertices = 1 << 19;
        EdgeList edges = new EdgeList(vertices);
        Random random = new Random(1);
        for (int edge = 0; edge < vertices; edge++) {
            edges.add(edge % JaccardWithWindows.DEFAULT_WINDOW, random.nextInt(vertices));
        }
        Csc graph = edges.toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        long expected = new JaccardWithWindows().heapBytes(vertices, graph.entryCount(), 1);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());

        JaccardWithWindows.of(graph, JaccardWithWindows.DEFAULT_WINDOW, 1, Stop.NEVER, Progress.NONE);

        assertThat(threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before)
                .isLessThan(expected);
    }

    @Test
    void shouldHalveWindowsOfTooManyEntries() {
        Csc graph = TestGraphs.uniform(960, 4800, 7, false).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);

        Permutation halved = JaccardWithWindows.of(graph, 64, 500, 3, Stop.NEVER, Progress.NONE);

        assertThat(slots(halved)).isEqualTo(literally(graph, 32));
    }

    @Test
    void shouldOrderByDegreeWhereNoWindowIsSmallEnough() {
        Csc graph = TestGraphs.star(20).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);

        Permutation order = JaccardWithWindows.of(graph, 16, 4, 1, Stop.NEVER, Progress.NONE);

        assertThat(order.vertex(0)).isZero();
    }

    private static int[] slots(Permutation permutation) {
        return IntStream.range(0, permutation.size()).map(permutation::slot).toArray();
    }

    /** Algorithm 1 line by line, over sets and with exact fractions; ties as the class says. */
    private static int[] literally(Csc graph, int window) {
        int n = graph.vertexCount();
        int[] slots = new int[n];
        for (int windowStart = 0; windowStart < n; windowStart += window) {
            int windowEnd = Math.min(windowStart + window, n);
            Set<Integer> unassigned = new TreeSet<>();
            for (int j = windowStart; j < windowEnd; j++) {
                unassigned.add(j);
            }
            for (int setStart = windowStart; setStart < windowEnd; setStart += 8) {
                int setEnd = Math.min(setStart + 8, windowEnd);
                Set<Integer> union = new HashSet<>();
                for (int slot = setStart; slot < setEnd; slot++) {
                    int best = slot == setStart ? -1 : mostSimilar(graph, unassigned, union);
                    if (best < 0) {
                        best = highestDegree(graph, unassigned);
                    }
                    unassigned.remove(best);
                    slots[best] = slot;
                    union.addAll(rows(graph, best));
                }
            }
        }
        return slots;
    }

    private static int highestDegree(Csc graph, Set<Integer> columns) {
        int best = -1;
        for (int column : columns) {
            if (best < 0 || graph.degree(column) > graph.degree(best)) {
                best = column;
            }
        }
        return best;
    }

    private static int mostSimilar(Csc graph, Set<Integer> columns, Set<Integer> union) {
        int best = -1;
        BigInteger bestCommon = BigInteger.ZERO;
        BigInteger bestAll = BigInteger.ONE;
        for (int column : columns) {
            Set<Integer> rows = rows(graph, column);
            int inter = (int) rows.stream().filter(union::contains).count();
            if (inter == 0) {
                continue;
            }
            BigInteger common = BigInteger.valueOf(inter);
            BigInteger all = BigInteger.valueOf((long) union.size() + rows.size() - inter);
            int compared = common.multiply(bestAll).compareTo(bestCommon.multiply(all));
            if (compared > 0 || (compared == 0 && graph.degree(column) > graph.degree(best))) {
                best = column;
                bestCommon = common;
                bestAll = all;
            }
        }
        return best;
    }

    private static Set<Integer> rows(Csc graph, int column) {
        Set<Integer> rows = new HashSet<>();
        for (long i = graph.columnStart(column); i < graph.columnEnd(column); i++) {
            rows.add(graph.rowIndices().get(i));
        }
        return rows;
    }
}

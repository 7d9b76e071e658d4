// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.VertexOrder;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.Csc;
import io.proxima.projection.EdgeList;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The contract with the kernels of single searches over lists of neighbours, with graphs that take all of their ways through a
 * level, and graphs on which a way is at its worst.
 */
public abstract class CudaSearchContract extends CudaFamilyContract {

    private static final int NO_MAX = LoadedGraph.NO_MAX_DEPTH;
    private static final int[] NO_TARGETS = {};
    private static final List<VertexOrder> ORDERS = List.of(VertexOrder.NATURAL, VertexOrder.DEGREE);

    /** With the kernels of the contract. */
    protected CudaSearchContract(VertexOrder order, Kernel kernel) {
        super(order, kernel);
    }

    /** All kernels of the family. */
    protected abstract List<Kernel> kernels();

    /** Levels in both directions, lists that are left to more than a warp, and slots without entries between others. */
    @Test
    void shouldFindTheLevelsOfLargerGraphsInEveryOrder() {
        for (Orientation orientation : Orientation.values()) {
            for (EdgeList edges : List.of(
                    TestGraphs.rmat(18, 16, 5),
                    TestGraphs.uniform(1 << 18, 1 << 21, 7, true),
                    TestGraphs.starOfStars(300, 3000))) {
                check(edges.toCsc(orientation, 4, Stop.NEVER), ORDERS);
            }
        }
    }

    /** Stars whose centres have half of all edges each, in and out, of which a search reaches one or both. */
    @Test
    void shouldFindTheLevelsOfWorstCases() {
        for (Orientation orientation : Orientation.values()) {
            for (EdgeList edges : List.of(
                    TestGraphs.star(1_000_000),
                    stars(400_000, 400_000),
                    TestGraphs.path(20_000),
                    TestGraphs.grid(7, 3_000),
                    TestGraphs.clique(1_500),
                    TestGraphs.disconnected(5_000),
                    new EdgeList(10_000),
                    new EdgeList(1))) {
                check(edges.toCsc(orientation, 4, Stop.NEVER), List.of(VertexOrder.NATURAL));
            }
        }
    }

    /** A star that points inwards and one that points outwards, and a path between their centres. */
    private static EdgeList stars(int inwards, int outwards) {
        EdgeList edges = new EdgeList(inwards + outwards + 3);
        int centre = inwards + outwards;
        IntStream.range(0, inwards).forEach(leaf -> edges.add(leaf, centre));
        IntStream.range(inwards, centre).forEach(leaf -> edges.add(centre + 1, leaf));
        edges.add(centre, centre + 2);
        edges.add(centre + 2, centre + 1);
        return edges;
    }

    private void check(Csc csc, List<VertexOrder> orders) {
        int n = csc.vertexCount();
        int[] sources = IntStream.of(0, 1, 4711, n / 2, n - 1)
                .filter(source -> source < n)
                .distinct()
                .toArray();
        int[][] expected = IntStream.of(sources)
                .mapToObj(source -> TextbookBfs.levels(csc, NO_MAX, source))
                .toArray(int[][]::new);
        try (LoadedGraph loaded = backend().load(csc)) {
            for (VertexOrder order : orders) {
                for (int s = 0; s < sources.length; s++) {
                    for (Kernel kernel : kernels()) {
                        check(csc, loaded, sources[s], new RunOptions(order, kernel), expected[s]);
                    }
                }
            }
        }
    }

    private static void check(Csc csc, LoadedGraph loaded, int source, RunOptions options, int[] levels) {
        int n = csc.vertexCount();
        RunControl control = RunControl.of(4).with(options);
        String what = String.format("%s from %d of %d vertices, %d edges", options, source, n, csc.entryCount());
        assertThat(loaded.bfs(source, NO_MAX, NO_TARGETS, control).levels())
                .as(what)
                .isEqualTo(levels);
        assertThat(loaded.bfs(source, 2, NO_TARGETS, control).levels())
                .as(what + ", two levels")
                .isEqualTo(upTo(levels, 2));
        assertThat(loaded.bfs(source, NO_MAX, new int[] {n / 3, n - 1}, control).levels())
                .as(what + ", with targets")
                .isEqualTo(upTo(levels, nearest(levels[n / 3], levels[n - 1])));
    }

    private static int nearest(int first, int second) {
        return Math.min(first < 0 ? Integer.MAX_VALUE : first, second < 0 ? Integer.MAX_VALUE : second);
    }

    private static int[] upTo(int[] levels, int last) {
        return IntStream.of(levels).map(level -> level > last ? -1 : level).toArray();
    }

    /** A path of so many vertices takes seconds, so a run that ends by itself before the stop is not what is seen. */
    @Test
    void shouldStopInsideAKernel() {
        Csc csc = TestGraphs.path(4_000_000).toCsc(Orientation.NATURAL, 4, Stop.NEVER);
        try (LoadedGraph loaded = backend().load(csc)) {
            for (Kernel kernel : kernels()) {
                RunOptions options = new RunOptions(VertexOrder.NATURAL, kernel);
                loaded.prepare(RunControl.of(4).with(options));
                long begin = System.nanoTime();
                Stop stop = () -> System.nanoTime() - begin > 100_000_000;
                RunControl control = new RunControl(1, stop, Progress.NONE).with(options);
                assertThatThrownBy(() -> loaded.bfs(0, NO_MAX, NO_TARGETS, control))
                        .isInstanceOf(StoppedException.class);
            }
        }
    }
}

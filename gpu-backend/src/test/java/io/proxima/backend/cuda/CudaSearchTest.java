// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static io.proxima.backend.TextbookChecks.checkLevels;

import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.TextbookChecks;
import io.proxima.backend.VertexOrder;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The kernels of single searches on a real device, over larger graphs that take all of their ways through a level, and
 * graphs on which a way is at its worst.
 */
@OnGpu
class CudaSearchTest {

    private static final int NO_MAX = LoadedGraph.NO_MAX_DEPTH;
    private static final List<Kernel> KERNELS = Kernel.of(Operation.BFS).stream()
            .filter(kernel -> !kernel.equals(Kernel.AUTO))
            .toList();

    /** Levels in both directions, lists that are left to more than a warp, and slots without entries between others. */
    @Test
    void shouldFindTheLevelsOfLargerGraphs() {
        for (EdgeList edges : List.of(
                TestGraphs.rmat(17, 16, 5),
                TestGraphs.uniform(1 << 18, 1 << 20, 7, true),
                TestGraphs.starOfStars(300, 1100),
                TestGraphs.grid(300, 700))) {
            check(edges.toCsc(Orientation.NATURAL, 4, Stop.NEVER), VertexOrder.NATURAL);
            check(edges.toCsc(Orientation.UNDIRECTED, 4, Stop.NEVER), VertexOrder.DEGREE);
        }
    }

    /** Stars whose centres have half of all edges each, in and out, of which a search reaches one or both. */
    @Test
    void shouldFindTheLevelsOfWorstCases() {
        for (Orientation orientation : Orientation.values()) {
            for (EdgeList edges : List.of(
                    TestGraphs.star(1_000_000), stars(400_000, 400_000), TestGraphs.clique(1_500), new EdgeList(1))) {
                check(edges.toCsc(orientation, 4, Stop.NEVER), VertexOrder.NATURAL);
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

    private static void check(Csc csc, VertexOrder order) {
        int n = csc.vertexCount();
        int[] sources = IntStream.of(0, n / 2, n - 1).distinct().toArray();
        try (LoadedGraph loaded = Gpu.backend().load(csc)) {
            for (int source : sources) {
                int[] levels = TextbookBfs.levels(csc, NO_MAX, source);
                for (Kernel kernel : KERNELS) {
                    RunContext control = RunContext.of(4).with(new RunOptions(order, kernel));
                    checkLevels(levels, loaded, source, NO_MAX, control);
                    checkLevels(levels, loaded, source, 2, control);
                    checkLevels(levels, loaded, source, NO_MAX, control, n / 3, n - 1);
                }
            }
        }
    }

    /** Slots are searched from as many sources as there are threads of a grid, and more. */
    @Test
    void shouldFindTheNearestOfManySources() {
        Csc csc = TestGraphs.grid(60, 50).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        try (LoadedGraph loaded = Gpu.backend().load(csc)) {
            for (Kernel kernel : KERNELS) {
                RunContext control = RunContext.of(4).with(new RunOptions(VertexOrder.DEGREE, kernel));
                for (int step : new int[] {1, 2, 90}) {
                    int[] sources = IntStream.iterate(0, v -> v < csc.vertexCount(), v -> v + step)
                            .toArray();
                    TextbookChecks.checkNearest(csc, loaded, sources, NO_MAX, control);
                }
            }
        }
    }
}

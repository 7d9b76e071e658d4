// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.NearestSources;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.TextbookComponents;
import io.proxima.backend.TextbookFarness;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.EdgeList;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.WeightedCsc;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every family of kernels finds what the CPU finds, over small graphs of each kind: which is what sanitizers are run over.
 * {@code -Dproxima.families=bit-parallel,blocks} leaves the others out.
 */
abstract class KernelFamiliesContract {

    private static final int[] NO_TARGETS = {};
    private static final String CHOSEN = System.getProperty("proxima.families", "");
    private static final Set<DistanceMeasure> ALL = EnumSet.allOf(DistanceMeasure.class);
    private static final int MOST_FOR_ALL_MEASURES = 1 << 14;
    private static final double BETWEENNESS_ERROR = 1e-9;

    /** The device's. */
    protected abstract TraversalBackend backend();

    static Stream<Kernel> families() {
        return Kernel.all().stream()
                .filter(kernel -> !kernel.equals(Kernel.AUTO))
                .filter(kernel -> CHOSEN.isEmpty() || List.of(CHOSEN.split(",")).contains(kernel.keyword()));
    }

    @ParameterizedTest
    @MethodSource("families")
    void shouldFindWhatTheCpuFinds(Kernel kernel) {
        for (Csc csc : List.of(
                TestGraphs.rmat(9, 8, 5).toCsc(Orientation.NATURAL, 2, Stop.NEVER),
                TestGraphs.rmat(8, 4, 6).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER),
                TestGraphs.grid(13, 40).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER),
                TestGraphs.disconnected(60).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER),
                TestGraphs.star(300).toCsc(Orientation.NATURAL, 2, Stop.NEVER),
                new EdgeList(40).toCsc(Orientation.NATURAL, 2, Stop.NEVER))) {
            for (VertexOrder order : List.of(VertexOrder.NATURAL, VertexOrder.DEGREE)) {
                check(csc, RunControl.of(2).with(new RunOptions(order, kernel)), 3);
            }
        }
    }

    /** Components are found among slots, and named by vertices. */
    @ParameterizedTest
    @EnumSource(VertexOrder.class)
    void shouldFindTheComponentsInEveryOrder(VertexOrder order) {
        RunControl control = RunControl.of(2).with(new RunOptions(order, Kernel.AUTO));
        for (Csc csc : List.of(
                TestGraphs.rmat(9, 1, 5).toCsc(Orientation.NATURAL, 2, Stop.NEVER),
                TestGraphs.rmat(9, 1, 6).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER),
                TestGraphs.disconnected(60).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER),
                new EdgeList(40).toCsc(Orientation.NATURAL, 2, Stop.NEVER))) {
            try (LoadedGraph graph = backend().load(csc)) {
                assertThat(graph.components(control)).isEqualTo(TextbookComponents.of(csc));
            }
        }
    }

    /** Runs all that the kernel can do from so many sources. */
    void check(Csc csc, RunControl control, int searches) {
        Kernel kernel = control.options().kernel();
        int n = csc.vertexCount();
        int[] sources = IntStream.range(0, searches)
                .map(i -> (int) ((long) i * n / searches))
                .toArray();
        try (LoadedGraph graph = backend().load(csc)) {
            if (kernel.suits(Operation.BFS)) {
                for (int source : sources) {
                    assertThat(graph.bfs(source, -1, NO_TARGETS, control).levels())
                            .isEqualTo(TextbookBfs.levels(csc, -1, source));
                }
                assertThat(graph.bfs(sources[0], 2, NO_TARGETS, control).levels())
                        .isEqualTo(TextbookBfs.levels(csc, 2, sources[0]));
            }
            if (kernel.suits(Operation.NEAREST_SOURCE)) {
                checkNearest(csc, graph, sources, control);
            }
            if (kernel.suits(Operation.MULTI_SOURCE_BFS)) {
                checkDistances(csc, graph, sources, control);
            }
            if (kernel.suits(Operation.FARNESS)
                    && (n <= MOST_FOR_ALL_MEASURES || kernel.equals(Kernel.of("neighbour-tiles")))) {
                Set<DistanceMeasure> measures = n <= MOST_FOR_ALL_MEASURES ? ALL : Set.of();
                FakeDevices.assertAsOnCpu(graph.farness(measures, control), csc, measures);
            }
            if (kernel.suits(Operation.FARNESS_OF_SOURCES)) {
                new TextbookFarness(csc, sources).checkInOrder(graph.farness(sources, ALL, control), ALL);
            }
            if (kernel.suits(Operation.COMPONENTS)) {
                assertThat(graph.components(control)).isEqualTo(TextbookComponents.of(csc));
            }
            if (kernel.suits(Operation.BETWEENNESS)) {
                checkBetweenness(csc, graph, sources, control);
            }
            if (kernel.suits(Operation.SHORTEST_PATHS)) {
                checkShortestPaths(csc, graph, sources, control);
            }
        }
    }

    private static void checkBetweenness(Csc csc, LoadedGraph graph, int[] sources, RunControl control) {
        try (LoadedGraph onCpu = new CpuBackend().load(csc)) {
            double[] found = graph.betweenness(sources, control);
            double[] expected = onCpu.betweenness(sources, RunControl.of(1));
            for (int v = 0; v < expected.length; v++) {
                assertThat(found[v]).isCloseTo(expected[v], offset(BETWEENNESS_ERROR * Math.max(1, expected[v])));
            }
        }
    }

    private static void checkShortestPaths(Csc csc, LoadedGraph graph, int[] sources, RunControl control) {
        WeightedCsc weights = WeightedCsc.ofOnes(csc);
        try (LoadedGraph onCpu = new CpuBackend().load(csc)) {
            for (int source : sources) {
                double[] found = graph.shortestPaths(source, weights, LoadedGraph.ANY_DELTA, false, control)
                        .costs();
                assertThat(found)
                        .isEqualTo(onCpu.shortestPaths(source, weights, LoadedGraph.ANY_DELTA, false, RunControl.of(1))
                                .costs());
            }
        }
    }

    private static void checkNearest(Csc csc, LoadedGraph graph, int[] sources, RunControl control) {
        try (LoadedGraph onCpu = new CpuBackend().load(csc)) {
            NearestSources found = graph.nearestSource(sources, -1, control);
            NearestSources expected = onCpu.nearestSource(sources, -1, RunControl.of(1));
            assertThat(found.distances()).isEqualTo(expected.distances());
            assertThat(found.sources()).isEqualTo(expected.sources());
        }
    }

    private static void checkDistances(Csc csc, LoadedGraph graph, int[] sources, RunControl control) {
        int n = csc.vertexCount();
        graph.multiSourceBfs(
                sources,
                -1,
                batch -> {
                    for (int s = 0; s < batch.sourceCount(); s++) {
                        int[] levels = TextbookBfs.levels(csc, -1, sources[batch.firstSource() + s]);
                        for (int v = 0; v < n; v++) {
                            assertThat(batch.distance(s, v)).isEqualTo(levels[v]);
                        }
                    }
                },
                control);
    }
}

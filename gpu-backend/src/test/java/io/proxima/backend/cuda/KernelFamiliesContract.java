// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static io.proxima.backend.TextbookChecks.checkDistances;
import static io.proxima.backend.TextbookChecks.checkLevels;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.FailingGraphs;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.Runs;
import io.proxima.backend.SmallGraph;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.VertexOrder;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kernel finds what a textbook finds, over small graphs of each kind, which sanitizers are run over, and random
 * ones. {@code -Dproxima.families=bit-parallel,blocks} leaves the other kernels out.
 */
abstract class KernelFamiliesContract {

    private static final String CHOSEN = System.getProperty("proxima.families", "");
    private static final Set<DistanceMeasure> ALL = EnumSet.allOf(DistanceMeasure.class);
    private static final Set<DistanceMeasure> ECCENTRICITY_AND_HOPS =
            Set.of(DistanceMeasure.ECCENTRICITY, DistanceMeasure.HOPS);
    private static final VertexOrder[] ORDERS = VertexOrder.values();
    private static final int NO_MAX = LoadedGraph.NO_MAX_DEPTH;
    private static final int MOST_FOR_ALL_MEASURES = 1 << 14;

    /** The device's. */
    protected abstract TraversalBackend backend();

    static Stream<Kernel> families() {
        return Kernel.all().stream()
                .filter(kernel -> !kernel.equals(Kernel.AUTO))
                .filter(kernel -> CHOSEN.isEmpty() || List.of(CHOSEN.split(",")).contains(kernel.keyword()));
    }

    /** In each order, which follow each other from graph to graph. */
    @ParameterizedTest
    @MethodSource("families")
    void shouldFindWhatATextbookFinds(Kernel kernel) {
        List<Csc> graphs = Stream.of(
                        TestGraphs.rmat(9, 8, 5).toCsc(Orientation.NATURAL, 2, Stop.NEVER),
                        TestGraphs.rmat(8, 4, 6).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER),
                        TestGraphs.grid(13, 40).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER),
                        TestGraphs.disconnected(60).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER),
                        TestGraphs.rmat(9, 1, 6).toCsc(Orientation.REVERSE, 2, Stop.NEVER),
                        TestGraphs.star(300).toCsc(Orientation.NATURAL, 2, Stop.NEVER),
                        new EdgeList(40).toCsc(Orientation.NATURAL, 2, Stop.NEVER))
                .toList();
        for (int i = 0; i < graphs.size(); i++) {
            check(graphs.get(i), kernel, ORDERS[i % ORDERS.length], 3);
        }
    }

    @Property(tries = 600)
    void shouldFindWhatATextbookFindsOnRandomGraphs(
            @ForAll("smallGraphs") SmallGraph graph,
            @ForAll("kernels") Kernel kernel,
            @ForAll VertexOrder order,
            @ForAll Orientation orientation,
            @ForAll @IntRange(min = 1, max = 40) int sources) {
        EdgeList edges = graph.toEdgeList();
        FailingGraphs.saving(
                getClass().getSimpleName() + "-" + kernel.keyword(),
                edges,
                () -> check(edges.toCsc(orientation, 1, Stop.NEVER), kernel, order, sources));
    }

    @Provide
    Arbitrary<SmallGraph> smallGraphs() {
        return SmallGraph.arbitrary(200, 500);
    }

    @Provide
    Arbitrary<Kernel> kernels() {
        return Arbitraries.of(families().toList());
    }

    /** Runs all that the kernel can do from so many sources. */
    final void check(Csc csc, Kernel kernel, VertexOrder order, int searches) {
        RunContext control = RunContext.of(2).with(new RunOptions(order, kernel));
        int n = csc.vertexCount();
        int[] sources = Runs.sources(csc, searches);
        try (LoadedGraph graph = backend().load(csc)) {
            for (Operation operation : Operation.values()) {
                if (kernel.suits(operation) && operation != Operation.FARNESS) {
                    Runs.check(operation, csc, graph, sources, control);
                }
            }
            if (kernel.suits(Operation.BFS) && n > 0) {
                checkLevels(csc, graph, sources[0], 2, control);
                checkLevels(csc, graph, sources[sources.length - 1], NO_MAX, control, n / 3, n - 1);
            }
            if (kernel.suits(Operation.MULTI_SOURCE_BFS)) {
                checkDistances(csc, graph, sources, 2, control);
            }
            if (kernel.suits(Operation.FARNESS)
                    && (n <= MOST_FOR_ALL_MEASURES || kernel.equals(Kernel.of("neighbour-tiles")))) {
                // several devices share sums without harmonic ones
                for (Set<DistanceMeasure> measures : n <= MOST_FOR_ALL_MEASURES
                        ? List.of(ECCENTRICITY_AND_HOPS, ALL)
                        : List.of(Set.<DistanceMeasure>of())) {
                    FakeDevices.assertAsOnCpu(graph.farness(measures, control), csc, measures);
                }
            }
        }
    }
}

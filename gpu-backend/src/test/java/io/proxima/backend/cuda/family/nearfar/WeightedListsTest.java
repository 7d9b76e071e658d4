// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.nearfar;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.MemoryEstimate;
import io.proxima.backend.Operation;
import io.proxima.backend.Residences;
import io.proxima.backend.RunContext;
import io.proxima.backend.TextbookDijkstra;
import io.proxima.backend.Workload;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.FirstMappedBudget;
import io.proxima.backend.device.MappedBudget;
import io.proxima.concurrent.Stop;
import io.proxima.projection.WeightedEdgeList;
import io.proxima.projection.WeightedEdgeList.Graphs;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.csc.WeightedCsc;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The lists with weights that shortest paths read: where they lie, and for how long. */
class WeightedListsTest extends FakeDeviceTestCase {

    WeightedListsTest() {
        super(FakeDevices.policy());
    }

    @Test
    void shouldKeepTheListsOfEachPropertyBesideTheGraphUntilItIsClosed() {
        Graphs graphs = graphs(1, 1.5, 0.1);
        try (LoadedGraph graph = backend.load(graphs.csc())) {
            graph.bfs(0, LoadedGraph.NO_MAX_DEPTH, NO_TARGETS, RunContext.of(1));
            long ofSearches = Residences.bytes(graph);
            long before = driver.device().uploadedBytes();
            check(graph, graphs.weights());
            long once = driver.device().uploadedBytes();
            long ofOne = Residences.bytes(graph);
            check(graph, graphs.weights());
            assertThat(ofOne).isGreaterThan(ofSearches);
            assertThat(once).isGreaterThan(before);
            assertThat(driver.device().uploadedBytes()).isEqualTo(once);
            // equal arrays are one graph
            check(graph, WeightedCsc.ofOnes(graphs.csc()));
            long ofBoth = Residences.bytes(graph);
            check(graph, WeightedCsc.ofOnes(graphs.csc()));
            assertThat(ofBoth).isGreaterThan(ofOne);
            assertThat(Residences.bytes(graph)).isEqualTo(ofBoth);
        }
        assertThat(driver.device().usedBytes()).isZero();
    }

    @Test
    void shouldEvictTheListsOfAnotherPropertyOfTheGraph() {
        Graphs graphs = graphs(1, 1.5, 0.1);
        WeightedCsc other = graphs(3, 2.5, 0.2).weights();
        try (LoadedGraph graph = backend.load(graphs.csc())) {
            check(graph, other);
        }
        // room for the lists of one property
        use(FakeDriver.hopper(driver.device().mostUsedBytes()), new MappedBudget(1, () -> FakeDevices.PLENTY));
        try (LoadedGraph graph = backend.load(graphs.csc())) {
            check(graph, graphs.weights());
            assertThat(backend.estimate(graphs.csc(), false, work(other), 1).fitsDevice())
                    .isTrue();
            check(graph, other);
            assertThat(Residences.mappedBytes(graph)).isZero();
        }
    }

    static Stream<Graphs> forms() {
        return Stream.of(
                graphs(1, 2, 3),
                graphs(1, 1.5, 0.25),
                graphs(1, 0.1, 0.2),
                withParallels(1, 2, 3),
                withParallels(1, 0.1, 0.2));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void shouldBoundTheMemoryOfEveryFormOfWeights(Graphs graphs) {
        MemoryEstimate estimate = backend.estimate(graphs.csc(), false, work(graphs.weights()), 1);
        try (LoadedGraph graph = backend.load(graphs.csc())) {
            check(graph, graphs.weights());
        }
        assertThat(estimate.fitsDevice()).isTrue();
        assertThat(driver.device().mostUsedBytes())
                .isBetween(estimate.device().minBytes(), estimate.device().maxBytes());
    }

    @ParameterizedTest
    @MethodSource("forms")
    void shouldReadEveryFormOfWeightsInMappedHostMemory(Graphs graphs) {
        use(driver, new FirstMappedBudget(() -> FakeDevices.PLENTY));
        try (LoadedGraph graph = backend.load(graphs.csc())) {
            check(graph, graphs.weights());
            assertThat(Residences.mappedBytes(graph)).isPositive();
        }
    }

    private static void check(LoadedGraph graph, WeightedCsc weights) {
        assertThat(graph.shortestPaths(0, weights, LoadedGraph.ANY_DELTA, false, RunContext.of(1))
                        .costs())
                .isEqualTo(TextbookDijkstra.costs(weights, 0));
    }

    private static Workload work(WeightedCsc weights) {
        return new Workload(Operation.SHORTEST_PATHS, 1, LoadedGraph.NO_MAX_DEPTH).over(weights.entryCount());
    }

    private static Graphs graphs(double... weights) {
        return repeated(1, weights);
    }

    /** The graph of the searches has one entry for eight of the weights. */
    private static Graphs withParallels(double... weights) {
        Graphs graphs = repeated(8, weights);
        assertThat(graphs.weights().entryCount()).isEqualTo(8 * graphs.csc().entryCount());
        return graphs;
    }

    private static Graphs repeated(int times, double... weights) {
        WeightedEdgeList edges = new WeightedEdgeList(500, Orientation.UNDIRECTED);
        for (int vertex = 1; vertex < 500; vertex++) {
            for (int copy = 0; copy < times; copy++) {
                edges.add(vertex / 3, vertex, weights[(vertex + copy) % weights.length]);
            }
        }
        return edges.build(1, Stop.NEVER);
    }
}

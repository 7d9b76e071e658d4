// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.nearfar;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.ShortestPathsContract;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.backend.cuda.CudaBackends;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.MappedBudget;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Orientation;
import io.proxima.projection.WeightedCsc;
import io.proxima.projection.WeightedEdgeList;
import io.proxima.projection.WeightedEdgeList.Graphs;
import net.jqwik.api.lifecycle.AfterContainer;
import org.junit.jupiter.api.Test;

/** The host side of weighted shortest paths on a device, with the kernel simulated on host memory. */
class SimulatedShortestPathsTest extends ShortestPathsContract {

    private static final CudaBackends BACKENDS = FakeDevices.backends(FakeDriver.hopper(FakeDevices.PLENTY));

    @Override
    protected TraversalBackend backend() {
        return BACKENDS.choose().backend();
    }

    @AfterContainer
    static void close() {
        BACKENDS.close();
    }

    @Test
    void shouldKeepTheListsOfEachPropertyBesideTheGraphUntilItIsClosed() {
        FakeDriver driver = FakeDriver.hopper(FakeDevices.PLENTY);
        try (CudaBackends backends = FakeDevices.backends(driver)) {
            Graphs graphs = graphs(1, 1.5, 0.1);
            try (LoadedGraph graph = backends.choose().backend().load(graphs.csc())) {
                graph.bfs(0, LoadedGraph.NO_MAX_DEPTH, new int[0], RunControl.of(1));
                long ofSearches = graph.bytes();
                long before = uploaded(backends);
                costs(graph, graphs.weights());
                long once = uploaded(backends);
                long ofOne = graph.bytes();
                costs(graph, graphs.weights());
                assertThat(ofOne).isGreaterThan(ofSearches);
                assertThat(once).isGreaterThan(before);
                assertThat(uploaded(backends)).isEqualTo(once);
                // equal arrays are one graph
                costs(graph, WeightedCsc.ofOnes(graphs.csc()));
                long ofBoth = graph.bytes();
                costs(graph, WeightedCsc.ofOnes(graphs.csc()));
                assertThat(ofBoth).isGreaterThan(ofOne);
                assertThat(graph.bytes()).isEqualTo(ofBoth);
            }
            assertThat(backends.use().get(0).usedBytes()).isZero();
        }
    }

    @Test
    void shouldEvictTheListsOfAnotherPropertyOfTheGraph() {
        Graphs graphs = graphs(1, 1.5, 0.1);
        WeightedCsc other = graphs(3, 2.5, 0.2).weights();
        double[] expected;
        FakeDriver roomy = FakeDriver.hopper(FakeDevices.PLENTY);
        try (CudaBackends backends = FakeDevices.backends(roomy);
                LoadedGraph graph = backends.choose().backend().load(graphs.csc())) {
            expected = costs(graph, other);
        }
        // room for the lists of one property
        FakeDriver driver = FakeDriver.hopper(roomy.device().mostUsedBytes());
        try (CudaBackends backends =
                FakeDevices.mapping(driver, FakeDevices.policy(), new MappedBudget(1, () -> FakeDevices.PLENTY))) {
            TraversalBackend backend = backends.choose().backend();
            try (LoadedGraph graph = backend.load(graphs.csc())) {
                costs(graph, graphs.weights());
                Workload work =
                        new Workload(Operation.SHORTEST_PATHS, 1, LoadedGraph.NO_MAX_DEPTH).over(other.entryCount());
                assertThat(backend.estimate(graphs.csc(), false, work, 1).fitsDevice())
                        .isTrue();
                assertThat(costs(graph, other)).isEqualTo(expected);
                assertThat(graph.mappedBytes()).isZero();
            }
        }
    }

    @Test
    void shouldBoundItsMemoryForEveryFormOfWeights() {
        for (Graphs graphs : new Graphs[] {
            graphs(1, 2, 3),
            graphs(1, 1.5, 0.25),
            graphs(1, 0.1, 0.2),
            withParallels(1, 2, 3),
            withParallels(1, 0.1, 0.2)
        }) {
            FakeDriver driver = FakeDriver.hopper(FakeDevices.PLENTY);
            try (CudaBackends backends = FakeDevices.backends(driver)) {
                TraversalBackend backend = backends.choose().backend();
                var estimate = backend.estimate(
                        graphs.csc(),
                        false,
                        new Workload(Operation.SHORTEST_PATHS, 1, LoadedGraph.NO_MAX_DEPTH)
                                .over(graphs.weights().entryCount()),
                        1);
                try (LoadedGraph graph = backend.load(graphs.csc())) {
                    costs(graph, graphs.weights());
                }
                assertThat(estimate.fitsDevice()).isTrue();
                assertThat(driver.device().mostUsedBytes())
                        .isBetween(
                                estimate.device().minBytes(), estimate.device().maxBytes());
            }
        }
    }

    private static double[] costs(LoadedGraph graph, WeightedCsc weights) {
        return graph.shortestPaths(0, weights, LoadedGraph.ANY_DELTA, false, RunControl.of(1))
                .costs();
    }

    private static long uploaded(CudaBackends backends) {
        return backends.use().get(0).uploadedBytes();
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

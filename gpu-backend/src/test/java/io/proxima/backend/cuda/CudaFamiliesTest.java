// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackendContract;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceLease;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every family of kernels through Java on a real device: the contract, and deep graphs while others ask for the device
 * all the time, so that launches are paused and resumed.
 */
@OnGpu
class CudaFamiliesTest extends KernelFamiliesContract {

    @Override
    protected TraversalBackend backend() {
        return Gpu.backend();
    }

    /** Each kernel sees each graph of the contract, in one orientation and one order. */
    @ParameterizedTest
    @MethodSource("families")
    void shouldFindWhatATextbookFindsOnTheGraphsOfTheContract(Kernel kernel) {
        List<Orientation> orientations = List.of(Orientation.values());
        List<VertexOrder> orders = List.of(VertexOrder.values());
        int turn = 0;
        for (EdgeList edges :
                TraversalBackendContract.graphs().map(Map.Entry::getValue).toList()) {
            Csc csc = edges.toCsc(orientations.get(turn % orientations.size()), 1, Stop.NEVER);
            check(csc, kernel, orders.get(turn % orders.size()), 40);
            turn++;
        }
    }

    /** Distances of one, two and four bytes. */
    @ParameterizedTest
    @ValueSource(ints = {254, 255, 65_534, 65_535})
    void shouldMeasureDistancesOfEveryWidth(int length) {
        Csc csc = TestGraphs.path(length + 1).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        families()
                .filter(kernel -> kernel.suits(Operation.MULTI_SOURCE_BFS))
                .forEach(kernel -> check(csc, kernel, VertexOrder.NATURAL, 1));
    }

    /** Components of graphs that a test can hold take less than a turn. */
    static Stream<Kernel> pausing() {
        return families().filter(kernel -> !kernel.suits(Operation.COMPONENTS));
    }

    @ParameterizedTest
    @MethodSource("pausing")
    void shouldFindTheSameWhileOthersWaitForTheDevice(Kernel kernel) {
        long pauses = 0;
        for (Csc csc : List.of(
                TestGraphs.path(pathLength(kernel)).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER),
                TestGraphs.grid(30, 6_000).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER),
                // long lists, and levels that are long enough to be paused within
                TestGraphs.starOfStars(200, 2_500).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER))) {
            // tiles do sums only, of which larger graphs would take the CPU minutes
            Csc searched = kernel.equals(Kernel.of("neighbour-tiles"))
                    ? TestGraphs.grid(16, 4_000).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER)
                    : csc;
            pauses += whileOthersWait(() -> check(searched, kernel, VertexOrder.NATURAL, 2));
        }
        assertThat(pauses).as("launches paused").isPositive();
        Gpu.report("launches paused, '" + kernel.keyword() + "': " + pauses);
    }

    /** Also teams that are in different levels of different batches when they are paused. */
    @Test
    void shouldScoreTheSameBitByBitHoweverOftenItIsPaused() {
        Csc csc = TestGraphs.grid(30, 6_000).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER);
        int[] sources = IntStream.range(0, 2_000).map(i -> 90 * i).toArray();
        try (LoadedGraph graph = Gpu.backend().load(csc)) {
            double[] alone = graph.betweenness(sources, RunContext.of(2));
            long pauses = whileOthersWait(() ->
                    assertThat(graph.betweenness(sources, RunContext.of(2))).isEqualTo(alone));
            assertThat(pauses).isGreaterThan(1);
            Gpu.report("launches paused, betweenness from " + sources.length + " sources: " + pauses);
        }
    }

    /** Runs while another thread asks for the device again and again; returns how often launches were paused. */
    private static long whileOthersWait(Runnable run) {
        AtomicBoolean over = new AtomicBoolean();
        Device device = Gpu.backend().device();
        long before = device.pauses();
        Workers.run(2, Stop.NEVER, (worker, stop) -> {
            if (worker == 0) {
                try {
                    run.run();
                } finally {
                    over.set(true);
                }
            } else {
                while (!over.get() && !stop.requested()) {
                    try (DeviceLease lease = device.lease(stop)) {
                        lease.await();
                    }
                    LockSupport.parkNanos(2_000_000);
                }
            }
        });
        return device.pauses() - before;
    }

    /** So long that a search is long enough to be paused. */
    private static int pathLength(Kernel kernel) {
        return switch (kernel.keyword()) {
            case "ball-records" -> 2_000_000;
            case "near-far" -> 1_000_000;
            case "balls", "blocks" -> 400_000;
            default -> 40_000;
        };
    }
}

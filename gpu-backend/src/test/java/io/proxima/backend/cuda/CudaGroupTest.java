// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.Runs;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.Workload;
import io.proxima.backend.cuda.fake.CheckedDriver;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The devices of a host together; skipped where there are fewer than two. */
@Tag("gpu")
class CudaGroupTest {

    private static final int LAUNCH_FAILED = 719;
    private static final int[] NO_TARGETS = {};
    private static final Set<DistanceMeasure> SHARED = EnumSet.complementOf(EnumSet.of(DistanceMeasure.HARMONIC));

    private static final Map<Kernel, EdgeList> GRAPHS = Map.of(
            Kernel.of("bit-parallel"), TestGraphs.rmat(13, 12, 5),
            Kernel.of("neighbour-tiles"), TestGraphs.grid(130, 90),
            Kernel.of("blest-full"), TestGraphs.rmat(11, 12, 5));

    private static RunContext with(Kernel kernel) {
        return RunContext.of(4).with(new RunOptions(VertexOrder.DEGREE, kernel));
    }

    @Test
    void shouldShareSums() {
        try (CudaBackends backends = Gpu.sharing(RunOptions.AUTO, CheckedDriver.Faults.NONE)) {
            TraversalBackend group = backends.chooseAll().backend();
            GRAPHS.forEach((kernel, edges) -> {
                for (Orientation orientation : new Orientation[] {Orientation.NATURAL, Orientation.UNDIRECTED}) {
                    Csc csc = edges.toCsc(orientation, 1, Stop.NEVER);
                    try (LoadedGraph graph = group.load(csc)) {
                        Runs.prepare(
                                graph,
                                new Workload(Operation.FARNESS, csc.vertexCount(), LoadedGraph.NO_MAX_DEPTH),
                                with(kernel));
                        assertThat(graph.residences()).hasSizeGreaterThan(1);
                        FakeDevices.assertAsOnCpu(graph.farness(SHARED, with(kernel)), csc, SHARED);
                    }
                }
            });
        }
    }

    @Test
    void shouldServeSeveralUsersOnSeveralDevices() {
        try (CudaBackends backends = Gpu.sharing(RunOptions.AUTO, CheckedDriver.Faults.NONE)) {
            Csc csc = TestGraphs.rmat(14, 12, 5).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
            try (LoadedGraph graph = backends.chooseAll().backend().load(csc)) {
                int[] expected = TextbookBfs.levels(csc, -1, 3);
                Workers.run(4, Stop.NEVER, (worker, stop) -> {
                    for (int i = 0; i < 500; i++) {
                        assertThat(graph.bfs(3, -1, NO_TARGETS, RunContext.of(1))
                                        .levels())
                                .isEqualTo(expected);
                    }
                });
                assertThat(graph.residences()).hasSizeGreaterThan(1);
            }
        }
    }

    @Test
    void shouldRepeatWhatALostDeviceHasDone() {
        for (int call : new int[] {50, 150, 300}) {
            AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
            CheckedDriver.Faults one = any -> left.decrementAndGet() == 0 ? LAUNCH_FAILED : 0;
            try (CudaBackends backends = Gpu.sharing(RunOptions.AUTO, one)) {
                Kernel kernel = Kernel.of("blest-full");
                Csc csc = GRAPHS.get(kernel).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
                try (LoadedGraph graph = backends.chooseAll().backend().load(csc)) {
                    Runs.prepare(
                            graph,
                            new Workload(Operation.FARNESS, csc.vertexCount(), LoadedGraph.NO_MAX_DEPTH),
                            with(kernel));
                    left.set(call);
                    FakeDevices.assertAsOnCpu(graph.farness(SHARED, with(kernel)), csc, SHARED);
                    assertThat(left.get()).as("calls until the loss").isNegative();
                }
            }
        }
    }
}

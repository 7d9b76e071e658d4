/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.order.VertexOrder;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.Csc;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every family of kernels through Java on a real device: over small graphs of each kind, which is what sanitizers are run over,
 * and over deep graphs while others ask for the device all the time, so that launches are paused and resumed.
 * {@code -Dproxima.families=words,tiles} leaves the others out.
 */
@Tag("gpu")
class CudaFamiliesTest {

    private static final int[] NO_TARGETS = {};
    private static final String CHOSEN = System.getProperty("proxima.families", "");
    private static final Set<DistanceMeasure> ALL = EnumSet.allOf(DistanceMeasure.class);

    @AfterAll
    static void shouldLeaveNothingAfterTheTests() {
        Gpu.release();
    }

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
                TestGraphs.disconnected(60).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER))) {
            for (VertexOrder order : List.of(VertexOrder.NATURAL, VertexOrder.DEGREE)) {
                check(csc, RunControl.of(2).with(new RunOptions(order, kernel)), 3);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("families")
    void shouldFindTheSameWhileOthersWaitForTheDevice(Kernel kernel) {
        AtomicLong pauses = new AtomicLong();
        for (Csc csc : List.of(
                TestGraphs.path(pathLength(kernel)).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER),
                TestGraphs.grid(30, 6_000).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER))) {
            AtomicBoolean over = new AtomicBoolean();
            CudaDevice device = Gpu.backend().device();
            // tiles do sums only, of which larger graphs would take the CPU minutes
            Csc searched = kernel.equals(Kernel.of("tiles"))
                    ? TestGraphs.grid(16, 4_000).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER)
                    : csc;
            long before = device.pauses();
            Workers.run(2, Stop.NEVER, (worker, stop) -> {
                if (worker == 0) {
                    try {
                        check(searched, RunControl.of(2).with(new RunOptions(VertexOrder.NATURAL, kernel)), 2);
                    } finally {
                        over.set(true);
                    }
                } else {
                    while (!over.get() && !stop.requested()) {
                        try (DeviceLease turn = device.turn(stop)) {
                            turn.await();
                        }
                        LockSupport.parkNanos(2_000_000);
                    }
                }
            });
            pauses.addAndGet(device.pauses() - before);
        }
        assertThat(pauses).as("launches paused").hasPositiveValue();
        Gpu.report("launches paused, '" + kernel.keyword() + "': " + pauses);
    }

    /** So long that a search is long enough to be paused. */
    private static int pathLength(Kernel kernel) {
        return switch (kernel.keyword()) {
            case "ball-records" -> 2_000_000;
            case "balls", "blocks" -> 400_000;
            default -> 40_000;
        };
    }

    private static void check(Csc csc, RunControl control, int searches) {
        Kernel kernel = control.options().kernel();
        int n = csc.vertexCount();
        int[] sources = IntStream.range(0, searches)
                .map(i -> (int) ((long) i * n / searches))
                .toArray();
        try (LoadedGraph graph = Gpu.backend().load(csc)) {
            if (kernel.suits(Run.BFS)) {
                for (int source : sources) {
                    assertThat(graph.bfs(source, -1, NO_TARGETS, control).levels())
                            .isEqualTo(TextbookBfs.levels(csc, -1, source));
                }
            }
            if (kernel.suits(Run.MULTI_SOURCE_BFS)) {
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
            if (kernel.suits(Run.FARNESS) && (n <= 1 << 14 || kernel.equals(Kernel.of("tiles")))) {
                Set<DistanceMeasure> measures = n <= 1 << 14 ? ALL : Set.of();
                FakeDevices.assertAsOnCpu(graph.farness(measures, control), csc, measures);
            }
        }
    }
}

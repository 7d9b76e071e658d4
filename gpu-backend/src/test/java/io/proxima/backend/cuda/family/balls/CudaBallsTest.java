// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.balls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.cuda.CudaBackend;
import io.proxima.backend.cuda.Gpu;
import io.proxima.backend.VertexOrder;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.Csc;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Searches by balls on a real device, under the checking wrapper. */
@Tag("gpu")
class CudaBallsTest extends BallsContract {

    private static final int[] NO_TARGETS = {};

    @Override
    CudaBackend backend() {
        return Gpu.backend();
    }

    @BeforeAll
    static void requireADeviceForTheTests() {
        Gpu.backend();
    }

    @AfterAll
    static void shouldLeaveNothingAfterTheTests() {
        Gpu.release();
    }

    /** Frontiers of more vertices than there are warps, lists that spill, hubs, and windows of all lengths. */
    @ParameterizedTest
    @MethodSource("ways")
    void shouldFindTheLevelsOfATextbookOnLargerGraphs(Way way) {
        Map<String, Csc> graphs = new LinkedHashMap<>();
        graphs.put("R-MAT", TestGraphs.rmat(17, 12, 5).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER));
        graphs.put("directed R-MAT", TestGraphs.rmat(17, 12, 5).toCsc(Orientation.NATURAL, 2, Stop.NEVER));
        graphs.put("grid", TestGraphs.grid(500, 700).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER));
        graphs.put(
                "uniform", TestGraphs.uniform(300_000, 900_000, 7, false).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER));
        graphs.put("star", TestGraphs.star(400_000).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER));
        graphs.put("path", TestGraphs.path(100_000).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER));
        RunControl control = RunControl.of(2).with(new RunOptions(way.order(), way.kernel()));
        graphs.forEach((name, csc) -> {
            int n = csc.vertexCount();
            try (LoadedGraph loaded = backend().load(csc)) {
                for (int source : new int[] {0, n / 2, n - 1}) {
                    assertThat(loaded.bfs(source, -1, NO_TARGETS, control).levels())
                            .as("%s from %d", name, source)
                            .isEqualTo(TextbookBfs.levels(csc, -1, source));
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"balls", "ball-records"})
    void shouldStopInsideAKernel(String keyword) {
        Csc csc = TestGraphs.path(8_000_000).toCsc(Orientation.NATURAL, 4, Stop.NEVER);
        RunOptions options = new RunOptions(VertexOrder.NATURAL, Kernel.of(keyword));
        try (LoadedGraph loaded = backend().load(csc)) {
            loaded.prepare(Run.BFS, 1, RunControl.of(4).with(options));
            long begin = System.nanoTime();
            Stop stop = () -> System.nanoTime() - begin > 50_000_000;
            RunControl control = new RunControl(1, stop, Progress.NONE).with(options);
            assertThatThrownBy(() -> loaded.bfs(0, LoadedGraph.NO_MAX_DEPTH, NO_TARGETS, control))
                    .isInstanceOf(StoppedException.class);
        }
    }

    @Test
    void shouldStopWhileRecordsAreMade() {
        Csc csc = TestGraphs.grid(2000, 2000).toCsc(Orientation.UNDIRECTED, 4, Stop.NEVER);
        RunOptions options = new RunOptions(VertexOrder.NATURAL, Kernel.of("ball-records"));
        try (LoadedGraph loaded = backend().load(csc)) {
            loaded.prepare(Run.BFS, 1, RunControl.of(4).with(new RunOptions(VertexOrder.NATURAL, Kernel.of("balls"))));
            long before = loaded.bytes();
            int[] asked = {0};
            Stop stop = () -> asked[0]++ > 20;
            RunControl control = new RunControl(1, stop, Progress.NONE).with(options);
            assertThatThrownBy(() -> loaded.prepare(Run.BFS, 1, control)).isInstanceOf(StoppedException.class);
            assertThat(loaded.bytes()).isEqualTo(before);
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.VertexOrder;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Results are equal under every order, on a real device. */
@Tag("gpu")
class CudaOrderTest {

    private static final int[] NO_TARGETS = {};

    @BeforeAll
    static void requireADeviceForTheTests() {
        Gpu.backend();
    }

    @AfterAll
    static void shouldLeaveNothingAfterTheTests() {
        Gpu.release();
    }

    @ParameterizedTest
    @EnumSource(VertexOrder.class)
    void shouldGiveTheResultsOfATextbook(VertexOrder order) {
        for (Csc csc : new Csc[] {
            TestGraphs.rmat(14, 12, 5).toCsc(Orientation.NATURAL, 2, Stop.NEVER),
            TestGraphs.grid(61, 400).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER),
            TestGraphs.disconnected(500).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER)
        }) {
            for (Kernel kernel : Kernel.all()) {
                check(csc, kernel, RunControl.of(2).with(new RunOptions(order, kernel)));
            }
        }
    }

    private static void check(Csc csc, Kernel kernel, RunControl control) {
        int n = csc.vertexCount();
        int[] sources =
                IntStream.range(0, 40).map(i -> (int) ((long) i * n / 40)).toArray();
        try (LoadedGraph loaded = Gpu.backend().load(csc)) {
            for (int source : kernel.suits(Operation.BFS) ? sources : new int[0]) {
                assertThat(loaded.bfs(source, -1, NO_TARGETS, control).levels())
                        .isEqualTo(TextbookBfs.levels(csc, -1, source));
            }
            if (!kernel.suits(Operation.MULTI_SOURCE_BFS)) {
                return;
            }
            loaded.multiSourceBfs(
                    sources,
                    -1,
                    batch -> {
                        for (int s = 0; s < batch.sourceCount(); s++) {
                            int[] expected = TextbookBfs.levels(csc, -1, sources[batch.firstSource() + s]);
                            for (int v = 0; v < n; v++) {
                                if (batch.distance(s, v) != expected[v]) {
                                    assertThat(batch.distance(s, v))
                                            .as("vertex %d", v)
                                            .isEqualTo(expected[v]);
                                }
                            }
                        }
                    },
                    control);
        }
    }
}

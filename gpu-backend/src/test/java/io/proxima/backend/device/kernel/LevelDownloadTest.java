// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.TextbookChecks;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.concurrent.Stop;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Levels of each width that lie in several pages, and come in chunks that begin and end within pages or have several.
 */
class LevelDownloadTest extends FakeDeviceTestCase {

    private static final int CHUNK = 200_000;

    LevelDownloadTest() {
        super(new LaunchPolicy(
                FakeDevices.ALL_MEMORY, CHUNK, 256, 4, 2, LaunchPolicy.LEAST_SHARED_SUMS, RunOptions.AUTO));
    }

    static Stream<Arguments> graphs() {
        return Stream.of(
                Arguments.of("bytes", TestGraphs.star(400_001)),
                Arguments.of("shorts", TestGraphs.grid(1_000, 400)),
                Arguments.of("ints", TestGraphs.path(300_000)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("graphs")
    void shouldFillAndCountPages(String width, EdgeList edges) {
        Csc csc = edges.toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        assertThat(csc.vertexCount()).isGreaterThan(2 * CHUNK / Short.BYTES);
        int[] levels = TextbookBfs.levels(csc, LoadedGraph.NO_MAX_DEPTH, 0);
        try (LoadedGraph graph = backend.load(csc)) {
            TextbookChecks.checkLevels(levels, graph, 0, LoadedGraph.NO_MAX_DEPTH, RunContext.of(4));
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.papers.merrill;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.GraphShape;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.papers.merrill.MerrillBfsKernel.Strategy;
import io.proxima.backend.papers.xbfs.XbfsKernel;
import io.proxima.concurrent.Stop;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The host side of 'merrill' and 'xbfs' that the tests of all families do not see. */
class QueueKernelsTest extends FakeDeviceTestCase {

    private static final int MOST_VERTICES = Integer.MAX_VALUE - 1;
    private static final long PAST_32_BITS = (1L << 33) + 1;

    private final Csc csc = TestGraphs.rmat(9, 8, 3).toCsc(Orientation.NATURAL, 1, Stop.NEVER);

    @ParameterizedTest
    @CsvSource({
        "merrill, bfs_merrill_hybrid_grid",
        "merrill-expand-contract, bfs_merrill_expand_contract_grid",
        "merrill-contract-expand, bfs_merrill_contract_expand_grid",
        "merrill-two-phase, bfs_merrill_two_phase_grid",
        "xbfs, bfs_xbfs_grid"
    })
    void shouldLaunchTheKernelThatIsRequested(String keyword, String entry) {
        try (LoadedGraph graph = backend.load(csc)) {
            graph.bfs(3, -1, NO_TARGETS, with(keyword));
            assertThat(driver.device().launches()).contains(entry);
        }
    }

    @ParameterizedTest
    @EnumSource(Strategy.class)
    void shouldPlanQueuesPast32Bits(Strategy strategy) {
        GraphSizes graph = GraphSizes.Bounds.of(new GraphShape(MOST_VERTICES, PAST_32_BITS, false), 1);
        ArrayLayout plan = new MerrillBfsKernel(strategy).workspace(graph, 1000, 0);
        long vertices = 4L * MOST_VERTICES;
        long edges = 4 * (PAST_32_BITS + 1000);
        assertThat(plan.at("edges") - plan.at("vertices"))
                .isEqualTo(strategy == Strategy.CONTRACT_EXPAND ? 0 : (vertices + 255) / 256 * 256);
        assertThat(plan.bytes() - plan.at("edges"))
                .isEqualTo(strategy == Strategy.EXPAND_CONTRACT ? 0 : (edges + 255) / 256 * 256);
    }

    @Test
    void shouldPlanForTheMostVertices() {
        ArrayLayout plan = new XbfsKernel("xbfs")
                .workspace(GraphSizes.Bounds.of(new GraphShape(MOST_VERTICES, PAST_32_BITS, false), 1), 1, 0);
        assertThat(plan.at("blockCounts") - plan.at("levels"))
                .isBetween(20L * MOST_VERTICES, 20L * MOST_VERTICES + 5 * 256);
    }
}

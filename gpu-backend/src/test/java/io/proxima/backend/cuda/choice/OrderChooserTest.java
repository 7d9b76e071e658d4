// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.choice;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.RunControl;
import io.proxima.backend.cuda.device.SlotOrder;
import io.proxima.backend.order.VertexOrder;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import org.junit.jupiter.api.Test;

class OrderChooserTest {

    private static final Csc WEB = TestGraphs.rmat(14, 16, 3).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER);
    private static final Csc MESH = TestGraphs.grid(300, 300).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER);
    private static final long ONE = 1;

    @Test
    void shouldOrderAScaleFreeGraphByDegreeForItsFirstSearch() {
        SlotOrder order = first(WEB, false);
        assertThat(order.order()).isEqualTo(VertexOrder.DEGREE);
        assertThat(order.reason()).contains("scale-free-like", "took");
    }

    @Test
    void shouldOrderForManySearchesWhatItOrdersForOne() {
        for (long searches = ONE; searches <= 1 << 20; searches *= 4) {
            SlotOrder order = OrderChooser.first(WEB, VertexOrder.AUTO, searches, false, RunControl.of(2));
            assertThat(order.order()).as("%d searches", searches).isEqualTo(VertexOrder.DEGREE);
        }
    }

    @Test
    void shouldTakeTheOrderOfMeshesOnlyForDeepGraphs() {
        Csc even = TestGraphs.uniform(10_000, 80_000, 1, false).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        assertThat(OrderChooser.best(MESH, false, RunControl.of(2)).order()).isEqualTo(VertexOrder.RCM);
        assertThat(OrderChooser.best(even, false, RunControl.of(2)).order()).isEqualTo(VertexOrder.DEGREE);
        assertThat(OrderChooser.best(WEB, false, RunControl.of(2)).order()).isEqualTo(VertexOrder.DEGREE);
    }

    @Test
    void shouldLeaveOtherGraphsAsProjectedForOneSearch() {
        assertThat(first(MESH, false).order()).isEqualTo(VertexOrder.NATURAL);
        assertThat(first(WEB, true).order()).isEqualTo(VertexOrder.NATURAL);
        Csc small = TestGraphs.rmat(10, 16, 3).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        assertThat(first(small, false).order()).isEqualTo(VertexOrder.NATURAL);
    }

    @Test
    void shouldNotTransposeADirectedGraphForOneSearch() {
        Csc directed = TestGraphs.rmat(14, 16, 3).toCsc(Orientation.NATURAL, 2, Stop.NEVER);
        assertThat(first(directed, false).order()).isEqualTo(VertexOrder.NATURAL);
        assertThat(directed.hasTransposed()).isFalse();
        directed.transposed(2, Stop.NEVER);
        assertThat(first(directed, false).order()).isEqualTo(VertexOrder.DEGREE);
    }

    private static SlotOrder first(Csc graph, boolean overSliceSets) {
        return OrderChooser.first(graph, VertexOrder.AUTO, ONE, overSliceSets, RunControl.of(2));
    }
}

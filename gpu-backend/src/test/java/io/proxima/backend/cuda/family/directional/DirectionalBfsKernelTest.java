// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.directional;

import static io.proxima.backend.cuda.driver.KernelConstants.MOST_NARROW;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.GraphShape;
import io.proxima.backend.Levels;
import io.proxima.backend.RunContext;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.cuda.graph.KernelLayouts;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.graph.Way;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.concurrent.Stop;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;

class DirectionalBfsKernelTest extends FakeDeviceTestCase {

    private static final long PAST_32_BITS = MOST_NARROW + 1;

    /** Blocks of one multiprocessor each, of more multiprocessors than any card has, in warps. */
    private static final long MOST_WARPS = 1024 * 512 / 32;

    @Test
    void shouldTakeThePointersOfTheListsPast32Bits() {
        Csc csc = TestGraphs.rmat(9, 8, 3).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        BfsKernel kernels = new DirectionalBfsKernel("directional", backend.device());
        RunContext control = with("directional");
        FakeDevices.with(backend, csc, control, 1, view -> {
            view.require(kernels.structures(), sizes -> List.of(Way.within(1 << 24)));
            Levels found = kernels.run(wide(view), new int[] {3, 200}, -1, NO_TARGETS, control);
            assertThat(found.levels()).isEqualTo(TextbookBfs.levels(csc, -1, 3, 200));
            assertThat(driver.device().launches()).contains("bfs_directional_p64_grid");
        });
    }

    @Test
    void shouldLeaveRoomBelow32BitsForWhatAGridComputesPastTheLastEdge() {
        assertThat(CompactLists.isWide(1L << 32)).isTrue();
        assertThat(CompactLists.isWide((1L << 32) - MOST_WARPS)).isTrue();
        assertThat(CompactLists.isWide(4_223_264_644L)).isFalse();
    }

    /** A word counts the vertices of a queue and their edges: with 2^30 vertices, 33 bits are left for the edges. */
    @Test
    void shouldLeaveGraphsToOthersWhoseEdgesItCannotCount() {
        assertThat(KernelLayouts.countsInOneWord(1 << 30, (1L << 33) - 1)).isTrue();
        assertThat(KernelLayouts.countsInOneWord(1 << 30, 1L << 33)).isFalse();
        assertThat(KernelLayouts.countsInOneWord((1 << 30) - 1, 1L << 33)).isTrue();
        assertThat(KernelLayouts.countsInOneWord(0, 0)).isTrue();
    }

    @Test
    void shouldPlanPast32Bits() {
        int n = Integer.MAX_VALUE - 1;
        DirectionalBfsKernel kernels = new DirectionalBfsKernel("directional", null);
        ArrayLayout narrow =
                kernels.workspace(GraphSizes.Bounds.of(new GraphShape(n, PAST_32_BITS - 1, false), 1), 1, 0);
        ArrayLayout wide = kernels.workspace(GraphSizes.Bounds.of(new GraphShape(n, PAST_32_BITS, false), 1), 1, 0);
        long queued = n + PAST_32_BITS / 4096;
        assertThat(wide.at("listA") - wide.at("queueEdges")).isBetween(8 * queued, 8 * queued + 255);
        assertThat(narrow.at("listA") - narrow.at("queueEdges")).isBetween(4 * queued - 4, 4 * queued + 255);
        assertThat(CompactLists.layout(n, PAST_32_BITS, false).at("heads")).isZero();
        assertThat(CompactLists.layout(n, PAST_32_BITS - 1, false).at("heads")).isGreaterThanOrEqualTo(8L * n);
        assertThat(CompactLists.layout(n, PAST_32_BITS - 1, true).at("heads")).isBetween(4L * n, 4L * n + 511);
        assertThat(CompactLists.headColumn(n)).isEqualTo(1L << 31);
    }

    /** A graph that says it has more entries than it has, with the pointers that it would then have. */
    private static GraphView wide(GraphView view) {
        return (GraphView) Proxy.newProxyInstance(
                GraphView.class.getClassLoader(), new Class<?>[] {GraphView.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("entryCount")) {
                        return PAST_32_BITS;
                    }
                    Object found = method.invoke(view, arguments);
                    return found instanceof CompactLists.Compact compact
                            ? new CompactLists.Compact(
                                    compact.array(),
                                    view.structure(Csr.OUT).pointers(),
                                    view.structure(Csr.IN).pointers(),
                                    compact.heads(),
                                    compact.active(),
                                    compact.edgeDegree())
                            : found;
                });
    }
}

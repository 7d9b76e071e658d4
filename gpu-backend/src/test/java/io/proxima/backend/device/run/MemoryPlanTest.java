// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.bvss.BvssBuilder;
import io.proxima.backend.bvss.BvssLayout;
import io.proxima.backend.cuda.family.bvss.BvssBatchKernels;
import io.proxima.backend.cuda.family.bvss.BvssStructure;
import io.proxima.backend.cuda.family.tilebfs.TileMatrix;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.VertexSlots;
import io.proxima.backend.device.kernel.BatchKernels;
import io.proxima.backend.device.kernel.Sums;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryPlanTest {

    @Test
    void shouldPlaceTheArraysOfAGraphOneAfterTheOther() {
        BvssStructure.Layout plan = BvssStructure.Layout.of(1025, 200);
        // 129 slice sets: 130 pointers of 4 bytes are 520, so 768 with alignment
        assertThat(plan.realPtrs()).isZero();
        assertThat(plan.virtualToReal()).isEqualTo(768);
        assertThat(plan.rowIds()).isEqualTo(768 + 1024);
        assertThat(plan.masks()).isEqualTo(plan.rowIds() + 200 * 512);
        assertThat(plan.bytes()).isEqualTo(plan.masks() + 200 * 128);
        Csr.Layout lists = Csr.Layout.of(1025, 5000);
        assertThat(lists.indices() - lists.pointers()).isEqualTo(8448);
        assertThat(lists.bytes()).isEqualTo(lists.indices() + 20_224);
        assertThat(VertexSlots.bytes(1025)).isEqualTo(4352);
    }

    @Test
    void shouldCountPast32Bits() {
        int n = Csc.MAX_VERTICES;
        GraphSizes graph = GraphSizes.Bounds.of(new GraphShape(n, 1L << 36, false), 1);
        assertThat(new BvssBatchKernels(256).workspace(graph, 256, 256, 4).bytes())
                .isGreaterThan(256L * 4 * n);
        assertThat(BvssStructure.Layout.of(n, 1L << 31).bytes()).isGreaterThan((1L << 31) * 640);
        assertThat(Csr.Layout.of(n, 1L << 36).bytes()).isGreaterThan(1L << 38);
        assertThat(Sums.levelCountBytes(n, 1 << 20)).isGreaterThanOrEqualTo((4L * n) << 20);
        assertThatThrownBy(() -> BvssStructure.Layout.of(n, Long.MAX_VALUE / 128))
                .isInstanceOf(ArithmeticException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8, 9, 300, 5000})
    void shouldBoundTheVirtualSliceSets(int n) {
        for (Orientation orientation : Orientation.values()) {
            for (Csc csc : new Csc[] {
                TestGraphs.uniform(n, 4L * n, n, true).toCsc(orientation, 1, Stop.NEVER),
                TestGraphs.star(n).toCsc(orientation, 1, Stop.NEVER)
            }) {
                int built = BvssBuilder.build(csc, 1, Stop.NEVER, Progress.NONE).virtualSliceSetCount();
                assertThat(built).isBetween((int) BvssLayout.fewestVirtualSliceSets(n, csc.entryCount()), (int)
                        BvssLayout.mostVirtualSliceSets(n, csc.entryCount()));
            }
        }
        // every column of its own rows: what the bound is for
        assertThat(BvssLayout.mostVirtualSliceSets(8, 129)).isEqualTo(2);
        assertThat(BvssLayout.mostVirtualSliceSets(8, 128)).isEqualTo(1);
        assertThat(BvssLayout.mostVirtualSliceSets(16, 0)).isZero();
        // every column of the same rows, or of all rows but its own
        assertThat(BvssLayout.fewestVirtualSliceSets(1000, 1024)).isEqualTo(1);
        assertThat(BvssLayout.fewestVirtualSliceSets(1000, 1025)).isEqualTo(2);
        assertThat(BvssLayout.fewestVirtualSliceSets(16, 16 * 15)).isEqualTo(2);
        assertThat(BvssLayout.fewestVirtualSliceSets(1, 0)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "254, 1", "255, 2", "65534, 2", "65535, 4", "2147483646, 4"})
    void shouldKnowHowWideDistancesAre(long deepest, int bytes) {
        assertThat(BatchKernels.levelBytes(deepest)).isEqualTo(bytes);
    }

    @Test
    void shouldPlaceTilesPast32Bits() {
        int n = Integer.MAX_VALUE - 8;
        long tiles = 1L << 27;
        TileMatrix.Layout layout = TileMatrix.Layout.of(n, tiles, 1L << 33);
        assertThat(layout.restRows() - layout.words()).isEqualTo(512 * tiles);
        assertThat(layout.bytes() - layout.restRows()).isEqualTo(4L << 33);
        assertThat(TileMatrix.Layout.columns(n)).isEqualTo(1 << 25);
    }
}

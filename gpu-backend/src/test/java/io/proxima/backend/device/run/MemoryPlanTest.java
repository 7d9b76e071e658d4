// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.GraphShape;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.kernel.Sums;
import io.proxima.backend.papers.bvss.BvssBatchKernels;
import io.proxima.backend.papers.bvss.BvssStructure;
import io.proxima.backend.papers.bvss.TextbookBvss;
import io.proxima.concurrent.Stop;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryPlanTest {

    @Test
    void shouldCountPast32Bits() {
        int n = Csc.MAX_VERTICES;
        GraphSizes graph = GraphSizes.Bounds.of(new GraphShape(n, 1L << 36, false), 1);
        assertThat(new BvssBatchKernels("blest-full", 256)
                        .workspace(graph, 256, 256, 4)
                        .bytes())
                .isGreaterThan(256L * 4 * n);
        assertThat(BvssStructure.layout(n, 1L << 31).bytes()).isGreaterThan((1L << 31) * 640);
        assertThat(Csr.layout(n, 1L << 36).bytes()).isGreaterThan(1L << 38);
        assertThat(Sums.levelCountBytes(n, 1 << 20)).isGreaterThanOrEqualTo((4L * n) << 20);
        assertThatThrownBy(() -> BvssStructure.layout(n, Long.MAX_VALUE / 128)).isInstanceOf(ArithmeticException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8, 9, 300, 5000})
    void shouldBoundTheVirtualSliceSets(int n) {
        for (Orientation orientation : Orientation.values()) {
            for (Csc csc : new Csc[] {
                TestGraphs.uniform(n, 4L * n, n, true).toCsc(orientation, 1, Stop.NEVER),
                TestGraphs.star(n).toCsc(orientation, 1, Stop.NEVER)
            }) {
                int built = TextbookBvss.of(csc).virtualToReal().length;
                assertThat(built).isBetween((int) BvssStructure.fewestVirtualSliceSets(n, csc.entryCount()), (int)
                        BvssStructure.mostVirtualSliceSets(n, csc.entryCount()));
            }
        }
        // every column of its own rows: what the bound is for
        assertThat(BvssStructure.mostVirtualSliceSets(8, 129)).isEqualTo(2);
        assertThat(BvssStructure.mostVirtualSliceSets(8, 128)).isEqualTo(1);
        assertThat(BvssStructure.mostVirtualSliceSets(16, 0)).isZero();
        // every column of the same rows, or of all rows but its own
        assertThat(BvssStructure.fewestVirtualSliceSets(1000, 1024)).isEqualTo(1);
        assertThat(BvssStructure.fewestVirtualSliceSets(1000, 1025)).isEqualTo(2);
        assertThat(BvssStructure.fewestVirtualSliceSets(16, 16 * 15)).isEqualTo(2);
        assertThat(BvssStructure.fewestVirtualSliceSets(1, 0)).isZero();
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.cuda.family.balls.BallRecords;
import io.proxima.backend.cuda.family.balls.BallsBfsKernel;
import io.proxima.backend.cuda.family.balls.PaddedNeighbours;
import io.proxima.backend.cuda.family.balls.WindowsBfsKernel;
import io.proxima.backend.cuda.family.bvss.BvssBatchKernels;
import io.proxima.backend.cuda.family.bvss.BvssBfsKernel;
import io.proxima.backend.cuda.family.bvss.BvssStructure;
import io.proxima.backend.cuda.family.bvss.TextbookBvss;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.VertexSlots;
import io.proxima.backend.device.kernel.BatchKernels;
import io.proxima.backend.device.kernel.Sums;
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
        ArrayLayout plan = BvssStructure.layout(1025, 200);
        // 129 slice sets: 130 pointers of 4 bytes are 520, so 768 with alignment
        assertThat(plan.at("realPtrs")).isZero();
        assertThat(plan.at("virtualToReal")).isEqualTo(768);
        assertThat(plan.at("rowIds")).isEqualTo(768 + 1024);
        assertThat(plan.at("masks")).isEqualTo(plan.at("rowIds") + 200 * 512);
        assertThat(plan.bytes()).isEqualTo(plan.at("masks") + 200 * 128);
        ArrayLayout lists = Csr.layout(1025, 5000);
        assertThat(lists.at("idx") - lists.at("ptrs")).isEqualTo(8448);
        assertThat(lists.bytes()).isEqualTo(lists.at("idx") + 20_224);
        assertThat(VertexSlots.bytes(1025)).isEqualTo(4352);
    }

    @Test
    void shouldPlaceTheStateOfASearch() {
        GraphSizes graph = GraphSizes.Bounds.of(new GraphShape(1025, 5000, false), 1);
        ArrayLayout plan = new BvssBfsKernel(BvssBfsKernel.Variant.AB).workspace(graph, 1, 0);
        assertThat(plan.at("sources"))
                .as("control blocks lie in front of the workspace")
                .isZero();
        assertThat(plan.at("stopTargets")).isEqualTo(plan.at("levels"));
        assertThat(plan.at("bitsA") - plan.at("levels")).isEqualTo(4352);
        // 33 words, in whole quads 36
        assertThat(plan.at("bitsB") - plan.at("bitsA")).isEqualTo(256);
        assertThat(plan.bytes() - plan.at("queueB")).isEqualTo(plan.at("queueB") - plan.at("queueA"));
    }

    @Test
    void shouldPlaceTheStateOfASearchByBalls() {
        GraphSizes graph = GraphSizes.Bounds.of(new GraphShape(1025, 5000, false), 1);
        ArrayLayout rows = new BallsBfsKernel(false).workspace(graph, 1, 0);
        assertThat(rows.at("levels")).isEqualTo(256);
        assertThat(rows.at("queue") - rows.at("levels")).isEqualTo(4352);
        assertThat(rows.at("queueAt")).isEqualTo(rows.at("spillA"));
        // five hubs of 1,024 neighbours at most
        assertThat(rows.at("hubEdges") - rows.at("hubs")).isEqualTo(256);
        assertThat(rows.bytes() - rows.at("hubEdges")).isEqualTo(256);
        ArrayLayout records = new BallsBfsKernel(true).workspace(graph, 1, 0);
        assertThat(records.at("spillA") - records.at("queueAt")).isEqualTo(4352);
        assertThat(records.bytes() - rows.bytes()).isEqualTo(4352);
        ArrayLayout plan = BallRecords.layout(1025, 3000);
        assertThat(plan.at("records")).isEqualTo(4352);
        assertThat(plan.bytes() - plan.at("records")).isEqualTo(roundUp(3000 * 32 + 1024));
        ArrayLayout bits = new WindowsBfsKernel(true).workspace(graph, 1, 0);
        assertThat(bits.at("visited") - bits.at("bits")).isEqualTo(26L * (1 << 15) * 4);
        assertThat(bits.at("hubs") - bits.at("visited")).isEqualTo((1L << 15) * 4);
        GraphSizes larger = GraphSizes.Bounds.of(new GraphShape((1 << 20) + 1, 5000, false), 1);
        ArrayLayout twoRounds = new WindowsBfsKernel(false).workspace(larger, 1, 0);
        assertThat(twoRounds.at("hubs") - twoRounds.at("visited")).isEqualTo((2L << 15) * 4);
        assertThat(PaddedNeighbours.bytes(1025, 3)).isEqualTo(roundUp(1025 * 8 * 4));
        assertThat(PaddedNeighbours.bytes(0, 2)).isEqualTo(256);
        assertThat(PaddedNeighbours.bytes(Csc.MAX_VERTICES, 5)).isGreaterThan(128L * Csc.MAX_VERTICES - 1);
        assertThat(BallRecords.layout(Csc.MAX_VERTICES, (1L << 32) - 1).bytes())
                .isGreaterThan(1L << 37);
    }

    @ParameterizedTest
    @CsvSource({"32, 1", "64, 2", "128, 4", "256, 8"})
    void shouldPlaceTheStateOfManySearches(int width, int words) {
        GraphSizes graph = GraphSizes.Bounds.of(new GraphShape(800, 5000, false), 1);
        BvssBatchKernels kernels = new BvssBatchKernels(256);
        ArrayLayout plan = kernels.workspace(graph, width, width, 2);
        assertThat(plan.at("frontier") - plan.at("levels")).isEqualTo(800L * width * 2);
        assertThat(plan.at("visited") - plan.at("frontier")).isEqualTo(roundUp(800L * words * 4));
        assertThat(plan.at("next") - plan.at("visited")).isEqualTo(roundUp(800L * words * 4));
        assertThat(plan.at("dirtySets") - plan.at("activeSets")).isEqualTo(roundUp(100L * words * 4));
        assertThat(plan.at("queueA") - plan.at("dirtySets")).isEqualTo(256);
        assertThat(kernels.workspace(graph, width, width, 0).bytes()).isEqualTo(plan.bytes() - 800L * width * 2);
    }

    @Test
    void shouldCountPast32Bits() {
        int n = Csc.MAX_VERTICES;
        GraphSizes graph = GraphSizes.Bounds.of(new GraphShape(n, 1L << 36, false), 1);
        assertThat(new BvssBatchKernels(256).workspace(graph, 256, 256, 4).bytes())
                .isGreaterThan(256L * 4 * n);
        assertThat(BvssStructure.layout(n, 1L << 31).bytes()).isGreaterThan((1L << 31) * 640);
        assertThat(Csr.layout(n, 1L << 36).bytes()).isGreaterThan(1L << 38);
        assertThat(Sums.levelCountBytes(n, 1 << 20)).isGreaterThanOrEqualTo((4L * n) << 20);
        assertThatThrownBy(() -> BvssStructure.layout(n, Long.MAX_VALUE / 128))
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

    @ParameterizedTest
    @CsvSource({"0, 1", "254, 1", "255, 2", "65534, 2", "65535, 4", "2147483646, 4"})
    void shouldKnowHowWideDistancesAre(long deepest, int bytes) {
        assertThat(BatchKernels.levelBytes(deepest)).isEqualTo(bytes);
    }

    private static long roundUp(long bytes) {
        return (bytes + 255) / 256 * 256;
    }
}

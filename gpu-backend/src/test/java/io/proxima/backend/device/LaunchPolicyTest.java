// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.papers.bvss.BvssBatchKernels;
import io.proxima.backend.papers.bvss.BvssStructure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchPolicyTest {

    @Test
    void shouldFillTheDeviceButNotMoreThanTheWork() {
        assertThat(BvssStructure.grid(4_000_000, 1_000_000).blocks(256, 4, 132)).isEqualTo(528);
        assertThat(BvssStructure.grid(1, 0).blocks(256, 4, 132)).isEqualTo(1);
        assertThat(BvssStructure.grid(257, 0).blocks(256, 4, 132)).isEqualTo(2);
        // eight warps a block, one a virtual slice set
        assertThat(BvssStructure.grid(8, 17).blocks(256, 4, 132)).isEqualTo(3);
        assertThat(BvssStructure.grid(Integer.MAX_VALUE, Integer.MAX_VALUE).blocks(256, 4, 132))
                .isEqualTo(528);
        assertThat(BvssStructure.grid(4_000_000, 0).withMostBlocks(2).blocks(256, 4, 132))
                .isEqualTo(264);
        assertThat(BvssStructure.grid(4_000_000, 0).withMostBlocks(2).blocks(256, 1, 132))
                .isEqualTo(132);
        assertThat(Grid.cooperative(1L << 40).blocks(512, 1, 132)).isEqualTo(132);
    }

    @ParameterizedTest
    @CsvSource({"1, 256, 32", "32, 256, 32", "33, 256, 64", "100, 256, 128", "256, 256, 256", "64, 64, 64"})
    void shouldTakeTheSmallestWidthThatHoldsTheBatch(int sources, int most, int width) {
        assertThat(BvssBatchKernels.width(sources, most)).isEqualTo(width);
    }

    @ParameterizedTest
    @CsvSource({"DEVICE, 0.8, proxima.device.memory-share", "RECORDS, 0.25, proxima.device.records-share"})
    void shouldReadAShareOfMemory(MemoryShare share, double shipped, String property) {
        assertThat(share.parse(null)).isEqualTo(shipped);
        assertThat(share.parse("0.3")).isEqualTo(0.3);
        assertThatThrownBy(() -> share.parse("much"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(property)
                .hasMessageContaining("much");
    }

    @Test
    void shouldTakeTheSharesOfTheMemory() {
        LaunchPolicy shipped = LaunchPolicy.shipped();
        assertThat(shipped.budget(1000)).isEqualTo(800);
        assertThat(shipped.recordBytes(1000)).isEqualTo(250);
        assertThat(MemoryShare.RECORDS.parse("0")).isZero();
        assertThat(shipped.withShares(1, 0).recordBytes(1000)).isZero();
        for (double share : new double[] {-0.1, 1.1, Double.NaN}) {
            assertThatThrownBy(() -> shipped.withShares(1, share))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("from 0 to 1");
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 1.5, Double.NaN})
    void shouldRefuseAShareThatIsNone(double share) {
        LaunchPolicy shipped = LaunchPolicy.shipped();
        assertThatThrownBy(() -> new LaunchPolicy(
                        share, 0, shipped.stagingBytes(), 256, 64, shipped.runsBeforePreparing(), shipped.defaults()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("above 0 and at most 1");
    }

    @ParameterizedTest
    @EnumSource(Operation.class)
    void shouldLeaveTinyGraphsAndTheComponentsOfAbsentOnesToTheCpu(Operation operation) {
        assertThat(LaunchPolicy.pays(new GraphShape(5, 10, true), operation, true))
                .isFalse();
        var large = new GraphShape(1 << 20, 1L << 24, true);
        assertThat(LaunchPolicy.pays(large, operation, true)).isTrue();
        assertThat(LaunchPolicy.pays(large, operation, false)).isEqualTo(operation != Operation.COMPONENTS);
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.GraphShape;
import io.proxima.backend.Operation;
import io.proxima.backend.papers.bvss.BvssBatchKernels;
import io.proxima.backend.papers.bvss.BvssStructure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

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

    @Test
    void shouldTakeTheSharesOfTheMemory() {
        LaunchPolicy shipped = LaunchPolicy.shipped(BackendSettings.DEFAULTS);
        assertThat(shipped.budget(1000)).isEqualTo(800);
        assertThat(shipped.recordBytes(1000)).isEqualTo(250);
        LaunchPolicy other = LaunchPolicy.shipped(BackendSettings.DEFAULTS.withShares(1, 0, 0));
        assertThat(other.budget(1000)).isEqualTo(1000);
        assertThat(other.recordBytes(1000)).isZero();
    }

    @ParameterizedTest
    @EnumSource(value = Operation.class, mode = EnumSource.Mode.EXCLUDE, names = "WEIGHTED_SEARCHES")
    void shouldLeaveTinyGraphsAndTheComponentsOfAbsentOnesToTheCpu(Operation operation) {
        assertThat(operation.pays(new GraphShape(5, 10, true), true)).isFalse();
        var large = new GraphShape(1 << 20, 1L << 24, true);
        assertThat(operation.pays(large, true)).isTrue();
        assertThat(operation.pays(large, false)).isEqualTo(operation != Operation.COMPONENTS);
    }
}

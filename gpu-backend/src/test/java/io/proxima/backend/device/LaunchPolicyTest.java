// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.BackendSettings;
import org.junit.jupiter.api.Test;

class LaunchPolicyTest {

    @Test
    void shouldFillTheDeviceButNotMoreThanTheWork() {
        assertThat(Grid.cooperative(32_000_000).blocks(256, 4, 132)).isEqualTo(528);
        assertThat(Grid.cooperative(0).blocks(256, 4, 132)).isEqualTo(1);
        assertThat(Grid.cooperative(256).blocks(256, 4, 132)).isEqualTo(1);
        assertThat(Grid.cooperative(257).blocks(256, 4, 132)).isEqualTo(2);
        assertThat(Grid.cooperative(4_000_000).withMostBlocks(2).blocks(256, 4, 132))
                .isEqualTo(264);
        assertThat(Grid.cooperative(4_000_000).withMostBlocks(2).blocks(256, 1, 132))
                .isEqualTo(132);
        assertThat(Grid.cooperative(1L << 40).blocks(512, 1, 132)).isEqualTo(132);
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
}

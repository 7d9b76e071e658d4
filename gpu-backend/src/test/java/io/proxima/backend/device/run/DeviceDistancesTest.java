// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.StoppedException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DeviceDistancesTest {

    /** The rows of a batch may take gigabytes. */
    @Test
    void shouldStopBetweenTheAllocationsOfRows() {
        AtomicInteger rows = new AtomicInteger(3);
        DeviceDistances distances = new DeviceDistances(1 << 18, 1, () -> rows.getAndDecrement() <= 0);
        assertThatThrownBy(() -> distances.reset(0, 256, 1, Byte.BYTES)).isInstanceOf(StoppedException.class);
    }
}

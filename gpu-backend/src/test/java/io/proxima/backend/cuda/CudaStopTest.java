// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.Operation;
import io.proxima.backend.RandomKill;
import io.proxima.backend.RunOptions;
import io.proxima.backend.StopContract;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.MappedBudget;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Killed runs on a real device under the checking wrapper: every kernel, on graphs where each takes long. */
@OnGpu
class CudaStopTest extends StopContract {

    private static final long PAGE_LOCKED = 4L << 30;

    @Override
    protected TraversalBackend backend() {
        return Gpu.backend();
    }

    @Override
    protected int vertices() {
        return 300_000;
    }

    @Override
    protected int killsOfARun() {
        return 4;
    }

    @Override
    protected List<RunOptions> options(Operation operation) {
        return everyKernel(operation, VertexOrder.NATURAL, VertexOrder.AUTO);
    }

    /** The driver page-locks this memory in seconds, and cannot be interrupted. */
    @Test
    void shouldEndSoonWhileMemoryIsPageLocked() {
        Device device = Gpu.backend(Gpu.mapping(
                        LaunchPolicy.shipped(BackendSettings.DEFAULTS), new MappedBudget(1, () -> PAGE_LOCKED)))
                .device();
        Random random = new Random(1);
        int killed = 0;
        long begin = System.nanoTime();
        for (int kill = 0; kill < 4; kill++) {
            killed += RandomKill.of(random).stops("page-locking", stop -> {
                        try (DeviceLease lease = device.lease(stop)) {
                            lease.allocateMapped(null, "lists", PAGE_LOCKED).close();
                            stop.check();
                        }
                    })
                    ? 1
                    : 0;
            FakeDeviceTestCase.awaitThat(() -> device.leases().length() == 0);
            assertThat(device.memory().use(0).mappedBytes()).isZero();
        }
        Gpu.report("page-locking " + PAGE_LOCKED + " bytes four times took "
                + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) + " ms");
        assertThat(killed).isPositive();
    }
}

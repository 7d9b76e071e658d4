// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Residences;
import io.proxima.backend.RunContext;
import io.proxima.backend.TextbookBfs;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.run.DeviceBackend;
import io.proxima.concurrent.Stop;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A kernel that reads where nothing is allocated, on a real device. In a JVM of its own: what else has the device's
 * context would find it broken.
 */
@Tag("gpu-fault")
class CudaFaultTest {

    private static final int[] NO_TARGETS = {};
    private static final RunContext CONTROL = RunContext.of(2);
    private static final long NOWHERE = 4096;

    @Test
    void shouldDropGraphsAndOpenTheDeviceAgainOrSayThatItIsLost() {
        Gpu.release();
        DeviceBackend backend = Gpu.backend();
        Csc csc = TestGraphs.rmat(16, 8, 5).toCsc(Orientation.UNDIRECTED, 2, Stop.NEVER);
        int[] levels = TextbookBfs.levels(csc, -1, 3);
        try (LoadedGraph graph = backend.load(csc)) {
            graph.farness(Set.of(), CONTROL);
            assertThat(Residences.residentOn(graph)).isEqualTo("cuda:0");
            assertThatThrownBy(() -> readNowhere(backend.device()))
                    .isInstanceOf(DeviceFailureException.class)
                    .hasMessageContaining("CUDA_ERROR_ILLEGAL_ADDRESS");
            assertThat(backend.info().available()).isFalse();
            assertThatThrownBy(() -> graph.bfs(3, -1, NO_TARGETS, CONTROL))
                    .isInstanceOf(DeviceFailureException.class)
                    .hasMessageContaining("The next call tries to open the device again");
        }
        assertThat(backend.device().memory().usedBytes()).isZero();
        String lost = backend.reopen();
        Gpu.report("after a fault of a kernel: " + (lost.isEmpty() ? "the device was opened again" : lost));
        if (lost.isEmpty()) {
            try (LoadedGraph graph = backend.load(csc)) {
                assertThat(graph.bfs(3, -1, NO_TARGETS, CONTROL).levels()).isEqualTo(levels);
            }
        } else {
            assertThat(lost).contains("could not be opened again", "restart the server");
            assertThat(backend.info().reason()).isEqualTo(lost);
        }
    }

    private static void readNowhere(Device device) {
        try (DeviceLease lease = device.lease(Stop.NEVER)) {
            lease.launchThreads(
                    1,
                    ShippedKernels.arguments("permute_rows_gather32_thread")
                            .set("in", NOWHERE)
                            .set("slotOfVertex", NOWHERE)
                            .set("out", NOWHERE)
                            .set("n", 1)
                            .set("first", 0)
                            .set("count", 1));
            lease.await();
        }
    }
}

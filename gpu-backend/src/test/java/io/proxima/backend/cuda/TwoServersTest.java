// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.DeviceUse;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.TextbookChecks;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.DriverException;
import io.proxima.backend.device.run.DeviceBackend;
import io.proxima.backend.device.run.DeviceProbe;
import io.proxima.concurrent.Stop;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two servers of one process on the same devices, each with its own settings. */
class TwoServersTest {

    private static final int ILLEGAL_ADDRESS = 700;
    private static final RunContext CONTROL = RunContext.of(1);

    private final FakeDriver driver = FakeDriver.hoppers(2, FakeDevices.PLENTY);
    private final DeviceProbe probe = FakeDevices.found(driver);
    private final CudaBackends one = FakeDevices.backends(probe, FakeDevices.ALL_MEMORY.withShares(0.5, 0.25, 0));
    private final CudaBackends another = FakeDevices.backends(
            probe, BackendSettings.DEFAULTS.withShares(0.25, 0, 0).withDevices(List.of(0)));

    @AfterEach
    void close() {
        one.close();
        another.close();
    }

    private static Device device(CudaBackends backends) {
        return ((DeviceBackend) backends.choose().backend()).device();
    }

    @Test
    void shouldGiveEachServerItsShareOfItsDevices() {
        assertThat(one.openAll()).hasSize(2);
        assertThat(another.openAll()).hasSize(1);
        assertThat(one.use()).extracting(DeviceUse::budgetBytes).containsOnly(FakeDevices.PLENTY / 2);
        assertThat(another.use()).extracting(DeviceUse::budgetBytes).containsExactly(FakeDevices.PLENTY / 4);
        assertThat(another.choose("cuda:1").reason()).startsWith("The setting server.proxima.devices excludes");
        assertThat(one.use().get(0).plus(another.use().get(0)).budgetBytes()).isEqualTo(FakeDevices.PLENTY * 3 / 4);
    }

    @Test
    void shouldQueueForOneLease() {
        Device first = device(one);
        Device second = device(another);
        CompletableFuture<Void> waiting;
        try (DeviceLease lease = first.lease(Stop.NEVER)) {
            waiting = CompletableFuture.runAsync(() -> second.lease(Stop.NEVER).close());
            FakeDeviceTestCase.awaitThat(first::isWanted);
            assertThat(waiting).isNotDone();
            lease.await();
        }
        waiting.join();
    }

    @Test
    void shouldReclaimMemoryThatAServerFreesWhileAnotherHasTheLease() {
        Device first = device(one);
        Device second = device(another);
        DeviceArray array;
        try (DeviceLease lease = second.lease(Stop.NEVER)) {
            array = lease.allocate(null, "an array", 1 << 20);
        }
        try (DeviceLease lease = first.lease(Stop.NEVER)) {
            CompletableFuture.runAsync(array::close).join();
            assertThat(second.memory().hasReturned()).isTrue();
            assertThat(first.isWanted()).isTrue();
            lease.await();
        }
        assertThat(second.memory().hasReturned()).isFalse();
    }

    /** The servers share the context of the driver, so that it is broken for both; only the first has noticed. */
    @Test
    void shouldOpenADeviceAgainThatHasFailedForAnotherServer() {
        List<DeviceDriver> opened = new ArrayList<>();
        DeviceProbe.Found found = new DeviceProbe.Found(0, driver.facts(0), "13.0", "", () -> {
            opened.add(driver.open(0));
            return opened.get(opened.size() - 1);
        });
        DeviceProbe watched = new DeviceProbe("13.0", "", List.of(found), probe.remedies());
        try (CudaBackends noticing = FakeDevices.backends(watched, FakeDevices.ALL_MEMORY);
                CudaBackends idle = FakeDevices.backends(watched, FakeDevices.ALL_MEMORY)) {
            Device first = device(noticing);
            Device second = device(idle);
            driver.device(0).fail(call -> call.equals("freeBytes") ? ILLEGAL_ADDRESS : 0);
            driver.device(1).fail(call -> call.equals("freeBytes") ? ILLEGAL_ADDRESS : 0);
            opened.get(1).enter();
            assertThatThrownBy(opened.get(1)::freeBytes).isInstanceOf(DriverException.class);
            assertThat(first.memory().freeBytes()).isZero();
            assertThat(second.lost()).isEmpty();
            first.reclaim();
            assertThat(second.lost()).isEqualTo(first.lost()).contains("CUDA_ERROR_700");
            assertThat(device(idle)).isNotSameAs(second);
            assertThat(device(noticing).lost()).isEmpty();
            assertThat(device(idle).lost()).isEmpty();
        }
    }

    @Test
    void shouldGoOnWhenAnotherServerReleasesTheDevices() {
        Csc csc = TestGraphs.rmat(10, 8, 3).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        try (LoadedGraph graph = one.choose().backend().load(csc)) {
            try (LoadedGraph same = another.choose().backend().load(csc)) {
                TextbookChecks.checkLevels(csc, same, 0, -1, CONTROL);
                assertThat(another.isInUse()).isTrue();
            }
            assertThat(another.isInUse()).isFalse();
            another.close();
            assertThat(one.isInUse()).isTrue();
            TextbookChecks.checkLevels(csc, graph, 0, -1, CONTROL);
        }
    }
}

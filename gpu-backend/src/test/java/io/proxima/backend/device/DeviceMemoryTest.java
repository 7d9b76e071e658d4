// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Residences;
import io.proxima.backend.RunContext;
import io.proxima.backend.Runs;
import io.proxima.backend.cuda.FakeDeviceTestCase;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.driver.CudaException;
import io.proxima.backend.cuda.fake.CheckedDriver;
import io.proxima.backend.device.graph.Placed;
import io.proxima.backend.device.graph.ResidentStructures.Contents;
import io.proxima.concurrent.Stop;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Orientation;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When freed memory goes back to the driver, and what happens if that fails. */
class DeviceMemoryTest extends FakeDeviceTestCase {

    private final Device device = backend.device();

    DeviceMemoryTest() {
        super(FakeDevices.policy());
    }

    @Test
    void shouldFreeMemoryOnceIfTheHeapIsFullMeanwhile() {
        AtomicInteger frees = new AtomicInteger();
        driver.fail(call -> {
            if (call.equals("free") && frees.incrementAndGet() == 2) {
                throw new OutOfMemoryError("simulated");
            }
            return 0;
        });
        assertThatThrownBy(() -> {
                    try (DeviceLease lease = device.lease(Stop.NEVER)) {
                        List.of(
                                        lease.allocate(null, "a", 100),
                                        lease.allocate(null, "b", 100),
                                        lease.allocate(null, "c", 100))
                                .forEach(DeviceArray::close);
                    }
                })
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(frees.get()).as("the second one is repeated").isEqualTo(4);
        assertThat(device.lost()).isEmpty();
        assertThat(driver.device().usedBytes()).isZero();
        assertThat(device.memory().usedBytes()).isZero();
    }

    @Test
    void shouldReclaimFreedMemoryForTheDriverItself() {
        try (DeviceLease lease = device.lease(Stop.NEVER)) {
            DeviceArray dropped = lease.allocate(null, "a graph", 1000);
            DeviceArray state = lease.allocate(null, "a search", 1000);
            dropped.close();
            driver.fail(call ->
                    call.equals("fill") && driver.device().usedBytes() > 1000 ? CudaException.OUT_OF_MEMORY : 0);
            lease.fill(state.address(), 0, 1000);
            state.close();
        }
        assertThat(driver.device().usedBytes()).isZero();
    }

    @Test
    void shouldKeepIdleGraphsIfEvictingThemIsNotEnough() {
        try (LoadedGraph idle = backend.load(TestGraphs.path(40).toCsc(Orientation.NATURAL, 1, Stop.NEVER))) {
            Runs.prepare(idle, RunContext.of(1));
            try (DeviceLease lease = device.lease(Stop.NEVER);
                    DeviceArray inUse = lease.allocate(null, "a graph in use", 1000)) {
                assertThatThrownBy(() ->
                                lease.allocate(null, "a search", device.memory().budget() - inUse.bytes() + 1))
                        .isInstanceOf(DeviceMemoryException.class);
                assertThat(Residences.bytes(idle)).isPositive();
            }
        }
    }

    /** Of a run, and of work in the background, which was promised nothing. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldPromiseNobodyWhatAnotherIsAllocating(boolean promised) {
        DeviceMemory memory = device.memory();
        AtomicLong room = new AtomicLong();
        driver.fail(call -> {
            if (call.equals("allocate")) {
                room.set(Placed.roomFor(device, Contents.none(false)));
            }
            return 0;
        });
        try (Promise run = promised ? memory.promise(1000, 0, 0) : null;
                DeviceLease lease = device.lease(Stop.NEVER)) {
            memory.withoutEvicting(() -> lease.allocate(run, "a graph", 1000).close());
        }
        assertThat(room.get()).isEqualTo(memory.budget() - 1000);
        assertThat(memory.isPromisedOnly(null)).isTrue();
    }

    @Test
    void shouldReleaseTheContextOfALostDeviceWhenItsLastRunEnds() {
        try (DeviceLease lease = device.lease(Stop.NEVER)) {
            DeviceArray array = lease.allocate(null, "a graph", 1000);
            driver.fail(call -> call.equals("fill") ? 719 : 0);
            assertThatThrownBy(() -> lease.fill(array.address(), 0, 1000)).isInstanceOf(DeviceFailureException.class);
            driver.fail(CheckedDriver.Faults.NONE);
            assertThat(backends.choose().reason()).contains("when its running calls have ended");
            assertThat(driver.device().isClosed()).isFalse();
        }
        assertThat(driver.device().isClosed()).isTrue();
    }

    @Test
    void shouldAnswerForADeviceThatIsReleased() {
        backends.close();
        assertThat(backend.info().freeBytes()).isZero();
        assertThatThrownBy(() -> device.memory().allocate(null, "a graph", 1000))
                .isInstanceOf(DeviceFailureException.class)
                .hasMessageContaining("has been released");
    }

    @Test
    void shouldReleaseTheContextOfAnIdleDeviceThatIsLost() {
        DeviceArray array;
        try (DeviceLease lease = device.lease(Stop.NEVER)) {
            array = lease.allocate(null, "a graph", 1000);
        }
        driver.fail(call -> call.equals("free") ? 719 : 0);
        array.close();
        assertThat(device.lost()).contains("719");
        assertThat(driver.device().isClosed()).isTrue();
        driver.fail(CheckedDriver.Faults.NONE);
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import io.proxima.backend.cuda.driver.Driver;
import io.proxima.backend.cuda.driver.JcudaDriver;
import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.DeviceFacts;

/**
 * The driver of a server under test, which a jar in its plugins folder offers: one fake device, or those of the host,
 * under {@link CheckedDriver}, with calls that fail at random. System properties of the server say how:
 *
 * <ul>
 *   <li>{@code proxima.test.driver}: {@code fake}, also when absent, or {@code host};
 *   <li>{@code proxima.test.driver.bytes}: memory of the fake device;
 *   <li>{@code proxima.test.driver.seed}: of the faults;
 *   <li>{@code proxima.test.driver.short}: one in so many allocations, launches and loads of code is short of memory;
 *   <li>{@code proxima.test.driver.failures}: one in so many calls loses the device;
 *   <li>{@code proxima.test.driver.losses}: the most calls that do.
 * </ul>
 */
public final class FailingDriver implements Driver {

    private static final String PREFIX = "proxima.test.driver";
    private static final long BYTES = 64L << 20;

    private final Driver driver;
    private final CheckedDriver.Faults faults;

    /** Called by the service loader. */
    public FailingDriver() {
        this.faults = RandomFaults.withLosses(
                Integer.getInteger(PREFIX + ".losses", RandomFaults.NEVER),
                RandomFaults.of(
                        Long.getLong(PREFIX + ".seed", 1),
                        Integer.getInteger(PREFIX + ".short", RandomFaults.NEVER),
                        RandomFaults.NEVER,
                        Integer.getInteger(PREFIX + ".failures", RandomFaults.NEVER)));
        String kind = System.getProperty(PREFIX, "fake");
        this.driver = switch (kind) {
            case "fake" -> fake(faults);
            case "host" -> new JcudaDriver();
            default -> throw new IllegalArgumentException(PREFIX + " must be fake or host: " + kind);
        };
    }

    private static Driver fake(CheckedDriver.Faults faults) {
        FakeDriver fake = new FakeDriver(
                13_000, new DeviceFacts("Fake A100", 8, 0, 4, true, 163 << 10, Long.getLong(PREFIX + ".bytes", BYTES)));
        fake.fail(faults);
        return fake;
    }

    @Override
    public int version() {
        return driver.version();
    }

    @Override
    public int deviceCount() {
        return driver.deviceCount();
    }

    @Override
    public DeviceFacts facts(int ordinal) {
        return driver.facts(ordinal);
    }

    @Override
    public DeviceDriver open(int ordinal) {
        DeviceDriver device = driver.open(ordinal);
        // fake devices are under one already
        return driver instanceof FakeDriver ? device : new CheckedDriver(device, faults);
    }
}

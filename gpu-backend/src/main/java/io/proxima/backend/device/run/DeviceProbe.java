// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.DeviceFacts;
import io.proxima.backend.device.LeaseQueue;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * What a driver reports of the devices of this host, before one is opened.
 *
 * @param driverVersion of all devices; empty if it is not known
 * @param reason why no device can be used, and the remedy; empty if there are devices
 * @param devices all devices in the driver's order, including unusable ones
 * @param remedies what a user can do about a device in trouble
 */
public record DeviceProbe(String driverVersion, String reason, List<Found> devices, DeviceDriver.Remedies remedies) {

    /**
     * A device.
     *
     * @param ordinal the driver's number of the device
     * @param facts its attributes
     * @param driverVersion the version of its driver
     * @param reason why the device cannot be used, and the remedy; empty if it can
     * @param opening opens the device
     * @param leases the queue of all who open the device
     */
    public record Found(
            int ordinal,
            DeviceFacts facts,
            String driverVersion,
            String reason,
            Supplier<DeviceDriver> opening,
            LeaseQueue leases) {

        /** A device for which nobody waits. */
        public Found(
                int ordinal, DeviceFacts facts, String driverVersion, String reason, Supplier<DeviceDriver> opening) {
            this(ordinal, facts, driverVersion, reason, opening, new LeaseQueue());
        }
    }

    /** Probes at the first call: a process has each device once, and all its servers queue for it. */
    public static Supplier<DeviceProbe> once(Supplier<DeviceProbe> probing) {
        AtomicReference<DeviceProbe> found = new AtomicReference<>();
        return () -> {
            synchronized (found) {
                if (found.get() == null) {
                    found.set(probing.get());
                }
                return found.get();
            }
        };
    }
}

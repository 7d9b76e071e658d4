// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.DriverException;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.kernel.KernelFamilies;
import java.util.Locale;

/**
 * Opens devices.
 *
 * @param mapped the budget of mapped memory of all devices
 */
record DeviceOpener(KernelFamilies families, LaunchPolicy policy, MappedBudget mapped) {

    /**
     * The backend of a device that is opened now.
     *
     * @throws DeviceFailureException if the device cannot be used now; the message says why and what to do
     */
    DeviceBackend open(String name, DeviceProbe.Found found, DeviceDriver.Remedies remedies) {
        return new DeviceBackend(families, () -> device(name, found, remedies), policy.settings(), System::nanoTime);
    }

    private Device device(String name, DeviceProbe.Found found, DeviceDriver.Remedies remedies) {
        Device device;
        try {
            DeviceDriver driver = found.opening().get();
            device = new Device(name, found.facts(), found.driverVersion(), driver, policy, mapped, found.leases());
        } catch (DriverException e) {
            // a driver does not say which of the two is short
            String remedy = e.isOutOfMemory()
                    ? " The host has too little memory that can be page-locked, or the device is full. "
                            + remedies.findUsers() + ", or use backend: 'cpu'."
                    : " Use backend: 'cpu'.";
            throw new DeviceFailureException(e.getMessage() + remedy);
        }
        boolean usable = false;
        try {
            requireUsable(device, found, remedies);
            usable = true;
            return device;
        } finally {
            if (!usable) {
                device.close();
            }
        }
    }

    private static void requireUsable(Device device, DeviceProbe.Found found, DeviceDriver.Remedies remedies) {
        long free = device.memory().availableBytes();
        if (!device.lost().isEmpty()) {
            throw new DeviceFailureException(device.lost() + " Use backend: 'cpu'.");
        }
        if (free < Math.min(LaunchPolicy.LEAST_FREE_BYTES, device.memory().budget())) {
            throw new DeviceFailureException(full(found, free, remedies));
        }
    }

    private static String full(DeviceProbe.Found found, long free, DeviceDriver.Remedies remedies) {
        return String.format(
                Locale.ROOT,
                "The device is full: only %,d of %,d bytes are free. %s, or use backend: 'cpu'.",
                free,
                found.facts().totalBytes(),
                remedies.findUsers());
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.DriverException;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.MemoryShare;
import io.proxima.backend.device.kernel.KernelFamilies;
import io.proxima.memory.HeapBudget;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Opens devices under the limits of this host. Limits and {@link #open} must not be called at the same time. */
final class DeviceOpener {

    private final KernelFamilies families;
    private final Supplier<LaunchPolicy> policy;
    private final MappedBudget mapped;
    private final AtomicReference<HeapBudget> heap = new AtomicReference<>(HeapBudget.UNLIMITED);
    private final AtomicReference<Consumer<String>> log = new AtomicReference<>(sentence -> {});
    private final Map<MemoryShare, Double> limits = new EnumMap<>(MemoryShare.class);

    DeviceOpener(KernelFamilies families, Supplier<LaunchPolicy> policy, MappedBudget mapped) {
        this.families = families;
        this.policy = policy;
        this.mapped = mapped;
    }

    /** See {@link DeviceBackends#limit}. */
    void limit(MemoryShare which, double share) {
        which.require(share);
        limits.put(which, share);
    }

    /** See {@link DeviceBackends#reserveFrom}; open devices, too, use the new budget. */
    void reserveFrom(HeapBudget budget) {
        heap.set(budget);
    }

    /** See {@link DeviceBackends#logTo}; open devices, too, use the new receiver. */
    void logTo(Consumer<String> lines) {
        log.set(lines);
    }

    /**
     * The backend of a device that is opened now.
     *
     * @throws DeviceFailureException if the device cannot be used now; the message says why and what to do
     */
    DeviceBackend open(String name, DeviceProbe.Found found, DeviceDriver.Remedies remedies) {
        return new DeviceBackend(
                families,
                () -> device(name, found, remedies),
                heap::get,
                sentence -> log.get().accept(sentence),
                System::nanoTime);
    }

    private Device device(String name, DeviceProbe.Found found, DeviceDriver.Remedies remedies) {
        Device device;
        try {
            // before the device is opened, because a property may have an invalid value
            LaunchPolicy limited = policy();
            DeviceDriver driver = found.opening().get();
            device = new Device(name, found.facts(), found.driverVersion(), driver, limited, mapped);
        } catch (DriverException e) {
            throw new DeviceFailureException(
                    e.isOutOfMemory() ? full(found, 0, remedies) : e.getMessage() + " Use backend: 'cpu'.");
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

    private LaunchPolicy policy() {
        try {
            LaunchPolicy given = policy.get();
            return given.withShares(
                    limits.getOrDefault(MemoryShare.DEVICE, given.memoryShare()),
                    limits.getOrDefault(MemoryShare.RECORDS, given.recordsShare()));
        } catch (IllegalArgumentException e) {
            throw new DeviceFailureException("The device is not opened, because a system property is invalid: "
                    + e.getMessage() + ". Correct it and restart the JVM, or use backend: 'cpu'.");
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

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.run;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.RunControl;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The devices that share the sources of a run. One that fails leaves, and its ranges are open again for the others. For one
 * thread at a time.
 */
final class DeviceTeam<T extends DevicePart> {

    private final RunControl control;
    private final Consumer<T> repeatElsewhere;
    private final List<T> remaining;
    private final List<RuntimeException> failures = new ArrayList<>();

    /**
     * A team.
     *
     * @param all not empty
     * @param repeatElsewhere opens the ranges of a device that fails; called by any thread
     */
    DeviceTeam(List<T> all, RunControl control, Consumer<T> repeatElsewhere) {
        this.control = control;
        this.repeatElsewhere = repeatElsewhere;
        this.remaining = new ArrayList<>(all);
    }

    /** The devices that have not failed. */
    List<T> remaining() {
        return List.copyOf(remaining);
    }

    /**
     * Works on all devices side by side.
     *
     * @throws DeviceMemoryException if no device is left
     * @throws DeviceFailureException if no device is left
     */
    void onEach(BiConsumer<T, Stop> work) {
        List<T> devices = remaining();
        RuntimeException[] failed = new RuntimeException[devices.size()];
        Workers.run(devices.size(), control.stop(), (worker, stop) -> {
            T device = devices.get(worker);
            try {
                work.accept(device, stop);
            } catch (DeviceMemoryException | DeviceFailureException e) {
                failed[worker] = e;
                repeatElsewhere.accept(device);
            }
        });
        for (int i = 0; i < failed.length; i++) {
            if (failed[i] != null) {
                leave(devices.get(i), failed[i]);
            }
        }
    }

    /** Reads from one device after the other. Returns false if one of them fails. */
    boolean read(Consumer<T> reading) {
        for (T device : remaining()) {
            try {
                reading.accept(device);
            } catch (DeviceMemoryException | DeviceFailureException e) {
                repeatElsewhere.accept(device);
                leave(device, e);
                return false;
            }
        }
        return true;
    }

    /** Goes on without a device; throws the failure of all if it is the last. */
    void leave(T device, RuntimeException failure) {
        remaining.remove(device);
        failures.add(failure);
        if (remaining.isEmpty()) {
            throw DevicePart.failureOfAll(failures);
        }
        DevicePart.tellLoss(control.observer(), remaining, device, failure);
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.DeviceMemoryException;
import java.util.Locale;

/** The errors of a device with too little memory. */
record MemoryShortage(String deviceName, long budget, MappedBudget mapped) {

    private static final String REMEDY =
            ". Drop graphs that are not needed, raise server.proxima.device_memory_share or"
                    + " server.proxima.mapped_memory_share in neo4j.conf (outside Neo4j -D"
                    + BackendSettings.DEVICE_SHARE + " or -D" + BackendSettings.MAPPED_SHARE
                    + "), or use backend: 'cpu'.";

    /**
     * A run does not fit.
     *
     * @param bytes the maximum bytes of its structures and its workspace
     * @param room bytes of the device that it could have
     * @param kernelAsked whether the caller has asked for its kernel
     */
    DeviceMemoryException ofRun(long bytes, long room, boolean kernelAsked) {
        return error("this run: its structures and its workspace take up to " + shown(bytes) + ", but " + shown(room)
                + " can be freed"
                + (kernelAsked ? ". Leave out 'kernel', because other kernels may take less" : ""));
    }

    /** An allocation exceeds the budget of the device. */
    DeviceMemoryException ofBudget(String what, long bytes, long used) {
        return error(what + ": " + shown(bytes) + " are required, but Proxima uses " + shown(used)
                + " of its budget of " + shown(budget));
    }

    /** The driver cannot allocate memory. */
    DeviceMemoryException ofDriver(String what, long bytes, long used, long free) {
        return error(what + ": " + shown(bytes) + " are required, but the driver reports " + shown(free)
                + " free, and Proxima uses " + shown(used));
    }

    /** An allocation exceeds the budget of mapped memory. */
    DeviceMemoryException ofMappedBudget(String what, long bytes) {
        return ofHost(what, bytes, "of their budget, " + shown(mapped.usedBytes()) + " are in use");
    }

    /** The driver cannot page-lock memory. */
    DeviceMemoryException ofPageLocking(String what, long bytes) {
        return ofHost(what, bytes, "the driver cannot page-lock as much");
    }

    private DeviceMemoryException ofHost(String what, long bytes, String limit) {
        return error(what + ", and so has the host: its lists of neighbours take " + shown(bytes)
                + " of mapped host memory, but " + limit);
    }

    private DeviceMemoryException error(String what) {
        return new DeviceMemoryException("Device " + deviceName + " has too little memory for " + what
                + ". The budgets are " + shown(budget) + " on the device and " + shown(mapped.bytes())
                + " of mapped host memory, in which lists of neighbours may lie instead" + REMEDY);
    }

    private static String shown(long bytes) {
        return String.format(Locale.ROOT, "%,d bytes", bytes);
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import io.proxima.concurrent.Closing;
import java.util.HashMap;
import java.util.Map;

/** The kernels that are loaded on a device. For the holder of the lease. */
final class KernelCode implements AutoCloseable {

    private final DeviceDriver driver;
    private final Map<String, DeviceDriver.Module> modules = new HashMap<>();
    private final Map<String, DeviceDriver.Function> functions = new HashMap<>();

    KernelCode(DeviceDriver driver) {
        this.driver = driver;
    }

    /** A kernel; loads its module at the first call. */
    DeviceDriver.Function function(KernelInterface.Entry entry) {
        return functions.computeIfAbsent(
                entry.name(),
                name -> modules.computeIfAbsent(entry.module(), driver::load).function(name));
    }

    @Override
    public void close() {
        Closing.all(modules.values().iterator(), DeviceDriver.Module::close);
    }
}

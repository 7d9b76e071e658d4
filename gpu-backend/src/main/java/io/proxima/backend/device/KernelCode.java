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
        DeviceDriver.Function known = functions.get(entry.name());
        if (known != null) {
            return known;
        }
        DeviceDriver.Module loaded = modules.get(entry.module());
        if (loaded == null) {
            loaded = driver.load(entry.module());
            modules.put(entry.module(), loaded);
        }
        DeviceDriver.Function function = loaded.function(entry.name());
        functions.put(entry.name(), function);
        return function;
    }

    @Override
    public void close() {
        Closing.all(modules.values().iterator(), DeviceDriver.Module::close);
    }
}

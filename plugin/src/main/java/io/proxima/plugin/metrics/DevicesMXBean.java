// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.metrics;

import io.proxima.backend.DeviceUse;
import io.proxima.backend.select.TraversalBackends;
import java.util.Map;
import java.util.TreeMap;

/** The GPUs that this JVM uses. A device is listed, and its counters start, when it is first used. */
public interface DevicesMXBean {
    /** The devices by backend name, as in {@code proxima.backend.list}. */
    default Map<String, DeviceUse> getByName() {
        Map<String, DeviceUse> uses = new TreeMap<>();
        TraversalBackends.deviceUse().forEach(use -> uses.put(use.name(), use));
        return uses;
    }
}

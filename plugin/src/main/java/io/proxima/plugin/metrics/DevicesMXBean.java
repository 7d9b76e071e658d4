// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.metrics;

import io.proxima.backend.DeviceUse;
import java.util.Map;

/** The GPUs that this JVM uses. A device is listed, and its counters start, when it is first used. */
@FunctionalInterface
public interface DevicesMXBean {
    /**
     * The devices by backend name, as in {@code proxima.backend.list}. Servers that use the same device are added up.
     */
    Map<String, DeviceUse> getByName();
}

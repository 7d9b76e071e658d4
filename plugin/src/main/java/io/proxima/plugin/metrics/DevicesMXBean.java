/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.plugin.metrics;

import java.util.Map;

/** The GPUs that this JVM uses. A device is here from its first use on; its counts begin then. */
public interface DevicesMXBean {
    /** The devices by the names of their backends, as in {@code proxima.backend.list}. */
    Map<String, Use> getByName();

    /** How one device is used. */
    interface Use {
        /** The device's memory, in bytes. */
        long getTotalBytes();

        /** What of it Proxima may hold, in bytes. */
        long getBudgetBytes();

        /** What of it Proxima holds, in bytes. */
        long getUsedBytes();

        /** How often a call found its graph on the device. */
        long getHits();

        /** How often a call had to bring its graph there. */
        long getMisses();

        /** How often something idle was moved out to make room. */
        long getEvictions();

        /** Bytes copied to the device. */
        long getUploadedBytes();
    }
}

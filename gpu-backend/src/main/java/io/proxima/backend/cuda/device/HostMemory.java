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
package io.proxima.backend.cuda.device;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory of this host, or of the container in which the JVM runs. */
final class HostMemory {

    private static final Path MEMINFO = Path.of("/proc/meminfo");
    private static final String TOTAL = "MemTotal:";
    private static final String AVAILABLE = "MemAvailable:";

    private HostMemory() {}

    /**
     * Bytes that can be allocated now without swapping, beside the heap that the JVM has reserved and not used yet; 0 if
     * that is unknown.
     */
    static long freeBytes() {
        if (!(ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system)) {
            return 0;
        }
        long free = freeBytes(meminfo(), system.getTotalMemorySize(), system.getFreeMemorySize());
        Runtime jvm = Runtime.getRuntime();
        return Math.max(0, free - (jvm.maxMemory() - jvm.totalMemory()));
    }

    /**
     * Bytes that can be allocated now without swapping.
     *
     * @param meminfo the file of the kernel; empty if there is none
     * @param total memory of the JVM's container, or of the host
     * @param free the free part of {@code total}, which on a host does not include the page cache
     */
    static long freeBytes(String meminfo, long total, long free) {
        long hostTotal = bytes(meminfo, TOTAL);
        long available = bytes(meminfo, AVAILABLE);
        boolean contained = total < hostTotal;
        return contained || available == 0 ? free : available;
    }

    private static String meminfo() {
        try {
            return Files.readString(MEMINFO, StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }

    /** The value of a line, such as "MemTotal:  1024 kB"; 0 if there is none. */
    private static long bytes(String meminfo, String key) {
        for (String line : meminfo.split("\n", -1)) {
            if (line.startsWith(key)) {
                String[] words = line.substring(key.length()).strip().split(" ", 2);
                return Long.parseLong(words[0]) << 10;
            }
        }
        return 0;
    }
}

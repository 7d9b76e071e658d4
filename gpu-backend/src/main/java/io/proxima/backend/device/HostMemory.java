// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The memory of this host, or of the container in which the JVM runs. */
final class HostMemory {

    private static final Path MEMINFO = Path.of("/proc/meminfo");
    private static final String TOTAL = "MemTotal:";
    private static final String AVAILABLE = "MemAvailable:";

    private static final Path OWN_CGROUPS = Path.of("/proc/self/cgroup");
    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
    // of the second version of cgroups, and the sum over a hierarchy of the first
    private static final List<String> PAGE_CACHE = List.of("inactive_file ", "total_inactive_file ");

    private HostMemory() {}

    /**
     * Bytes that can be allocated now without swapping, beside the heap that the JVM has reserved and not used yet; 0
     * if that is unknown.
     */
    static long freeBytes() {
        if (!(ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system)) {
            return 0;
        }
        long free = freeBytes(text(MEMINFO), memoryStat(), system.getTotalMemorySize(), system.getFreeMemorySize());
        Runtime jvm = Runtime.getRuntime();
        return Math.max(0, free - (jvm.maxMemory() - jvm.totalMemory()));
    }

    /**
     * Bytes that can be allocated now without swapping.
     *
     * @param meminfo the file of the kernel; empty if there is none
     * @param memoryStat the file of the JVM's cgroup; empty if there is none
     * @param total memory of the JVM's container, or of the host
     * @param free the free part of {@code total}, which does not include the page cache
     */
    static long freeBytes(String meminfo, String memoryStat, long total, long free) {
        long hostTotal = number(meminfo, TOTAL) << 10;
        long available = number(meminfo, AVAILABLE) << 10;
        if (total >= hostTotal) {
            return available == 0 ? free : available;
        }
        long cache = PAGE_CACHE.stream()
                .mapToLong(key -> number(memoryStat, key))
                .max()
                .orElse(0);
        long inContainer = Math.min(total, free + cache);
        return available == 0 ? inContainer : Math.min(inContainer, available);
    }

    private static String memoryStat() {
        return memoryStat(text(OWN_CGROUPS), CGROUPS);
    }

    /**
     * The file {@code memory.stat} of a cgroup; empty if there is none.
     *
     * @param ownCgroups the cgroups of a process: lines such as "0::/system.slice/neo4j.service"
     * @param cgroups where cgroups are mounted
     */
    static String memoryStat(String ownCgroups, Path cgroups) {
        for (String line : ownCgroups.split("\n", -1)) {
            String[] fields = line.split(":", 3);
            if (fields.length == 3 && (fields[1].isEmpty() || fields[1].equals("memory"))) {
                Path file = Path.of(cgroups.toString(), fields[1], fields[2], "memory.stat");
                if (Files.exists(file)) {
                    return text(file);
                }
            }
        }
        return "";
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }

    /** The number in a line, such as "MemTotal:  1024 kB"; 0 if there is none. */
    private static long number(String text, String key) {
        for (String line : text.split("\n", -1)) {
            if (line.startsWith(key)) {
                String[] words = line.substring(key.length()).strip().split(" ", 2);
                return Long.parseLong(words[0]);
            }
        }
        return 0;
    }
}

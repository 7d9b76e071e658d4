// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostMemoryTest {

    private static final String MEMINFO =
            "MemTotal:        1000 kB\nMemFree:          100 kB\nMemAvailable:     600 kB\n";

    @Test
    void shouldCountThePageCacheAsFreeAndKeepToTheContainer() {
        assertThat(HostMemory.freeBytes(MEMINFO, "", 1000L << 10, 100L << 10)).isEqualTo(600L << 10);
        assertThat(HostMemory.freeBytes(MEMINFO, "", 500L << 10, 50L << 10)).isEqualTo(50L << 10);
        assertThat(HostMemory.freeBytes("", "", 1000, 100)).isEqualTo(100);
    }

    @Test
    void shouldCountThePageCacheOfAContainerAsFree() {
        for (String key : new String[] {"inactive_file", "total_inactive_file"}) {
            String stat = "anon 1\n" + key + " " + (300L << 10) + "\nactive_file 7\n";
            assertThat(HostMemory.freeBytes(MEMINFO, stat, 500 << 10, 50 << 10)).isEqualTo(350 << 10);
            // neither more than the limit nor more than the host has
            long free = 400 << 10;
            assertThat(HostMemory.freeBytes(MEMINFO, stat, 500 << 10, free)).isEqualTo(500 << 10);
            assertThat(HostMemory.freeBytes(MEMINFO, stat, 900 << 10, free)).isEqualTo(600 << 10);
        }
    }

    @Test
    void shouldReadTheFileOfTheOwnCgroup(@TempDir Path cgroups) throws IOException {
        for (String folder : new String[] {"system.slice/neo4j.service", "memory/docker"}) {
            Files.createDirectories(cgroups.resolve(folder));
            Files.writeString(cgroups.resolve(folder).resolve("memory.stat"), folder);
        }
        assertThat(HostMemory.memoryStat("0::/system.slice/neo4j.service\n", cgroups))
                .isEqualTo("system.slice/neo4j.service");
        assertThat(HostMemory.memoryStat("12:cpu,cpuacct:/docker\n3:memory:/docker\n", cgroups))
                .isEqualTo("memory/docker");
        assertThat(HostMemory.memoryStat("0::/other\n", cgroups)).isEmpty();
        assertThat(HostMemory.memoryStat("", cgroups)).isEmpty();
    }
}

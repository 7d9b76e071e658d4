// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.plugin.files.KeptFiles.Owner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.neo4j.configuration.Config;

class DiskSpaceTest {

    @Test
    void shouldLeaveHalfOfWhatOtherCallsLeave(@TempDir Path folder) throws IOException {
        long free = Files.getFileStore(folder).getUsableSpace();
        long most = free / 20 * 9;
        DiskSpace first = reserve(folder, most);
        assertThatThrownBy(() -> reserve(folder, most))
                .hasMessageMatching("The file would take " + most + " bytes, more than half of the \\d+ bytes that are"
                        + " free in \\Q" + folder + "\\E, without the " + most
                        + " bytes that running calls have reserved\\. Delete files\\.");
        try (DiskSpace less = reserve(folder, free / 5)) {
            assertThat(less).isNotSameAs(first);
        }
        first.close();
        first.close();
        reserve(folder, most).close();
        assertThatThrownBy(() -> reserve(folder, free / 20 * 11))
                .hasMessageMatching(".*bytes that are free in \\Q" + folder + "\\E\\. Delete files\\.");
    }

    @Test
    void shouldLimitTheSizeOfAllFiles(@TempDir Path folder) throws IOException {
        KeptFiles files = new KeptFiles(folder, null, Duration.ZERO, 1_000, Stop.NEVER);
        Owner run = new Owner("neo4j", "ann", "night");
        files.recordOwner(run);
        Files.write(files.ofRun(run), new byte[300]);
        DiskSpace other = DiskSpace.reserve(files, folder, 600, "The file", "Drop files.");
        assertThatThrownBy(() -> DiskSpace.reserve(files, folder, 101, "The file", "Drop files."))
                .hasMessage(
                        "The file would take 101 bytes, but files take 300 and running calls have reserved 600 of the"
                                + " 1000 bytes that the setting `server.proxima.files_max_bytes` allows. Drop files.");
        DiskSpace.reserve(files, folder, 100, "The file", "Drop files.").close();
        other.close();
    }

    @Test
    void shouldMakeNobodyWaitForALookAtManyFiles(@TempDir Path folder) throws IOException {
        Files.write(folder.resolve("a.sums"), new byte[1]);
        AtomicInteger looks = new AtomicInteger();
        KeptFiles slow = new KeptFiles(folder, null, Duration.ZERO, 1_000, () -> {
            // while one call looks at the files, another one reserves
            Thread other = new Thread(() -> reserve(folder, 1).close());
            other.start();
            try {
                other.join(20_000);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            assertThat(other.isAlive()).isFalse();
            looks.incrementAndGet();
            return false;
        });
        DiskSpace.reserve(slow, folder, 100, "The file", "Drop files.").close();
        assertThat(looks.get()).isPositive();
    }

    @Test
    void shouldReserveNothingWhenStopped(@TempDir Path folder) throws IOException {
        Files.write(folder.resolve("a.sums"), new byte[1]);
        KeptFiles stopped = new KeptFiles(folder, null, Duration.ZERO, 1_000, () -> true);
        assertThatThrownBy(() -> DiskSpace.reserve(stopped, folder, 900, "The file", "Drop files."))
                .isInstanceOf(StoppedException.class);
        KeptFiles files = new KeptFiles(folder, null, Duration.ZERO, 1_000, Stop.NEVER);
        DiskSpace.reserve(files, folder, 900, "The file", "Drop files.").close();
    }

    private static DiskSpace reserve(Path folder, long bytes) {
        return DiskSpace.reserve(
                KeptFiles.of(Config.defaults(), Stop.NEVER), folder, bytes, "The file", "Delete files.");
    }
}

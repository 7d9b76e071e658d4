// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.plugin.files.KeptFiles.KeptFile;
import io.proxima.plugin.files.KeptFiles.Owner;
import io.proxima.plugin.server.ProximaSettings;
import io.proxima.projection.file.CompleteFile;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.neo4j.configuration.Config;
import org.neo4j.configuration.GraphDatabaseSettings;

class KeptFilesTest {

    private static final Owner NIGHT = new Owner("neo4j", "ann", "night / \u00e9");
    private static final Owner DAY = new Owner("neo4j", "bob", "day");

    @TempDir
    private Path home;

    private final List<String> log = new ArrayList<>();

    private KeptFiles files() {
        return files(ProximaSettings.RESUME_MAX_AGE.defaultValue());
    }

    private KeptFiles files(Duration maxAge) {
        return KeptFiles.of(
                Config.defaults(Map.of(
                        GraphDatabaseSettings.data_directory, home,
                        ProximaSettings.EXPORT_DIRECTORY,
                                home.resolve("exports").toString(),
                        ProximaSettings.RESUME_MAX_AGE, maxAge)),
                Stop.NEVER);
    }

    private Path write(Owner run, Duration age) throws IOException {
        files().recordOwner(run);
        Path file = Files.write(files().ofRun(run), new byte[10]);
        return Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
    }

    private List<Path> all() throws IOException {
        try (Stream<Path> paths = Files.walk(home)) {
            return paths.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void shouldListNothingWithoutFolders() throws IOException {
        assertThat(files().list()).isEmpty();
        files().tidy(log::add);
        assertThat(log).isEmpty();
    }

    @Test
    void shouldTellWhoseAFileIs() throws IOException {
        write(NIGHT, Duration.ZERO);
        write(DAY, Duration.ZERO);
        Path unknown = Files.write(files().ofRun(DAY).resolveSibling("0".repeat(64) + ".sums"), new byte[5]);
        assertThat(files().list()).extracting(KeptFile::owner).containsExactlyInAnyOrder(NIGHT, DAY, null);
        assertThat(files().bytes()).isEqualTo(25);
        for (KeptFile file : files().list()) {
            files().delete(file);
        }
        assertThat(unknown).doesNotExist();
        assertThat(all()).isEmpty();
    }

    @Test
    void shouldListFilesWhileOthersAreDeletedUnlessStopped() throws IOException {
        for (int i = 0; i < 3; i++) {
            Files.createFile(home.resolve(i + ".sums"));
        }
        assertThatThrownBy(new KeptFiles(home, null, Duration.ZERO, 0, () -> true)::list)
                .isInstanceOf(StoppedException.class);
        List<Path> found = files().files(home, 1, name -> {
            boolean listed = name.endsWith(".sums");
            Stream.of(home.toFile().listFiles())
                    .filter(file -> listed && !file.getName().equals(name))
                    .forEach(File::delete);
            return listed;
        });
        assertThat(found).hasSize(1);
    }

    @Test
    void shouldDeleteWhatACrashHasLeft() throws IOException {
        Path kept = write(NIGHT, Duration.ZERO);
        Path folder = Files.createDirectories(home.resolve("exports/deep"));
        List<Path> left = List.of(
                kept.resolveSibling("x1.unfinished"), folder.resolve("g.proxima2.unfinished"), files().ofRun(DAY));
        for (Path file : left) {
            Files.write(file, new byte[1]);
        }
        files().recordOwner(DAY);
        Files.delete(left.get(2));
        Path other = Files.write(folder.resolve("people.csv"), new byte[1]);
        Path written = folder.resolve("h.proxima");

        CompleteFile.write(written, channel -> {
            files().tidy(log::add);
            CompleteFile.writeFully(channel, ByteBuffer.allocate(1), 0);
        });

        assertThat(all()).hasSize(4).contains(kept, other, written);
        assertThat(files().list()).extracting(KeptFile::owner).containsExactly(NIGHT);
        assertThat(log)
                .hasSize(2)
                .allMatch(line -> line.endsWith(".unfinished, which was not complete when the server ended."));
    }

    @Test
    void shouldDeleteRunsThatHaveNotBeenContinuedForTooLong() throws IOException {
        Path old = write(NIGHT, Duration.ofDays(31));
        Path young = write(DAY, Duration.ofDays(29));
        files(Duration.ZERO).tidy(log::add);
        assertThat(old).exists();
        files().tidy(log::add);
        assertThat(young).exists();
        assertThat(all()).hasSize(2);
        assertThat(log)
                .singleElement()
                .asString()
                .startsWith("Deleted the file " + old)
                .endsWith("longer ago than server.proxima.resume_max_age=PT720H.");
    }
}

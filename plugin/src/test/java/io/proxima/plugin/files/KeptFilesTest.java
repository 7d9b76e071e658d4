// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.plugin.files.KeptFiles.Content;
import io.proxima.plugin.files.KeptFiles.KeptFile;
import io.proxima.plugin.files.KeptFiles.Owner;
import io.proxima.plugin.server.ProximaSettings;
import io.proxima.projection.file.CompleteFile;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.configuration.Config;
import org.neo4j.configuration.GraphDatabaseSettings;

class KeptFilesTest {

    private static final Owner NIGHT = new Owner("neo4j", "ann", "night / \u00e9");
    private static final Owner DAY = new Owner("neo4j", "bob", "day");

    /** How a file of finished sums begins. */
    private static final byte[] BEGINNING = "PROXRSUM".getBytes(StandardCharsets.US_ASCII);

    private static final String MARKED = "proxima-01234567-89ab-4cde-8f01-23456789abcd.unfinished";

    @TempDir
    private Path home;

    private final List<String> log = new ArrayList<>();

    private static Config config(Path data, Path exports) {
        return Config.defaults(Map.of(
                GraphDatabaseSettings.data_directory, data, ProximaSettings.EXPORT_DIRECTORY, exports.toString()));
    }

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
        Files.createDirectories(files().runs());
        files().recordOwner(run);
        Path file = Files.write(files().ofRun(run), BEGINNING);
        return Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
    }

    private List<Path> all() throws IOException {
        try (Stream<Path> paths = Files.walk(home)) {
            return paths.filter(Files::isRegularFile).toList();
        }
    }

    private Map<String, Content> contents() {
        return files().list().stream().collect(Collectors.toMap(KeptFile::name, KeptFile::content));
    }

    @Test
    void shouldListNothingWithoutFolders() {
        assertThat(files().list()).isEmpty();
        files().tidyRuns(log::add);
        assertThat(log).isEmpty();
    }

    @Test
    void shouldTellWhoseAFileIs() throws IOException {
        write(NIGHT, Duration.ZERO);
        write(DAY, Duration.ZERO);
        // as of version 0.2
        Path unknown = Files.write(files().ofRun(DAY).resolveSibling("0".repeat(64) + ".sums"), BEGINNING);
        assertThat(files().list())
                .allMatch(file -> file.content() == Content.WHOLE)
                .extracting(KeptFile::owner)
                .containsExactlyInAnyOrder(NIGHT, DAY, null);
        assertThat(files().bytes()).isEqualTo(24);
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
        Files.createDirectory(home.resolve("folder"));
        for (Path folder : List.of(home, home.resolve("folder"))) {
            assertThatThrownBy(new KeptFiles(folder, null, Duration.ZERO, 0, () -> true)::list)
                    .isInstanceOf(StoppedException.class);
        }
        List<Path> found = files().files(home, 1, name -> {
            boolean listed = name.endsWith(".sums");
            Stream.of(home.toFile().listFiles())
                    .filter(file -> listed && !file.getName().equals(name))
                    .forEach(File::delete);
            return listed;
        });
        assertThat(found).hasSize(1);
    }

    /** Both folders, the one above them, or none is a link; the last one leads to a folder that does not exist. */
    @ParameterizedTest
    @ValueSource(strings = {"data/proxima", "data/proxima/jobs", "exports", "data", "none"})
    void shouldResolveFoldersThroughLinks(String link) throws IOException {
        Path target = Files.createDirectory(home.resolve("target"));
        Files.createDirectories(home.resolve(link).getParent());
        Files.createSymbolicLink(home.resolve(link), target);
        KeptFiles files = KeptFiles.of(config(home.resolve("data"), home.resolve("exports/of/graphs")), Stop.NEVER);
        Files.createDirectories(files.runs());
        Files.createDirectories(files.exports());
        files.recordOwner(DAY);
        Files.write(files.ofRun(DAY), BEGINNING);
        Files.write(files.exports().resolve("g"), "PROXGRPH".getBytes(StandardCharsets.US_ASCII));

        // the folders exist now
        KeptFiles later = KeptFiles.of(config(home.resolve("data"), home.resolve("exports/of/graphs")), Stop.NEVER);
        assertThat(later).isEqualTo(files);
        assertThat(later.runs()).isEqualTo(home.resolve("data/proxima/jobs").toRealPath());
        assertThat(later.list()).extracting(KeptFile::owner).containsExactly(DAY, null);
        for (KeptFile file : later.list()) {
            later.delete(file);
        }
        assertThat(all()).isEmpty();
    }

    @Test
    void shouldHaveNoExportsInALinkThatLeadsNowhereOrInACircle() throws IOException {
        write(DAY, Duration.ZERO);
        for (String target : List.of("exports", "nowhere")) {
            Files.createSymbolicLink(home.resolve("exports"), home.resolve(target));
            assertThat(files().list()).extracting(KeptFile::owner).containsExactly(DAY);
            assertThatThrownBy(() -> ExportFolder.of(config(home, home.resolve("exports")), Stop.NEVER))
                    .hasMessageStartingWith(
                            "The folder of the setting `server.proxima.export_directory` cannot be used: ");
            Files.delete(home.resolve("exports"));
        }
    }

    /** What opens and closes a file of the store ends the lock of the server. */
    @ParameterizedTest
    @ValueSource(strings = {".", "..", "databases", "databases/neo4j", "proxima", "proxima/jobs/deep", "link"})
    void shouldReadNoFilesOfTheServer(String exports) throws IOException {
        Path data = Files.createDirectories(home.resolve("data"));
        Files.createSymbolicLink(data.resolve("link"), home);
        Config config = config(data, data.resolve(exports));
        assertThat(KeptFiles.of(config, Stop.NEVER).exports()).isNull();
        assertThatThrownBy(() -> ExportFolder.of(config, Stop.NEVER))
                .hasMessageMatching("The folder .* of the setting `server.proxima.export_directory` must not contain"
                        + " the server's own folder .*, nor lie in it\\. Set another folder, such as `graphs`, and"
                        + " restart the server\\.");
    }

    @Test
    void shouldShowARunWhoseOwnerCannotBeReadAsDamaged() throws IOException {
        write(NIGHT, Duration.ZERO);
        Path folder = files().runs();
        Path record =
                folder.resolve(files().ofRun(NIGHT).getFileName().toString().replace(".sums", ".owner"));
        byte[] good = Files.readAllBytes(record);
        Files.write(folder.resolve("empty.owner"), new byte[0]);
        Files.write(folder.resolve("truncated.owner"), Arrays.copyOf(good, good.length - 1));
        Files.write(folder.resolve("ofAnother.owner"), good);
        try (RandomAccessFile huge =
                new RandomAccessFile(folder.resolve("huge.owner").toFile(), "rw")) {
            huge.setLength(1L << 33);
        }
        Files.createDirectory(folder.resolve("folder.owner"));
        Files.createSymbolicLink(folder.resolve("link.owner"), record);
        Files.createSymbolicLink(folder.resolve("circle.owner"), folder.resolve("circle.owner"));
        List<String> damaged = List.of("empty", "truncated", "ofAnother", "huge", "folder", "link", "circle");
        for (String name : damaged) {
            Files.write(folder.resolve(name + ".sums"), BEGINNING);
        }
        // its owner is known, but it is not a file of sums
        write(DAY, Duration.ZERO);
        Files.write(files().ofRun(DAY), new byte[100]);
        Files.writeString(folder.resolve("foreign.sums"), "checksums of somebody else");
        Files.createFile(folder.resolve("nothing.sums"));
        Files.createFile(folder.resolve("notes"));
        Files.createFile(folder.resolve(MARKED));

        Map<String, Content> expected = new HashMap<>();
        damaged.forEach(name -> expected.put(name + ".sums", Content.DAMAGED));
        expected.put(files().ofRun(DAY).getFileName().toString(), Content.DAMAGED);
        expected.put(files().ofRun(NIGHT).getFileName().toString(), Content.WHOLE);
        expected.put("foreign.sums", Content.FOREIGN);
        expected.put("nothing.sums", Content.FOREIGN);
        expected.put("notes", Content.FOREIGN);
        expected.put(MARKED, Content.DAMAGED);
        assertThat(contents()).isEqualTo(expected);
        assertThat(files().list()).filteredOn(file -> file.owner() != null).hasSize(2);
        files().recordOwner(NIGHT);
        Files.write(record, new byte[3]);
        assertThat(contents()).containsEntry(files().ofRun(NIGHT).getFileName().toString(), Content.DAMAGED);
        files().recordOwner(NIGHT);
        assertThat(Files.readAllBytes(record)).isEqualTo(good);
    }

    @Test
    void shouldDeleteWhatACrashHasLeft() throws IOException {
        Path kept = write(NIGHT, Duration.ZERO);
        Path folder = Files.createDirectories(home.resolve("exports/deep"));
        List<Path> left = List.of(kept.resolveSibling(MARKED), folder.resolve(MARKED));
        for (Path file : left) {
            Files.write(file, new byte[1]);
        }
        write(DAY, Duration.ZERO);
        Files.delete(files().ofRun(DAY));
        List<Path> others = new ArrayList<>(
                List.of(kept, kept.resolveSibling(kept.getFileName().toString().replace(".sums", ".owner"))));
        for (String name : List.of("x.unfinished", "proxima-1.unfinished", MARKED + "2", "x." + MARKED, "x.owner")) {
            others.add(Files.write(kept.resolveSibling(name), new byte[1]));
            others.add(Files.write(folder.resolve(name), new byte[1]));
        }
        Path written = folder.resolve("h.proxima");

        CompleteFile.write(written, channel -> {
            files().tidyRuns(log::add);
            files().deleteAbandoned(folder.getParent(), log::add);
            assertThat(folder.resolve(MARKED)).exists();
            assertThat(contents())
                    .containsEntry("deep/" + MARKED, Content.DAMAGED)
                    .hasSize(11);
            files().deleteAbandoned(folder, log::add);
            CompleteFile.writeFully(channel, ByteBuffer.allocate(1), 0);
        });

        others.add(written);
        assertThat(all()).containsExactlyInAnyOrderElementsOf(others);
        assertThat(log)
                .hasSize(3)
                .filteredOn(line -> line.endsWith(MARKED + ", which was not complete when the server ended."))
                .hasSize(2);
    }

    @Test
    void shouldDeleteNothingThatACallHasClaimed() throws IOException {
        Path old = write(NIGHT, Duration.ofDays(31));
        write(DAY, Duration.ZERO);
        Files.delete(files().ofRun(DAY));
        try (KeptFiles.Claim one = KeptFiles.claim(old);
                KeptFiles.Claim other = KeptFiles.claim(files().ofRun(DAY))) {
            assertThat(one).isNotSameAs(other).isNotNull();
            assertThat(KeptFiles.claim(old)).isNull();
            files().tidyRuns(log::add);
            assertThat(all()).hasSize(3);
        }
        files().tidyRuns(log::add);
        assertThat(all()).isEmpty();
    }

    @Test
    void shouldWaitForADeletionUnlessStopped() {
        Path path = home.resolve("a");
        AtomicReference<KeptFiles.Claim> deletion = new AtomicReference<>(KeptFiles.claim(path));
        KeptFiles waiting = new KeptFiles(home, null, Duration.ZERO, 0, () -> {
            deletion.getAndSet(() -> {}).close();
            return false;
        });
        try (KeptFiles.Claim claim = waiting.awaitClaim(path)) {
            assertThat(claim).isNotNull();
            KeptFiles stopped = new KeptFiles(home, null, Duration.ZERO, 0, () -> true);
            assertThatThrownBy(() -> stopped.awaitClaim(path)).isInstanceOf(StoppedException.class);
        }
    }

    @Test
    void shouldExpireNoFileOfSomebodyElse() throws IOException {
        Files.createDirectories(files().runs());
        Path foreign = Files.writeString(files().runs().resolve("sha256.sums"), "checksums of somebody else");
        Files.setLastModifiedTime(foreign, FileTime.from(Instant.EPOCH));
        files().tidyRuns(log::add);
        assertThat(foreign).exists();
        assertThat(log).isEmpty();
    }

    @Test
    void shouldDeleteRunsThatHaveNotBeenContinuedForTooLong() throws IOException {
        Path old = write(NIGHT, Duration.ofDays(31));
        Path young = write(DAY, Duration.ofDays(29));
        files(Duration.ZERO).tidyRuns(log::add);
        assertThat(old).exists();
        files().tidyRuns(log::add);
        assertThat(young).exists();
        assertThat(all()).hasSize(2);
        assertThat(log)
                .singleElement()
                .asString()
                .startsWith("Deleted the file " + old)
                .endsWith("longer ago than server.proxima.resume_max_age=PT720H.");
    }
}

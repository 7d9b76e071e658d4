// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.select.TraversalBackends;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import io.proxima.projection.Csc;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.file.GraphFileException;
import io.proxima.projection.file.GraphFileHeader;
import io.proxima.spark.ProximaSparkException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GraphCopiesTest {

    @TempDir
    private Path folder;

    private final Configuration conf = new Configuration();
    private Path file;
    private Csc graph;
    private GraphKey key;

    @AfterEach
    void open() {
        CountingFileSystem.OPENING.set(number -> {});
    }

    @BeforeEach
    void write() throws IOException {
        conf.set("fs.counting.impl", CountingFileSystem.class.getName());
        file = folder.resolve("graph.proxima");
        graph = ExportedFiles.write(file, TestGraphs.rmat(9, 4, 2), true);
        key = key("counting://" + file);
        CountingFileSystem.OPENED.set(0);
    }

    private GraphKey key(String path) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            GraphFileHeader header = GraphFileHeader.read("graph", Files.size(file), in);
            return new GraphKey(
                    path,
                    header.fingerprint().toString(),
                    header.digest(),
                    folder.resolve("a/cache").toString());
        }
    }

    @Test
    void shouldCopyOnceForAllThreads() throws IOException {
        Workers.forRanges(
                6, 6, 1, Stop.NEVER, (worker, from, to) -> assertThat(GraphCopies.fetch(key, conf, Stop.NEVER))
                        .exists());
        Path copy = GraphCopies.fetch(key, conf, Stop.NEVER);

        assertThat(copy).hasSameBinaryContentAs(file);
        // its header, and all of it
        assertThat(CountingFileSystem.OPENED).hasValue(2);
        assertThat(Files.getPosixFilePermissions(copy.getParent()))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void shouldNotCopyLocalGraphs() throws IOException {
        assertThat(GraphCopies.fetch(key(file.toString()), conf, Stop.NEVER)).isEqualTo(file);
        assertThat(GraphCopies.fetch(key(file.toUri().toString()), conf, Stop.NEVER))
                .isEqualTo(file);
        assertThat(folder.resolve("a")).doesNotExist();
    }

    @Test
    void shouldWaitForTheLockOfAnotherProcessUntilItsStop() throws IOException {
        Path cache = Files.createDirectories(folder.resolve("a/cache"));
        AtomicInteger asked = new AtomicInteger();
        try (FileChannel channel = FileChannel.open(
                        cache.resolve(key.fileName() + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            assertThat(lock.isValid()).isTrue();
            assertThatThrownBy(() -> GraphCopies.fetch(key, conf, () -> asked.incrementAndGet() > 2))
                    .isInstanceOf(StoppedException.class);
        }
        assertThat(CountingFileSystem.OPENED).hasValue(0);
        assertThat(GraphCopies.fetch(key, conf, Stop.NEVER)).exists();
    }

    @Test
    void shouldKeepTheLockWhenATaskThatWaitsForItIsKilled() throws Exception {
        CountDownLatch copying = new CountDownLatch(1);
        CountDownLatch killed = new CountDownLatch(1);
        CountingFileSystem.OPENING.set(number -> {
            if (number == 2) {
                copying.countDown();
                awaitUninterruptibly(killed);
            }
        });
        Workers.Background copies = Workers.inBackground(stop -> GraphCopies.fetch(key, conf, stop));
        copying.await();
        Path lock = folder.resolve("a/cache").resolve(key.fileName() + ".lock");
        assertThat(isLocked(lock)).isTrue();

        AtomicInteger asked = new AtomicInteger();
        assertThatThrownBy(() -> GraphCopies.fetch(key, conf, () -> asked.incrementAndGet() > 2))
                .isInstanceOf(StoppedException.class);

        assertThat(isLocked(lock)).isTrue();
        killed.countDown();
        copies.await();
        assertThat(isLocked(lock)).isFalse();
        assertThat(lock.resolveSibling(key.fileName())).hasSameBinaryContentAs(file);
    }

    /** Asks another process, because a process does not lock out itself. */
    private static boolean isLocked(Path file) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-cp",
                        Path.of(LockProbe.class
                                        .getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .toURI())
                                .toString(),
                        LockProbe.class.getName(),
                        file.toString())
                .inheritIO()
                .start();
        int code = process.waitFor();
        assertThat(code).isIn(LockProbe.FREE, LockProbe.LOCKED);
        return code == LockProbe.LOCKED;
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void shouldLeaveNoHalfCopy() throws IOException {
        assertThatThrownBy(() -> GraphCopies.fetch(key, conf, () -> CountingFileSystem.OPENED.get() == 2))
                .isInstanceOf(StoppedException.class);
        assertThat(folder.resolve("a/cache")).isDirectoryNotContaining("glob:**.proxima");
        assertThat(folder.resolve("a/cache")).isDirectoryNotContaining("glob:**.unfinished");
    }

    @Test
    void shouldDeleteWhatIsNoLongerUsed() throws IOException {
        Path cache = Files.createDirectories(folder.resolve("a/cache"));
        Path killed = Files.writeString(cache.resolve(key.fileName() + "12345.unfinished"), "a process was killed");
        Path old = Files.writeString(cache.resolve(copyOf('a')), "");
        Path used = Files.writeString(cache.resolve(copyOf('b')), "");
        Path exported = Files.writeString(cache.resolve("air.proxima"), "an original");
        Path foreign = Files.writeString(cache.resolve("notes.txt"), "");
        // what cannot be deleted, or has gone, must not keep the graph from being copied
        Path notEmpty = Files.createDirectory(cache.resolve(copyOf('c')));
        Files.writeString(notEmpty.resolve("file"), "");
        Files.createSymbolicLink(cache.resolve(copyOf('d')), cache.resolve("absent"));
        for (Path path : new Path[] {old, exported, foreign, notEmpty}) {
            Files.setLastModifiedTime(path, FileTime.from(Instant.now().minus(Duration.ofDays(8))));
        }

        GraphCopies.fetch(key, conf, Stop.NEVER);

        assertThat(killed).doesNotExist();
        assertThat(old).doesNotExist();
        assertThat(used).exists();
        assertThat(exported).exists();
        assertThat(foreign).exists();
        assertThat(notEmpty).exists();
    }

    /** The name of a copy of another graph. */
    private static String copyOf(char digit) {
        String digits = String.valueOf(digit);
        return digits.repeat(32) + "-" + digits.repeat(64) + ".proxima";
    }

    @Test
    void shouldNotCopyThroughALinkThatAnotherUserMayHaveMade() throws IOException {
        String user = System.getProperty("user.name");
        System.setProperty("user.name", "link-" + System.nanoTime());
        Path link = Path.of(System.getProperty("java.io.tmpdir"), "proxima-graphs-" + System.getProperty("user.name"));
        try {
            Files.createSymbolicLink(link, folder);
            GraphKey usual = new GraphKey(key.path(), key.fingerprint(), key.digest(), "");
            assertThatThrownBy(() -> GraphCopies.fetch(usual, conf, Stop.NEVER))
                    .isInstanceOf(ProximaSparkException.class)
                    .hasMessageContaining("is a link; set the option `cacheDirectory`");
        } finally {
            System.setProperty("user.name", user);
            Files.deleteIfExists(link);
        }
    }

    @Test
    void shouldCopyToAFolderOfItsOwnByDefault() throws IOException {
        GraphKey usual = new GraphKey(key.path(), key.fingerprint(), key.digest(), "");

        Path copy = GraphCopies.fetch(usual, conf, Stop.NEVER);

        try {
            assertThat(copy.getParent()).hasParent(Path.of(System.getProperty("java.io.tmpdir")));
            assertThat(Files.getPosixFilePermissions(copy.getParent()))
                    .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        } finally {
            GraphCopies.discard(usual, copy);
            Files.delete(copy.resolveSibling(usual.fileName() + ".lock"));
        }
        assertThat(copy).doesNotExist();
    }

    @Test
    void shouldRefuseAnotherGraph() {
        ExportedFiles.write(file, TestGraphs.star(9), true);
        assertThatThrownBy(() -> GraphCopies.fetch(key, conf, Stop.NEVER))
                .isInstanceOfSatisfying(
                        ProximaSparkException.class, e -> assertThat(e.reason()).isEqualTo(Reason.WRONG_GRAPH))
                .hasMessageContaining(key.fingerprint());
    }

    @Test
    void shouldRefuseAGraphThatReplacesTheOneThatWasChecked() {
        CountingFileSystem.OPENING.set(number -> {
            if (number == 2) {
                ExportedFiles.writeWithOtherIds(file, graph, true);
            }
        });

        assertThatThrownBy(() -> GraphCopies.fetch(key, conf, Stop.NEVER))
                .isInstanceOfSatisfying(
                        ProximaSparkException.class, e -> assertThat(e.reason()).isEqualTo(Reason.WRONG_GRAPH));
        assertThat(folder.resolve("a/cache")).isDirectoryNotContaining("glob:**.proxima");
        assertThat(folder.resolve("a/cache")).isDirectoryNotContaining("glob:**.unfinished");
    }

    @Test
    void shouldNotUseAnotherGraphUnderTheNameOfACopy() throws IOException {
        Path copy = GraphCopies.fetch(key, conf, Stop.NEVER);
        ExportedFiles.writeWithOtherIds(copy, graph, true);

        try (SharedGraph loaded = load()) {
            assertThat(loaded.elementId(0)).isEqualTo(ExportedFiles.elementId(0));
        }
        assertThat(copy).hasSameBinaryContentAs(file);
    }

    @Test
    void shouldKeepTheCopyIfATaskIsKilledOrCannotReadIt() throws IOException {
        Path copy = GraphCopies.fetch(key, conf, Stop.NEVER);
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(this::load).isInstanceOf(StoppedException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(copy).hasSameBinaryContentAs(file);

        // a folder can be opened as a file, but not read
        Files.delete(copy);
        Files.createDirectory(copy);
        assertThatThrownBy(this::load).isInstanceOfSatisfying(GraphFileException.class, e -> assertThat(e.reason())
                .isEqualTo(GraphFileException.Reason.FILE_SYSTEM));
        assertThat(copy).exists();
    }

    @Test
    void shouldMakeADamagedCopyAgain() throws IOException {
        Path copy = GraphCopies.fetch(key, conf, Stop.NEVER);
        byte[] bytes = Files.readAllBytes(copy);
        bytes[bytes.length - 1] ^= 1;
        Files.write(copy, bytes);

        try (SharedGraph graph = load()) {
            assertThat(graph.vertexCount()).isEqualTo(512);
        }
        assertThat(copy).hasSameBinaryContentAs(file);

        // now the original is damaged, too
        Files.write(copy, bytes);
        Files.write(file, bytes);
        assertThatThrownBy(this::load)
                .isInstanceOf(GraphFileException.class)
                .hasMessageContaining("is damaged: the checksum");
    }

    @Test
    void shouldRefuseAGraphThatDoesNotFitTheHeap() {
        ExecutorHeap small = new ExecutorHeap(1 << 10, () -> {});
        assertThatThrownBy(() -> load(small))
                .isInstanceOfSatisfying(
                        ProximaSparkException.class, e -> assertThat(e.reason()).isEqualTo(Reason.MEMORY))
                .hasMessageStartingWith("The graph `" + key.path() + "` needs a heap of ")
                .hasMessageEndingWith(", but the executor has 1.0 KiB. Raise spark.executor.memory.");
    }

    private SharedGraph load() {
        return load(new ExecutorHeap(Long.MAX_VALUE, () -> {}));
    }

    private SharedGraph load(ExecutorHeap heap) {
        return SharedGraph.load(key, TraversalBackends.select(Wanted.CPU).backend(), heap, conf, 1, Stop.NEVER);
    }
}

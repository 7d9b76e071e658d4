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
package io.proxima.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.TraversalBackends;
import io.proxima.backend.TraversalBackends.Wanted;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GraphCopiesTest {

    @TempDir
    private Path folder;

    private final Configuration conf = new Configuration();
    private Path file;
    private GraphKey key;

    @BeforeEach
    void write() throws IOException {
        conf.set("fs.counting.impl", CountingFileSystem.class.getName());
        file = folder.resolve("graph.proxima");
        ExportedFiles.write(file, TestGraphs.rmat(9, 4, 2), true);
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
        Path old = Files.writeString(cache.resolve("old.proxima"), "");
        Path used = Files.writeString(cache.resolve("used.proxima"), "");
        Path foreign = Files.writeString(cache.resolve("notes.txt"), "");
        for (Path path : new Path[] {old, foreign}) {
            Files.setLastModifiedTime(path, FileTime.from(Instant.now().minus(Duration.ofDays(8))));
        }

        GraphCopies.fetch(key, conf, Stop.NEVER);

        assertThat(killed).doesNotExist();
        assertThat(old).doesNotExist();
        assertThat(used).exists();
        assertThat(foreign).exists();
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
        SharedGraph.checkHeap(key, 1 << 30, 1 << 30);
        assertThatThrownBy(() -> SharedGraph.checkHeap(key, 3L << 30, 1 << 30))
                .isInstanceOfSatisfying(
                        ProximaSparkException.class, e -> assertThat(e.reason()).isEqualTo(Reason.MEMORY))
                .hasMessageContaining("needs a heap of " + MemoryTree.humanReadable(3L << 30))
                .hasMessageContaining("Raise spark.executor.memory");
    }

    private SharedGraph load() {
        return SharedGraph.load(key, TraversalBackends.select(Wanted.CPU).backend(), conf, 1, Stop.NEVER);
    }
}

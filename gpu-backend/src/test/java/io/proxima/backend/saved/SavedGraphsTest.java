// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.saved;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.order.VertexOrder;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.Csc;
import io.proxima.projection.GraphFingerprint;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedGraphsTest {

    private static final GraphFingerprint.Key FINGERPRINTS =
            GraphFingerprint.Key.of(new byte[GraphFingerprint.Key.BYTES]);

    @TempDir
    Path folder;

    private final AtomicLong free = new AtomicLong(1L << 40);
    private final List<String> log = new CopyOnWriteArrayList<>();
    private SavedGraphs graphs;

    @BeforeEach
    void open() {
        graphs = new SavedGraphs(folder, FINGERPRINTS, free::get, log::add);
    }

    @Test
    void shouldFindWhatWasSavedAndNothingElse() throws IOException {
        OrderedGraph rcm = graph(1, VertexOrder.RCM);
        SavedGraphs made = SavedGraphs.in(folder.resolve("a/b"), log::add);

        assertThat(made.load(rcm.fingerprint(), VertexOrder.RCM, 1, Stop.NEVER)).isEmpty();
        assertThat(made.save(rcm, Stop.NEVER)).isTrue();
        assertThat(made.has(rcm.fingerprint(), VertexOrder.RCM)).isTrue();
        assertThat(made.has(rcm.fingerprint(), VertexOrder.DEGREE)).isFalse();
        assertThat(made.load(rcm.fingerprint(), VertexOrder.DEGREE, 1, Stop.NEVER))
                .isEmpty();
        assertThat(made.load(graph(2, VertexOrder.RCM).fingerprint(), VertexOrder.RCM, 1, Stop.NEVER))
                .isEmpty();
        OrderedGraphFileTest.assertSame(
                SavedGraphs.in(folder.resolve("a/b"), log::add)
                        .load(rcm.fingerprint(), VertexOrder.RCM, 1, Stop.NEVER)
                        .orElseThrow(),
                rcm);
    }

    /** Whoever chooses the edges of a graph must not know which file is searched for the graph of another user. */
    @Test
    void shouldGiveEachFolderItsOwnFingerprintsAndKeepThem() throws IOException {
        Csc graph = TestGraphs.uniform(500, 2000, 1, true).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        Path one = folder.resolve("one");
        GraphFingerprint fingerprint = SavedGraphs.in(one, log::add).fingerprint(graph, 1, Stop.NEVER);
        assertThat(fingerprint).isNotEqualTo(GraphFingerprint.of(graph, 1, Stop.NEVER));
        assertThat(SavedGraphs.in(one, log::add).fingerprint(graph, 3, Stop.NEVER))
                .isEqualTo(fingerprint);
        assertThat(SavedGraphs.in(folder.resolve("two"), log::add).fingerprint(graph, 1, Stop.NEVER))
                .isNotEqualTo(fingerprint);
        assertThat(Files.getPosixFilePermissions(one.resolve(SavedGraphs.KEY)))
                .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        Files.write(one.resolve(SavedGraphs.KEY), new byte[7]);
        assertThat(SavedGraphs.in(one, log::add).fingerprint(graph, 1, Stop.NEVER))
                .isNotEqualTo(fingerprint);
        assertThat(log).isEmpty();
    }

    @Test
    void shouldDeleteWhatCannotBeUsedAndTakeItsReplacement() throws IOException {
        OrderedGraph graph = graph(1, VertexOrder.DEGREE);
        graphs.save(graph, Stop.NEVER);
        Path file = files().get(0);
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);

        assertThat(graphs.load(graph.fingerprint(), VertexOrder.DEGREE, 1, Stop.NEVER))
                .isEmpty();
        assertThat(files()).isEmpty();
        assertThat(log).singleElement().asString().contains(file.toString(), "damaged", "built again");

        graphs.save(graph, Stop.NEVER);
        assertThat(graphs.load(graph.fingerprint(), VertexOrder.DEGREE, 1, Stop.NEVER))
                .isPresent();
    }

    @Test
    void shouldRefuseAFileThatWasRenamed() throws IOException {
        OrderedGraph graph = graph(1, VertexOrder.DEGREE);
        OrderedGraph other = graph(2, VertexOrder.DEGREE);
        graphs.save(graph, Stop.NEVER);
        Files.move(files().get(0), folder.resolve(other.fingerprint() + "-degree.proxima"));

        assertThat(graphs.load(other.fingerprint(), VertexOrder.DEGREE, 1, Stop.NEVER))
                .isEmpty();
        assertThat(files()).isEmpty();
        assertThat(log)
                .singleElement()
                .asString()
                .contains("another graph", other.fingerprint().toString());
    }

    @Test
    void shouldLetTheGraphUsedLongestAgoGo() throws IOException {
        OrderedGraph first = graph(1, VertexOrder.DEGREE);
        OrderedGraph second = graph(2, VertexOrder.DEGREE);
        OrderedGraph third = graph(3, VertexOrder.DEGREE);
        graphs.save(first, Stop.NEVER);
        age(files().get(0), 2000);
        graphs.save(second, Stop.NEVER);
        for (Path file : files()) {
            age(file, 1000);
        }
        graphs.load(first.fingerprint(), VertexOrder.DEGREE, 1, Stop.NEVER);
        long held = OrderedGraphFile.bytes(first) + OrderedGraphFile.bytes(second);
        // half of free and held is what two of them take
        free.set(2 * (OrderedGraphFile.bytes(first) + OrderedGraphFile.bytes(third)) - held);

        assertThat(graphs.save(third, Stop.NEVER)).isTrue();

        assertThat(graphs.has(first.fingerprint(), VertexOrder.DEGREE)).isTrue();
        assertThat(graphs.has(second.fingerprint(), VertexOrder.DEGREE)).isFalse();
        assertThat(graphs.has(third.fingerprint(), VertexOrder.DEGREE)).isTrue();
    }

    @Test
    void shouldNotTakeMoreThanHalfOfWhatIsFree() throws IOException {
        OrderedGraph graph = graph(1, VertexOrder.DEGREE);
        free.set(2 * OrderedGraphFile.bytes(graph) - 1);
        assertThat(graphs.save(graph, Stop.NEVER)).isFalse();
        assertThat(files()).isEmpty();
        assertThat(log).singleElement().asString().contains("not saved", "half");

        free.incrementAndGet();
        assertThat(graphs.save(graph, Stop.NEVER)).isTrue();
        // saved again it takes the place of itself
        free.set(OrderedGraphFile.bytes(graph));
        assertThat(graphs.save(graph, Stop.NEVER)).isTrue();
        assertThat(files()).hasSize(1);
    }

    @Test
    void shouldClearAwayWhatACrashLeft() throws IOException {
        Path old = Files.createFile(folder.resolve("x123.unfinished"));
        Path young = Files.createFile(folder.resolve("y123.unfinished"));
        Path foreign = Files.createFile(folder.resolve("notes.txt"));
        age(old, 25 * 3600 * 1000);
        age(foreign, 25 * 3600 * 1000);

        graphs.save(graph(1, VertexOrder.DEGREE), Stop.NEVER);

        assertThat(old).doesNotExist();
        assertThat(young).exists();
        assertThat(foreign).exists();
    }

    @Test
    void shouldLeaveNothingWhenItIsStopped() throws IOException {
        OrderedGraph graph = graph(1, VertexOrder.DEGREE);
        assertThatThrownBy(() -> graphs.save(graph, () -> true)).isInstanceOf(StoppedException.class);
        assertThat(files()).isEmpty();
    }

    @Test
    void shouldGoOnWithoutAFolder() throws IOException {
        OrderedGraph graph = graph(1, VertexOrder.DEGREE);
        SavedGraphs gone = new SavedGraphs(folder.resolve("gone"), FINGERPRINTS, free::get, log::add);

        assertThat(gone.save(graph, Stop.NEVER)).isFalse();
        assertThat(gone.load(graph.fingerprint(), VertexOrder.DEGREE, 1, Stop.NEVER))
                .isEmpty();

        Path file = Files.createFile(folder.resolve("file"));
        assertThatThrownBy(() -> SavedGraphs.in(file, log::add)).isInstanceOf(IOException.class);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    private static void age(Path file, long millis) throws IOException {
        Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis() - millis));
    }

    private static OrderedGraph graph(long seed, VertexOrder order) {
        Csc graph = TestGraphs.uniform(500, 2000, seed, true).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        return OrderedGraphFileTest.ordered(graph, order);
    }
}

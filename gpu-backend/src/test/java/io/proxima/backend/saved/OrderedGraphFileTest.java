// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.saved;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.SmallGraph;
import io.proxima.backend.bvss.BvssBuilder;
import io.proxima.backend.order.Orders;
import io.proxima.backend.order.Permutation;
import io.proxima.backend.order.UpdateDivergence;
import io.proxima.backend.order.VertexOrder;
import io.proxima.backend.saved.SavedGraphException.Reason;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.Csc;
import io.proxima.projection.EdgeList;
import io.proxima.projection.GraphFingerprint;
import io.proxima.projection.IntPages;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderedGraphFileTest {

    private static final Csc GRAPH = TestGraphs.rmat(10, 8, 1).toCsc(Orientation.NATURAL, 1, Stop.NEVER);

    @TempDir
    Path folder;

    @Provide
    Arbitrary<SmallGraph> graphs() {
        return SmallGraph.arbitrary(300, 500);
    }

    @Property(tries = 100)
    void shouldGiveBackWhatWasWritten(@ForAll("graphs") SmallGraph sample, @ForAll Orientation orientation)
            throws Exception {
        Csc graph = sample.toEdgeList().toCsc(orientation, 1, Stop.NEVER);
        Path file = Files.createTempFile("proxima", ".test");
        try {
            OrderedGraph written = ordered(graph, VertexOrder.RCM);

            OrderedGraphFile.write(file, written, Stop.NEVER);

            assertThat(Files.size(file))
                    .isEqualTo(OrderedGraphFile.bytes(written))
                    .isGreaterThanOrEqualTo(OrderedGraphFile.leastBytes(graph.vertexCount(), graph.entryCount()));
            assertSame(OrderedGraphFile.read(file, written.fingerprint(), 2, Stop.NEVER), written);
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void shouldKeepEveryOrder() throws Exception {
        for (VertexOrder order : VertexOrder.values()) {
            if (order != VertexOrder.AUTO) {
                OrderedGraph written = ordered(GRAPH, order);
                Path file = folder.resolve(order.key());
                OrderedGraphFile.write(file, written, Stop.NEVER);
                assertSame(OrderedGraphFile.read(file, written.fingerprint(), 1, Stop.NEVER), written);
            }
        }
    }

    @Test
    void shouldLieAsTheManualSays() throws Exception {
        Csc graph = new EdgeList(10).add(0, 9).add(1, 9).add(8, 2).toCsc(Orientation.NATURAL, 1, Stop.NEVER);
        OrderedGraph written = ordered(graph, VertexOrder.NATURAL);
        Path file = written(written);

        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        byte[] magic = new byte[8];
        bytes.get(0, magic);
        assertThat(magic).isEqualTo("PROXBVSS".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        assertThat(bytes.getInt(8)).isEqualTo(1);
        assertThat(bytes.getLong(16)).isEqualTo(written.fingerprint().high());
        assertThat(bytes.getLong(24)).isEqualTo(written.fingerprint().low());
        assertThat(bytes.getInt(32)).isEqualTo(10);
        assertThat(bytes.getInt(36)).isEqualTo(1);
        assertThat(bytes.getLong(40)).isEqualTo(3);
        assertThat(bytes.getLong(48)).isEqualTo(2);
        assertThat(bytes.getDouble(56)).isEqualTo(written.divergence());
        assertThat(bytes.getInt(64)).isEqualTo(2);
        assertThat(bytes.getInt(68)).isEqualTo(5);
        int[] words = {10, 3, 2, 256, 64};
        for (int section = 0; section < 5; section++) {
            int at = 72 + 24 * section;
            int offset = 4096 * (section + 1);
            assertThat(bytes.getLong(at)).isEqualTo(offset);
            assertThat(bytes.getLong(at + 8)).isEqualTo(words[section]);
            CRC32C crc = new CRC32C();
            crc.update(bytes.array(), offset, 4 * words[section]);
            assertThat(bytes.getInt(at + 16)).isEqualTo((int) crc.getValue());
        }
        // slice set 0 has row 9 with columns 0 and 1, slice set 1 row 2 with column 8
        assertThat(bytes.getInt(4 * 4096)).isEqualTo(9);
        assertThat(bytes.getInt(5 * 4096)).isEqualTo(0b11);
        assertThat(bytes.getInt(4 * 4096 + 512)).isEqualTo(2);
        assertThat(bytes.capacity()).isEqualTo(6 * 4096);
    }

    @Test
    void shouldRefuseEveryDamagedByte() throws Exception {
        OrderedGraph written = ordered(GRAPH, VertexOrder.JACCARD);
        Path file = written(written);
        byte[] whole = Files.readAllBytes(file);
        Set<Integer> meaningful = meaningful(whole);
        SplittableRandom random = new SplittableRandom(1);
        for (int trial = 0; trial < 300; trial++) {
            int at = trial < 192 ? trial : random.nextInt(whole.length);
            if (!meaningful.contains(at)) {
                continue;
            }
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, damaged);
            assertThatThrownBy(() -> OrderedGraphFile.read(file, written.fingerprint(), 1, Stop.NEVER))
                    .as("byte %d", at)
                    .isInstanceOf(SavedGraphException.class)
                    .hasMessageContaining(file.toString());
        }
    }

    /** All bytes but the zeros that fill a section up. */
    private static Set<Integer> meaningful(byte[] file) {
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        Set<Integer> meaningful = new HashSet<>();
        for (int at = 0; at < 4096; at++) {
            meaningful.add(at);
        }
        for (int section = 0; section < 5; section++) {
            int start = (int) bytes.getLong(72 + 24 * section);
            for (int at = start; at < start + 4 * bytes.getLong(80 + 24 * section); at++) {
                meaningful.add(at);
            }
        }
        return meaningful;
    }

    @Test
    void shouldRefuseEveryShorterFile() throws Exception {
        OrderedGraph written = ordered(GRAPH, VertexOrder.DEGREE);
        Path file = written(written);
        byte[] whole = Files.readAllBytes(file);
        for (int length :
                new int[] {0, 1, 8, 71, 4095, 4096, 4097, whole.length / 2, whole.length - 4096, whole.length - 1}) {
            Files.write(file, java.util.Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> OrderedGraphFile.read(file, written.fingerprint(), 1, Stop.NEVER))
                    .as("%d bytes", length)
                    .isInstanceOf(SavedGraphException.class);
        }
    }

    @Test
    void shouldSayWhyItRefuses() throws Exception {
        OrderedGraph written = ordered(GRAPH, VertexOrder.DEGREE);
        Path file = written(written);
        byte[] whole = Files.readAllBytes(file);
        GraphFingerprint other = new GraphFingerprint(1, 2);

        assertThat(reason(file, other)).isEqualTo(Reason.STALE);
        assertThat(reason(folder.resolve("absent"), other)).isEqualTo(Reason.UNREADABLE);
        Files.write(file, new byte[5000]);
        assertThat(reason(file, other)).isEqualTo(Reason.NOT_A_SAVED_GRAPH);
        whole[OrderedGraphFile.AT_VERSION] = 2;
        Files.write(file, whole);
        assertThat(reason(file, written.fingerprint())).isEqualTo(Reason.NEWER_FORMAT);
        whole[OrderedGraphFile.AT_VERSION] = 1;
        whole[OrderedGraphFile.AT_HEADER_CRC]++;
        Files.write(file, whole);
        assertThat(reason(file, written.fingerprint())).isEqualTo(Reason.DAMAGED);
    }

    private static Reason reason(Path file, GraphFingerprint expected) {
        try {
            OrderedGraphFile.read(file, expected, 1, Stop.NEVER);
            return null;
        } catch (SavedGraphException e) {
            return e.reason();
        }
    }

    @Test
    void shouldLeaveWhatWasThereWhenItIsStopped() throws Exception {
        OrderedGraph first = ordered(GRAPH, VertexOrder.DEGREE);
        Path file = written(first);
        OrderedGraph second = ordered(GRAPH, VertexOrder.RCM);

        assertThatThrownBy(() -> OrderedGraphFile.write(file, second, () -> true))
                .isInstanceOf(StoppedException.class);

        assertSame(OrderedGraphFile.read(file, first.fingerprint(), 1, Stop.NEVER), first);
        assertThatThrownBy(() -> OrderedGraphFile.read(file, first.fingerprint(), 1, () -> true))
                .isInstanceOf(StoppedException.class);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    private Path written(OrderedGraph graph) throws IOException {
        Path file = folder.resolve("graph");
        OrderedGraphFile.write(file, graph, Stop.NEVER);
        return file;
    }

    static OrderedGraph ordered(Csc graph, VertexOrder order) {
        Permutation permutation =
                Orders.permutation(order, graph, Orders.Settings.DEFAULT, 1, Stop.NEVER, Progress.NONE);
        var bvss = BvssBuilder.build(permutation.apply(graph, 1, Stop.NEVER), 1, Stop.NEVER, Progress.NONE);
        return new OrderedGraph(
                GraphFingerprint.of(graph, 1, Stop.NEVER),
                order,
                permutation,
                bvss,
                UpdateDivergence.of(bvss, 1, Stop.NEVER));
    }

    static void assertSame(OrderedGraph read, OrderedGraph written) {
        assertThat(read.order()).isEqualTo(written.order());
        assertThat(read.fingerprint()).isEqualTo(written.fingerprint());
        assertThat(read.divergence()).isEqualTo(written.divergence());
        assertThat(read.permutation().vertices())
                .isEqualTo(written.permutation().vertices());
        read.bvss().validate();
        assertThat(read.bvss().vertexCount()).isEqualTo(written.bvss().vertexCount());
        assertThat(read.bvss().realPtrs()).isEqualTo(written.bvss().realPtrs());
        assertThat(ints(read.bvss().rowIds())).isEqualTo(ints(written.bvss().rowIds()));
        assertThat(ints(read.bvss().masks())).isEqualTo(ints(written.bvss().masks()));
    }

    private static int[] ints(IntPages pages) {
        int[] ints = new int[(int) pages.length()];
        java.util.Arrays.setAll(ints, pages::get);
        return ints;
    }
}

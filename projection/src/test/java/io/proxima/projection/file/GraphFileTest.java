// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.RecordingProgress;
import io.proxima.concurrent.RecordingProgress.Begun;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.GraphEntries;
import io.proxima.projection.GraphFingerprint;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.ProjectionSpec;
import io.proxima.projection.ProjectionSpec.PropertyProjection;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.PropertyGraph;
import io.proxima.projection.csc.Aggregation;
import io.proxima.projection.csc.Orientation;
import io.proxima.projection.file.ExportedGraph.Origin;
import io.proxima.projection.file.ExportedGraph.TypeSchema;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

class GraphFileTest {

    private static Path folder;

    @BeforeContainer
    static void createFolder() throws IOException {
        folder = Files.createTempDirectory("graph-file");
    }

    @AfterContainer
    static void deleteFolder() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    @Property(tries = 200)
    void shouldReadWhatWasWritten(
            @ForAll @IntRange(max = 150) int nodes,
            @ForAll @IntRange(max = 600) int relationships,
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 3) int concurrency) {
        ExportedGraph written = random(nodes, relationships, seed);
        Path path = folder.resolve("round");

        long bytes = write(path, written, concurrency, Stop.NEVER, Progress.NONE);

        assertThat(bytes).isEqualTo(path.toFile().length()).isEqualTo(GraphFile.bytes(written));
        try (GraphFile file = GraphFile.open(path)) {
            assertEqual(file.read(concurrency, Stop.NEVER, Progress.NONE), written);
        }
    }

    @Example
    void shouldKnowTheHeaderOfTheFileThatIsOpen() throws IOException {
        ExportedGraph written = random(40, 90, 3);
        Path path = folder.resolve("opened");
        write(path, written, 1, Stop.NEVER, Progress.NONE);

        // only the owner reads the structure of the data
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
        String digest;
        try (GraphFile file = GraphFile.open(path)) {
            write(path, random(40, 90, 4), 1, Stop.NEVER, Progress.NONE);
            digest = file.header().digest();
            assertThat(digest).hasSize(64);
            assertThat(file.header())
                    .isEqualTo(new GraphFileHeader(
                            written.origin(),
                            written.fingerprint(),
                            40,
                            written.graph().relationshipCount(),
                            written.types(),
                            digest));
        }
        try (GraphFile file = GraphFile.open(path)) {
            assertThat(file.header().digest()).isNotEqualTo(digest);
        }
    }

    @Example
    void shouldReadFromAnotherFileSystem() throws IOException {
        ExportedGraph written = random(40, 90, 3);
        byte[] content = bytes(written);
        Content complete = new Content(content);
        try (GraphFile file = GraphFile.open("elsewhere", complete)) {
            assertEqual(file.read(2, Stop.NEVER, Progress.NONE), written);
        }
        assertThat(complete.closed).isTrue();
        for (int length : new int[] {0, Header.FIXED_BYTES - 1, Header.FIXED_BYTES, Header.FIXED_BYTES + 40}) {
            Content truncated = new Content(Arrays.copyOf(content, length));
            assertThatExceptionOfType(GraphFileException.class)
                    .isThrownBy(() -> GraphFile.open("truncated", truncated))
                    .withMessageContaining("truncated");
            assertThat(truncated.closed).isTrue();
        }
    }

    /** A file in memory. */
    private static final class Content implements GraphFile.Input {
        private final byte[] content;
        private boolean closed;

        Content(byte[] content) {
            this.content = content;
        }

        @Override
        public long size() {
            return content.length;
        }

        @Override
        public void readFully(ByteBuffer into, long position) throws IOException {
            if (position + into.remaining() > content.length) {
                throw new EOFException("end of file at " + content.length);
            }
            into.put(content, (int) position, into.remaining());
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** Sections of several chunks, the last of which is shorter. */
    @Example
    void shouldReadSectionsOfSeveralChunks() {
        PropertyGraph source = new PropertyGraph();
        int nodes = 300_000;
        for (int node = 0; node < nodes; node++) {
            source.node(3L * node, "N");
        }
        Random random = new Random(7);
        for (int i = 0; i < nodes; i++) {
            source.relationship(
                    "R", 3L * random.nextInt(nodes), 3L * random.nextInt(nodes), Map.of("w", random.nextDouble()));
        }
        PropertyProjection weight = new PropertyProjection("w", 1, Aggregation.SUM);
        ExportedGraph written = exported(
                source,
                Map.of("N", "N"),
                Map.of("R", new TypeProjection("R", Orientation.UNDIRECTED, Map.of("w", weight))),
                List.of());
        Path path = folder.resolve("large");
        RecordingProgress progress = new RecordingProgress();

        write(path, written, 2, Stop.NEVER, progress);

        long announced = progress.tasks().stream().mapToLong(Begun::volume).sum();
        assertThat(progress.tasks().stream()
                        .mapToLong(begun -> begun.done().get())
                        .sum())
                .isPositive()
                .isBetween(announced - 4 * Header.ALIGNMENT - 1024, announced);
        try (GraphFile file = GraphFile.open(path)) {
            ExportedGraph read = file.read(2, Stop.NEVER, Progress.NONE);
            assertEqual(read, written);
            assertThat(file.readMemory(1).minBytes())
                    .isLessThanOrEqualTo(read.graph().bytes() + Header.CHUNK_BYTES);
            assertThat(file.readMemory(1).maxBytes()).isGreaterThan(read.graph().bytes());
        }
    }

    @Example
    void shouldNoticeEachFlippedByteUnlessItIsPadding() throws IOException {
        ExportedGraph written = random(6, 15, 3);
        byte[] good = bytes(written);
        int harmless = 0;
        for (int at = 0; at < good.length; at++) {
            byte[] flipped = good.clone();
            flipped[at] ^= (byte) (1 << at % 8);
            ExportedGraph read;
            try {
                read = read(flipped);
            } catch (GraphFileException e) {
                assertThat(e).hasMessageContaining("The file " + folder);
                continue;
            }
            assertEqual(read, written);
            harmless++;
        }
        Header header = header(good);
        long padding = good.length
                - header.encoded().limit()
                - header.sections().stream().mapToLong(Header.Section::bytes).sum();
        assertThat(harmless).isEqualTo((int) padding);
    }

    @Example
    void shouldRefuseATruncatedOrExtendedFile() throws IOException {
        byte[] good = bytes(random(9, 20, 5));
        for (int length = 0; length < good.length + 3; length++) {
            if (length != good.length) {
                byte[] cut = Arrays.copyOf(good, length);
                assertThatExceptionOfType(GraphFileException.class)
                        .as("%s of %s bytes", length, good.length)
                        .isThrownBy(() -> read(cut));
            }
        }
    }

    /** Lengths, offsets, counts and numbers of sections that are far too large, with a checksum that matches. */
    @Example
    void shouldRefuseEveryHostileHeaderWithoutLargeAllocations() throws IOException {
        byte[] good = bytes(random(9, 20, 6));
        int length = header(good).encoded().limit();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        int refused = 0;
        for (int at = 0; at + Integer.BYTES <= length; at++) {
            for (int value : new int[] {-1, Integer.MAX_VALUE, 1 << 24}) {
                ByteBuffer hostile = ByteBuffer.wrap(good.clone()).order(ByteOrder.LITTLE_ENDIAN);
                hostile.putInt(at, value);
                byte[] file = withHeaderChecksum(hostile, length);
                long before = threads.getThreadAllocatedBytes(thread);
                try {
                    read(file);
                } catch (GraphFileException e) {
                    refused++;
                }
                assertThat(threads.getThreadAllocatedBytes(thread) - before)
                        .as("%d at %d", value, at)
                        .isLessThan(Header.CHUNK_BYTES);
            }
        }
        assertThat(refused).isGreaterThan(length);
    }

    @Example
    void shouldRefuseAHeaderThatIsTooLongWithoutReadingIt() throws IOException {
        ExportedGraph graph = random(9, 20, 6);
        Header header = header(bytes(graph));
        Header hostile = new Header(
                        header.fingerprint(),
                        header.nodeCount(),
                        header.sections(),
                        named(graph, "x".repeat(1 << 22)).origin(),
                        header.labels(),
                        header.topologies(),
                        header.types(),
                        header.columns())
                .laidOut();
        Path path = folder.resolve("bytes");
        Files.write(path, withHeader(new byte[(int) hostile.fileBytes()], hostile));
        String words = "is damaged: its header cannot have " + hostile.encoded().limit() + " bytes";
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(thread);
        assertThatThrownBy(() -> GraphFile.open(path))
                .isInstanceOf(GraphFileException.class)
                .hasMessageContaining(words);
        assertThat(threads.getThreadAllocatedBytes(thread) - before).isLessThan(Header.CHUNK_BYTES);
    }

    @Example
    void shouldSayWhatIsWrong() throws IOException {
        byte[] good = bytes(random(9, 30, 8));
        assertRefused(new byte[100], "is not an exported graph: it does not begin with the characters PROXGRPH");
        assertRefused(new byte[3], "is not an exported graph: it has only 3 bytes");
        byte[] later = good.clone();
        later[Header.AT_VERSION] = 2;
        assertRefused(later, "cannot be read: it has format 2 and", "Export the graph again with this version");
        assertRefused(
                Arrays.copyOf(good, good.length - 1),
                "is damaged: it has " + (good.length - 1) + " bytes, but should have " + good.length);
        byte[] wrongHeader = good.clone();
        wrongHeader[Header.FIXED_BYTES]++;
        assertRefused(wrongHeader, "is damaged: the checksum of its header does not match");
        byte[] wrongSection = good.clone();
        long offset = header(good).sections().get(0).offset();
        wrongSection[(int) offset]++;
        assertRefused(wrongSection, "is damaged: the checksum of its bytes from " + offset + " does not match");
        assertThatThrownBy(() -> GraphFile.open(folder.resolve("none")))
                .isInstanceOf(GraphFileException.class)
                .hasMessageContaining("cannot be used: it does not exist");
        assertThatThrownBy(() -> GraphFile.open(folder.resolve("a".repeat(300))))
                .isInstanceOf(GraphFileException.class)
                .hasMessageEndingWith(" cannot be read: File name too long.");
        assertThatThrownBy(() ->
                        write(folder.resolve("no folder").resolve("x"), random(3, 3, 1), 1, Stop.NEVER, Progress.NONE))
                .isInstanceOf(GraphFileException.class)
                .hasMessageContaining("cannot be written: there is no such file or folder.");
    }

    /** Arrays with matching checksums that are not a graph. */
    @Example
    void shouldRefuseWhatIsNotAGraph() throws IOException {
        PropertyGraph source = new PropertyGraph();
        for (int node = 0; node < 70; node++) {
            source.node(2L * node, "A");
        }
        source.node(1000, "B").relationship("R", 0, 2).relationship("R", 0, 4).relationship("R", 6, 8);
        ExportedGraph directed = exported(
                source,
                Map.of("A", "A", "B", "B"),
                Map.of("R", new TypeProjection("R", Orientation.NATURAL)),
                List.of());
        byte[] good = bytes(directed);

        assertRefused(good, Header.Kind.IDS, bytes -> bytes.putLong(8, 0), "neo4jIds must ascend");
        assertRefused(good, Header.Kind.IDS, bytes -> bytes.putLong(0, -5), "neo4jIds must ascend");
        assertRefused(
                good,
                Header.Kind.IDS,
                bytes -> bytes.putLong(70 * 8, Long.MAX_VALUE),
                "a neo4jId must be less than 2^63 - 1: vertex=70, neo4jId=9223372036854775807");
        assertRefused(good, Header.Kind.LABEL, bytes -> bytes.putLong(8, -1), "label bits");
        assertRefused(good, Header.Kind.POINTERS, bytes -> bytes.putLong(16, 99), "must not decrease");
        assertRefused(good, Header.Kind.POINTERS, bytes -> bytes.putLong(16, -99), "must not decrease");
        assertRefused(good, Header.Kind.POINTERS, bytes -> bytes.putLong(71 * 8, 1L << 40), "the last column pointer");
        assertRefused(good, Header.Kind.POINTERS, bytes -> bytes.putLong(0, 1), "begin with 0");
        assertRefused(good, Header.Kind.ROWS, bytes -> bytes.putInt(0, -1), "row=-1");
        assertRefused(good, Header.Kind.ROWS, bytes -> bytes.putInt(0, 71), "row=71");
        assertRefused(good, Header.Kind.ROWS, bytes -> bytes.putInt(0, 5), "must ascend");
        assertRefused(good, Header.Kind.ROWS, bytes -> bytes.putInt(0, 0), "list itself");
        Header header = header(good);
        Header symmetric = new Header(
                header.fingerprint(),
                header.nodeCount(),
                header.sections(),
                header.origin(),
                header.labels(),
                List.of(new Header.Topology(true, 3, 4)),
                header.types(),
                header.columns());
        assertRefused(withHeader(good, symmetric), "is damaged", "every edge's reverse");
    }

    @Example
    void shouldRefuseAHeaderThatSaysWhatItsGraphIsNot() throws IOException {
        PropertyGraph source = new PropertyGraph();
        source.node(0, "A").node(1, "A").relationship("R", 0, 1);
        byte[] good = bytes(exported(
                source, Map.of("A", "A"), Map.of("R", new TypeProjection("R", Orientation.NATURAL)), List.of()));
        Header header = header(good);
        Header.Type type = header.types().get(0);

        // a run against the direction would follow the edges themselves
        Header undirected =
                with(header, header.sections(), List.of(new Header.Type("R", true, type.topology(), List.of())));
        assertRefused(withHeader(good, undirected), "is damaged", "undirected type without the reverse of its edges=R");
        // its memory is part of no estimate
        List<Header.Section> sections = new ArrayList<>(header.sections());
        sections.add(Header.Section.of(Header.Kind.IDS, 0));
        Header idle = with(header, sections, header.types()).laidOut();
        ByteBuffer encoded = idle.encoded();
        byte[] longer = Arrays.copyOf(good, (int) idle.fileBytes());
        encoded.get(0, longer, 0, encoded.limit());
        assertRefused(
                longer, "is damaged", "section without use=" + header.sections().size());
    }

    private static Header with(Header header, List<Header.Section> sections, List<Header.Type> types) {
        return new Header(
                header.fingerprint(),
                header.nodeCount(),
                sections,
                header.origin(),
                header.labels(),
                header.topologies(),
                types,
                header.columns());
    }

    /** A cost would be that of another relationship. */
    @Example
    void shouldRefuseWeightsOfOtherRelationships() throws IOException {
        PropertyGraph source = new PropertyGraph();
        for (int node = 0; node < 5; node++) {
            source.node(node, "A");
        }
        source.relationship("R", 0, 2, Map.of("w", 3.0))
                .relationship("R", 0, 2, Map.of("w", 4.0))
                .relationship("R", 0, 3, Map.of("w", 5.0));
        PropertyProjection parallel = new PropertyProjection("w", 1, Aggregation.NONE);
        byte[] good = bytes(exported(
                source,
                Map.of("A", "A"),
                Map.of("R", new TypeProjection("R", Orientation.NATURAL, Map.of("w", parallel))),
                List.of()));
        read(good);
        for (int[] other : new int[][] {{1, 3}, {2, 4}, {3, 4}}) {
            assertRefused(
                    good,
                    Header.Kind.ROWS,
                    bytes -> bytes.asIntBuffer().put(other),
                    "the relationships with weights must be those of their type: column=0");
        }
    }

    @Example
    void shouldRefuseANameThatTheFormatCannotHold() {
        ExportedGraph graph = random(10, 20, 1);
        Path path = folder.resolve("half");
        for (String name : List.of("\ud83d", "a\udc3b", "\udc3b\ud83d")) {
            assertThatExceptionOfType(GraphFileException.class)
                    .isThrownBy(() -> write(path, named(graph, name), 1, Stop.NEVER, Progress.NONE))
                    .withMessageMatching("The graph cannot be exported, because the name `(a?\\\\u[0-9a-f]{4})+` is not"
                            + " valid Unicode\\. Project it with another name\\.");
            assertThat(path).doesNotExist();
        }
    }

    @Example
    void shouldNotWriteAHeaderThatCannotBeRead() {
        ExportedGraph graph = named(random(10, 20, 1), "x".repeat(1 << 22));
        Path path = folder.resolve("long name");
        assertThatExceptionOfType(GraphFileException.class)
                .isThrownBy(() -> write(path, graph, 1, Stop.NEVER, Progress.NONE))
                .withMessageMatching("The file .+ cannot be written: its labels, types and checksums take 4194[0-9]{3}"
                        + " bytes, but at most 4194320 are possible\\.");
        assertThat(path).doesNotExist();
    }

    private static ExportedGraph named(ExportedGraph graph, String name) {
        Origin given = graph.origin();
        Origin origin = new Origin(
                name,
                given.owner(),
                given.database(),
                given.elementIdPrefix(),
                given.created(),
                given.storeId(),
                given.lastTransaction());
        return new ExportedGraph(origin, graph.fingerprint(), graph.graph(), graph.types(), graph.columns());
    }

    @Example
    void shouldLeaveNothingWhenStopped() {
        ExportedGraph graph = random(60, 300, 11);
        Path path = folder.resolve("stopped");
        AtomicInteger checks = new AtomicInteger();
        write(folder.resolve("complete"), graph, 1, () -> checks.incrementAndGet() < 0, Progress.NONE);
        assertThat(checks).hasPositiveValue();
        for (int asked = 0; asked < checks.get(); asked++) {
            AtomicInteger left = new AtomicInteger(asked);
            assertThatThrownBy(() -> write(path, graph, 1, () -> left.getAndDecrement() <= 0, Progress.NONE))
                    .isInstanceOf(StoppedException.class);
            assertThat(path).doesNotExist();
            assertThat(folder).isDirectoryNotContaining("glob:**" + CompleteFile.UNFINISHED);
        }
    }

    @Example
    void shouldLeaveNothingWhenTheLastCheckFails() {
        Path path = folder.resolve("checked");
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> GraphFile.write(path, random(10, 20, 1), 1, Stop.NEVER, Progress.NONE, () -> {
                    throw new IllegalStateException("taken");
                }));
        assertThat(path).doesNotExist();
        assertThat(folder).isDirectoryNotContaining("glob:**" + CompleteFile.UNFINISHED);
    }

    @Example
    void shouldKeepTheOldFileWhenStoppedAndStopReading() throws IOException {
        Path path = folder.resolve("old");
        ExportedGraph old = random(10, 20, 1);
        write(path, old, 1, Stop.NEVER, Progress.NONE);

        assertThatThrownBy(() -> write(path, random(9, 9, 2), 2, () -> true, Progress.NONE))
                .isInstanceOf(StoppedException.class);

        try (GraphFile file = GraphFile.open(path)) {
            assertEqual(file.read(1, Stop.NEVER, Progress.NONE), old);
            AtomicInteger checks = new AtomicInteger();
            file.read(1, () -> checks.incrementAndGet() < 0, Progress.NONE);
            assertThat(checks).hasPositiveValue();
            for (int asked = 0; asked < checks.get(); asked++) {
                AtomicInteger left = new AtomicInteger(asked);
                assertThatThrownBy(() -> file.read(1, () -> left.getAndDecrement() <= 0, Progress.NONE))
                        .isInstanceOf(StoppedException.class);
            }
        }
    }

    @Example
    void shouldStopWhenInterrupted() {
        ExportedGraph graph = random(40, 90, 3);
        Path path = folder.resolve("interrupted");
        write(path, graph, 1, Stop.NEVER, Progress.NONE);
        try (GraphFile file = GraphFile.open(path)) {
            assertInterrupted(() -> GraphFile.open(path).close());
            assertInterrupted(() -> write(path, graph, 1, Stop.NEVER, Progress.NONE));
            assertInterrupted(() -> file.read(1, Stop.NEVER, Progress.NONE));
        }
        // what the other workers get when the interrupt of one has closed their channel
        for (IOException closed : List.of(new AsynchronousCloseException(), new ClosedChannelException())) {
            assertThatThrownBy(() -> GraphFile.forChunks(
                            Header.Section.of(Header.Kind.VALUES, 9), 1, Stop.NEVER, (chunk, bytes, from, count) -> {
                                throw closed;
                            }))
                    .isInstanceOf(StoppedException.class);
        }
    }

    private static void assertInterrupted(ThrowingCallable work) {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(work).isInstanceOf(StoppedException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    /** What one reads is all of one of the files, never a mixture. */
    @Example
    void shouldLeaveOneOfTwoFilesThatAreWrittenAtTheSameTime() {
        Path path = folder.resolve("both");
        ExportedGraph one = random(50, 300, 1);
        ExportedGraph other = random(40, 300, 2);
        for (int round = 0; round < 20; round++) {
            CompletableFuture<Void> written =
                    CompletableFuture.runAsync(() -> write(path, other, 2, Stop.NEVER, Progress.NONE));
            write(path, one, 2, Stop.NEVER, Progress.NONE);
            written.join();
            try (GraphFile file = GraphFile.open(path)) {
                ExportedGraph read = file.read(1, Stop.NEVER, Progress.NONE);
                assertEqual(read, read.fingerprint().equals(one.fingerprint()) ? one : other);
            }
        }
    }

    private static void assertRefused(byte[] good, Header.Kind kind, Consumer<ByteBuffer> change, String words) {
        assertRefused(with(good, kind, change), "is damaged", words);
    }

    private static void assertRefused(byte[] bytes, String... words) {
        assertThatThrownBy(() -> read(bytes))
                .isInstanceOf(GraphFileException.class)
                .hasMessageContainingAll(words)
                .hasMessageContaining("The file " + folder.resolve("bytes"));
    }

    private static byte[] bytes(ExportedGraph graph) throws IOException {
        Path path = folder.resolve("good");
        write(path, graph, 1, Stop.NEVER, Progress.NONE);
        return Files.readAllBytes(path);
    }

    private static long write(Path path, ExportedGraph graph, int concurrency, Stop stop, Progress progress) {
        return GraphFile.write(path, graph, concurrency, stop, progress, () -> {});
    }

    private static ExportedGraph read(byte[] bytes) throws IOException {
        Path path = folder.resolve("bytes");
        Files.write(path, bytes);
        try (GraphFile file = GraphFile.open(path)) {
            return file.read(1, Stop.NEVER, Progress.NONE);
        }
    }

    private static Header header(byte[] file) {
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer header = ByteBuffer.wrap(Arrays.copyOf(file, bytes.getInt(Header.AT_HEADER_BYTES)))
                .order(ByteOrder.LITTLE_ENDIAN);
        return Header.decoded("name", header, file.length);
    }

    private static byte[] withHeader(byte[] file, Header header) {
        byte[] changed = file.clone();
        ByteBuffer encoded = header.encoded();
        encoded.get(0, changed, 0, encoded.limit());
        return changed;
    }

    private static byte[] withHeaderChecksum(ByteBuffer file, int headerBytes) {
        file.putInt(Header.AT_HEADER_CRC, 0);
        CRC32C crc = new CRC32C();
        crc.update(file.duplicate().position(0).limit(headerBytes));
        byte[] changed = new byte[file.capacity()];
        file.putInt(Header.AT_HEADER_CRC, (int) crc.getValue()).get(0, changed);
        return changed;
    }

    /** The file with another first section of a kind, and the checksums that match it. */
    private static byte[] with(byte[] file, Header.Kind kind, Consumer<ByteBuffer> change) {
        byte[] changed = file.clone();
        Header header = header(file);
        Header.Section section = header.sections().stream()
                .filter(each -> each.kind() == kind)
                .findFirst()
                .orElseThrow();
        int offset = (int) section.offset();
        int length = (int) section.bytes();
        change.accept(ByteBuffer.wrap(changed, offset, length).slice().order(ByteOrder.LITTLE_ENDIAN));
        CRC32C crc = new CRC32C();
        crc.update(changed, offset, length);
        section.checksums()[0] = (int) crc.getValue();
        return withHeader(changed, header);
    }

    private static void assertEqual(ExportedGraph actual, ExportedGraph expected) {
        GraphProjection a = actual.graph();
        GraphProjection e = expected.graph();
        assertThat(actual.origin()).isEqualTo(expected.origin());
        assertThat(actual.types()).isEqualTo(expected.types());
        assertThat(actual.fingerprint())
                .isEqualTo(expected.fingerprint())
                .isEqualTo(GraphFingerprint.of(a, 1, Stop.NEVER));
        GraphEntries.assertEqual(a, e);
        assertThat(List.copyOf(a.types())).isEqualTo(List.copyOf(e.types()));
        assertThat(List.copyOf(a.labels())).isEqualTo(List.copyOf(e.labels()));
        for (String label : e.labels()) {
            assertThat(a.labelBits(label)).isEqualTo(e.labelBits(label));
        }
        for (String type : e.types()) {
            for (String other : e.types()) {
                assertThat(a.csc(type) == a.csc(other)).isEqualTo(e.csc(type) == e.csc(other));
            }
            for (String property : e.properties(type)) {
                assertThat(a.weighted(type, property).rowIndices()
                                == a.csc(type).rowIndices())
                        .isEqualTo(e.weighted(type, property).rowIndices()
                                == e.csc(type).rowIndices());
            }
        }
        // arrays that were shared still are
        assertThat(a.bytes() - a.idMap().bytes())
                .isEqualTo(e.bytes() - e.idMap().bytes());
        assertThat(actual.columns()).hasSameSizeAs(expected.columns());
        for (int i = 0; i < expected.columns().size(); i++) {
            NodeColumn column = expected.columns().get(i);
            NodeColumn found = actual.columns().get(i);
            assertThat(List.of(found.name(), found.labels(), found.kind(), found.noValue()))
                    .isEqualTo(List.of(column.name(), column.labels(), column.kind(), column.noValue()));
            assertThat(IntStream.range(0, a.vertexCount())
                            .mapToLong(found.bits())
                            .toArray())
                    .isEqualTo(IntStream.range(0, e.vertexCount())
                            .mapToLong(column.bits())
                            .toArray());
        }
    }

    /** Several labels and types in all orientations, some of which share arrays; parallel relationships and none. */
    private static ExportedGraph random(int nodes, int relationships, long seed) {
        Random random = new Random(seed);
        PropertyGraph source = new PropertyGraph();
        long id = random.nextInt(3);
        List<Long> all = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            source.node(id, random.nextBoolean() ? "A" : "B");
            all.add(id);
            id += random.nextInt(4) == 0 ? 1 + random.nextInt(200) : 1;
        }
        for (int i = 0; i < relationships && nodes > 0; i++) {
            source.relationship(
                    random.nextInt(3) == 0 ? "S" : "R",
                    all.get(random.nextInt(nodes)),
                    all.get(random.nextInt(nodes)),
                    random.nextInt(5) == 0 ? Map.of() : Map.of("w", random.nextGaussian()));
        }
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("all", ProjectionSpec.ALL);
        if (random.nextBoolean()) {
            labels.put("B", "B");
            labels.put("Ä", "A");
            labels.put("Nobody", "Nobody");
        }
        Orientation orientation = List.of(Orientation.values()).get(random.nextInt(3));
        Aggregation aggregation = random.nextBoolean() ? Aggregation.NONE : Aggregation.MAX;
        Map<String, PropertyProjection> properties = new LinkedHashMap<>();
        properties.put("weight", new PropertyProjection("w", Double.NaN, aggregation));
        properties.put("other", new PropertyProjection("w", 2, aggregation));
        Map<String, TypeProjection> types = new LinkedHashMap<>();
        types.put("R", new TypeProjection("R", orientation, random.nextBoolean() ? properties : Map.of()));
        if (random.nextBoolean()) {
            types.put("S", new TypeProjection("S", Orientation.REVERSE));
            types.put("same as S", new TypeProjection("S", Orientation.REVERSE));
            types.put("every", new TypeProjection(ProjectionSpec.ALL, Orientation.NATURAL));
        }
        List<NodeColumn> columns = new ArrayList<>();
        if (random.nextBoolean()) {
            columns.add(new NodeColumn("hops", Set.of("all"), NodeColumn.Kind.INTEGER, -1, vertex -> vertex * 7L - 1));
            columns.add(new NodeColumn(
                    "score",
                    labels.keySet(),
                    NodeColumn.Kind.FLOAT,
                    Double.doubleToRawLongBits(Double.NaN),
                    vertex -> Double.doubleToRawLongBits(1.0 / vertex)));
        }
        return exported(source, labels, types, columns);
    }

    private static ExportedGraph exported(
            PropertyGraph source,
            Map<String, String> labels,
            Map<String, TypeProjection> types,
            List<NodeColumn> columns) {
        GraphProjection graph = source.project(new ProjectionSpec(labels, types), 2);
        Map<String, TypeSchema> schema = new LinkedHashMap<>();
        types.forEach((name, type) -> {
            Map<String, String> properties = new LinkedHashMap<>();
            type.properties().keySet().forEach(property -> properties.put(property, "Float of " + property));
            schema.put(name, new TypeSchema(type.orientation() == Orientation.UNDIRECTED, properties));
        });
        return new ExportedGraph(
                origin(graph.vertexCount()), GraphFingerprint.of(graph, 1, Stop.NEVER), graph, schema, columns);
    }

    private static Origin origin(int number) {
        return new Origin(
                "g" + number,
                "ann",
                "neo4j",
                "4:1b3d:",
                Instant.ofEpochMilli(1_700_000_000_000L),
                "store",
                "transaction " + number);
    }
}

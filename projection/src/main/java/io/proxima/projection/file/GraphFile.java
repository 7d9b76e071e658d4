// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.file;

import static io.proxima.projection.file.GraphFileException.damaged;
import static io.proxima.projection.file.GraphFileException.failed;
import static io.proxima.projection.file.GraphFileException.notAGraph;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Task;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.IdMap;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.DoublePages;
import io.proxima.projection.csc.IntPages;
import io.proxima.projection.csc.WeightedCsc;
import io.proxima.projection.file.Header.Kind;
import io.proxima.projection.file.Header.Section;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * The file of a projected graph. The manual's page "The format of exported graphs" is the specification: a header with
 * a checksum of its own, and sections of 32-bit or 64-bit numbers, with a CRC32C for each chunk of a MiB, so that
 * several threads can write and read. All numbers are little-endian.
 *
 * <p>The header of an open file has been checked: the arrays that it describes are no larger than the file.
 * {@link #read} checks everything else.
 */
public final class GraphFile implements AutoCloseable {

    /** Writing a file; its volume is in bytes. */
    public static final Task WRITE = Task.of("Write file");

    /** Reading a file; its volume is in bytes. */
    public static final Task READ = Task.of("Read file");

    /** Checking what was read. */
    public static final Task CHECK = Task.of("Check graph");

    private final String name;
    private final Input input;
    private final Header header;
    private final String digest;

    private GraphFile(String name, Input input, Header header, String digest) {
        this.name = name;
        this.input = input;
        this.header = header;
        this.digest = digest;
    }

    /** The bytes of a file in any file system. Several threads read at the same time. */
    public interface Input extends AutoCloseable {

        /** Bytes of the file. */
        long size() throws IOException;

        /**
         * Fills the remaining bytes of a buffer.
         *
         * @param position of the first byte in the file
         * @throws EOFException if the file ends earlier
         */
        void readFully(ByteBuffer into, long position) throws IOException;

        @Override
        void close() throws IOException;
    }

    /** A file of the default file system. */
    private record ChannelInput(FileChannel channel) implements Input {
        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public void readFully(ByteBuffer into, long position) throws IOException {
            CompleteFile.readFully(channel, into, position);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /**
     * Writes a graph. Replaces an existing file.
     *
     * @param path the file; its folder exists
     * @param concurrency number of writing threads, at least 1
     * @param last the last check before the file gets its name; its exception leaves nothing of the new file
     * @return bytes of the file
     * @throws GraphFileException if the format cannot hold the graph, or if the file system fails; nothing is left of
     *     the new file
     * @throws StoppedException if the stop was requested; nothing is left of the new file
     */
    public static long write(
            Path path, ExportedGraph graph, int concurrency, Stop stop, Progress progress, Runnable last) {
        GraphFileLayout layout = GraphFileLayout.of(graph);
        try {
            CompleteFile.write(path, channel -> {
                progress.beginTask(WRITE, layout.header().fileBytes());
                layout.write(channel, concurrency, stop, progress);
                stop.check();
                last.run();
            });
        } catch (ClosedByInterruptException e) {
            throw new StoppedException();
        } catch (IOException | UncheckedIOException e) {
            throw failed(path, "written", e);
        }
        return layout.header().fileBytes();
    }

    /**
     * Bytes of the file of a graph, whatever its fingerprint.
     *
     * @throws GraphFileException if the format cannot hold the graph
     */
    public static long bytes(ExportedGraph graph) {
        return GraphFileLayout.of(graph).header().fileBytes();
    }

    /**
     * Opens a file and reads its header.
     *
     * @throws GraphFileException if the file cannot be used, with the reason
     * @throws StoppedException if the thread was interrupted
     */
    public static GraphFile open(Path path) {
        try {
            return open(path.toString(), new ChannelInput(FileChannel.open(path, StandardOpenOption.READ)));
        } catch (NoSuchFileException e) {
            throw new GraphFileException("The file " + path + " cannot be used: it does not exist.", null);
        } catch (IOException e) {
            throw failed(path, "read", e);
        }
    }

    /** Whether a file begins as the file of a graph does; if it cannot be read, it is none. */
    public static boolean isMarked(Path path) {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            ByteBuffer start = littleEndian(Long.BYTES);
            CompleteFile.readFully(channel, start, 0);
            return start.getLong(0) == Header.MAGIC;
        } catch (ClosedByInterruptException e) {
            throw new StoppedException();
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Reads the header of an open file.
     *
     * @param name the name of the file, for messages
     * @param input closed with the returned file, or if this method fails
     * @throws GraphFileException if the file cannot be used, with the reason
     * @throws StoppedException if the thread was interrupted
     */
    public static GraphFile open(String name, Input input) {
        boolean done = false;
        try {
            GraphFile file = opened(name, input);
            done = true;
            return file;
        } catch (ClosedByInterruptException e) {
            throw new StoppedException();
        } catch (IOException e) {
            throw failed(name, "read", e);
        } finally {
            if (!done) {
                closeQuietly(input);
            }
        }
    }

    private static GraphFile opened(String name, Input input) throws IOException {
        long fileBytes = input.size();
        if (fileBytes < Header.FIXED_BYTES) {
            throw notAGraph(name, "it has only " + fileBytes + " bytes");
        }
        ByteBuffer start = littleEndian(Header.FIXED_BYTES);
        input.readFully(start, 0);
        ByteBuffer whole = littleEndian(Header.headerBytes(name, start, fileBytes));
        input.readFully(whole, 0);
        Header header = Header.decoded(name, whole.flip(), fileBytes);
        return new GraphFile(name, input, header, GraphFileHeader.digest(whole));
    }

    /** The header of this open file, even if another file has got its name since. */
    public GraphFileHeader header() {
        return new GraphFileHeader(
                header.origin(),
                header.fingerprint(),
                header.nodeCount(),
                header.relationshipCount(),
                header.schema(),
                digest);
    }

    /** Heap of {@link #read} at its peak, including the result. */
    public MemoryTree readMemory(int concurrency) {
        long arrays = 0;
        for (Section section : header.sections()) {
            arrays += section.kind() == Kind.IDS ? 0 : section.bytes();
        }
        return MemoryTree.together(
                "read file",
                MemoryTree.exactly("relationships, labels and properties", arrays),
                MemoryTree.between(
                        "id map", header.sections().get(Header.IDS).bytes(), IdMap.mostBytes(header.nodeCount())),
                transferMemory(concurrency));
    }

    /** Heap of {@link #write}, and the part of reading that is not kept. */
    public static MemoryTree transferMemory(int concurrency) {
        return MemoryTree.exactly("buffers", (long) concurrency * Header.CHUNK_BYTES);
    }

    /**
     * Reads the graph and checks it: the checksum of every chunk, and every invariant of the graph.
     *
     * @param concurrency number of threads, at least 1
     * @throws GraphFileException if the file cannot be used, with the reason
     * @throws StoppedException if the stop was requested, or the thread interrupted
     */
    public ExportedGraph read(int concurrency, Stop stop, Progress progress) {
        try {
            progress.beginTask(READ, header.fileBytes());
            List<Object> arrays = new ArrayList<>();
            for (Section section : header.sections()) {
                arrays.add(read(section, concurrency, stop, progress));
            }
            progress.beginTask(CHECK, 0);
            ExportedGraph graph = assembled(arrays, stop);
            graph.graph().validate(concurrency, stop);
            return graph;
        } catch (EOFException e) {
            throw damaged(name, "it has been truncated: " + e.getMessage());
        } catch (IOException | UncheckedIOException e) {
            throw failed(name, "read", e);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw damaged(name, "its graph is inconsistent: " + e.getMessage());
        }
    }

    private Object read(Section section, int concurrency, Stop stop, Progress progress) throws IOException {
        SectionArray array = SectionArray.allocate(section.kind(), section.length());
        forChunks(section, concurrency, stop, (chunk, bytes, from, count) -> {
            input.readFully(bytes, section.offset() + chunk * Header.CHUNK_BYTES);
            bytes.flip();
            if (checksum(bytes) != section.checksums()[(int) chunk]) {
                throw damaged(
                        name,
                        "the checksum of its bytes from " + (section.offset() + chunk * Header.CHUNK_BYTES)
                                + " does not match");
            }
            array.fromBytes().elements(from, count, bytes);
            progress.advance(bytes.limit());
        });
        return array.array();
    }

    private ExportedGraph assembled(List<Object> arrays, Stop stop) {
        IdMap ids = IdMap.of((long[]) arrays.get(Header.IDS), stop);
        int last = ids.size() - 1;
        if (last >= 0 && ids.toNeo4jId(last) == Long.MAX_VALUE) {
            // no node has it, and a cursor of Neo4j that looks for it never ends
            throw new IllegalArgumentException(
                    "a neo4jId must be less than 2^63 - 1: vertex=" + last + ", neo4jId=" + Long.MAX_VALUE);
        }
        Map<String, long[]> labels = new LinkedHashMap<>();
        for (Header.Label label : header.labels()) {
            labels.put(
                    label.name(), label.section() == Header.NO_SECTION ? null : (long[]) arrays.get(label.section()));
        }
        List<Csc> graphs = header.topologies().stream()
                .map(lists -> new Csc(
                        (long[]) arrays.get(lists.pointers()), (IntPages) arrays.get(lists.rows()), lists.symmetric()))
                .toList();
        Map<String, Csc> byType = new LinkedHashMap<>();
        Map<String, Map<String, WeightedCsc>> weights = new LinkedHashMap<>();
        Map<List<Integer>, WeightedCsc> known = new HashMap<>();
        for (Header.Type type : header.types()) {
            byType.put(type.name(), graphs.get(type.topology()));
            Map<String, WeightedCsc> ofType = new LinkedHashMap<>();
            for (Header.Weights property : type.weights()) {
                // types may share weights
                List<Integer> numbers = List.of(property.topology(), property.section());
                ofType.put(
                        property.name(),
                        known.computeIfAbsent(
                                numbers,
                                shared -> new WeightedCsc(graphs.get(property.topology()), (DoublePages)
                                        arrays.get(property.section()))));
            }
            weights.put(type.name(), ofType);
        }
        List<NodeColumn> columns = new ArrayList<>();
        for (Header.Column column : header.columns()) {
            long[] values = (long[]) arrays.get(column.section());
            columns.add(new NodeColumn(
                    column.name(), column.labels(), column.kind(), column.noValue(), vertex -> values[vertex]));
        }
        GraphProjection graph = new GraphProjection(ids, labels, byType, weights);
        return new ExportedGraph(header.origin(), header.fingerprint(), graph, header.schema(), columns);
    }

    @Override
    public void close() {
        closeQuietly(input);
    }

    /** Work on one chunk of a section. */
    @FunctionalInterface
    interface ChunkTask {
        /**
         * Does the work.
         *
         * @param chunk number of the chunk
         * @param bytes a buffer of the length of the chunk, at position 0
         * @param from the first element
         * @param count number of elements
         */
        void run(long chunk, ByteBuffer bytes, long from, int count) throws IOException;
    }

    /** Distributes the chunks of a section over threads. */
    static void forChunks(Section section, int concurrency, Stop stop, ChunkTask task) throws IOException {
        int perChunk = Header.CHUNK_BYTES / section.kind().width;
        ByteBuffer[] buffers = new ByteBuffer[concurrency];
        try {
            Workers.forRanges(concurrency, section.length(), perChunk, stop, (worker, from, to) -> {
                if (buffers[worker] == null) {
                    buffers[worker] = littleEndian((int) Math.min(Header.CHUNK_BYTES, section.bytes()));
                }
                int count = (int) (to - from);
                ByteBuffer bytes = buffers[worker].clear().limit(count * section.kind().width);
                try {
                    task.run(from / perChunk, bytes, from, count);
                } catch (ClosedChannelException e) {
                    // the interrupt of one worker closes the channel of all
                    throw new StoppedException();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    static int checksum(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().rewind());
        return (int) crc.getValue();
    }

    /** On the heap, so that a thread's memory is freed when it ends and is part of the estimate. */
    static ByteBuffer littleEndian(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void closeQuietly(Input input) {
        try {
            input.close();
        } catch (IOException e) {
            // a file that was only read loses nothing
        }
    }
}

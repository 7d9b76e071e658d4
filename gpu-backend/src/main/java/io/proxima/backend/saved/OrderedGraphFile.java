// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.saved;

import io.proxima.backend.bvss.Bvss;
import io.proxima.backend.bvss.BvssLayout;
import io.proxima.backend.order.Permutation;
import io.proxima.backend.order.VertexOrder;
import io.proxima.backend.saved.SavedGraphException.Reason;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.GraphFingerprint;
import io.proxima.projection.IntPages;
import io.proxima.projection.file.CompleteFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The file of an {@link OrderedGraph}; the manual's page "The format of saved graphs" is its specification. It has a header
 * of 4,096 bytes and five sections of 32-bit words, each aligned to a multiple of 4,096 bytes. Header and sections have
 * CRC32C checksums. All numbers are little-endian.
 *
 * <p>A file is either complete or absent: it is written under another name, flushed to disk and then renamed.
 */
public final class OrderedGraphFile {

    /** Version of the format. A reader refuses a later one. */
    public static final int VERSION = 1;

    /** How the file begins: the ASCII bytes "PROXBVSS" as a little-endian number. */
    static final long MAGIC = 0x5353_5642_584F_5250L;

    static final int ALIGNMENT = 1 << 12;
    static final int HEADER_BYTES = ALIGNMENT;

    private static final int CHUNK_WORDS = 1 << 20;
    private static final int CHUNK_BYTES = CHUNK_WORDS * Integer.BYTES;

    // offsets in the header, in bytes
    private static final int AT_MAGIC = 0;
    static final int AT_VERSION = 8;
    static final int AT_HEADER_CRC = 12;
    private static final int AT_FINGERPRINT = 16;
    private static final int AT_VERTEX_COUNT = 32;
    private static final int AT_ORDER = 36;
    private static final int AT_ENTRY_COUNT = 40;
    private static final int AT_SLICE_COUNT = 48;
    private static final int AT_DIVERGENCE = 56;
    private static final int AT_VSS_COUNT = 64;
    private static final int AT_SECTION_COUNT = 68;
    private static final int AT_SECTIONS = 72;

    // offsets in a section's entry of the header, in bytes
    private static final int SECTION_OFFSET = 0;
    private static final int SECTION_WORDS = 8;
    private static final int SECTION_CRC = 16;
    private static final int SECTION_ENTRY_BYTES = 24;

    private static final int SECTIONS = 5;

    private OrderedGraphFile() {}

    /**
     * Writes a graph. Replaces an existing file.
     *
     * @param path the file; its folder exists
     * @param stop requests the work to end early; an existing file then remains, and the new file is deleted
     * @throws IOException if the file system fails; the new file is deleted
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static void write(Path path, OrderedGraph graph, Stop stop) throws IOException {
        CompleteFile.write(path, channel -> new Writer(channel, stop).write(graph));
    }

    /** Bytes that {@link #write} makes. */
    public static long bytes(OrderedGraph graph) {
        long bytes = HEADER_BYTES;
        for (int[][] section : sections(graph)) {
            bytes += aligned(words(section) * Integer.BYTES);
        }
        return bytes;
    }

    /** The minimum of {@link #bytes} of all graphs of this shape. */
    public static long leastBytes(int vertexCount, long entryCount) {
        return HEADER_BYTES
                + aligned((long) vertexCount * Integer.BYTES)
                + BvssLayout.leastBytes(vertexCount, entryCount);
    }

    /**
     * Reads a graph.
     *
     * @param expected the fingerprint of the graph that is asked for
     * @param concurrency threads that check the permutation, at least 1
     * @param stop asks the work to end early
     * @throws SavedGraphException if the file cannot be used, with the reason
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static OrderedGraph read(Path path, GraphFingerprint expected, int concurrency, Stop stop)
            throws SavedGraphException {
        return read(path, stop, reader -> reader.read(expected, concurrency));
    }

    /**
     * Reads the order of a graph, without its slice sets. Their checksums are checked by {@link #read}.
     *
     * @param expected the fingerprint of the graph that is asked for
     * @param concurrency threads that check the permutation, at least 1
     * @param stop asks the work to end early
     * @throws SavedGraphException if the file cannot be used, with the reason
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static SavedOrder readOrder(Path path, GraphFingerprint expected, int concurrency, Stop stop)
            throws SavedGraphException {
        return read(path, stop, reader -> reader.readOrder(expected, concurrency));
    }

    /** What is read of a file. */
    @FunctionalInterface
    private interface Reading<T> {
        T from(Reader reader) throws IOException, SavedGraphException;
    }

    private static <T> T read(Path path, Stop stop, Reading<T> reading) throws SavedGraphException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            return reading.from(new Reader(path, channel, stop));
        } catch (EOFException e) {
            throw new SavedGraphException(Reason.DAMAGED, "The saved graph " + path + " ends too early.", e);
        } catch (IOException e) {
            throw new SavedGraphException(Reason.UNREADABLE, "The saved graph " + path + " cannot be read: " + e, e);
        }
    }

    /** The arrays of each section, one after the other in the file. */
    private static List<int[][]> sections(OrderedGraph graph) {
        Bvss bvss = graph.bvss();
        return List.of(
                new int[][] {graph.permutation().vertices()},
                new int[][] {bvss.realPtrs()},
                new int[][] {bvss.virtualToReal()},
                pages(bvss.rowIds()),
                pages(bvss.masks()));
    }

    private static int[][] pages(IntPages words) {
        int[][] pages = new int[IntPages.pageCount(words.length(), words.pageShift())][];
        Arrays.setAll(pages, words::page);
        return pages;
    }

    private static long words(int[][] section) {
        return Arrays.stream(section).mapToLong(page -> page.length).sum();
    }

    private static long aligned(long bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    private static int headerCrc(ByteBuffer header) {
        ByteBuffer copy = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        copy.put(header.duplicate().clear()).putInt(AT_HEADER_CRC, 0).clear();
        CRC32C crc = new CRC32C();
        crc.update(copy);
        return (int) crc.getValue();
    }

    /** How each order is numbered in files, whatever else the enum may come to hold. */
    private static int code(VertexOrder order) {
        return switch (order) {
            case NATURAL -> 1;
            case DEGREE -> 2;
            case RCM -> 5;
            case JACCARD -> 6;
            case AUTO -> throw new IllegalArgumentException("order must not be auto: order=" + order);
        };
    }

    private static final class Writer {
        private final FileChannel channel;
        private final Stop stop;
        private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);

        Writer(FileChannel channel, Stop stop) {
            this.channel = channel;
            this.stop = stop;
        }

        void write(OrderedGraph graph) throws IOException {
            Bvss bvss = graph.bvss();
            ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            header.putLong(AT_MAGIC, MAGIC)
                    .putInt(AT_VERSION, VERSION)
                    .putLong(AT_FINGERPRINT, graph.fingerprint().high())
                    .putLong(AT_FINGERPRINT + Long.BYTES, graph.fingerprint().low())
                    .putInt(AT_VERTEX_COUNT, bvss.vertexCount())
                    .putInt(AT_ORDER, code(graph.order()))
                    .putLong(AT_ENTRY_COUNT, bvss.entryCount())
                    .putLong(AT_SLICE_COUNT, bvss.sliceCount())
                    .putDouble(AT_DIVERGENCE, graph.divergence())
                    .putInt(AT_VSS_COUNT, bvss.virtualSliceSetCount())
                    .putInt(AT_SECTION_COUNT, SECTIONS);
            long offset = HEADER_BYTES;
            int at = AT_SECTIONS;
            for (int[][] section : sections(graph)) {
                long words = words(section);
                header.putLong(at + SECTION_OFFSET, offset)
                        .putLong(at + SECTION_WORDS, words)
                        .putInt(at + SECTION_CRC, writeSection(section, offset));
                offset += aligned(words * Integer.BYTES);
                at += SECTION_ENTRY_BYTES;
            }
            header.putInt(AT_HEADER_CRC, headerCrc(header));
            CompleteFile.writeFully(channel, header.clear(), 0);
        }

        private int writeSection(int[][] pages, long offset) throws IOException {
            CRC32C crc = new CRC32C();
            long at = offset;
            for (int[] page : pages) {
                for (int done = 0; done < page.length; done += CHUNK_WORDS) {
                    stop.check();
                    int count = Math.min(page.length - done, CHUNK_WORDS);
                    chunk.clear().limit(count * Integer.BYTES);
                    chunk.asIntBuffer().put(page, done, count);
                    crc.update(chunk);
                    CompleteFile.writeFully(channel, chunk.flip(), at);
                    at += (long) count * Integer.BYTES;
                }
            }
            pad(at);
            return (int) crc.getValue();
        }

        private void pad(long end) throws IOException {
            int missing = (int) (aligned(end) - end);
            CompleteFile.writeFully(channel, ByteBuffer.allocate(missing), end);
        }
    }

    private static final class Reader {
        private final Path path;
        private final FileChannel channel;
        private final Stop stop;
        private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        private ByteBuffer header;

        Reader(Path path, FileChannel channel, Stop stop) {
            this.path = path;
            this.channel = channel;
            this.stop = stop;
        }

        OrderedGraph read(GraphFingerprint expected, int concurrency) throws IOException, SavedGraphException {
            SavedOrder order = readOrder(expected, concurrency);
            int n = order.permutation().size();
            long[] lengths = lengths(n, order.virtualSliceSetCount());
            int[] realPtrs = readArray(1, lengths[1]);
            int[] virtualToReal = readArray(2, lengths[2]);
            IntPages rowIds = readPages(3, lengths[3]);
            IntPages masks = readPages(4, lengths[4]);
            try {
                Bvss bvss = Bvss.of(
                        n,
                        realPtrs,
                        virtualToReal,
                        rowIds,
                        masks,
                        header.getLong(AT_SLICE_COUNT),
                        header.getLong(AT_ENTRY_COUNT));
                return new OrderedGraph(
                        expected, order.order(), order.permutation(), bvss, header.getDouble(AT_DIVERGENCE));
            } catch (IllegalArgumentException | IllegalStateException e) {
                throw damaged(e.getMessage());
            }
        }

        SavedOrder readOrder(GraphFingerprint expected, int concurrency) throws IOException, SavedGraphException {
            readHeader(expected);
            int n = header.getInt(AT_VERTEX_COUNT);
            int virtualSliceSets = header.getInt(AT_VSS_COUNT);
            VertexOrder order = order();
            if (n < 0 || n > Csc.MAX_VERTICES || virtualSliceSets < 0 || header.getInt(AT_SECTION_COUNT) != SECTIONS) {
                throw damaged("its sizes are impossible: vertexCount=" + n + ", virtualSliceSets=" + virtualSliceSets);
            }
            long[] lengths = lengths(n, virtualSliceSets);
            checkSections(lengths);
            int[] vertices = readArray(0, lengths[0]);
            try {
                Permutation permutation = Permutation.ofVertices(vertices, concurrency, stop);
                return new SavedOrder(expected, order, permutation, virtualSliceSets);
            } catch (IllegalArgumentException | IllegalStateException e) {
                throw damaged(e.getMessage());
            }
        }

        /** {@code long[SECTIONS]}: 32-bit words of each section. */
        private static long[] lengths(int vertexCount, int virtualSliceSets) {
            return new long[] {
                vertexCount,
                BvssLayout.sliceSetCount(vertexCount) + 1L,
                virtualSliceSets,
                (long) virtualSliceSets * BvssLayout.VSS_SLICES,
                (long) virtualSliceSets * BvssLayout.VSS_MASK_WORDS
            };
        }

        private void readHeader(GraphFingerprint expected) throws IOException, SavedGraphException {
            header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            if (channel.size() < HEADER_BYTES) {
                throw new SavedGraphException(
                        Reason.NOT_A_SAVED_GRAPH, "The file " + path + " is too short for a saved graph.");
            }
            CompleteFile.readFully(channel, header, 0);
            if (header.getLong(AT_MAGIC) != MAGIC) {
                throw new SavedGraphException(Reason.NOT_A_SAVED_GRAPH, "The file " + path + " is not a saved graph.");
            }
            int version = header.getInt(AT_VERSION);
            if (version > VERSION) {
                throw new SavedGraphException(
                        Reason.NEWER_FORMAT,
                        "The saved graph " + path + " has format " + version
                                + ", but this version of Proxima reads only formats up to " + VERSION + ".");
            }
            if (version < VERSION) {
                throw damaged("its format does not exist: version=" + version);
            }
            if (header.getInt(AT_HEADER_CRC) != headerCrc(header)) {
                throw damaged("the checksum of its header does not match");
            }
            GraphFingerprint found =
                    new GraphFingerprint(header.getLong(AT_FINGERPRINT), header.getLong(AT_FINGERPRINT + Long.BYTES));
            if (!found.equals(expected)) {
                throw new SavedGraphException(
                        Reason.STALE,
                        "The saved graph " + path + " was made from another graph: expected=" + expected + ", found="
                                + found);
            }
        }

        private VertexOrder order() throws SavedGraphException {
            int code = header.getInt(AT_ORDER);
            for (VertexOrder order : VertexOrder.values()) {
                if (order != VertexOrder.AUTO && code(order) == code) {
                    return order;
                }
            }
            throw damaged("its order does not exist: code=" + code);
        }

        /** Before anything is allocated, so that a wrong size cannot ask for more memory than the file has bytes. */
        private void checkSections(long[] lengths) throws IOException, SavedGraphException {
            long offset = HEADER_BYTES;
            for (int section = 0; section < SECTIONS; section++) {
                int at = AT_SECTIONS + section * SECTION_ENTRY_BYTES;
                long words = header.getLong(at + SECTION_WORDS);
                if (words != lengths[section] || header.getLong(at + SECTION_OFFSET) != offset) {
                    throw damaged("section " + section + " has a wrong size: words=" + words + ", expected="
                            + lengths[section]);
                }
                offset += aligned(words * Integer.BYTES);
            }
            if (channel.size() != offset) {
                throw damaged("its length is wrong: bytes=" + channel.size() + ", expected=" + offset);
            }
        }

        private int[] readArray(int section, long length) throws IOException, SavedGraphException {
            int[] array = new int[Math.toIntExact(length)];
            readSection(section, new int[][] {array});
            return array;
        }

        private IntPages readPages(int section, long length) throws IOException, SavedGraphException {
            IntPages words = IntPages.allocate(length, IntPages.DEFAULT_PAGE_SHIFT);
            readSection(section, pages(words));
            return words;
        }

        private void readSection(int section, int[][] pages) throws IOException, SavedGraphException {
            int entry = AT_SECTIONS + section * SECTION_ENTRY_BYTES;
            long at = header.getLong(entry + SECTION_OFFSET);
            CRC32C crc = new CRC32C();
            for (int[] page : pages) {
                for (int done = 0; done < page.length; done += CHUNK_WORDS) {
                    stop.check();
                    int count = Math.min(page.length - done, CHUNK_WORDS);
                    chunk.clear().limit(count * Integer.BYTES);
                    CompleteFile.readFully(channel, chunk, at);
                    chunk.flip();
                    chunk.asIntBuffer().get(page, done, count);
                    crc.update(chunk);
                    at += (long) count * Integer.BYTES;
                }
            }
            if (header.getInt(entry + SECTION_CRC) != (int) crc.getValue()) {
                throw damaged("the checksum of section " + section + " does not match");
            }
        }

        private SavedGraphException damaged(String what) {
            return new SavedGraphException(Reason.DAMAGED, "The saved graph " + path + " is damaged: " + what + ".");
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.file;

import io.proxima.projection.Csc;
import io.proxima.projection.GraphFingerprint;
import io.proxima.projection.file.ExportedGraph.Origin;
import io.proxima.projection.file.ExportedGraph.TypeSchema;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * The header of a file: what the graph is, and where its arrays are. The manual's page "The format of exported graphs" is
 * the specification.
 *
 * <p>The class is long because encoding, decoding and checking follow the same format, field by field.
 *
 * @param nodeCount number of vertices
 * @param sections the arrays; the first has the neo4jIds
 * @param topologies the column pointers and row indices of each CSC
 */
record Header(
        Origin origin,
        GraphFingerprint fingerprint,
        int nodeCount,
        List<Section> sections,
        List<Label> labels,
        List<Topology> topologies,
        List<Type> types,
        List<Column> columns) {

    static final int VERSION = 1;

    /** How the file begins: the ASCII bytes "PROXGRPH" as a little-endian number. */
    static final long MAGIC = 0x4850_5247_584F_5250L;

    /** Read with another byte order, it is another number. */
    static final int BYTE_ORDER_MARK = 0x0102_0304;

    /** The number of bytes that one checksum covers; the last chunk of a section may be shorter. */
    static final int CHUNK_BYTES = 1 << 20;

    /** Sections begin at a multiple. */
    static final int ALIGNMENT = 64;

    /** The checksums of 8 TiB, so that a wrong length cannot request much memory. */
    static final int MAX_BYTES = 1 << 25;

    /** Bytes from the start of the file that say how long the header is. */
    static final int FIXED_BYTES = 56;

    /** The section of the neo4jIds. */
    static final int IDS = 0;

    /** The label that every vertex has needs no section. */
    static final int NO_SECTION = -1;

    // offsets in the header, in bytes
    private static final int AT_MAGIC = 0;
    static final int AT_VERSION = 8;
    private static final int AT_BYTE_ORDER = 12;
    static final int AT_HEADER_BYTES = 16;
    static final int AT_HEADER_CRC = 20;
    private static final int AT_FILE_BYTES = 24;
    private static final int AT_FINGERPRINT = 32;
    private static final int AT_NODE_COUNT = 48;

    /** What an array is. */
    enum Kind {
        /** neo4jIds. */
        IDS(1, Long.BYTES),
        /** The vertices with a label, as bits. */
        LABEL(2, Long.BYTES),
        /** Column pointers. */
        POINTERS(3, Long.BYTES),
        /** Row indices. */
        ROWS(4, Integer.BYTES),
        /** The weights of relationships. */
        WEIGHTS(5, Double.BYTES),
        /** The values of nodes. */
        VALUES(6, Long.BYTES);

        /** The number of the kind in files: its place in this list, from 1 on. */
        final int code;

        /** Bytes of an element. */
        final int width;

        Kind(int code, int width) {
            this.code = code;
            this.width = width;
        }
    }

    /**
     * An array.
     *
     * @param length number of elements
     * @param offset where it begins in the file, in bytes
     * @param checksums the CRC32C of each chunk
     */
    @SuppressWarnings("ArrayRecordComponent") // filled while the chunks are written, never compared
    record Section(Kind kind, long length, long offset, int[] checksums) {
        static Section of(Kind kind, long length) {
            return new Section(kind, length, 0, new int[chunks(length * kind.width)]);
        }

        long bytes() {
            return length * kind.width;
        }

        long end() {
            return offset + bytes();
        }

        static int chunks(long bytes) {
            return Math.toIntExact((bytes + CHUNK_BYTES - 1) / CHUNK_BYTES);
        }
    }

    /** A projected label and the section of its bits. */
    record Label(String name, int section) {}

    /** The sections of a CSC. */
    record Topology(boolean symmetric, int pointers, int rows) {}

    /** A projected type, the topology of its edges, and its weights. */
    record Type(String name, boolean undirected, int topology, List<Weights> weights) {}

    /** A property of relationships, the topology that includes parallel ones, and the section of its values. */
    record Weights(String name, String description, int topology, int section) {}

    /** A property of nodes and the section of its values. */
    record Column(String name, Set<String> labels, NodeColumn.Kind kind, long noValue, int section) {}

    /** Directed edges over all types. */
    long relationshipCount() {
        long count = 0;
        for (Type type : types) {
            count += sections.get(topologies.get(type.topology).rows).length;
        }
        return count;
    }

    /** The schema of the types. */
    Map<String, TypeSchema> schema() {
        Map<String, TypeSchema> schema = new LinkedHashMap<>();
        for (Type type : types) {
            Map<String, String> properties = new LinkedHashMap<>();
            type.weights.forEach(weights -> properties.put(weights.name, weights.description));
            schema.put(type.name, new TypeSchema(type.undirected, properties));
        }
        return schema;
    }

    /** Bytes of the file. */
    long fileBytes() {
        return sections.get(sections.size() - 1).end();
    }

    /** The same header with the sections one after the other, behind the header. */
    Header laidOut() {
        long end = encoded().limit();
        List<Section> placed = new ArrayList<>();
        for (Section section : sections) {
            Section at = new Section(section.kind, section.length, aligned(end), section.checksums);
            placed.add(at);
            end = at.end();
        }
        return new Header(origin, fingerprint, nodeCount, placed, labels, topologies, types, columns);
    }

    private static long aligned(long bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    /** The bytes, from position 0 to the limit. */
    ByteBuffer encoded() {
        Encoder out = new Encoder();
        out.putLong(MAGIC)
                .putInt(VERSION)
                .putInt(BYTE_ORDER_MARK)
                .putInt(0)
                .putInt(0)
                .putLong(fileBytes())
                .putLong(fingerprint.high())
                .putLong(fingerprint.low())
                .putInt(nodeCount)
                .putInt(sections.size());
        for (Section section : sections) {
            out.putInt(section.kind.code).putLong(section.length).putLong(section.offset);
            for (int checksum : section.checksums) {
                out.putInt(checksum);
            }
        }
        out.putText(origin.graphName())
                .putText(origin.owner())
                .putText(origin.database())
                .putText(origin.elementIdPrefix())
                .putLong(origin.created().toEpochMilli())
                .putText(origin.storeId())
                .putText(origin.lastTransaction());
        out.putInt(labels.size());
        labels.forEach(label -> out.putText(label.name).putInt(label.section));
        out.putInt(topologies.size());
        topologies.forEach(topology ->
                out.putInt(topology.symmetric ? 1 : 0).putInt(topology.pointers).putInt(topology.rows));
        out.putInt(types.size());
        for (Type type : types) {
            out.putText(type.name).putInt(type.undirected ? 1 : 0).putInt(type.topology);
            out.putInt(type.weights.size());
            type.weights.forEach(weights -> out.putText(weights.name)
                    .putText(weights.description)
                    .putInt(weights.topology)
                    .putInt(weights.section));
        }
        out.putInt(columns.size());
        for (Column column : columns) {
            out.putText(column.name).putInt(column.labels.size());
            column.labels.stream().sorted().forEach(out::putText);
            out.putInt(column.kind == NodeColumn.Kind.INTEGER ? 1 : 2)
                    .putLong(column.noValue)
                    .putInt(column.section);
        }
        ByteBuffer header = out.bytes();
        header.putInt(AT_HEADER_BYTES, header.limit());
        return header.putInt(AT_HEADER_CRC, checksum(header));
    }

    /** The CRC32C of the header, computed with zero in the field of the checksum. */
    private static int checksum(ByteBuffer header) {
        CRC32C crc = new CRC32C();
        crc.update(header.duplicate().position(0).limit(AT_HEADER_CRC));
        crc.update(new byte[Integer.BYTES]);
        crc.update(header.duplicate().position(AT_HEADER_CRC + Integer.BYTES));
        return (int) crc.getValue();
    }

    /** Bytes of the header, read from the first {@link #FIXED_BYTES} bytes of a file that has the given length. */
    static int headerBytes(ByteBuffer start, long fileBytes, Refusal refusal) {
        if (start.getLong(AT_MAGIC) != MAGIC) {
            throw refusal.of(
                    GraphFileException.Reason.NOT_A_GRAPH_FILE, "it does not begin with the characters PROXGRPH");
        }
        int version = start.getInt(AT_VERSION);
        if (version != VERSION || start.getInt(AT_BYTE_ORDER) != BYTE_ORDER_MARK) {
            throw refusal.of(
                    GraphFileException.Reason.UNKNOWN_FORMAT,
                    "it has format " + version + " and byte order mark "
                            + Integer.toHexString(start.getInt(AT_BYTE_ORDER)) + ", but this version of Proxima reads"
                            + " format " + VERSION + " in little-endian byte order");
        }
        int bytes = start.getInt(AT_HEADER_BYTES);
        if (bytes < FIXED_BYTES || bytes > MAX_BYTES || bytes > fileBytes) {
            throw refusal.damaged("its header cannot have " + bytes + " bytes");
        }
        return bytes;
    }

    /** Makes the exception for a file that cannot be used. */
    @FunctionalInterface
    interface Refusal {
        GraphFileException of(GraphFileException.Reason reason, String what);

        default GraphFileException damaged(String what) {
            return of(GraphFileException.Reason.DAMAGED, what);
        }
    }

    /**
     * Decodes and checks a header. Whatever it says, the arrays that it describes are no larger than the file.
     *
     * @param bytes the whole header
     * @param fileBytes the true length of the file
     */
    static Header decoded(ByteBuffer bytes, long fileBytes, Refusal refusal) {
        if (bytes.getInt(AT_HEADER_CRC) != checksum(bytes)) {
            throw refusal.damaged("the checksum of its header does not match");
        }
        if (bytes.getLong(AT_FILE_BYTES) != fileBytes) {
            throw refusal.damaged(
                    "it has " + fileBytes + " bytes, but should have " + bytes.getLong(AT_FILE_BYTES) + " bytes");
        }
        try {
            Header header = new Decoder(bytes).header(fileBytes);
            header.check(bytes.limit(), fileBytes);
            return header;
        } catch (BufferUnderflowException e) {
            throw refusal.damaged("its header ends too early");
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw refusal.damaged("its header is inconsistent: " + e.getMessage());
        }
    }

    private void check(int headerBytes, long fileBytes) {
        require(nodeCount >= 0 && nodeCount <= Csc.MAX_VERTICES, "nodeCount", nodeCount);
        long end = headerBytes;
        for (Section section : sections) {
            require(section.offset == aligned(end), "offset", section.offset);
            end = section.end();
        }
        require(end == fileBytes, "end of the sections", end);
        require(sections.get(IDS).kind == Kind.IDS, "kind of the first section", sections.get(IDS).kind);
        requireSection(IDS, Kind.IDS, nodeCount);
        Set<String> names = new HashSet<>();
        for (Label label : labels) {
            require(names.add(label.name), "label twice", label.name);
            if (label.section != NO_SECTION) {
                requireSection(label.section, Kind.LABEL, (nodeCount + 63L) >>> 6);
            }
        }
        for (Topology topology : topologies) {
            requireSection(topology.pointers, Kind.POINTERS, nodeCount + 1L);
            require(sections.get(topology.rows).kind == Kind.ROWS, "rows", topology.rows);
        }
        names.clear();
        for (Type type : types) {
            require(names.add(type.name), "type twice", type.name);
            topologies.get(type.topology);
            Set<String> properties = new HashSet<>();
            for (Weights weights : type.weights) {
                require(properties.add(weights.name), "property twice", weights.name);
                requireSection(
                        weights.section, Kind.WEIGHTS, sections.get(topologies.get(weights.topology).rows).length);
            }
        }
        names.clear();
        Set<String> known = new HashSet<>();
        labels.forEach(label -> known.add(label.name));
        for (Column column : columns) {
            require(names.add(column.name), "node property twice", column.name);
            require(known.containsAll(column.labels), "labels of a node property", column.labels);
            requireSection(column.section, Kind.VALUES, nodeCount);
        }
    }

    private void requireSection(int number, Kind kind, long length) {
        Section section = sections.get(number);
        require(section.kind == kind && section.length == length, "section of " + kind, number);
    }

    private static void require(boolean holds, String what, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(what + "=" + value);
        }
    }

    private static final class Encoder {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private final ByteBuffer scratch = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);

        Encoder putInt(int value) {
            out.write(scratch.putInt(0, value).array(), 0, Integer.BYTES);
            return this;
        }

        Encoder putLong(long value) {
            out.write(scratch.putLong(0, value).array(), 0, Long.BYTES);
            return this;
        }

        Encoder putText(String text) {
            byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
            putInt(encoded.length);
            out.write(encoded, 0, encoded.length);
            return this;
        }

        ByteBuffer bytes() {
            return ByteBuffer.wrap(out.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    private static final class Decoder {
        private final ByteBuffer in;

        Decoder(ByteBuffer in) {
            this.in = in;
        }

        Header header(long fileBytes) {
            in.position(AT_FINGERPRINT);
            GraphFingerprint fingerprint = new GraphFingerprint(in.getLong(), in.getLong());
            in.position(AT_NODE_COUNT);
            int nodeCount = in.getInt();
            int count = in.getInt();
            List<Section> sections = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                sections.add(section(fileBytes));
            }
            Origin origin =
                    new Origin(text(), text(), text(), text(), Instant.ofEpochMilli(in.getLong()), text(), text());
            count = in.getInt();
            List<Label> labels = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                labels.add(new Label(text(), in.getInt()));
            }
            count = in.getInt();
            List<Topology> topologies = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                topologies.add(new Topology(flag(), in.getInt(), in.getInt()));
            }
            count = in.getInt();
            List<Type> types = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                types.add(type());
            }
            count = in.getInt();
            List<Column> columns = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                columns.add(column());
            }
            require(!in.hasRemaining(), "bytes behind the last field", in.remaining());
            return new Header(origin, fingerprint, nodeCount, sections, labels, topologies, types, columns);
        }

        private Section section(long fileBytes) {
            Kind kind = oneOf(Kind.values());
            long length = in.getLong();
            require(length >= 0 && length <= fileBytes / kind.width, "length of a section", length);
            long offset = in.getLong();
            int chunks = Section.chunks(length * kind.width);
            if (chunks > in.remaining() / Integer.BYTES) {
                throw new BufferUnderflowException();
            }
            int[] checksums = new int[chunks];
            for (int i = 0; i < chunks; i++) {
                checksums[i] = in.getInt();
            }
            return new Section(kind, length, offset, checksums);
        }

        private Type type() {
            String name = text();
            boolean undirected = flag();
            int topology = in.getInt();
            int count = in.getInt();
            List<Weights> weights = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                weights.add(new Weights(text(), text(), in.getInt(), in.getInt()));
            }
            return new Type(name, undirected, topology, weights);
        }

        private Column column() {
            String name = text();
            int count = in.getInt();
            Set<String> labels = new LinkedHashSet<>();
            for (int i = 0; i < count; i++) {
                labels.add(text());
            }
            return new Column(name, labels, oneOf(NodeColumn.Kind.values()), in.getLong(), in.getInt());
        }

        /** A constant, whose number begins with 1. */
        private <E> E oneOf(E[] constants) {
            return constants[in.getInt() - 1];
        }

        private boolean flag() {
            int value = in.getInt();
            require(value == 0 || value == 1, "flag", value);
            return value == 1;
        }

        private String text() {
            int length = in.getInt();
            require(length >= 0, "length of a text", length);
            if (length > in.remaining()) {
                throw new BufferUnderflowException();
            }
            ByteBuffer encoded = in.slice().limit(length);
            in.position(in.position() + length);
            try {
                return StandardCharsets.UTF_8.newDecoder().decode(encoded).toString();
            } catch (CharacterCodingException e) {
                throw new IllegalArgumentException("text is not UTF-8", e);
            }
        }
    }
}

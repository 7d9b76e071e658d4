// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.file;

import static io.proxima.projection.file.GraphFile.littleEndian;
import static io.proxima.projection.file.GraphFileException.damaged;
import static io.proxima.projection.file.GraphFileException.notAGraph;
import static io.proxima.projection.file.GraphFileException.notUnicode;

import io.proxima.projection.GraphFingerprint;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.file.ExportedGraph.Origin;
import io.proxima.projection.file.ExportedGraph.TypeSchema;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The header of a file: what the graph is, and where its arrays are. The manual's page "The format of exported graphs"
 * is the specification.
 *
 * <p>The order of the fields in a file is that of {@link #through}, for writing and for reading.
 *
 * @param nodeCount number of vertices
 * @param sections the arrays; the first has the neo4jIds
 * @param topologies the column pointers and row indices of each CSC
 */
record Header(
        GraphFingerprint fingerprint,
        int nodeCount,
        List<Section> sections,
        Origin origin,
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
    private static final int MAX_BYTES = 1 << 25;

    /** The fields besides checksums: a hundred thousand names. Short ones take several times as much heap. */
    private static final int MAX_FIELD_BYTES = 1 << 22;

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

    /** What a header is read in place of. */
    private static final Header BLANK = new Header(
            new GraphFingerprint(0, 0),
            0,
            List.of(),
            new Origin("", "", "", "", Instant.EPOCH, "", ""),
            List.of(),
            List.of(),
            List.of(),
            List.of());

    /** What an array is. In files a kind is its place in this list, from 1 on. */
    enum Kind {
        /** neo4jIds. */
        IDS(Long.BYTES),
        /** The vertices with a label, as bits. */
        LABEL(Long.BYTES),
        /** Column pointers. */
        POINTERS(Long.BYTES),
        /** Row indices. */
        ROWS(Integer.BYTES),
        /** The weights of relationships. */
        WEIGHTS(Double.BYTES),
        /** The values of nodes. */
        VALUES(Long.BYTES);

        /** Bytes of an element. */
        final int width;

        Kind(int width) {
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

        private Section through(Fields fields, long fileBytes) {
            Kind read = fields.constant(kind, Kind.values());
            long elements = fields.number(length);
            require(elements >= 0 && elements <= fileBytes / read.width, "length of a section", elements);
            long start = fields.number(offset);
            return new Section(read, elements, start, fields.numbers(checksums, chunks(elements * read.width)));
        }

        static int chunks(long bytes) {
            return Math.toIntExact((bytes + CHUNK_BYTES - 1) / CHUNK_BYTES);
        }
    }

    /** A projected label and the section of its bits. */
    record Label(String name, int section) {
        private Label through(Fields fields) {
            return new Label(fields.text(name), fields.number(section));
        }
    }

    /** The sections of a CSC. */
    record Topology(boolean symmetric, int pointers, int rows) {
        private Topology through(Fields fields) {
            return new Topology(fields.flag(symmetric), fields.number(pointers), fields.number(rows));
        }
    }

    /** A projected type, the topology of its edges, and its weights. */
    record Type(String name, boolean undirected, int topology, List<Weights> weights) {
        private Type through(Fields fields) {
            return new Type(
                    fields.text(name),
                    fields.flag(undirected),
                    fields.number(topology),
                    fields.list(weights, new Weights("", "", 0, 0), ofOne -> ofOne.through(fields)));
        }
    }

    /** A property of relationships, the topology that includes parallel ones, and the section of its values. */
    record Weights(String name, String description, int topology, int section) {
        private Weights through(Fields fields) {
            return new Weights(
                    fields.text(name), fields.text(description), fields.number(topology), fields.number(section));
        }
    }

    /** A property of nodes and the section of its values. */
    record Column(String name, Set<String> labels, NodeColumn.Kind kind, long noValue, int section) {
        private static final NodeColumn.Kind[] COLUMN_KINDS = {NodeColumn.Kind.INTEGER, NodeColumn.Kind.FLOAT};

        private Column through(Fields fields) {
            return new Column(
                    fields.text(name),
                    new LinkedHashSet<>(fields.list(labels.stream().sorted().toList(), "", fields::text)),
                    fields.constant(kind, COLUMN_KINDS),
                    fields.number(noValue),
                    fields.number(section));
        }
    }

    /**
     * Writes the fields from the fingerprint on and returns this header, or reads them and returns what was read.
     *
     * @param fileBytes no section is longer
     */
    private Header through(Fields fields, long fileBytes) {
        return new Header(
                new GraphFingerprint(fields.number(fingerprint.high()), fields.number(fingerprint.low())),
                fields.number(nodeCount),
                fields.list(sections, Section.of(Kind.IDS, 0), section -> section.through(fields, fileBytes)),
                new Origin(
                        fields.text(origin.graphName()),
                        fields.text(origin.owner()),
                        fields.text(origin.database()),
                        fields.text(origin.elementIdPrefix()),
                        Instant.ofEpochMilli(fields.number(origin.created().toEpochMilli())),
                        fields.text(origin.storeId()),
                        fields.text(origin.lastTransaction())),
                fields.list(labels, new Label("", 0), label -> label.through(fields)),
                fields.list(topologies, new Topology(false, 0, 0), topology -> topology.through(fields)),
                fields.list(types, new Type("", false, 0, List.of()), type -> type.through(fields)),
                fields.list(
                        columns,
                        new Column("", Set.of(), NodeColumn.Kind.INTEGER, 0, 0),
                        column -> column.through(fields)));
    }

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
        return new Header(fingerprint, nodeCount, placed, origin, labels, topologies, types, columns);
    }

    private static long aligned(long bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    /** The most bytes of the header of a file that has the given length. */
    static long maxBytes(long fileBytes) {
        return Math.min(MAX_BYTES, MAX_FIELD_BYTES + fileBytes / CHUNK_BYTES * Integer.BYTES);
    }

    /** The bytes, from position 0 to the limit. */
    ByteBuffer encoded() {
        Fields out = new Fields(littleEndian(FIXED_BYTES), true);
        out.number(MAGIC);
        out.number(VERSION);
        out.number(BYTE_ORDER_MARK);
        out.number(0);
        out.number(0);
        out.number(fileBytes());
        through(out, Long.MAX_VALUE);
        ByteBuffer header = out.bytes.flip();
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

    /**
     * Bytes of the header, read from the first {@link #FIXED_BYTES} bytes of a file that has the given length.
     *
     * @param name the name of the file, for messages
     */
    static int headerBytes(String name, ByteBuffer start, long fileBytes) {
        if (start.getLong(AT_MAGIC) != MAGIC) {
            throw notAGraph(name, "it does not begin with the characters PROXGRPH");
        }
        int version = start.getInt(AT_VERSION);
        if (version != VERSION || start.getInt(AT_BYTE_ORDER) != BYTE_ORDER_MARK) {
            throw new GraphFileException(
                    "The file " + name + " cannot be read: it has format " + version + " and byte order mark "
                            + Integer.toHexString(start.getInt(AT_BYTE_ORDER)) + ", but this version of Proxima reads"
                            + " format " + VERSION + " in little-endian byte order. Export the graph again with this"
                            + " version of Proxima.",
                    null);
        }
        int bytes = start.getInt(AT_HEADER_BYTES);
        if (bytes < FIXED_BYTES || bytes > maxBytes(fileBytes) || bytes > fileBytes) {
            throw damaged(name, "its header cannot have " + bytes + " bytes");
        }
        return bytes;
    }

    /**
     * Decodes and checks a header. Whatever it says, the arrays that it describes are no larger than the file.
     *
     * @param name the name of the file, for messages
     * @param bytes the whole header
     * @param fileBytes the true length of the file
     */
    static Header decoded(String name, ByteBuffer bytes, long fileBytes) {
        if (bytes.getInt(AT_HEADER_CRC) != checksum(bytes)) {
            throw damaged(name, "the checksum of its header does not match");
        }
        if (bytes.getLong(AT_FILE_BYTES) != fileBytes) {
            throw damaged(
                    name, "it has " + fileBytes + " bytes, but should have " + bytes.getLong(AT_FILE_BYTES) + " bytes");
        }
        try {
            Header header = BLANK.through(new Fields(bytes.position(AT_FINGERPRINT), false), fileBytes);
            require(!bytes.hasRemaining(), "bytes behind the last field", bytes.remaining());
            header.check(bytes.limit(), fileBytes);
            return header;
        } catch (BufferUnderflowException e) {
            throw damaged(name, "its header ends too early");
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw damaged(name, "its header is inconsistent: " + e.getMessage());
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
        // the memory of another section would not be that of the graph
        BitSet used = new BitSet();
        requireSection(used, IDS, Kind.IDS, nodeCount);
        requireDistinct("label", labels.stream().map(Label::name));
        for (Label label : labels) {
            if (label.section != NO_SECTION) {
                requireSection(used, label.section, Kind.LABEL, (nodeCount + 63L) >>> 6);
            }
        }
        for (Topology topology : topologies) {
            requireSection(used, topology.pointers, Kind.POINTERS, nodeCount + 1L);
            requireSection(used, topology.rows, Kind.ROWS, sections.get(topology.rows).length);
        }
        requireDistinct("type", types.stream().map(Type::name));
        for (Type type : types) {
            // runs against the direction take an undirected type as it is
            boolean symmetric = topologies.get(type.topology).symmetric;
            require(symmetric || !type.undirected, "undirected type without the reverse of its edges", type.name);
            requireDistinct("property", type.weights.stream().map(Weights::name));
            for (Weights weights : type.weights) {
                requireSection(
                        used,
                        weights.section,
                        Kind.WEIGHTS,
                        sections.get(topologies.get(weights.topology).rows).length);
            }
        }
        requireDistinct("node property", columns.stream().map(Column::name));
        Set<String> known = labels.stream().map(Label::name).collect(Collectors.toSet());
        for (Column column : columns) {
            require(known.containsAll(column.labels), "labels of a node property", column.labels);
            requireSection(used, column.section, Kind.VALUES, nodeCount);
        }
        require(used.cardinality() == sections.size(), "section without use", used.nextClearBit(0));
    }

    private static void requireDistinct(String what, Stream<String> names) {
        Set<String> known = new HashSet<>();
        names.forEach(name -> require(known.add(name), what + " twice", name));
    }

    private void requireSection(BitSet used, int number, Kind kind, long length) {
        Section section = sections.get(number);
        used.set(number);
        require(section.kind == kind && section.length == length, "section of " + kind, number);
    }

    private static void require(boolean holds, String what, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(what + "=" + value);
        }
    }

    /** Fields of a file, which are written to a buffer that grows, or read from one, one after another. */
    private static final class Fields {
        private ByteBuffer bytes;
        private final boolean writes;

        Fields(ByteBuffer bytes, boolean writes) {
            this.bytes = bytes;
            this.writes = writes;
        }

        /** Writes a number and returns it, or returns the number that is read. The other methods do the same. */
        int number(int value) {
            if (writes) {
                room(Integer.BYTES).putInt(value);
                return value;
            }
            return bytes.getInt();
        }

        long number(long value) {
            if (writes) {
                room(Long.BYTES).putLong(value);
                return value;
            }
            return bytes.getLong();
        }

        String text(String value) {
            if (writes) {
                try {
                    // not getBytes, which writes `?` for half of a surrogate pair
                    ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
                    number(encoded.remaining());
                    room(encoded.remaining()).put(encoded);
                    return value;
                } catch (CharacterCodingException e) {
                    throw notUnicode(value);
                }
            }
            int length = number(0);
            require(length >= 0, "length of a text", length);
            requireRemaining(length);
            ByteBuffer read = bytes.slice().limit(length);
            bytes.position(bytes.position() + length);
            try {
                return StandardCharsets.UTF_8.newDecoder().decode(read).toString();
            } catch (CharacterCodingException e) {
                throw new IllegalArgumentException("text is not UTF-8", e);
            }
        }

        /** As many numbers as given. */
        int[] numbers(int[] values, int count) {
            if (!writes) {
                requireRemaining((long) count * Integer.BYTES);
            }
            int[] numbers = Arrays.copyOf(values, count);
            Arrays.setAll(numbers, i -> number(numbers[i]));
            return numbers;
        }

        boolean flag(boolean value) {
            int number = number(value ? 1 : 0);
            require(number == 0 || number == 1, "flag", number);
            return number == 1;
        }

        /** A constant, whose number begins with 1. */
        <E extends Enum<E>> E constant(E value, E[] constants) {
            int number = number(Arrays.asList(constants).indexOf(value) + 1);
            require(number >= 1 && number <= constants.length, "constant", number);
            return constants[number - 1];
        }

        /** The number of items, and each of them; {@code blank} is what an item is read in place of. */
        <T> List<T> list(List<T> values, T blank, UnaryOperator<T> item) {
            int count = number(values.size());
            require(count >= 0, "number of items", count);
            List<T> items = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                items.add(item.apply(i < values.size() ? values.get(i) : blank));
            }
            return items;
        }

        /** The buffer, with room for so many bytes more. */
        private ByteBuffer room(int count) {
            if (bytes.remaining() < count) {
                bytes = littleEndian(2 * (bytes.capacity() + count)).put(bytes.flip());
            }
            return bytes;
        }

        private void requireRemaining(long count) {
            if (count > bytes.remaining()) {
                throw new BufferUnderflowException();
            }
        }
    }
}

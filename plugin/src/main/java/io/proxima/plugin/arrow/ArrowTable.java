// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.arrow;

import com.google.flatbuffers.Table;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.arrow.ArrowColumn.Kind;
import io.proxima.plugin.config.Shown;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;

/**
 * A table in Arrow's stream format that a client has sent. It is checked when it is created, and read in place. The
 * classes of FlatBuffers have no verifier: outside of the bytes of a message they throw, and what they return from
 * inside may be any number, which is checked here before it is used. Heap in proportion to the bytes is used.
 */
public final class ArrowTable {

    private static final int NONE = -1;
    private static final String OTHER_COLUMNS = "a batch does not have the columns of the table";

    /** Fields within fields, at most, as in Arrow's own libraries. */
    private static final int MOST_LEVELS = 64;

    private final byte[] array;

    /** The same bytes. */
    private final ByteBuffer bytes;

    private final PacedStop stop;
    private final Map<String, Column> columns = new LinkedHashMap<>();
    private int rowCount;

    /** Number of fields of columns that are passed over. */
    private int fieldsPassed;

    private ArrowTable(byte[] array, Stop stop) {
        this.array = array;
        this.bytes = ByteBuffer.wrap(array).order(ByteOrder.LITTLE_ENDIAN);
        this.stop = new PacedStop(stop);
    }

    /**
     * A column and where its batches are.
     *
     * @param valueBytes bytes of a number, also in a list
     * @param offsetBytes bytes of an offset; 0 without offsets
     * @param listSize number of elements of each list; 0 if they differ
     * @param passed what the column has in each batch if it is of another type; null if it can be read
     */
    private record Column(
            Kind kind, int valueBytes, int offsetBytes, int listSize, Passed passed, List<Batch> batches) {}

    /**
     * A column that is passed over.
     *
     * @param nodes number of its nodes in a batch
     * @param buffers number of its buffers
     * @param why why it cannot be loaded
     */
    private record Passed(int nodes, int buffers, String why) {}

    /**
     * The values of a column in a batch.
     *
     * @param validity the first byte of the bits of the values that are not missing; {@link #NONE} if none is missing
     * @param elementValidity the same for the elements of the lists
     */
    private record Batch(int rows, int validity, int offsets, int elementValidity, int values) {}

    /**
     * Reads the structure of a table.
     *
     * @throws ProximaException if the bytes are not a table, or if a column of another type cannot be passed over
     */
    public static ArrowTable of(byte[] bytes, Stop stop) {
        ArrowTable table = new ArrowTable(bytes, stop);
        try {
            table.readMessages();
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            // of the classes of FlatBuffers
            throw malformed("the description of the table points outside of its bytes");
        }
        return table;
    }

    /** The error of a table that cannot be used; {@code why} ends with the remedy. */
    public static ProximaException refused(String why) {
        return ProximaException.invalidArgument("The Arrow bytes cannot be loaded: " + why + ".");
    }

    private static ProximaException malformed(String what) {
        return refused(what + ". Give an uncompressed Arrow stream, such as `pyarrow.ipc.new_stream` writes");
    }

    private static ProximaException unsuitable(String column, String why, String remedy) {
        return refused("the column `" + Shown.text(column) + "` " + why + ". Convert it, or " + remedy);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw malformed(otherwise);
        }
    }

    private void readMessages() {
        int at = 0;
        boolean ended = false;
        while (!ended) {
            require(bytes.limit() - at >= ArrowStream.PREFIX_BYTES, "they end before the end mark of the stream");
            require(
                    bytes.getInt(at) == ArrowStream.MARK,
                    "a message does not begin with the mark of Arrow's stream format");
            int metadataBytes = bytes.getInt(at + Integer.BYTES);
            at += ArrowStream.PREFIX_BYTES;
            ended = metadataBytes == 0;
            if (!ended) {
                require(
                        metadataBytes > 0 && metadataBytes <= bytes.limit() - at,
                        "the description of a message has " + metadataBytes + " bytes, of " + (bytes.limit() - at));
                Message message = Message.getRootAsMessage(bytes.slice(at, metadataBytes));
                at += metadataBytes;
                long bodyBytes = message.bodyLength();
                require(
                        bodyBytes >= 0 && bodyBytes <= bytes.limit() - at,
                        "the body of a message has " + bodyBytes + " bytes, of " + (bytes.limit() - at));
                read(message, at, (int) bodyBytes);
                at += (int) bodyBytes;
            }
            stop.worked(1000);
        }
        require(at == bytes.limit(), "there are bytes after the end mark of the stream");
        require(!columns.isEmpty(), "they have no columns");
    }

    private void read(Message message, int body, int bodyBytes) {
        if (columns.isEmpty()) {
            Schema schema = (Schema) message.header(new Schema());
            require(
                    message.headerType() == MessageHeader.Schema && schema != null,
                    "the first message does not describe the columns");
            readSchema(schema);
        } else if (message.headerType() != MessageHeader.DictionaryBatch) {
            // columns with a dictionary are passed over
            RecordBatch batch = (RecordBatch) message.header(new RecordBatch());
            require(
                    message.headerType() == MessageHeader.RecordBatch && batch != null,
                    "a message after the first one is not a batch of rows");
            require(batch.compression() == null, "a batch is compressed");
            readBatch(batch, body, bodyBytes);
        }
    }

    private void readSchema(Schema schema) {
        require(schema.endianness() == Endianness.Little, "their numbers are not in little-endian order");
        long nameBytes = 0;
        for (int i = 0; i < schema.fieldsLength(); i++) {
            Field field = schema.fields(i);
            ByteBuffer name = field.nameAsByteBuffer();
            require(name != null && name.hasRemaining(), "a column has no name");
            // names may share their bytes
            nameBytes += name.remaining();
            require(nameBytes <= bytes.limit(), "the names of the columns are longer than the bytes");
            String text = StandardCharsets.UTF_8.decode(name).toString();
            require(!text.isBlank(), "the name of a column is blank");
            Column column = field.dictionary() == null ? column(field) : null;
            if (column == null) {
                column = passed(text, field);
            }
            require(columns.put(text, column) == null, "they have two columns `" + Shown.text(text) + "`");
            stop.worked(100);
        }
    }

    /** A column that cannot be read. */
    private Column passed(String name, Field field) {
        String why = field.dictionary() != null
                ? "is encoded by a dictionary"
                : "must be of 32 or 64-bit INTEGERs or FLOATs, of STRINGs (utf8) or of lists of such FLOATs";
        int[] parts = new int[2];
        if (!addParts(field, parts, 0)) {
            throw unsuitable(name, why, "leave it out of the table");
        }
        return new Column(null, 0, 0, 0, new Passed(parts[0], parts[1], why), List.of());
    }

    /** Adds the nodes and the buffers that a field and its children have in a batch; false if they are not known. */
    private boolean addParts(Field field, int[] parts, int level) {
        require(
                level < MOST_LEVELS && fieldsPassed++ < bytes.limit() / Integer.BYTES,
                "a column has too many fields within fields");
        stop.worked(100);
        // a code of a dictionary is an integer, whatever its field describes
        boolean isCode = field.dictionary() != null;
        int buffers = isCode ? 2 : buffers(field.typeType());
        parts[0]++;
        parts[1] += Math.max(0, buffers);
        for (int i = 0; !isCode && buffers >= 0 && i < field.childrenLength(); i++) {
            buffers = addParts(field.children(i), parts, level + 1) ? buffers : NONE;
        }
        return buffers >= 0;
    }

    /** The number of buffers of a type, without those of its children; {@link #NONE} if it is not known. */
    private static int buffers(byte type) {
        return switch (type) {
            case Type.Null -> 0;
            case Type.Struct_, Type.FixedSizeList -> 1;
            case Type.Bool,
                    Type.Int,
                    Type.FloatingPoint,
                    Type.Decimal,
                    Type.Date,
                    Type.Time,
                    Type.Timestamp,
                    Type.Duration,
                    Type.Interval,
                    Type.FixedSizeBinary,
                    Type.List,
                    Type.LargeList,
                    Type.Map -> 2;
            case Type.Utf8, Type.LargeUtf8, Type.Binary, Type.LargeBinary -> 3;
            default -> NONE;
        };
    }

    /** Null if the type is not supported. */
    private static Column column(Field field) {
        return switch (field.typeType()) {
            case Type.Int -> column(Kind.INTEGER, integers(field), 0, 0);
            case Type.FloatingPoint -> column(Kind.FLOAT, floats(field), 0, 0);
            case Type.Utf8 -> column(Kind.STRING, 1, Integer.BYTES, 0);
            case Type.LargeUtf8 -> column(Kind.STRING, 1, Long.BYTES, 0);
            case Type.List -> lists(field, Integer.BYTES, 0);
            case Type.LargeList -> lists(field, Long.BYTES, 0);
            case Type.FixedSizeList ->
                lists(field, 0, type(field, new FixedSizeList()).listSize());
            default -> null;
        };
    }

    private static Column lists(Field field, int offsetBytes, int listSize) {
        int floats = field.childrenLength() == 1 ? floats(field.children(0)) : 0;
        return offsetBytes > 0 || listSize > 0 ? column(Kind.FLOAT_LIST, floats, offsetBytes, listSize) : null;
    }

    /** Null without bytes. */
    private static Column column(Kind kind, int valueBytes, int offsetBytes, int listSize) {
        return valueBytes == 0 ? null : new Column(kind, valueBytes, offsetBytes, listSize, null, new ArrayList<>());
    }

    /** The description of a type. */
    private static <T extends Table> T type(Field field, T blank) {
        require(field.type(blank) != null, "a column has no type");
        return blank;
    }

    /** Bytes of a signed integer; 0 for other lengths. */
    private static int integers(Field field) {
        Int type = type(field, new Int());
        boolean known = type.isSigned() && (type.bitWidth() == Integer.SIZE || type.bitWidth() == Long.SIZE);
        return known ? type.bitWidth() / Byte.SIZE : 0;
    }

    /** Bytes of a floating-point number; 0 for other types. */
    private static int floats(Field field) {
        if (field.typeType() != Type.FloatingPoint || field.dictionary() != null) {
            return 0;
        }
        return switch (type(field, new FloatingPoint()).precision()) {
            case Precision.SINGLE -> Float.BYTES;
            case Precision.DOUBLE -> Double.BYTES;
            default -> 0;
        };
    }

    private void readBatch(RecordBatch batch, int body, int bodyBytes) {
        // each row has a byte at least in each column
        require(batch.length() >= 0 && batch.length() <= bodyBytes, "a batch has " + batch.length() + " rows");
        Places places = new Places(batch, body, bodyBytes);
        for (Column column : columns.values()) {
            if (column.passed == null) {
                column.batches.add(places.next(column));
            } else {
                places.pass(column.passed);
            }
            stop.worked(100);
        }
        places.requireEnd();
        rowCount += (int) batch.length();
    }

    /** Reads where the values of a batch are, one column after the other. */
    private final class Places {
        private final RecordBatch batch;
        private final int body;
        private final int bodyBytes;
        private int node;
        private int buffer;

        Places(RecordBatch batch, int body, int bodyBytes) {
            this.batch = batch;
            this.body = body;
            this.bodyBytes = bodyBytes;
        }

        Batch next(Column column) {
            int rows = (int) batch.length();
            int validity = validity(rows);
            int offsets = column.offsetBytes == 0 ? NONE : buffer(rows == 0 ? 0 : (rows + 1L) * column.offsetBytes);
            long values = rows;
            if (offsets != NONE) {
                values = rows == 0 ? 0 : lastOffset(column, offsets, rows);
            } else if (column.listSize > 0) {
                values = (long) rows * column.listSize;
            }
            require(values <= bodyBytes, "a batch needs " + values + " values, of " + bodyBytes + " bytes");
            int elementValidity = column.kind == Kind.FLOAT_LIST ? validity(values) : NONE;
            return new Batch(rows, validity, offsets, elementValidity, buffer(values * column.valueBytes));
        }

        void pass(Passed column) {
            require(
                    column.nodes <= batch.nodesLength() - node && column.buffers <= batch.buffersLength() - buffer,
                    OTHER_COLUMNS);
            node += column.nodes;
            buffer += column.buffers;
        }

        /** The place of the validity of the next node, with at least so many values. */
        private int validity(long values) {
            require(node < batch.nodesLength(), OTHER_COLUMNS);
            FieldNode next = batch.nodes(node++);
            require(next.length() >= values, "a column has " + next.length() + " values instead of " + values);
            int place = buffer(next.nullCount() == 0 ? 0 : (values + Byte.SIZE - 1) / Byte.SIZE);
            return next.nullCount() == 0 ? NONE : place;
        }

        /** The place of the next buffer, with at least so many bytes. */
        private int buffer(long needed) {
            require(buffer < batch.buffersLength(), OTHER_COLUMNS);
            Buffer next = batch.buffers(buffer++);
            require(
                    next.offset() >= 0 && next.length() >= 0 && next.offset() <= bodyBytes - next.length(),
                    "a part of a batch lies outside of its body");
            require(next.length() >= needed, "a part of a batch has " + next.length() + " bytes instead of " + needed);
            return body + (int) next.offset();
        }

        void requireEnd() {
            require(node == batch.nodesLength() && buffer == batch.buffersLength(), OTHER_COLUMNS);
        }

        /** The last offset; all must ascend. */
        private long lastOffset(Column column, int offsets, int rows) {
            long last = 0;
            for (int row = 0; row <= rows; row++) {
                long offset = offset(column, offsets, row);
                require(offset >= last && offset <= bodyBytes, "the offsets of a column do not ascend in its values");
                last = offset;
                stop.worked(1);
            }
            return last;
        }
    }

    private long offset(Column column, int offsets, int row) {
        return column.offsetBytes == Integer.BYTES
                ? bytes.getInt(offsets + row * Integer.BYTES)
                : bytes.getLong(offsets + row * Long.BYTES);
    }

    /** Number of rows. */
    public int rowCount() {
        return rowCount;
    }

    /** The names of the columns, in order. */
    public List<String> names() {
        return List.copyOf(columns.keySet());
    }

    /**
     * The type of a column.
     *
     * @throws ProximaException if the column is of another type
     */
    public Kind kind(String name) {
        Column column = columns.get(name);
        if (column.passed != null) {
            throw unsuitable(name, column.passed.why, "name only other columns in `nodeProperties`");
        }
        return column.kind;
    }

    /** Begins to read a column, before its first row. */
    public Cursor cursor(String name) {
        return new Cursor(columns.get(name));
    }

    /** Reads a column, row by row. */
    public final class Cursor {
        private final Column column;
        private int next;
        private Batch batch = new Batch(0, NONE, NONE, NONE, 0);
        private int row = -1;

        private Cursor(Column column) {
            this.column = column;
        }

        /** Goes to the next row; false after the last. */
        public boolean next() {
            stop.worked(1);
            row++;
            while (row == batch.rows && next < column.batches.size()) {
                batch = column.batches.get(next++);
                row = 0;
            }
            return row < batch.rows;
        }

        /** Whether the row has no value. */
        public boolean isMissing() {
            return isMissing(batch.validity, row);
        }

        private boolean isMissing(int validity, int index) {
            return validity != NONE && (bytes.get(validity + index / Byte.SIZE) & (1 << (index % Byte.SIZE))) == 0;
        }

        /** The INTEGER, or the FLOAT as by {@link Double#doubleToRawLongBits}. */
        public long bits() {
            if (column.kind == Kind.FLOAT) {
                return Double.doubleToRawLongBits(number(row));
            }
            int place = batch.values + row * column.valueBytes;
            return column.valueBytes == Long.BYTES ? bytes.getLong(place) : bytes.getInt(place);
        }

        /** The STRING. */
        public String text() {
            return new String(array, batch.values + start(row), length(), StandardCharsets.UTF_8);
        }

        /** Number of elements of the list, or of bytes of the STRING. */
        public int length() {
            return start(row + 1) - start(row);
        }

        /**
         * Copies the list.
         *
         * @throws ProximaException if an element is missing
         */
        public void copyTo(double[] target, int place) {
            int first = start(row);
            for (int i = 0; i < length(); i++) {
                require(!isMissing(batch.elementValidity, first + i), "a list has an element without a value");
                target[place + i] = number(first + i);
            }
            stop.worked(length());
        }

        private double number(int index) {
            int place = batch.values + index * column.valueBytes;
            return column.valueBytes == Double.BYTES ? bytes.getDouble(place) : bytes.getFloat(place);
        }

        private int start(int of) {
            return column.offsetBytes == 0 ? of * column.listSize : (int) offset(column, batch.offsets, of);
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.arrow;

import com.google.flatbuffers.FlatBufferBuilder;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Utf8;

/** A column of a table that is being written: its values in the current batch, any of which may be missing. */
public final class ArrowColumn {

    /** The type of the values, by Cypher's names. */
    public enum Kind {
        /** 64-bit integers. */
        INTEGER(Type.Int),
        /** 64-bit floating-point numbers. */
        FLOAT(Type.FloatingPoint),
        /** UTF-8 text. */
        STRING(Type.Utf8),
        /** Lists of 64-bit floating-point numbers. */
        FLOAT_LIST(Type.List);

        private final byte type;

        Kind(byte type) {
            this.type = type;
        }
    }

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final Bytes NONE = new Bytes();

    private final String name;
    private final Kind kind;
    private final Bytes validity = new Bytes();
    private final Bytes offsets = new Bytes();
    private final Bytes values = new Bytes();
    private int count;
    private int missing;

    /** Creates an empty column. */
    public ArrowColumn(String name, Kind kind) {
        this.name = name;
        this.kind = kind;
        clear();
    }

    /** Adds an INTEGER, or a FLOAT as by {@link Double#doubleToRawLongBits}. */
    public void add(long bits) {
        values.addLong(bits);
        end(true);
    }

    /** Adds a STRING. */
    public void add(String text) {
        values.add(text.getBytes(StandardCharsets.UTF_8));
        end(true);
    }

    /** Adds a list. */
    public void add(double[] list) {
        for (double element : list) {
            values.addLong(Double.doubleToRawLongBits(element));
        }
        end(true);
    }

    /** Adds a missing value. */
    public void addMissing() {
        if (!hasOffsets()) {
            values.addLong(0);
        }
        end(false);
    }

    private boolean hasOffsets() {
        return kind == Kind.STRING || kind == Kind.FLOAT_LIST;
    }

    private void end(boolean present) {
        if (count % Byte.SIZE == 0) {
            validity.addByte();
        }
        validity.bytes[count / Byte.SIZE] |= (byte) (present ? 1 << (count % Byte.SIZE) : 0);
        if (hasOffsets()) {
            offsets.addInt(kind == Kind.STRING ? values.length : values.length / Long.BYTES);
        }
        count++;
        missing += present ? 0 : 1;
    }

    /** The type of the values. */
    public Kind kind() {
        return kind;
    }

    /** The bytes of the values so far. */
    long bytes() {
        return (long) validity.length + offsets.length + values.length;
    }

    void clear() {
        validity.length = 0;
        offsets.length = 0;
        values.length = 0;
        count = 0;
        missing = 0;
        if (hasOffsets()) {
            offsets.addInt(0);
        }
    }

    /** Writes the description of the column, and returns its place. */
    int field(FlatBufferBuilder metadata) {
        return field(metadata, name, kind);
    }

    private static int field(FlatBufferBuilder metadata, String name, Kind kind) {
        // readers require the list of children, even if it is empty
        int children = Field.createChildrenVector(
                metadata, kind == Kind.FLOAT_LIST ? new int[] {field(metadata, "item", Kind.FLOAT)} : new int[0]);
        int text = metadata.createString(name);
        int type =
                switch (kind) {
                    case INTEGER -> Int.createInt(metadata, Long.SIZE, true);
                    case FLOAT -> FloatingPoint.createFloatingPoint(metadata, Precision.DOUBLE);
                    case STRING -> {
                        Utf8.startUtf8(metadata);
                        yield Utf8.endUtf8(metadata);
                    }
                    case FLOAT_LIST -> {
                        org.apache.arrow.flatbuf.List.startList(metadata);
                        yield org.apache.arrow.flatbuf.List.endList(metadata);
                    }
                };
        Field.startField(metadata);
        Field.addName(metadata, text);
        Field.addNullable(metadata, true);
        Field.addTypeType(metadata, kind.type);
        Field.addType(metadata, type);
        Field.addChildren(metadata, children);
        return Field.endField(metadata);
    }

    /**
     * Adds what describes the batch of this column to that of the columns before it.
     *
     * @param nodes for each column, and for the elements of lists, the number of values and how many are missing
     * @param buffers what the body of the message consists of
     */
    void describe(List<int[]> nodes, List<Bytes> buffers) {
        nodes.add(new int[] {count, missing});
        buffers.add(missing == 0 ? NONE : validity);
        if (hasOffsets()) {
            buffers.add(offsets);
        }
        if (kind == Kind.FLOAT_LIST) {
            nodes.add(new int[] {values.length / Long.BYTES, 0});
            buffers.add(NONE);
        }
        buffers.add(values);
    }

    /** Bytes that grow, and that the next batch uses again. */
    static final class Bytes {
        private byte[] bytes = new byte[Long.BYTES];
        private int length;

        private void ensure(int more) {
            int needed = Math.addExact(length, more);
            if (needed > bytes.length) {
                // twice the length may be negative
                bytes = Arrays.copyOf(bytes, Math.max(needed, bytes.length << 1));
            }
        }

        private void add(byte[] added) {
            ensure(added.length);
            System.arraycopy(added, 0, bytes, length, added.length);
            length += added.length;
        }

        private void addByte() {
            ensure(1);
            bytes[length++] = 0;
        }

        private void addInt(int value) {
            ensure(Integer.BYTES);
            INTS.set(bytes, length, value);
            length += Integer.BYTES;
        }

        private void addLong(long value) {
            ensure(Long.BYTES);
            LONGS.set(bytes, length, value);
            length += Long.BYTES;
        }

        byte[] array() {
            return bytes;
        }

        int length() {
            return length;
        }
    }
}

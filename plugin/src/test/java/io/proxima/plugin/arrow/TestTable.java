// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.arrow;

import io.proxima.concurrent.Stop;
import io.proxima.plugin.arrow.ArrowColumn.Kind;
import io.proxima.plugin.arrow.ArrowTable.Cursor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.TimeStampMicroTZVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ViewVarCharVector;
import org.apache.arrow.vector.complex.BaseRepeatedValueVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.Types.MinorType;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * A table: its columns c0, c1 and so on, of Long, Double, String or List of Double, and null for a missing value. It is
 * written and read by Proxima, and by the Java library of Arrow.
 */
public record TestTable(List<Kind> kinds, List<List<Object>> columns) {

    private int rowCount() {
        return columns.get(0).size();
    }

    /** Written by Proxima, in batches of so many rows. */
    public byte[] written(int batchSize) {
        List<ArrowColumn> written = IntStream.range(0, kinds.size())
                .mapToObj(i -> new ArrowColumn("c" + i, kinds.get(i)))
                .toList();
        ArrowStream stream = new ArrowStream(
                written,
                batchSize,
                rowCount(),
                1,
                (row, part, to) -> {
                    for (int i = 0; i < columns.size(); i++) {
                        add(to.get(i), columns.get(i).get(row));
                    }
                    return true;
                },
                () -> {},
                Stop.NEVER);
        return joined(messages(stream));
    }

    static List<byte[]> messages(ArrowStream stream) {
        List<byte[]> messages = new ArrayList<>();
        for (int part = 0; !stream.ended(); part++) {
            messages.add(stream.row(0, part).arrow());
        }
        return messages;
    }

    /** The stream of messages. */
    public static byte[] joined(List<byte[]> messages) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        messages.forEach(all::writeBytes);
        return all.toByteArray();
    }

    private static void add(ArrowColumn column, Object value) {
        if (value == null) {
            column.addMissing();
        } else if (value instanceof Long number) {
            column.add(number);
        } else if (value instanceof Double number) {
            column.add(Double.doubleToRawLongBits(number));
        } else if (value instanceof String text) {
            column.add(text);
        } else {
            column.add(doubles(value));
        }
    }

    private static double[] doubles(Object list) {
        return ((List<?>) list)
                .stream().mapToDouble(element -> (Double) element).toArray();
    }

    /** Read by Proxima. */
    static TestTable read(byte[] bytes) {
        ArrowTable table = ArrowTable.of(bytes, Stop.NEVER);
        List<List<Object>> columns = new ArrayList<>();
        for (String name : table.names()) {
            List<Object> values = new ArrayList<>();
            Cursor cursor = table.cursor(name);
            while (cursor.next()) {
                values.add(cursor.isMissing() ? null : value(table.kind(name), cursor));
            }
            columns.add(values);
        }
        return new TestTable(table.names().stream().map(table::kind).toList(), columns);
    }

    private static Object value(Kind kind, Cursor cursor) {
        return switch (kind) {
            case INTEGER -> cursor.bits();
            case FLOAT -> Double.longBitsToDouble(cursor.bits());
            case STRING -> cursor.text();
            case FLOAT_LIST -> {
                double[] list = new double[cursor.length()];
                cursor.copyTo(list, 0);
                yield DoubleStream.of(list).boxed().toList();
            }
        };
    }

    /** The values, column by column, as the library of Arrow reads them. */
    public static List<List<Object>> readByArrow(byte[] bytes) {
        try (BufferAllocator allocator = new RootAllocator();
                ArrowStreamReader reader = new ArrowStreamReader(new ByteArrayInputStream(bytes), allocator)) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            List<List<Object>> columns = new ArrayList<>();
            root.getFieldVectors().forEach(vector -> columns.add(new ArrayList<>()));
            while (reader.loadNextBatch()) {
                for (int i = 0; i < columns.size(); i++) {
                    for (int row = 0; row < root.getRowCount(); row++) {
                        columns.get(i).add(plain(root.getVector(i).getObject(row)));
                    }
                }
            }
            return columns;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Object plain(Object value) {
        return value instanceof Long || value instanceof Double || value instanceof List || value == null
                ? value
                : value.toString();
    }

    /** How the library of Arrow is to write the types. */
    enum Width {
        /** 64-bit numbers, 32-bit offsets. */
        USUAL,
        /** 32-bit numbers. */
        NARROW,
        /** 64-bit offsets. */
        LARGE,
        /** Lists of three elements, which others are cut or filled up to. */
        FIXED
    }

    /** This table as the library of Arrow can write it in a width. */
    TestTable in(Width width) {
        return new TestTable(
                kinds,
                columns.stream()
                        .map(column ->
                                column.stream().map(value -> in(width, value)).toList())
                        .map(column -> (List<Object>) new ArrayList<>(column))
                        .toList());
    }

    private static Object in(Width width, Object value) {
        if (width == Width.NARROW && value instanceof Long number) {
            return (long) (int) (long) number;
        }
        if (width == Width.NARROW && value instanceof Double number) {
            return (double) (float) (double) number;
        }
        if (width == Width.NARROW && value instanceof List<?> list) {
            return list.stream().map(element -> in(width, element)).toList();
        }
        if (width == Width.FIXED && value instanceof List<?> list) {
            return IntStream.range(0, 3)
                    .mapToObj(i -> i < list.size() ? list.get(i) : (Object) 0.0)
                    .toList();
        }
        return value;
    }

    /** Written by the library of Arrow, in batches of so many rows. */
    byte[] writtenByArrow(Width width, int batchSize) {
        try (BufferAllocator allocator = new RootAllocator()) {
            List<FieldVector> vectors = IntStream.range(0, kinds.size())
                    .mapToObj(i -> vector("c" + i, kinds.get(i), width, allocator))
                    .toList();
            return writtenByArrow(
                    vectors,
                    rowCount(),
                    batchSize,
                    null,
                    (vector, to, row) ->
                            set(vector, to, columns.get(vectors.indexOf(vector)).get(row)));
        }
    }

    /**
     * Columns that Proxima does not read, between the columns {@code key} and {@code value}, which both have these
     * numbers; written by the library of Arrow, in batches of two rows.
     */
    public static byte[] withOtherTypes(List<Long> numbers) {
        DictionaryEncoding encoding = new DictionaryEncoding(1, false, null);
        try (BufferAllocator allocator = new RootAllocator();
                VarCharVector kinds = new VarCharVector("", allocator)) {
            kinds.setSafe(0, new byte[] {'x'});
            kinds.setValueCount(1);
            StructVector pairs = StructVector.empty("pairs", allocator);
            pairs.addOrGet("x", FieldType.nullable(MinorType.BIT.getType()), BitVector.class);
            pairs.addOrGet("y", FieldType.nullable(MinorType.VARCHAR.getType()), VarCharVector.class);
            ListVector words = ListVector.empty("words", allocator);
            words.addOrGetVector(FieldType.nullable(MinorType.VARCHAR.getType()));
            FixedSizeListVector sizes = FixedSizeListVector.empty("sizes", 2, allocator);
            sizes.addOrGetVector(FieldType.nullable(MinorType.SMALLINT.getType()));
            List<FieldVector> columns = List.of(
                    new BigIntVector("key", allocator),
                    new BitVector("flag", allocator),
                    new TimeStampMicroTZVector("when", allocator, "UTC"),
                    new DecimalVector("price", allocator, 10, 2),
                    new VarBinaryVector("raw", allocator),
                    new NullVector("none"),
                    pairs,
                    words,
                    new IntVector("kind", new FieldType(true, new ArrowType.Int(32, true), encoding), allocator),
                    sizes,
                    new BigIntVector("value", allocator));
            return writtenByArrow(
                    columns,
                    numbers.size(),
                    2,
                    new MapDictionaryProvider(new Dictionary(kinds, encoding)),
                    (column, to, row) -> {
                        if (column instanceof BigIntVector values) {
                            values.setSafe(to, numbers.get(row));
                        }
                    });
        }
    }

    /** A column whose number of parts varies. */
    static byte[] withViews() {
        try (BufferAllocator allocator = new RootAllocator()) {
            return writtenByArrow(
                    List.of(new BigIntVector("key", allocator), new ViewVarCharVector("view", allocator)),
                    0,
                    1,
                    null,
                    (column, to, row) -> {});
        }
    }

    /** Sets an entry of a batch, of a row of the table. */
    private interface Entry {
        void set(FieldVector column, int to, int row);
    }

    private static byte[] writtenByArrow(
            List<FieldVector> columns, int rowCount, int batchSize, DictionaryProvider dictionaries, Entry entry) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (VectorSchemaRoot root = new VectorSchemaRoot(columns);
                ArrowStreamWriter writer = new ArrowStreamWriter(root, dictionaries, Channels.newChannel(out))) {
            writer.start();
            for (int first = 0; first < rowCount; first += batchSize) {
                root.clear();
                columns.forEach(FieldVector::allocateNew);
                int count = Math.min(batchSize, rowCount - first);
                for (int to = 0; to < count; to++) {
                    for (FieldVector column : columns) {
                        entry.set(column, to, first + to);
                    }
                }
                root.setRowCount(count);
                writer.writeBatch();
            }
            writer.end();
            return out.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FieldVector vector(String name, Kind kind, Width width, BufferAllocator allocator) {
        boolean narrow = width == Width.NARROW;
        boolean large = width == Width.LARGE;
        FieldType floats = FieldType.nullable(
                new ArrowType.FloatingPoint(narrow ? FloatingPointPrecision.SINGLE : FloatingPointPrecision.DOUBLE));
        return switch (kind) {
            case INTEGER -> narrow ? new IntVector(name, allocator) : new BigIntVector(name, allocator);
            case FLOAT -> narrow ? new Float4Vector(name, allocator) : new Float8Vector(name, allocator);
            case STRING -> large ? new LargeVarCharVector(name, allocator) : new VarCharVector(name, allocator);
            case FLOAT_LIST -> {
                if (large) {
                    LargeListVector lists = LargeListVector.empty(name, allocator);
                    lists.addOrGetVector(floats);
                    yield lists;
                }
                if (width == Width.FIXED) {
                    FixedSizeListVector lists = FixedSizeListVector.empty(name, 3, allocator);
                    lists.addOrGetVector(floats);
                    yield lists;
                }
                ListVector lists = ListVector.empty(name, allocator);
                lists.addOrGetVector(floats);
                yield lists;
            }
        };
    }

    private static void set(FieldVector vector, int row, Object value) {
        if (vector instanceof BaseFixedWidthVector fixed) {
            setNumber(fixed, row, value);
        } else if (vector instanceof VarCharVector texts) {
            if (value != null) {
                texts.setSafe(row, ((String) value).getBytes(StandardCharsets.UTF_8));
            }
        } else if (vector instanceof LargeVarCharVector texts) {
            if (value != null) {
                texts.setSafe(row, ((String) value).getBytes(StandardCharsets.UTF_8));
            }
        } else if (value != null) {
            double[] list = doubles(value);
            int start = start(vector, row);
            BaseFixedWidthVector elements = (BaseFixedWidthVector)
                    (vector instanceof LargeListVector large
                            ? large.getDataVector()
                            : vector instanceof FixedSizeListVector fixed
                                    ? fixed.getDataVector()
                                    : ((BaseRepeatedValueVector) vector).getDataVector());
            for (int i = 0; i < list.length; i++) {
                setNumber(elements, start + i, list[i]);
            }
            if (vector instanceof ListVector lists) {
                lists.endValue(row, list.length);
            } else if (vector instanceof LargeListVector lists) {
                lists.endValue(row, list.length);
            }
        }
    }

    private static int start(FieldVector vector, int row) {
        if (vector instanceof FixedSizeListVector lists) {
            return lists.startNewValue(row);
        }
        if (vector instanceof LargeListVector lists) {
            return (int) lists.startNewValue(row);
        }
        return ((ListVector) vector).startNewValue(row);
    }

    private static void setNumber(BaseFixedWidthVector vector, int row, Object value) {
        if (value == null) {
            while (vector.getValueCapacity() <= row) {
                vector.reAlloc();
            }
            vector.setNull(row);
        } else if (vector instanceof BigIntVector numbers) {
            numbers.setSafe(row, (Long) value);
        } else if (vector instanceof IntVector numbers) {
            numbers.setSafe(row, (int) (long) (Long) value);
        } else if (vector instanceof Float4Vector numbers) {
            numbers.setSafe(row, (float) (double) (Double) value);
        } else {
            ((Float8Vector) vector).setSafe(row, (Double) Objects.requireNonNull(value));
        }
    }
}

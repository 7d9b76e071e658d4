// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.arrow;

import com.google.flatbuffers.FlatBufferBuilder;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.arrow.ArrowColumn.Bytes;
import io.proxima.plugin.call.Rows;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.neo4j.procedure.Description;

/**
 * A table as the rows of a call. Each row is a message of Arrow's stream format: the description of the columns,
 * batches of values, and the end mark. The bytes of all rows, one after another, are a stream that readers of Arrow
 * accept.
 */
public final class ArrowStream implements Rows.Maker<ArrowStream.Row> {

    /** For {@link Rows}, the number of messages, which is not known; they are those of one element. */
    public static final int MESSAGES = Integer.MAX_VALUE;

    private static final Key<Integer> BATCH_SIZE = Key.of(
            "batchSize",
            8000,
            "The maximum number of rows of the table in a row of the result. A row of the result also ends with the row"
                    + " of the table that brings it to 64 KiB.");

    /** The key in descriptions of arguments. */
    public static final String BATCH_SIZE_TEXT = "`batchSize` = 8000, ";

    /**
     * A batch ends with the row that brings it to this: Bolt buffers rows by their number, whatever their size, and the
     * JavaScript driver is slower with larger values.
     */
    static final int BATCH_BYTES = 1 << 16;

    /** Before the length of the metadata; 0 as the length is the end mark. */
    static final int MARK = -1;

    /** Bytes of the mark and the length. */
    static final int PREFIX_BYTES = 2 * Integer.BYTES;

    private final List<ArrowColumn> columns;
    private final int batchSize;
    private final int elements;
    private final int parts;
    private final Source source;
    private final Runnable completed;
    private final PacedStop paced;
    private int element;
    private int part;
    private int rowCount;
    private long bytes;
    private boolean ended;

    /**
     * Creates a stream.
     *
     * @param batchSize maximum number of rows of a batch
     * @param elements number of elements that may have rows
     * @param parts number of parts of each element
     * @param completed runs after the last row
     */
    public ArrowStream(
            List<ArrowColumn> columns,
            int batchSize,
            int elements,
            int parts,
            Source source,
            Runnable completed,
            Stop stop) {
        this.columns = columns;
        this.batchSize = batchSize;
        this.elements = parts == 0 ? 0 : elements;
        this.parts = parts;
        this.source = source;
        this.completed = completed;
        this.paced = new PacedStop(stop);
    }

    /** A message. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Row(
            @Description("A part of an Arrow stream. The parts of all rows, one after another, are the stream.")
            byte[] arrow)
            implements Rows.Sized {
        @Override
        public long heapBytes() {
            return arrow.length;
        }
    }

    /** The rows of the table. */
    @FunctionalInterface
    public interface Source {
        /** Adds the row of a part of an element: a value to each column. Returns false if there is none. */
        boolean add(int element, int part, List<ArrowColumn> columns);
    }

    /** Reads the maximum number of rows of a batch. */
    public static int readBatchSize(ConfigReader reader) {
        return reader.readInt(BATCH_SIZE, 1);
    }

    /**
     * The heap of a stream that is read: a batch that is being made, and those that were made ahead.
     *
     * @param longest bytes of the lists of a row, at most; the row that fills a batch may have them all
     */
    public static MemoryTree memory(long longest) {
        long batch = BATCH_BYTES + longest;
        // arrays that grow have up to twice the length, and the last list is there besides
        return MemoryTree.exactly("batches", 2 * batch + longest + Rows.heapBytes(batch));
    }

    @Override
    public Row row(int unused, int message) {
        if (message == 0) {
            return new Row(schema());
        }
        while (element < elements && rowCount < batchSize && bytes < BATCH_BYTES) {
            paced.worked(1);
            if (source.add(element, part, columns)) {
                rowCount++;
                bytes = 0;
                for (ArrowColumn column : columns) {
                    bytes += column.bytes();
                }
            }
            part++;
            if (part == parts) {
                part = 0;
                element++;
            }
        }
        if (rowCount > 0) {
            return new Row(batch());
        }
        ended = true;
        return new Row(ByteBuffer.allocate(PREFIX_BYTES).putInt(MARK).array());
    }

    @Override
    public boolean ended() {
        return ended;
    }

    @Override
    public void completed() {
        completed.run();
    }

    private byte[] schema() {
        FlatBufferBuilder metadata = new FlatBufferBuilder();
        int fields = Schema.createFieldsVector(
                metadata,
                columns.stream().mapToInt(column -> column.field(metadata)).toArray());
        Schema.startSchema(metadata);
        Schema.addEndianness(metadata, Endianness.Little);
        Schema.addFields(metadata, fields);
        return message(metadata, MessageHeader.Schema, Schema.endSchema(metadata), List.of());
    }

    private byte[] batch() {
        List<int[]> nodes = new ArrayList<>();
        List<Bytes> body = new ArrayList<>();
        columns.forEach(column -> column.describe(nodes, body));
        FlatBufferBuilder metadata = new FlatBufferBuilder();
        // vectors are written from their ends on
        RecordBatch.startNodesVector(metadata, nodes.size());
        for (int i = nodes.size() - 1; i >= 0; i--) {
            FieldNode.createFieldNode(metadata, nodes.get(i)[0], nodes.get(i)[1]);
        }
        int nodeVector = metadata.endVector();
        RecordBatch.startBuffersVector(metadata, body.size());
        long end = bodyBytes(body);
        for (int i = body.size() - 1; i >= 0; i--) {
            end -= aligned(body.get(i).length());
            Buffer.createBuffer(metadata, end, body.get(i).length());
        }
        int bufferVector = metadata.endVector();
        RecordBatch.startRecordBatch(metadata);
        RecordBatch.addLength(metadata, rowCount);
        RecordBatch.addNodes(metadata, nodeVector);
        RecordBatch.addBuffers(metadata, bufferVector);
        byte[] message = message(metadata, MessageHeader.RecordBatch, RecordBatch.endRecordBatch(metadata), body);
        columns.forEach(ArrowColumn::clear);
        rowCount = 0;
        bytes = 0;
        return message;
    }

    private static byte[] message(FlatBufferBuilder metadata, byte type, int header, List<Bytes> body) {
        Message.startMessage(metadata);
        Message.addVersion(metadata, MetadataVersion.V5);
        Message.addHeaderType(metadata, type);
        Message.addHeader(metadata, header);
        Message.addBodyLength(metadata, bodyBytes(body));
        metadata.finish(Message.endMessage(metadata));
        byte[] head = metadata.sizedByteArray();
        int bodyStart = PREFIX_BYTES + (int) aligned(head.length);
        ByteBuffer message = ByteBuffer.allocate(Math.toIntExact(bodyStart + bodyBytes(body)))
                .order(ByteOrder.LITTLE_ENDIAN);
        message.putInt(MARK).putInt(bodyStart - PREFIX_BYTES).put(head).position(bodyStart);
        for (Bytes part : body) {
            message.put(part.array(), 0, part.length());
            message.position((int) aligned(message.position()));
        }
        return message.array();
    }

    private static long bodyBytes(List<Bytes> body) {
        return body.stream().mapToLong(part -> aligned(part.length())).sum();
    }

    /** The length with padding. */
    private static long aligned(long length) {
        return (length + Long.BYTES - 1) & -Long.BYTES;
    }
}

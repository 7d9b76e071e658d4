// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Symmetric graphs in files, for those that take too long to be made anew; little endian: {@code long} vertices, {@code long}
 * entries, {@code long[vertices + 1]} column pointers, {@code int[entries]} row indices.
 */
public final class GraphFiles {

    private static final int HEADER_LONGS = 2;
    private static final int CHUNK_BYTES = 1 << 22;

    private GraphFiles() {}

    /** Reads a graph. What it holds is not checked. */
    public static Csc read(Path file, int concurrency) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer header = read(channel, 0, HEADER_LONGS * Long.BYTES);
            int vertexCount = Math.toIntExact(header.getLong(0));
            IntPages rows = IntPages.allocate(header.getLong(Long.BYTES), IntPages.DEFAULT_PAGE_SHIFT);
            long[] pointers = new long[vertexCount + 1];
            long pointersAt = HEADER_LONGS * Long.BYTES;
            long rowsAt = pointersAt + pointers.length * (long) Long.BYTES;
            forChunks(
                    channel,
                    pointersAt,
                    pointers.length,
                    Long.BYTES,
                    concurrency,
                    (chunk, first, count) -> chunk.asLongBuffer().get(pointers, (int) first, count));
            forChunks(
                    channel,
                    rowsAt,
                    rows.length(),
                    Integer.BYTES,
                    concurrency,
                    (chunk, first, count) ->
                            chunk.asIntBuffer().get(rows.pageOf(first), (int) (first & rows.pageMask()), count));
            return new Csc(vertexCount, pointers, rows, true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes {@code count} values from the start of a chunk, of which the first is number {@code first}. */
    @FunctionalInterface
    private interface Chunk {
        void take(ByteBuffer chunk, long first, int count);
    }

    private static void forChunks(
            FileChannel channel, long at, long values, int valueBytes, int concurrency, Chunk taker) {
        // a page of rows is a multiple of a chunk
        Workers.forRanges(concurrency, values, CHUNK_BYTES / valueBytes, Stop.NEVER, (worker, from, to) -> {
            int count = (int) (to - from);
            try {
                taker.take(read(channel, at + from * valueBytes, count * valueBytes), from, count);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static ByteBuffer read(FileChannel channel, long at, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, at + buffer.position()) < 0) {
                throw new EOFException("the file ends before its graph does: at=" + at + ", bytes=" + bytes);
            }
        }
        return buffer.flip();
    }
}

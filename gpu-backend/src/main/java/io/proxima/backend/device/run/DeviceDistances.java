// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.DistanceBatch;
import io.proxima.backend.LoadedGraph;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import java.nio.ByteBuffer;
import java.util.function.IntConsumer;

/** A batch of distances on the heap, one row per source, as bytes, shorts or ints depending on the depth. */
final class DeviceDistances implements DistanceBatch {

    private static final int GRAIN = 1 << 18;

    private final int vertexCount;
    private final int concurrency;
    private final Stop stop;
    private int firstSource;
    private int sourceCount;
    private int depth;
    private int width;
    private byte[][] bytes = new byte[0][];
    private short[][] shorts = new short[0][];
    private int[][] ints = new int[0][];

    DeviceDistances(int vertexCount, int concurrency, Stop stop) {
        this.vertexCount = vertexCount;
        this.concurrency = concurrency;
        this.stop = stop;
    }

    /** Heap bytes of a batch. */
    static long bytes(long vertexCount, int sources, int width) {
        return vertexCount * sources * width;
    }

    /**
     * Prepares for a batch. Rows of the previous batch are reused if they have the same width.
     *
     * @throws StoppedException if the stop was requested; the batch must not be read then
     */
    void reset(int newFirstSource, int newSourceCount, int newDepth, int newWidth) {
        firstSource = newFirstSource;
        sourceCount = newSourceCount;
        depth = newDepth;
        width = newWidth;
        if (width != Byte.BYTES) {
            bytes = new byte[0][];
        } else if (bytes.length < sourceCount) {
            bytes = new byte[sourceCount][];
            forEachSource(source -> bytes[source] = new byte[vertexCount]);
        }
        if (width != Short.BYTES) {
            shorts = new short[0][];
        } else if (shorts.length < sourceCount) {
            shorts = new short[sourceCount][];
            forEachSource(source -> shorts[source] = new short[vertexCount]);
        }
        if (width != Integer.BYTES) {
            ints = new int[0][];
        } else if (ints.length < sourceCount) {
            ints = new int[sourceCount][];
            forEachSource(source -> ints[source] = new int[vertexCount]);
        }
    }

    /**
     * Copies distances in the layout of the device.
     *
     * @param from contains whole distances
     * @param offset of the first byte from the start of the batch
     * @param length in bytes
     */
    void take(ByteBuffer from, long offset, int length) {
        Workers.forRanges(
                concurrency,
                length / width,
                GRAIN,
                Stop.NEVER,
                (worker, begin, end) -> take(from, (int) begin, (int) end, offset / width));
    }

    /** In parallel, since allocating a row takes as long as filling it. */
    private void forEachSource(IntConsumer work) {
        int rows = Math.max(1, GRAIN / Math.max(1, vertexCount));
        Workers.forRanges(concurrency, sourceCount, rows, stop, (worker, begin, end) -> {
            for (int source = (int) begin; source < end; source++) {
                work.accept(source);
            }
        });
    }

    private void take(ByteBuffer from, int begin, int end, long first) {
        long entry = first + begin;
        int left = end - begin;
        int at = begin;
        while (left > 0) {
            int source = (int) (entry / vertexCount);
            int vertex = (int) (entry % vertexCount);
            int count = Math.min(left, vertexCount - vertex);
            if (width == Byte.BYTES) {
                from.get(at, bytes[source], vertex, count);
            } else if (width == Short.BYTES) {
                from.asShortBuffer().get(at, shorts[source], vertex, count);
            } else {
                from.asIntBuffer().get(at, ints[source], vertex, count);
            }
            entry += count;
            at += count;
            left -= count;
        }
    }

    @Override
    public int firstSource() {
        return firstSource;
    }

    @Override
    public int sourceCount() {
        return sourceCount;
    }

    @Override
    public int depth() {
        return depth;
    }

    @Override
    public int distance(int source, int vertex) {
        if (width == Byte.BYTES) {
            byte distance = bytes[source][vertex];
            return distance == -1 ? LoadedGraph.UNREACHED : distance & 0xff;
        }
        if (width == Short.BYTES) {
            short distance = shorts[source][vertex];
            return distance == -1 ? LoadedGraph.UNREACHED : distance & 0xffff;
        }
        return ints[source][vertex];
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.Levels;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.VertexOrderedArray;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import java.nio.ByteBuffer;

/** Copies levels to the heap, in the narrowest type that holds the deepest level, and counts the vertices of each. */
public final class LevelDownload {

    private static final int GRAIN = 1 << 17;

    /** Levels that fit a byte, with that of the unreached. */
    private static final int LEVELS_OF_A_BYTE = Byte.MAX_VALUE + 2;

    /**
     * Counters per level, used alternately: most vertices have the same level, and additions to one counter are
     * sequential.
     */
    private static final int COUNTERS = 4;

    // one of the three; the others are null
    private final byte[] bytes;
    private final short[] shorts;
    private final int[] ints;
    private final int entryBytes;
    private final long[] frontierSizes;
    private final int concurrency;
    // vertices of each level, by worker; the unreached come first
    private final long[][] counts;

    LevelDownload(int vertexCount, int deepest, int concurrency) {
        this.frontierSizes = new long[deepest + 1];
        this.concurrency = concurrency;
        this.counts = new long[concurrency][];
        this.bytes = deepest <= Byte.MAX_VALUE ? new byte[vertexCount] : null;
        this.shorts = bytes == null && deepest <= Short.MAX_VALUE ? new short[vertexCount] : null;
        this.ints = bytes == null && shorts == null ? new int[vertexCount] : null;
        this.entryBytes = bytes != null ? Byte.BYTES : shorts != null ? Short.BYTES : Integer.BYTES;
    }

    /**
     * Copies the levels.
     *
     * @param from ints
     */
    Levels run(DeviceLease lease, VertexOrderedArray from) {
        DeviceLease.Chunk chunk = (buffer, offset, length) -> Workers.forRanges(
                concurrency,
                length / entryBytes,
                GRAIN,
                Stop.NEVER,
                (worker, begin, end) ->
                        take(worker, buffer, (int) begin, (int) (offset / entryBytes + begin), (int) (end - begin)));
        if (ints != null) {
            lease.download(from, 1, chunk);
        } else {
            lease.downloadLevels(from, entryBytes, chunk);
        }
        for (long[] own : counts) {
            for (int level = 0; own != null && level < frontierSizes.length; level++) {
                frontierSizes[level] += own[level + 1];
            }
        }
        if (bytes != null) {
            return new Levels(bytes, frontierSizes);
        }
        return shorts != null ? new Levels(shorts, frontierSizes) : new Levels(ints, frontierSizes);
    }

    /** Takes {@code count} entries from index {@code begin} of the buffer on, as the levels from {@code vertex} on. */
    private void take(int worker, ByteBuffer from, int begin, int vertex, int count) {
        if (counts[worker] == null) {
            counts[worker] = new long[frontierSizes.length + 1];
        }
        long[] own = counts[worker];
        if (bytes != null) {
            from.get(begin, bytes, vertex, count);
            countBytes(vertex, count, own);
        } else if (shorts != null) {
            from.asShortBuffer().get(begin, shorts, vertex, count);
            for (int v = vertex; v < vertex + count; v++) {
                own[shorts[v] + 1]++;
            }
        } else {
            from.asIntBuffer().get(begin, ints, vertex, count);
            for (int v = vertex; v < vertex + count; v++) {
                own[ints[v] + 1]++;
            }
        }
    }

    private void countBytes(int vertex, int count, long[] own) {
        int[] first = new int[own.length];
        int[] second = new int[own.length];
        int[] third = new int[own.length];
        int[] fourth = new int[own.length];
        int v = vertex;
        for (int end = vertex + count - (COUNTERS - 1); v < end; v += COUNTERS) {
            first[bytes[v] + 1]++;
            second[bytes[v + 1] + 1]++;
            third[bytes[v + 2] + 1]++;
            fourth[bytes[v + 3] + 1]++;
        }
        for (; v < vertex + count; v++) {
            first[bytes[v] + 1]++;
        }
        for (int i = 0; i < own.length; i++) {
            own[i] += first[i] + second[i] + third[i] + fourth[i];
        }
    }

    /** Heap that a search takes at most beside its levels as ints. */
    public static MemoryTree memory(int vertexCount, long deepest, int concurrency) {
        long inTurn = Integer.BYTES * COUNTERS * (long) LEVELS_OF_A_BYTE * concurrency;
        return MemoryTree.together(
                "search",
                MemoryTree.between("levels as they come", 0, (long) vertexCount * Short.BYTES),
                MemoryTree.between(
                        "nodes by level and thread",
                        Long.BYTES,
                        (deepest + 1) * Long.BYTES * (concurrency + 1L) + inTurn));
    }
}

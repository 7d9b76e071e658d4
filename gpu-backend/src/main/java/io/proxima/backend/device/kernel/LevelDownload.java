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
import java.util.Arrays;

/** Copies levels to the heap, in the narrowest type that holds the deepest level, and counts the vertices of each. */
public final class LevelDownload {

    /** Levels that one thread copies and counts at a time. */
    private static final int GRAIN = 1 << 17;

    private final int vertexCount;
    private final int concurrency;
    // one of the three; the others are null
    private byte[] bytes;
    private short[] shorts;
    private int[] ints;

    /**
     * Allocates the heap of levels. The search may still run.
     *
     * @param entryBytes 1 or 2: the expected type
     */
    LevelDownload(int vertexCount, int entryBytes, int concurrency) {
        this.vertexCount = vertexCount;
        this.concurrency = concurrency;
        allocate(entryBytes);
    }

    private void allocate(int entryBytes) {
        bytes = null;
        shorts = null;
        switch (entryBytes) {
            case Byte.BYTES -> bytes = new byte[vertexCount];
            case Short.BYTES -> shorts = new short[vertexCount];
            default -> ints = new int[vertexCount];
        }
    }

    private int entryBytes() {
        if (bytes != null) {
            return Byte.BYTES;
        }
        return shorts != null ? Short.BYTES : Integer.BYTES;
    }

    /**
     * Begins to copy the levels, behind the search.
     *
     * @param from ints
     * @param counts device address of {@link DeviceLease#LEVELS_OF_A_BYTE} ints
     */
    void begin(DeviceLease lease, VertexOrderedArray from, long counts) {
        lease.beginLevels(from, entryBytes(), counts);
    }

    /** Copies the levels of a search that has ended. To be called once. */
    Levels end(DeviceLease lease, VertexOrderedArray from, long counts, DeviceLease.Outcome search) {
        int deepest = search.level();
        int needed = deepest <= Byte.MAX_VALUE ? Byte.BYTES : deepest <= Short.MAX_VALUE ? Short.BYTES : Integer.BYTES;
        if (needed != entryBytes()) {
            allocate(needed);
            begin(lease, from, counts);
        } else if (search.hasPaused()) {
            begin(lease, from, counts);
        }
        long[] frontierSizes = new long[deepest + 1];
        if (bytes != null) {
            int[] counted = lease.endLevels(from, bytes, concurrency);
            Arrays.setAll(frontierSizes, level -> counted[level + 1]);
            return new Levels(bytes, frontierSizes);
        }
        Levels levels = shorts != null ? new Levels(shorts, frontierSizes) : new Levels(ints, frontierSizes);
        long[][] counted = new long[concurrency][];
        lease.endLevels(
                from,
                needed,
                (buffer, offset, length) ->
                        Workers.forRanges(concurrency, length / needed, GRAIN, Stop.NEVER, (worker, begin, end) -> {
                            if (counted[worker] == null) {
                                counted[worker] = new long[deepest + 2];
                            }
                            int vertex = (int) (offset / needed + begin);
                            take(buffer, (int) begin, vertex, (int) (end - begin));
                            count(levels, vertex, (int) (end - begin), counted[worker]);
                        }));
        for (long[] own : counted) {
            for (int level = 0; own != null && level < frontierSizes.length; level++) {
                frontierSizes[level] += own[level + 1];
            }
        }
        return levels;
    }

    private void take(ByteBuffer from, int begin, int vertex, int count) {
        if (shorts != null) {
            from.asShortBuffer().get(begin, shorts, vertex, count);
        } else {
            from.asIntBuffer().get(begin, ints, vertex, count);
        }
    }

    private static void count(Levels levels, int vertex, int count, long[] counts) {
        for (int v = vertex; v < vertex + count; v++) {
            counts[levels.level(v) + 1]++;
        }
    }

    /** Heap that a search takes at most beside its levels as ints. */
    public static MemoryTree memory(int vertexCount, long deepest, int concurrency) {
        return MemoryTree.together(
                "search",
                MemoryTree.between("levels as they come", 0, (long) vertexCount * Short.BYTES),
                MemoryTree.between(
                        "nodes by level and thread", Long.BYTES, (deepest + 1) * Long.BYTES * (concurrency + 1L)));
    }
}

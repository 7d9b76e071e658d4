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
        int last = search.level();
        int needed = last <= Byte.MAX_VALUE ? Byte.BYTES : last <= Short.MAX_VALUE ? Short.BYTES : Integer.BYTES;
        if (needed != entryBytes()) {
            allocate(needed);
            begin(lease, from, counts);
        } else if (search.hasPaused()) {
            begin(lease, from, counts);
        }
        long[] sizes = new long[last + 1];
        if (bytes != null) {
            int[] counted = lease.endLevels(from, bytes, concurrency);
            Arrays.setAll(sizes, level -> counted[level + 1]);
        } else {
            takeWide(lease, from, sizes);
        }
        // the last level may have no vertex, see DeviceLease.Outcome
        long[] frontierSizes = sizes[last] == 0 ? Arrays.copyOf(sizes, last) : sizes;
        if (bytes != null) {
            return new Levels(bytes, frontierSizes);
        }
        return shorts != null ? new Levels(shorts, frontierSizes) : new Levels(ints, frontierSizes);
    }

    private void takeWide(DeviceLease lease, VertexOrderedArray from, long[] sizes) {
        int entryBytes = entryBytes();
        long[][] counted = new long[concurrency][];
        lease.endLevels(
                from,
                entryBytes,
                (buffer, offset, length) ->
                        Workers.forRanges(concurrency, length / entryBytes, GRAIN, Stop.NEVER, (worker, begin, end) -> {
                            if (counted[worker] == null) {
                                counted[worker] = new long[sizes.length + 1];
                            }
                            int vertex = (int) (offset / entryBytes + begin);
                            take(buffer, (int) begin, vertex, (int) (end - begin), counted[worker]);
                        }));
        for (long[] own : counted) {
            for (int level = 0; own != null && level < sizes.length; level++) {
                sizes[level] += own[level + 1];
            }
        }
    }

    // counts: at i, the vertices of level i - 1; the first are the unreached
    private void take(ByteBuffer from, int begin, int vertex, int count, long[] counts) {
        if (shorts != null) {
            from.asShortBuffer().get(begin, shorts, vertex, count);
        } else {
            from.asIntBuffer().get(begin, ints, vertex, count);
        }
        for (int v = vertex; v < vertex + count; v++) {
            counts[(shorts != null ? shorts[v] : ints[v]) + 1]++;
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

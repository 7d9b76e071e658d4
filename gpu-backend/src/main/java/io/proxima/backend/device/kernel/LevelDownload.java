// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import static io.proxima.backend.Levels.PAGE;

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

    private final DeviceLease lease;
    private final VertexOrderedArray from;
    private final long counts;
    private final int concurrency;
    private int entryBytes;
    // one of the three; the others are null
    private byte[][] bytes;
    private short[][] shorts;
    private int[] ints;

    /**
     * Begins to copy the levels, behind the search.
     *
     * @param from ints
     * @param entryBytes 1 or 2: the expected type
     * @param counts device address of {@link DeviceLease#LEVELS_OF_A_BYTE} ints
     */
    LevelDownload(DeviceLease lease, VertexOrderedArray from, int entryBytes, long counts, int concurrency) {
        this.lease = lease;
        this.from = from;
        this.counts = counts;
        this.concurrency = concurrency;
        this.entryBytes = entryBytes;
        lease.beginLevels(from, entryBytes, counts);
        allocate();
        // a deep graph is searched for longer than this takes
        for (int page = 0; shorts != null && page < shorts.length; page++) {
            shorts[page] = new short[lengthOf(page)];
        }
    }

    /** Allocates the levels, but for their pages. */
    private void allocate() {
        int pages = (from.vertexCount() - 1) / PAGE + 1;
        bytes = entryBytes == Byte.BYTES ? new byte[pages][] : null;
        shorts = entryBytes == Short.BYTES ? new short[pages][] : null;
        ints = entryBytes == Integer.BYTES ? new int[from.vertexCount()] : null;
    }

    private int lengthOf(int page) {
        return (int) Math.min(PAGE, from.vertexCount() - (long) page * PAGE);
    }

    /** Copies the levels of a search that has ended. To be called once. */
    Levels end(DeviceLease.Outcome search) {
        int last = search.level();
        int needed = last <= Byte.MAX_VALUE ? Byte.BYTES : last <= Short.MAX_VALUE ? Short.BYTES : Integer.BYTES;
        if (needed != entryBytes) {
            entryBytes = needed;
            allocate();
            lease.beginLevels(from, entryBytes, counts);
        } else if (search.hasPaused()) {
            lease.beginLevels(from, entryBytes, counts);
        }
        long[] sizes = sizes(last);
        int n = from.vertexCount();
        // the last level may have no vertex, see DeviceLease.Outcome
        long[] frontierSizes = sizes[last] == 0 ? Arrays.copyOf(sizes, last) : sizes;
        if (bytes != null) {
            return new Levels(bytes, n, frontierSizes);
        }
        return shorts != null ? new Levels(shorts, n, frontierSizes) : new Levels(ints, frontierSizes);
    }

    /** Copies the levels, and returns how many vertices each has. */
    private long[] sizes(int last) {
        long[] sizes = new long[last + 1];
        long[][] ofWorkers = new long[concurrency][];
        int[] counted = lease.endLevels(from, entryBytes, (buffer, offset, length) -> {
            long first = offset / entryBytes;
            long end = first + length / entryBytes;
            long page = first / PAGE;
            // a page is allocated by the thread that fills it, whose cache then holds it
            Workers.forRanges(concurrency, (end - 1) / PAGE - page + 1, 1, Stop.NEVER, (worker, at, behind) -> {
                long begin = Math.max(first, (page + at) * PAGE);
                int count = (int) (Math.min(end, (page + behind) * PAGE) - begin);
                if (bytes == null && ofWorkers[worker] == null) {
                    ofWorkers[worker] = new long[sizes.length + 1];
                }
                take(buffer, (int) (begin - first), (int) begin, count, ofWorkers[worker]);
            });
        });
        if (bytes != null) {
            Arrays.setAll(sizes, level -> counted[level + 1]);
        }
        for (long[] own : ofWorkers) {
            for (int level = 0; own != null && level < sizes.length; level++) {
                sizes[level] += own[level + 1];
            }
        }
        return sizes;
    }

    /**
     * Copies levels of one page, and counts them unless the device has.
     *
     * @param sizes at i, the vertices of level i - 1; the first are the unreached
     */
    private void take(ByteBuffer buffer, int at, int vertex, int count, long[] sizes) {
        int page = vertex / PAGE;
        int within = vertex % PAGE;
        if (bytes != null) {
            bytes[page] = bytes[page] == null ? new byte[lengthOf(page)] : bytes[page];
            buffer.get(at, bytes[page], within, count);
        } else if (shorts != null) {
            shorts[page] = shorts[page] == null ? new short[lengthOf(page)] : shorts[page];
            buffer.asShortBuffer().get(at, shorts[page], within, count);
            for (int i = within; i < within + count; i++) {
                sizes[shorts[page][i] + 1]++;
            }
        } else {
            buffer.asIntBuffer().get(at, ints, vertex, count);
            for (int v = vertex; v < vertex + count; v++) {
                sizes[ints[v] + 1]++;
            }
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

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.memory;

/**
 * The heap of the rest of the server, measured at garbage collections. Not thread-safe.
 *
 * <p>A collection leaves the live heap, and garbage that it did not reach. The heap in use after it may exceed the
 * graphs and the last figure. The excess is attributed first to dropped graphs that have not been collected, then to
 * calls. Only the remainder raises the figure. Growth between two collections counts as garbage.
 */
final class OtherHeap {

    private static final long UNKNOWN = Long.MAX_VALUE;

    private long bytes = UNKNOWN;

    /** Heap in use after the last collection that was attributed to calls. */
    private long explainedByCalls;

    /**
     * Records a collection.
     *
     * @param used heap in use after it, in bytes
     * @param graphs heap that graphs certainly hold
     * @param promised maximum heap of running calls, by their promises
     * @param dropped dropped graphs that may not have been collected
     * @param ended promises of ended calls whose garbage may not have been collected
     */
    void collected(long used, long graphs, long promised, long dropped, long ended) {
        long rest = Math.max(0, used - graphs);
        long excess = bytes == UNKNOWN ? 0 : rest - bytes;
        if (excess <= 0) {
            bytes = rest;
            explainedByCalls = 0;
            return;
        }
        long byDropped = Math.min(excess, dropped);
        // garbage of an ended call that survived this collection existed at the previous one
        long byCalls = Math.min(excess - byDropped, promised + Math.min(ended, explainedByCalls));
        bytes += excess - byDropped - byCalls;
        explainedByCalls = byCalls;
    }

    /**
     * The current figure, in bytes. Before the first collection it includes everything in use.
     *
     * @param used heap in use now, including garbage
     * @param graphs heap that graphs hold now
     */
    long bytes(long used, long graphs) {
        return Math.min(bytes, Math.max(0, used - graphs));
    }
}

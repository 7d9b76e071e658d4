// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.centrality.SearchOrder;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.RadixSort;
import java.math.BigInteger;

/**
 * The sources of a farness run in ascending order of their slots, and the batches in which threads take them. A batch
 * lies in one large component or holds the sources of whole small ones. The batches of a large component are scattered
 * over it by steps of the golden ratio: searches from its one end may cost more than from its other, and the progress
 * assumes that the rest costs what was done so far. Thread-safe.
 */
final class SourceBatches {

    private static final double GOLDEN_RATIO = 0.618;

    private final SearchOrder order;
    private final int widest;
    private final int width;

    /** Slots of the sources; null if all slots are sources. */
    private final int[] slots;

    /** Rows of chosen sources in the result; null if the row of each source is its vertex. */
    private final int[] rows;

    /** The first source in each component, and the number of sources. */
    private final int[] starts;

    /** Number of components with more vertices than a search has sources; they come first. */
    private final int largeComponents;

    // guarded by this
    private int component;
    private int handedOut;

    /** Sources {@code first} to {@code first + count - 1}, which lie in these components. */
    record Batch(int firstComponent, int endComponent, int first, int count) {}

    /**
     * Creates the batches.
     *
     * @param starts {@code int[componentCount + 1]}
     * @param widest maximum number of sources of a search
     * @param width number of sources of a batch in a large component
     */
    private SourceBatches(SearchOrder order, int[] slots, int[] rows, int[] starts, int widest, int width) {
        this.order = order;
        this.slots = slots;
        this.rows = rows;
        this.starts = starts;
        this.widest = widest;
        this.width = width;
        int large = 0;
        while (large < order.componentCount()
                && order.componentStart(large + 1) - order.componentStart(large) > widest) {
            large++;
        }
        largeComponents = large;
    }

    /** Every slot of the order is a source. Its row is its vertex. */
    static SourceBatches ofAll(SearchOrder order, int widest) {
        int[] starts = new int[order.componentCount() + 1];
        for (int c = 0; c < starts.length; c++) {
            starts[c] = order.componentStart(c);
        }
        return new SourceBatches(order, null, null, starts, widest, widest);
    }

    /**
     * Some slots of the order are sources. The row of each is its vertex.
     *
     * @param slots ascending
     */
    static SourceBatches ofSlots(SearchOrder order, int[] slots, int widest, Stop stop) {
        return new SourceBatches(order, slots, null, starts(order, slots, slots.length, stop), widest, widest);
    }

    /**
     * Chosen sources, in narrower batches if there are too few for all threads. The row of a source is its index.
     *
     * @param vertices without repeats; those without a slot in the order are left out, because they reach nothing
     */
    static SourceBatches of(SearchOrder order, int[] vertices, int widest, int concurrency, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        long[] slotsAndRows = new long[vertices.length];
        for (int row = 0; row < vertices.length; row++) {
            slotsAndRows[row] = (long) order.permutation().slot(vertices[row]) << Integer.SIZE | row;
            paced.worked(1);
        }
        slotsAndRows = RadixSort.sort(
                slotsAndRows, new long[vertices.length], vertices.length, Integer.SIZE, 2 * Integer.SIZE - 1, stop);
        int count = 0;
        int[] slots = new int[vertices.length];
        int[] rows = new int[vertices.length];
        while (count < vertices.length && slotsAndRows[count] >> Integer.SIZE < order.slotCount()) {
            slots[count] = (int) (slotsAndRows[count] >> Integer.SIZE);
            rows[count] = (int) slotsAndRows[count];
            count++;
            paced.worked(1);
        }
        int[] starts = starts(order, slots, count, stop);
        return new SourceBatches(order, slots, rows, starts, widest, width(vertices.length, widest, concurrency));
    }

    private static int[] starts(SearchOrder order, int[] slots, int count, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        int[] starts = new int[order.componentCount() + 1];
        int next = 0;
        for (int c = 0; c < starts.length; c++) {
            while (next < count && slots[next] < order.componentStart(c)) {
                next++;
                paced.worked(1);
            }
            starts[c] = next;
            paced.worked(1);
        }
        return starts;
    }

    /** Sources of a batch of chosen sources: whole words, and a batch for each thread if there are so many. */
    private static int width(int sources, int widest, int concurrency) {
        long ofThread = ((long) sources + concurrency - 1) / concurrency;
        long words = (ofThread + Long.SIZE - 1) / Long.SIZE;
        return (int) Math.min(widest, Math.max(1, words) * Long.SIZE);
    }

    /** Heap of chosen sources. */
    static long bytes(int sources) {
        return (long) sources * (2 * Long.BYTES + 2 * Integer.BYTES);
    }

    /** Number of sources. */
    int count() {
        return starts[starts.length - 1];
    }

    /** The slot of a source. */
    int slot(int source) {
        return slots == null ? source : slots[source];
    }

    /** The index of a source's sums in the result. */
    int row(int source) {
        return rows == null ? order.permutation().vertex(slot(source)) : rows[source];
    }

    /** The next batch; null if all are taken. */
    synchronized Batch next() {
        while (component < order.componentCount()) {
            Batch batch = component < largeComponents ? ofLargeComponent() : ofSmallComponents();
            if (batch.count() > 0) {
                return batch;
            }
        }
        return null;
    }

    private Batch ofLargeComponent() {
        int current = component;
        int size = starts[current + 1] - starts[current];
        int batches = (int) (((long) size + width - 1) / width);
        int offset = batches == 0 ? 0 : (int) ((long) handedOut * step(batches) % batches) * width;
        handedOut++;
        if (handedOut >= batches) {
            component++;
            handedOut = 0;
        }
        return new Batch(current, current + 1, starts[current] + offset, Math.min(width, size - offset));
    }

    private Batch ofSmallComponents() {
        int first = component;
        int slot = order.componentStart(first);
        int end = first + 1;
        while (end < order.componentCount() && order.componentStart(end + 1) - slot <= widest) {
            end++;
        }
        component = end;
        return new Batch(first, end, starts[first], starts[end] - starts[first]);
    }

    /** A step near the golden ratio that comes to every batch, as the two have no common divisor. */
    private static int step(int batches) {
        int step = (int) Math.ceil(batches * GOLDEN_RATIO);
        while (BigInteger.valueOf(step).gcd(BigInteger.valueOf(batches)).intValue() > 1) {
            step++;
        }
        return step;
    }
}

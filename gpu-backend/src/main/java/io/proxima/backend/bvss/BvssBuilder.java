// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bvss;

import static io.proxima.backend.bvss.BvssLayout.MAX_VIRTUAL_SLICE_SETS;
import static io.proxima.backend.bvss.BvssLayout.SLICE_SIZE;
import static io.proxima.backend.bvss.BvssLayout.VSS_MASK_WORDS;
import static io.proxima.backend.bvss.BvssLayout.VSS_SLICES;

import io.proxima.backend.BackendTask;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.Csc;
import io.proxima.projection.IntPages;
import java.util.concurrent.atomic.LongAdder;

/**
 * Builds BVSS from CSC in two passes over its entries. The first pass counts the slices of every slice set. A prefix sum
 * then assigns virtual slice sets to each slice set, and the second pass writes the slices. Slice sets are independent of
 * each other in both passes, so the result does not depend on the concurrency.
 *
 * <p>The eight sorted columns of a slice set are merged by a winner tree, with three comparisons for each entry. Beside the
 * result, each worker allocates a few hundred bytes.
 */
public final class BvssBuilder {

    /** Small enough that sets with hubs do not leave other workers idle at the end. */
    private static final int SETS_PER_RANGE = 128;

    /** Slices between two looks at the stop, about a millisecond. */
    private static final int SLICES_PER_POLL = 1 << 14;

    private static final int SETS_PER_POLL = 1 << 16;

    private BvssBuilder() {}

    /**
     * Builds the BVSS of a graph.
     *
     * @param graph slot id space, or vertex id space if no order was applied
     * @param concurrency threads that build, at least 1
     * @param stop asks the work to end early; nothing stays allocated then
     * @param progress receives the task "Build BVSS", whose volume is twice the number of entries
     * @return the BVSS, in the id space of {@code graph}
     * @throws BvssLimitException if it would have more than {@link BvssLayout#MAX_VIRTUAL_SLICE_SETS} virtual slice sets
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static Bvss build(Csc graph, int concurrency, Stop stop, Progress progress) {
        return build(graph, concurrency, stop, progress, IntPages.DEFAULT_PAGE_SHIFT);
    }

    static Bvss build(Csc graph, int concurrency, Stop stop, Progress progress, int pageShift) {
        progress.beginTask(BackendTask.BUILD_BVSS, 2 * graph.entryCount());
        int sliceSets = BvssLayout.sliceSetCount(graph.vertexCount());
        int[] realPtrs = new int[sliceSets + 1];
        long sliceCount = sumOverSliceSets(graph, concurrency, stop, progress, (merge, set) -> {
            int slices = merge.count(set);
            realPtrs[set + 1] = BvssLayout.virtualSliceSetCount(slices);
            return slices;
        });
        int virtualSliceSets = sumUp(realPtrs, stop);
        int[] virtualToReal = new int[virtualSliceSets];
        IntPages rowIds = IntPages.allocate((long) virtualSliceSets * VSS_SLICES, pageShift);
        IntPages masks = IntPages.allocate((long) virtualSliceSets * VSS_MASK_WORDS, pageShift);
        sumOverSliceSets(graph, concurrency, stop, progress, (merge, set) -> {
            for (int vss = realPtrs[set]; vss < realPtrs[set + 1]; vss++) {
                virtualToReal[vss] = set;
            }
            return merge.write(set, realPtrs[set], rowIds, masks);
        });
        return new Bvss(graph.vertexCount(), realPtrs, virtualToReal, rowIds, masks, sliceCount, graph.entryCount());
    }

    /**
     * Converts counts to offsets in place.
     *
     * @param realPtrs entry s + 1 is the number of virtual slice sets of slice set s, entry 0 is 0; afterwards as in {@link
     *     Bvss}
     * @return the number of virtual slice sets
     */
    static int sumUp(int[] realPtrs, Stop stop) {
        long sum = 0;
        for (int i = 0; i < realPtrs.length; i++) {
            if ((i & (SETS_PER_POLL - 1)) == 0) {
                stop.check();
            }
            sum += realPtrs[i];
            realPtrs[i] = (int) sum;
        }
        return checkedCount(sum);
    }

    /**
     * Checks a number of virtual slice sets against the limit of the format, and returns it.
     *
     * @throws BvssLimitException if the number is above the limit
     */
    public static int checkedCount(long virtualSliceSets) {
        if (virtualSliceSets > MAX_VIRTUAL_SLICE_SETS) {
            throw new BvssLimitException("The graph needs " + virtualSliceSets
                    + " virtual slice sets, more than the format can number: limit=" + MAX_VIRTUAL_SLICE_SETS
                    + ". Project fewer relationships or use the backend 'cpu', which needs no BVSS.");
        }
        return (int) virtualSliceSets;
    }

    private interface SliceSetTask {
        int run(SliceMerge merge, int set);
    }

    /** Runs the task on every slice set and returns the sum of what it returns. */
    private static long sumOverSliceSets(Csc graph, int concurrency, Stop stop, Progress progress, SliceSetTask task) {
        LongAdder sum = new LongAdder();
        int n = graph.vertexCount();
        int sliceSets = BvssLayout.sliceSetCount(n);
        SliceMerge[] merges = new SliceMerge[concurrency];
        Workers.forRanges(concurrency, sliceSets, SETS_PER_RANGE, stop, (worker, from, to) -> {
            SliceMerge merge = merges[worker];
            if (merge == null) {
                merge = new SliceMerge(graph, stop);
                merges[worker] = merge;
            }
            long sumOfRange = 0;
            for (int set = (int) from; set < to; set++) {
                sumOfRange += task.run(merge, set);
            }
            sum.add(sumOfRange);
            int endColumn = (int) Math.min(to * SLICE_SIZE, n);
            progress.advance(graph.columnPointers()[endColumn] - graph.columnStart((int) from * SLICE_SIZE));
        });
        return sum.sum();
    }

    /**
     * Merges the columns of one slice set after another. Leaf SLICE_SIZE + b of the tree holds the next entry of column b
     * as row * SLICE_SIZE + b. Every inner node i holds the lesser of its children 2 i and 2 i + 1, so the root is the next
     * entry in the order of rows, then columns.
     */
    private static final class SliceMerge {

        private static final long EXHAUSTED = Long.MAX_VALUE;

        private final Csc graph;
        private final IntPages rowIndices;
        private final Stop stop;
        private final long[] next = new long[SLICE_SIZE];
        private final long[] end = new long[SLICE_SIZE];
        private final long[] tree = new long[2 * SLICE_SIZE];
        private int slicesTaken;

        SliceMerge(Csc graph, Stop stop) {
            this.graph = graph;
            this.rowIndices = graph.rowIndices();
            this.stop = stop;
        }

        int count(int set) {
            open(set);
            int slices = 0;
            while (tree[1] != EXHAUSTED) {
                takeSlice();
                slices++;
            }
            return slices;
        }

        int write(int set, int firstVss, IntPages rowIds, IntPages masks) {
            open(set);
            long rowIdIndex = BvssLayout.rowIdIndex(firstVss, 0);
            long wordIndex = BvssLayout.maskWordIndex(firstVss, 0);
            int slices = 0;
            int word = 0;
            while (tree[1] != EXHAUSTED) {
                rowIds.set(rowIdIndex + slices, (int) (tree[1] / SLICE_SIZE));
                word |= takeSlice() << BvssLayout.maskShift(slices);
                slices++;
                if (slices % BvssLayout.SLICES_PER_THREAD == 0) {
                    masks.set(wordIndex++, word);
                    word = 0;
                }
            }
            if (word != 0) {
                masks.set(wordIndex, word);
            }
            return slices;
        }

        private void open(int set) {
            int first = BvssLayout.firstColumn(set);
            int columns = Math.min(SLICE_SIZE, graph.vertexCount() - first);
            for (int bit = 0; bit < SLICE_SIZE; bit++) {
                next[bit] = bit < columns ? graph.columnStart(first + bit) : 0;
                end[bit] = bit < columns ? graph.columnEnd(first + bit) : 0;
                readNext(bit);
            }
            for (int node = SLICE_SIZE - 1; node >= 1; node--) {
                tree[node] = Math.min(tree[2 * node], tree[2 * node + 1]);
            }
        }

        /** Takes all entries of the row at the root and returns its mask; needs a row there. */
        private int takeSlice() {
            if ((++slicesTaken & (SLICES_PER_POLL - 1)) == 0) {
                stop.check();
            }
            long winner = tree[1];
            long row = winner / SLICE_SIZE;
            int mask = 0;
            do {
                int bit = (int) winner & (SLICE_SIZE - 1);
                mask |= 1 << bit;
                readNext(bit);
                for (int node = (SLICE_SIZE + bit) >>> 1; node >= 1; node >>>= 1) {
                    tree[node] = Math.min(tree[2 * node], tree[2 * node + 1]);
                }
                winner = tree[1];
            } while (winner / SLICE_SIZE == row);
            return mask;
        }

        private void readNext(int bit) {
            long index = next[bit];
            if (index < end[bit]) {
                next[bit] = index + 1;
                tree[SLICE_SIZE + bit] = (long) rowIndices.get(index) * SLICE_SIZE + bit;
            } else {
                tree[SLICE_SIZE + bit] = EXHAUSTED;
            }
        }
    }
}

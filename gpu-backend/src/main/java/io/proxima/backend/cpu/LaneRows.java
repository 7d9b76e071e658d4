// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.concurrent.PacedStop;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;

/**
 * The rows of {@link BrandesSearch}: a number for each vertex and lane, of which only those of reached vertices are not
 * 0. There are eight lanes, or one if memory is short. Vertices are relative to the first of the range.
 */
final class LaneRows {

    /** Sources of one search. */
    static final int LANES = 8;

    private static final int LANE_SHIFT = 3;

    private final PacedStop paced;

    /** Log of the lanes of a row. */
    private final int laneShift;

    /** The number of shortest paths from the lane's source to a vertex; 0 until it is reached. */
    final double[] counts;

    /**
     * Of the current frontier, in the first phase its counts, in the second (weight + dependency) / count; 0 for all
     * other vertices.
     */
    final double[] shares;

    /**
     * Lanes of the current frontier while a level is pulled; lanes found so far while it is pushed; 0 between levels.
     */
    final byte[] marks;

    /** The reached vertices level by level. A vertex is queued at most once for each lane. */
    final int[] queue;

    /** By place in the queue: the lanes that reach the vertex in that level. */
    final byte[] masks;

    /** What {@link #pull} has summed. */
    final double[] sums = new double[LANES];

    LaneRows(int largestRange, boolean wide, PacedStop paced) {
        this.paced = paced;
        laneShift = wide ? LANE_SHIFT : 0;
        int cells = largestRange << laneShift;
        counts = new double[cells];
        shares = new double[cells];
        queue = new int[cells];
        masks = new byte[cells];
        marks = new byte[largestRange];
    }

    /** Heap bytes of the rows. */
    static long bytes(long largestRange, boolean wide) {
        long cell = 2L * Double.BYTES + Integer.BYTES + Byte.BYTES;
        return (cell * (wide ? LANES : 1) + Byte.BYTES) * largestRange;
    }

    int lanes() {
        return 1 << laneShift;
    }

    /** The first cell of a vertex's row. */
    int row(int v) {
        return v << laneShift;
    }

    /**
     * Sums the shares of a vertex's neighbours over the marked ones.
     *
     * @param wanted neighbours that are marked in none of these lanes are skipped
     * @return the lanes among the wanted that a neighbour is marked in; only their sums are valid
     */
    int pull(Csc lists, int low, int v, int wanted) {
        long[] pointers = lists.columnPointers();
        long index = pointers[low + v];
        long end = pointers[low + v + 1];
        IntPages rows = lists.rowIndices();
        byte[] marked = marks;
        double[] terms = shares;
        int found = 0;
        double sum0 = 0;
        double sum1 = 0;
        double sum2 = 0;
        double sum3 = 0;
        double sum4 = 0;
        double sum5 = 0;
        double sum6 = 0;
        double sum7 = 0;
        paced.worked(1 + end - index);
        if (laneShift == 0) {
            for (; index < end; index++) {
                int u = rows.get(index) - low;
                found |= marked[u];
                sum0 += terms[u];
            }
        }
        while (index < end) {
            int[] page = rows.pageOf(index);
            int from = (int) (index & rows.pageMask());
            int to = (int) Math.min(from + end - index, page.length);
            index += to - from;
            for (int i = from; i < to; i++) {
                int u = page[i] - low;
                int lanes = marked[u] & wanted;
                if (lanes != 0) {
                    found |= lanes;
                    int row = u << LANE_SHIFT;
                    sum0 += terms[row];
                    sum1 += terms[row + 1];
                    sum2 += terms[row + 2];
                    sum3 += terms[row + 3];
                    sum4 += terms[row + 4];
                    sum5 += terms[row + 5];
                    sum6 += terms[row + 6];
                    sum7 += terms[row + 7];
                }
            }
        }
        sums[0] = sum0;
        sums[1] = sum1;
        sums[2] = sum2;
        sums[3] = sum3;
        sums[4] = sum4;
        sums[5] = sum5;
        sums[6] = sum6;
        sums[7] = sum7;
        return found;
    }

    /** Marks the vertices at places of the queue with their masks. */
    void mark(int begin, int end) {
        for (int q = begin; q < end; q++) {
            paced.worked(1);
            marks[queue[q]] = masks[q];
        }
    }

    void unmark(int begin, int end) {
        for (int q = begin; q < end; q++) {
            paced.worked(1);
            marks[queue[q]] = 0;
        }
    }

    /** Copies cells of the vertices at places of the queue. */
    void copy(double[] source, double[] target, int begin, int end) {
        for (int q = begin; q < end; q++) {
            int row = row(queue[q]);
            paced.worked(1);
            for (int lanes = masks[q] & 0xff; lanes != 0; lanes &= lanes - 1) {
                int cell = row + Integer.numberOfTrailingZeros(lanes);
                target[cell] = source[cell];
            }
        }
    }

    /** Zeroes cells of the vertices at places of the queue. */
    void zero(double[] cells, int begin, int end) {
        for (int q = begin; q < end; q++) {
            int row = row(queue[q]);
            paced.worked(1);
            for (int lanes = masks[q] & 0xff; lanes != 0; lanes &= lanes - 1) {
                cells[row + Integer.numberOfTrailingZeros(lanes)] = 0;
            }
        }
    }
}

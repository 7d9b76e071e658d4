// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;
import java.util.Arrays;

/**
 * Brandes' algorithm by one thread, from up to eight sources at once: U. Brandes, A faster algorithm for betweenness
 * centrality, Journal of Mathematical Sociology 25(2), 2001. Each source has a lane. A search counts the shortest paths
 * level by level; afterwards dependencies are summed from the deepest level back. Neighbours of the next level are
 * recognized by their masks, so there are no lists of predecessors.
 *
 * <p>The neighbours of a vertex are summed over all lanes at once: shares of lanes that are not in the frontier are 0.
 * The first phase processes a level from its vertices or from the other side, whichever has fewer entries.
 *
 * <p>Works on a range of slots that no edge leaves; all state is relative to the range's first slot.
 */
final class BrandesSearch {

    /** Pushing an entry costs about this many times what pulling it does. */
    private static final long PUSH_COST = 3;

    /** Counts above this are left to {@link ScaledBrandesSearch}. */
    private static final double MOST_PATHS = 0x1p1000;

    /** Counts of this many levels cannot exceed {@link #MOST_PATHS}: each is at most 2^31 times that before. */
    private static final int SAFE_LEVELS = 32;

    private final Csc out;
    private final Csc in;
    private final int[] weights;
    private final Stop stop;
    private final PacedStop paced;

    private final LaneRows rows;

    /** The lanes whose search has reached a vertex. */
    private final byte[] seen;

    private int[] levelStarts = new int[16];
    private int levels;
    private int tail;
    private long frontierEntries;
    private long unseenEntries;
    private int allLanes;

    private final double[] scores;
    private final int[] scored;
    private int scoredCount;
    private ScaledBrandesSearch scaled;

    private int low;
    private int high;

    /**
     * Allocates the state of a search; it can run many times.
     *
     * @param out edges along which to search; slot id space
     * @param in the same edges reversed
     * @param weights the vertices that each slot stands for as a target; null for 1 each
     * @param largestRange the most slots a range will have
     * @param wide whether to search from {@link LaneRows#LANES} sources at once, or from one
     */
    BrandesSearch(Csc out, Csc in, int[] weights, int largestRange, boolean wide, Stop stop) {
        this.out = out;
        this.in = in;
        this.weights = weights;
        this.stop = stop;
        paced = new PacedStop(stop);
        rows = new LaneRows(largestRange, wide, paced);
        seen = new byte[largestRange];
        scores = new double[largestRange];
        scored = new int[largestRange];
    }

    /** Whether the state of a range fits the arrays. */
    static boolean fits(long range) {
        return range <= Csc.MAX_VERTICES / LaneRows.LANES;
    }

    /** Heap bytes of the state, without the starts of levels and without {@link ScaledBrandesSearch}. */
    static long bytes(long largestRange, boolean wide) {
        return LaneRows.bytes(largestRange, wide) + (Byte.BYTES + Double.BYTES + (long) Integer.BYTES) * largestRange;
    }

    /** The most heap bytes of the starts of levels while they grow, and of {@link ScaledBrandesSearch}. */
    static long deepBytes(long largestRange) {
        return 5L * Integer.BYTES * largestRange + ScaledBrandesSearch.bytes(largestRange);
    }

    /** Number of sources that {@link #run} takes. */
    int lanes() {
        return rows.lanes();
    }

    /** Sets the range of the next searches. The scores must have been taken. */
    void enter(int rangeLow, int rangeHigh) {
        low = rangeLow;
        high = rangeHigh;
    }

    /**
     * Searches from sources in the range, and adds the dependencies on all other slots to the scores.
     *
     * @param sources slots; those from {@code first} to {@code first + count - 1}, at most {@link #lanes()}
     * @param multiplicities how many sources each slot stands for; null for 1 each
     */
    void run(int[] sources, int first, int count, int[] multiplicities) {
        allLanes = (1 << count) - 1;
        boolean counted = countPaths(sources, first, count);
        if (counted) {
            sumDependencies(sources, first, multiplicities);
        }
        clear();
        if (!counted) {
            if (scaled == null) {
                scaled = new ScaledBrandesSearch(out, weights, seen.length, stop);
            }
            for (int s = first; s < first + count; s++) {
                int times = multiplicities == null ? 1 : multiplicities[sources[s]];
                scaled.run(sources[s], low, (slot, dependency) -> addScore(slot, times * dependency));
            }
        }
    }

    /** Adds the scores since the last call to those of all slots, and resets them. */
    void takeScores(double[] total) {
        for (int i = 0; i < scoredCount; i++) {
            int v = scored[i];
            paced.worked(2);
            total[low + v] += scores[v];
            scores[v] = 0;
        }
        scoredCount = 0;
    }

    private void addScore(int v, double score) {
        if (score > 0) {
            if (scores[v] == 0) {
                scored[scoredCount++] = v;
            }
            scores[v] += score;
        }
    }

    // the first phase

    /** Counts paths; false if there are too many for a double. */
    private boolean countPaths(int[] sources, int first, int count) {
        levels = 0;
        tail = 0;
        unseenEntries = in.columnPointers()[high] - in.columnPointers()[low];
        for (int lane = 0; lane < count; lane++) {
            int v = sources[first + lane] - low;
            rows.counts[rows.row(v) + lane] = 1;
            rows.queue[tail] = v;
            rows.masks[tail++] = (byte) (1 << lane);
        }
        int begin = 0;
        while (begin < tail) {
            startLevel(begin);
            int end = tail;
            reach(begin, end);
            if (levels > SAFE_LEVELS && exceedsDouble(begin, end)) {
                levels--;
                return false;
            }
            if (PUSH_COST * frontierEntries > unseenEntries) {
                pullCounts(begin, end);
            } else {
                pushCounts(begin, end);
            }
            begin = end;
        }
        startLevel(tail);
        levels--;
        return true;
    }

    private void startLevel(int start) {
        if (levels == levelStarts.length) {
            levelStarts = Arrays.copyOf(levelStarts, levels + (levels >> 1));
        }
        levelStarts[levels++] = start;
    }

    /** Marks queued vertices as seen. */
    private void reach(int begin, int end) {
        long[] outPointers = out.columnPointers();
        long[] inPointers = in.columnPointers();
        long entries = 0;
        for (int q = begin; q < end; q++) {
            int v = rows.queue[q];
            paced.worked(1);
            seen[v] |= rows.masks[q];
            entries += outPointers[low + v + 1] - outPointers[low + v];
            if ((seen[v] & 0xff) == allLanes) {
                unseenEntries -= inPointers[low + v + 1] - inPointers[low + v];
            }
        }
        frontierEntries = entries;
    }

    private boolean exceedsDouble(int begin, int end) {
        for (int q = begin; q < end; q++) {
            int row = rows.row(rows.queue[q]);
            paced.worked(1);
            for (int lanes = rows.masks[q] & 0xff; lanes != 0; lanes &= lanes - 1) {
                if (rows.counts[row + Integer.numberOfTrailingZeros(lanes)] > MOST_PATHS) {
                    return true;
                }
            }
        }
        return false;
    }

    private void pushCounts(int begin, int end) {
        int[] queue = rows.queue;
        byte[] masks = rows.masks;
        byte[] marks = rows.marks;
        double[] counts = rows.counts;
        IntPages entries = out.rowIndices();
        long[] pointers = out.columnPointers();
        for (int q = begin; q < end; q++) {
            int u = queue[q];
            int mask = masks[q] & 0xff;
            int row = rows.row(u);
            long last = pointers[low + u + 1];
            paced.worked(1 + last - pointers[low + u]);
            for (long i = pointers[low + u]; i < last; i++) {
                int v = entries.get(i) - low;
                int lanes = mask & ~seen[v];
                if (lanes == 0) {
                    continue;
                }
                if (marks[v] == 0) {
                    queue[tail++] = v;
                }
                marks[v] |= (byte) lanes;
                int target = rows.row(v);
                do {
                    int lane = Integer.numberOfTrailingZeros(lanes);
                    counts[target + lane] += counts[row + lane];
                    lanes &= lanes - 1;
                } while (lanes != 0);
            }
        }
        for (int q = end; q < tail; q++) {
            paced.worked(1);
            masks[q] = marks[queue[q]];
            marks[queue[q]] = 0;
        }
    }

    private void pullCounts(int begin, int end) {
        rows.mark(begin, end);
        rows.copy(rows.counts, rows.shares, begin, end);
        for (int v = 0; v < high - low; v++) {
            int missing = allLanes & ~seen[v];
            if (missing == 0) {
                paced.worked(1);
                continue;
            }
            int found = rows.pull(in, low, v, missing);
            if (found != 0) {
                rows.queue[tail] = v;
                rows.masks[tail++] = (byte) found;
                int row = rows.row(v);
                for (int lanes = found; lanes != 0; lanes &= lanes - 1) {
                    int lane = Integer.numberOfTrailingZeros(lanes);
                    rows.counts[row + lane] = rows.sums[lane];
                }
            }
        }
        rows.unmark(begin, end);
        rows.zero(rows.shares, begin, end);
    }

    // the second phase

    /** Sums dependencies from the deepest level back; level 0 are the sources. */
    private void sumDependencies(int[] sources, int first, int[] multiplicities) {
        int deepest = levels - 1;
        if (deepest < 2) {
            return;
        }
        int begin = levelStarts[deepest];
        int end = levelStarts[deepest + 1];
        for (int q = begin; q < end; q++) {
            int v = rows.queue[q];
            int row = rows.row(v);
            double weight = weight(v);
            paced.worked(1);
            for (int lanes = rows.masks[q] & 0xff; lanes != 0; lanes &= lanes - 1) {
                int cell = row + Integer.numberOfTrailingZeros(lanes);
                rows.shares[cell] = weight / rows.counts[cell];
            }
        }
        for (int level = deepest - 1; level > 0; level--) {
            int parents = levelStarts[level];
            int children = levelStarts[level + 1];
            int childrenEnd = levelStarts[level + 2];
            rows.mark(children, childrenEnd);
            for (int q = parents; q < children; q++) {
                int v = rows.queue[q];
                int mask = rows.masks[q] & 0xff;
                int row = rows.row(v);
                paced.worked(1);
                int found = rows.pull(out, low, v, mask);
                double weight = weight(v);
                double score = 0;
                for (int lanes = mask; lanes != 0; lanes &= lanes - 1) {
                    int lane = Integer.numberOfTrailingZeros(lanes);
                    double sum = (found & 1 << lane) == 0 ? 0 : rows.sums[lane];
                    double dependency = rows.counts[row + lane] * sum;
                    score += multiplicities == null ? dependency : dependency * multiplicities[sources[first + lane]];
                    // kept here until the level is done, as its vertices must not see the shares of each other
                    rows.counts[row + lane] = (weight + dependency) / rows.counts[row + lane];
                }
                addScore(v, score);
            }
            rows.unmark(children, childrenEnd);
            rows.zero(rows.shares, children, childrenEnd);
            rows.copy(rows.counts, rows.shares, parents, children);
        }
    }

    private double weight(int v) {
        return weights == null ? 1 : weights[low + v];
    }

    private void clear() {
        rows.zero(rows.counts, 0, tail);
        rows.zero(rows.shares, 0, tail);
        for (int q = 0; q < tail; q++) {
            paced.worked(1);
            seen[rows.queue[q]] = 0;
        }
    }
}

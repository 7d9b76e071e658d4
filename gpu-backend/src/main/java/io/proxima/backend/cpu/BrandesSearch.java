// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.IntPages;
import java.util.Arrays;

/**
 * Brandes' algorithm by one thread, from up to eight sources at once: U. Brandes, A faster algorithm for betweenness
 * centrality, Journal of Mathematical Sociology 25(2), 2001. Each source has a lane. A search counts the shortest paths
 * level by level; afterwards dependencies are summed from the deepest level back. Neighbours of the next level are
 * recognized by their masks, so there are no lists of predecessors.
 *
 * <ul>
 *   <li>counts[v, lane]: the number of shortest paths from the lane's source to v; 0 until v is reached
 *   <li>shares[v, lane]: of the current frontier, in the first phase its counts, in the second (weight + dependency) /
 *       count; 0 for all other vertices
 *   <li>seen[v]: the lanes whose search has reached v
 *   <li>queue, masks: the reached vertices level by level, each with the lanes that reach it in that level. A vertex is
 *       queued at most once for each lane.
 * </ul>
 *
 * <p>The neighbours of a vertex are summed over all lanes at once: shares of lanes that are not in the frontier are 0. Each
 * level is processed from its vertices or from the other side, whichever has fewer entries.
 *
 * <p>Works on a range of slots that no edge leaves; all state is relative to the range's first slot.
 *
 * <p>The class is long because both phases, each in two directions, work on the same arrays.
 */
final class BrandesSearch {

    /** Sources of one search. */
    static final int LANES = 8;

    private static final int LANE_SHIFT = 3;

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

    /** Log of the lanes of a row: rows of one lane take an eighth of the memory, and are not pulled. */
    private final int laneShift;

    private final double[] counts;
    private final double[] shares;
    private final byte[] seen;
    /** Lanes of the current frontier while a level is pulled; lanes found so far while it is pushed; 0 between levels. */
    private final byte[] marks;

    private final int[] queue;
    private final byte[] masks;
    private int[] levelStarts = new int[16];
    private int levels;
    private int tail;
    private long frontierEntries;
    private long unseenEntries;
    private int allLanes;

    private final double[] scores;
    private final int[] scored;
    private int scoredCount;
    private final double[] sums = new double[LANES];
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
     * @param wide whether to search from {@link #LANES} sources at once, or from one
     */
    BrandesSearch(Csc out, Csc in, int[] weights, int largestRange, boolean wide, Stop stop) {
        this.out = out;
        this.in = in;
        this.weights = weights;
        this.stop = stop;
        paced = new PacedStop(stop);
        laneShift = wide ? LANE_SHIFT : 0;
        int cells = largestRange << laneShift;
        counts = new double[cells];
        shares = new double[cells];
        queue = new int[cells];
        masks = new byte[cells];
        seen = new byte[largestRange];
        marks = new byte[largestRange];
        scores = new double[largestRange];
        scored = new int[largestRange];
    }

    /** Whether the state of a range fits the arrays. */
    static boolean fits(long range) {
        return range <= Csc.MAX_VERTICES / LANES;
    }

    /** Heap bytes of the state, without the starts of levels and without {@link ScaledBrandesSearch}. */
    static long bytes(long largestRange, boolean wide) {
        long cell = 2L * Double.BYTES + Integer.BYTES + Byte.BYTES;
        long slot = 2L * Byte.BYTES + Double.BYTES + Integer.BYTES;
        return (cell * (wide ? LANES : 1) + slot) * largestRange;
    }

    /** The most heap bytes of the starts of levels while they grow, and of {@link ScaledBrandesSearch}. */
    static long deepBytes(long largestRange) {
        return 5L * Integer.BYTES * largestRange + ScaledBrandesSearch.bytes(largestRange);
    }

    /** Number of sources that {@link #run} takes. */
    int lanes() {
        return 1 << laneShift;
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
                scaled = new ScaledBrandesSearch(out, weights, counts.length >>> laneShift, stop);
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
            counts[(v << laneShift) + lane] = 1;
            queue[tail] = v;
            masks[tail++] = (byte) (1 << lane);
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
            if (laneShift == LANE_SHIFT && PUSH_COST * frontierEntries > unseenEntries) {
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
            int v = queue[q];
            paced.worked(1);
            seen[v] |= masks[q];
            entries += outPointers[low + v + 1] - outPointers[low + v];
            if ((seen[v] & 0xff) == allLanes) {
                unseenEntries -= inPointers[low + v + 1] - inPointers[low + v];
            }
        }
        frontierEntries = entries;
    }

    private boolean exceedsDouble(int begin, int end) {
        for (int q = begin; q < end; q++) {
            int row = queue[q] << laneShift;
            paced.worked(1);
            for (int lanes = masks[q] & 0xff; lanes != 0; lanes &= lanes - 1) {
                if (counts[row + Integer.numberOfTrailingZeros(lanes)] > MOST_PATHS) {
                    return true;
                }
            }
        }
        return false;
    }

    private void pushCounts(int begin, int end) {
        IntPages rows = out.rowIndices();
        long[] pointers = out.columnPointers();
        for (int q = begin; q < end; q++) {
            int u = queue[q];
            int mask = masks[q] & 0xff;
            int row = u << laneShift;
            long last = pointers[low + u + 1];
            paced.worked(1 + last - pointers[low + u]);
            for (long i = pointers[low + u]; i < last; i++) {
                int v = rows.get(i) - low;
                int lanes = mask & ~seen[v];
                if (lanes == 0) {
                    continue;
                }
                if (marks[v] == 0) {
                    queue[tail++] = v;
                }
                marks[v] |= (byte) lanes;
                int target = v << laneShift;
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
        mark(begin, end);
        copy(counts, shares, begin, end);
        for (int v = 0; v < high - low; v++) {
            int missing = allLanes & ~seen[v];
            if (missing == 0) {
                paced.worked(1);
                continue;
            }
            int found = pull(in, v, missing);
            if (found != 0) {
                queue[tail] = v;
                masks[tail++] = (byte) found;
                int row = v << LANE_SHIFT;
                for (int lanes = found; lanes != 0; lanes &= lanes - 1) {
                    int lane = Integer.numberOfTrailingZeros(lanes);
                    counts[row + lane] = sums[lane];
                }
            }
        }
        unmark(begin, end);
        fill(shares, begin, end);
    }

    /**
     * Sums the shares of a vertex's neighbours over the marked ones.
     *
     * @param wanted neighbours that are marked in none of these lanes are skipped
     * @return the lanes among the wanted that a neighbour is marked in; only their sums are valid
     */
    private int pull(Csc lists, int v, int wanted) {
        long[] pointers = lists.columnPointers();
        long index = pointers[low + v];
        long end = pointers[low + v + 1];
        IntPages rows = lists.rowIndices();
        byte[] marked = marks;
        double[] terms = shares;
        int first = low;
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
        while (index < end) {
            int[] page = rows.pageOf(index);
            int from = (int) (index & rows.pageMask());
            int to = (int) Math.min(from + end - index, page.length);
            index += to - from;
            for (int i = from; i < to; i++) {
                int u = page[i] - first;
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
            int v = queue[q];
            int row = v << laneShift;
            double weight = weight(v);
            paced.worked(1);
            for (int lanes = masks[q] & 0xff; lanes != 0; lanes &= lanes - 1) {
                int cell = row + Integer.numberOfTrailingZeros(lanes);
                shares[cell] = weight / counts[cell];
            }
        }
        for (int level = deepest - 1; level > 0; level--) {
            int parents = levelStarts[level];
            int children = levelStarts[level + 1];
            int childrenEnd = levelStarts[level + 2];
            boolean pull = laneShift == LANE_SHIFT
                    && entries(out, parents, children) < PUSH_COST * entries(in, children, childrenEnd);
            if (pull) {
                mark(children, childrenEnd);
            } else {
                mark(parents, children);
                pushShares(children, childrenEnd);
            }
            for (int q = parents; q < children; q++) {
                int v = queue[q];
                int mask = masks[q] & 0xff;
                int row = v << laneShift;
                paced.worked(1);
                int found = pull ? pull(out, v, mask) : mask;
                double weight = weight(v);
                double score = 0;
                for (int lanes = mask; lanes != 0; lanes &= lanes - 1) {
                    int lane = Integer.numberOfTrailingZeros(lanes);
                    double sum = !pull ? shares[row + lane] : (found & 1 << lane) == 0 ? 0 : sums[lane];
                    double dependency = counts[row + lane] * sum;
                    score += multiplicities == null ? dependency : dependency * multiplicities[sources[first + lane]];
                    // kept here until the level is done, as its vertices must not see the shares of each other
                    counts[row + lane] = (weight + dependency) / counts[row + lane];
                }
                addScore(v, score);
            }
            unmark(pull ? children : parents, pull ? childrenEnd : children);
            fill(shares, children, childrenEnd);
            copy(counts, shares, parents, children);
        }
    }

    private long entries(Csc lists, int begin, int end) {
        long[] pointers = lists.columnPointers();
        long entries = 0;
        for (int q = begin; q < end; q++) {
            int v = low + queue[q];
            paced.worked(1);
            entries += pointers[v + 1] - pointers[v];
        }
        return entries;
    }

    private void pushShares(int begin, int end) {
        IntPages rows = in.rowIndices();
        long[] pointers = in.columnPointers();
        for (int q = begin; q < end; q++) {
            int w = queue[q];
            int mask = masks[q] & 0xff;
            int row = w << laneShift;
            long last = pointers[low + w + 1];
            paced.worked(1 + last - pointers[low + w]);
            for (long i = pointers[low + w]; i < last; i++) {
                int v = rows.get(i) - low;
                int target = v << laneShift;
                for (int lanes = marks[v] & mask; lanes != 0; lanes &= lanes - 1) {
                    int lane = Integer.numberOfTrailingZeros(lanes);
                    shares[target + lane] += shares[row + lane];
                }
            }
        }
    }

    private double weight(int v) {
        return weights == null ? 1 : weights[low + v];
    }

    // rows and marks of queued vertices

    private void mark(int begin, int end) {
        for (int q = begin; q < end; q++) {
            paced.worked(1);
            marks[queue[q]] = masks[q];
        }
    }

    private void unmark(int begin, int end) {
        for (int q = begin; q < end; q++) {
            paced.worked(1);
            marks[queue[q]] = 0;
        }
    }

    private void copy(double[] source, double[] target, int begin, int end) {
        for (int q = begin; q < end; q++) {
            int row = queue[q] << laneShift;
            paced.worked(1);
            for (int lanes = masks[q] & 0xff; lanes != 0; lanes &= lanes - 1) {
                int cell = row + Integer.numberOfTrailingZeros(lanes);
                target[cell] = source[cell];
            }
        }
    }

    private void fill(double[] cells, int begin, int end) {
        for (int q = begin; q < end; q++) {
            int row = queue[q] << laneShift;
            paced.worked(1);
            for (int lanes = masks[q] & 0xff; lanes != 0; lanes &= lanes - 1) {
                cells[row + Integer.numberOfTrailingZeros(lanes)] = 0;
            }
        }
    }

    private void clear() {
        fill(counts, 0, tail);
        fill(shares, 0, tail);
        for (int q = 0; q < tail; q++) {
            paced.worked(1);
            seen[queue[q]] = 0;
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Csc;
import io.proxima.projection.IntPages;
import java.util.Arrays;

/**
 * Breadth-first searches from up to 512 sources at once by one thread. A vertex has eight words of bits, which are one
 * cache line, so that one read of a neighbour returns the state of all sources. Otherwise as {@link BitParallelSearch}.
 *
 * <p>Works on a range of slots that no edge leaves; all state is relative to the range's first slot.
 *
 * <p>Invariant "words of the inactive are stale": the words of a slot in {@code frontier} and {@code next} are valid only
 * while its bit in {@code active} or {@code nextActive} is set. The bitmaps fit the first cache levels, unlike the words,
 * and only the bitmaps are cleared after a level.
 */
final class WideSearch {

    /** Words a vertex. */
    static final int WORDS = 8;

    /** Sources of one search. */
    static final int WIDTH = WORDS * Long.SIZE;

    /** Pushing an edge costs about this many times what pulling it does. */
    private static final long PUSH_COST = 4;

    /** The time to count a vertex, in reads of neighbours. */
    private static final int STEPS_OF_A_COUNT = 16;

    private final Csc out;
    private final Csc in;
    private final Stop stop;
    private final PacedStop paced;
    private final LevelCounter counter;
    private final long[] seen;
    private long[] frontier;
    private long[] next;
    private long[] active;
    private long[] nextActive;
    private int[] queue;
    private int[] nextQueue;

    private int low;
    private int size;
    private long frontierEdges;
    private long missingEdges;

    /**
     * Allocates the state of a search; it can run many times.
     *
     * @param out edges along which to search; slot id space
     * @param in the same edges reversed
     * @param largestRange the most slots a range will have
     */
    WideSearch(Csc out, Csc in, int largestRange, LevelCounter counter, Stop stop) {
        this.out = out;
        this.in = in;
        this.stop = stop;
        paced = new PacedStop(stop);
        this.counter = counter;
        seen = new long[largestRange * WORDS];
        frontier = new long[largestRange * WORDS];
        next = new long[largestRange * WORDS];
        int bitmapWords = (largestRange >>> 6) + 1;
        active = new long[bitmapWords];
        nextActive = new long[bitmapWords];
        queue = new int[largestRange];
        nextQueue = new int[largestRange];
    }

    /** Whether the state of a range fits the arrays. */
    static boolean fits(long range) {
        return range <= Csc.MAX_VERTICES / WORDS;
    }

    /** Heap bytes of the state. */
    static long bytes(long largestRange) {
        return (3L * WORDS * Long.BYTES + 2 * Integer.BYTES) * largestRange
                + 2 * Long.BYTES * ((largestRange >>> 6) + 1);
    }

    /**
     * Searches from a batch of sources within the slots of its components. The counter receives each level.
     *
     * @param components boundaries of these components, ascending: source s is known not to reach slots of another
     *     component
     */
    void run(SourceBatches sources, SourceBatches.Batch batch, int[] components) {
        int count = batch.count();
        int high = components[components.length - 1];
        low = components[0];
        int range = high - low;
        int begun = 0;
        for (int c = 0; c + 1 < components.length; c++) {
            int first = begun;
            while (begun < count && sources.slot(batch.first() + begun) < components[c + 1]) {
                begun++;
            }
            presetSeen(components[c], components[c + 1], first, begun);
        }
        Arrays.fill(active, 0, (range >>> 6) + 1, 0);
        Arrays.fill(nextActive, 0, (range >>> 6) + 1, 0);
        long[] pointers = out.columnPointers();
        missingEdges = pointers[high] - pointers[low];
        frontierEdges = 0;
        size = 0;
        for (int s = 0; s < count; s++) {
            int slot = sources.slot(batch.first() + s);
            int v = slot - low;
            Arrays.fill(frontier, v * WORDS, v * WORDS + WORDS, 0);
            frontier[v * WORDS + (s >>> 6)] |= 1L << s;
            seen[v * WORDS + (s >>> 6)] |= 1L << s;
            active[v >>> 6] |= 1L << v;
            queue[size++] = v;
            frontierEdges += out.degree(slot);
            paced.worked(1);
        }
        boolean queued = true;
        int level = 0;
        while (frontierEdges > 0) {
            stop.check();
            level++;
            if (frontierEdges * PUSH_COST <= missingEdges) {
                if (!queued) {
                    queueFromActive(range);
                }
                push();
                queued = true;
            } else {
                pull(range);
                queued = false;
            }
            counter.levelDone(level);
        }
    }

    /** Marks the slots from one to another as seen by all sources but those from firstBit to before lastBit. */
    private void presetSeen(int from, int to, int firstBit, int lastBit) {
        long[] words = new long[WORDS];
        Arrays.fill(words, -1);
        for (int s = firstBit; s < lastBit; s++) {
            words[s >>> 6] &= ~(1L << s);
        }
        for (int base = (from - low) * WORDS, end = (to - low) * WORDS; base < end; base += WORDS) {
            System.arraycopy(words, 0, seen, base, WORDS);
            paced.worked(1);
        }
    }

    private void queueFromActive(int range) {
        size = 0;
        for (int word = 0; word <= range >>> 6; word++) {
            paced.worked(1);
            for (long bits = active[word]; bits != 0; bits &= bits - 1) {
                queue[size++] = (word << 6) + Long.numberOfTrailingZeros(bits);
            }
        }
    }

    private void push() {
        long[] seen = this.seen;
        long[] from = frontier;
        long[] to = next;
        long[] nextActive = this.nextActive;
        IntPages rows = out.rowIndices();
        int mask = rows.pageMask();
        int reached = 0;
        for (int q = 0; q < size; q++) {
            int slot = low + queue[q];
            int b = queue[q] * WORDS;
            long f0 = from[b];
            long f1 = from[b + 1];
            long f2 = from[b + 2];
            long f3 = from[b + 3];
            long f4 = from[b + 4];
            long f5 = from[b + 5];
            long f6 = from[b + 6];
            long f7 = from[b + 7];
            long i = out.columnStart(slot);
            long last = out.columnEnd(slot);
            paced.worked(1 + last - i);
            while (i < last) {
                int[] page = rows.pageOf(i);
                int pageFrom = (int) (i & mask);
                int pageTo = (int) Math.min(page.length, pageFrom + (last - i));
                for (int p = pageFrom; p < pageTo; p++) {
                    int v = page[p] - low;
                    int t = v * WORDS;
                    long d0 = f0 & ~seen[t];
                    long d1 = f1 & ~seen[t + 1];
                    long d2 = f2 & ~seen[t + 2];
                    long d3 = f3 & ~seen[t + 3];
                    long d4 = f4 & ~seen[t + 4];
                    long d5 = f5 & ~seen[t + 5];
                    long d6 = f6 & ~seen[t + 6];
                    long d7 = f7 & ~seen[t + 7];
                    if ((d0 | d1 | d2 | d3 | d4 | d5 | d6 | d7) == 0) {
                        continue;
                    }
                    if ((nextActive[v >>> 6] & 1L << v) == 0) {
                        nextActive[v >>> 6] |= 1L << v;
                        nextQueue[reached++] = v;
                        to[t] = d0;
                        to[t + 1] = d1;
                        to[t + 2] = d2;
                        to[t + 3] = d3;
                        to[t + 4] = d4;
                        to[t + 5] = d5;
                        to[t + 6] = d6;
                        to[t + 7] = d7;
                    } else {
                        to[t] |= d0;
                        to[t + 1] |= d1;
                        to[t + 2] |= d2;
                        to[t + 3] |= d3;
                        to[t + 4] |= d4;
                        to[t + 5] |= d5;
                        to[t + 6] |= d6;
                        to[t + 7] |= d7;
                    }
                }
                i += pageTo - pageFrom;
            }
        }
        for (int q = 0; q < size; q++) {
            active[queue[q] >>> 6] = 0;
            paced.worked(1);
        }
        frontierEdges = 0;
        for (int q = 0; q < reached; q++) {
            settle(nextQueue[q]);
            paced.worked(STEPS_OF_A_COUNT);
        }
        int[] swappedQueue = queue;
        queue = nextQueue;
        nextQueue = swappedQueue;
        size = reached;
        swapFrontiers();
    }

    private void settle(int v) {
        int t = v * WORDS;
        long all = -1;
        for (int j = 0; j < WORDS; j++) {
            long now = seen[t + j] | next[t + j];
            seen[t + j] = now;
            all &= now;
        }
        int degree = out.degree(low + v);
        frontierEdges += degree;
        if (all == -1) {
            missingEdges -= degree;
        }
        counter.add(next, t, low + v);
    }

    private void pull(int range) {
        long[] seen = this.seen;
        long[] from = frontier;
        long[] to = next;
        long[] active = this.active;
        IntPages rows = in.rowIndices();
        int mask = rows.pageMask();
        frontierEdges = 0;
        for (int v = 0; v < range; v++) {
            paced.worked(1);
            int t = v * WORDS;
            long a0 = seen[t];
            long a1 = seen[t + 1];
            long a2 = seen[t + 2];
            long a3 = seen[t + 3];
            long a4 = seen[t + 4];
            long a5 = seen[t + 5];
            long a6 = seen[t + 6];
            long a7 = seen[t + 7];
            if ((a0 & a1 & a2 & a3 & a4 & a5 & a6 & a7) == -1) {
                continue;
            }
            long i = in.columnStart(low + v);
            long last = in.columnEnd(low + v);
            paced.worked(STEPS_OF_A_COUNT + last - i);
            scan:
            while (i < last) {
                int[] page = rows.pageOf(i);
                int pageFrom = (int) (i & mask);
                int pageTo = (int) Math.min(page.length, pageFrom + (last - i));
                for (int p = pageFrom; p < pageTo; p++) {
                    int u = page[p] - low;
                    if ((active[u >>> 6] & 1L << u) == 0) {
                        continue;
                    }
                    int b = u * WORDS;
                    a0 |= from[b];
                    a1 |= from[b + 1];
                    a2 |= from[b + 2];
                    a3 |= from[b + 3];
                    a4 |= from[b + 4];
                    a5 |= from[b + 5];
                    a6 |= from[b + 6];
                    a7 |= from[b + 7];
                    if ((a0 & a1 & a2 & a3 & a4 & a5 & a6 & a7) == -1) {
                        break scan;
                    }
                }
                i += pageTo - pageFrom;
            }
            long d0 = a0 & ~seen[t];
            long d1 = a1 & ~seen[t + 1];
            long d2 = a2 & ~seen[t + 2];
            long d3 = a3 & ~seen[t + 3];
            long d4 = a4 & ~seen[t + 4];
            long d5 = a5 & ~seen[t + 5];
            long d6 = a6 & ~seen[t + 6];
            long d7 = a7 & ~seen[t + 7];
            if ((d0 | d1 | d2 | d3 | d4 | d5 | d6 | d7) == 0) {
                continue;
            }
            to[t] = d0;
            to[t + 1] = d1;
            to[t + 2] = d2;
            to[t + 3] = d3;
            to[t + 4] = d4;
            to[t + 5] = d5;
            to[t + 6] = d6;
            to[t + 7] = d7;
            seen[t] = a0;
            seen[t + 1] = a1;
            seen[t + 2] = a2;
            seen[t + 3] = a3;
            seen[t + 4] = a4;
            seen[t + 5] = a5;
            seen[t + 6] = a6;
            seen[t + 7] = a7;
            nextActive[v >>> 6] |= 1L << v;
            int degree = out.degree(low + v);
            frontierEdges += degree;
            if ((a0 & a1 & a2 & a3 & a4 & a5 & a6 & a7) == -1) {
                missingEdges -= degree;
            }
            counter.add(to, t, low + v);
        }
        Arrays.fill(active, 0, (range >>> 6) + 1, 0);
        swapFrontiers();
    }

    private void swapFrontiers() {
        long[] swappedWords = frontier;
        frontier = next;
        next = swappedWords;
        long[] swappedBits = active;
        active = nextActive;
        nextActive = swappedBits;
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.QueueAppender;
import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;

/**
 * Searches from up to 512 sources, by one thread. A vertex has eight words of bits, which are one cache line, so that
 * one read of a neighbour returns the state of all sources.
 */
final class WideSearch extends BitParallelSearch {

    /** Words a vertex. */
    static final int WORDS = 8;

    /** Sources of one search. */
    static final int WIDTH = WORDS * Long.SIZE;

    private static final long PUSH_COST = 4;

    WideSearch(Csc out, Csc in, int largestRange, Stop stop) {
        super(out, in, WORDS, largestRange, PUSH_COST, 1, stop);
    }

    /** Whether the state of a range fits the arrays. */
    static boolean fits(long range) {
        return range <= Csc.MAX_VERTICES / WORDS;
    }

    @Override
    void push(int begin, int end, QueueAppender found, PacedStop paced) {
        int first = low;
        long[] seen = this.seen;
        long[] from = frontier;
        long[] to = next;
        long[] nextMarks = this.nextMarks;
        IntPages rows = out.rowIndices();
        int mask = rows.pageMask();
        for (int q = begin; q < end; q++) {
            int b = queue[q] * WORDS;
            long f0 = from[b];
            long f1 = from[b + 1];
            long f2 = from[b + 2];
            long f3 = from[b + 3];
            long f4 = from[b + 4];
            long f5 = from[b + 5];
            long f6 = from[b + 6];
            long f7 = from[b + 7];
            long i = out.columnStart(first + queue[q]);
            long last = out.columnEnd(first + queue[q]);
            paced.worked(1 + last - i);
            while (i < last) {
                int[] page = rows.pageOf(i);
                int pageFrom = (int) (i & mask);
                int pageTo = (int) Math.min(page.length, pageFrom + (last - i));
                for (int p = pageFrom; p < pageTo; p++) {
                    int v = page[p] - first;
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
                    if ((nextMarks[v >>> 6] & 1L << v) == 0) {
                        nextMarks[v >>> 6] |= 1L << v;
                        found.add(v);
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
    }

    @Override
    boolean see(int v) {
        long all = -1;
        for (int j = v * WORDS; j < (v + 1) * WORDS; j++) {
            seen[j] |= next[j];
            all &= seen[j];
        }
        return all == -1;
    }

    @Override
    void pull(int begin, int end, Visitor visitor, PacedStop paced) {
        int reached = 0;
        long edges = 0;
        long completedEdges = 0;
        int first = low;
        long[] seen = this.seen;
        long[] from = frontier;
        long[] to = next;
        long[] nextMarks = this.nextMarks;
        long[] marks = this.marks;
        IntPages rows = in.rowIndices();
        int mask = rows.pageMask();
        for (int v = begin; v < end; v++) {
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
            long i = in.columnStart(first + v);
            long last = in.columnEnd(first + v);
            paced.worked(STEPS_OF_A_VISIT + last - i);
            scan:
            while (i < last) {
                int[] page = rows.pageOf(i);
                int pageFrom = (int) (i & mask);
                int pageTo = (int) Math.min(page.length, pageFrom + (last - i));
                for (int p = pageFrom; p < pageTo; p++) {
                    int u = page[p] - first;
                    if ((marks[u >>> 6] & 1L << u) == 0) {
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
            if ((d0 | d1 | d2 | d3 | d4 | d5 | d6 | d7) != 0) {
                to[t] = d0;
                seen[t] = a0;
                to[t + 1] = d1;
                seen[t + 1] = a1;
                to[t + 2] = d2;
                seen[t + 2] = a2;
                to[t + 3] = d3;
                seen[t + 3] = a3;
                to[t + 4] = d4;
                seen[t + 4] = a4;
                to[t + 5] = d5;
                seen[t + 5] = a5;
                to[t + 6] = d6;
                seen[t + 6] = a6;
                to[t + 7] = d7;
                seen[t + 7] = a7;
                nextMarks[v >>> 6] |= 1L << v;
                reached++;
                edges += out.degree(first + v);
                if ((a0 & a1 & a2 & a3 & a4 & a5 & a6 & a7) == -1) {
                    completedEdges += in.degree(first + v);
                }
                visitor.reached(first + v, to, t);
            }
        }
        add(reached, edges, completedEdges);
    }
}

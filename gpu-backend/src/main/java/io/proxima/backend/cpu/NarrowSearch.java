// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.QueueAppender;
import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Searches from up to 64 sources. Several threads work together on every level. */
final class NarrowSearch extends BitParallelSearch {

    /** The maximum number of sources of one search. */
    static final int WIDTH = Long.SIZE;

    private static final long PUSH_COST = 3;

    private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class);

    NarrowSearch(Csc out, Csc in, int largestRange, int concurrency, Stop stop) {
        super(out, in, 1, largestRange, PUSH_COST, concurrency, stop);
    }

    @Override
    void push(int begin, int end, QueueAppender found, PacedStop paced) {
        boolean shared = found.isShared();
        int first = low;
        long[] seen = this.seen;
        long[] from = frontier;
        long[] to = next;
        IntPages rows = out.rowIndices();
        int mask = rows.pageMask();
        for (int q = begin; q < end; q++) {
            int v = queue[q];
            long bits = from[v];
            long i = out.columnStart(first + v);
            long last = out.columnEnd(first + v);
            paced.worked(1 + last - i);
            while (i < last) {
                int[] page = rows.pageOf(i);
                int pageFrom = (int) (i & mask);
                int pageTo = (int) Math.min(page.length, pageFrom + (last - i));
                for (int p = pageFrom; p < pageTo; p++) {
                    int neighbour = page[p] - first;
                    long fresh = bits & ~seen[neighbour];
                    if (fresh == 0) {
                        continue;
                    }
                    long before = to[neighbour];
                    if (!shared) {
                        to[neighbour] = before | fresh;
                    } else if ((before & fresh) != fresh) {
                        before = (long) LONG.getAndBitwiseOr(to, neighbour, fresh);
                    }
                    if (before == 0) {
                        found.add(neighbour);
                    }
                }
                i += pageTo - pageFrom;
            }
        }
    }

    @Override
    boolean see(int v) {
        seen[v] |= next[v];
        return seen[v] == -1;
    }

    @Override
    void pull(int begin, int end, Visitor visitor, PacedStop paced) {
        int reached = 0;
        long edges = 0;
        long completedEdges = 0;
        int first = low;
        long[] from = frontier;
        IntPages rows = in.rowIndices();
        int mask = rows.pageMask();
        for (int v = begin; v < end; v++) {
            long before = seen[v];
            if (before == -1) {
                continue;
            }
            long now = before;
            long i = in.columnStart(first + v);
            long last = in.columnEnd(first + v);
            paced.worked(STEPS_OF_A_VISIT + last - i);
            while (i < last && now != -1) {
                int[] page = rows.pageOf(i);
                int pageFrom = (int) (i & mask);
                int pageTo = (int) Math.min(page.length, pageFrom + (last - i));
                for (int p = pageFrom; p < pageTo && now != -1; p++) {
                    now |= from[page[p] - first];
                }
                i += pageTo - pageFrom;
            }
            if (now != before) {
                seen[v] = now;
                next[v] = now & ~before;
                reached++;
                edges += out.degree(first + v);
                if (now == -1) {
                    completedEdges += in.degree(first + v);
                }
                visitor.reached(first + v, next, v);
            }
        }
        add(reached, edges, completedEdges);
    }
}

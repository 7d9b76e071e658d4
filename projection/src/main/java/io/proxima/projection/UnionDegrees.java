// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;
import java.util.List;

/**
 * The out-degrees of a union of graphs over the same vertices, counted by merging the columns of a vertex without
 * building the union. Takes three numbers for each thread and graph. Not thread-safe: each worker has its own.
 */
public final class UnionDegrees {

    private static final int COLUMNS_AT_ONCE = 1 << 10;

    private final List<Csc> graphs;
    private final PacedStop paced;

    // of the graphs with entries left: the row indices, the next entry and the end of the column
    private final IntPages[] rows;
    private final long[] next;
    private final long[] end;

    private UnionDegrees(List<Csc> graphs, Stop stop) {
        this.graphs = graphs;
        this.paced = new PacedStop(stop);
        this.rows = new IntPages[graphs.size()];
        this.next = new long[graphs.size()];
        this.end = new long[graphs.size()];
    }

    /**
     * Counts the degrees of all vertices.
     *
     * @param graphs at least one
     * @param sink receives the degree of each vertex, in any order
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static void count(List<Csc> graphs, int concurrency, Stop stop, GraphProjection.DegreeSink sink) {
        UnionDegrees[] counters = new UnionDegrees[concurrency];
        int vertexCount = graphs.get(0).vertexCount();
        Workers.forRanges(concurrency, vertexCount, COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            if (counters[worker] == null) {
                counters[worker] = new UnionDegrees(graphs, stop);
            }
            for (int column = (int) from; column < to; column++) {
                sink.accept(worker, counters[worker].degree(column));
            }
        });
    }

    private int degree(int column) {
        paced.worked(graphs.size());
        int left = 0;
        for (Csc graph : graphs) {
            if (graph.degree(column) > 0) {
                rows[left] = graph.rowIndices();
                next[left] = graph.columnStart(column);
                end[left] = graph.columnEnd(column);
                left++;
            }
        }
        int degree = 0;
        while (left > 1) {
            paced.worked(left);
            left = passLowestRow(left);
            degree++;
        }
        return left == 0 ? degree : degree + (int) (end[0] - next[0]);
    }

    /** Passes the lowest row, which several graphs may have; returns the number of graphs with entries left. */
    private int passLowestRow(int graphCount) {
        int lowest = Integer.MAX_VALUE;
        for (int i = 0; i < graphCount; i++) {
            lowest = Math.min(lowest, rows[i].get(next[i]));
        }
        int left = graphCount;
        for (int i = graphCount - 1; i >= 0; i--) {
            if (rows[i].get(next[i]) == lowest && ++next[i] == end[i]) {
                left--;
                rows[i] = rows[left];
                next[i] = next[left];
                end[i] = end[left];
            }
        }
        return left;
    }
}

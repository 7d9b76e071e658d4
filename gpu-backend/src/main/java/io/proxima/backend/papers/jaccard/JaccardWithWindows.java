// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.papers.jaccard;

import io.proxima.backend.VertexOrder;
import io.proxima.backend.order.Orders;
import io.proxima.backend.order.Permutation;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import java.util.Arrays;

/**
 * The order that packs columns with common rows into slice sets: Algorithm 1 of Elbek and Kaya, arXiv:2606.05081,
 * exactly. Vertices stay within their window of W consecutive ones. Where the algorithm leaves a choice (equal degrees,
 * equal similarities) the column of higher degree comes first, then the lower vertex, so the order is one function of
 * graph and W. A window with more than 2^29 entries is halved, and so are its halves; one of a slice set or two is
 * ordered by degree.
 *
 * <p>Windows are independent and are spread over the workers. Within one, columns are numbered by rank (descending
 * degree, then vertex), which makes the seed of a set the first unassigned rank. Three things keep a window cheaper
 * than the algorithm read literally, with the same result:
 *
 * <ul>
 *   <li>The members of a row, the ranks of its columns in the window, are listed once. Ranks that have been assigned
 *       are squeezed out of a list now and then, and rows of one column have no list.
 *   <li>Intersections are counted for the columns of high degree first. A column of degree d has a similarity of at
 *       most d / |R|, so those below a degree need not be counted once a candidate above it is at least that similar.
 *   <li>The most similar candidate is not looked for among all of Q. Candidates are listed at intersections of 1, 8, 64
 *       and so on. A candidate with an intersection of at most x has a similarity of at most x / |R|, so the search
 *       goes from the longest intersections down and ends as soon as what it has found is above that bound.
 * </ul>
 *
 * Time: that of walking the members, at most the sum over windows and rows of the squared number of columns that a row
 * has in the window. Memory: for each worker about 8 bytes an entry of a window, up to 48 a row of it, 36 a vertex of
 * it, and 4 a vertex of the graph; there are fewer workers if the latter would exceed twice the graph.
 */
public final class JaccardWithWindows implements Orders.Provider {

    /** The paper's W. */
    public static final int DEFAULT_WINDOW = 1 << 16;

    /** Columns of a slice set. */
    private static final int SET = 8;

    @Override
    public VertexOrder order() {
        return VertexOrder.JACCARD;
    }

    @Override
    public Permutation permutation(Csc graph, int concurrency, Stop stop, Progress progress) {
        return of(graph, DEFAULT_WINDOW, concurrency, stop, progress);
    }

    @Override
    public long heapBytes(long vertexCount, long entryCount, int concurrency) {
        // an int per vertex and thread, 9 ints per column of a window and thread, 2 ints per entry of a window, and the
        // fields of its rows, which are doubled by copying
        long columns = Math.min(vertexCount, DEFAULT_WINDOW);
        long rows = Math.min(entryCount, vertexCount * concurrency);
        return Integer.BYTES
                * (2 * vertexCount
                        + (vertexCount + 9 * columns) * concurrency
                        + 2 * entryCount
                        + 3L * WindowRows.FIELDS * rows);
    }

    /**
     * Refuses a window that Algorithm 1 does not allow.
     *
     * @throws IllegalArgumentException if it is not a multiple of the slice size and above it
     */
    static void requireWindow(int window) {
        if (window <= SET || window % SET != 0) {
            throw new IllegalArgumentException(
                    "the window must be a multiple of " + SET + " above it: window=" + window);
        }
    }

    /**
     * Orders a graph.
     *
     * @param graph vertex id space; may be directed
     * @param window W, a multiple of 8 above 8
     * @param concurrency threads that work, at least 1
     * @param stop asks the work to end early; nothing stays allocated then
     * @param progress is told the entries of each window when it is done
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static Permutation of(Csc graph, int window, int concurrency, Stop stop, Progress progress) {
        return of(graph, window, WindowRows.MOST_ENTRIES, concurrency, stop, progress);
    }

    /** Like the public method; windows of more entries are halved. */
    static Permutation of(Csc graph, int window, long mostEntries, int concurrency, Stop stop, Progress progress) {
        requireWindow(window);
        int n = graph.vertexCount();
        int[] vertexOfSlot = new int[n];
        long windows = ((long) n + window - 1) / window;
        Window[] scratch = new Window[workers(graph, concurrency)];
        Workers.forRanges(scratch.length, windows, 1, stop, (worker, index, end) -> {
            if (scratch[worker] == null) {
                scratch[worker] = new Window(graph, Math.min(window, n), mostEntries, stop);
            }
            int from = (int) (index * window);
            int to = (int) Math.min((long) from + window, n);
            scratch[worker].order(from, to, vertexOfSlot);
            progress.advance(graph.columnStart(to) - graph.columnStart(from));
        });
        return Permutation.ofVertices(vertexOfSlot, concurrency, stop);
    }

    private static int workers(Csc graph, int concurrency) {
        long graphBytes = Csc.bytes(graph.vertexCount(), graph.entryCount());
        long most = 2 * graphBytes / (Integer.BYTES * (graph.vertexCount() + 1L));
        return (int) Math.min(concurrency, most);
    }

    /** One window after another. Ranks are numbers of a window's columns. */
    private static final class Window {

        /** Assigned ranks are squeezed out when they are more than one in so many. */
        private static final int WORTH_SQUEEZING = 8;

        private static final int LEAST_SEED_TO_CUT = 16;
        private static final int FIRST_CUT = 4;

        private final Csc graph;
        private final long mostEntries;
        private final PacedStop paced;
        private final WindowRows rows;
        private final SimilarColumns candidates;

        // by rank
        private final long[] keys;
        private final int[] vertexOfRank;
        private final int[] degree;
        private final boolean[] assigned;

        /** The rows of R that have members. */
        private int[] union = new int[16];

        private int unionWithMembers;
        private int unionSize;

        /** Ranks below this are counted in this set. */
        private int countedRanks;

        private int columns;

        Window(Csc graph, int mostColumns, long mostEntries, Stop stop) {
            this.graph = graph;
            this.mostEntries = mostEntries;
            paced = new PacedStop(stop);
            rows = new WindowRows(graph, mostColumns, paced);
            keys = new long[mostColumns];
            vertexOfRank = new int[mostColumns];
            degree = new int[mostColumns];
            assigned = new boolean[mostColumns];
            candidates = new SimilarColumns(degree, assigned);
        }

        void order(int from, int to, int[] vertexOfSlot) {
            long entries = graph.columnStart(to) - graph.columnStart(from);
            if (entries > mostEntries && to - from > 2 * SET) {
                int middle = from + ((to - from) / (2 * SET)) * SET;
                order(from, middle, vertexOfSlot);
                order(middle, to, vertexOfSlot);
                return;
            }
            columns = rank(from, to);
            if (entries > mostEntries) {
                for (int rank = 0; rank < to - from; rank++) {
                    vertexOfSlot[from + rank] = vertexOfRank[rank];
                }
                return;
            }
            rows.list(vertexOfRank, columns, (int) entries);
            Arrays.fill(assigned, 0, columns, false);
            int slot = from;
            int first = 0;
            for (int set = 1; slot < from + columns; set++) {
                int inThisSet = Math.min(SET, to - slot);
                unionSize = 0;
                unionWithMembers = 0;
                for (int place = 0; place < inThisSet && slot < from + columns; place++) {
                    int next = place == 0 ? -1 : mostSimilar();
                    if (next < 0) {
                        while (assigned[first]) {
                            first++;
                        }
                        next = first;
                    }
                    assigned[next] = true;
                    vertexOfSlot[slot++] = vertexOfRank[next];
                    if (place == 0) {
                        countedRanks = ranksFrom(firstCountedDegree(degree[next]));
                    }
                    if (place < inThisSet - 1) {
                        unite(next, set);
                    }
                }
                candidates.forget();
            }
            for (int rank = columns; rank < to - from; rank++) {
                vertexOfSlot[slot++] = vertexOfRank[rank];
            }
        }

        /** Ranks the window's columns and returns how many have entries; those without follow, ascending. */
        private int rank(int from, int to) {
            int columns = 0;
            for (int column = from; column < to; column++) {
                int ofColumn = graph.degree(column);
                keys[column - from] = (long) (Integer.MAX_VALUE - ofColumn) << 32 | column;
                columns += ofColumn > 0 ? 1 : 0;
            }
            Arrays.sort(keys, 0, to - from);
            for (int rank = 0; rank < to - from; rank++) {
                vertexOfRank[rank] = (int) keys[rank];
                degree[rank] = graph.degree(vertexOfRank[rank]);
            }
            return columns;
        }

        /** Sets of low degree count everything at once: they have few rows, and their candidates are about as small. */
        private static int firstCountedDegree(int seedDegree) {
            return seedDegree < LEAST_SEED_TO_CUT ? 0 : seedDegree / FIRST_CUT;
        }

        /** How many ranks have a degree of {@code least} or more. */
        private int ranksFrom(int least) {
            int low = 0;
            int high = columns;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (degree[middle] >= least) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }

        /** Adds a column's rows to R, and what they have in common with the candidates that are counted. */
        private void unite(int rank, int set) {
            for (int i = rows.columnStart(rank); i < rows.columnStart(rank + 1); i++) {
                int row = rows.row(i);
                if (row == WindowRows.NO_ROW) {
                    unionSize++;
                } else if (rows.enter(row, set)) {
                    unionSize++;
                    if (unionWithMembers == union.length) {
                        union = Arrays.copyOf(union, 2 * unionWithMembers);
                    }
                    union[unionWithMembers++] = row;
                    int start = rows.start(row);
                    int stopped = count(row, start);
                    int gone = candidates.gone();
                    if (gone > 0 && gone * WORTH_SQUEEZING > stopped - start) {
                        rows.squeeze(row, stopped, assigned);
                    }
                }
            }
            paced.worked(degree[rank]);
        }

        /** Counts the members of a row from one on that are in the ranks counted. Returns where it stopped. */
        private int count(int row, int start) {
            int stopped = candidates.count(rows.members(), start, rows.end(row), countedRanks);
            paced.worked(stopped - start + 1L);
            rows.setCounted(row, stopped);
            return stopped;
        }

        /** The unassigned rank of the highest similarity to R, -1 if none has a row of R. */
        private int mostSimilar() {
            paced.worked(candidates.find(unionSize));
            while (countedRanks < columns) {
                // all that are not counted have at most this degree, and higher ranks, which lose ties
                long degreeBelow = degree[countedRanks];
                if (candidates.isBestUpTo(degreeBelow, unionSize)) {
                    break;
                }
                int least = (int) Math.min(degreeBelow / 2, candidates.leastDegree(unionSize));
                countedRanks = Math.max(countedRanks + 1, ranksFrom(least));
                for (int u = 0; u < unionWithMembers; u++) {
                    count(union[u], rows.counted(union[u]));
                }
                paced.worked(candidates.find(unionSize));
            }
            return candidates.best();
        }
    }
}

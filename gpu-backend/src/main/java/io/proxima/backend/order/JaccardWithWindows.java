// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.backend.bvss.BvssLayout;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.Csc;
import io.proxima.projection.IntPages;
import java.util.Arrays;

/**
 * The order that packs columns with common rows into slice sets: Algorithm 1 of Elbek and Kaya, arXiv:2606.05081, exactly.
 * Vertices stay within their window of W consecutive ones. Where the algorithm leaves a choice (equal degrees, equal
 * similarities) the column of higher degree comes first, then the lower vertex, so the order is one function of graph and
 * W. A window with more than 2^29 entries is halved, and so are its halves; one of a slice set or two is ordered by degree.
 *
 * <p>Windows are independent and are spread over the workers. Within one, columns are numbered by rank (descending degree,
 * then vertex), which makes the seed of a set the first unassigned rank. Three things keep a window cheaper than the
 * algorithm read literally, with the same result:
 *
 * <ul>
 *   <li>The members of a row, the ranks of its columns in the window, are listed once. Ranks that have been assigned are
 *       squeezed out of a list now and then, and rows of one column have no list.
 *   <li>Intersections are counted for the columns of high degree first. A column of degree d has a similarity of at most
 *       d / |R|, so those below a degree need not be counted once a candidate above it is at least that similar.
 *   <li>The most similar candidate is not looked for among all of Q. Candidates are listed at intersections of 1, 8, 64 and
 *       so on. A candidate with an intersection of at most x has a similarity of at most x / |R|, so the search goes from
 *       the longest intersections down and ends as soon as what it has found is above that bound.
 * </ul>
 *
 * Time: that of walking the members, at most the sum over windows and rows of the squared number of columns that a row has
 * in the window. Memory: about 8 bytes an entry of a window and 12 a vertex of it for each worker, and 4 a vertex of the
 * graph; there are fewer workers if the latter would exceed twice the graph.
 *
 * <p>The class is long because the steps of a window share its arrays.
 */
public final class JaccardWithWindows {

    /** The paper's W. */
    public static final int DEFAULT_WINDOW = 1 << 16;

    private static final int SET = BvssLayout.SLICE_SIZE;

    private JaccardWithWindows() {}

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
        return of(graph, window, Window.MOST_ENTRIES, concurrency, stop, progress);
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

    /** One window after another. Ranks are numbers of a window's columns, rows are numbered anew in each window. */
    private static final class Window {

        private static final int LEVEL_SHIFT = 3;
        private static final int LEVELS = (Integer.SIZE + LEVEL_SHIFT - 1) / LEVEL_SHIFT;
        private static final int NO_POWERS_OF_EIGHT = 0xB6DB6DB6;

        /** Steps through members between two looks at the stop, about a millisecond. */
        private static final int STEPS_PER_POLL = 1 << 19;

        /** Assigned ranks are squeezed out when they are more than one in so many. */
        private static final int WORTH_SQUEEZING = 8;

        private static final int NO_ROW = -1;

        private static final int OF_ROW = 4;
        private static final int START = 0;
        private static final int END = 1;
        private static final int COUNTED = 2;
        private static final int IN_SET = 3;

        /** What OF_ROW ints a row leave room for. */
        private static final long MOST_ENTRIES = (1L << 29) - 8;

        private static final long MOST_OF_ROWS = OF_ROW * MOST_ENTRIES;

        private static final int LEAST_SEED_TO_CUT = 16;
        private static final int FIRST_CUT = 4;

        private final Csc graph;
        private final long mostEntries;
        private final IntPages rowIndices;
        private final Stop stop;
        private int steps;

        /** By row of the graph: its number in the window plus one. Invariant "clear rows": all zero between windows. */
        private final int[] numberOfRow;

        // by rank
        private final long[] keys;
        private final int[] degree;
        private final boolean[] assigned;
        private final int[] inter;
        private int[] columnStart;

        /** Places in ofRow of the rows of each column, ranks in turn; NO_ROW for a row of one column. */
        private int[] rowsOfColumns = new int[0];

        /** Ranks of each row's columns that are not assigned, ascending. */
        private int[] members = new int[0];

        /**
         * Four ints a row, side by side, since all are wanted at once: where its members begin, or NO_ROW; where they end;
         * where those begin that are not counted in this set; the slice set whose R it was last put into, from 1.
         */
        private int[] ofRow = new int[0];

        /** The rows of R that have members. */
        private int[] union = new int[16];

        private int unionWithMembers;

        /** Ranks below this are counted in this set. */
        private int countedRanks;

        private int columns;

        /** By level l: the ranks whose intersection has reached 8^l in this set. */
        private final int[][] reached = new int[LEVELS][];

        private final int[] reachedCount = new int[LEVELS];

        private int unionSize;

        /** Assigned members that countMembers passed. */
        private int gone;

        // what findMostSimilar found
        private int best;
        private long bestCommon;
        private long bestSum;

        Window(Csc graph, int mostColumns, long mostEntries, Stop stop) {
            this.graph = graph;
            this.mostEntries = mostEntries;
            this.rowIndices = graph.rowIndices();
            this.stop = stop;
            numberOfRow = new int[graph.vertexCount()];
            keys = new long[mostColumns];
            degree = new int[mostColumns];
            assigned = new boolean[mostColumns];
            inter = new int[mostColumns];
            columnStart = new int[mostColumns + 1];
            Arrays.setAll(reached, level -> new int[16]);
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
                    vertexOfSlot[from + rank] = vertex(rank);
                }
                return;
            }
            listMembers((int) entries);
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
                    vertexOfSlot[slot++] = vertex(next);
                    if (place == 0) {
                        countedRanks = ranksFrom(firstCountedDegree(degree[next]));
                    }
                    if (place < inThisSet - 1) {
                        unite(next, set);
                    }
                }
                forgetCandidates();
            }
            for (int rank = columns; rank < to - from; rank++) {
                vertexOfSlot[slot++] = vertex(rank);
            }
        }

        private int vertex(int rank) {
            return (int) keys[rank];
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
            for (int rank = 0; rank < columns; rank++) {
                degree[rank] = graph.degree(vertex(rank));
            }
            return columns;
        }

        private void listMembers(int entries) {
            rowsOfColumns = grown(rowsOfColumns, entries);
            int rows = 0;
            int next = 0;
            for (int rank = 0; rank < columns; rank++) {
                poll(degree[rank]);
                columnStart[rank] = next;
                int column = vertex(rank);
                for (long i = graph.columnStart(column), end = graph.columnEnd(column); i < end; i++) {
                    int row = rowIndices.get(i);
                    int number = numberOfRow[row];
                    if (number == 0) {
                        numberOfRow[row] = number = ++rows;
                        if (OF_ROW * rows > ofRow.length) {
                            ofRow = Arrays.copyOf(
                                    ofRow, (int) Math.max(1 << 12, Math.min(2L * ofRow.length, MOST_OF_ROWS)));
                        }
                        ofRow[OF_ROW * (number - 1) + END] = 0;
                    }
                    ofRow[OF_ROW * (number - 1) + END]++;
                    rowsOfColumns[next++] = OF_ROW * (number - 1);
                }
            }
            columnStart[columns] = next;
            clearRows();
            startMembers(rows);
            for (int rank = 0; rank < columns; rank++) {
                poll(degree[rank]);
                for (int i = columnStart[rank]; i < columnStart[rank + 1]; i++) {
                    int row = rowsOfColumns[i];
                    if (ofRow[row + START] == NO_ROW) {
                        rowsOfColumns[i] = NO_ROW;
                    } else {
                        members[ofRow[row + END]++] = rank;
                    }
                }
            }
        }

        /** Turns the counts in END into starts, for rows of two columns and more. */
        private void startMembers(int rows) {
            int next = 0;
            for (int row = 0; row < OF_ROW * rows; row += OF_ROW) {
                int count = ofRow[row + END];
                ofRow[row + START] = count == 1 ? NO_ROW : next;
                ofRow[row + END] = next;
                ofRow[row + IN_SET] = 0;
                next += count == 1 ? 0 : count;
            }
            members = grown(members, next);
        }

        private void clearRows() {
            for (int rank = 0; rank < columns; rank++) {
                poll(degree[rank]);
                int column = vertex(rank);
                for (long i = graph.columnStart(column), end = graph.columnEnd(column); i < end; i++) {
                    numberOfRow[rowIndices.get(i)] = 0;
                }
            }
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
            for (int i = columnStart[rank]; i < columnStart[rank + 1]; i++) {
                int row = rowsOfColumns[i];
                if (row == NO_ROW) {
                    unionSize++;
                } else if (ofRow[row + IN_SET] != set) {
                    ofRow[row + IN_SET] = set;
                    unionSize++;
                    if (unionWithMembers == union.length) {
                        union = Arrays.copyOf(union, 2 * unionWithMembers);
                    }
                    union[unionWithMembers++] = row;
                    countFromStart(row);
                }
            }
            poll(degree[rank]);
        }

        private void countFromStart(int row) {
            int start = ofRow[row + START];
            int stopped = countMembers(start, ofRow[row + END]);
            ofRow[row + COUNTED] = stopped;
            if (gone > 0 && gone * WORTH_SQUEEZING > stopped - start) {
                ofRow[row + START] = squeezed(start, stopped, gone);
            }
        }

        /** Counts the members of a range that are in the ranks counted, and returns where it stopped. */
        private int countMembers(int start, int end) {
            int[] ranks = members;
            boolean[] taken = assigned;
            int[] common = inter;
            int below = countedRanks;
            int skipped = 0;
            int i = start;
            for (; i < end; i++) {
                int rank = ranks[i];
                if (rank >= below) {
                    break;
                }
                if (taken[rank]) {
                    skipped++;
                    continue;
                }
                int now = common[rank] + 1;
                common[rank] = now;
                // zero for 1, 8, 64, ... alone
                if (((now & (now - 1)) | (now & NO_POWERS_OF_EIGHT)) == 0) {
                    reach(Integer.numberOfTrailingZeros(now) / LEVEL_SHIFT, rank);
                }
            }
            gone = skipped;
            poll(i - start + 1);
            return i;
        }

        /** Moves the members that are not assigned to the end of a range, in their order, and returns where they begin. */
        private int squeezed(int start, int end, int assignedOnes) {
            int to = end;
            for (int from = end - 1; from >= start; from--) {
                int rank = members[from];
                if (!assigned[rank]) {
                    members[--to] = rank;
                }
            }
            return start + assignedOnes;
        }

        /** Counts the ranks from {@link #countedRanks} to {@code to} as well. */
        private void countUpTo(int to) {
            countedRanks = to;
            for (int u = 0; u < unionWithMembers; u++) {
                int row = union[u];
                ofRow[row + COUNTED] = countMembers(ofRow[row + COUNTED], ofRow[row + END]);
            }
        }

        private void reach(int level, int rank) {
            int[] ranks = reached[level];
            int count = reachedCount[level]++;
            if (count == ranks.length) {
                ranks = Arrays.copyOf(ranks, 2 * count);
                reached[level] = ranks;
            }
            ranks[count] = rank;
        }

        /** The unassigned rank of the highest similarity to R, -1 if none has a row of R. */
        private int mostSimilar() {
            findMostSimilar();
            while (countedRanks < columns) {
                // all that are not counted have at most this degree, and higher ranks, which lose ties
                long degreeBelow = degree[countedRanks];
                long most = Math.min(degreeBelow, unionSize);
                if (bestCommon * (unionSize + degreeBelow) >= most * bestSum) {
                    break;
                }
                long similar = bestCommon * unionSize / (bestSum - bestCommon);
                int least = (int) Math.min(degreeBelow / 2, similar);
                countUpTo(Math.max(countedRanks + 1, ranksFrom(least)));
                findMostSimilar();
            }
            return best;
        }

        /**
         * The best of the ranks counted. Similarity c / (|R| + d - c) grows with c / (|R| + d), which is what is compared, in
         * whole numbers: both products are below 2^63.
         */
        private void findMostSimilar() {
            best = -1;
            bestCommon = 0;
            bestSum = 1;
            for (int level = highestLevel(); level >= 0; level--) {
                int count = reachedCount[level];
                poll(count);
                int[] ranks = reached[level];
                for (int i = 0; i < count; i++) {
                    int rank = ranks[i];
                    if (assigned[rank]) {
                        continue;
                    }
                    long common = inter[rank];
                    long sum = (long) unionSize + degree[rank];
                    long left = common * bestSum;
                    long right = bestCommon * sum;
                    if (left > right || (left == right && rank < best)) {
                        best = rank;
                        bestCommon = common;
                        bestSum = sum;
                    }
                }
                // the candidates below this level have fewer than 8^level rows in common, and a degree of at least as
                // many
                long most = (1L << (LEVEL_SHIFT * level)) - 1;
                if (bestCommon * (unionSize + most) > most * bestSum) {
                    break;
                }
            }
        }

        private int highestLevel() {
            int level = LEVELS - 1;
            while (level >= 0 && reachedCount[level] == 0) {
                level--;
            }
            return level;
        }

        private void forgetCandidates() {
            for (int i = 0; i < reachedCount[0]; i++) {
                inter[reached[0][i]] = 0;
            }
            Arrays.fill(reachedCount, 0);
        }

        private void poll(int done) {
            steps += done;
            if (steps > STEPS_PER_POLL) {
                steps = 0;
                stop.check();
            }
        }

        private static int[] grown(int[] array, int length) {
            return array.length >= length ? array : new int[length];
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.papers.jaccard;

import io.proxima.concurrent.PacedStop;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;
import java.util.Arrays;

/**
 * The rows that the columns of a window have, numbered anew in each window, and the members of each row: the ranks of
 * its columns. A row of one column has no members, and no number.
 */
final class WindowRows {

    /** In place of a row of one column. */
    static final int NO_ROW = -1;

    private static final int OF_ROW = 4;
    private static final int START = 0;
    private static final int END = 1;
    private static final int COUNTED = 2;
    private static final int IN_SET = 3;

    /** What OF_ROW ints a row leave room for. */
    static final long MOST_ENTRIES = (1L << 29) - 8;

    private static final long MOST_OF_ROWS = OF_ROW * MOST_ENTRIES;

    private final Csc graph;
    private final IntPages rowIndices;
    private final PacedStop paced;

    /** By row of the graph: its number in the window plus one. Invariant "clear rows": all zero between windows. */
    private final int[] numberOfRow;

    private final int[] columnStart;

    /** Places in ofRow of the rows of each column, ranks in turn; NO_ROW for a row of one column. */
    private int[] rowsOfColumns = {};

    /** Ranks of each row's columns that are not assigned, ascending. */
    private int[] members = {};

    /**
     * Four ints a row, side by side, since all are wanted at once: where its members begin, or NO_ROW; where they end;
     * where those begin that are not counted in this set; the slice set whose R it was last put into, from 1.
     */
    private int[] ofRow = {};

    WindowRows(Csc graph, int mostColumns, PacedStop paced) {
        this.graph = graph;
        this.paced = paced;
        rowIndices = graph.rowIndices();
        numberOfRow = new int[graph.vertexCount()];
        columnStart = new int[mostColumns + 1];
    }

    /**
     * Lists the members.
     *
     * @param vertexOfRank the columns by rank
     * @param columns number of columns
     * @param entries number of their entries, at most {@link #MOST_ENTRIES}
     */
    void list(int[] vertexOfRank, int columns, int entries) {
        rowsOfColumns = grown(rowsOfColumns, entries);
        int rows = 0;
        int next = 0;
        for (int rank = 0; rank < columns; rank++) {
            columnStart[rank] = next;
            int column = vertexOfRank[rank];
            paced.worked(graph.degree(column));
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
        clearRows(vertexOfRank, columns);
        startMembers(rows);
        for (int rank = 0; rank < columns; rank++) {
            paced.worked(columnStart[rank + 1] - columnStart[rank]);
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

    private void clearRows(int[] vertexOfRank, int columns) {
        for (int rank = 0; rank < columns; rank++) {
            int column = vertexOfRank[rank];
            paced.worked(graph.degree(column));
            for (long i = graph.columnStart(column), end = graph.columnEnd(column); i < end; i++) {
                numberOfRow[rowIndices.get(i)] = 0;
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

    private static int[] grown(int[] array, int length) {
        return array.length >= length ? array : new int[length];
    }

    /** The index of a column's first row; that of the next column is after its last. */
    int columnStart(int rank) {
        return columnStart[rank];
    }

    /** The row of a column at an index; {@link #NO_ROW} if no other column has it. */
    int row(int index) {
        return rowsOfColumns[index];
    }

    /** Puts a row into the R of a slice set; returns whether it was not there. */
    boolean enter(int row, int set) {
        boolean entered = ofRow[row + IN_SET] != set;
        ofRow[row + IN_SET] = set;
        return entered;
    }

    /** The members of all rows. */
    int[] members() {
        return members;
    }

    int start(int row) {
        return ofRow[row + START];
    }

    int end(int row) {
        return ofRow[row + END];
    }

    /** The first member that is not counted. */
    int counted(int row) {
        return ofRow[row + COUNTED];
    }

    void setCounted(int row, int counted) {
        ofRow[row + COUNTED] = counted;
    }

    /** Removes the assigned ones among the members before {@code end}, and keeps the order of the others. */
    void squeeze(int row, int end, boolean[] assigned) {
        int to = end;
        for (int from = end - 1; from >= ofRow[row + START]; from--) {
            int rank = members[from];
            if (!assigned[rank]) {
                members[--to] = rank;
            }
        }
        ofRow[row + START] = to;
    }
}

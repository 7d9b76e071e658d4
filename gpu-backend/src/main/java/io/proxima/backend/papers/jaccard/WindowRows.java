// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.papers.jaccard;

import io.proxima.concurrent.PacedStop;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;
import java.util.Arrays;

/**
 * The rows of one window's columns, and the members of each row: the ranks of its columns that are not assigned. A row
 * of one column has no members. Callers name a row by the index of its fields.
 */
final class WindowRows {

    /** In place of a row of one column. */
    static final int NO_ROW = -1;

    /** The first member's index; NO_ROW for a row of one column. */
    private static final int START = 0;

    /** The index after the last member. */
    private static final int END = 1;

    /** The index of the first member that is not counted in the current slice set. */
    private static final int COUNTED = 2;

    /** The slice set, from 1, whose union the row joined last. */
    private static final int IN_SET = 3;

    /** Number of a row's fields. */
    static final int FIELDS = 4;

    private static final long LONGEST_ARRAY = Integer.MAX_VALUE - 8L;

    /** The maximum number of a window's entries. If each has a row of its own, the fields of all fit one array. */
    static final long MOST_ENTRIES = LONGEST_ARRAY / FIELDS;

    private final Csc graph;
    private final IntPages rowIndices;
    private final PacedStop paced;

    /** By row of the graph: its number in the window, from 1. Invariant "clear rows": all zero between windows. */
    private final int[] numberOfRow;

    /** By rank: the index of the column's first row in {@link #rowsOfColumns}. */
    private final int[] columnStart;

    /** Rows, column after column; NO_ROW for a row of one column. */
    private int[] rowsOfColumns = {};

    /** Ranks, row after row, ascending in each. */
    private int[] members = {};

    /** The fields of all rows. Those of one row are read together, so they are side by side. */
    private int[] fields = {};

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
                if (numberOfRow[row] == 0) {
                    numberOfRow[row] = ++rows;
                    if (FIELDS * rows > fields.length) {
                        fields = Arrays.copyOf(
                                fields, (int) Math.max(1 << 12, Math.min(2L * fields.length, LONGEST_ARRAY)));
                    }
                    fields[FIELDS * (rows - 1) + END] = 0;
                }
                int inWindow = FIELDS * (numberOfRow[row] - 1);
                fields[inWindow + END]++;
                rowsOfColumns[next++] = inWindow;
            }
        }
        columnStart[columns] = next;
        clearRows(vertexOfRank, columns);
        startMembers(rows);
        for (int rank = 0; rank < columns; rank++) {
            paced.worked(columnStart[rank + 1] - columnStart[rank]);
            for (int i = columnStart[rank]; i < columnStart[rank + 1]; i++) {
                int row = rowsOfColumns[i];
                if (fields[row + START] == NO_ROW) {
                    rowsOfColumns[i] = NO_ROW;
                } else {
                    members[fields[row + END]++] = rank;
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
        for (int row = 0; row < FIELDS * rows; row += FIELDS) {
            int count = fields[row + END];
            fields[row + START] = count == 1 ? NO_ROW : next;
            fields[row + END] = next;
            fields[row + IN_SET] = 0;
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

    /** Adds a row to the union of a slice set. Returns whether it is new there. */
    boolean enter(int row, int set) {
        boolean entered = fields[row + IN_SET] != set;
        fields[row + IN_SET] = set;
        return entered;
    }

    /** The members of all rows, in which the other methods give indices. */
    int[] members() {
        return members;
    }

    /** The index of a row's first member. */
    int start(int row) {
        return fields[row + START];
    }

    /** The index after a row's last member. */
    int end(int row) {
        return fields[row + END];
    }

    /** The index of the first member that is not counted in the current slice set. */
    int counted(int row) {
        return fields[row + COUNTED];
    }

    void setCounted(int row, int counted) {
        fields[row + COUNTED] = counted;
    }

    /** Removes the assigned ones among the members before {@code end}, and keeps the order of the others. */
    void squeeze(int row, int end, boolean[] assigned) {
        int to = end;
        for (int from = end - 1; from >= fields[row + START]; from--) {
            int rank = members[from];
            if (!assigned[rank]) {
                members[--to] = rank;
            }
        }
        fields[row + START] = to;
    }
}

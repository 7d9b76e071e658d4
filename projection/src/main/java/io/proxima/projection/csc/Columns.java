// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import java.util.List;

/**
 * The entries of a graph, column by column, in arrays that graphs may share. Immutable and thread-safe.
 *
 * <ul>
 *   <li>columnPointers: {@code long[vertexCount + 1]}, non-decreasing, first 0, last {@code entryCount}; host
 *   <li>rowIndices: {@code entryCount} vertices, 0 to vertexCount - 1; host, paged so that more than 2^31 fit
 * </ul>
 */
public sealed class Columns permits Csc, WeightedCsc {

    static final int COLUMNS_AT_ONCE = 1 << 12;

    private final long[] columnPointers;
    private final IntPages rowIndices;
    private final List<DoublePages> values;

    /** Entries with some kinds of values each, whose pages have the shift of the row indices. */
    Columns(long[] columnPointers, IntPages rowIndices, List<DoublePages> values) {
        this.columnPointers = columnPointers;
        this.rowIndices = rowIndices;
        this.values = values;
    }

    /** Number of vertices. */
    public final int vertexCount() {
        return columnPointers.length - 1;
    }

    /** Number of entries: directed edges; with weights including parallel ones. */
    public final long entryCount() {
        return columnPointers[vertexCount()];
    }

    /** Index into {@link #rowIndices()} of the first entry of {@code column}. */
    public final long columnStart(int column) {
        return columnPointers[column];
    }

    /** Index into {@link #rowIndices()} after the last entry of {@code column}. */
    public final long columnEnd(int column) {
        return columnPointers[column + 1];
    }

    /** Number of entries of {@code column}: its out-degree. */
    public final int degree(int column) {
        return (int) (columnPointers[column + 1] - columnPointers[column]);
    }

    /** The column that lists an entry, in time logarithmic in the number of vertices. */
    public final int columnOf(long entry) {
        int low = 0;
        int high = vertexCount();
        // invariant: columnStart(low) <= entry < columnStart(high)
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (columnStart(middle) <= entry) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** {@code long[vertexCount + 1]}, the array itself: read only. */
    public final long[] columnPointers() {
        return columnPointers;
    }

    /** The row indices themselves: read only. */
    public final IntPages rowIndices() {
        return rowIndices;
    }

    /** The values of the entries, by kind. */
    public final List<DoublePages> values() {
        return values;
    }

    /** Appends the entries of a column to a range that has room for them. */
    final void copyColumn(int column, CscAssembly.Range to) {
        rowIndices.get(columnStart(column), to.rows, to.length, degree(column));
        for (int kind = 0; kind < to.values.length; kind++) {
            values.get(kind).get(columnStart(column), to.values[kind], to.length, degree(column));
        }
        to.length += degree(column);
    }

    /**
     * Checks every invariant of the graph.
     *
     * @param concurrency number of threads, at least 1
     * @throws IllegalStateException for a violated invariant, with the column
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public final void validate(int concurrency, Stop stop) {
        validatePointers(stop);
        Workers.forRanges(concurrency, vertexCount(), COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            PacedStop paced = new PacedStop(stop);
            for (int column = (int) from; column < to; column++) {
                validateColumn(column, paced);
            }
        });
    }

    /** Checks a column, whose indices are those of row indices. */
    void validateColumn(int column, PacedStop paced) {
        // entries in the making have no order yet
    }

    private void validatePointers(Stop stop) {
        if (columnPointers[0] != 0) {
            throw new IllegalStateException("column pointers must begin with 0: first=" + columnPointers[0]);
        }
        PacedStop paced = new PacedStop(stop);
        for (int column = 0; column < vertexCount(); column++) {
            paced.worked(1);
            if (columnPointers[column] > columnPointers[column + 1]) {
                throw new IllegalStateException("column pointers must not decrease: column=" + column + ", start="
                        + columnPointers[column] + ", end=" + columnPointers[column + 1]);
            }
        }
        if (entryCount() != rowIndices.length()) {
            throw new IllegalStateException("the last column pointer must be the number of row indices: last="
                    + entryCount() + ", rowIndices=" + rowIndices.length());
        }
        for (DoublePages weights : values) {
            if (entryCount() != weights.length()) {
                throw new IllegalStateException(
                        "every entry must have a weight: entries=" + entryCount() + ", weights=" + weights.length());
            }
        }
    }

    /**
     * The first entry between two vertices, that of the least weight, in time logarithmic in the degree.
     *
     * @return the first entry of the column with a row that is not lower than {@code to}, or the end of the column
     */
    public long firstEntry(int from, int to) {
        long low = columnStart(from);
        long high = columnEnd(from);
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (rowIndices().get(middle) < to) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}

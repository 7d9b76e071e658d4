// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.HeapPart;
import io.proxima.projection.CscAssembly.Entries;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * A directed graph as compressed sparse columns of its adjacency matrix A, A[i][j] = 1 iff there is an edge j to i:
 * column j lists the targets of the edges of j, in ascending order, without duplicates and without j itself.
 *
 * <ul>
 *   <li>columnPointers: {@code long[vertexCount + 1]}, non-decreasing, first 0, last {@code entryCount}; host
 *   <li>rowIndices: {@code entryCount} vertices, 0 to vertexCount - 1; host, paged so that more than 2^31 fit
 * </ul>
 *
 * Immutable and thread-safe once built. Memory: 8 bytes for each vertex and 4 bytes for each entry, see {@link
 * #bytes()}.
 * The transposed form, once built, takes as much again (nothing for a symmetric graph).
 */
public final class Csc {

    /** The maximum number of vertices: vertices are ints, and the JVM must allow an array of vertexCount + 1. */
    public static final int MAX_VERTICES = Integer.MAX_VALUE - 8;

    private static final int COLUMNS_AT_ONCE = 1 << 12;
    private static final int ENTRIES_PER_STOP_CHECK = 1 << 16;

    private final int vertexCount;
    private final long[] columnPointers;
    private final IntPages rowIndices;
    private final boolean symmetric;
    private final OnDemand<Csc> transposed = new OnDemand<>();
    private final OnDemand<Csc> symmetrized;
    private volatile GraphDepth depth;

    Csc(int vertexCount, long[] columnPointers, IntPages rowIndices, boolean symmetric) {
        this(vertexCount, columnPointers, rowIndices, symmetric, new OnDemand<>());
    }

    private Csc(
            int vertexCount, long[] columnPointers, IntPages rowIndices, boolean symmetric, OnDemand<Csc> symmetrized) {
        this.vertexCount = vertexCount;
        this.columnPointers = columnPointers;
        this.rowIndices = rowIndices;
        this.symmetric = symmetric;
        this.symmetrized = symmetrized;
    }

    /**
     * A graph of the given arrays, which are not copied and must not be changed afterwards. {@link #validate} checks
     * them.
     *
     * @param columnPointers {@code long[vertexCount + 1]}
     * @param rowIndices {@code columnPointers[vertexCount]} vertices
     * @param symmetric whether the graph contains the reverse of every edge
     */
    public static Csc of(int vertexCount, long[] columnPointers, IntPages rowIndices, boolean symmetric) {
        return new Csc(vertexCount, columnPointers, rowIndices, symmetric);
    }

    static Csc of(Entries entries, boolean symmetric) {
        return new Csc(entries.vertexCount(), entries.pointers(), entries.rows(), symmetric);
    }

    /** The entries, in the same arrays. */
    Entries entries() {
        return new Entries(columnPointers, rowIndices, List.of());
    }

    /** Number of vertices. */
    public int vertexCount() {
        return vertexCount;
    }

    /** Number of stored entries, which is the number of directed edges. */
    public long entryCount() {
        return columnPointers[vertexCount];
    }

    /** Index into {@link #rowIndices()} of the first entry of {@code column}. */
    public long columnStart(int column) {
        return columnPointers[column];
    }

    /** Index into {@link #rowIndices()} after the last entry of {@code column}. */
    public long columnEnd(int column) {
        return columnPointers[column + 1];
    }

    /** Number of entries of {@code column}: its out-degree. */
    public int degree(int column) {
        return (int) (columnPointers[column + 1] - columnPointers[column]);
    }

    /** {@code long[vertexCount + 1]}, the array itself: read only. */
    public long[] columnPointers() {
        return columnPointers;
    }

    /** The row indices themselves: read only. */
    public IntPages rowIndices() {
        return rowIndices;
    }

    /**
     * Whether the graph is known to contain the reverse of every edge: it was built so, or {@link #transposed} or
     * {@link #symmetric} has detected it.
     */
    public boolean isSymmetric() {
        return symmetric || transposed.peek() == this || symmetrized.peek() == this;
    }

    /**
     * Whether searches along the edges have few or many levels. Found at the first call and kept.
     *
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public GraphDepth depth(Stop stop) {
        GraphDepth known = depth;
        if (known == null) {
            // threads that find it at the same time find the same
            known = GraphDepth.of(this, stop);
            depth = known;
        }
        return known;
    }

    /**
     * The graph with every edge reversed; this graph itself if it is symmetric, even if that is detected only now.
     * Built at the first call and kept.
     *
     * @throws io.proxima.concurrent.StoppedException if the stop was requested; nothing is kept then
     */
    public Csc transposed(int concurrency, Stop stop) {
        if (symmetric) {
            return this;
        }
        return transposed.get(stop, () -> {
            if (isSymmetric()) {
                return this;
            }
            Csc reversed = oriented(Orientation.REVERSE, concurrency, stop);
            if (hasEntriesOf(reversed, concurrency, stop)) {
                return this;
            }
            // a graph and its transposed form have the same symmetric form
            Csc other = new Csc(vertexCount, reversed.columnPointers, reversed.rowIndices, false, symmetrized);
            other.transposed.put(this);
            return other;
        });
    }

    /**
     * The graph with the reverse of every edge added; this graph itself if it is symmetric. Built at the first call and
     * kept.
     *
     * @throws io.proxima.concurrent.StoppedException if the stop was requested; nothing is kept then
     */
    public Csc symmetric(int concurrency, Stop stop) {
        if (symmetric) {
            return this;
        }
        return symmetrized.get(stop, () -> {
            if (isSymmetric()) {
                return this;
            }
            Csc both = oriented(Orientation.UNDIRECTED, concurrency, stop);
            return hasEntriesOf(both, concurrency, stop) ? this : both;
        });
    }

    /**
     * The graph with its vertices renumbered; it is marked symmetric if this one is.
     *
     * @param oldVertex {@code int[vertexCount]}: the old number of each new vertex; a bijection
     * @param newVertex {@code int[vertexCount]}: the inverse of {@code oldVertex}
     * @throws io.proxima.concurrent.StoppedException if the stop was requested; nothing stays allocated then
     */
    public Csc relabelled(int[] oldVertex, int[] newVertex, int concurrency, Stop stop) {
        return of(CscOperations.relabelled(entries(), oldVertex, newVertex, concurrency, stop), isSymmetric());
    }

    private boolean hasEntriesOf(Csc other, int concurrency, Stop stop) {
        if (entryCount() != other.entryCount()) {
            return false;
        }
        AtomicBoolean equal = new AtomicBoolean(true);
        Workers.forRanges(concurrency, vertexCount, COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            int first = (int) from;
            int last = (int) to;
            if (equal.get()
                    && !(Arrays.equals(columnPointers, first, last, other.columnPointers, first, last)
                            && hasEntriesOf(other, columnPointers[first], columnPointers[last], equal, stop))) {
                equal.set(false);
            }
        });
        return equal.get();
    }

    /** Whether the entries {@code from} to {@code to - 1} are those of the other graph, whose pages are as long. */
    private boolean hasEntriesOf(Csc other, long from, long to, AtomicBoolean wanted, Stop stop) {
        int mask = rowIndices.pageMask();
        long index = from;
        while (index < to && wanted.get()) {
            stop.check();
            int[] page = rowIndices.pageOf(index);
            int first = (int) (index & mask);
            int last = (int) Math.min(first + Math.min(to - index, ENTRIES_PER_STOP_CHECK), page.length);
            if (!Arrays.equals(page, first, last, other.rowIndices.pageOf(index), first, last)) {
                return false;
            }
            index += last - first;
        }
        return true;
    }

    private Csc oriented(Orientation orientation, int concurrency, Stop stop) {
        CscBuilder builder =
                new CscBuilder(vertexCount, orientation, List.of(), concurrency, entryCount(), rowIndices.pageShift());
        Workers.forRanges(
                concurrency,
                vertexCount,
                COLUMNS_AT_ONCE,
                stop,
                (worker, from, to) -> addColumns(builder.buffer(worker), (int) from, (int) to, stop));
        return builder.build(concurrency, stop);
    }

    private void addColumns(CscBuilder.EdgeBuffer edges, int from, int to, Stop stop) {
        int mask = rowIndices.pageMask();
        for (int column = from; column < to; column++) {
            long index = columnPointers[column];
            long end = columnPointers[column + 1];
            while (index < end) {
                int[] page = rowIndices.pageOf(index);
                int first = (int) (index & mask);
                int last = (int) Math.min(first + Math.min(end - index, ENTRIES_PER_STOP_CHECK), page.length);
                for (int i = first; i < last; i++) {
                    edges.add(column, page[i]);
                }
                index += last - first;
                if (last - first == ENTRIES_PER_STOP_CHECK) {
                    stop.check();
                }
            }
        }
    }

    /** Bytes of the arrays of this form and of the forms derived so far. */
    public long bytes() {
        return heapParts().stream().mapToLong(HeapPart::bytes).sum();
    }

    /** The existing forms: this one and those derived so far. */
    List<HeapPart> heapParts() {
        return Stream.of(this, transposed.peek(), symmetrized.peek())
                .filter(Objects::nonNull)
                .distinct()
                .map(form -> new HeapPart(form.columnPointers, form.ownBytes()))
                .toList();
    }

    /**
     * Bytes of a graph of the given size, without building it: 8 for each vertex, 8 more, and 4 for each entry.
     *
     * @param vertexCount number of vertices
     * @param entryCount number of directed edges
     */
    public static long bytes(long vertexCount, long entryCount) {
        return (vertexCount + 1) * Long.BYTES + entryCount * Integer.BYTES;
    }

    /** Whether {@link #transposed} returns without building anything. */
    public boolean hasTransposed() {
        return symmetric || transposed.peek() != null;
    }

    private long ownBytes() {
        return (long) columnPointers.length * Long.BYTES + rowIndices.bytes();
    }

    /**
     * Checks every invariant of the class comment; for a graph known to be symmetric, also that every edge has its
     * reverse.
     *
     * @throws IllegalStateException for the first violated invariant, with the column
     */
    public void validate() {
        validate(1, Stop.NEVER);
    }

    /**
     * Like {@link #validate()}, on several threads.
     *
     * @throws IllegalStateException for a violated invariant, with the column
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public void validate(int concurrency, Stop stop) {
        validatePointers(columnPointers, vertexCount, rowIndices.length(), stop);
        Workers.forRanges(concurrency, vertexCount, COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            PacedStop paced = new PacedStop(stop);
            for (int column = (int) from; column < to; column++) {
                validateColumn(column, paced);
            }
        });
    }

    /** Checks column pointers, so that every index of a column is an index of the row indices. */
    static void validatePointers(long[] columnPointers, int vertexCount, long rows, Stop stop) {
        if (columnPointers.length != vertexCount + 1L || columnPointers[0] != 0) {
            throw new IllegalStateException("column pointers must be vertexCount + 1 and begin with 0: vertexCount="
                    + vertexCount + ", length=" + columnPointers.length + ", first=" + columnPointers[0]);
        }
        PacedStop paced = new PacedStop(stop);
        for (int column = 0; column < vertexCount; column++) {
            paced.worked(1);
            if (columnPointers[column] > columnPointers[column + 1]) {
                throw new IllegalStateException("column pointers must not decrease: column=" + column + ", start="
                        + columnPointers[column] + ", end=" + columnPointers[column + 1]);
            }
        }
        if (columnPointers[vertexCount] != rows) {
            throw new IllegalStateException("the last column pointer must be the number of row indices: last="
                    + columnPointers[vertexCount] + ", rowIndices=" + rows);
        }
    }

    private void validateColumn(int column, PacedStop paced) {
        int previous = -1;
        for (long index = columnPointers[column]; index < columnPointers[column + 1]; index++) {
            paced.worked(symmetric ? Integer.SIZE : 1);
            int row = rowIndices.get(index);
            if (row <= previous || row >= vertexCount) {
                throw new IllegalStateException(
                        "row indices must ascend without repeats within 0 to " + (vertexCount - 1) + ": column="
                                + column + ", index=" + index + ", row=" + row + ", previous=" + previous);
            }
            if (row == column) {
                throw new IllegalStateException("a column must not list itself: column=" + column + ", index=" + index);
            }
            if (symmetric && !hasEdge(row, column)) {
                throw new IllegalStateException(
                        "a symmetric graph must have every edge's reverse: column=" + column + ", row=" + row);
            }
            previous = row;
        }
    }

    /** Whether there is an edge from {@code source} to {@code target}, in time logarithmic in the degree. */
    public boolean hasEdge(int source, int target) {
        long low = columnPointers[source];
        long high = columnPointers[source + 1] - 1;
        while (low <= high) {
            long middle = (low + high) >>> 1;
            int found = rowIndices.get(middle);
            if (found == target) {
                return true;
            }
            if (found < target) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return false;
    }
}

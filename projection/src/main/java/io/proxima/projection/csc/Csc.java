// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * A directed graph as compressed sparse columns of its adjacency matrix A, A[i][j] = 1 iff there is an edge j to i:
 * column j lists the targets of the edges of j, in ascending order, without duplicates and without j itself.
 * Immutable and thread-safe once built. Memory: 8 bytes for each vertex and 4 bytes for each entry, see {@link
 * #bytes()}.
 * The transposed form, once built, takes as much again (nothing for a symmetric graph).
 */
public final class Csc extends Columns {

    /** The maximum number of vertices: vertices are ints, and the JVM must allow an array of vertexCount + 1. */
    public static final int MAX_VERTICES = Integer.MAX_VALUE - 8;

    private final boolean symmetric;
    private final OnDemand<Csc> transposed = new OnDemand<>();
    private final OnDemand<GraphDepth> depth = new OnDemand<>();

    /**
     * A graph of the given arrays, which are not copied and must not be changed afterwards. {@link #validate} checks
     * them.
     *
     * @param columnPointers {@code long[vertexCount + 1]}
     * @param rowIndices {@code columnPointers[vertexCount]} vertices
     * @param symmetric whether the graph contains the reverse of every edge
     */
    public Csc(long[] columnPointers, IntPages rowIndices, boolean symmetric) {
        super(columnPointers, rowIndices, List.of());
        this.symmetric = symmetric;
    }

    /** A graph of entries, in the same arrays. */
    public Csc(Columns entries, boolean symmetric) {
        this(entries.columnPointers(), entries.rowIndices(), symmetric);
    }

    /**
     * Whether the graph is known to contain the reverse of every edge: it was built so, or {@link #transposed} has
     * detected it.
     */
    public boolean isSymmetric() {
        return symmetric || transposed.peek() == this;
    }

    /**
     * Whether searches along the edges have few or many levels. Found at the first call and kept.
     *
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public GraphDepth depth(Stop stop) {
        return depth.get(stop, () -> GraphDepth.of(this, stop));
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
            Csc reversed = reversed(concurrency, stop);
            if (hasEntriesOf(reversed, concurrency, stop)) {
                return this;
            }
            reversed.transposed.put(this);
            return reversed;
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
        return new Csc(CscOperations.relabelled(this, oldVertex, newVertex, concurrency, stop), isSymmetric());
    }

    /**
     * The same arrays, marked symmetric if the graph contains the reverse of every edge. Each is looked up, in time
     * logarithmic in the degree.
     *
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public Csc markedIfSymmetric(int concurrency, Stop stop) {
        AtomicBoolean all = new AtomicBoolean(true);
        Workers.forRanges(concurrency, vertexCount(), COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            PacedStop paced = new PacedStop(stop);
            for (int column = (int) from; column < to && all.get(); column++) {
                for (long index = columnStart(column); index < columnEnd(column); index++) {
                    paced.worked(Integer.SIZE);
                    if (!hasEdge(rowIndices().get(index), column)) {
                        all.set(false);
                        break;
                    }
                }
            }
        });
        return all.get() ? new Csc(this, true) : this;
    }

    private boolean hasEntriesOf(Csc other, int concurrency, Stop stop) {
        long[] pointers = columnPointers();
        AtomicBoolean equal = new AtomicBoolean(entryCount() == other.entryCount());
        Workers.forRanges(concurrency, vertexCount(), COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            int first = (int) from;
            int last = (int) to;
            if (!Arrays.equals(pointers, first, last, other.columnPointers(), first, last)) {
                equal.set(false);
            }
            if (equal.get()) {
                rowIndices().forParts(pointers[first], pointers[last], stop, (page, at, index, count) -> {
                    int[] same = other.rowIndices().pageOf(index);
                    if (!Arrays.equals(page, at, at + count, same, at, at + count)) {
                        equal.set(false);
                    }
                });
            }
        });
        return equal.get();
    }

    private Csc reversed(int concurrency, Stop stop) {
        CscBuilder builder = new CscBuilder(
                vertexCount(),
                Orientation.REVERSE,
                List.of(),
                concurrency,
                entryCount(),
                rowIndices().pageShift());
        long[] pointers = columnPointers();
        Workers.forRanges(concurrency, vertexCount(), COLUMNS_AT_ONCE, stop, (worker, from, to) -> {
            CscBuilder.EdgeBuffer edges = builder.buffer(worker);
            int[] column = {(int) from};
            rowIndices().forParts(pointers[(int) from], pointers[(int) to], stop, (page, at, index, count) -> {
                int current = column[0];
                for (int i = 0; i < count; ) {
                    while (index + i >= pointers[current + 1]) {
                        current++;
                    }
                    for (int end = (int) Math.min(count, pointers[current + 1] - index); i < end; i++) {
                        edges.add(current, page[at + i]);
                    }
                }
                column[0] = current;
            });
        });
        return builder.build(concurrency, stop);
    }

    /** Bytes of the arrays of this form and of the transposed form, if it exists. */
    public long bytes() {
        return heapParts().stream().mapToLong(HeapPart::bytes).sum();
    }

    /** The existing forms: this one, and the transposed form if it exists. */
    public List<HeapPart> heapParts() {
        return Stream.of(this, transposed.peek())
                .filter(Objects::nonNull)
                .distinct()
                .map(form -> new HeapPart(form.columnPointers(), bytes(form.vertexCount(), form.entryCount())))
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

    /**
     * Heap that {@link #transposed} takes while it builds, the new graph included.
     *
     * @param entryCount number of directed edges
     */
    public static MemoryTree transposingMemory(int vertexCount, long entryCount, int concurrency) {
        return CscBuilder.memory(vertexCount, Orientation.REVERSE, concurrency, entryCount, 0)
                .built();
    }

    /** Whether {@link #transposed} returns without building anything. */
    public boolean hasTransposed() {
        return symmetric || transposed.peek() != null;
    }

    @Override
    void validateColumn(int column, PacedStop paced) {
        int previous = -1;
        for (long index = columnStart(column); index < columnEnd(column); index++) {
            paced.worked(symmetric ? Integer.SIZE : 1);
            int row = rowIndices().get(index);
            if (row <= previous || row >= vertexCount()) {
                throw new IllegalStateException(
                        "row indices must ascend without repeats within 0 to " + (vertexCount() - 1) + ": column="
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
        long low = columnStart(source);
        long high = columnEnd(source) - 1;
        while (low <= high) {
            long middle = (low + high) >>> 1;
            int found = rowIndices().get(middle);
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

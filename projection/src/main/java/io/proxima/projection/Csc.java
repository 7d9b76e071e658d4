/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.projection;

import io.proxima.concurrent.Stop;

/**
 * A directed graph as compressed sparse columns of its adjacency matrix A, A[i][j] = 1 iff there is an edge j to i:
 * column j lists the vertices that j has an edge to, in ascending order, without repeats and without j itself.
 *
 * <ul>
 *   <li>columnPointers: {@code long[vertexCount + 1]}, non-decreasing, first 0, last {@code entryCount}; host
 *   <li>rowIndices: {@code entryCount} vertices, 0 to vertexCount - 1; host, paged so that more than 2^31 fit
 * </ul>
 *
 * Immutable and thread-safe once built. Memory: 8 bytes a vertex and 4 bytes an entry, see {@link #bytes()}; the
 * transposed form, once asked for, as much again (nothing for a symmetric graph).
 */
public final class Csc {

    /** The most vertices a graph can have: vertices are ints, and an array of vertexCount + 1 must be allowed by the JVM. */
    public static final int MAX_VERTICES = Integer.MAX_VALUE - 8;

    private final int vertexCount;
    private final long[] columnPointers;
    private final IntPages rowIndices;
    private final boolean symmetric;

    Csc(int vertexCount, long[] columnPointers, IntPages rowIndices, boolean symmetric) {
        this.vertexCount = vertexCount;
        this.columnPointers = columnPointers;
        this.rowIndices = rowIndices;
        this.symmetric = symmetric;
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

    /** Whether the graph is known to have, with every edge, its reverse. */
    public boolean isSymmetric() {
        return symmetric;
    }

    /**
     * The graph with every edge reversed; this graph itself if it is symmetric. Made at the first call and kept.
     *
     * @throws io.proxima.concurrent.StoppedException if the stop was requested; nothing is kept then
     */
    public Csc transposed(int concurrency, Stop stop) {
        throw new UnsupportedOperationException();
    }

    /**
     * The graph with, for every edge, its reverse added; this graph itself if it is symmetric. Made at the first call
     * and kept.
     *
     * @throws io.proxima.concurrent.StoppedException if the stop was requested; nothing is kept then
     */
    public Csc symmetric(int concurrency, Stop stop) {
        throw new UnsupportedOperationException();
    }

    /** Bytes of the arrays of this form and of the forms derived so far. */
    public long bytes() {
        throw new UnsupportedOperationException();
    }

    /**
     * Checks every invariant of the class comment.
     *
     * @throws IllegalStateException naming the first that does not hold, with the column
     */
    public void validate() {
        throw new UnsupportedOperationException();
    }
}

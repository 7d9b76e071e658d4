// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bvss;

import io.proxima.projection.IntPages;

/**
 * A directed graph as binarized virtual slice sets (BVSS), after Elbek and Kaya, arXiv:2606.05081, section 3.1, in
 * their terms. {@link BvssLayout} has a diagram and the offsets.
 *
 * <ul>
 *   <li>realPtrs: {@code int[sliceSetCount + 1]}, virtual slice sets; those of slice set s are realPtrs[s] (inclusive)
 *       to realPtrs[s + 1] (exclusive), none for a set without slices; non-decreasing, first 0, last
 *       {@code virtualSliceSetCount}
 *   <li>virtualToReal: {@code int[virtualSliceSetCount]}, the slice set of each virtual slice set
 *   <li>rowIds: {@code virtualSliceSetCount * 128} rows, ascending and without repeats along the slices of a slice set;
 *       {@link BvssLayout#PADDING_ROW} in padding
 *   <li>masks: {@code virtualSliceSetCount * 32} words of four masks; zero in padding, never zero for a slice, and
 *       without the bits of columns from vertexCount on
 * </ul>
 *
 * All arrays are on the host. Rows and columns are in the id space of the CSC from which the BVSS was built: slots, or
 * vertices if no order was applied. Like a {@link io.proxima.projection.Csc}, it has no loops.
 *
 * <p>Immutable and thread-safe. Memory: 4 bytes for each slice set and 644 bytes for each virtual slice set, see {@link
 * #bytes()}.
 * Limits: those of {@link io.proxima.projection.Csc} and {@link BvssLayout#MAX_VIRTUAL_SLICE_SETS}.
 */
public final class Bvss {

    private final int vertexCount;
    private final int[] realPtrs;
    private final int[] virtualToReal;
    private final IntPages rowIds;
    private final IntPages masks;
    private final long sliceCount;
    private final long entryCount;

    Bvss(
            int vertexCount,
            int[] realPtrs,
            int[] virtualToReal,
            IntPages rowIds,
            IntPages masks,
            long sliceCount,
            long entryCount) {
        this.vertexCount = vertexCount;
        this.realPtrs = realPtrs;
        this.virtualToReal = virtualToReal;
        this.rowIds = rowIds;
        this.masks = masks;
        this.sliceCount = sliceCount;
        this.entryCount = entryCount;
    }

    /** Number of vertices: of rows and of columns. */
    public int vertexCount() {
        return vertexCount;
    }

    /** Number of slice sets, sets without slices counted. */
    public int sliceSetCount() {
        return realPtrs.length - 1;
    }

    /** Number of virtual slice sets. */
    public int virtualSliceSetCount() {
        return virtualToReal.length;
    }

    /** Number of slices, padding not counted. */
    public long sliceCount() {
        return sliceCount;
    }

    /** Number of bits set in the masks, which is the number of directed edges. */
    public long entryCount() {
        return entryCount;
    }

    /** {@code int[sliceSetCount + 1]}, the array itself: read only. */
    public int[] realPtrs() {
        return realPtrs;
    }

    /** {@code int[virtualSliceSetCount]}, the array itself: read only. */
    public int[] virtualToReal() {
        return virtualToReal;
    }

    /** The row ids themselves: read only. */
    public IntPages rowIds() {
        return rowIds;
    }

    /** The mask words themselves: read only. */
    public IntPages masks() {
        return masks;
    }

    /** Bytes of the four arrays. */
    public long bytes() {
        return Integer.BYTES * ((long) realPtrs.length + virtualToReal.length) + rowIds.bytes() + masks.bytes();
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bvss;

import static io.proxima.backend.bvss.BvssLayout.SLICE_SIZE;
import static io.proxima.backend.bvss.BvssLayout.VSS_MASK_WORDS;
import static io.proxima.backend.bvss.BvssLayout.VSS_SLICES;

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

    /**
     * The share of mask bits that are set, over all slices: the effective compression ratio of section 4.1, without
     * padding.
     *
     * @return above 0 and at most 1; NaN for a graph without edges
     */
    public double compressionRatio() {
        return entryCount / ((double) SLICE_SIZE * sliceCount);
    }

    /**
     * Checks every invariant of the class comment, in time linear in the arrays.
     *
     * @throws IllegalStateException naming the first that does not hold, with the place and the values
     */
    public void validate() {
        checkShape();
        checkPointers();
        long slices = 0;
        long entries = 0;
        for (int set = 0; set < sliceSetCount(); set++) {
            int lastRow = -1;
            for (int vss = realPtrs[set]; vss < realPtrs[set + 1]; vss++) {
                boolean mayBePadded = vss == realPtrs[set + 1] - 1;
                int held = checkSlices(set, vss, lastRow);
                if (held == 0) {
                    throw broken("no virtual slice set is without slices", "vss=" + vss + ", sliceSet=" + set);
                }
                if (held < VSS_SLICES && !mayBePadded) {
                    throw broken(
                            "only the last virtual slice set of a slice set is padded",
                            "vss=" + vss + ", sliceSet=" + set + ", slices=" + held);
                }
                lastRow = rowIds.get(BvssLayout.rowIdIndex(vss, held - 1));
                slices += held;
                entries += bitsSet(vss);
            }
        }
        if (slices != sliceCount) {
            throw broken("sliceCount is the number of slices", "sliceCount=" + sliceCount + ", slices=" + slices);
        }
        if (entries != entryCount) {
            throw broken("entryCount is the number of mask bits", "entryCount=" + entryCount + ", bits=" + entries);
        }
    }

    private void checkShape() {
        int sliceSets = BvssLayout.sliceSetCount(vertexCount);
        if (realPtrs.length != sliceSets + 1) {
            throw broken(
                    "realPtrs has one entry a slice set and one more",
                    "length=" + realPtrs.length + ", vertexCount=" + vertexCount + ", sliceSets=" + sliceSets);
        }
        if (rowIds.length() != (long) virtualToReal.length * VSS_SLICES) {
            throw broken(
                    "rowIds has " + VSS_SLICES + " entries a virtual slice set",
                    "length=" + rowIds.length() + ", virtualSliceSets=" + virtualToReal.length);
        }
        if (masks.length() != (long) virtualToReal.length * VSS_MASK_WORDS) {
            throw broken(
                    "masks has " + VSS_MASK_WORDS + " words a virtual slice set",
                    "length=" + masks.length() + ", virtualSliceSets=" + virtualToReal.length);
        }
    }

    private void checkPointers() {
        if (realPtrs[0] != 0) {
            throw broken("realPtrs begins with 0", "realPtrs[0]=" + realPtrs[0]);
        }
        for (int set = 0; set < sliceSetCount(); set++) {
            if (realPtrs[set + 1] < realPtrs[set]) {
                throw broken(
                        "realPtrs does not decrease",
                        "sliceSet=" + set + ", from=" + realPtrs[set] + ", to=" + realPtrs[set + 1]);
            }
        }
        if (realPtrs[sliceSetCount()] != virtualToReal.length) {
            throw broken(
                    "realPtrs ends with the number of virtual slice sets",
                    "last=" + realPtrs[sliceSetCount()] + ", virtualSliceSets=" + virtualToReal.length);
        }
        for (int set = 0; set < sliceSetCount(); set++) {
            for (int vss = realPtrs[set]; vss < realPtrs[set + 1]; vss++) {
                if (virtualToReal[vss] != set) {
                    throw broken(
                            "virtualToReal is the inverse of realPtrs",
                            "vss=" + vss + ", virtualToReal=" + virtualToReal[vss] + ", sliceSet=" + set);
                }
            }
        }
    }

    /** Checks the slices and the padding of one virtual slice set and returns how many slices it holds. */
    private int checkSlices(int set, int vss, int rowBefore) {
        int columns = Math.min(SLICE_SIZE, vertexCount - BvssLayout.firstColumn(set));
        int held = 0;
        int lastRow = rowBefore;
        for (int slice = 0; slice < VSS_SLICES; slice++) {
            int mask = mask(vss, slice);
            int row = rowIds.get(BvssLayout.rowIdIndex(vss, slice));
            if (mask == 0) {
                if (row != BvssLayout.PADDING_ROW) {
                    throw broken("a slice without bits is padding and has the padding row", place(vss, slice, row, 0));
                }
                continue;
            }
            if (slice != held) {
                throw broken("padding comes after the slices", place(vss, slice, row, mask));
            }
            if (row < 0 || row >= vertexCount) {
                throw broken("row ids are vertices", place(vss, slice, row, mask) + ", vertexCount=" + vertexCount);
            }
            if (row <= lastRow) {
                throw broken(
                        "row ids ascend without repeats within a slice set",
                        place(vss, slice, row, mask) + ", rowBefore=" + lastRow);
            }
            if (mask >>> columns != 0) {
                throw broken(
                        "masks have no bits of columns from vertexCount on",
                        place(vss, slice, row, mask) + ", vertexCount=" + vertexCount);
            }
            if (BvssLayout.sliceSet(row) == set && (mask >>> BvssLayout.columnBit(row) & 1) != 0) {
                throw broken("there is no loop", place(vss, slice, row, mask));
            }
            lastRow = row;
            held++;
        }
        return held;
    }

    /**
     * The mask of a slice, 0 for padding.
     *
     * @param vss virtual slice set
     * @param slice slice within it, 0 to 127
     */
    public int mask(int vss, int slice) {
        int word = masks.get(BvssLayout.maskWordIndex(vss, slice));
        return word >>> BvssLayout.maskShift(slice) & (1 << SLICE_SIZE) - 1;
    }

    private long bitsSet(int vss) {
        long bits = 0;
        long first = BvssLayout.maskWordIndex(vss, 0);
        for (long word = first; word < first + VSS_MASK_WORDS; word++) {
            bits += Integer.bitCount(masks.get(word));
        }
        return bits;
    }

    private static String place(int vss, int slice, int row, int mask) {
        return "vss=" + vss + ", slice=" + slice + ", row=" + row + ", mask=0x" + Integer.toHexString(mask);
    }

    private static IllegalStateException broken(String invariant, String values) {
        return new IllegalStateException("BVSS invariant \"" + invariant + "\" does not hold: " + values);
    }
}

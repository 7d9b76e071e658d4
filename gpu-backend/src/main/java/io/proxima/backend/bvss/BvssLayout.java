// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bvss;

/**
 * The memory layout of binarized virtual slice sets (BVSS): constants and offset functions, no state. Elbek and Kaya,
 * arXiv:2606.05081, section 3.1, with sigma = 8; the mapping on tensor cores is section 5.1.
 *
 * <p>A slice set covers {@link #SLICE_SIZE} consecutive columns; a slice is one row with an edge from any of them: its
 * row id and a mask of {@link #SLICE_SIZE} bits. The slices of a set, in ascending order of their rows, are cut into
 * virtual slice sets (VSS) of {@link #VSS_SLICES} slices, the work of one warp. Only the last VSS of a set is padded:
 *
 * <pre>
 *   rowIds, int                one VSS = 128 entries = 512 bytes
 *   +-------------------+-------------------+-----+-----------------------+
 *   | lane 0            | lane 1            |     | lane 31               |
 *   |  r0   r1   r2   r3|  r4   r5   r6   r7| ... | r124 r125  r126  r127 |   one 128-bit load a lane
 *   +-------------------+-------------------+-----+-----------------------+
 *   ^ rowIdIndex(v, 0) = 128 v
 *
 *   masks, int                 one VSS = 32 words = 128 bytes
 *   +-------------------+-------------------+-----+-----------------------+
 *   | lane 0            | lane 1            |     | lane 31               |   one 32-bit load a lane
 *   | m3 | m2 | m1 | m0 | m7 | m6 | m5 | m4 | ... | m127|m126|m125|m124   |   bits 31 on the left, 0 on the right
 *   +-------------------+-------------------+-----+-----------------------+
 *   ^ maskWordIndex(v, 0) = 32 v
 *     \ 2nd MMA/\ 1st MMA/    low 16 bits of every word: first m8n8k128; high 16 bits: second
 *
 *   bit b of mask m of slice set s is set  iff  there is an edge from column 8 s + b to the slice's row
 * </pre>
 *
 * Words are little-endian in memory, so the mask of slice i of VSS v is also byte 128 v + i of the masks.
 *
 * <p>Rows and columns are in the id space of the CSC from which the structure was built: slots, or vertices if no order was
 * applied.
 */
public final class BvssLayout {

    /** Columns of a slice set and bits of a mask: sigma in the paper. */
    public static final int SLICE_SIZE = 8;

    /** Lanes of a warp. */
    public static final int WARP_SIZE = 32;

    /** Slices that one lane handles and masks in one mask word: theta in the paper. */
    public static final int SLICES_PER_THREAD = Integer.SIZE / SLICE_SIZE;

    /** Slices of a virtual slice set, padding included: tau in the paper. */
    public static final int VSS_SLICES = WARP_SIZE * SLICES_PER_THREAD;

    /** Mask words of a virtual slice set, padding included: one a lane. */
    public static final int VSS_MASK_WORDS = VSS_SLICES / SLICES_PER_THREAD;

    /**
     * The row id of padding slices. Every graph with a slice has a row 0, so a kernel may load the state of any row id
     * before it reads the mask. All padding reads the same address, which is one cache line for the whole graph. The mask
     * distinguishes padding from slices: it is zero for padding and never for a slice.
     */
    public static final int PADDING_ROW = 0;

    /** The most virtual slice sets a graph can have: their numbers are ints that index a Java array. */
    public static final int MAX_VIRTUAL_SLICE_SETS = Integer.MAX_VALUE - 8;

    private static final int SLICE_SIZE_SHIFT = Integer.numberOfTrailingZeros(SLICE_SIZE);
    private static final int VSS_SLICES_SHIFT = Integer.numberOfTrailingZeros(VSS_SLICES);
    private static final int VSS_MASK_WORDS_SHIFT = Integer.numberOfTrailingZeros(VSS_MASK_WORDS);
    private static final int SLICES_PER_THREAD_SHIFT = Integer.numberOfTrailingZeros(SLICES_PER_THREAD);

    private BvssLayout() {}

    /** Number of slice sets that cover {@code vertexCount} columns, sets without slices counted. */
    public static int sliceSetCount(int vertexCount) {
        return (int) (((long) vertexCount + SLICE_SIZE - 1) >>> SLICE_SIZE_SHIFT);
    }

    /** The column that bit 0 of the masks of {@code sliceSet} stands for. */
    public static int firstColumn(int sliceSet) {
        return sliceSet << SLICE_SIZE_SHIFT;
    }

    /** Number of virtual slice sets that hold the {@code slices} slices of one slice set. */
    public static int virtualSliceSetCount(int slices) {
        return (int) (((long) slices + VSS_SLICES - 1) >>> VSS_SLICES_SHIFT);
    }

    /**
     * Index into rowIds.
     *
     * @param vss virtual slice set
     * @param slice slice within it, 0 to VSS_SLICES - 1
     */
    public static long rowIdIndex(int vss, int slice) {
        return ((long) vss << VSS_SLICES_SHIFT) + slice;
    }

    /**
     * Index into masks of the word that holds a slice's mask.
     *
     * @param vss virtual slice set
     * @param slice slice within it, 0 to VSS_SLICES - 1
     */
    public static long maskWordIndex(int vss, int slice) {
        return ((long) vss << VSS_MASK_WORDS_SHIFT) + lane(slice);
    }

    /** The lowest bit of a slice's mask within its word: 0, 8, 16 or 24. */
    public static int maskShift(int slice) {
        return (slice & (SLICES_PER_THREAD - 1)) << SLICE_SIZE_SHIFT;
    }

    /** The lane of the warp that handles a slice, 0 to WARP_SIZE - 1. */
    public static int lane(int slice) {
        return slice >>> SLICES_PER_THREAD_SHIFT;
    }

    /** The most virtual slice sets that a graph of this shape can have: no two columns share a row. */
    public static long mostVirtualSliceSets(int vertexCount, long entryCount) {
        long sets = Math.min(sliceSetCount(vertexCount), entryCount);
        return sets + (entryCount - sets) / VSS_SLICES;
    }

    /** A lower bound of the virtual slice sets of a graph of this shape: every set is full. */
    public static long fewestVirtualSliceSets(int vertexCount, long entryCount) {
        long rows = Math.max(1, Math.min(VSS_SLICES, vertexCount - 1L));
        long full = rows * SLICE_SIZE;
        return (entryCount + full - 1) / full;
    }
}

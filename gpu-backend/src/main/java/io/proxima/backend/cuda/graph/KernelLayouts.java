// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import static io.proxima.backend.cuda.driver.KernelConstants.BIT_ALIGNMENT;

/** Sizes of arrays that several kernels lay out alike. */
public final class KernelLayouts {

    /** 64 less LONG_LIST_BITS of long_lists.cuh. */
    private static final int LONG_LIST_ENTRY_BITS = 36;

    private KernelLayouts() {}

    /**
     * Whether a queue of vertices with their entries can be counted in one word of 64 bits, by which a kernel reserves
     * room for both at once: the vertices take as many low bits as their number needs, the entries the others.
     */
    public static boolean countsInOneWord(int vertexCount, long entryCount) {
        int vertexBits = Integer.SIZE - Integer.numberOfLeadingZeros(vertexCount);
        int entryBits = Long.SIZE - Long.numberOfLeadingZeros(entryCount);
        return vertexBits + entryBits <= Long.SIZE;
    }

    /**
     * Whether the entries of all long lists of a level can be counted in the bits that long_lists.cuh has for them, in
     * one word with the number of the lists.
     */
    public static boolean countsLongLists(long entryCount) {
        return entryCount >>> LONG_LIST_ENTRY_BITS == 0;
    }

    /** The number of 32-bit words of an array with one bit for each slot: bitWords of persistent.cuh. */
    public static int bitWords(int slots) {
        return (int) ((slots + (BIT_ALIGNMENT - 1L)) / BIT_ALIGNMENT * (BIT_ALIGNMENT / Integer.SIZE));
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.device;

/**
 * The layout of several arrays in one allocation, each aligned to {@link #ALIGNMENT} bytes. Allocation and estimate use the
 * same layout.
 */
public final class ArrayLayout {

    public static final int ALIGNMENT = 256;

    /** Bytes of the control block that host and kernel share: RunControl of persistent.cuh. */
    public static final int CONTROL_BYTES = 256;

    private long bytes;

    /** Bytes of all arrays added so far. */
    public long bytes() {
        return bytes;
    }

    /** Adds an array and returns its offset. */
    public long add(long entries, int entryBytes) {
        long at = bytes;
        bytes = Math.addExact(at, bytesOf(entries, entryBytes));
        return at;
    }

    /** The bytes of an allocation with a single array. */
    public static long bytesOf(long entries, int entryBytes) {
        long length = Math.multiplyExact(entries, (long) entryBytes);
        return Math.addExact(length, ALIGNMENT - 1L) / ALIGNMENT * ALIGNMENT;
    }

    /** The number of bits of an array with one bit for each slot is a multiple of this: BIT_ALIGNMENT of persistent.cuh. */
    public static final int BIT_ALIGNMENT = 128;

    /**
     * Whether a queue of vertices with their entries can be counted in one word of 64 bits, by which a kernel reserves room for both
     * at once: the vertices take as many low bits as their number needs, the entries the others.
     */
    public static boolean countsInOneWord(int vertexCount, long entryCount) {
        int vertexBits = Integer.SIZE - Integer.numberOfLeadingZeros(vertexCount);
        int entryBits = Long.SIZE - Long.numberOfLeadingZeros(entryCount);
        return vertexBits + entryBits <= Long.SIZE;
    }

    /** The number of 32-bit words of an array with one bit for each slot: bitWords of persistent.cuh. */
    public static int bitWords(int slots) {
        return (int) ((slots + BIT_ALIGNMENT - 1L) / BIT_ALIGNMENT * (BIT_ALIGNMENT / Integer.SIZE));
    }
}

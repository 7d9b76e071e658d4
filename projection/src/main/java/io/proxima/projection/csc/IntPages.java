// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

/** An array of {@code int} with 64-bit indices. */
public final class IntPages extends Pages<int[]> {

    private IntPages(int[][] pages, long length, int pageShift) {
        super(pages, length, pageShift, Integer.BYTES);
    }

    /**
     * Allocates {@code length} zeros.
     *
     * @param length number of entries, at least 0
     * @param pageShift pages hold 2^pageShift entries, 0 to 30
     * @return the pages
     */
    public static IntPages allocate(long length, int pageShift) {
        return new IntPages(allocate(int[][]::new, int[]::new, length, pageShift), length, pageShift);
    }

    /** Wraps an array that is the whole content; the array is not copied. */
    public static IntPages ofArray(int[] entries) {
        return new IntPages(new int[][] {entries}, entries.length, 30);
    }

    /** The entry at {@code index}. */
    public int get(long index) {
        return pageOf(index)[(int) (index & pageMask())];
    }

    /** Sets the entry at {@code index}; only the builder that owns these pages may. */
    public void set(long index, int value) {
        pageOf(index)[(int) (index & pageMask())] = value;
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

/** An array of {@code double} with 64-bit indices. */
public final class DoublePages extends Pages<double[]> {

    private DoublePages(double[][] pages, long length, int pageShift) {
        super(pages, length, pageShift, Double.BYTES);
    }

    /**
     * Allocates {@code length} zeros.
     *
     * @param length number of entries, at least 0
     * @param pageShift pages hold 2^pageShift entries, 0 to 30
     * @return the pages
     */
    public static DoublePages allocate(long length, int pageShift) {
        return new DoublePages(allocate(double[][]::new, double[]::new, length, pageShift), length, pageShift);
    }

    /** Wraps an array that is the whole content; the array is not copied. */
    static DoublePages ofArray(double[] entries) {
        return new DoublePages(new double[][] {entries}, entries.length, 30);
    }

    /** The entry at {@code index}. */
    public double get(long index) {
        return pageOf(index)[(int) (index & pageMask())];
    }

    /** Sets the entry at {@code index}; only the builder that owns these pages may. */
    public void set(long index, double value) {
        pageOf(index)[(int) (index & pageMask())] = value;
    }
}

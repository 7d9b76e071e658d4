// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

/** An array of {@code double} with 64-bit indices, in pages as {@link IntPages}. */
public final class DoublePages {

    private final double[][] pages;
    private final long length;
    private final int pageShift;

    private DoublePages(double[][] pages, long length, int pageShift) {
        this.pages = pages;
        this.length = length;
        this.pageShift = pageShift;
    }

    /**
     * Allocates {@code length} zeros.
     *
     * @param length number of entries, at least 0
     * @param pageShift pages hold 2^pageShift entries, 0 to 30
     * @return the pages
     */
    public static DoublePages allocate(long length, int pageShift) {
        int pageCount = IntPages.pageCount(length, pageShift);
        double[][] pages = new double[pageCount][];
        for (int page = 0; page < pageCount; page++) {
            pages[page] = new double[(int) Math.min(1L << pageShift, length - ((long) page << pageShift))];
        }
        return new DoublePages(pages, length, pageShift);
    }

    /** Number of entries. */
    public long length() {
        return length;
    }

    /** Pages hold {@code 1 << pageShift()} entries. */
    public int pageShift() {
        return pageShift;
    }

    /** Mask that maps an index to its position within the page. */
    public int pageMask() {
        return (int) ((1L << pageShift) - 1);
    }

    /** The page that contains index {@code index}. */
    public double[] pageOf(long index) {
        return pages[(int) (index >>> pageShift)];
    }

    /** The entry at {@code index}. */
    public double get(long index) {
        return pages[(int) (index >>> pageShift)][(int) (index & pageMask())];
    }

    /** Sets the entry at {@code index}; only the builder that owns these pages may. */
    public void set(long index, double value) {
        pages[(int) (index >>> pageShift)][(int) (index & pageMask())] = value;
    }

    /** Bytes of the entries, without page headers. */
    public long bytes() {
        return length * Double.BYTES;
    }
}

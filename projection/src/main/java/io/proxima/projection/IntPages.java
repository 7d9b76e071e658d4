// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

/**
 * An array of {@code int} with 64-bit indices: pages of equal size, the last one truncated. Immutable by contract once
 * published; readers may keep a page while they iterate over it.
 *
 * <p>Index {@code i} is in page {@code i >>> pageShift()} at {@code i & pageMask()}.
 */
public final class IntPages {

    /** Page size exponent in production: 2^27 entries, 512 MiB for each page. */
    public static final int DEFAULT_PAGE_SHIFT = 27;

    private final int[][] pages;
    private final long length;
    private final int pageShift;

    private IntPages(int[][] pages, long length, int pageShift) {
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
    public static IntPages allocate(long length, int pageShift) {
        int pageCount = pageCount(length, pageShift);
        int[][] pages = new int[pageCount][];
        for (int page = 0; page < pageCount; page++) {
            pages[page] = new int[(int) Math.min(1L << pageShift, length - ((long) page << pageShift))];
        }
        return new IntPages(pages, length, pageShift);
    }

    /** The number of pages for {@code length} entries, without allocating any. */
    public static int pageCount(long length, int pageShift) {
        if (length < 0 || pageShift < 0 || pageShift > 30) {
            throw new IllegalArgumentException("no such pages: length=" + length + ", pageShift=" + pageShift);
        }
        return Math.toIntExact((length + (1L << pageShift) - 1) >>> pageShift);
    }

    /** Wraps an array that is the whole content; the array is not copied. */
    public static IntPages ofArray(int[] entries) {
        return new IntPages(new int[][] {entries}, entries.length, 30);
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

    /** The page itself, not a copy. */
    public int[] page(int page) {
        return pages[page];
    }

    /** The page that contains index {@code index}. */
    public int[] pageOf(long index) {
        return pages[(int) (index >>> pageShift)];
    }

    /** The entry at {@code index}. */
    public int get(long index) {
        return pages[(int) (index >>> pageShift)][(int) (index & pageMask())];
    }

    /** Sets the entry at {@code index}; only the builder that owns these pages may. */
    public void set(long index, int value) {
        pages[(int) (index >>> pageShift)][(int) (index & pageMask())] = value;
    }

    /** Bytes of the entries, without page headers. */
    public long bytes() {
        return length * Integer.BYTES;
    }
}

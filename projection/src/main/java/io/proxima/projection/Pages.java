// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.concurrent.Stop;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * An array with 64-bit indices: pages of equal size, the last one truncated. Immutable by contract once published; readers
 * may keep a page while they iterate over it.
 *
 * <p>Index {@code i} is in page {@code i >>> pageShift()} at {@code i & pageMask()}.
 *
 * @param <A> the type of a page: an array of primitives
 */
public abstract sealed class Pages<A> permits IntPages, DoublePages, LongPages {

    /** Page size exponent in production: 2^27 entries for each page. */
    public static final int DEFAULT_PAGE_SHIFT = 27;

    /** Entries that are copied between two stop checks. */
    private static final int COPY_LENGTH = 1 << 20;

    private final int pageShift;
    private final int width;
    private A[] pages;
    private long length;

    /** Wraps pages with {@code length} entries of {@code width} bytes. */
    Pages(A[] pages, long length, int pageShift, int width) {
        this.pages = pages;
        this.length = length;
        this.pageShift = pageShift;
        this.width = width;
    }

    static <A> A[] allocate(IntFunction<A[]> pages, IntFunction<A> page, long length, int pageShift) {
        A[] allocated = pages.apply(pageCount(length, pageShift));
        Arrays.setAll(
                allocated,
                number -> page.apply((int) Math.min(1L << pageShift, length - ((long) number << pageShift))));
        return allocated;
    }

    /** The number of pages for {@code length} entries, without allocating any. */
    public static int pageCount(long length, int pageShift) {
        if (length < 0 || pageShift < 0 || pageShift > 30) {
            throw new IllegalArgumentException("no such pages: length=" + length + ", pageShift=" + pageShift);
        }
        return Math.toIntExact((length + (1L << pageShift) - 1) >>> pageShift);
    }

    /** Number of entries. */
    public final long length() {
        return length;
    }

    /** Pages hold {@code 1 << pageShift()} entries. */
    public final int pageShift() {
        return pageShift;
    }

    /** Mask that maps an index to its position within the page. */
    public final int pageMask() {
        return (1 << pageShift) - 1;
    }

    /** The page itself, not a copy. */
    public final A page(int page) {
        return pages[page];
    }

    /** The page that contains index {@code index}. */
    public final A pageOf(long index) {
        return pages[(int) (index >>> pageShift)];
    }

    /** Bytes of the entries, without page headers. */
    public final long bytes() {
        return length * width;
    }

    /** Number of pages. */
    final int pageCount() {
        return pageCount(length, pageShift);
    }

    /** Number of entries of a page. */
    final int pageLength(int page) {
        return (int) Math.min(1L << pageShift, length - ((long) page << pageShift));
    }

    /** Counts one more entry, which was set in the last page; that page is kept when its first entry is counted. */
    final void grow(A last) {
        int number = (int) (length >>> pageShift);
        if (number == pages.length) {
            pages = Arrays.copyOf(pages, Math.max(4, 2 * number));
        }
        pages[number] = last;
        length++;
    }

    /** Frees a page that is not read again. */
    final void release(int page) {
        pages[page] = null;
    }

    /** Copies the entries from {@code start} on to an array. */
    final void get(long start, A to, int at, int count) {
        int done = 0;
        while (done < count) {
            long index = start + done;
            int inPage = (int) (index & pageMask());
            int copied = Math.min(count - done, (1 << pageShift) - inPage);
            System.arraycopy(pageOf(index), inPage, to, at + done, copied);
            done += copied;
        }
    }

    /** Sets the entries from {@code start} on to the first {@code count} elements of an array. */
    final void put(long start, A from, int count, Stop stop) {
        int done = 0;
        while (done < count) {
            stop.check();
            long index = start + done;
            int inPage = (int) (index & pageMask());
            int copied = Math.min(Math.min(count - done, (1 << pageShift) - inPage), COPY_LENGTH);
            System.arraycopy(from, done, pageOf(index), inPage, copied);
            done += copied;
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

import io.proxima.concurrent.Stop;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * An array with 64-bit indices: pages of equal size, the last one truncated. Immutable by contract once published;
 * readers may keep a page while they iterate over it.
 *
 * <p>Index {@code i} is in page {@code i >>> pageShift()} at {@code i & pageMask()}.
 *
 * @param <A> the type of a page: an array of primitives
 */
public abstract sealed class Pages<A> permits IntPages, DoublePages, LongPages {

    /** Page size exponent in production: 2^27 entries for each page. */
    public static final int DEFAULT_PAGE_SHIFT = 27;

    /** Entries between two stop checks. */
    private static final int PART_LENGTH = 1 << 17;

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
    public final int pageCount() {
        return pageCount(length, pageShift);
    }

    /** Number of entries of a page. */
    public final int pageLength(int page) {
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
    public final void release(int page) {
        pages[page] = null;
    }

    /** Copies the entries from {@code start} on to an array. */
    final void get(long start, A to, int at, int count) {
        forParts(
                start,
                start + count,
                Stop.NEVER,
                (page, from, index, length) -> System.arraycopy(page, from, to, at + (int) (index - start), length));
    }

    /** Sets the entries from {@code start} on to the first {@code count} elements of an array. */
    final void put(long start, A from, int count, Stop stop) {
        forParts(
                start,
                start + count,
                stop,
                (page, at, index, length) -> System.arraycopy(from, (int) (index - start), page, at, length));
    }

    /** Sets entries from {@code to} on to as many others from {@code start} on. */
    final void copy(Pages<A> from, long start, long to, long count, Stop stop) {
        from.forParts(
                start,
                start + count,
                stop,
                (source, place, first, length) -> forParts(
                        to + first - start,
                        to + first - start + length,
                        Stop.NEVER,
                        (page, at, index, part) ->
                                System.arraycopy(source, place + (int) (index - to - first + start), page, at, part)));
    }

    /** The work on entries that lie side by side in a page. */
    @FunctionalInterface
    public interface Part<A> {
        /**
         * Does the work.
         *
         * @param page the page itself
         * @param at the place in the page of the first entry
         * @param index the index of that entry
         * @param count number of entries
         */
        void run(A page, int at, long index, int count);
    }

    /**
     * Divides the entries {@code from} to {@code to - 1} into parts of pages, in ascending order.
     *
     * @param task does the work on each part
     * @throws io.proxima.concurrent.StoppedException if the stop was requested; it is checked before each part
     */
    public final void forParts(long from, long to, Stop stop, Part<A> task) {
        for (long index = from; index < to; ) {
            stop.check();
            int at = (int) (index & pageMask());
            int count = (int) Math.min(Math.min(to - index, PART_LENGTH), (1L << pageShift) - at);
            task.run(pageOf(index), at, index, count);
            index += count;
        }
    }
}

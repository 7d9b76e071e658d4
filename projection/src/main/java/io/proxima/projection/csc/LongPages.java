// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

import io.proxima.concurrent.Stop;
import java.util.Collection;
import java.util.function.ObjIntConsumer;

/** A growing array of {@code long}. Not thread-safe. */
public final class LongPages extends Pages<long[]> {

    /** Entries of a page. */
    public static final int PAGE_LENGTH = 1 << 13;

    /** Heap of a page. */
    public static final int PAGE_BYTES = PAGE_LENGTH * Long.BYTES;

    private long[] last;

    public LongPages() {
        super(new long[0][], 0, Integer.numberOfTrailingZeros(PAGE_LENGTH), Long.BYTES);
    }

    /** Passes each page of some lists, and the number of its entries, to a task. */
    public static void forPages(Collection<LongPages> lists, Stop stop, ObjIntConsumer<long[]> task) {
        for (LongPages list : lists) {
            list.forParts(0, list.length(), stop, (page, at, index, count) -> task.accept(page, count));
        }
    }

    public void add(long value) {
        int inPage = (int) length() & (PAGE_LENGTH - 1);
        if (inPage == 0) {
            last = new long[PAGE_LENGTH];
        }
        last[inPage] = value;
        grow(last);
    }

    public void add(long[] values, int count) {
        for (int i = 0; i < count; i++) {
            add(values[i]);
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

/** A growing array of {@code long}. Not thread-safe. */
final class LongPages extends Pages<long[]> {

    /** Entries of a page. */
    static final int PAGE_LENGTH = 1 << 13;

    /** Heap of a page. */
    static final int PAGE_BYTES = PAGE_LENGTH * Long.BYTES;

    private long[] last;

    LongPages() {
        super(new long[0][], 0, Integer.numberOfTrailingZeros(PAGE_LENGTH), Long.BYTES);
    }

    void add(long value) {
        int inPage = (int) length() & (PAGE_LENGTH - 1);
        if (inPage == 0) {
            last = new long[PAGE_LENGTH];
        }
        last[inPage] = value;
        grow(last);
    }

    void add(long[] values, int count) {
        for (int i = 0; i < count; i++) {
            add(values[i]);
        }
    }
}

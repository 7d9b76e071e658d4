// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import java.util.Arrays;

/** A growing list of ints. Not thread-safe. */
final class IntList {

    private static final int FIRST_LENGTH = 16;

    /** The elements, and unused places behind them. */
    int[] items = new int[0];

    int size;

    void add(int item) {
        if (size == items.length) {
            reserve(size + 1L);
        }
        items[size++] = item;
    }

    void addAll(IntList more) {
        reserve((long) size + more.size);
        System.arraycopy(more.items, 0, items, size, more.size);
        size += more.size;
    }

    private void reserve(long length) {
        if (length > items.length) {
            long doubled = Math.max(Math.max(FIRST_LENGTH, length), 2L * items.length);
            items = Arrays.copyOf(items, (int) Math.min(Integer.MAX_VALUE - 8, doubled));
        }
    }
}

/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.concurrent;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Minima in arrays, to which several threads contribute. */
public final class AtomicMinimum {

    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

    private AtomicMinimum() {}

    /**
     * Lowers an element to a value, unless it is as low already.
     *
     * @param none the element that stands for no value, which any value replaces
     * @return the previous element
     */
    public static int lower(int[] values, int index, int value, int none) {
        int current = (int) INTS.getOpaque(values, index);
        while (current == none || value < current) {
            int seen = (int) INTS.compareAndExchange(values, index, current, value);
            if (seen == current) {
                return seen;
            }
            current = seen;
        }
        return current;
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import java.util.function.IntFunction;

/** A row of each element of a result, in their order. */
final class VertexRows<T> extends Rows<T> {

    private final int count;
    private final IntFunction<T> row;
    private int next;

    /**
     * Creates the rows.
     *
     * @param count number of elements
     * @param row returns the row of an element; null for none
     */
    VertexRows(Caller caller, int count, IntFunction<T> row) {
        super(caller);
        this.count = count;
        this.row = row;
    }

    @Override
    protected T compute() {
        while (next < count) {
            countWork();
            T made = row.apply(next++);
            if (made != null) {
                return made;
            }
        }
        return null;
    }
}

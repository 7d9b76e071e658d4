// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

/** A row of each element of a result, in their order. */
final class VertexRows<T> extends Rows<T> {

    private final int count;
    private final RunResult.RowMaker<T> maker;
    private int next;

    /**
     * Creates the rows.
     *
     * @param count number of elements
     */
    VertexRows(Caller caller, int count, RunResult.RowMaker<T> maker) {
        super(caller);
        this.count = count;
        this.maker = maker;
    }

    @Override
    protected T compute() {
        while (next < count) {
            countWork();
            T made = maker.row(next++);
            if (made != null) {
                return made;
            }
        }
        return null;
    }

    @Override
    protected long bytes(T row) {
        return maker.bytes(row);
    }
}

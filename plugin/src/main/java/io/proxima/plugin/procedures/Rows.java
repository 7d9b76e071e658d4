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
package io.proxima.plugin.procedures;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Rows made one by one when the reader asks for them. There is no queue and no second thread, so a slow reader costs
 * nothing and nothing can be left waiting; a killed query ends at the next few rows.
 */
abstract class Rows<T> implements Iterator<T> {

    private static final int STOP_CHECK_MASK = (1 << 10) - 1;

    private final Caller caller;
    private T next;
    private boolean exhausted;
    private int asked;

    Rows(Caller caller) {
        this.caller = caller;
    }

    /** Makes the next row; null after the last. */
    abstract T compute();

    /** The stream that a procedure returns; {@code whenClosed} runs once it is exhausted, closed or has failed. */
    final Stream<T> stream(Runnable whenClosed) {
        return StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(this, Spliterator.ORDERED | Spliterator.NONNULL), false)
                .onClose(whenClosed);
    }

    final Stream<T> stream() {
        return stream(() -> {});
    }

    @Override
    public final boolean hasNext() {
        if (next == null && !exhausted) {
            try {
                if ((asked++ & STOP_CHECK_MASK) == 0) {
                    caller.stop().check();
                }
                next = compute();
            } catch (RuntimeException e) {
                throw caller.inClientsTerms(e);
            }
            exhausted = next == null;
        }
        return next != null;
    }

    @Override
    public final T next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        T row = next;
        next = null;
        return row;
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.concurrent;

import java.util.Iterator;
import java.util.function.Consumer;

/** Closes resources of which each must be closed although others cannot be. */
public final class Closing {

    private Closing() {}

    /**
     * Closes all. Allocates nothing, because the heap may be exhausted.
     *
     * @param close closes one; if it fails for several, the first failure is thrown
     */
    public static <T> void all(Iterator<T> resources, Consumer<? super T> close) {
        Throwable failure = null;
        while (resources.hasNext()) {
            try {
                close.accept(resources.next());
            } catch (RuntimeException | Error e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure != null) {
            throw (RuntimeException) failure;
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.concurrent;

import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

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

    /**
     * Makes something that owns resources. If that fails, closes them, because nobody else would: a full heap must not
     * leave them open.
     *
     * @param close closes one
     */
    public static <R, T> T unlessOwned(List<R> resources, Consumer<? super R> close, Function<List<R>, T> owner) {
        boolean owned = false;
        try {
            T made = owner.apply(resources);
            owned = true;
            return made;
        } finally {
            if (!owned) {
                all(resources.iterator(), close);
            }
        }
    }
}

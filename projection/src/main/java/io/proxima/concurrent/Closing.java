// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.concurrent;

import java.util.Iterator;
import java.util.function.Consumer;

/** Closes resources of which each must be closed although others cannot be. */
public final class Closing {

    private Closing() {}

    /**
     * Closes all, the last first. Allocates nothing, because the heap may be exhausted.
     *
     * @param close closes one; if it fails for several, the failure of the first of them is thrown
     */
    public static <T> void all(Iterator<T> resources, Consumer<? super T> close) {
        if (resources.hasNext()) {
            T next = resources.next();
            try {
                all(resources, close);
            } finally {
                close.accept(next);
            }
        }
    }
}

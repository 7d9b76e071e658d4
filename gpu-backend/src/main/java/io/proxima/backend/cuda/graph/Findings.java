// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import java.util.HashMap;
import java.util.Map;

/** The findings of runs about a graph in one order, for later runs. Not thread-safe. */
public final class Findings {

    /**
     * A kind of finding, compared by identity.
     *
     * @param <T> the type of the finding
     */
    @SuppressWarnings("UnusedTypeParameter") // the type of the values that are kept under the key
    public static final class Key<T> {}

    private final Map<Key<?>, Object> found;

    /** No findings. */
    Findings() {
        this(new HashMap<>());
    }

    private Findings(Map<Key<?>, Object> found) {
        this.found = found;
    }

    /** The finding; null if there is none. */
    @SuppressWarnings("unchecked") // keep() puts a value of the key's type
    public <T> T get(Key<T> key) {
        return (T) found.get(key);
    }

    /** Keeps a finding; null removes it. */
    <T> void keep(Key<T> key, T value) {
        found.put(key, value);
    }

    /** Forgets a finding. */
    void forget(Key<?> key) {
        found.remove(key);
    }

    /** A copy of the current findings. */
    Findings copy() {
        return new Findings(new HashMap<>(found));
    }
}

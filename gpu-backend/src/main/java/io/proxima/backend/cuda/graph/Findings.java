// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import io.proxima.backend.cuda.device.Tuning;
import java.util.HashMap;
import java.util.Map;

/**
 * The findings of runs about a graph in one order, for later runs. Measured findings are discarded if the tuning
 * parameters change. Not thread-safe.
 */
public final class Findings {

    /**
     * A kind of finding, compared by identity.
     *
     * @param <T> the type of the finding
     */
    @SuppressWarnings("UnusedTypeParameter") // the type of the values that are kept under the key
    public static final class Key<T> {
        private final boolean measured;

        private Key(boolean measured) {
            this.measured = measured;
        }

        /** A key for findings that depend on the tuning parameters. */
        public static <T> Key<T> measured() {
            return new Key<>(true);
        }

        /** A key for findings that do not depend on the tuning parameters. */
        public static <T> Key<T> lasting() {
            return new Key<>(false);
        }
    }

    private final Map<Key<?>, Object> found;
    private Tuning under;

    /** No findings. */
    Findings() {
        this(new HashMap<>(), null);
    }

    private Findings(Map<Key<?>, Object> found, Tuning under) {
        this.found = found;
        this.under = under;
    }

    /** The finding with these tuning parameters; null if there is none. */
    @SuppressWarnings("unchecked") // keep() puts a value of the key's type
    public <T> T get(Key<T> key, Tuning tuning) {
        forgetUnlessUnder(tuning);
        return (T) found.get(key);
    }

    /** Keeps a finding with these tuning parameters; null removes it. */
    <T> void keep(Key<T> key, T value, Tuning tuning) {
        forgetUnlessUnder(tuning);
        found.put(key, value);
    }

    /** Forgets a finding. */
    void forget(Key<?> key) {
        found.remove(key);
    }

    /** A copy of the current findings. */
    Findings copy() {
        return new Findings(new HashMap<>(found), under);
    }

    private void forgetUnlessUnder(Tuning tuning) {
        if (!tuning.equals(under)) {
            found.keySet().removeIf(key -> key.measured);
            under = tuning;
        }
    }
}

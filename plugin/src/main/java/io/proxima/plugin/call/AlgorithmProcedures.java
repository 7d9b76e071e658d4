// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.plugin.call.Call.Mode;
import io.proxima.plugin.config.ConfigReader;

/**
 * The procedures of an algorithm: its modes, and their estimates.
 *
 * @param <T> the row of the mode stream
 */
public abstract class AlgorithmProcedures<T> extends ProximaProcedure {

    /** Required by Neo4j. */
    protected AlgorithmProcedures() {}

    /** Reads the keys of the algorithm. */
    protected abstract Algorithm<T> read(CallKeys keys);

    /** Begins a call. */
    protected final Call<T> call(Mode mode) {
        return new Call<>(caller(), mode, this::read);
    }

    /** Reads all keys of a call. Faults are added to the reader. */
    public final void readKeys(Caller caller, Mode mode, ConfigReader reader) {
        new Call<>(caller, mode, this::read).readKeys(reader);
    }
}

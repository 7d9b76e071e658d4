// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.plugin.call.Call.Mode;
import io.proxima.plugin.config.ConfigReader;
import java.util.Locale;
import java.util.function.Function;

/**
 * The procedures of an algorithm: its modes, and their estimates.
 *
 * @param <T> the row of the mode stream
 */
public abstract class AlgorithmProcedures<T> extends ProximaProcedure {

    private static final String ESTIMATE = ".estimate";

    /** Reads the keys of the algorithm. */
    protected abstract Algorithm<T> read(CallKeys keys);

    /** Begins a call. */
    protected final Call<T> call(Mode mode) {
        return new Call<>(caller(), mode, this::read);
    }

    @Override
    public final void readKeys(String name, Caller caller, Function<String, ConfigReader> arguments) {
        String call = name.replace(ESTIMATE, "");
        if (name.endsWith(ESTIMATE)) {
            DescribedGraph.read(caller, arguments.apply("graphNameOrConfiguration"));
        }
        String last = call.substring(call.lastIndexOf('.') + 1);
        // a table is a form of the stream
        Mode mode = last.equals("arrow") ? Mode.STREAM : Mode.valueOf(last.toUpperCase(Locale.ROOT));
        new Call<>(caller, mode, this::read).readKeys(arguments.apply("configuration"));
    }
}

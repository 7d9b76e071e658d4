// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.plugin.call.Call.Mode;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.config.Shown;

/**
 * What an algorithm is read from: the keys and the mode of a call. Faults are added to the reader.
 *
 * @param estimated whether the call is only estimated
 */
public record CallKeys(Caller caller, Mode mode, boolean estimated, ConfigReader reader) {

    private static final Key<String> MUTATE_PROPERTY = Key.of("mutateProperty", "The name of the new property.");
    private static final Key<String> WRITE_PROPERTY =
            Key.of("writeProperty", "The node property to set. Existing values are overwritten.");

    /** Whether the mode adds or writes properties. */
    public boolean setsProperties() {
        return mode == Mode.MUTATE || mode == Mode.WRITE;
    }

    /** Whether the call computes a column; an estimate assumes that it does. */
    public boolean computes(String column) {
        return estimated || caller.yields(column);
    }

    /** Whether the call computes a column of the mode stats. */
    public boolean computesStatistic(String column) {
        return mode == Mode.STATS && computes(column);
    }

    /** Reads whether the stream has a row for each unreached node. */
    public boolean readIncludeUnreached(String meaning) {
        return mode == Mode.STREAM && reader.readBoolean(Key.of("includeUnreached", false, meaning));
    }

    /** Reads the name of the property that the mode sets; empty if it sets none. */
    String readProperty() {
        return setsProperties() ? reader.readPropertyName(propertyKey()) : "";
    }

    /**
     * Reads the name of the optional second property; empty for none, and if the mode sets none.
     *
     * @param key the key of the name
     * @param values the values of both properties, for the message
     */
    public String readSecondProperty(Key<String> key, String values) {
        String second = setsProperties() ? reader.readOptionalPropertyName(key) : "";
        if (!second.isEmpty() && second.equals(reader.given(propertyKey()))) {
            reader.fault("`" + key.name() + "` and `" + propertyKey().name() + "` are both `" + Shown.text(second)
                    + "`: give " + values + " different names.");
        }
        return second;
    }

    private Key<String> propertyKey() {
        return mode == Mode.WRITE ? WRITE_PROPERTY : MUTATE_PROPERTY;
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import java.util.HashMap;
import java.util.Map;

/**
 * The options of a benchmark, as {@code --NAME=VALUE}. All have {@code --heap} and {@code --settings} of the server.
 */
final class Options {

    private Options() {}

    /**
     * The values of all options by name.
     *
     * @param defaults the value of every option that is not given
     * @throws IllegalArgumentException if an argument is not an option of {@code defaults}
     */
    static Map<String, String> read(Map<String, String> defaults, String... arguments) {
        Map<String, String> options = new HashMap<>(defaults);
        options.putAll(Map.of("heap", "4g", "settings", ""));
        for (String argument : arguments) {
            String[] option = argument.replaceFirst("^--", "").split("=", 2);
            if (option.length != 2 || options.put(option[0], option[1]) == null) {
                throw new IllegalArgumentException("Not an option: " + argument);
            }
        }
        return options;
    }
}

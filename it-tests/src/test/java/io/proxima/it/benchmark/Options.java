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
package io.proxima.it.benchmark;

import java.util.HashMap;
import java.util.Map;

/** The options of a benchmark, as {@code --NAME=VALUE}. */
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
        for (String argument : arguments) {
            String[] option = argument.replaceFirst("^--", "").split("=", 2);
            if (option.length != 2 || options.put(option[0], option[1]) == null) {
                throw new IllegalArgumentException("Not an option: " + argument);
            }
        }
        return options;
    }
}

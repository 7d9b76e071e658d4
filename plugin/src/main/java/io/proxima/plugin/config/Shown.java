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
package io.proxima.plugin.config;

import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;

/** Shortens given values for messages. */
public final class Shown {

    private static final int MOST_CHARACTERS = 100;
    private static final int MOST_NAMES = 20;

    private Shown() {}

    /** A text, cut if it is long. */
    public static String text(String given) {
        return given == null || given.length() <= MOST_CHARACTERS
                ? given
                : given.substring(0, MOST_CHARACTERS) + "… (" + given.length() + " characters)";
    }

    /** The first names in single quotes, in brackets, and the number of the others. */
    public static String names(Collection<String> names) {
        List<String> first = first(names, name -> "'" + text(name) + "'");
        return first + others(names);
    }

    /**
     * The first names, separated by commas, and the number of the others.
     *
     * @param form the form of a name
     */
    public static String joined(Collection<String> names, UnaryOperator<String> form) {
        return String.join(", ", first(names, form)) + others(names);
    }

    private static List<String> first(Collection<String> names, UnaryOperator<String> form) {
        return names.stream().limit(MOST_NAMES).map(form).toList();
    }

    private static String others(Collection<String> names) {
        return names.size() > MOST_NAMES ? " and " + (names.size() - MOST_NAMES) + " more" : "";
    }
}

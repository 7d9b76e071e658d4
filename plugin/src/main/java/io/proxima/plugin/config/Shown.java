// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
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

    /** The name of the Cypher type of a value, followed by the value if that is a text, a number or a boolean. */
    public static String value(Object given) {
        Object value = CypherTypes.value(given);
        String type = "`" + CypherTypes.nameOf(value) + "`";
        if (value instanceof String text) {
            return type + " '" + text(text) + "'";
        }
        return value instanceof Number || value instanceof Boolean ? type + " " + value : type;
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

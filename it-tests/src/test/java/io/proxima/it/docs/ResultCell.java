// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.docs;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A cell of a result table of the manual, written as in Cypher: numbers are equal up to half a unit of the last digit
 * shown, text may go without quotes outside of lists and maps, and a star stands for anything, within lists and maps
 * too.
 *
 * @param text the cell
 */
record ResultCell(String text) {

    boolean matches(Object value) {
        String plain = text.startsWith("`") && text.endsWith("`") ? text.substring(1, text.length() - 1) : text;
        return matches(plain.strip(), value);
    }

    private static boolean matches(String expected, Object value) {
        if (expected.equals("*")) {
            return true;
        }
        if (value instanceof Double number) {
            return matchesNumber(expected, number);
        }
        if (value instanceof List<?> list) {
            return matchesList(expected, list);
        }
        if (value instanceof Map<?, ?> map) {
            return matchesMap(expected, map);
        }
        if (value instanceof String string) {
            return expected.equals(string)
                    || expected.equals('"' + string + '"')
                    || expected.equals("'" + string + "'");
        }
        return expected.equals(String.valueOf(value));
    }

    private static boolean matchesNumber(String expected, double actual) {
        BigDecimal shown;
        try {
            shown = new BigDecimal(expected);
        } catch (NumberFormatException e) {
            return expected.equals(String.valueOf(actual));
        }
        BigDecimal halfUnit = BigDecimal.ONE.movePointLeft(shown.scale()).multiply(new BigDecimal("0.5000001"));
        return shown.subtract(BigDecimal.valueOf(actual)).abs().compareTo(halfUnit) <= 0;
    }

    private static boolean matchesList(String expected, List<?> actual) {
        List<String> elements = elements(expected, '[', ']');
        if (elements == null || elements.size() != actual.size()) {
            return false;
        }
        for (int i = 0; i < elements.size(); i++) {
            if (!matches(elements.get(i), actual.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean matchesMap(String expected, Map<?, ?> actual) {
        List<String> entries = elements(expected, '{', '}');
        if (entries == null || entries.size() != actual.size()) {
            return false;
        }
        for (String entry : entries) {
            int colon = entry.indexOf(':');
            String key = colon < 0 ? entry : entry.substring(0, colon).strip();
            if (colon < 0
                    || !actual.containsKey(key)
                    || !matches(entry.substring(colon + 1).strip(), actual.get(key))) {
                return false;
            }
        }
        return true;
    }

    /** What stands between the brackets, cut at the commas of the outermost level; null without brackets. */
    private static List<String> elements(String text, char open, char close) {
        if (text.length() < 2 || text.charAt(0) != open || text.charAt(text.length() - 1) != close) {
            return null;
        }
        List<String> elements = new ArrayList<>();
        int depth = 0;
        int start = 1;
        boolean quoted = false;
        for (int i = 1; i < text.length() - 1; i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\'') {
                quoted = !quoted;
            } else if (!quoted && (c == '[' || c == '{')) {
                depth++;
            } else if (!quoted && (c == ']' || c == '}')) {
                depth--;
            } else if (!quoted && depth == 0 && c == ',') {
                elements.add(text.substring(start, i).strip());
                start = i + 1;
            }
        }
        String last = text.substring(start, text.length() - 1).strip();
        if (!last.isEmpty() || !elements.isEmpty()) {
            elements.add(last);
        }
        return elements;
    }
}

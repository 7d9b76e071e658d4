// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.neo4j.graphdb.Entity;
import org.neo4j.graphdb.Path;

/**
 * Values of a call that the catalog keeps only to show them, such as filters and projections. They are shortened,
 * because they may be as long as a message.
 */
public final class KeptValue {

    /** Maximum length of a string. */
    static final int LENGTH = 1_000;

    /** Maximum number of elements of a list or a map. */
    static final int ELEMENTS = 1_000;

    private static final String OMITTED = "…";

    private KeptValue() {}

    /**
     * A configuration with all strings, lists and maps in it shortened; the end of a shortened value is {@code …}.
     * Nodes, relationships and paths, which cannot be read after their transaction, are replaced by the names of their
     * types.
     */
    public static Map<String, Object> shortened(Map<?, ?> configuration) {
        Map<String, Object> kept = new LinkedHashMap<>();
        configuration.entrySet().stream()
                .limit(ELEMENTS)
                .forEach(entry -> kept.put(shortened(String.valueOf(entry.getKey())), shortened(entry.getValue())));
        if (configuration.size() > ELEMENTS) {
            kept.put(OMITTED, (configuration.size() - ELEMENTS) + " more");
        }
        return kept;
    }

    private static Object shortened(Object given) {
        Object value = CypherTypes.value(given);
        if (value instanceof String text) {
            return shortened(text);
        }
        if (value instanceof Map<?, ?> map) {
            return shortened(map);
        }
        if (value instanceof Collection<?> list) {
            return shortened(list);
        }
        return value instanceof Entity || value instanceof Path ? CypherTypes.nameOf(value) : value;
    }

    private static String shortened(String text) {
        return text.length() <= LENGTH ? text : text.substring(0, LENGTH) + OMITTED;
    }

    private static List<Object> shortened(Collection<?> list) {
        List<Object> kept = new ArrayList<>();
        list.stream().limit(ELEMENTS).forEach(element -> kept.add(shortened(element)));
        if (list.size() > ELEMENTS) {
            kept.add(OMITTED);
        }
        return kept;
    }
}

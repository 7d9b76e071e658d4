// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import java.util.ArrayList;
import java.util.List;
import org.neo4j.values.AnyValue;
import org.neo4j.values.storable.Values;
import org.neo4j.values.virtual.MapValue;

/**
 * A map in a row, for comparison with those of later rows. Cypher creates the map anew for each row, and Neo4j's own
 * comparison of two maps would take most of the time of a row. One entry may be a map whose keys alone are compared.
 */
final class RowMap {

    private final AnyValue map;
    private final List<String> keys = new ArrayList<>();
    private final List<AnyValue> values = new ArrayList<>();

    /** The entry of which only the keys are compared; null for none. */
    private final String keysOnly;

    RowMap(AnyValue map) {
        this(map, null);
    }

    RowMap(AnyValue map, String keysOnly) {
        this.map = map;
        this.keysOnly = keysOnly;
        if (map instanceof MapValue entries) {
            entries.foreach((key, value) -> {
                keys.add(key);
                values.add(value);
            });
        }
    }

    AnyValue value() {
        return map;
    }

    boolean isEqualTo(AnyValue other) {
        if (!(map instanceof MapValue) || !(other instanceof MapValue entries)) {
            return map.equals(other);
        }
        if (entries.size() != keys.size()) {
            return false;
        }
        for (int i = 0; i < keys.size(); i++) {
            AnyValue value = entries.get(keys.get(i));
            if (keys.get(i).equals(keysOnly)) {
                if (!hasKeys(value, (MapValue) values.get(i))) {
                    return false;
                }
                continue;
            }
            // null is also what a map without the key returns
            if (!values.get(i).equals(value) || (Values.NO_VALUE.equals(value) && !entries.containsKey(keys.get(i)))) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasKeys(AnyValue value, MapValue wanted) {
        if (!(value instanceof MapValue given) || given.size() != wanted.size()) {
            return false;
        }
        for (String key : wanted.keySet()) {
            if (!given.containsKey(key)) {
                return false;
            }
        }
        return true;
    }
}

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
package io.proxima.plugin.procedures;

import java.util.ArrayList;
import java.util.List;
import org.neo4j.values.AnyValue;
import org.neo4j.values.storable.Values;
import org.neo4j.values.virtual.MapValue;

/**
 * A map in a row, for comparison with those of later rows. Cypher creates the map anew for each row, and Neo4j's own
 * comparison of two maps would take most of the time of a row.
 */
final class RowMap {

    private final AnyValue map;
    private final List<String> keys = new ArrayList<>();
    private final List<AnyValue> values = new ArrayList<>();

    RowMap(AnyValue map) {
        this.map = map;
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
            // null is also what a map without the key returns
            if (!values.get(i).equals(value) || (Values.NO_VALUE.equals(value) && !entries.containsKey(keys.get(i)))) {
                return false;
            }
        }
        return true;
    }
}

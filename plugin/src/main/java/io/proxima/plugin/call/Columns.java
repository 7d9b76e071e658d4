// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Map;

/** Makes a row of its columns by name, because rows of Neo4j share columns but can not inherit them. */
public final class Columns {

    private Columns() {}

    /**
     * Makes a row.
     *
     * @param columns the values, of which a row may leave out some
     * @throws IllegalArgumentException if a column has no value
     */
    public static <T extends Record> T row(Class<T> type, Map<String, Object> columns) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = Arrays.stream(components)
                .map(component -> columns.get(component.getName()))
                .toArray();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " of " + columns.keySet(), e);
        }
    }
}

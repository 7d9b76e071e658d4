// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Rows by the names of their columns, because rows of Neo4j share columns but can not inherit them. */
public final class NamedColumns {

    private NamedColumns() {}

    /**
     * Makes a row.
     *
     * @param columns the values, of which a row may leave out some
     */
    public static <T extends Record> T row(Class<T> type, Map<String, Object> columns) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return type.getDeclaredConstructor(types)
                    .newInstance(Arrays.stream(components)
                            .map(component -> columns.get(component.getName()))
                            .toArray());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " of " + columns.keySet(), e);
        }
    }

    /** The columns of a row, in order. */
    public static Map<String, Object> of(Record row) {
        Map<String, Object> columns = new LinkedHashMap<>();
        for (RecordComponent component : row.getClass().getRecordComponents()) {
            try {
                columns.put(component.getName(), component.getAccessor().invoke(row));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(row + " without " + component, e);
            }
        }
        return columns;
    }
}

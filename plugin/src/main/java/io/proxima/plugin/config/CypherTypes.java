// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import java.lang.reflect.Array;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetTime;
import java.time.ZonedDateTime;
import java.time.temporal.TemporalAmount;
import java.util.AbstractList;
import java.util.Collection;
import java.util.Map;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Path;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.spatial.Point;

/** The Java types of Cypher's values, and their names in Cypher for messages. */
public final class CypherTypes {

    private static final Map<Class<?>, String> NAMES = Map.ofEntries(
            Map.entry(Boolean.class, "BOOLEAN"),
            Map.entry(Long.class, "INTEGER"),
            Map.entry(Double.class, "FLOAT"),
            Map.entry(String.class, "STRING"),
            Map.entry(Collection.class, "LIST"),
            Map.entry(Map.class, "MAP"),
            Map.entry(Node.class, "NODE"),
            Map.entry(Relationship.class, "RELATIONSHIP"),
            Map.entry(Path.class, "PATH"),
            Map.entry(Point.class, "POINT"),
            Map.entry(LocalDate.class, "DATE"),
            Map.entry(LocalTime.class, "LOCAL TIME"),
            Map.entry(OffsetTime.class, "ZONED TIME"),
            Map.entry(LocalDateTime.class, "LOCAL DATETIME"),
            Map.entry(ZonedDateTime.class, "ZONED DATETIME"),
            Map.entry(TemporalAmount.class, "DURATION"));

    private CypherTypes() {}

    /**
     * A given value in the one Java type of its Cypher type: Long, Double, String or List. Neo4j passes on the narrower
     * types of an embedded caller, and a stored list as an array. Elements of lists are not converted, but those of an
     * array are.
     */
    public static Object value(Object given) {
        if (given instanceof Integer || given instanceof Short || given instanceof Byte) {
            return ((Number) given).longValue();
        }
        if (given instanceof Float number) {
            return number.doubleValue();
        }
        if (given instanceof Character) {
            return given.toString();
        }
        return given != null && given.getClass().isArray() ? new Elements(given) : given;
    }

    /** The elements of an array, boxed when they are read. */
    private static final class Elements extends AbstractList<Object> {
        private final Object array;

        Elements(Object array) {
            this.array = array;
        }

        @Override
        public Object get(int index) {
            return value(Array.get(array, index));
        }

        @Override
        public int size() {
            return Array.getLength(array);
        }
    }

    /** The name of the type of a value; "null" for null. */
    public static String nameOf(Object given) {
        Object value = value(given);
        if (value == null) {
            return "null";
        }
        for (Map.Entry<Class<?>, String> type : NAMES.entrySet()) {
            if (type.getKey().isInstance(value)) {
                return type.getValue();
            }
        }
        return value.getClass().getSimpleName();
    }

    /** The name of one of the types. */
    static String name(Class<?> type) {
        return NAMES.get(type);
    }
}

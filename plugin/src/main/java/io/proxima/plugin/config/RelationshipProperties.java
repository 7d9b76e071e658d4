// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.config;

import io.proxima.projection.ProjectionSpec;
import io.proxima.projection.ProjectionSpec.PropertyProjection;
import io.proxima.projection.csc.Aggregation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the properties of relationships in GDS's syntax: a name, a list of names or maps, or a map from projected name
 * to a name or to {@code {property, defaultValue, aggregation}}.
 */
public final class RelationshipProperties {

    private final Map<String, Mapping> mappings;
    private final Map<Aggregating, OfType> ofTypes = new EnumMap<>(Aggregating.class);

    private RelationshipProperties(Map<String, Mapping> mappings) {
        this.mappings = mappings;
    }

    /** The values of the key {@code aggregation}. */
    enum Aggregating {
        DEFAULT,
        NONE,
        SINGLE,
        SUM,
        MIN,
        MAX,
        COUNT;

        Aggregation aggregation() {
            return this == DEFAULT ? Aggregation.NONE : Aggregation.valueOf(name());
        }
    }

    /**
     * One property.
     *
     * @param defaultValue as given; null if there is none
     */
    private record Mapping(String property, Number defaultValue, Aggregating aggregation) {

        PropertyProjection projection() {
            return new PropertyProjection(
                    property,
                    defaultValue == null ? Double.NaN : defaultValue.doubleValue(),
                    aggregation.aggregation());
        }

        Map<String, Object> shown() {
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("property", property);
            shown.put("aggregation", aggregation.name());
            shown.put("defaultValue", defaultValue);
            return shown;
        }
    }

    /** Reads a key; faults are added to the reader. */
    static RelationshipProperties read(ConfigReader reader, String key) {
        Map<String, Mapping> mappings = new LinkedHashMap<>();
        Object given = reader.readAny(Key.of(key, "The properties of relationships."), "STRING, LIST or MAP", "none");
        if (given != null) {
            reader.budget()
                    .elements(key, given, ArgumentBudget.PROJECTION_BYTES)
                    .forEach(element -> add(element, key, reader, mappings));
        }
        return new RelationshipProperties(mappings);
    }

    private static void add(Object given, String key, ConfigReader reader, Map<String, Mapping> mappings) {
        if (given instanceof String name && !name.isBlank()) {
            put(name, new Mapping(name, null, Aggregating.DEFAULT), reader, mappings);
        } else if (given instanceof Map<?, ?> map) {
            reader.budget().take(key, map.size(), ArgumentBudget.PROJECTION_BYTES);
            map.forEach((name, details) -> {
                reader.budget().step();
                if (details instanceof String property && !property.isBlank()) {
                    put((String) name, new Mapping(property, null, Aggregating.DEFAULT), reader, mappings);
                } else if (details instanceof Map<?, ?> keys) {
                    put((String) name, mapping((String) name, reader.inner((String) name, keys)), reader, mappings);
                } else {
                    refuse(details, key, reader);
                }
            });
        } else {
            refuse(given, key, reader);
        }
    }

    private static Mapping mapping(String name, ConfigReader keys) {
        String property = keys.readString(Key.inner("property", name));
        Object defaultValue = keys.readAny(Key.inner("defaultValue", null), "INTEGER or FLOAT", "none");
        if (defaultValue != null && !(defaultValue instanceof Number)) {
            keys.fault("The value of `defaultValue` of the property `" + Shown.text(name)
                    + "` must be of type `INTEGER` or `FLOAT`"
                    + " but was " + Shown.value(defaultValue) + ".");
        }
        Aggregating aggregation = keys.readConstant(Key.inner("aggregation", Aggregating.DEFAULT), "Aggregation");
        keys.rejectUnknownKeys();
        return new Mapping(property, defaultValue instanceof Number number ? number : null, aggregation);
    }

    private static void put(String name, Mapping mapping, ConfigReader reader, Map<String, Mapping> mappings) {
        if (name.isBlank() || mapping.property.isBlank()) {
            reader.fault("The name of a property must not be blank.");
        } else if (mappings.putIfAbsent(name, mapping) != null) {
            reader.fault("Duplicate property key `" + Shown.text(name) + "`.");
        }
    }

    private static void refuse(Object given, String key, ConfigReader reader) {
        reader.fault("`" + key + "` must be a STRING, a LIST, or a MAP from projected property to"
                + " `{property, defaultValue, aggregation}`, but it contains " + Shown.value(given) + ".");
    }

    /** These and further properties; a name in both is a fault. */
    RelationshipProperties and(RelationshipProperties more, ConfigReader reader) {
        if (mappings.isEmpty() || more.mappings.isEmpty()) {
            return mappings.isEmpty() ? more : this;
        }
        reader.budget().take("relationshipProperties", more.mappings.size(), ArgumentBudget.PROJECTION_BYTES);
        List<String> both =
                mappings.keySet().stream().filter(more.mappings::containsKey).toList();
        if (!both.isEmpty()) {
            reader.fault("Incompatible relationship projection and relationship property specification. Both specify"
                    + " properties named " + Shown.names(both) + ".");
        }
        Map<String, Mapping> all = new LinkedHashMap<>(mappings);
        all.putAll(more.mappings);
        return new RelationshipProperties(all);
    }

    /**
     * The properties of a type; those without an aggregation of their own have that of the type. All types with the
     * same properties and aggregation share them, because there may be thousands of both.
     */
    OfType under(Aggregating ofType, ConfigReader reader) {
        return ofTypes.computeIfAbsent(ofType, aggregation -> resolve(aggregation, reader));
    }

    private OfType resolve(Aggregating ofType, ConfigReader reader) {
        Map<String, PropertyProjection> projections = new LinkedHashMap<>();
        Map<String, Object> shown = new LinkedHashMap<>();
        Map<String, String> schema = new LinkedHashMap<>();
        Set<Boolean> keepingParallel = new HashSet<>();
        List<String> uncounted = new ArrayList<>();
        mappings.forEach((name, given) -> {
            reader.budget().step();
            Mapping mapping = given.aggregation == Aggregating.DEFAULT
                    ? new Mapping(given.property, given.defaultValue, ofType)
                    : given;
            PropertyProjection projection = mapping.projection();
            projections.put(name, projection);
            shown.put(name, mapping.shown());
            schema.put(
                    name,
                    described(
                            mapping.defaultValue == null ? "NaN" : mapping.defaultValue.toString(),
                            "PERSISTENT",
                            projection.aggregation()));
            keepingParallel.add(projection.keepsParallel());
            if (mapping.property.equals(ProjectionSpec.ALL) && projection.aggregation() != Aggregation.COUNT) {
                uncounted.add(name);
            }
        });
        if (keepingParallel.size() > 1) {
            reader.fault("Conflicting relationship property aggregations, it is not allowed to mix `NONE` with"
                    + " aggregations.");
            projections.clear();
        } else if (!uncounted.isEmpty()) {
            reader.fault("The property '*' of " + Shown.names(uncounted)
                    + " counts parallel relationships, so its `aggregation` must be 'COUNT'.");
        }
        return new OfType(
                Collections.unmodifiableMap(projections),
                Collections.unmodifiableMap(shown),
                Collections.unmodifiableMap(schema));
    }

    /**
     * The properties of a projected type, by projected name.
     *
     * @param projections the projections; none after a fault
     * @param shown the expanded form for the caller
     * @param schema the description of each property in the schema of the graph
     */
    record OfType(Map<String, PropertyProjection> projections, Map<String, Object> shown, Map<String, String> schema) {}

    /** The descriptions of properties that come from the rows of a query. */
    public static Map<String, String> schemaOfRows(Collection<String> names) {
        Map<String, String> schema = new LinkedHashMap<>();
        names.forEach(name -> schema.put(name, described("NaN", "TRANSIENT", Aggregation.NONE)));
        return schema;
    }

    private static String described(String defaultValue, String state, Aggregation aggregation) {
        return "Float (DefaultValue(" + defaultValue + "), " + state + ", Aggregation." + aggregation + ")";
    }
}

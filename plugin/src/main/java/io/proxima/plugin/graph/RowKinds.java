// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.config.ArgumentBudget;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.config.Shown;
import io.proxima.projection.CypherGraphCollector;
import io.proxima.projection.CypherGraphCollector.Kind;
import io.proxima.projection.ProjectionSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.neo4j.values.AnyValue;
import org.neo4j.values.ValueMapper;
import org.neo4j.values.storable.NumberValue;
import org.neo4j.values.storable.Values;
import org.neo4j.values.virtual.MapValue;

/**
 * Reads the map with the labels and the type of each row of a Cypher projection. Maps of equal content, values of
 * properties left aside, are parsed once, so that a row needs only a comparison with the previous row, or a look-up.
 * Not thread-safe.
 */
final class RowKinds {

    /** Maximum heap of the cached maps; if there are more, they are parsed again. */
    private static final long MAX_KNOWN_BYTES = 1 << 22;

    /** Heap of a cached map besides its content. */
    private static final int KNOWN_BYTES = 1 << 10;

    private static final double[] NO_VALUES = {};
    private static final String PROPERTIES = "relationshipProperties";
    private static final String LABELS_OF_NODE =
            "The projected labels of the node, or true for its labels in the database.";
    private static final Key<Object> SOURCE_LABELS = Key.of("sourceNodeLabels", LABELS_OF_NODE);
    private static final Key<Object> TARGET_LABELS = Key.of("targetNodeLabels", LABELS_OF_NODE);
    private static final Key<String> RELATIONSHIP_TYPE =
            Key.of("relationshipType", CypherGraphCollector.UNNAMED, "The projected type of the relationship.");
    private static final Key<Object> RELATIONSHIP_PROPERTIES = Key.of(PROPERTIES, "The properties of relationships.");

    private final CypherGraphCollector rows;
    private final ValueMapper<Object> mapper;
    private final Stop stop;
    private final PacedStop paced;
    private final Map<List<Object>, Numbers> known = new HashMap<>();
    private long knownBytes;

    /** Properties that a relationship has a value of, and those that one has none of. */
    private final Set<String> valued = new HashSet<>();

    private final Set<String> missed = new HashSet<>();

    // of the last row, null at first
    private AnyValue last;
    private List<Object> lastShape;
    private Numbers lastNumbers;

    RowKinds(CypherGraphCollector rows, ValueMapper<Object> mapper, Stop stop) {
        this.rows = rows;
        this.mapper = mapper;
        this.stop = stop;
        this.paced = new PacedStop(stop);
    }

    /**
     * The kinds of rows with one shape: with both nodes, and with the source only.
     *
     * @param propertiesKey the key of the properties as it is written; empty if there is none
     */
    record Numbers(int relationship, int loneNode, String propertiesKey, List<String> properties) {}

    /**
     * The properties of the relationship in the last row, NaN for null.
     *
     * @param used whether the values are used, and must be numbers; those of other types are NaN otherwise
     */
    double[] values(boolean used) {
        List<String> properties = lastNumbers.properties;
        if (properties.isEmpty()) {
            return NO_VALUES;
        }
        MapValue given = (MapValue) ((MapValue) last).get(lastNumbers.propertiesKey);
        double[] values = new double[properties.size()];
        for (int i = 0; i < values.length; i++) {
            String property = properties.get(i);
            AnyValue value = given.get(property);
            boolean isNumber = value instanceof NumberValue;
            values[i] = isNumber ? ((NumberValue) value).doubleValue() : Double.NaN;
            if (used) {
                if (!isNumber && !Values.NO_VALUE.equals(value)) {
                    throw ProximaException.invalidArgument("The value of `" + property + "` in `" + PROPERTIES
                            + "` must be of type `INTEGER` or `FLOAT` but was " + Shown.value(value.map(mapper)) + ".");
                }
                (isNumber ? valued : missed).add(property);
            }
        }
        return values;
    }

    /** The properties that relationships name, but of which none has a value, as if their names were misspelt. */
    Set<String> withoutValues() {
        Set<String> without = new TreeSet<>(missed);
        without.removeAll(valued);
        return without;
    }

    /** The numbers of the kinds of a row. */
    Numbers numbers(AnyValue dataConfig) {
        // a map of a million entries is compared in every row
        paced.worked(1 + dataConfig.estimatedHeapUsage() / Long.BYTES);
        List<Object> shape = shape(dataConfig);
        if (!shape.equals(lastShape)) {
            Numbers numbers = known.get(shape);
            if (numbers == null) {
                numbers = read(dataConfig);
                remember(shape, KNOWN_BYTES + dataConfig.estimatedHeapUsage(), numbers);
            }
            lastShape = shape;
            lastNumbers = numbers;
        }
        last = dataConfig;
        return lastNumbers;
    }

    private void remember(List<Object> shape, long bytes, Numbers numbers) {
        if (knownBytes + bytes > MAX_KNOWN_BYTES) {
            known.clear();
            knownBytes = 0;
        }
        if (bytes <= MAX_KNOWN_BYTES) {
            known.put(shape, numbers);
            knownBytes += bytes;
        }
    }

    /**
     * What maps of rows with the same kinds have in common: their entries in order, with the names of the properties
     * instead of their values.
     */
    private static List<Object> shape(AnyValue dataConfig) {
        List<Object> shape = new ArrayList<>();
        if (dataConfig instanceof MapValue map) {
            map.foreach((key, value) -> {
                shape.add(key);
                if (isProperties(key, value)) {
                    ((MapValue) value).foreach((name, unused) -> shape.add(name));
                } else {
                    shape.add(value);
                }
            });
        } else {
            shape.add(dataConfig);
        }
        return shape;
    }

    /** Whether two maps have the same entries. Neo4j's own comparison would take most of the time of a row. */
    static boolean isSame(AnyValue one, AnyValue other) {
        return shape(one).equals(shape(other));
    }

    private static boolean isProperties(String key, AnyValue value) {
        return key.equalsIgnoreCase(PROPERTIES) && value instanceof MapValue;
    }

    private Numbers read(AnyValue dataConfig) {
        ConfigReader reader = ConfigReader.of(new ArgumentBudget(stop, null), "dataConfig", dataConfig.map(mapper));
        Kind kind = readKeys(reader);
        reader.finish();
        MapValue map = (MapValue) dataConfig;
        String propertiesKey = "";
        for (String key : map.keySet()) {
            propertiesKey = isProperties(key, map.get(key)) ? key : propertiesKey;
        }
        return new Numbers(
                rows.number(kind),
                rows.number(new Kind(kind.sourceLabels(), kind.sourceLabels(), null)),
                propertiesKey,
                kind.properties());
    }

    /** Reads the keys of a row with both nodes; faults are added to the reader. */
    static Kind readKeys(ConfigReader reader) {
        List<String> sourceLabels = readLabels(reader, SOURCE_LABELS);
        List<String> targetLabels = readLabels(reader, TARGET_LABELS);
        String type = reader.readString(RELATIONSHIP_TYPE);
        requireName(reader, RELATIONSHIP_TYPE.name(), type);
        for (String key : List.of("sourceNodeProperties", "targetNodeProperties")) {
            reader.refuseProperties(key);
        }
        return new Kind(sourceLabels, targetLabels, type, readProperties(reader));
    }

    private static List<String> readProperties(ConfigReader reader) {
        Object given = reader.readAny(RELATIONSHIP_PROPERTIES, "MAP", "{}");
        if (given == null) {
            return List.of();
        }
        if (!(given instanceof Map<?, ?> properties)) {
            reader.fault("The value of `" + PROPERTIES + "` must be a MAP from property to number, but it was "
                    + Shown.value(given) + ".");
            return List.of();
        }
        List<String> names = new ArrayList<>();
        for (Object name : reader.budget().elements(PROPERTIES, properties.keySet(), ArgumentBudget.NAME_BYTES)) {
            requireName(reader, PROPERTIES, (String) name);
            names.add((String) name);
        }
        return names;
    }

    /** The given labels; empty if there are none, null for those in the database. */
    private static List<String> readLabels(ConfigReader reader, Key<Object> declared) {
        String key = declared.name();
        Object given = reader.readAny(declared, "STRING, LIST or BOOLEAN", "false");
        if (given instanceof Boolean inDatabase) {
            return inDatabase ? null : List.of();
        }
        Set<String> labels = new LinkedHashSet<>();
        Object labelsGiven = given == null ? List.of() : given;
        for (Object element : reader.budget().elements(key, labelsGiven, ArgumentBudget.NAME_BYTES)) {
            if (element instanceof String label) {
                requireName(reader, key, label);
                labels.add(label);
            } else {
                reader.fault("The value of `" + key + "` must be a STRING, a LIST<STRING> or a BOOLEAN, but it was"
                        + (given instanceof Collection<?> ? " a LIST with" : "") + " "
                        + Shown.value(element) + ".");
            }
        }
        return new ArrayList<>(labels);
    }

    private static void requireName(ConfigReader reader, String key, String name) {
        if (name.isBlank()) {
            reader.fault("A name in `" + key + "` must not be blank.");
        } else if (name.equals(ProjectionSpec.ALL)) {
            reader.fault("A name in `" + key + "` must not be `*`, which stands for all of them. Leave the key out.");
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection;

import io.proxima.projection.csc.Aggregation;
import io.proxima.projection.csc.Orientation;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What to project: named node projections and named relationship projections, in the given order. Runs refer to the
 * names. Several names may use the same label or type.
 *
 * @param labels projected label to the label in the store, {@link #ALL} for every node; not empty
 * @param types projected type to its relationship projection; not empty
 */
public record ProjectionSpec(Map<String, String> labels, Map<String, TypeProjection> types) {

    /** Stands for every label or every type of the store. */
    public static final String ALL = "*";

    /** The projected name of {@link #ALL}, as in GDS. */
    public static final String ALL_NAME = "__ALL__";

    /** Copies both maps and keeps their order. */
    public ProjectionSpec {
        labels = new LinkedHashMap<>(labels);
        types = new LinkedHashMap<>(types);
        if (labels.isEmpty() || types.isEmpty()) {
            throw new IllegalArgumentException(
                    "at least one label and one type: labels=" + labels + ", types=" + types);
        }
    }

    /**
     * One relationship projection.
     *
     * @param type the relationship type in the store, {@link #ALL} for every type
     * @param orientation how a relationship becomes edges
     * @param properties projected property to its projection; either all keep parallel relationships or none does
     */
    public record TypeProjection(String type, Orientation orientation, Map<String, PropertyProjection> properties) {

        /** Keeps the map itself, which types may share and which must not be changed. */
        public TypeProjection {
            properties = Collections.unmodifiableMap(properties);
        }

        /** A projection without properties. */
        public TypeProjection(String type, Orientation orientation) {
            this(type, orientation, Map.of());
        }

        /** The number of the properties stands for them, because thousands of types may share thousands of them. */
        @Override
        public int hashCode() {
            return Objects.hash(type, orientation, properties.size());
        }
    }

    /**
     * One property of relationships.
     *
     * @param property the property in the store; {@link #ALL} to count relationships
     * @param defaultValue the value of relationships without the property, unless they are counted; NaN for none
     * @param aggregation how the values of parallel relationships become one
     */
    public record PropertyProjection(String property, double defaultValue, Aggregation aggregation) {

        /** Whether parallel relationships are kept, each with its value. */
        public boolean keepsParallel() {
            return aggregation == Aggregation.NONE;
        }

        /** The value to read from the source. */
        public RelationshipSource.Property read() {
            return aggregation == Aggregation.COUNT
                    ? new RelationshipSource.Property(property, property.equals(ALL) ? 1 : 0, true)
                    : new RelationshipSource.Property(property, defaultValue, false);
        }
    }
}

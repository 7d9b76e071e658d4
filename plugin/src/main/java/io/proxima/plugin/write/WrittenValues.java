// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.write;

import java.util.Arrays;
import org.neo4j.common.EntityType;
import org.neo4j.internal.schema.ConstraintDescriptor;
import org.neo4j.internal.schema.constraints.SchemaValueType;

/** The values of a property, as far as they are known before they are computed. */
public enum WrittenValues {
    /** Values that several nodes have in common: distances, ids of components, of parents or of sources. */
    SHARED_INTEGERS(SchemaValueType.INTEGER, true),
    INTEGERS(SchemaValueType.INTEGER, false),
    /** Values that several nodes have in common: scores. */
    SHARED_FLOATS(SchemaValueType.FLOAT, true),
    FLOATS(SchemaValueType.FLOAT, false),
    INTEGER_LISTS(SchemaValueType.LIST_INTEGER, false),
    FLOAT_LISTS(SchemaValueType.LIST_FLOAT, false);

    static final int ANY_NUMBER = Integer.MAX_VALUE;

    private final SchemaValueType type;
    private final boolean shared;

    WrittenValues(SchemaValueType type, boolean shared) {
        this.type = type;
        this.shared = shared;
    }

    /** The type, in Cypher's terms. */
    String type() {
        return type.userDescription();
    }

    /** The number of nodes of a constraint's label that may get such values of a property. */
    int nodesAllowedBy(ConstraintDescriptor constraint, int key) {
        if (constraint.schema().entityType() != EntityType.NODE
                || !Arrays.equals(constraint.schema().getPropertyIds(), new int[] {key})) {
            return ANY_NUMBER;
        }
        if (constraint.enforcesPropertyType()) {
            return constraint.asPropertyTypeConstraint().propertyType().contains(type) ? ANY_NUMBER : 0;
        }
        return shared && constraint.enforcesUniqueness() ? 1 : ANY_NUMBER;
    }
}

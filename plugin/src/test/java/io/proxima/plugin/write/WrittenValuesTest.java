// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.neo4j.internal.schema.SchemaDescriptors.forLabel;
import static org.neo4j.internal.schema.SchemaDescriptors.forRelType;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.neo4j.internal.schema.ConstraintDescriptor;
import org.neo4j.internal.schema.constraints.ConstraintDescriptorFactory;
import org.neo4j.internal.schema.constraints.PropertyTypeSet;
import org.neo4j.internal.schema.constraints.SchemaValueType;

/** Which values a constraint allows; some of these constraints cannot be created in the Community edition. */
class WrittenValuesTest {

    private static final int LABEL = 3;
    private static final int KEY = 7;

    @Test
    void shouldAllowTheTypesOfAConstraint() {
        Map<SchemaValueType, Set<WrittenValues>> allowed = Map.of(
                SchemaValueType.STRING,
                Set.of(),
                SchemaValueType.INTEGER,
                Set.of(WrittenValues.INTEGERS, WrittenValues.SHARED_INTEGERS),
                SchemaValueType.FLOAT,
                Set.of(WrittenValues.FLOATS, WrittenValues.SHARED_FLOATS),
                SchemaValueType.LIST_INTEGER,
                Set.of(WrittenValues.INTEGER_LISTS),
                SchemaValueType.LIST_FLOAT,
                Set.of(WrittenValues.FLOAT_LISTS));
        allowed.forEach((type, values) -> {
            assertAllowed(typed(type), values, 0);
            assertAllowed(typed(type, SchemaValueType.BOOLEAN), values, 0);
        });
        assertAllowed(
                typed(
                        SchemaValueType.INTEGER,
                        SchemaValueType.FLOAT,
                        SchemaValueType.LIST_INTEGER,
                        SchemaValueType.LIST_FLOAT),
                EnumSet.allOf(WrittenValues.class),
                0);
    }

    @Test
    void shouldAllowOneNodeToHaveAValueThatOthersShare() {
        Set<WrittenValues> differing = Set.of(
                WrittenValues.INTEGERS, WrittenValues.FLOATS, WrittenValues.INTEGER_LISTS, WrittenValues.FLOAT_LISTS);
        assertAllowed(ConstraintDescriptorFactory.uniqueForLabel(LABEL, KEY), differing, 1);
        assertAllowed(ConstraintDescriptorFactory.nodeKeyForLabel(LABEL, KEY), differing, 1);
    }

    @Test
    void shouldIgnoreConstraintsOfOtherProperties() {
        Set<WrittenValues> all = EnumSet.allOf(WrittenValues.class);
        assertAllowed(ConstraintDescriptorFactory.uniqueForLabel(LABEL, KEY + 1), all, 1);
        assertAllowed(ConstraintDescriptorFactory.uniqueForLabel(LABEL, KEY, KEY + 1), all, 1);
        assertAllowed(ConstraintDescriptorFactory.existsForLabel(false, LABEL, KEY), all, 1);
        assertAllowed(ConstraintDescriptorFactory.uniqueForSchema(forRelType(LABEL, KEY)), all, 1);
    }

    private static ConstraintDescriptor typed(SchemaValueType... types) {
        return ConstraintDescriptorFactory.typeForSchema(forLabel(LABEL, KEY), PropertyTypeSet.of(types), false);
    }

    private static void assertAllowed(ConstraintDescriptor constraint, Set<WrittenValues> allowed, int nodesOfOthers) {
        for (WrittenValues values : WrittenValues.values()) {
            assertThat(values.nodesAllowedBy(constraint, KEY))
                    .as("nodes with %s under %s", values, constraint)
                    .isEqualTo(allowed.contains(values) ? WrittenValues.ANY_NUMBER : nodesOfOthers);
        }
    }
}

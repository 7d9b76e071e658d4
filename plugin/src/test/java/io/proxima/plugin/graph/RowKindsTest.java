// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.neo4j.values.AnyValue;
import org.neo4j.values.storable.Values;
import org.neo4j.values.virtual.MapValue;
import org.neo4j.values.virtual.VirtualValues;

class RowKindsTest {

    private static final AnyValue ONE = Values.longValue(1);
    private static final AnyValue NULL = Values.NO_VALUE;

    private final List<AnyValue> maps = List.of(
            MapValue.EMPTY,
            map("a", ONE),
            map("a", Values.longValue(2)),
            map("a", Values.of("1")),
            map("b", ONE),
            map("a", NULL),
            map("b", NULL),
            map("a", ONE, "b", ONE),
            map("a", ONE, "b", NULL),
            map("a", VirtualValues.list(Values.of("x"), ONE)),
            NULL,
            Values.of("a"));

    @Test
    void shouldTellDifferentMapsApart() {
        for (int i = 0; i < maps.size(); i++) {
            for (int j = 0; j < maps.size(); j++) {
                assertThat(RowKinds.isSame(maps.get(i), maps.get(j)))
                        .as("%s and %s", maps.get(i), maps.get(j))
                        .isEqualTo(i == j);
            }
        }
    }

    @Test
    void shouldBeEqualToAMapOfOtherIdentity() {
        assertThat(RowKinds.isSame(
                        map("a", Values.longValue(1000), "b", Values.of("text")),
                        map("b", Values.of("text"), "a", Values.longValue(1000))))
                .isTrue();
    }

    private static MapValue map(String key, AnyValue value) {
        return VirtualValues.map(new String[] {key}, new AnyValue[] {value});
    }

    private static MapValue map(String key, AnyValue value, String otherKey, AnyValue otherValue) {
        return VirtualValues.map(new String[] {key, otherKey}, new AnyValue[] {value, otherValue});
    }
}

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
package io.proxima.plugin.catalog;

import java.util.Set;
import org.neo4j.values.storable.NumberValue;
import org.neo4j.values.storable.Values;

/** A node property of a projected graph, kept in memory and not in the database. Immutable. */
public final class NodeProperty {

    private final String name;
    private final Set<String> labels;
    private final Numbers numbers;

    private NodeProperty(String name, Set<String> labels, Numbers numbers) {
        this.name = name;
        this.labels = Set.copyOf(labels);
        this.numbers = numbers;
    }

    /** The values of all vertices, of a single type; the default is the value of nodes without the property. */
    private record Numbers(String type, NumberValue defaultValue, long bytes, ByVertex byVertex) {}

    /** Returns the value of a vertex. */
    @FunctionalInterface
    private interface ByVertex {
        NumberValue value(int vertex);
    }

    /**
     * Creates an integer property.
     *
     * @param labels the projected labels whose nodes have the property
     * @param values {@code int[vertexCount]}, vertex id space of the whole graph; not copied
     * @param defaultValue the value in {@code values} of nodes without the property
     */
    public static NodeProperty ofInts(String name, Set<String> labels, int[] values, int defaultValue) {
        return new NodeProperty(
                name,
                labels,
                new Numbers(
                        "Integer",
                        Values.longValue(defaultValue),
                        (long) values.length * Integer.BYTES,
                        vertex -> Values.longValue(values[vertex])));
    }

    /** Creates a property of {@code long[vertexCount]}. */
    public static NodeProperty ofLongs(String name, Set<String> labels, long[] values, long defaultValue) {
        return new NodeProperty(
                name,
                labels,
                new Numbers(
                        "Integer",
                        Values.longValue(defaultValue),
                        (long) values.length * Long.BYTES,
                        vertex -> Values.longValue(values[vertex])));
    }

    /** Creates a property of {@code double[vertexCount]}; NaN is the value of nodes without the property. */
    public static NodeProperty ofDoubles(String name, Set<String> labels, double[] values) {
        return new NodeProperty(
                name,
                labels,
                new Numbers(
                        "Float",
                        Values.doubleValue(Double.NaN),
                        (long) values.length * Double.BYTES,
                        vertex -> Values.doubleValue(values[vertex])));
    }

    /** The name of the property. */
    public String name() {
        return name;
    }

    /** The projected labels whose nodes have the property. */
    public Set<String> labels() {
        return labels;
    }

    /** The value of a vertex of the whole graph that has one of the labels; the default if it has none. */
    public NumberValue value(int vertex) {
        return numbers.byVertex.value(vertex);
    }

    /** Like {@link #value}, but null if the vertex has no value, as for a node that a search has not reached. */
    public NumberValue valueOrNull(int vertex) {
        NumberValue value = value(vertex);
        return value.equals(numbers.defaultValue) ? null : value;
    }

    /** Bytes of the values. */
    public long bytes() {
        return numbers.bytes;
    }

    /** Type, default value and origin, as in GDS's schema. */
    public String schema() {
        return numbers.type + " (DefaultValue(" + numbers.defaultValue.asObject() + "), TRANSIENT)";
    }
}

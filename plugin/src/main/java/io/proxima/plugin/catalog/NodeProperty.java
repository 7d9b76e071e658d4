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

/** A property of the nodes of a projected graph, kept with the graph and not in the database. Immutable. */
public final class NodeProperty {

    private final String name;
    private final Set<String> labels;
    private final Numbers numbers;

    private NodeProperty(String name, Set<String> labels, Numbers numbers) {
        this.name = name;
        this.labels = Set.copyOf(labels);
        this.numbers = numbers;
    }

    /** The values of all vertices, of one type. */
    private record Numbers(String type, String defaultValue, long bytes, ByVertex byVertex) {}

    /** Gives the value of a vertex. */
    @FunctionalInterface
    private interface ByVertex {
        NumberValue value(int vertex);
    }

    /**
     * A property of whole numbers.
     *
     * @param labels the projected labels whose nodes have it
     * @param values {@code int[vertexCount]}, vertex id space of the whole graph; taken over, not copied
     * @param defaultValue stands in {@code values} for a node that has none
     */
    public static NodeProperty ofInts(String name, Set<String> labels, int[] values, int defaultValue) {
        return new NodeProperty(
                name,
                labels,
                new Numbers(
                        "Integer",
                        Integer.toString(defaultValue),
                        (long) values.length * Integer.BYTES,
                        vertex -> Values.longValue(values[vertex])));
    }

    /** The same with {@code long[vertexCount]}. */
    public static NodeProperty ofLongs(String name, Set<String> labels, long[] values, long defaultValue) {
        return new NodeProperty(
                name,
                labels,
                new Numbers(
                        "Integer",
                        Long.toString(defaultValue),
                        (long) values.length * Long.BYTES,
                        vertex -> Values.longValue(values[vertex])));
    }

    /** The same with {@code double[vertexCount]}; NaN stands for a node that has none. */
    public static NodeProperty ofDoubles(String name, Set<String> labels, double[] values) {
        return new NodeProperty(
                name,
                labels,
                new Numbers(
                        "Float",
                        Double.toString(Double.NaN),
                        (long) values.length * Double.BYTES,
                        vertex -> Values.doubleValue(values[vertex])));
    }

    /** What it is called. */
    public String name() {
        return name;
    }

    /** The projected labels whose nodes have it. */
    public Set<String> labels() {
        return labels;
    }

    /** The value of a vertex of the whole graph that bears one of the labels. */
    public NumberValue value(int vertex) {
        return numbers.byVertex.value(vertex);
    }

    /** Bytes of the values. */
    public long bytes() {
        return numbers.bytes;
    }

    /** Type, default value and origin, as GDS's schema shows them. */
    public String schema() {
        return numbers.type + " (DefaultValue(" + numbers.defaultValue + "), TRANSIENT)";
    }
}

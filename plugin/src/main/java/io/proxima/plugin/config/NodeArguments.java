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
package io.proxima.plugin.config;

import io.proxima.plugin.ProximaException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.ToLongFunction;
import org.neo4j.graphdb.Node;

/**
 * Turns what Cypher users give as nodes into neo4jIds: a Node, an elementId string, an INTEGER id, or a list of these.
 * Whether the nodes are in a projection is not asked here.
 */
public final class NodeArguments {

    private static final String ACCEPTED = "A Node, an elementId String, an Integer";

    private final ToLongFunction<String> idOfElementId;

    /**
     * Creates the parser.
     *
     * @param idOfElementId gives the neo4jId of an elementId of this database; throws IllegalArgumentException if the
     *     text is none
     */
    public NodeArguments(ToLongFunction<String> idOfElementId) {
        this.idOfElementId = idOfElementId;
    }

    /**
     * The one node that {@code value} stands for.
     *
     * @throws ProximaException if it stands for none
     */
    public long requireOne(String key, Object value) {
        List<String> faults = new ArrayList<>();
        long[] ids = single(key, value, faults);
        if (!faults.isEmpty()) {
            throw ProximaException.invalidArguments(faults);
        }
        return ids[0];
    }

    /** The one node that {@code value} stands for; empty after a fault. */
    long[] single(String key, Object value, List<String> faults) {
        String start = "Failed to parse `" + key + "` as a single node ID. ";
        Object element = value;
        if (value instanceof Collection<?> list) {
            if (list.size() != 1) {
                faults.add(
                        start + "A collection can be parsed if it contains a single element, but this `List` contains `"
                                + list.size() + "` elements.");
                return new long[0];
            }
            element = list.iterator().next();
        }
        String accepted =
                start + ACCEPTED + " or a collection containing a single one of them can be parsed, but this ";
        return parse(key, List.of(wrap(element)), accepted, faults);
    }

    /** The nodes that {@code value} stands for, in order; fewer after a fault. */
    long[] several(String key, Object value, List<String> faults) {
        String accepted = "Failed to parse `" + key + "` as a List of node IDs. " + ACCEPTED
                + " or a collection of these can be parsed, but this ";
        List<Element> elements = new ArrayList<>();
        if (value instanceof Collection<?> list) {
            list.forEach(element -> elements.add(wrap(element)));
        } else {
            elements.add(wrap(value));
        }
        return parse(key, elements, accepted, faults);
    }

    private long[] parse(String key, List<Element> elements, String accepted, List<String> faults) {
        long[] ids = new long[elements.size()];
        int count = 0;
        List<Long> negative = new ArrayList<>();
        List<String> virtual = new ArrayList<>();
        for (Element element : elements) {
            long id;
            if (element.value() instanceof Long number) {
                id = number;
            } else if (element.value() instanceof Node || element.value() instanceof String) {
                String elementId =
                        element.value() instanceof Node node ? node.getElementId() : (String) element.value();
                if (isVirtual(element.value())) {
                    virtual.add(elementId);
                    continue;
                }
                try {
                    id = idOfElementId.applyAsLong(elementId);
                } catch (IllegalArgumentException e) {
                    faults.add("Failed to parse `" + key + "`: the String `" + elementId
                            + "` is not the elementId of a node of this database.");
                    return new long[0];
                }
            } else {
                faults.add(accepted + "`" + ConfigReader.typeName(element.value()) + "` cannot.");
                return new long[0];
            }
            if (id < 0) {
                negative.add(id);
            } else {
                ids[count++] = id;
            }
        }
        if (!negative.isEmpty()) {
            faults.add(
                    "Negative node ids are not supported for the field `" + key + "`. Negative node ids: " + negative);
        }
        if (!virtual.isEmpty()) {
            faults.add("Virtual nodes are not supported for the field `" + key
                    + "`: only nodes of the database can be in a projection. Virtual node ids: " + virtual);
        }
        return count == ids.length ? ids : new long[0];
    }

    /** Virtual nodes have negative ids, also those copied from a stored node, whose elementId they keep. */
    @SuppressWarnings("removal")
    private static boolean isVirtual(Object nodeOrElementId) {
        return nodeOrElementId instanceof Node node ? node.getId() < 0 : ((String) nodeOrElementId).startsWith("-");
    }

    private static Element wrap(Object value) {
        return new Element(value);
    }

    /** Lets a null travel in a list. */
    private record Element(Object value) {}
}

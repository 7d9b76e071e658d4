// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Task;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.config.Faults;
import io.proxima.plugin.config.FilterExpression;
import io.proxima.plugin.config.FilterExpression.Entity;
import io.proxima.projection.GraphPart;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.csc.CscOperations.EntryFilter;
import io.proxima.projection.file.NodeColumn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.neo4j.values.storable.NumberValue;
import org.neo4j.values.storable.Values;

/**
 * The part of a graph that passes a filter, before its arrays are made.
 *
 * @param part the part
 */
public record Passing(GraphPart part) {

    /** The task of making the part. */
    public static final Task TASK = Task.of("Filter");

    /** A filter of more terms looks at the stop for each relationship. */
    private static final int TERMS_AT_ONCE = 1 << 8;

    /**
     * Applies the filter of the nodes, and prepares that of the relationships.
     *
     * @param properties the node properties of the graph
     * @throws ProximaException if the graph lacks a label, type or property of the filter, or has values of parallel
     *     relationships that do not belong to each other
     */
    public static Passing of(
            Caller caller, GraphEntry.Filter filter, GraphProjection whole, Map<String, NodeProperty> properties) {
        requireKnown(filter, whole, properties);
        List<String> types = new ArrayList<>();
        Map<String, EntryFilter> byValue = new LinkedHashMap<>();
        for (String type : whole.types()) {
            FilterExpression relationships = filter.relationships();
            int name = relationships.names().indexOf(type);
            List<String> ofType = List.copyOf(whole.properties(type));
            int[] places = relationships.properties().stream()
                    .mapToInt(ofType::indexOf)
                    .toArray();
            boolean valueless = IntStream.of(places).allMatch(place -> place < 0);
            int passes = relationships.condition().of(new Entity(named -> named == name, place -> null, valueless));
            if (passes > 0 || (passes == 0 && !valueless)) {
                types.add(type);
            }
            if (passes == 0 && !valueless) {
                requireOneOrder(whole, type);
                byValue.put(type, (values, entry) -> {
                    if (relationships.termCount() > TERMS_AT_ONCE) {
                        caller.stop().check();
                    }
                    return relationships.test(new Entity(
                            named -> named == name,
                            property -> places[property] < 0 ? null : number(values[places[property]][entry]),
                            true));
                });
            }
        }
        FilterExpression nodes = filter.nodes();
        List<NodeProperty> values =
                nodes.properties().stream().map(properties::get).toList();
        int[] at = new int[1];
        Entity node = new Entity(
                name -> whole.hasLabel(at[0], nodes.names().get(name)),
                property -> (NumberValue) values.get(property).valueOrNull(at[0]),
                true);
        PacedStop paced = new PacedStop(caller.stop());
        GraphPart part = whole.part(
                vertex -> {
                    paced.worked(nodes.termCount());
                    at[0] = vertex;
                    return nodes.test(node);
                },
                types,
                byValue,
                caller.stop());
        return new Passing(part);
    }

    private static NumberValue number(double value) {
        return Double.isNaN(value) ? null : Values.doubleValue(value);
    }

    private static void requireOneOrder(GraphProjection whole, String type) {
        if (whole.properties(type).size() > 1 && whole.isParallel(type)) {
            throw ProximaException.failed("`relationshipFilter` refers to values, but the relationships of the type `"
                    + type
                    + "` are parallel and have several properties, whose values are kept apart. Project the"
                    + " type with one property, or with an `aggregation` of its parallel relationships.");
        }
    }

    private static void requireKnown(
            GraphEntry.Filter filter, GraphProjection whole, Map<String, NodeProperty> nodeProperties) {
        Set<String> ofTypes = new LinkedHashSet<>();
        whole.types().forEach(type -> ofTypes.addAll(whole.properties(type)));
        Faults faults = new Faults();
        FilterExpression nodes = filter.nodes();
        Selected.requireKnown(nodes.names(), whole.labels(), "`nodeFilter`", Selected.AVAILABLE_LABELS, faults);
        Selected.requireKnown(
                nodes.properties(),
                nodeProperties.keySet(),
                "properties in `nodeFilter`",
                "Mutate modes and `proxima.graph.nodeProperties.set` add properties of nodes. Available ones are ",
                faults);
        for (String name : nodes.properties()) {
            NodeProperty property = nodeProperties.get(name);
            if (property != null && property.column().kind() == NodeColumn.Kind.FLOAT_LIST) {
                faults.add("`nodeFilter` compares numbers, but `" + name + "` is a LIST<FLOAT>.");
            }
        }
        FilterExpression relationships = filter.relationships();
        Selected.requireKnown(
                relationships.names(), whole.types(), "`relationshipFilter`", Selected.AVAILABLE_TYPES, faults);
        Selected.requireKnown(
                relationships.properties(),
                ofTypes,
                "properties in `relationshipFilter`",
                "The projection names properties of relationships. Available ones are ",
                faults);
        faults.throwIfAny();
    }

    /** Peak heap of making the part, with the node properties of its own. */
    public MemoryTree memory(GraphProjection whole, Map<String, NodeProperty> properties, Stop stop) {
        long moved = part.vertexCount() == whole.vertexCount()
                ? 0
                : properties.size() * NodeProperty.carriedBytes(part.vertexCount());
        return MemoryTree.together(TASK.name(), part.memory(stop), MemoryTree.exactly("node properties", moved));
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Task;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.ColumnTexts;
import io.proxima.plugin.call.Concurrency;
import io.proxima.plugin.call.EstimateRow;
import io.proxima.plugin.call.Help;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.call.Selected;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.config.ArgumentBudget;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.CypherTypes;
import io.proxima.plugin.config.Faults;
import io.proxima.plugin.config.FilterExpression;
import io.proxima.plugin.config.FilterExpression.Entity;
import io.proxima.plugin.config.GraphName;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.job.Job;
import io.proxima.projection.GraphPart;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.csc.CscOperations.EntryFilter;
import io.proxima.projection.file.ExportedGraph.TypeSchema;
import io.proxima.projection.file.NodeColumn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;
import org.neo4j.values.storable.NumberValue;
import org.neo4j.values.storable.Values;

/** Creates a graph in the catalog from a part of another one. */
public final class FilterProcedure extends ProximaProcedure {

    private static final String NODE_FILTER =
            "'*', or labels and values as in 'n:Person AND NOT (n:Banned OR n.score < 0.5)'.";
    private static final String RELATIONSHIP_FILTER = "'*', or types and values as in 'r:KNOWS OR r.cost <= 2'.";
    private static final String KEYS =
            ColumnTexts.CONCURRENCY_KEY + "`parameters` = {}, `replace` = false, " + ColumnTexts.JOB_KEYS;
    private static final Key<Object> PARAMETERS = Key.of(
            "parameters",
            "The values of the parameters in the filters, such as `{least: 0.5}` for `n.score > $least`.");

    private static final String TASK = "Graph Filter";
    private static final Task FILTER = Task.of("Filter");

    /** A filter of more terms looks at the stop for each relationship. */
    private static final int TERMS_AT_ONCE = 1 << 8;

    /** Required by Neo4j. */
    public FilterProcedure() {}

    @Override
    public void readKeys(String name, Caller caller, Function<String, ConfigReader> arguments) {
        ConfigReader reader = arguments.apply("configuration");
        readParameters(reader);
        NewGraph.read(caller, Concurrency.CONCURRENCY, reader);
    }

    private static Map<String, Object> readParameters(ConfigReader reader) {
        Map<String, Object> parameters = new LinkedHashMap<>();
        Object given = reader.readAny(PARAMETERS, "MAP", "{}");
        if (given instanceof Map<?, ?> map) {
            reader.budget().take(PARAMETERS.name(), map.size(), ArgumentBudget.NAME_BYTES);
            map.forEach((name, value) -> parameters.put((String) name, value));
        } else if (given != null) {
            reader.fault("The value of `parameters` must be a MAP from parameter to value, but it was `"
                    + CypherTypes.nameOf(given) + "`.");
        }
        return parameters;
    }

    /** The new graph. */
    public record FilterRow(
            @Description("The name of the new graph.") String graphName,

            @Description("The name of the original graph.") String fromGraphName,

            @Description("The filter of the nodes.") String nodeFilter,
            @Description("The filter of the relationships.") String relationshipFilter,
            @Description(ColumnTexts.NODE_COUNT) long nodeCount,
            @Description(ColumnTexts.RELATIONSHIP_COUNT) long relationshipCount,
            @Description("Milliseconds for filtering.") long projectMillis) {}

    /** Keeps a part of a graph under a name of its own. */
    @Procedure(name = "proxima.graph.filter", mode = Mode.READ)
    @Help(example = "CALL proxima.graph.filter('teachers', 'people', 'n:Teacher', '*')")
    @NotThreadSafe
    @Description("Creates a graph from the nodes and relationships of a projected graph that pass two"
            + " filters, and keeps it under its own name until it is dropped.")
    public Stream<FilterRow> filter(
            @Name(value = "graphName", description = "The name of the new graph.") String graphName,
            @Name(value = "fromGraphName", description = ColumnTexts.GRAPH_NAME) String fromGraphName,
            @Name(value = "nodeFilter", description = NODE_FILTER) String nodeFilter,
            @Name(value = "relationshipFilter", description = RELATIONSHIP_FILTER) String relationshipFilter,
            @Name(value = "configuration", defaultValue = "{}", description = KEYS) Map<String, Object> configuration) {
        return answer(caller -> {
            String name = GraphName.ofNew(graphName);
            Filter filter = Filter.read(caller, fromGraphName, nodeFilter, relationshipFilter, configuration);
            NewGraph graph = filter.graph;
            try (Job job = graph.begin(name, TASK);
                    GraphEntry entry = GraphCatalog.acquire(graph.viewer(), filter.from)) {
                job.beginTask(FILTER, 0);
                GraphProjection whole = entry.projection();
                Map<String, NodeProperty> properties = entry.properties();
                Passing passing = Passing.of(caller, filter.expressions, whole, properties);
                job.expectMemory(passing.memory(whole, properties, caller.stop()));
                GraphProjection part = passing.part.make(graph.concurrency(), caller.stop());
                List<NodeProperty> kept = properties.values().stream()
                        .map(property -> part.vertexCount() == whole.vertexCount()
                                ? property
                                : property.moved(whole.idMap(), part.idMap(), caller.stop()))
                        .toList();
                GraphEntry.Details from = entry.details();
                Map<String, Object> origin = new LinkedHashMap<>(filter.effective);
                origin.put(PARAMETERS.name(), filter.parameters);
                origin.put("fromGraphName", filter.from);
                origin.put("nodeFilter", nodeFilter);
                origin.put("relationshipFilter", relationshipFilter);
                Map<String, TypeSchema> types = new LinkedHashMap<>(from.types());
                types.keySet().retainAll(part.types());
                Map<String, TypeProjection> stored = new LinkedHashMap<>(from.stored());
                stored.keySet().removeAll(passing.typesByValue);
                graph.keep(
                        part,
                        kept,
                        types,
                        origin,
                        from.included(),
                        from.changes(),
                        from.projection() == null ? null : from.projection().filteredBy(filter.expressions),
                        stored);
                job.succeed();
                return Stream.of(new FilterRow(
                        name,
                        filter.from,
                        nodeFilter,
                        relationshipFilter,
                        part.vertexCount(),
                        part.relationshipCount(),
                        graph.millis()));
            }
        });
    }

    /** Estimates the memory of a filter. */
    @Procedure(name = "proxima.graph.filter.estimate", mode = Mode.READ)
    @Help(example = "CALL proxima.graph.filter.estimate('people', 'n:Teacher', '*')")
    @NotThreadSafe
    @Description("Returns the estimated peak memory of `proxima.graph.filter`.")
    public Stream<EstimateRow> estimate(
            @Name(value = "fromGraphName", description = ColumnTexts.GRAPH_NAME) String fromGraphName,
            @Name(value = "nodeFilter", description = NODE_FILTER) String nodeFilter,
            @Name(value = "relationshipFilter", description = RELATIONSHIP_FILTER) String relationshipFilter,
            @Name(value = "configuration", defaultValue = "{}", description = KEYS) Map<String, Object> configuration) {
        return answer(caller -> {
            Filter filter = Filter.read(caller, fromGraphName, nodeFilter, relationshipFilter, configuration);
            try (GraphEntry entry = GraphCatalog.acquire(filter.graph.viewer(), filter.from)) {
                Map<String, NodeProperty> properties = entry.properties();
                Passing passing = Passing.of(caller, filter.expressions, entry.projection(), properties);
                return Stream.of(EstimateRow.of(
                        passing.part.vertexCount(),
                        passing.part.relationshipCount(caller.stop()),
                        passing.memory(entry.projection(), properties, caller.stop())));
            }
        });
    }

    /** The arguments of both procedures, without the name of the new graph. */
    private record Filter(
            String from,
            GraphEntry.Filter expressions,
            Map<String, Object> parameters,
            NewGraph graph,
            Map<String, Object> effective) {

        static Filter read(
                Caller caller,
                String fromGraphName,
                String nodeFilter,
                String relationshipFilter,
                Map<String, Object> configuration) {
            ConfigReader reader = caller.read("configuration", configuration);
            String from = GraphName.ofExisting("fromGraphName", fromGraphName);
            Map<String, Object> parameters = readParameters(reader);
            ArgumentBudget budget = caller.arguments();
            return new Filter(
                    from,
                    new GraphEntry.Filter(
                            FilterExpression.parse(budget, "nodeFilter", "n", nodeFilter, parameters),
                            FilterExpression.parse(budget, "relationshipFilter", "r", relationshipFilter, parameters)),
                    parameters,
                    NewGraph.read(caller, Concurrency.CONCURRENCY, reader),
                    reader.finish());
        }
    }

    /**
     * What passes a filter, before it is made.
     *
     * @param typesByValue the types of which some relationships may not pass, because of their values
     */
    record Passing(GraphPart part, Set<String> typesByValue) {

        /**
         * Applies the filter of the nodes, and prepares that of the relationships.
         *
         * @param properties the node properties of the graph
         * @throws ProximaException if the graph lacks a label, type or property of the filter, or has values of parallel
         *     relationships that do not belong to each other
         */
        static Passing of(
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
            return new Passing(part, byValue.keySet());
        }

        private static NumberValue number(double value) {
            return Double.isNaN(value) ? null : Values.doubleValue(value);
        }

        private static void requireOneOrder(GraphProjection whole, String type) {
            if (whole.properties(type).size() > 1 && whole.isParallel(type)) {
                throw ProximaException.failed(
                        "`relationshipFilter` refers to values, but the relationships of the type `"
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
        MemoryTree memory(GraphProjection whole, Map<String, NodeProperty> properties, Stop stop) {
            long moved = part.vertexCount() == whole.vertexCount()
                    ? 0
                    : properties.size() * NodeProperty.movedBytes(part.vertexCount());
            return MemoryTree.together(FILTER.name(), part.memory(stop), MemoryTree.exactly("node properties", moved));
        }
    }
}

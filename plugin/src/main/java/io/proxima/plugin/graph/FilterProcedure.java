// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.ColumnTexts;
import io.proxima.plugin.call.Concurrency;
import io.proxima.plugin.call.EstimateRow;
import io.proxima.plugin.call.Help;
import io.proxima.plugin.call.Passing;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.config.ArgumentBudget;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.FilterExpression;
import io.proxima.plugin.config.GraphName;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.job.Job;
import io.proxima.projection.GraphProjection;
import io.proxima.projection.file.ExportedGraph.TypeSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** Creates a graph in the catalog from a part of another one. */
public final class FilterProcedure extends ProximaProcedure {

    private static final String NODE_FILTER =
            "'*', or labels and values as in 'n:Person AND NOT (n:Banned OR n.score < 0.5)'.";
    private static final String RELATIONSHIP_FILTER = "'*', or types and values as in 'r:KNOWS OR r.cost <= 2'.";
    private static final String KEYS =
            ColumnTexts.CONCURRENCY_KEY + "`parameters` = {}, `replace` = false, " + ColumnTexts.JOB_KEYS;
    private static final long[] NO_NODES = {};
    private static final Key<Object> PARAMETERS = Key.of(
            "parameters",
            "The values of the parameters in the filters, such as `{least: 0.5}` for `n.score > $least`.");

    private static final String TASK = "Graph Filter";

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
            reader.fault("The value of `parameters` must be a MAP from parameter to value, but it was "
                    + Shown.value(given) + ".");
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
            Arguments given = Arguments.read(caller, fromGraphName, nodeFilter, relationshipFilter, configuration);
            NewGraph graph = given.graph;
            try (Job job = graph.begin(name, TASK);
                    GraphEntry entry = graph.acquire(given.from)) {
                job.beginTask(Passing.TASK, 0);
                GraphProjection whole = entry.projection();
                Map<String, NodeProperty> properties = entry.properties();
                Passing passing = Passing.of(caller, given.expressions, whole, properties);
                job.expectMemory(passing.memory(whole, properties, caller.stop()));
                GraphProjection part = passing.part().make(graph.concurrency(), caller.stop());
                List<NodeProperty> kept = entry.carried(properties.values(), part, NO_NODES, caller.stop());
                GraphEntry.Details from = entry.details();
                Map<String, Object> origin = new LinkedHashMap<>(given.effective);
                origin.put(PARAMETERS.name(), given.parameters);
                origin.put("fromGraphName", given.from);
                origin.put("nodeFilter", nodeFilter);
                origin.put("relationshipFilter", relationshipFilter);
                Map<String, TypeSchema> types = new LinkedHashMap<>(from.types());
                types.keySet().retainAll(part.types());
                graph.keep(
                        part,
                        kept,
                        types,
                        origin,
                        from.mark(),
                        from.changes(),
                        from.nativeProjection() == null
                                ? null
                                : from.nativeProjection().filteredBy(given.expressions),
                        from.reading());
                job.succeed();
                return Stream.of(new FilterRow(
                        name,
                        given.from,
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
            Arguments given = Arguments.read(caller, fromGraphName, nodeFilter, relationshipFilter, configuration);
            try (GraphEntry entry = given.graph.acquire(given.from)) {
                Map<String, NodeProperty> properties = entry.properties();
                Passing passing = Passing.of(caller, given.expressions, entry.projection(), properties);
                return Stream.of(EstimateRow.of(
                        passing.part().vertexCount(),
                        passing.part().relationshipCount(caller.stop()),
                        passing.memory(entry.projection(), properties, caller.stop())));
            }
        });
    }

    /** The arguments of both procedures, without the name of the new graph. */
    private record Arguments(
            String from,
            GraphEntry.Filter expressions,
            Map<String, Object> parameters,
            NewGraph graph,
            Map<String, Object> effective) {

        static Arguments read(
                Caller caller,
                String fromGraphName,
                String nodeFilter,
                String relationshipFilter,
                Map<String, Object> configuration) {
            ConfigReader reader = caller.read("configuration", configuration);
            String from = GraphName.ofExisting("fromGraphName", fromGraphName);
            Map<String, Object> parameters = readParameters(reader);
            ArgumentBudget budget = caller.arguments();
            return new Arguments(
                    from,
                    new GraphEntry.Filter(
                            FilterExpression.parse(budget, "nodeFilter", "n", nodeFilter, parameters),
                            FilterExpression.parse(budget, "relationshipFilter", "r", relationshipFilter, parameters)),
                    parameters,
                    NewGraph.read(caller, Concurrency.CONCURRENCY, reader),
                    reader.finish());
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Task;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.ColumnTexts;
import io.proxima.plugin.call.Concurrency;
import io.proxima.plugin.call.EstimateRow;
import io.proxima.plugin.call.GraphRefresh;
import io.proxima.plugin.call.Help;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.call.Selected;
import io.proxima.plugin.catalog.GraphEntry;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Faults;
import io.proxima.plugin.config.FilterExpression;
import io.proxima.plugin.config.GraphName;
import io.proxima.plugin.job.Job;
import io.proxima.projection.GraphPart;
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

    private static final String NODE_FILTER = "'*', or labels as in 'n:Person AND NOT (n:Banned OR n:Left)'.";
    private static final String RELATIONSHIP_FILTER = "'*', or types as in 'r:KNOWS OR r:LIKES'.";
    private static final String KEYS = ColumnTexts.CONCURRENCY_KEY + "`replace` = false, " + ColumnTexts.JOB_KEYS;

    private static final String TASK = "Graph Filter";
    private static final Task FILTER = Task.of("Filter");

    /** Required by Neo4j. */
    public FilterProcedure() {}

    @Override
    public void readKeys(String name, Caller caller, Function<String, ConfigReader> arguments) {
        NewGraph.read(caller, Concurrency.CONCURRENCY, arguments.apply("configuration"));
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
                    GraphEntry entry = GraphRefresh.acquire(caller, graph.viewer(), filter.from)) {
                job.beginTask(FILTER, 0);
                GraphPart wanted = filter.part(caller, entry.projection());
                job.expectMemory(wanted.memory(caller.stop()));
                GraphProjection part = wanted.make(graph.concurrency(), caller.stop());
                Map<String, Object> origin = new LinkedHashMap<>(filter.effective);
                origin.put("fromGraphName", filter.from);
                origin.put("nodeFilter", nodeFilter);
                origin.put("relationshipFilter", relationshipFilter);
                Map<String, TypeSchema> types =
                        new LinkedHashMap<>(entry.details().types());
                types.keySet().retainAll(part.types());
                GraphEntry.Details from = entry.details();
                graph.keep(part, List.of(), types, origin, from.mark(), from.changes(), null, null, from.stored());
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
            try (GraphEntry entry = GraphRefresh.acquire(caller, filter.graph.viewer(), filter.from)) {
                GraphPart part = filter.part(caller, entry.projection());
                return Stream.of(EstimateRow.of(
                        part.vertexCount(),
                        part.relationshipCount(caller.stop()),
                        part.memory(caller.stop()).named(FILTER.name())));
            }
        });
    }

    /** The arguments of both procedures, without the name of the new graph. */
    record Filter(
            String from,
            FilterExpression nodes,
            FilterExpression relationships,
            NewGraph graph,
            Map<String, Object> effective) {

        static Filter read(
                Caller caller,
                String fromGraphName,
                String nodeFilter,
                String relationshipFilter,
                Map<String, Object> configuration) {
            ConfigReader reader = caller.read("configuration", configuration);
            return new Filter(
                    GraphName.ofExisting("fromGraphName", fromGraphName),
                    FilterExpression.parse(caller.arguments(), "nodeFilter", "n", nodeFilter),
                    FilterExpression.parse(caller.arguments(), "relationshipFilter", "r", relationshipFilter),
                    NewGraph.read(caller, Concurrency.CONCURRENCY, reader),
                    reader.finish());
        }

        GraphPart part(Caller caller, GraphProjection whole) {
            Faults faults = new Faults();
            Selected.requireKnown(nodes.names(), whole.labels(), "`nodeFilter`", Selected.AVAILABLE_LABELS, faults);
            Selected.requireKnown(
                    relationships.names(), whole.types(), "`relationshipFilter`", Selected.AVAILABLE_TYPES, faults);
            faults.throwIfAny();
            List<String> types = whole.types().stream()
                    .filter(type -> relationships.test(type::equals))
                    .toList();
            PacedStop paced = new PacedStop(caller.stop());
            return whole.part(
                    vertex -> {
                        paced.worked(nodes.termCount());
                        return nodes.test(label -> whole.hasLabel(vertex, label));
                    },
                    types,
                    caller.stop());
        }
    }
}

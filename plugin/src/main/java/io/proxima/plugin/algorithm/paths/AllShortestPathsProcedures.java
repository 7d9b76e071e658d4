// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import static io.proxima.plugin.call.Call.Mode.MUTATE;
import static io.proxima.plugin.call.Call.Mode.STATS;
import static io.proxima.plugin.call.Call.Mode.STREAM;
import static io.proxima.plugin.call.Call.Mode.WRITE;
import static io.proxima.plugin.call.ColumnTexts.BATCHES;
import static io.proxima.plugin.call.ColumnTexts.COMMON_KEYS;
import static io.proxima.plugin.call.ColumnTexts.COMPUTE_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.CONFIGURATION_COLUMN;
import static io.proxima.plugin.call.ColumnTexts.ERROR_MESSAGES;
import static io.proxima.plugin.call.ColumnTexts.GRAPH_NAME;
import static io.proxima.plugin.call.ColumnTexts.GRAPH_OR_MAP;
import static io.proxima.plugin.call.ColumnTexts.MUTATE_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.MUTATE_PROPERTY_KEY;
import static io.proxima.plugin.call.ColumnTexts.NODES_SKIPPED;
import static io.proxima.plugin.call.ColumnTexts.NODE_PROPERTIES_MUTATED;
import static io.proxima.plugin.call.ColumnTexts.NODE_PROPERTIES_WRITTEN;
import static io.proxima.plugin.call.ColumnTexts.POST_PROCESSING_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.PRE_PROCESSING_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.RETRIES;
import static io.proxima.plugin.call.ColumnTexts.WRITE_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.WRITE_PROPERTY_KEYS;

import io.proxima.plugin.algorithm.StoredPaths;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.AlgorithmProcedures;
import io.proxima.plugin.call.CallKeys;
import io.proxima.plugin.call.EstimateRow;
import io.proxima.plugin.call.Help;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.neo4j.graphdb.Path;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** Shortest paths from one node, by delta-stepping. */
@Help(page = "all-shortest-paths", property = "cost")
public final class AllShortestPathsProcedures extends AlgorithmProcedures<AllShortestPathsProcedures.StreamRow> {

    private static final String KEYS =
            "`sourceNode` (mandatory), `targetNodes` = [] (all nodes), `maxCost` (none if left out),"
                    + " `relationshipWeightProperty`, `delta`, ";

    private static final String REACHED =
            "The number of nodes reached, including the source, or of those among the `targetNodes`.";

    private static final String READ_KEYS = KEYS + COMMON_KEYS;
    private static final String MUTATE_KEYS = KEYS + MUTATE_PROPERTY_KEY + COMMON_KEYS;
    private static final String WRITE_KEYS = KEYS + WRITE_PROPERTY_KEYS + COMMON_KEYS;

    @Override
    protected Algorithm<StreamRow> read(CallKeys keys) {
        return AllShortestPaths.read(keys);
    }

    /** A node and the shortest path to it. */
    public record StreamRow(
            @Description("The number of the row, from 0.") long index,
            @Description("The id of the source.") long sourceNode,
            @Description("The id of the node.") long targetNode,

            @Description("The sum of the weights on the shortest path to the node.")
            double totalCost,

            @Description("The ids of the nodes on the path, from the source to the node.")
            List<Long> nodeIds,

            @Description("For each node on the path, the cost of the path to it.")
            List<Double> costs,

            @Description("The path, of stored relationships.")
            Path path)
            implements StoredPaths.Row {}

    /** Statistics of a search. */
    public record StatsRow(
            @Description(REACHED) long nodesReached,
            @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(COMPUTE_MILLIS) long computeMillis,
            @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** Statistics of a search, and the property added to the graph. */
    public record MutateRow(
            @Description(NODE_PROPERTIES_MUTATED) long nodePropertiesWritten,
            @Description(MUTATE_MILLIS) long mutateMillis,
            @Description(REACHED) long nodesReached,
            @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(COMPUTE_MILLIS) long computeMillis,
            @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** Statistics of a search, and the property written. */
    public record WriteRow(
            @Description(NODE_PROPERTIES_WRITTEN) long nodePropertiesWritten,
            @Description(WRITE_MILLIS) long writeMillis,
            @Description(REACHED) long nodesReached,
            @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(COMPUTE_MILLIS) long computeMillis,
            @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration,
            @Description(NODES_SKIPPED) long nodesSkipped,
            @Description(BATCHES) long batches,
            @Description(RETRIES) long retries,
            @Description(ERROR_MESSAGES) Map<String, Object> errorMessages) {}

    /** Streams the paths. */
    @Procedure(name = "proxima.allShortestPaths.delta.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the shortest path from a source to each `NODE` that it reaches, and its cost: the sum of the"
            + " weights of its relationships.")
    public Stream<StreamRow> stream(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STREAM).stream(graphName, config);
    }

    @Procedure(name = "proxima.allShortestPaths.delta.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.allShortestPaths.delta.stream`.")
    public Stream<EstimateRow> streamEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STREAM).estimate(graph, config);
    }

    /** Returns statistics of the search. */
    @Procedure(name = "proxima.allShortestPaths.delta.stats", mode = Mode.READ)
    @NotThreadSafe
    @Description(
            "Returns the number of nodes that a source reaches, and the times of the search for the shortest paths.")
    public Stream<StatsRow> stats(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STATS).row(StatsRow.class, graphName, config);
    }

    @Procedure(name = "proxima.allShortestPaths.delta.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.allShortestPaths.delta.stats`.")
    public Stream<EstimateRow> statsEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STATS).estimate(graph, config);
    }

    /** Adds the costs to the graph as a property of its nodes. */
    @Procedure(name = "proxima.allShortestPaths.delta.mutate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Adds to each `NODE` of the in-memory graph the cost of the shortest path from a source to it, as a"
            + " `FLOAT` property.")
    public Stream<MutateRow> mutate(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS) Map<String, Object> config) {
        return call(MUTATE).row(MutateRow.class, graphName, config);
    }

    @Procedure(name = "proxima.allShortestPaths.delta.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.allShortestPaths.delta.mutate`.")
    public Stream<EstimateRow> mutateEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS) Map<String, Object> config) {
        return call(MUTATE).estimate(graph, config);
    }

    /** Writes the costs as a property. */
    @Procedure(name = "proxima.allShortestPaths.delta.write", mode = Mode.WRITE)
    @NotThreadSafe
    @Description("Writes to each `NODE` the cost of the shortest path from a source to it, as a `FLOAT` property, and"
            + " removes the property from unreached nodes.")
    public Stream<WriteRow> write(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return call(WRITE).row(WriteRow.class, graphName, config);
    }

    @Procedure(name = "proxima.allShortestPaths.delta.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.allShortestPaths.delta.write`.")
    public Stream<EstimateRow> writeEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return call(WRITE).estimate(graph, config);
    }
}

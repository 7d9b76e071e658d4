// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import static io.proxima.plugin.call.Call.Mode.STATS;
import static io.proxima.plugin.call.Call.Mode.STREAM;
import static io.proxima.plugin.call.ColumnTexts.COMMON_KEYS;
import static io.proxima.plugin.call.ColumnTexts.COMPUTE_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.CONFIGURATION_COLUMN;
import static io.proxima.plugin.call.ColumnTexts.GRAPH_NAME;
import static io.proxima.plugin.call.ColumnTexts.GRAPH_OR_MAP;
import static io.proxima.plugin.call.ColumnTexts.INCLUDE_UNREACHED_KEY;
import static io.proxima.plugin.call.ColumnTexts.POST_PROCESSING_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.PRE_PROCESSING_MILLIS;

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

/** The shortest paths between the nodes of two sets. */
@Help(page = "shortest-path")
public final class ShortestPathProcedures extends AlgorithmProcedures<ShortestPathProcedures.StreamRow> {

    private static final String KEYS = "`sourceNode` or `sourceNodes` (mandatory), `targetNode` or `targetNodes`"
            + " (mandatory), `relationshipWeightProperty`, `maxDepth` = -1, `maxCost` (none if left out), `paths` ="
            + " 'one', `limit`, ";
    private static final String STREAM_KEYS = KEYS + INCLUDE_UNREACHED_KEY + COMMON_KEYS;
    private static final String STATS_KEYS = KEYS + COMMON_KEYS;

    @Override
    protected Algorithm<StreamRow> read(CallKeys keys) {
        return ShortestPath.read(keys);
    }

    /** A shortest path of a pair. */
    public record StreamRow(
            @Description("The number of the row, from 0.") long index,
            @Description("The id of the source.") long sourceNode,
            @Description("The id of the target.") long targetNode,

            @Description(
                    "The sum of the weights of the path, or its number of relationships; null if there is no path.")
            Double totalCost,

            @Description("The ids of the nodes on the path, from the source to the target.")
            List<Long> nodeIds,

            @Description("For each node on the path, the cost of the path to it.")
            List<Double> costs,

            @Description("The path, of stored relationships.")
            Path path,

            @Description("The number of shortest paths of the pair, as sequences of nodes.")
            double pathCount)
            implements StoredPaths.Row {}

    /** Statistics of the pairs. */
    public record StatsRow(
            @Description("The number of pairs of a source and a target.")
            long pairs,

            @Description("The number of pairs with a path.") long pairsConnected,

            @Description("The mean cost of the shortest paths of these pairs; 0.0 if there are none.")
            double meanCost,

            @Description("The greatest cost of a shortest path of these pairs; 0.0 if there are none.")
            double greatestCost,

            @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(COMPUTE_MILLIS) long computeMillis,
            @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** Streams the result. */
    @Procedure(name = "proxima.shortestPath.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description(
            "Returns for each pair of a source `NODE` and a target `NODE` a shortest path, or all of them, with its"
                    + " stored relationships.")
    public Stream<StreamRow> stream(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = STREAM_KEYS) Map<String, Object> config) {
        return call(STREAM).stream(graphName, config);
    }

    @Procedure(name = "proxima.shortestPath.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.shortestPath.stream`.")
    public Stream<EstimateRow> streamEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = STREAM_KEYS) Map<String, Object> config) {
        return call(STREAM).estimate(graph, config);
    }

    /** Returns statistics of the result. */
    @Procedure(name = "proxima.shortestPath.stats", mode = Mode.READ)
    @NotThreadSafe
    @Description(
            "Returns the number of pairs of a source and a target `NODE` that a path connects, and the costs of their"
                    + " shortest paths.")
    public Stream<StatsRow> stats(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = STATS_KEYS) Map<String, Object> config) {
        return call(STATS).row(StatsRow.class, graphName, config);
    }

    @Procedure(name = "proxima.shortestPath.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.shortestPath.stats`.")
    public Stream<EstimateRow> statsEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = STATS_KEYS) Map<String, Object> config) {
        return call(STATS).estimate(graph, config);
    }
}

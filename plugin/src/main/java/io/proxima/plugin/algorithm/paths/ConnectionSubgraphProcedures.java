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
import static io.proxima.plugin.call.ColumnTexts.POST_PROCESSING_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.PRE_PROCESSING_MILLIS;

import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.AlgorithmProcedures;
import io.proxima.plugin.call.CallKeys;
import io.proxima.plugin.call.EstimateRow;
import io.proxima.plugin.call.Help;
import java.util.Map;
import java.util.stream.Stream;
import org.neo4j.graphdb.Relationship;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** The relationships that connect two sets of nodes. */
@Help(page = "connection-subgraph")
public final class ConnectionSubgraphProcedures extends AlgorithmProcedures<ConnectionSubgraphProcedures.StreamRow> {

    private static final String KEYS = "`sourceNode` or `sourceNodes` (mandatory), `targetNode` or `targetNodes`"
            + " (mandatory), `relationshipWeightProperty`, `maxDepth` = -1, `maxCost` (none if left out), ";
    private static final String STREAM_KEYS = KEYS + COMMON_KEYS;
    private static final String STATS_KEYS = STREAM_KEYS;

    @Override
    protected Algorithm<StreamRow> read(CallKeys keys) {
        return ConnectionSubgraph.read(keys);
    }

    /** A relationship on a walk from a source to a target. */
    public record StreamRow(
            @Description("The stored relationship.") Relationship relationship,

            @Description("The id of the node at which the walk enters the relationship.")
            long startNode,

            @Description("The id of the node at which the walk leaves the relationship.")
            long endNode,

            @Description("The weight of the relationship; 1.0 without weights.")
            double weight,

            @Description("The cost of the shortest path from the nearest source to `startNode`.")
            double fromSource,

            @Description("The cost of the shortest path from `endNode` to the nearest target.")
            double toTarget,

            @Description("The number of shortest walks between the two sets, as sequences of nodes, that lead from"
                    + " `startNode` to `endNode`; 0.0 if they all avoid it.")
            double pathCount) {}

    /** The size of the subgraph. */
    public record StatsRow(
            @Description("The number of relationships.") long relationshipCount,

            @Description("The number of nodes of these relationships.")
            long nodeCount,

            @Description("The least cost of a path from a source to a target; null if there is no path.")
            Double leastCost,

            @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(COMPUTE_MILLIS) long computeMillis,
            @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** Streams the result. */
    @Procedure(name = "proxima.connectionSubgraph.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description(
            "Returns each stored relationship on a walk from a source `NODE` to a target `NODE` that is no longer than a"
                    + " limit. Without a limit, each on a shortest walk between the two sets.")
    public Stream<StreamRow> stream(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = STREAM_KEYS) Map<String, Object> config) {
        return call(STREAM).stream(graphName, config);
    }

    @Procedure(name = "proxima.connectionSubgraph.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.connectionSubgraph.stream`.")
    public Stream<EstimateRow> streamEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = STREAM_KEYS) Map<String, Object> config) {
        return call(STREAM).estimate(graph, config);
    }

    /** Returns statistics of the result. */
    @Procedure(name = "proxima.connectionSubgraph.stats", mode = Mode.READ)
    @NotThreadSafe
    @Description(
            "Returns the number of relationships and nodes on walks from a source to a target `NODE` that are no longer"
                    + " than a limit.")
    public Stream<StatsRow> stats(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = STATS_KEYS) Map<String, Object> config) {
        return call(STATS).row(StatsRow.class, graphName, config);
    }

    @Procedure(name = "proxima.connectionSubgraph.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.connectionSubgraph.stats`.")
    public Stream<EstimateRow> statsEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = STATS_KEYS) Map<String, Object> config) {
        return call(STATS).estimate(graph, config);
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.bfs;

import static io.proxima.plugin.call.Algorithm.Mode.MUTATE;
import static io.proxima.plugin.call.Algorithm.Mode.STATS;
import static io.proxima.plugin.call.Algorithm.Mode.STREAM;
import static io.proxima.plugin.call.Algorithm.Mode.WRITE;

import io.proxima.plugin.call.ColumnTexts;
import io.proxima.plugin.call.EstimateRow;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.call.WriteRow;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** Distances from one node, by a breadth-first search. */
public final class BfsProcedures extends ProximaProcedure {

    private static final String KEYS = "`sourceNode` (mandatory), `maxDepth` = -1, `targetNodes` = [], ";

    private static final String PARENT_KEY = "`parentProperty` (none if left out), ";

    private static final String STREAM_KEYS = KEYS + ColumnTexts.INCLUDE_UNREACHED_KEY + ColumnTexts.COMMON_KEYS;
    private static final String STATS_KEYS = KEYS + ColumnTexts.COMMON_KEYS;
    private static final String MUTATE_KEYS = KEYS + ColumnTexts.MUTATE_KEYS + PARENT_KEY + ColumnTexts.COMMON_KEYS;
    private static final String WRITE_KEYS = KEYS + ColumnTexts.WRITE_KEYS + PARENT_KEY + ColumnTexts.COMMON_KEYS;

    /** Required by Neo4j. */
    public BfsProcedures() {}

    /** A node and its distance. */
    public record StreamRow(
            @Description("The id of the node; `proxima.util.asNode` returns the `NODE`.")
            long nodeId,

            @Description("The number of hops from the source; -1 for an unreached node.")
            long distance,

            @Description("The smallest id of the nodes that are one hop nearer to the source and have a relationship to"
                    + " this node; null for the source and for unreached nodes.")
            Long parent) {}

    /** Statistics of a search. */
    public record StatsRow(
            @Description(ColumnTexts.DEPTH) long depth,
            @Description(ColumnTexts.NODES_REACHED) long nodesReached,
            @Description(ColumnTexts.HOPS_FROM_SOURCE) List<Long> hopDistribution,
            @Description(ColumnTexts.POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(ColumnTexts.PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(ColumnTexts.COMPUTE_MILLIS) long computeMillis,
            @Description(ColumnTexts.CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** The result of a search, and the property added to the graph. */
    public record MutateRow(
            @Description(ColumnTexts.NODE_PROPERTIES_MUTATED)
            long nodePropertiesWritten,

            @Description(ColumnTexts.MUTATE_MILLIS) long mutateMillis,
            @Description(ColumnTexts.DEPTH) long depth,
            @Description(ColumnTexts.NODES_REACHED) long nodesReached,
            @Description(ColumnTexts.HOPS_FROM_SOURCE) List<Long> hopDistribution,
            @Description(ColumnTexts.POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(ColumnTexts.PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(ColumnTexts.COMPUTE_MILLIS) long computeMillis,
            @Description(ColumnTexts.CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** The result of a search, and the property written. */
    public record WriteRow(
            @Description(ColumnTexts.NODE_PROPERTIES_WRITTEN)
            long nodePropertiesWritten,

            @Description(ColumnTexts.WRITE_MILLIS) long writeMillis,
            @Description(ColumnTexts.DEPTH) long depth,
            @Description(ColumnTexts.NODES_REACHED) long nodesReached,
            @Description(ColumnTexts.HOPS_FROM_SOURCE) List<Long> hopDistribution,
            @Description(ColumnTexts.POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(ColumnTexts.PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(ColumnTexts.COMPUTE_MILLIS) long computeMillis,
            @Description(ColumnTexts.CONFIGURATION_COLUMN) Map<String, Object> configuration,
            @Description(ColumnTexts.NODES_SKIPPED) long nodesSkipped,
            @Description(ColumnTexts.BATCHES) long batches,
            @Description(ColumnTexts.RETRIES) long retries,
            @Description(ColumnTexts.ERROR_MESSAGES) Map<String, Object> errorMessages) {}

    /** Streams the levels. */
    @Procedure(name = "proxima.bfs.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the nodes that a breadth-first search from the source `NODE` reaches, with their number"
            + " of hops from it and their parent in the search tree.")
    public Stream<StreamRow> stream(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = STREAM_KEYS) Map<String, Object> config) {
        return new Bfs(caller(), STREAM).stream(graphName, config);
    }

    @Procedure(name = "proxima.bfs.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.bfs.stream`.")
    public Stream<EstimateRow> streamEstimate(
            @Name(value = "graphNameOrConfiguration", description = ColumnTexts.GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = STREAM_KEYS) Map<String, Object> config) {
        return new Bfs(caller(), STREAM).estimate(graph, config);
    }

    /** Returns statistics of the search. */
    @Procedure(name = "proxima.bfs.stats", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the depth of a breadth-first search from the source `NODE` and the number of nodes at"
            + " each distance.")
    public Stream<StatsRow> stats(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = STATS_KEYS) Map<String, Object> config) {
        return new Bfs(caller(), STATS).row(StatsRow.class, graphName, config);
    }

    @Procedure(name = "proxima.bfs.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.bfs.stats`.")
    public Stream<EstimateRow> statsEstimate(
            @Name(value = "graphNameOrConfiguration", description = ColumnTexts.GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = STATS_KEYS) Map<String, Object> config) {
        return new Bfs(caller(), STATS).estimate(graph, config);
    }

    /** Adds the levels to the graph as a property of its nodes. */
    @Procedure(name = "proxima.bfs.mutate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Adds to each `NODE` of the in-memory graph its number of hops from the source `NODE`, as an `INTEGER`"
            + " property; -1 for unreached nodes. Optionally adds the id of the parent in the search tree, too.")
    public Stream<MutateRow> mutate(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS) Map<String, Object> config) {
        return new Bfs(caller(), MUTATE).row(MutateRow.class, graphName, config);
    }

    @Procedure(name = "proxima.bfs.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.bfs.mutate`.")
    public Stream<EstimateRow> mutateEstimate(
            @Name(value = "graphNameOrConfiguration", description = ColumnTexts.GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS) Map<String, Object> config) {
        return new Bfs(caller(), MUTATE).estimate(graph, config);
    }

    /** Writes the levels as a property. */
    @Procedure(name = "proxima.bfs.write", mode = Mode.WRITE)
    @NotThreadSafe
    @Description("Writes to each `NODE` its number of hops from the source `NODE`, as an `INTEGER`"
            + " property, and optionally the id of its parent in the search tree. Removes the properties from"
            + " nodes without a value.")
    public Stream<WriteRow> write(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return new Bfs(caller(), WRITE).row(WriteRow.class, graphName, config);
    }

    @Procedure(name = "proxima.bfs.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.bfs.write`.")
    public Stream<EstimateRow> writeEstimate(
            @Name(value = "graphNameOrConfiguration", description = ColumnTexts.GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return new Bfs(caller(), WRITE).estimate(graph, config);
    }
}

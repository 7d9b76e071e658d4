// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.bfs;

import static io.proxima.plugin.call.Call.Mode.MUTATE;
import static io.proxima.plugin.call.Call.Mode.STATS;
import static io.proxima.plugin.call.Call.Mode.STREAM;
import static io.proxima.plugin.call.Call.Mode.WRITE;
import static io.proxima.plugin.call.ColumnTexts.BATCHES;
import static io.proxima.plugin.call.ColumnTexts.COMMON_KEYS;
import static io.proxima.plugin.call.ColumnTexts.COMPUTE_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.CONFIGURATION_COLUMN;
import static io.proxima.plugin.call.ColumnTexts.DEPTH;
import static io.proxima.plugin.call.ColumnTexts.ERROR_MESSAGES;
import static io.proxima.plugin.call.ColumnTexts.GRAPH_NAME;
import static io.proxima.plugin.call.ColumnTexts.GRAPH_OR_MAP;
import static io.proxima.plugin.call.ColumnTexts.HOPS_FROM_SOURCE;
import static io.proxima.plugin.call.ColumnTexts.INCLUDE_UNREACHED_KEY;
import static io.proxima.plugin.call.ColumnTexts.MUTATE_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.MUTATE_PROPERTY_KEY;
import static io.proxima.plugin.call.ColumnTexts.NODES_REACHED;
import static io.proxima.plugin.call.ColumnTexts.NODES_SKIPPED;
import static io.proxima.plugin.call.ColumnTexts.NODE_ID;
import static io.proxima.plugin.call.ColumnTexts.NODE_PROPERTIES_MUTATED;
import static io.proxima.plugin.call.ColumnTexts.NODE_PROPERTIES_WRITTEN;
import static io.proxima.plugin.call.ColumnTexts.PARENT;
import static io.proxima.plugin.call.ColumnTexts.PATH_FROM_SOURCE;
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

/** Distances from one node, by a breadth-first search. */
@Help(property = "hops")
public final class BfsProcedures extends AlgorithmProcedures<BfsProcedures.StreamRow> {

    private static final String KEYS = "`sourceNode` (mandatory), `maxDepth` = -1, `targetNodes` = [], ";

    private static final String PARENT_KEY = "`parentProperty` (none if left out), ";

    private static final String STREAM_KEYS = KEYS + INCLUDE_UNREACHED_KEY + COMMON_KEYS;
    private static final String STATS_KEYS = KEYS + COMMON_KEYS;
    private static final String MUTATE_KEYS = KEYS + MUTATE_PROPERTY_KEY + PARENT_KEY + COMMON_KEYS;
    private static final String WRITE_KEYS = KEYS + WRITE_PROPERTY_KEYS + PARENT_KEY + COMMON_KEYS;

    @Override
    protected Algorithm<StreamRow> read(CallKeys keys) {
        return Bfs.read(keys);
    }

    /** A node and its distance. */
    public record StreamRow(
            @Description(NODE_ID) long nodeId,

            @Description("The number of hops from the source; -1 for an unreached node.")
            long distance,

            @Description(PARENT) Long parent,

            @Description(PATH_FROM_SOURCE) Path path)
            implements StoredPaths.Row {}

    /** Statistics of a search. */
    public record StatsRow(
            @Description(DEPTH) long depth,
            @Description(NODES_REACHED) long nodesReached,
            @Description(HOPS_FROM_SOURCE) List<Long> hopDistribution,
            @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(COMPUTE_MILLIS) long computeMillis,
            @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** The result of a search, and the property added to the graph. */
    public record MutateRow(
            @Description(NODE_PROPERTIES_MUTATED) long nodePropertiesWritten,
            @Description(MUTATE_MILLIS) long mutateMillis,
            @Description(DEPTH) long depth,
            @Description(NODES_REACHED) long nodesReached,
            @Description(HOPS_FROM_SOURCE) List<Long> hopDistribution,
            @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(COMPUTE_MILLIS) long computeMillis,
            @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** The result of a search, and the property written. */
    public record WriteRow(
            @Description(NODE_PROPERTIES_WRITTEN) long nodePropertiesWritten,
            @Description(WRITE_MILLIS) long writeMillis,
            @Description(DEPTH) long depth,
            @Description(NODES_REACHED) long nodesReached,
            @Description(HOPS_FROM_SOURCE) List<Long> hopDistribution,
            @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(COMPUTE_MILLIS) long computeMillis,
            @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration,
            @Description(NODES_SKIPPED) long nodesSkipped,
            @Description(BATCHES) long batches,
            @Description(RETRIES) long retries,
            @Description(ERROR_MESSAGES) Map<String, Object> errorMessages) {}

    /** Streams the levels. */
    @Procedure(name = "proxima.bfs.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the nodes that a breadth-first search from the source `NODE` reaches, with their number"
            + " of hops from it, their parent in the search tree and the path to them.")
    public Stream<StreamRow> stream(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = STREAM_KEYS) Map<String, Object> config) {
        return call(STREAM).stream(graphName, config);
    }

    @Procedure(name = "proxima.bfs.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.bfs.stream`.")
    public Stream<EstimateRow> streamEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = STREAM_KEYS) Map<String, Object> config) {
        return call(STREAM).estimate(graph, config);
    }

    /** Returns statistics of the search. */
    @Procedure(name = "proxima.bfs.stats", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the depth of a breadth-first search from the source `NODE` and the number of nodes at"
            + " each distance.")
    public Stream<StatsRow> stats(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = STATS_KEYS) Map<String, Object> config) {
        return call(STATS).row(StatsRow.class, graphName, config);
    }

    @Procedure(name = "proxima.bfs.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.bfs.stats`.")
    public Stream<EstimateRow> statsEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = STATS_KEYS) Map<String, Object> config) {
        return call(STATS).estimate(graph, config);
    }

    /** Adds the levels to the graph as a property of its nodes. */
    @Procedure(name = "proxima.bfs.mutate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Adds to each `NODE` of the in-memory graph its number of hops from the source `NODE`, as an `INTEGER`"
            + " property; -1 for unreached nodes. Optionally adds the id of the parent in the search tree, too.")
    public Stream<MutateRow> mutate(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS) Map<String, Object> config) {
        return call(MUTATE).row(MutateRow.class, graphName, config);
    }

    @Procedure(name = "proxima.bfs.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.bfs.mutate`.")
    public Stream<EstimateRow> mutateEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS) Map<String, Object> config) {
        return call(MUTATE).estimate(graph, config);
    }

    /** Writes the levels as a property. */
    @Procedure(name = "proxima.bfs.write", mode = Mode.WRITE)
    @NotThreadSafe
    @Description("Writes to each `NODE` its number of hops from the source `NODE`, as an `INTEGER`"
            + " property, and optionally the id of its parent in the search tree. Removes the properties from"
            + " nodes without a value.")
    public Stream<WriteRow> write(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return call(WRITE).row(WriteRow.class, graphName, config);
    }

    @Procedure(name = "proxima.bfs.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.bfs.write`.")
    public Stream<EstimateRow> writeEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return call(WRITE).estimate(graph, config);
    }
}

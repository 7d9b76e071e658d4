// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.nearest;

import static io.proxima.plugin.call.Call.Mode.MUTATE;
import static io.proxima.plugin.call.Call.Mode.STATS;
import static io.proxima.plugin.call.Call.Mode.STREAM;
import static io.proxima.plugin.call.Call.Mode.WRITE;
import static io.proxima.plugin.call.ColumnTexts.COMMON_KEYS;
import static io.proxima.plugin.call.ColumnTexts.COMPUTE_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.CONFIGURATION_COLUMN;
import static io.proxima.plugin.call.ColumnTexts.COST_KEYS;
import static io.proxima.plugin.call.ColumnTexts.GRAPH_NAME;
import static io.proxima.plugin.call.ColumnTexts.GRAPH_OR_MAP;
import static io.proxima.plugin.call.ColumnTexts.INCLUDE_UNREACHED_KEY;
import static io.proxima.plugin.call.ColumnTexts.MUTATE_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.MUTATE_PROPERTY_KEY;
import static io.proxima.plugin.call.ColumnTexts.NODE_ID;
import static io.proxima.plugin.call.ColumnTexts.NODE_PROPERTIES_MUTATED;
import static io.proxima.plugin.call.ColumnTexts.PARENT;
import static io.proxima.plugin.call.ColumnTexts.PATH_FROM_SOURCE;
import static io.proxima.plugin.call.ColumnTexts.POST_PROCESSING_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.PRE_PROCESSING_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.WRITE_PROPERTY_KEYS;

import io.proxima.plugin.algorithm.StoredPaths;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.AlgorithmProcedures;
import io.proxima.plugin.call.CallKeys;
import io.proxima.plugin.call.EstimateRow;
import io.proxima.plugin.call.Help;
import io.proxima.plugin.call.WriteRow;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.neo4j.graphdb.Path;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** The nearest of several sources, for every node. */
@Help(property = "hops")
public final class NearestProcedures extends AlgorithmProcedures<NearestProcedures.StreamRow> {

    private static final String KEYS = "`sourceNodes` (mandatory), `maxDepth` = -1, " + COST_KEYS;

    private static final String SOURCE_KEY = "`nearestSourceProperty` (none if left out), ";

    private static final String STREAM_KEYS = KEYS + INCLUDE_UNREACHED_KEY + COMMON_KEYS;
    private static final String STATS_KEYS = KEYS + COMMON_KEYS;
    private static final String MUTATE_KEYS = KEYS + MUTATE_PROPERTY_KEY + SOURCE_KEY + COMMON_KEYS;
    private static final String WRITE_KEYS = KEYS + WRITE_PROPERTY_KEYS + SOURCE_KEY + COMMON_KEYS;

    @Override
    protected Algorithm<StreamRow> read(CallKeys keys) {
        return Nearest.read(keys);
    }

    /** A node and its nearest source. */
    public record StreamRow(
            @Description(NODE_ID) long nodeId,

            @Description("The id of the nearest source, or of the earliest in the list if several are equally near;"
                    + " null for a node that no source reaches.")
            Long nearestSource,

            @Description(
                    "The number of hops from that source; -1 for a node that no source reaches. Null with weights.")
            Long distance,

            @Description("The cost of the cheapest path from that source; null without weights, and for a node that no"
                    + " source reaches.")
            Double cost,

            @Description(
                    "The number of sources at this distance or cost: 1 if `nearestSource` is the only one, 0 for a node"
                            + " that no source reaches.")
            long ties,

            @Description(PARENT) Long parent,

            @Description(PATH_FROM_SOURCE) Path path)
            implements StoredPaths.Row {}

    /** Statistics of the distances. */
    public record StatsRow(
            @Description("The greatest distance of a node from its nearest source, or with weights the greatest cost.")
            Number depth,

            @Description("The number of nodes that a source reaches, including the sources.")
            long nodesReached,

            @Description("The number of nodes to which several sources are equally near.")
            long nodesTied,

            @Description("The mean distance, or with weights the mean cost, of the nodes from their nearest source,"
                    + " without the sources; 0.0 if no other node is reached.")
            double meanDistance,

            @Description("The number of nodes at each distance from their nearest source, from distance 0 (the"
                    + " sources). Empty with weights.")
            List<Long> hopDistribution,

            @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(COMPUTE_MILLIS) long computeMillis,
            @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** The result of adding properties. */
    public record MutateRow(
            @Description(NODE_PROPERTIES_MUTATED) long nodePropertiesWritten,
            @Description(MUTATE_MILLIS) long mutateMillis,
            @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(COMPUTE_MILLIS) long computeMillis,
            @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** Streams the nodes that a source reaches. */
    @Procedure(name = "proxima.distances.nearest.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the nearest source of each `NODE` that a source reaches, and the number of hops from it.")
    public Stream<StreamRow> stream(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = STREAM_KEYS) Map<String, Object> config) {
        return call(STREAM).stream(graphName, config);
    }

    @Procedure(name = "proxima.distances.nearest.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.distances.nearest.stream`.")
    public Stream<EstimateRow> streamEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = STREAM_KEYS) Map<String, Object> config) {
        return call(STREAM).estimate(graph, config);
    }

    /** Returns statistics of the distances. */
    @Procedure(name = "proxima.distances.nearest.stats", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns statistics of the number of hops of each `NODE` from the nearest of several sources, and the"
            + " number of nodes to which several sources are equally near.")
    public Stream<StatsRow> stats(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = STATS_KEYS) Map<String, Object> config) {
        return call(STATS).row(StatsRow.class, graphName, config);
    }

    @Procedure(name = "proxima.distances.nearest.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.distances.nearest.stats`.")
    public Stream<EstimateRow> statsEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = STATS_KEYS) Map<String, Object> config) {
        return call(STATS).estimate(graph, config);
    }

    /** Adds the distances and, if requested, the sources to the graph as node properties. */
    @Procedure(name = "proxima.distances.nearest.mutate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Adds to each `NODE` of the in-memory graph its number of hops from the nearest source, as"
            + " an `INTEGER` property, and optionally the id of that source; -1 for nodes that no source"
            + " reaches.")
    public Stream<MutateRow> mutate(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS) Map<String, Object> config) {
        return call(MUTATE).row(MutateRow.class, graphName, config);
    }

    @Procedure(name = "proxima.distances.nearest.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.distances.nearest.mutate`.")
    public Stream<EstimateRow> mutateEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS) Map<String, Object> config) {
        return call(MUTATE).estimate(graph, config);
    }

    /** Writes the distances as a property. */
    @Procedure(name = "proxima.distances.nearest.write", mode = Mode.WRITE)
    @NotThreadSafe
    @Description("Writes to each `NODE` its number of hops from the nearest source, as an `INTEGER` property, and"
            + " optionally the id of that source. Removes the properties from nodes that no source reaches.")
    public Stream<WriteRow> write(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return call(WRITE).row(WriteRow.class, graphName, config);
    }

    @Procedure(name = "proxima.distances.nearest.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.distances.nearest.write`.")
    public Stream<EstimateRow> writeEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return call(WRITE).estimate(graph, config);
    }
}

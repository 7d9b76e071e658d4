// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.distances;

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

/** Hop distances from several nodes at once, separately for each. */
public final class DistancesProcedures extends AlgorithmProcedures<DistancesProcedures.StreamRow> {

    private static final String KEYS = "`sourceNodes` (mandatory), `maxDepth` = -1, " + COST_KEYS;

    private static final String TARGETS_KEY = "`targetNodeFilter` = [] (all nodes), ";

    static final String STREAM_KEYS = KEYS + TARGETS_KEY + INCLUDE_UNREACHED_KEY + COMMON_KEYS;
    private static final String STATS_KEYS = KEYS + TARGETS_KEY + COMMON_KEYS;
    private static final String WRITE_KEYS = KEYS + WRITE_PROPERTY_KEYS + COMMON_KEYS;

    @Override
    protected Algorithm<StreamRow> read(CallKeys keys) {
        return Distances.read(keys);
    }

    /** A pair of nodes and their distance. */
    public record StreamRow(
            @Description("The id of the source.") long sourceNode,
            @Description("The id of the other node.") long targetNode,

            @Description("The number of hops from the source to the other node; -1 if there is no path. Null with"
                    + " weights.")
            Long distance,

            @Description("The cost of the cheapest path from the source to the other node; null without weights, and if"
                    + " there is no path.")
            Double cost,

            @Description(PARENT) Long parent,
            @Description(PATH_FROM_SOURCE) Path path)
            implements StoredPaths.Row {}

    /** Statistics of the distances. */
    public record StatsRow(
            @Description("The greatest distance of a node from a source that reaches it, or with weights the greatest"
                    + " cost.")
            Number depth,

            @Description("The mean distance, or with weights the mean cost, over all pairs of a source and another node"
                    + " that it reaches; 0.0 without such pairs.")
            double meanDistance,

            @Description("The number of pairs of a source and a node at each distance, from distance 0 (the sources)."
                    + " Empty with weights.")
            List<Long> hopDistribution,

            @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(COMPUTE_MILLIS) long computeMillis,
            @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** Streams the distances, source by source. */
    @Procedure(name = "proxima.distances.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns for each source `NODE` the nodes that it reaches, with their number of hops from"
            + " it. The row from a source to itself is left out unless the source is one of the"
            + " `targetNodeFilter`.")
    public Stream<StreamRow> stream(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = STREAM_KEYS) Map<String, Object> config) {
        return call(STREAM).stream(graphName, config);
    }

    @Procedure(name = "proxima.distances.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.distances.stream`.")
    public Stream<EstimateRow> streamEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = STREAM_KEYS) Map<String, Object> config) {
        return call(STREAM).estimate(graph, config);
    }

    /** Returns statistics of the distances. */
    @Procedure(name = "proxima.distances.stats", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns statistics of the number of hops from each source `NODE` to the nodes that it reaches.")
    public Stream<StatsRow> stats(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = STATS_KEYS) Map<String, Object> config) {
        return call(STATS).row(StatsRow.class, graphName, config);
    }

    @Procedure(name = "proxima.distances.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.distances.stats`.")
    public Stream<EstimateRow> statsEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = STATS_KEYS) Map<String, Object> config) {
        return call(STATS).estimate(graph, config);
    }

    /** Writes the distances as a list property. */
    @Procedure(name = "proxima.distances.write", mode = Mode.WRITE)
    @NotThreadSafe
    @Description("Writes to each `NODE` its distances from the source nodes, as a `LIST<INTEGER>` property in the"
            + " order of `sourceNodes`; -1 if there is no path.")
    public Stream<WriteRow> write(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return call(WRITE).row(WriteRow.class, graphName, config);
    }

    @Procedure(name = "proxima.distances.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.distances.write`.")
    public Stream<EstimateRow> writeEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return call(WRITE).estimate(graph, config);
    }
}

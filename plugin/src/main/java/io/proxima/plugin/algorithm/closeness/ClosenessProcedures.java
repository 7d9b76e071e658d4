// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.closeness;

import static io.proxima.plugin.call.Call.Mode.MUTATE;
import static io.proxima.plugin.call.Call.Mode.STATS;
import static io.proxima.plugin.call.Call.Mode.STREAM;
import static io.proxima.plugin.call.Call.Mode.WRITE;
import static io.proxima.plugin.call.ColumnTexts.COMMON_KEYS;
import static io.proxima.plugin.call.ColumnTexts.COMPUTE_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.CONFIGURATION_COLUMN;
import static io.proxima.plugin.call.ColumnTexts.DIAMETER;
import static io.proxima.plugin.call.ColumnTexts.GRAPH_NAME;
import static io.proxima.plugin.call.ColumnTexts.GRAPH_OR_MAP;
import static io.proxima.plugin.call.ColumnTexts.HOP_DISTRIBUTION;
import static io.proxima.plugin.call.ColumnTexts.MEAN_DISTANCE;
import static io.proxima.plugin.call.ColumnTexts.MUTATE_PROPERTY_KEY;
import static io.proxima.plugin.call.ColumnTexts.NODE_ID;
import static io.proxima.plugin.call.ColumnTexts.POST_PROCESSING_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.PRE_PROCESSING_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.RADIUS;
import static io.proxima.plugin.call.ColumnTexts.SCORE_DISTRIBUTION;
import static io.proxima.plugin.call.ColumnTexts.WEIGHT_KEY;
import static io.proxima.plugin.call.ColumnTexts.WRITE_PROPERTY_KEYS;

import io.proxima.plugin.algorithm.ScoreMutateRow;
import io.proxima.plugin.algorithm.ScoreWriteRow;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.AlgorithmProcedures;
import io.proxima.plugin.call.CallKeys;
import io.proxima.plugin.call.EstimateRow;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** Exact closeness of every node, or of chosen nodes. */
public final class ClosenessProcedures extends AlgorithmProcedures<ClosenessProcedures.StreamRow> {

    static final String TARGETS_KEY = "`targetNodes` = [] (all nodes), `topK` = all nodes, ";
    static final String RESUME_KEY = "`resume` = false, ";
    static final String FORMULA_KEYS = "`useWassermanFaust` = false, `harmonic` = false, ";
    private static final String KEYS = FORMULA_KEYS + TARGETS_KEY + WEIGHT_KEY;
    private static final String READ_KEYS = KEYS + COMMON_KEYS;
    private static final String MUTATE_KEYS = KEYS + MUTATE_PROPERTY_KEY + COMMON_KEYS;
    private static final String WRITE_KEYS = KEYS + RESUME_KEY + WRITE_PROPERTY_KEYS + COMMON_KEYS;

    @Override
    protected Algorithm<StreamRow> read(CallKeys keys) {
        return Closeness.byKeys(keys);
    }

    /** A node and its score. */
    public record StreamRow(
            @Description(NODE_ID) long nodeId,

            @Description("The closeness of the node; 0.0 if no other node reaches it.")
            double score) {}

    /** Statistics of the scores and of the distances. */
    public record StatsRow(
            @Description(SCORE_DISTRIBUTION) Map<String, Object> centralityDistribution,
            @Description(DIAMETER) Number diameter,
            @Description(RADIUS) Number radius,
            @Description(MEAN_DISTANCE) double meanDistance,
            @Description(HOP_DISTRIBUTION) List<Long> hopDistribution,
            @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(COMPUTE_MILLIS) long computeMillis,
            @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** Streams the scores. */
    @Procedure(name = "proxima.closeness.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the closeness of each `NODE`: how near it is to the nodes that reach it.")
    public Stream<StreamRow> stream(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STREAM).stream(graphName, config);
    }

    @Procedure(name = "proxima.closeness.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.stream`.")
    public Stream<EstimateRow> streamEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STREAM).estimate(graph, config);
    }

    /** Returns the distribution of the scores. */
    @Procedure(name = "proxima.closeness.stats", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the distribution of the closeness of all nodes, and statistics of the distances in the"
            + " graph.")
    public Stream<StatsRow> stats(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STATS).row(StatsRow.class, graphName, config);
    }

    @Procedure(name = "proxima.closeness.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.stats`.")
    public Stream<EstimateRow> statsEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STATS).estimate(graph, config);
    }

    /** Adds the scores to the graph as a property of its nodes. */
    @Procedure(name = "proxima.closeness.mutate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Adds to each `NODE` of the in-memory graph its closeness, as a `FLOAT` property.")
    public Stream<ScoreMutateRow> mutate(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS) Map<String, Object> config) {
        return call(MUTATE).row(ScoreMutateRow.class, graphName, config);
    }

    @Procedure(name = "proxima.closeness.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.mutate`.")
    public Stream<EstimateRow> mutateEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS) Map<String, Object> config) {
        return call(MUTATE).estimate(graph, config);
    }

    /** Writes the scores as a property. */
    @Procedure(name = "proxima.closeness.write", mode = Mode.WRITE)
    @NotThreadSafe
    @Description("Writes to each `NODE` its closeness, as a `FLOAT` property.")
    public Stream<ScoreWriteRow> write(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return call(WRITE).row(ScoreWriteRow.class, graphName, config);
    }

    @Procedure(name = "proxima.closeness.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.write`.")
    public Stream<EstimateRow> writeEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return call(WRITE).estimate(graph, config);
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.closeness;

import io.proxima.plugin.algorithm.ScoreMutateRow;
import io.proxima.plugin.algorithm.ScoreRows;
import io.proxima.plugin.algorithm.ScoreWriteRow;
import io.proxima.plugin.algorithm.Scores;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.EstimateRow;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.call.Words;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** Exact closeness of every node, or of chosen nodes. */
public final class ClosenessProcedures extends ProximaProcedure {

    private static final String TARGETS_KEY = "`targetNodes` = [] (all nodes), ";
    private static final String RESUME_KEY = "`resume` = false, ";
    static final String FORMULA_KEYS = "`useWassermanFaust` = false, `harmonic` = false, ";
    private static final String KEYS = FORMULA_KEYS + TARGETS_KEY;
    private static final String READ_KEYS = KEYS + Words.COMMON_KEYS;
    private static final String MUTATE_KEYS = KEYS + Words.MUTATE_KEYS + Words.COMMON_KEYS;
    private static final String WRITE_KEYS = KEYS + RESUME_KEY + Words.WRITE_KEYS + Words.COMMON_KEYS;
    private static final String HARMONIC_READ_KEYS = TARGETS_KEY + Words.COMMON_KEYS;
    private static final String HARMONIC_MUTATE_KEYS = TARGETS_KEY + Words.MUTATE_KEYS + Words.COMMON_KEYS;
    private static final String HARMONIC_WRITE_KEYS = TARGETS_KEY + RESUME_KEY + Words.WRITE_KEYS + Words.COMMON_KEYS;

    /** Required by Neo4j. */
    public ClosenessProcedures() {}

    /** A node and its score. */
    public record StreamRow(
            @Description("The id of the node; `proxima.util.asNode` returns the `NODE`.")
            long nodeId,

            @Description("The closeness of the node; 0.0 if no other node reaches it.")
            double score) {}

    /** Statistics of the scores and of the distances. */
    public record StatsRow(
            @Description(Words.SCORE_DISTRIBUTION) Map<String, Object> centralityDistribution,
            @Description(Words.DIAMETER) long diameter,
            @Description(Words.RADIUS) long radius,
            @Description(Words.MEAN_DISTANCE) double meanDistance,
            @Description(Words.HOP_DISTRIBUTION) List<Long> hopDistribution,
            @Description(Words.POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(Words.PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(Words.COMPUTE_MILLIS) long computeMillis,
            @Description(Words.CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** Streams the scores. */
    @Procedure(name = "proxima.closeness.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the closeness of each `NODE`: how near it is to the nodes that reach it.")
    public Stream<StreamRow> stream(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS)
                    Map<String, Object> configuration) {
        return stream(Closeness.byKeys(caller(), Algorithm.Mode.STREAM), graphName, configuration);
    }

    @Procedure(name = "proxima.closeness.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.stream`.")
    public Stream<EstimateRow> streamEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS)
                    Map<String, Object> configuration) {
        return Closeness.byKeys(caller(), Algorithm.Mode.STREAM).estimate(graphNameOrConfiguration, configuration);
    }

    /** Returns the distribution of the scores. */
    @Procedure(name = "proxima.closeness.stats", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the distribution of the closeness of all nodes, and statistics of the distances in the"
            + " graph.")
    public Stream<StatsRow> stats(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS)
                    Map<String, Object> configuration) {
        return Closeness.byKeys(caller(), Algorithm.Mode.STATS).row(StatsRow.class, graphName, configuration);
    }

    @Procedure(name = "proxima.closeness.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.stats`.")
    public Stream<EstimateRow> statsEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS)
                    Map<String, Object> configuration) {
        return Closeness.byKeys(caller(), Algorithm.Mode.STATS).estimate(graphNameOrConfiguration, configuration);
    }

    /** Adds the scores to the graph as a property of its nodes. */
    @Procedure(name = "proxima.closeness.mutate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Adds to each `NODE` of the in-memory graph its closeness, as a `FLOAT` property.")
    public Stream<ScoreMutateRow> mutate(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS)
                    Map<String, Object> configuration) {
        return Closeness.byKeys(caller(), Algorithm.Mode.MUTATE).row(ScoreMutateRow.class, graphName, configuration);
    }

    @Procedure(name = "proxima.closeness.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.mutate`.")
    public Stream<EstimateRow> mutateEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS)
                    Map<String, Object> configuration) {
        return Closeness.byKeys(caller(), Algorithm.Mode.MUTATE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Writes the scores as a property. */
    @Procedure(name = "proxima.closeness.write", mode = Mode.WRITE)
    @NotThreadSafe
    @Description("Writes to each `NODE` its closeness, as a `FLOAT` property.")
    public Stream<ScoreWriteRow> write(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS)
                    Map<String, Object> configuration) {
        return Closeness.byKeys(caller(), Algorithm.Mode.WRITE).row(ScoreWriteRow.class, graphName, configuration);
    }

    @Procedure(name = "proxima.closeness.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.write`.")
    public Stream<EstimateRow> writeEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS)
                    Map<String, Object> configuration) {
        return Closeness.byKeys(caller(), Algorithm.Mode.WRITE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Streams the harmonic scores. */
    @Procedure(name = "proxima.closeness.harmonic.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description(
            "Returns the harmonic closeness of each `NODE`: the sum of the reciprocal distances from the nodes that"
                    + " reach it, divided by the number of other nodes.")
    public Stream<StreamRow> harmonicStream(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = HARMONIC_READ_KEYS)
                    Map<String, Object> configuration) {
        return stream(Closeness.harmonic(caller(), Algorithm.Mode.STREAM), graphName, configuration);
    }

    @Procedure(name = "proxima.closeness.harmonic.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.harmonic.stream`.")
    public Stream<EstimateRow> harmonicStreamEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = HARMONIC_READ_KEYS)
                    Map<String, Object> configuration) {
        return Closeness.harmonic(caller(), Algorithm.Mode.STREAM).estimate(graphNameOrConfiguration, configuration);
    }

    /** Returns the distribution of the harmonic scores. */
    @Procedure(name = "proxima.closeness.harmonic.stats", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the distribution of the harmonic closeness of all nodes, and statistics of the distances in"
            + " the graph.")
    public Stream<StatsRow> harmonicStats(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = HARMONIC_READ_KEYS)
                    Map<String, Object> configuration) {
        return Closeness.harmonic(caller(), Algorithm.Mode.STATS).row(StatsRow.class, graphName, configuration);
    }

    @Procedure(name = "proxima.closeness.harmonic.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.harmonic.stats`.")
    public Stream<EstimateRow> harmonicStatsEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = HARMONIC_READ_KEYS)
                    Map<String, Object> configuration) {
        return Closeness.harmonic(caller(), Algorithm.Mode.STATS).estimate(graphNameOrConfiguration, configuration);
    }

    /** Adds the harmonic scores to the graph as a property of its nodes. */
    @Procedure(name = "proxima.closeness.harmonic.mutate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Adds to each `NODE` of the in-memory graph its harmonic closeness, as a `FLOAT` property.")
    public Stream<ScoreMutateRow> harmonicMutate(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = HARMONIC_MUTATE_KEYS)
                    Map<String, Object> configuration) {
        return Closeness.harmonic(caller(), Algorithm.Mode.MUTATE).row(ScoreMutateRow.class, graphName, configuration);
    }

    @Procedure(name = "proxima.closeness.harmonic.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.harmonic.mutate`.")
    public Stream<EstimateRow> harmonicMutateEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = HARMONIC_MUTATE_KEYS)
                    Map<String, Object> configuration) {
        return Closeness.harmonic(caller(), Algorithm.Mode.MUTATE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Writes the harmonic scores as a property. */
    @Procedure(name = "proxima.closeness.harmonic.write", mode = Mode.WRITE)
    @NotThreadSafe
    @Description("Writes to each `NODE` its harmonic closeness, as a `FLOAT` property.")
    public Stream<ScoreWriteRow> harmonicWrite(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = HARMONIC_WRITE_KEYS)
                    Map<String, Object> configuration) {
        return Closeness.harmonic(caller(), Algorithm.Mode.WRITE).row(ScoreWriteRow.class, graphName, configuration);
    }

    @Procedure(name = "proxima.closeness.harmonic.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.harmonic.write`.")
    public Stream<EstimateRow> harmonicWriteEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = HARMONIC_WRITE_KEYS)
                    Map<String, Object> configuration) {
        return Closeness.harmonic(caller(), Algorithm.Mode.WRITE).estimate(graphNameOrConfiguration, configuration);
    }

    private static Stream<StreamRow> stream(Closeness closeness, String graphName, Map<String, Object> configuration) {
        return closeness.call(graphName, configuration, run -> {
            Scores scores = closeness.compute(run).scores();
            return new ScoreRows<>(closeness.caller(), run.idMap(), scores, StreamRow::new)
                    .stream(run.holdForRows(scores.heapParts())::close);
        });
    }
}

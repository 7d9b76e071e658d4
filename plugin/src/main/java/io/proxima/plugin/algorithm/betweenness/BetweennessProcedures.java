// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.betweenness;

import io.proxima.memory.HeapPart;
import io.proxima.plugin.algorithm.ScoreMutateRow;
import io.proxima.plugin.algorithm.ScoreRows;
import io.proxima.plugin.algorithm.ScoreWriteRow;
import io.proxima.plugin.algorithm.Scores;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.EstimateRow;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.call.Words;
import java.util.Map;
import java.util.stream.Stream;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** Betweenness of every node. */
public final class BetweennessProcedures extends ProximaProcedure {

    private static final String KEYS = "`samplingSize` = all nodes, `samplingSeed` = random, ";

    private static final String READ_KEYS = KEYS + Words.COMMON_KEYS;
    private static final String MUTATE_KEYS = KEYS + Words.MUTATE_KEYS + Words.COMMON_KEYS;
    private static final String WRITE_KEYS = KEYS + Words.WRITE_KEYS + Words.COMMON_KEYS;

    /** Required by Neo4j. */
    public BetweennessProcedures() {}

    /** A node and its score. */
    public record StreamRow(
            @Description("The id of the node; `proxima.util.asNode` returns the `NODE`.")
            long nodeId,

            @Description("The betweenness of the node; 0.0 if no shortest path leads through it.")
            double score) {}

    /** Statistics of the scores. */
    public record StatsRow(
            @Description(Words.SCORE_DISTRIBUTION) Map<String, Object> centralityDistribution,
            @Description(Words.POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(Words.PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(Words.COMPUTE_MILLIS) long computeMillis,
            @Description(Words.CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** Streams the scores. */
    @Procedure(name = "proxima.betweenness.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the betweenness of each `NODE`: how many shortest paths between other nodes lead through it.")
    public Stream<StreamRow> stream(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS)
                    Map<String, Object> configuration) {
        Betweenness betweenness = new Betweenness(caller(), Algorithm.Mode.STREAM);
        return betweenness.call(graphName, configuration, run -> {
            double[] scores = betweenness.compute(run);
            return new ScoreRows<>(betweenness.caller(), run.idMap(), Scores.ofAll(scores), StreamRow::new)
                    .stream(run.holdForRows(HeapPart.of(scores))::close);
        });
    }

    @Procedure(name = "proxima.betweenness.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.betweenness.stream`.")
    public Stream<EstimateRow> streamEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS)
                    Map<String, Object> configuration) {
        return new Betweenness(caller(), Algorithm.Mode.STREAM).estimate(graphNameOrConfiguration, configuration);
    }

    /** Returns the distribution of the scores. */
    @Procedure(name = "proxima.betweenness.stats", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the distribution of the betweenness of all nodes.")
    public Stream<StatsRow> stats(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS)
                    Map<String, Object> configuration) {
        return new Betweenness(caller(), Algorithm.Mode.STATS).row(StatsRow.class, graphName, configuration);
    }

    @Procedure(name = "proxima.betweenness.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.betweenness.stats`.")
    public Stream<EstimateRow> statsEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS)
                    Map<String, Object> configuration) {
        return new Betweenness(caller(), Algorithm.Mode.STATS).estimate(graphNameOrConfiguration, configuration);
    }

    /** Adds the scores to the graph as a property of its nodes. */
    @Procedure(name = "proxima.betweenness.mutate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Adds to each `NODE` of the in-memory graph its betweenness, as a `FLOAT` property.")
    public Stream<ScoreMutateRow> mutate(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS)
                    Map<String, Object> configuration) {
        return new Betweenness(caller(), Algorithm.Mode.MUTATE).row(ScoreMutateRow.class, graphName, configuration);
    }

    @Procedure(name = "proxima.betweenness.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.betweenness.mutate`.")
    public Stream<EstimateRow> mutateEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS)
                    Map<String, Object> configuration) {
        return new Betweenness(caller(), Algorithm.Mode.MUTATE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Writes the scores as a property. */
    @Procedure(name = "proxima.betweenness.write", mode = Mode.WRITE)
    @NotThreadSafe
    @Description("Writes to each `NODE` its betweenness, as a `FLOAT` property.")
    public Stream<ScoreWriteRow> write(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS)
                    Map<String, Object> configuration) {
        return new Betweenness(caller(), Algorithm.Mode.WRITE).row(ScoreWriteRow.class, graphName, configuration);
    }

    @Procedure(name = "proxima.betweenness.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.betweenness.write`.")
    public Stream<EstimateRow> writeEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS)
                    Map<String, Object> configuration) {
        return new Betweenness(caller(), Algorithm.Mode.WRITE).estimate(graphNameOrConfiguration, configuration);
    }
}

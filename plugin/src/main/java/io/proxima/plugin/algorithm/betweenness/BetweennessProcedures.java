// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.betweenness;

import static io.proxima.plugin.call.Call.Mode.MUTATE;
import static io.proxima.plugin.call.Call.Mode.STATS;
import static io.proxima.plugin.call.Call.Mode.STREAM;
import static io.proxima.plugin.call.Call.Mode.WRITE;
import static io.proxima.plugin.call.ColumnTexts.COMMON_KEYS;
import static io.proxima.plugin.call.ColumnTexts.GRAPH_NAME;
import static io.proxima.plugin.call.ColumnTexts.GRAPH_OR_MAP;
import static io.proxima.plugin.call.ColumnTexts.MUTATE_PROPERTY_KEY;
import static io.proxima.plugin.call.ColumnTexts.NODE_ID;
import static io.proxima.plugin.call.ColumnTexts.WEIGHT_KEY;
import static io.proxima.plugin.call.ColumnTexts.WRITE_PROPERTY_KEYS;

import io.proxima.plugin.algorithm.ScoreMutateRow;
import io.proxima.plugin.algorithm.ScoreStatsRow;
import io.proxima.plugin.algorithm.ScoreWriteRow;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.AlgorithmProcedures;
import io.proxima.plugin.call.CallKeys;
import io.proxima.plugin.call.EstimateRow;
import java.util.Map;
import java.util.stream.Stream;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** Betweenness of every node. */
public final class BetweennessProcedures extends AlgorithmProcedures<BetweennessProcedures.StreamRow> {

    private static final String KEYS = "`samplingSize` = all nodes, `samplingSeed` = random, " + WEIGHT_KEY;

    private static final String READ_KEYS = KEYS + COMMON_KEYS;
    private static final String MUTATE_KEYS = KEYS + MUTATE_PROPERTY_KEY + COMMON_KEYS;
    private static final String WRITE_KEYS = KEYS + WRITE_PROPERTY_KEYS + COMMON_KEYS;

    @Override
    protected Algorithm<StreamRow> read(CallKeys keys) {
        return Betweenness.read(keys);
    }

    /** A node and its score. */
    public record StreamRow(
            @Description(NODE_ID) long nodeId,

            @Description("The betweenness of the node; 0.0 if no shortest path leads through it.")
            double score) {}

    /** Streams the scores. */
    @Procedure(name = "proxima.betweenness.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the betweenness of each `NODE`: how many shortest paths between other nodes lead through it.")
    public Stream<StreamRow> stream(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STREAM).stream(graphName, config);
    }

    @Procedure(name = "proxima.betweenness.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.betweenness.stream`.")
    public Stream<EstimateRow> streamEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STREAM).estimate(graph, config);
    }

    /** Returns the distribution of the scores. */
    @Procedure(name = "proxima.betweenness.stats", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the distribution of the betweenness of all nodes.")
    public Stream<ScoreStatsRow> stats(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STATS).row(ScoreStatsRow.class, graphName, config);
    }

    @Procedure(name = "proxima.betweenness.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.betweenness.stats`.")
    public Stream<EstimateRow> statsEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STATS).estimate(graph, config);
    }

    /** Adds the scores to the graph as a property of its nodes. */
    @Procedure(name = "proxima.betweenness.mutate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Adds to each `NODE` of the in-memory graph its betweenness, as a `FLOAT` property.")
    public Stream<ScoreMutateRow> mutate(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS) Map<String, Object> config) {
        return call(MUTATE).row(ScoreMutateRow.class, graphName, config);
    }

    @Procedure(name = "proxima.betweenness.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.betweenness.mutate`.")
    public Stream<EstimateRow> mutateEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS) Map<String, Object> config) {
        return call(MUTATE).estimate(graph, config);
    }

    /** Writes the scores as a property. */
    @Procedure(name = "proxima.betweenness.write", mode = Mode.WRITE)
    @NotThreadSafe
    @Description("Writes to each `NODE` its betweenness, as a `FLOAT` property.")
    public Stream<ScoreWriteRow> write(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return call(WRITE).row(ScoreWriteRow.class, graphName, config);
    }

    @Procedure(name = "proxima.betweenness.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.betweenness.write`.")
    public Stream<EstimateRow> writeEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return call(WRITE).estimate(graph, config);
    }
}

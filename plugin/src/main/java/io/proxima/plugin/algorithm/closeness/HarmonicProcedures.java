// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.closeness;

import static io.proxima.plugin.call.Call.Mode.MUTATE;
import static io.proxima.plugin.call.Call.Mode.STATS;
import static io.proxima.plugin.call.Call.Mode.STREAM;
import static io.proxima.plugin.call.Call.Mode.WRITE;
import static io.proxima.plugin.call.ColumnTexts.COMMON_KEYS;
import static io.proxima.plugin.call.ColumnTexts.GRAPH_NAME;
import static io.proxima.plugin.call.ColumnTexts.GRAPH_OR_MAP;
import static io.proxima.plugin.call.ColumnTexts.MUTATE_PROPERTY_KEY;
import static io.proxima.plugin.call.ColumnTexts.WEIGHT_KEY;
import static io.proxima.plugin.call.ColumnTexts.WRITE_PROPERTY_KEYS;

import io.proxima.plugin.algorithm.ScoreMutateRow;
import io.proxima.plugin.algorithm.ScoreWriteRow;
import io.proxima.plugin.algorithm.closeness.ClosenessProcedures.StatsRow;
import io.proxima.plugin.algorithm.closeness.ClosenessProcedures.StreamRow;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.AlgorithmProcedures;
import io.proxima.plugin.call.CallKeys;
import io.proxima.plugin.call.EstimateRow;
import io.proxima.plugin.call.Help;
import java.util.Map;
import java.util.stream.Stream;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** Harmonic closeness of every node, or of chosen nodes. */
@Help(page = "closeness")
public final class HarmonicProcedures extends AlgorithmProcedures<StreamRow> {

    private static final String READ_KEYS = ClosenessProcedures.TARGETS_KEY + WEIGHT_KEY + COMMON_KEYS;
    private static final String MUTATE_KEYS =
            ClosenessProcedures.TARGETS_KEY + WEIGHT_KEY + MUTATE_PROPERTY_KEY + COMMON_KEYS;
    private static final String WRITE_KEYS = ClosenessProcedures.TARGETS_KEY
            + WEIGHT_KEY
            + ClosenessProcedures.RESUME_KEY
            + WRITE_PROPERTY_KEYS
            + COMMON_KEYS;

    @Override
    protected Algorithm<StreamRow> read(CallKeys keys) {
        return Closeness.harmonic(keys);
    }

    /** Streams the harmonic scores. */
    @Procedure(name = "proxima.closeness.harmonic.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description(
            "Returns the harmonic closeness of each `NODE`: the sum of the reciprocal distances from the nodes that"
                    + " reach it, divided by the number of other nodes.")
    public Stream<StreamRow> stream(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STREAM).stream(graphName, config);
    }

    @Procedure(name = "proxima.closeness.harmonic.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.harmonic.stream`.")
    public Stream<EstimateRow> streamEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STREAM).estimate(graph, config);
    }

    /** Returns the distribution of the harmonic scores. */
    @Procedure(name = "proxima.closeness.harmonic.stats", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the distribution of the harmonic closeness of all nodes, and statistics of the distances in"
            + " the graph.")
    public Stream<StatsRow> stats(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STATS).row(StatsRow.class, graphName, config);
    }

    @Procedure(name = "proxima.closeness.harmonic.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.harmonic.stats`.")
    public Stream<EstimateRow> statsEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STATS).estimate(graph, config);
    }

    /** Adds the harmonic scores to the graph as a property of its nodes. */
    @Procedure(name = "proxima.closeness.harmonic.mutate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Adds to each `NODE` of the in-memory graph its harmonic closeness, as a `FLOAT` property.")
    public Stream<ScoreMutateRow> mutate(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS) Map<String, Object> config) {
        return call(MUTATE).row(ScoreMutateRow.class, graphName, config);
    }

    @Procedure(name = "proxima.closeness.harmonic.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.harmonic.mutate`.")
    public Stream<EstimateRow> mutateEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS) Map<String, Object> config) {
        return call(MUTATE).estimate(graph, config);
    }

    /** Writes the harmonic scores as a property. */
    @Procedure(name = "proxima.closeness.harmonic.write", mode = Mode.WRITE)
    @NotThreadSafe
    @Description("Writes to each `NODE` its harmonic closeness, as a `FLOAT` property.")
    public Stream<ScoreWriteRow> write(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return call(WRITE).row(ScoreWriteRow.class, graphName, config);
    }

    @Procedure(name = "proxima.closeness.harmonic.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.harmonic.write`.")
    public Stream<EstimateRow> writeEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return call(WRITE).estimate(graph, config);
    }
}

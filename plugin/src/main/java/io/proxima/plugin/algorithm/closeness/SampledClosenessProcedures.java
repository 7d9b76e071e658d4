// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.closeness;

import static io.proxima.plugin.call.Call.Mode.MUTATE;
import static io.proxima.plugin.call.Call.Mode.STATS;
import static io.proxima.plugin.call.Call.Mode.STREAM;
import static io.proxima.plugin.call.Call.Mode.WRITE;
import static io.proxima.plugin.call.ColumnTexts.BATCHES;
import static io.proxima.plugin.call.ColumnTexts.COMMON_KEYS;
import static io.proxima.plugin.call.ColumnTexts.COMPUTE_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.CONFIGURATION_COLUMN;
import static io.proxima.plugin.call.ColumnTexts.ERROR_MESSAGES;
import static io.proxima.plugin.call.ColumnTexts.GRAPH_NAME;
import static io.proxima.plugin.call.ColumnTexts.GRAPH_OR_MAP;
import static io.proxima.plugin.call.ColumnTexts.MUTATE_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.MUTATE_PROPERTY_KEY;
import static io.proxima.plugin.call.ColumnTexts.NODES_SKIPPED;
import static io.proxima.plugin.call.ColumnTexts.NODE_ID;
import static io.proxima.plugin.call.ColumnTexts.NODE_PROPERTIES_MUTATED;
import static io.proxima.plugin.call.ColumnTexts.NODE_PROPERTIES_WRITTEN;
import static io.proxima.plugin.call.ColumnTexts.POST_PROCESSING_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.PRE_PROCESSING_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.RETRIES;
import static io.proxima.plugin.call.ColumnTexts.WEIGHT_KEY;
import static io.proxima.plugin.call.ColumnTexts.WRITE_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.WRITE_PROPERTY_KEYS;

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

/** Closeness of every node, estimated from a sample of sources. */
@Help(property = "closeness")
public final class SampledClosenessProcedures extends AlgorithmProcedures<SampledClosenessProcedures.StreamRow> {

    private static final String KEYS =
            "`samplingSize` = 1024, `samplingSeed` = random, " + ClosenessProcedures.FORMULA_KEYS + WEIGHT_KEY;

    private static final String DISTRIBUTION =
            "The minimum, mean, maximum and percentiles of the estimated scores: exact, by nearest rank.";
    private static final String SOURCE_COUNT =
            "The number of sources searched: `samplingSize`, or all nodes if there are fewer.";

    private static final String READ_KEYS = KEYS + COMMON_KEYS;
    private static final String MUTATE_KEYS = KEYS + MUTATE_PROPERTY_KEY + COMMON_KEYS;
    private static final String WRITE_KEYS = KEYS + WRITE_PROPERTY_KEYS + COMMON_KEYS;

    @Override
    protected Algorithm<StreamRow> read(CallKeys keys) {
        return SampledCloseness.read(keys);
    }

    /** A node and its score. */
    public record StreamRow(
            @Description(NODE_ID) long nodeId,

            @Description("The estimated closeness of the node; 0.0 if no other source reaches it.")
            double score) {}

    /** Statistics of the scores. */
    public record StatsRow(
            @Description(SOURCE_COUNT) long sourceCount,
            @Description(DISTRIBUTION) Map<String, Object> centralityDistribution,
            @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(COMPUTE_MILLIS) long computeMillis,
            @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** Statistics of the scores, and the property added to the graph. */
    public record MutateRow(
            @Description(SOURCE_COUNT) long sourceCount,
            @Description(NODE_PROPERTIES_MUTATED) long nodePropertiesWritten,

            @Description(MUTATE_MILLIS) long mutateMillis,
            @Description(DISTRIBUTION) Map<String, Object> centralityDistribution,
            @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(COMPUTE_MILLIS) long computeMillis,
            @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** Statistics of the scores, and the property written. */
    public record WriteRow(
            @Description(SOURCE_COUNT) long sourceCount,
            @Description(NODE_PROPERTIES_WRITTEN) long nodePropertiesWritten,

            @Description(WRITE_MILLIS) long writeMillis,
            @Description(DISTRIBUTION) Map<String, Object> centralityDistribution,
            @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(COMPUTE_MILLIS) long computeMillis,
            @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration,
            @Description(NODES_SKIPPED) long nodesSkipped,
            @Description(BATCHES) long batches,
            @Description(RETRIES) long retries,
            @Description(ERROR_MESSAGES) Map<String, Object> errorMessages) {}

    /** Streams the scores. */
    @Procedure(name = "proxima.closeness.sampled.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns an estimate of the closeness of each `NODE`, from searches that start at a random sample of"
            + " nodes.")
    public Stream<StreamRow> stream(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STREAM).stream(graphName, config);
    }

    @Procedure(name = "proxima.closeness.sampled.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.sampled.stream`.")
    public Stream<EstimateRow> streamEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STREAM).estimate(graph, config);
    }

    /** Returns the distribution of the scores. */
    @Procedure(name = "proxima.closeness.sampled.stats", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the distribution of the estimated closeness of all nodes.")
    public Stream<StatsRow> stats(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STATS).row(StatsRow.class, graphName, config);
    }

    @Procedure(name = "proxima.closeness.sampled.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.sampled.stats`.")
    public Stream<EstimateRow> statsEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STATS).estimate(graph, config);
    }

    /** Adds the scores to the graph as a property of its nodes. */
    @Procedure(name = "proxima.closeness.sampled.mutate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Adds to each `NODE` of the in-memory graph its estimated closeness, as a `FLOAT` property.")
    public Stream<MutateRow> mutate(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS) Map<String, Object> config) {
        return call(MUTATE).row(MutateRow.class, graphName, config);
    }

    @Procedure(name = "proxima.closeness.sampled.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.sampled.mutate`.")
    public Stream<EstimateRow> mutateEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS) Map<String, Object> config) {
        return call(MUTATE).estimate(graph, config);
    }

    /** Writes the scores as a property. */
    @Procedure(name = "proxima.closeness.sampled.write", mode = Mode.WRITE)
    @NotThreadSafe
    @Description("Writes to each `NODE` its estimated closeness, as a `FLOAT` property.")
    public Stream<WriteRow> write(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return call(WRITE).row(WriteRow.class, graphName, config);
    }

    @Procedure(name = "proxima.closeness.sampled.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.sampled.write`.")
    public Stream<EstimateRow> writeEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return call(WRITE).estimate(graph, config);
    }
}

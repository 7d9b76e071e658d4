// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.eccentricity;

import static io.proxima.plugin.call.Call.Mode.MUTATE;
import static io.proxima.plugin.call.Call.Mode.STATS;
import static io.proxima.plugin.call.Call.Mode.STREAM;
import static io.proxima.plugin.call.Call.Mode.WRITE;
import static io.proxima.plugin.call.ColumnTexts.BATCHES;
import static io.proxima.plugin.call.ColumnTexts.COMMON_KEYS;
import static io.proxima.plugin.call.ColumnTexts.COMPUTE_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.CONFIGURATION_COLUMN;
import static io.proxima.plugin.call.ColumnTexts.DIAMETER;
import static io.proxima.plugin.call.ColumnTexts.ERROR_MESSAGES;
import static io.proxima.plugin.call.ColumnTexts.GRAPH_NAME;
import static io.proxima.plugin.call.ColumnTexts.GRAPH_OR_MAP;
import static io.proxima.plugin.call.ColumnTexts.HOP_DISTRIBUTION;
import static io.proxima.plugin.call.ColumnTexts.MEAN_DISTANCE;
import static io.proxima.plugin.call.ColumnTexts.MUTATE_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.MUTATE_PROPERTY_KEY;
import static io.proxima.plugin.call.ColumnTexts.NODES_SKIPPED;
import static io.proxima.plugin.call.ColumnTexts.NODE_ID;
import static io.proxima.plugin.call.ColumnTexts.NODE_PROPERTIES_MUTATED;
import static io.proxima.plugin.call.ColumnTexts.NODE_PROPERTIES_WRITTEN;
import static io.proxima.plugin.call.ColumnTexts.POST_PROCESSING_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.PRE_PROCESSING_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.RADIUS;
import static io.proxima.plugin.call.ColumnTexts.RETRIES;
import static io.proxima.plugin.call.ColumnTexts.WEIGHT_KEY;
import static io.proxima.plugin.call.ColumnTexts.WRITE_MILLIS;
import static io.proxima.plugin.call.ColumnTexts.WRITE_PROPERTY_KEYS;

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

/** The exact eccentricity of every node, and statistics of the distances of the whole graph. */
public final class EccentricityProcedures extends AlgorithmProcedures<EccentricityProcedures.StreamRow> {

    private static final String DISTRIBUTION =
            "The minimum, mean, maximum and percentiles of the eccentricities: exact, by nearest rank.";

    private static final String READ_KEYS = WEIGHT_KEY + COMMON_KEYS;
    private static final String MUTATE_KEYS = WEIGHT_KEY + MUTATE_PROPERTY_KEY + COMMON_KEYS;
    private static final String WRITE_KEYS = WEIGHT_KEY + WRITE_PROPERTY_KEYS + COMMON_KEYS;

    @Override
    protected Algorithm<StreamRow> read(CallKeys keys) {
        return Eccentricity.read(keys);
    }

    /** A node and its eccentricity. */
    public record StreamRow(
            @Description(NODE_ID) long nodeId,

            @Description("The greatest distance from the node to any node that it reaches; 0 if it reaches no other"
                    + " node.")
            Number eccentricity) {}

    /** Statistics of the eccentricities and of the distances. */
    public record StatsRow(
            @Description(DISTRIBUTION) Map<String, Object> eccentricityDistribution,
            @Description(DIAMETER) Number diameter,
            @Description(RADIUS) Number radius,
            @Description(MEAN_DISTANCE) double meanDistance,
            @Description(HOP_DISTRIBUTION) List<Long> hopDistribution,
            @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(COMPUTE_MILLIS) long computeMillis,
            @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** Statistics of the eccentricities, and the property added to the graph. */
    public record MutateRow(
            @Description(NODE_PROPERTIES_MUTATED) long nodePropertiesWritten,
            @Description(MUTATE_MILLIS) long mutateMillis,
            @Description(DISTRIBUTION) Map<String, Object> eccentricityDistribution,
            @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(COMPUTE_MILLIS) long computeMillis,
            @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** Statistics of the eccentricities, and the property written. */
    public record WriteRow(
            @Description(NODE_PROPERTIES_WRITTEN) long nodePropertiesWritten,
            @Description(WRITE_MILLIS) long writeMillis,
            @Description(DISTRIBUTION) Map<String, Object> eccentricityDistribution,
            @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(COMPUTE_MILLIS) long computeMillis,
            @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration,
            @Description(NODES_SKIPPED) long nodesSkipped,
            @Description(BATCHES) long batches,
            @Description(RETRIES) long retries,
            @Description(ERROR_MESSAGES) Map<String, Object> errorMessages) {}

    /** Streams the eccentricities. */
    @Procedure(name = "proxima.eccentricity.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the eccentricity of each `NODE`: the greatest distance from it to any node that it reaches.")
    public Stream<StreamRow> stream(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STREAM).stream(graphName, config);
    }

    @Procedure(name = "proxima.eccentricity.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.eccentricity.stream`.")
    public Stream<EstimateRow> streamEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STREAM).estimate(graph, config);
    }

    /** Returns statistics of the distances of the whole graph. */
    @Procedure(name = "proxima.eccentricity.stats", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the distribution of the eccentricities of all nodes, the diameter and the radius"
            + " of the graph, and statistics of its distances.")
    public Stream<StatsRow> stats(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STATS).row(StatsRow.class, graphName, config);
    }

    @Procedure(name = "proxima.eccentricity.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.eccentricity.stats`.")
    public Stream<EstimateRow> statsEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return call(STATS).estimate(graph, config);
    }

    /** Adds the eccentricities to the graph as a property of its nodes. */
    @Procedure(name = "proxima.eccentricity.mutate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Adds to each `NODE` of the in-memory graph its eccentricity, as an `INTEGER` property.")
    public Stream<MutateRow> mutate(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS) Map<String, Object> config) {
        return call(MUTATE).row(MutateRow.class, graphName, config);
    }

    @Procedure(name = "proxima.eccentricity.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.eccentricity.mutate`.")
    public Stream<EstimateRow> mutateEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS) Map<String, Object> config) {
        return call(MUTATE).estimate(graph, config);
    }

    /** Writes the eccentricities as a property. */
    @Procedure(name = "proxima.eccentricity.write", mode = Mode.WRITE)
    @NotThreadSafe
    @Description("Writes to each `NODE` its eccentricity, as an `INTEGER` property.")
    public Stream<WriteRow> write(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return call(WRITE).row(WriteRow.class, graphName, config);
    }

    @Procedure(name = "proxima.eccentricity.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.eccentricity.write`.")
    public Stream<EstimateRow> writeEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return call(WRITE).estimate(graph, config);
    }
}

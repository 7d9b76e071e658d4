// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.eccentricity;

import static io.proxima.plugin.call.Algorithm.Mode.MUTATE;
import static io.proxima.plugin.call.Algorithm.Mode.STATS;
import static io.proxima.plugin.call.Algorithm.Mode.STREAM;
import static io.proxima.plugin.call.Algorithm.Mode.WRITE;

import io.proxima.plugin.call.ColumnTexts;
import io.proxima.plugin.call.EstimateRow;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.call.WriteRow;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** The exact eccentricity of every node, and statistics of the distances of the whole graph. */
public final class EccentricityProcedures extends ProximaProcedure {

    private static final String DISTRIBUTION =
            "The minimum, mean, maximum and percentiles of the eccentricities: exact, by nearest rank.";

    private static final String READ_KEYS = ColumnTexts.COMMON_KEYS;
    private static final String MUTATE_KEYS = ColumnTexts.MUTATE_KEYS + ColumnTexts.COMMON_KEYS;
    private static final String WRITE_KEYS = ColumnTexts.WRITE_KEYS + ColumnTexts.COMMON_KEYS;

    /** Required by Neo4j. */
    public EccentricityProcedures() {}

    /** A node and its eccentricity. */
    public record StreamRow(
            @Description("The id of the node; `proxima.util.asNode` returns the `NODE`.")
            long nodeId,

            @Description("The greatest distance from the node to any node that it reaches; 0 if it reaches no other"
                    + " node.")
            long eccentricity) {}

    /** Statistics of the eccentricities and of the distances. */
    public record StatsRow(
            @Description(DISTRIBUTION) Map<String, Object> eccentricityDistribution,
            @Description(ColumnTexts.DIAMETER) long diameter,
            @Description(ColumnTexts.RADIUS) long radius,
            @Description(ColumnTexts.MEAN_DISTANCE) double meanDistance,
            @Description(ColumnTexts.HOP_DISTRIBUTION) List<Long> hopDistribution,
            @Description(ColumnTexts.POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(ColumnTexts.PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(ColumnTexts.COMPUTE_MILLIS) long computeMillis,
            @Description(ColumnTexts.CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** Statistics of the eccentricities, and the property added to the graph. */
    public record MutateRow(
            @Description(ColumnTexts.NODE_PROPERTIES_MUTATED)
            long nodePropertiesWritten,

            @Description(ColumnTexts.MUTATE_MILLIS) long mutateMillis,
            @Description(DISTRIBUTION) Map<String, Object> eccentricityDistribution,
            @Description(ColumnTexts.POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(ColumnTexts.PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(ColumnTexts.COMPUTE_MILLIS) long computeMillis,
            @Description(ColumnTexts.CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** Statistics of the eccentricities, and the property written. */
    public record WriteRow(
            @Description(ColumnTexts.NODE_PROPERTIES_WRITTEN)
            long nodePropertiesWritten,

            @Description(ColumnTexts.WRITE_MILLIS) long writeMillis,
            @Description(DISTRIBUTION) Map<String, Object> eccentricityDistribution,
            @Description(ColumnTexts.POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(ColumnTexts.PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(ColumnTexts.COMPUTE_MILLIS) long computeMillis,
            @Description(ColumnTexts.CONFIGURATION_COLUMN) Map<String, Object> configuration,
            @Description(ColumnTexts.NODES_SKIPPED) long nodesSkipped,
            @Description(ColumnTexts.BATCHES) long batches,
            @Description(ColumnTexts.RETRIES) long retries,
            @Description(ColumnTexts.ERROR_MESSAGES) Map<String, Object> errorMessages) {}

    /** Streams the eccentricities. */
    @Procedure(name = "proxima.eccentricity.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the eccentricity of each `NODE`: the greatest distance from it to any node that it reaches.")
    public Stream<StreamRow> stream(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return new Eccentricity(caller(), STREAM).stream(graphName, config);
    }

    @Procedure(name = "proxima.eccentricity.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.eccentricity.stream`.")
    public Stream<EstimateRow> streamEstimate(
            @Name(value = "graphNameOrConfiguration", description = ColumnTexts.GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return new Eccentricity(caller(), STREAM).estimate(graph, config);
    }

    /** Returns statistics of the distances of the whole graph. */
    @Procedure(name = "proxima.eccentricity.stats", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the distribution of the eccentricities of all nodes, the diameter and the radius"
            + " of the graph, and statistics of its distances.")
    public Stream<StatsRow> stats(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return new Eccentricity(caller(), STATS).row(StatsRow.class, graphName, config);
    }

    @Procedure(name = "proxima.eccentricity.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.eccentricity.stats`.")
    public Stream<EstimateRow> statsEstimate(
            @Name(value = "graphNameOrConfiguration", description = ColumnTexts.GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS) Map<String, Object> config) {
        return new Eccentricity(caller(), STATS).estimate(graph, config);
    }

    /** Adds the eccentricities to the graph as a property of its nodes. */
    @Procedure(name = "proxima.eccentricity.mutate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Adds to each `NODE` of the in-memory graph its eccentricity, as an `INTEGER` property.")
    public Stream<MutateRow> mutate(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS) Map<String, Object> config) {
        return new Eccentricity(caller(), MUTATE).row(MutateRow.class, graphName, config);
    }

    @Procedure(name = "proxima.eccentricity.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.eccentricity.mutate`.")
    public Stream<EstimateRow> mutateEstimate(
            @Name(value = "graphNameOrConfiguration", description = ColumnTexts.GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS) Map<String, Object> config) {
        return new Eccentricity(caller(), MUTATE).estimate(graph, config);
    }

    /** Writes the eccentricities as a property. */
    @Procedure(name = "proxima.eccentricity.write", mode = Mode.WRITE)
    @NotThreadSafe
    @Description("Writes to each `NODE` its eccentricity, as an `INTEGER` property.")
    public Stream<WriteRow> write(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return new Eccentricity(caller(), WRITE).row(WriteRow.class, graphName, config);
    }

    @Procedure(name = "proxima.eccentricity.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.eccentricity.write`.")
    public Stream<EstimateRow> writeEstimate(
            @Name(value = "graphNameOrConfiguration", description = ColumnTexts.GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return new Eccentricity(caller(), WRITE).estimate(graph, config);
    }
}

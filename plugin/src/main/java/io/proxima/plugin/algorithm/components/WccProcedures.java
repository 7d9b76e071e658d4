// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.components;

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

/** The weakly connected components of a graph. */
@Help(property = "component")
public final class WccProcedures extends AlgorithmProcedures<WccProcedures.StreamRow> {

    private static final String KEYS = "`relationshipWeightProperty`, `threshold` = 0.0, `consecutiveIds` = false, ";
    private static final String SIZE_KEY = "`minComponentSize` = 0, ";

    private static final String COUNT = "The number of components.";
    private static final String DISTRIBUTION = "The minimum, mean, maximum and percentiles of the number of nodes of a"
            + " component: exact, by nearest rank.";

    private static final String STREAM_KEYS = KEYS + SIZE_KEY + COMMON_KEYS;
    private static final String STATS_KEYS = KEYS + COMMON_KEYS;
    private static final String MUTATE_KEYS = KEYS + MUTATE_PROPERTY_KEY + COMMON_KEYS;
    private static final String WRITE_KEYS = KEYS + SIZE_KEY + WRITE_PROPERTY_KEYS + COMMON_KEYS;

    @Override
    protected Algorithm<StreamRow> read(CallKeys keys) {
        return Wcc.read(keys);
    }

    /** A node and its component. */
    public record StreamRow(
            @Description(NODE_ID) long nodeId,

            @Description("The id of the component: the smallest id of its nodes or, with `consecutiveIds`, a number"
                    + " from 0.")
            long componentId) {}

    /** Statistics of the components. */
    public record StatsRow(
            @Description(COUNT) long componentCount,
            @Description(DISTRIBUTION) Map<String, Object> componentDistribution,
            @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(COMPUTE_MILLIS) long computeMillis,
            @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** Statistics of the components, and the property added to the graph. */
    public record MutateRow(
            @Description(NODE_PROPERTIES_MUTATED) long nodePropertiesWritten,
            @Description(MUTATE_MILLIS) long mutateMillis,
            @Description(COUNT) long componentCount,
            @Description(DISTRIBUTION) Map<String, Object> componentDistribution,
            @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(COMPUTE_MILLIS) long computeMillis,
            @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** Statistics of the components, and the property written. */
    public record WriteRow(
            @Description(NODE_PROPERTIES_WRITTEN) long nodePropertiesWritten,
            @Description(WRITE_MILLIS) long writeMillis,
            @Description(COUNT) long componentCount,
            @Description(DISTRIBUTION) Map<String, Object> componentDistribution,
            @Description(POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(COMPUTE_MILLIS) long computeMillis,
            @Description(CONFIGURATION_COLUMN) Map<String, Object> configuration,
            @Description(NODES_SKIPPED) long nodesSkipped,
            @Description(BATCHES) long batches,
            @Description(RETRIES) long retries,
            @Description(ERROR_MESSAGES) Map<String, Object> errorMessages) {}

    /** Streams the components. */
    @Procedure(name = "proxima.wcc.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the weakly connected component of each `NODE`. Two nodes are in the same component if a path"
            + " connects them, whatever the direction of its relationships.")
    public Stream<StreamRow> stream(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = STREAM_KEYS) Map<String, Object> config) {
        return call(STREAM).stream(graphName, config);
    }

    @Procedure(name = "proxima.wcc.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.wcc.stream`.")
    public Stream<EstimateRow> streamEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = STREAM_KEYS) Map<String, Object> config) {
        return call(STREAM).estimate(graph, config);
    }

    /** Returns statistics of the components. */
    @Procedure(name = "proxima.wcc.stats", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the number of weakly connected components and the distribution of their sizes.")
    public Stream<StatsRow> stats(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = STATS_KEYS) Map<String, Object> config) {
        return call(STATS).row(StatsRow.class, graphName, config);
    }

    @Procedure(name = "proxima.wcc.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.wcc.stats`.")
    public Stream<EstimateRow> statsEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = STATS_KEYS) Map<String, Object> config) {
        return call(STATS).estimate(graph, config);
    }

    /** Adds the components to the graph as a property of its nodes. */
    @Procedure(name = "proxima.wcc.mutate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Adds to each `NODE` of the in-memory graph the id of its weakly connected component, as an `INTEGER`"
            + " property.")
    public Stream<MutateRow> mutate(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS) Map<String, Object> config) {
        return call(MUTATE).row(MutateRow.class, graphName, config);
    }

    @Procedure(name = "proxima.wcc.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.wcc.mutate`.")
    public Stream<EstimateRow> mutateEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS) Map<String, Object> config) {
        return call(MUTATE).estimate(graph, config);
    }

    /** Writes the components as a property. */
    @Procedure(name = "proxima.wcc.write", mode = Mode.WRITE)
    @NotThreadSafe
    @Description("Writes to each `NODE` the id of its weakly connected component, as an `INTEGER` property, and removes"
            + " the property from nodes in components below `minComponentSize`.")
    public Stream<WriteRow> write(
            @Name(value = "graphName", description = GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return call(WRITE).row(WriteRow.class, graphName, config);
    }

    @Procedure(name = "proxima.wcc.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.wcc.write`.")
    public Stream<EstimateRow> writeEstimate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return call(WRITE).estimate(graph, config);
    }
}

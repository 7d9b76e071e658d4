// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.components;

import io.proxima.memory.HeapPart;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.EstimateRow;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.call.Rows;
import io.proxima.plugin.call.Words;
import io.proxima.plugin.call.WriteRow;
import java.util.Map;
import java.util.stream.Stream;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** The weakly connected components of a graph. */
public final class WccProcedures extends ProximaProcedure {

    private static final String KEYS = "`relationshipWeightProperty`, `threshold` = 0.0, `consecutiveIds` = false, ";
    private static final String SIZE_KEY = "`minComponentSize` = 0, ";

    private static final String COUNT = "The number of components.";
    private static final String DISTRIBUTION = "The minimum, mean, maximum and percentiles of the number of nodes of a"
            + " component: exact, by nearest rank.";

    private static final String STREAM_KEYS = KEYS + SIZE_KEY + Words.COMMON_KEYS;
    private static final String STATS_KEYS = KEYS + Words.COMMON_KEYS;
    private static final String MUTATE_KEYS = KEYS + Words.MUTATE_KEYS + Words.COMMON_KEYS;
    private static final String WRITE_KEYS = KEYS + SIZE_KEY + Words.WRITE_KEYS + Words.COMMON_KEYS;

    /** Required by Neo4j. */
    public WccProcedures() {}

    /** A node and its component. */
    public record StreamRow(
            @Description("The id of the node; `proxima.util.asNode` returns the `NODE`.")
            long nodeId,

            @Description("The id of the component: the smallest id of its nodes or, with `consecutiveIds`, a number"
                    + " from 0.")
            long componentId) {}

    /** Statistics of the components. */
    public record StatsRow(
            @Description(COUNT) long componentCount,
            @Description(DISTRIBUTION) Map<String, Object> componentDistribution,
            @Description(Words.POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(Words.PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(Words.COMPUTE_MILLIS) long computeMillis,
            @Description(Words.CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** Statistics of the components, and the property added to the graph. */
    public record MutateRow(
            @Description(Words.NODE_PROPERTIES_MUTATED) long nodePropertiesWritten,
            @Description(Words.MUTATE_MILLIS) long mutateMillis,
            @Description(COUNT) long componentCount,
            @Description(DISTRIBUTION) Map<String, Object> componentDistribution,
            @Description(Words.POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(Words.PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(Words.COMPUTE_MILLIS) long computeMillis,
            @Description(Words.CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** Statistics of the components, and the property written. */
    public record WriteRow(
            @Description(Words.NODE_PROPERTIES_WRITTEN) long nodePropertiesWritten,
            @Description(Words.WRITE_MILLIS) long writeMillis,
            @Description(COUNT) long componentCount,
            @Description(DISTRIBUTION) Map<String, Object> componentDistribution,
            @Description(Words.POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(Words.PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(Words.COMPUTE_MILLIS) long computeMillis,
            @Description(Words.CONFIGURATION_COLUMN) Map<String, Object> configuration,
            @Description(Words.NODES_SKIPPED) long nodesSkipped,
            @Description(Words.BATCHES) long batches,
            @Description(Words.RETRIES) long retries,
            @Description(Words.ERROR_MESSAGES) Map<String, Object> errorMessages) {}

    /** Streams the components. */
    @Procedure(name = "proxima.wcc.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the weakly connected component of each `NODE`. Two nodes are in the same component if a path"
            + " connects them, whatever the direction of its relationships.")
    public Stream<StreamRow> stream(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = STREAM_KEYS)
                    Map<String, Object> configuration) {
        Wcc wcc = new Wcc(caller(), Algorithm.Mode.STREAM);
        return wcc.call(graphName, configuration, run -> {
            Wcc.Ids ids = wcc.ids(run, wcc.compute(run));
            return new ComponentRows(wcc.caller(), ids).stream(run.holdForRows(HeapPart.of(ids.ids()))::close);
        });
    }

    @Procedure(name = "proxima.wcc.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.wcc.stream`.")
    public Stream<EstimateRow> streamEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = STREAM_KEYS)
                    Map<String, Object> configuration) {
        return new Wcc(caller(), Algorithm.Mode.STREAM).estimate(graphNameOrConfiguration, configuration);
    }

    /** Returns statistics of the components. */
    @Procedure(name = "proxima.wcc.stats", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the number of weakly connected components and the distribution of their sizes.")
    public Stream<StatsRow> stats(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = STATS_KEYS)
                    Map<String, Object> configuration) {
        return new Wcc(caller(), Algorithm.Mode.STATS).row(StatsRow.class, graphName, configuration);
    }

    @Procedure(name = "proxima.wcc.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.wcc.stats`.")
    public Stream<EstimateRow> statsEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = STATS_KEYS)
                    Map<String, Object> configuration) {
        return new Wcc(caller(), Algorithm.Mode.STATS).estimate(graphNameOrConfiguration, configuration);
    }

    /** Adds the components to the graph as a property of its nodes. */
    @Procedure(name = "proxima.wcc.mutate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Adds to each `NODE` of the in-memory graph the id of its weakly connected component, as an `INTEGER`"
            + " property.")
    public Stream<MutateRow> mutate(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS)
                    Map<String, Object> configuration) {
        return new Wcc(caller(), Algorithm.Mode.MUTATE).row(MutateRow.class, graphName, configuration);
    }

    @Procedure(name = "proxima.wcc.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.wcc.mutate`.")
    public Stream<EstimateRow> mutateEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS)
                    Map<String, Object> configuration) {
        return new Wcc(caller(), Algorithm.Mode.MUTATE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Writes the components as a property. */
    @Procedure(name = "proxima.wcc.write", mode = Mode.WRITE)
    @NotThreadSafe
    @Description("Writes to each `NODE` the id of its weakly connected component, as an `INTEGER` property, and removes"
            + " the property from nodes in components below `minComponentSize`.")
    public Stream<WriteRow> write(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS)
                    Map<String, Object> configuration) {
        return new Wcc(caller(), Algorithm.Mode.WRITE).row(WriteRow.class, graphName, configuration);
    }

    @Procedure(name = "proxima.wcc.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.wcc.write`.")
    public Stream<EstimateRow> writeEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS)
                    Map<String, Object> configuration) {
        return new Wcc(caller(), Algorithm.Mode.WRITE).estimate(graphNameOrConfiguration, configuration);
    }

    /** The components in vertex order. */
    private static final class ComponentRows extends Rows<StreamRow> {
        private final Wcc.Ids ids;
        private int vertex;

        ComponentRows(Caller caller, Wcc.Ids ids) {
            super(caller);
            this.ids = ids;
        }

        @Override
        protected StreamRow compute() {
            while (vertex < ids.ids().length) {
                looked();
                int v = vertex++;
                if (ids.has(v)) {
                    return new StreamRow(ids.nodes().toNeo4jId(v), ids.id(v));
                }
            }
            return null;
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.eccentricity;

import io.proxima.memory.HeapPart;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.EstimateRow;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.call.Rows;
import io.proxima.plugin.call.Words;
import io.proxima.plugin.call.WriteRow;
import io.proxima.projection.IdMap;
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

    private static final String READ_KEYS = Words.COMMON_KEYS;
    private static final String MUTATE_KEYS = Words.MUTATE_KEYS + Words.COMMON_KEYS;
    private static final String WRITE_KEYS = Words.WRITE_KEYS + Words.COMMON_KEYS;

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
            @Description(Words.DIAMETER) long diameter,
            @Description(Words.RADIUS) long radius,
            @Description(Words.MEAN_DISTANCE) double meanDistance,
            @Description(Words.HOP_DISTRIBUTION) List<Long> hopDistribution,
            @Description(Words.POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(Words.PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(Words.COMPUTE_MILLIS) long computeMillis,
            @Description(Words.CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** Statistics of the eccentricities, and the property added to the graph. */
    public record MutateRow(
            @Description(Words.NODE_PROPERTIES_MUTATED) long nodePropertiesWritten,
            @Description(Words.MUTATE_MILLIS) long mutateMillis,
            @Description(DISTRIBUTION) Map<String, Object> eccentricityDistribution,
            @Description(Words.POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(Words.PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(Words.COMPUTE_MILLIS) long computeMillis,
            @Description(Words.CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** Statistics of the eccentricities, and the property written. */
    public record WriteRow(
            @Description(Words.NODE_PROPERTIES_WRITTEN) long nodePropertiesWritten,
            @Description(Words.WRITE_MILLIS) long writeMillis,
            @Description(DISTRIBUTION) Map<String, Object> eccentricityDistribution,
            @Description(Words.POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(Words.PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(Words.COMPUTE_MILLIS) long computeMillis,
            @Description(Words.CONFIGURATION_COLUMN) Map<String, Object> configuration,
            @Description(Words.NODES_SKIPPED) long nodesSkipped,
            @Description(Words.BATCHES) long batches,
            @Description(Words.RETRIES) long retries,
            @Description(Words.ERROR_MESSAGES) Map<String, Object> errorMessages) {}

    /** Streams the eccentricities. */
    @Procedure(name = "proxima.eccentricity.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the eccentricity of each `NODE`: the greatest distance from it to any node that it reaches.")
    public Stream<StreamRow> stream(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS)
                    Map<String, Object> configuration) {
        Eccentricity eccentricity = new Eccentricity(caller(), Algorithm.Mode.STREAM);
        return eccentricity.call(graphName, configuration, run -> {
            int[] eccentricities = eccentricity.compute(run).eccentricities();
            return new EccentricityRows(eccentricity.caller(), run.idMap(), eccentricities)
                    .stream(run.holdForRows(HeapPart.of(eccentricities))::close);
        });
    }

    @Procedure(name = "proxima.eccentricity.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.eccentricity.stream`.")
    public Stream<EstimateRow> streamEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS)
                    Map<String, Object> configuration) {
        return new Eccentricity(caller(), Algorithm.Mode.STREAM).estimate(graphNameOrConfiguration, configuration);
    }

    /** Returns statistics of the distances of the whole graph. */
    @Procedure(name = "proxima.eccentricity.stats", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the distribution of the eccentricities of all nodes, the diameter and the radius"
            + " of the graph, and statistics of its distances.")
    public Stream<StatsRow> stats(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS)
                    Map<String, Object> configuration) {
        return new Eccentricity(caller(), Algorithm.Mode.STATS).row(StatsRow.class, graphName, configuration);
    }

    @Procedure(name = "proxima.eccentricity.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.eccentricity.stats`.")
    public Stream<EstimateRow> statsEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = READ_KEYS)
                    Map<String, Object> configuration) {
        return new Eccentricity(caller(), Algorithm.Mode.STATS).estimate(graphNameOrConfiguration, configuration);
    }

    /** Adds the eccentricities to the graph as a property of its nodes. */
    @Procedure(name = "proxima.eccentricity.mutate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Adds to each `NODE` of the in-memory graph its eccentricity, as an `INTEGER` property.")
    public Stream<MutateRow> mutate(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS)
                    Map<String, Object> configuration) {
        return new Eccentricity(caller(), Algorithm.Mode.MUTATE).row(MutateRow.class, graphName, configuration);
    }

    @Procedure(name = "proxima.eccentricity.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.eccentricity.mutate`.")
    public Stream<EstimateRow> mutateEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS)
                    Map<String, Object> configuration) {
        return new Eccentricity(caller(), Algorithm.Mode.MUTATE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Writes the eccentricities as a property. */
    @Procedure(name = "proxima.eccentricity.write", mode = Mode.WRITE)
    @NotThreadSafe
    @Description("Writes to each `NODE` its eccentricity, as an `INTEGER` property.")
    public Stream<WriteRow> write(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS)
                    Map<String, Object> configuration) {
        return new Eccentricity(caller(), Algorithm.Mode.WRITE).row(WriteRow.class, graphName, configuration);
    }

    @Procedure(name = "proxima.eccentricity.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.eccentricity.write`.")
    public Stream<EstimateRow> writeEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS)
                    Map<String, Object> configuration) {
        return new Eccentricity(caller(), Algorithm.Mode.WRITE).estimate(graphNameOrConfiguration, configuration);
    }

    /** The eccentricities in vertex order. */
    private static final class EccentricityRows extends Rows<StreamRow> {
        private final IdMap ids;
        private final int[] eccentricities;
        private int vertex;

        EccentricityRows(Caller caller, IdMap ids, int[] eccentricities) {
            super(caller);
            this.ids = ids;
            this.eccentricities = eccentricities;
        }

        @Override
        protected StreamRow compute() {
            if (vertex == eccentricities.length) {
                return null;
            }
            int v = vertex++;
            return new StreamRow(ids.toNeo4jId(v), eccentricities[v]);
        }
    }
}

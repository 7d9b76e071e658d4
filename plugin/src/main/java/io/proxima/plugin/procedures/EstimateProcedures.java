// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.procedures;

import java.util.Map;
import java.util.stream.Stream;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/**
 * Estimates the heap and device memory of runs, without running them.
 *
 * <p>The class is long because it has a procedure for every algorithm, with the descriptions of its arguments.
 */
public final class EstimateProcedures extends ProximaProcedure {

    private static final String GRAPH = "The name of a projected graph, or a `MAP` that describes a hypothetical"
            + " graph: `nodeProjection` = '*', `relationshipProjection` = '*', `relationshipProperties`, `readConcurrency` = number of"
            + " processors, `nodeCount` = -1 and `relationshipCount` = -1 (-1 for the count of the database).";

    /** Required by Neo4j. */
    public EstimateProcedures() {}

    /** Estimates {@code proxima.bfs.stream}. */
    @Procedure(name = "proxima.bfs.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.bfs.stream`.")
    public Stream<EstimateRow> bfsStream(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = BfsProcedures.KEYS + Words.INCLUDE_UNREACHED_KEY + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Bfs(caller(), Algorithm.Mode.STREAM).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.bfs.stats}. */
    @Procedure(name = "proxima.bfs.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.bfs.stats`.")
    public Stream<EstimateRow> bfsStats(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = BfsProcedures.KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Bfs(caller(), Algorithm.Mode.STATS).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.bfs.mutate}. */
    @Procedure(name = "proxima.bfs.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.bfs.mutate`.")
    public Stream<EstimateRow> bfsMutate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = BfsProcedures.KEYS
                                    + Words.MUTATE_KEYS
                                    + BfsProcedures.PARENT_KEY
                                    + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Bfs(caller(), Algorithm.Mode.MUTATE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.bfs.write}. */
    @Procedure(name = "proxima.bfs.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.bfs.write`.")
    public Stream<EstimateRow> bfsWrite(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = BfsProcedures.KEYS
                                    + Words.WRITE_KEYS
                                    + BfsProcedures.PARENT_KEY
                                    + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Bfs(caller(), Algorithm.Mode.WRITE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.betweenness.stream}. */
    @Procedure(name = "proxima.betweenness.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.betweenness.stream`.")
    public Stream<EstimateRow> betweennessStream(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = BetweennessProcedures.KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Betweenness(caller(), Algorithm.Mode.STREAM).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.betweenness.stats}. */
    @Procedure(name = "proxima.betweenness.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.betweenness.stats`.")
    public Stream<EstimateRow> betweennessStats(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = BetweennessProcedures.KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Betweenness(caller(), Algorithm.Mode.STATS).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.betweenness.mutate}. */
    @Procedure(name = "proxima.betweenness.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.betweenness.mutate`.")
    public Stream<EstimateRow> betweennessMutate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = BetweennessProcedures.KEYS + Words.MUTATE_KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Betweenness(caller(), Algorithm.Mode.MUTATE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.betweenness.write}. */
    @Procedure(name = "proxima.betweenness.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.betweenness.write`.")
    public Stream<EstimateRow> betweennessWrite(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = BetweennessProcedures.KEYS + Words.WRITE_KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Betweenness(caller(), Algorithm.Mode.WRITE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.closeness.stream}. */
    @Procedure(name = "proxima.closeness.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.stream`.")
    public Stream<EstimateRow> closenessStream(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = ClosenessProcedures.KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return Closeness.byKeys(caller(), Algorithm.Mode.STREAM).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.closeness.stats}. */
    @Procedure(name = "proxima.closeness.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.stats`.")
    public Stream<EstimateRow> closenessStats(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = ClosenessProcedures.KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return Closeness.byKeys(caller(), Algorithm.Mode.STATS).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.closeness.mutate}. */
    @Procedure(name = "proxima.closeness.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.mutate`.")
    public Stream<EstimateRow> closenessMutate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = ClosenessProcedures.KEYS + Words.MUTATE_KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return Closeness.byKeys(caller(), Algorithm.Mode.MUTATE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.closeness.write}. */
    @Procedure(name = "proxima.closeness.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.write`.")
    public Stream<EstimateRow> closenessWrite(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = ClosenessProcedures.KEYS
                                    + ClosenessProcedures.RESUME_KEY
                                    + Words.WRITE_KEYS
                                    + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return Closeness.byKeys(caller(), Algorithm.Mode.WRITE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.closeness.harmonic.stream}. */
    @Procedure(name = "proxima.closeness.harmonic.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.harmonic.stream`.")
    public Stream<EstimateRow> harmonicStream(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = ClosenessProcedures.TARGETS_KEY + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return Closeness.harmonic(caller(), Algorithm.Mode.STREAM).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.closeness.harmonic.stats}. */
    @Procedure(name = "proxima.closeness.harmonic.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.harmonic.stats`.")
    public Stream<EstimateRow> harmonicStats(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = ClosenessProcedures.TARGETS_KEY + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return Closeness.harmonic(caller(), Algorithm.Mode.STATS).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.closeness.harmonic.mutate}. */
    @Procedure(name = "proxima.closeness.harmonic.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.harmonic.mutate`.")
    public Stream<EstimateRow> harmonicMutate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = ClosenessProcedures.TARGETS_KEY + Words.MUTATE_KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return Closeness.harmonic(caller(), Algorithm.Mode.MUTATE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.closeness.harmonic.write}. */
    @Procedure(name = "proxima.closeness.harmonic.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.harmonic.write`.")
    public Stream<EstimateRow> harmonicWrite(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = ClosenessProcedures.TARGETS_KEY
                                    + ClosenessProcedures.RESUME_KEY
                                    + Words.WRITE_KEYS
                                    + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return Closeness.harmonic(caller(), Algorithm.Mode.WRITE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.closeness.sampled.stream}. */
    @Procedure(name = "proxima.closeness.sampled.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.sampled.stream`.")
    public Stream<EstimateRow> sampledStream(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = SampledClosenessProcedures.KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new SampledCloseness(caller(), Algorithm.Mode.STREAM).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.closeness.sampled.stats}. */
    @Procedure(name = "proxima.closeness.sampled.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.sampled.stats`.")
    public Stream<EstimateRow> sampledStats(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = SampledClosenessProcedures.KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new SampledCloseness(caller(), Algorithm.Mode.STATS).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.closeness.sampled.mutate}. */
    @Procedure(name = "proxima.closeness.sampled.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.sampled.mutate`.")
    public Stream<EstimateRow> sampledMutate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = SampledClosenessProcedures.KEYS + Words.MUTATE_KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new SampledCloseness(caller(), Algorithm.Mode.MUTATE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.closeness.sampled.write}. */
    @Procedure(name = "proxima.closeness.sampled.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.closeness.sampled.write`.")
    public Stream<EstimateRow> sampledWrite(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = SampledClosenessProcedures.KEYS + Words.WRITE_KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new SampledCloseness(caller(), Algorithm.Mode.WRITE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.distances.stream}. */
    @Procedure(name = "proxima.distances.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.distances.stream`.")
    public Stream<EstimateRow> distancesStream(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = DistancesProcedures.KEYS
                                    + DistancesProcedures.TARGETS_KEY
                                    + Words.INCLUDE_UNREACHED_KEY
                                    + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Distances(caller(), Algorithm.Mode.STREAM).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.distances.stats}. */
    @Procedure(name = "proxima.distances.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.distances.stats`.")
    public Stream<EstimateRow> distancesStats(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description =
                                    DistancesProcedures.KEYS + DistancesProcedures.TARGETS_KEY + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Distances(caller(), Algorithm.Mode.STATS).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.distances.write}. */
    @Procedure(name = "proxima.distances.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.distances.write`.")
    public Stream<EstimateRow> distancesWrite(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = DistancesProcedures.KEYS + Words.WRITE_KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Distances(caller(), Algorithm.Mode.WRITE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.distances.nearest.stream}. */
    @Procedure(name = "proxima.distances.nearest.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.distances.nearest.stream`.")
    public Stream<EstimateRow> nearestStream(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = NearestProcedures.KEYS + Words.INCLUDE_UNREACHED_KEY + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Nearest(caller(), Algorithm.Mode.STREAM).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.distances.nearest.stats}. */
    @Procedure(name = "proxima.distances.nearest.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.distances.nearest.stats`.")
    public Stream<EstimateRow> nearestStats(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = NearestProcedures.KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Nearest(caller(), Algorithm.Mode.STATS).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.distances.nearest.mutate}. */
    @Procedure(name = "proxima.distances.nearest.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.distances.nearest.mutate`.")
    public Stream<EstimateRow> nearestMutate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = NearestProcedures.KEYS
                                    + Words.MUTATE_KEYS
                                    + NearestProcedures.SOURCE_KEY
                                    + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Nearest(caller(), Algorithm.Mode.MUTATE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.distances.nearest.write}. */
    @Procedure(name = "proxima.distances.nearest.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.distances.nearest.write`.")
    public Stream<EstimateRow> nearestWrite(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = NearestProcedures.KEYS
                                    + Words.WRITE_KEYS
                                    + NearestProcedures.SOURCE_KEY
                                    + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Nearest(caller(), Algorithm.Mode.WRITE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.eccentricity.stream}. */
    @Procedure(name = "proxima.eccentricity.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.eccentricity.stream`.")
    public Stream<EstimateRow> eccentricityStream(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Eccentricity(caller(), Algorithm.Mode.STREAM).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.eccentricity.stats}. */
    @Procedure(name = "proxima.eccentricity.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.eccentricity.stats`.")
    public Stream<EstimateRow> eccentricityStats(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Eccentricity(caller(), Algorithm.Mode.STATS).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.eccentricity.mutate}. */
    @Procedure(name = "proxima.eccentricity.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.eccentricity.mutate`.")
    public Stream<EstimateRow> eccentricityMutate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = Words.MUTATE_KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Eccentricity(caller(), Algorithm.Mode.MUTATE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.eccentricity.write}. */
    @Procedure(name = "proxima.eccentricity.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.eccentricity.write`.")
    public Stream<EstimateRow> eccentricityWrite(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = Words.WRITE_KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Eccentricity(caller(), Algorithm.Mode.WRITE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.allShortestPaths.delta.stream}. */
    @Procedure(name = "proxima.allShortestPaths.delta.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.allShortestPaths.delta.stream`.")
    public Stream<EstimateRow> allShortestPathsStream(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = AllShortestPathsProcedures.KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new AllShortestPaths(caller(), Algorithm.Mode.STREAM).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.allShortestPaths.delta.stats}. */
    @Procedure(name = "proxima.allShortestPaths.delta.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.allShortestPaths.delta.stats`.")
    public Stream<EstimateRow> allShortestPathsStats(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = AllShortestPathsProcedures.KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new AllShortestPaths(caller(), Algorithm.Mode.STATS).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.allShortestPaths.delta.mutate}. */
    @Procedure(name = "proxima.allShortestPaths.delta.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.allShortestPaths.delta.mutate`.")
    public Stream<EstimateRow> allShortestPathsMutate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = AllShortestPathsProcedures.KEYS + Words.MUTATE_KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new AllShortestPaths(caller(), Algorithm.Mode.MUTATE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.allShortestPaths.delta.write}. */
    @Procedure(name = "proxima.allShortestPaths.delta.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.allShortestPaths.delta.write`.")
    public Stream<EstimateRow> allShortestPathsWrite(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = AllShortestPathsProcedures.KEYS + Words.WRITE_KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new AllShortestPaths(caller(), Algorithm.Mode.WRITE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.wcc.stream}. */
    @Procedure(name = "proxima.wcc.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.wcc.stream`.")
    public Stream<EstimateRow> wccStream(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = WccProcedures.KEYS + WccProcedures.SIZE_KEY + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Wcc(caller(), Algorithm.Mode.STREAM).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.wcc.stats}. */
    @Procedure(name = "proxima.wcc.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.wcc.stats`.")
    public Stream<EstimateRow> wccStats(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = WccProcedures.KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Wcc(caller(), Algorithm.Mode.STATS).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.wcc.mutate}. */
    @Procedure(name = "proxima.wcc.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.wcc.mutate`.")
    public Stream<EstimateRow> wccMutate(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = WccProcedures.KEYS + Words.MUTATE_KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Wcc(caller(), Algorithm.Mode.MUTATE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Estimates {@code proxima.wcc.write}. */
    @Procedure(name = "proxima.wcc.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.wcc.write`.")
    public Stream<EstimateRow> wccWrite(
            @Name(value = "graphNameOrConfiguration", description = GRAPH) Object graphNameOrConfiguration,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description =
                                    WccProcedures.KEYS + WccProcedures.SIZE_KEY + Words.WRITE_KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        return new Wcc(caller(), Algorithm.Mode.WRITE).estimate(graphNameOrConfiguration, configuration);
    }
}

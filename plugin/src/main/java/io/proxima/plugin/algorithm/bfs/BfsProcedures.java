// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.bfs;

import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
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

/** Distances from one node, by a breadth-first search. */
public final class BfsProcedures extends ProximaProcedure {

    private static final String KEYS = "`sourceNode` (mandatory), `maxDepth` = -1, `targetNodes` = [], ";

    private static final String PARENT_KEY = "`parentProperty` (none if left out), ";

    private static final String STREAM_KEYS = KEYS + Words.INCLUDE_UNREACHED_KEY + Words.COMMON_KEYS;
    private static final String STATS_KEYS = KEYS + Words.COMMON_KEYS;
    private static final String MUTATE_KEYS = KEYS + Words.MUTATE_KEYS + PARENT_KEY + Words.COMMON_KEYS;
    private static final String WRITE_KEYS = KEYS + Words.WRITE_KEYS + PARENT_KEY + Words.COMMON_KEYS;

    /** Required by Neo4j. */
    public BfsProcedures() {}

    /** A node and its distance. */
    public record StreamRow(
            @Description("The id of the node; `proxima.util.asNode` returns the `NODE`.")
            long nodeId,

            @Description("The number of hops from the source; -1 for an unreached node.")
            long distance,

            @Description("The smallest id of the nodes that are one hop nearer to the source and have a relationship to"
                    + " this node; null for the source and for unreached nodes.")
            Long parent) {}

    /** Statistics of a search. */
    public record StatsRow(
            @Description(Words.DEPTH) long depth,
            @Description(Words.NODES_REACHED) long nodesReached,
            @Description(Words.HOPS_FROM_SOURCE) List<Long> hopDistribution,
            @Description(Words.POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(Words.PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(Words.COMPUTE_MILLIS) long computeMillis,
            @Description(Words.CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** The result of a search, and the property added to the graph. */
    public record MutateRow(
            @Description(Words.NODE_PROPERTIES_MUTATED) long nodePropertiesWritten,
            @Description(Words.MUTATE_MILLIS) long mutateMillis,
            @Description(Words.DEPTH) long depth,
            @Description(Words.NODES_REACHED) long nodesReached,
            @Description(Words.HOPS_FROM_SOURCE) List<Long> hopDistribution,
            @Description(Words.POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(Words.PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(Words.COMPUTE_MILLIS) long computeMillis,
            @Description(Words.CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** The result of a search, and the property written. */
    public record WriteRow(
            @Description(Words.NODE_PROPERTIES_WRITTEN) long nodePropertiesWritten,
            @Description(Words.WRITE_MILLIS) long writeMillis,
            @Description(Words.DEPTH) long depth,
            @Description(Words.NODES_REACHED) long nodesReached,
            @Description(Words.HOPS_FROM_SOURCE) List<Long> hopDistribution,
            @Description(Words.POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(Words.PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(Words.COMPUTE_MILLIS) long computeMillis,
            @Description(Words.CONFIGURATION_COLUMN) Map<String, Object> configuration,
            @Description(Words.NODES_SKIPPED) long nodesSkipped,
            @Description(Words.BATCHES) long batches,
            @Description(Words.RETRIES) long retries,
            @Description(Words.ERROR_MESSAGES) Map<String, Object> errorMessages) {}

    /** Streams the levels. */
    @Procedure(name = "proxima.bfs.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the nodes that a breadth-first search from the source `NODE` reaches, with their number"
            + " of hops from it and their parent in the search tree.")
    public Stream<StreamRow> stream(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = STREAM_KEYS)
                    Map<String, Object> configuration) {
        Bfs bfs = new Bfs(caller(), Algorithm.Mode.STREAM);
        return bfs.call(graphName, configuration, run -> {
            Bfs.Found found = bfs.compute(run);
            return new LevelRows(bfs.caller(), run.idMap(), found, bfs.includeUnreached())
                    .stream(run.holdForRows(found.heapParts())::close);
        });
    }

    @Procedure(name = "proxima.bfs.stream.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.bfs.stream`.")
    public Stream<EstimateRow> streamEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = STREAM_KEYS)
                    Map<String, Object> configuration) {
        return new Bfs(caller(), Algorithm.Mode.STREAM).estimate(graphNameOrConfiguration, configuration);
    }

    /** Returns statistics of the search. */
    @Procedure(name = "proxima.bfs.stats", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the depth of a breadth-first search from the source `NODE` and the number of nodes at"
            + " each distance.")
    public Stream<StatsRow> stats(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = STATS_KEYS)
                    Map<String, Object> configuration) {
        return new Bfs(caller(), Algorithm.Mode.STATS).row(StatsRow.class, graphName, configuration);
    }

    @Procedure(name = "proxima.bfs.stats.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.bfs.stats`.")
    public Stream<EstimateRow> statsEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = STATS_KEYS)
                    Map<String, Object> configuration) {
        return new Bfs(caller(), Algorithm.Mode.STATS).estimate(graphNameOrConfiguration, configuration);
    }

    /** Adds the levels to the graph as a property of its nodes. */
    @Procedure(name = "proxima.bfs.mutate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Adds to each `NODE` of the in-memory graph its number of hops from the source `NODE`, as an `INTEGER`"
            + " property; -1 for unreached nodes. Optionally adds the id of the parent in the search tree, too.")
    public Stream<MutateRow> mutate(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS)
                    Map<String, Object> configuration) {
        return new Bfs(caller(), Algorithm.Mode.MUTATE).row(MutateRow.class, graphName, configuration);
    }

    @Procedure(name = "proxima.bfs.mutate.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.bfs.mutate`.")
    public Stream<EstimateRow> mutateEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = MUTATE_KEYS)
                    Map<String, Object> configuration) {
        return new Bfs(caller(), Algorithm.Mode.MUTATE).estimate(graphNameOrConfiguration, configuration);
    }

    /** Writes the levels as a property. */
    @Procedure(name = "proxima.bfs.write", mode = Mode.WRITE)
    @NotThreadSafe
    @Description("Writes to each `NODE` its number of hops from the source `NODE`, as an `INTEGER`"
            + " property, and optionally the id of its parent in the search tree. Removes the properties from"
            + " nodes without a value.")
    public Stream<WriteRow> write(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS)
                    Map<String, Object> configuration) {
        return new Bfs(caller(), Algorithm.Mode.WRITE).row(WriteRow.class, graphName, configuration);
    }

    @Procedure(name = "proxima.bfs.write.estimate", mode = Mode.READ)
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.bfs.write`.")
    public Stream<EstimateRow> writeEstimate(
            @Name(value = "graphNameOrConfiguration", description = Words.GRAPH_OR_MAP) Object graphNameOrConfiguration,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS)
                    Map<String, Object> configuration) {
        return new Bfs(caller(), Algorithm.Mode.WRITE).estimate(graphNameOrConfiguration, configuration);
    }

    /** The levels in vertex order. */
    private static final class LevelRows extends Rows<StreamRow> {
        private final IdMap ids;
        private final Bfs.Found found;
        private final Levels levels;
        private final int vertexCount;
        private final boolean includeUnreached;
        private int vertex;

        LevelRows(Caller caller, IdMap ids, Bfs.Found found, boolean includeUnreached) {
            super(caller);
            this.ids = ids;
            this.found = found;
            this.levels = found.levels();
            this.vertexCount = levels.vertexCount();
            this.includeUnreached = includeUnreached;
        }

        @Override
        protected StreamRow compute() {
            while (vertex < vertexCount) {
                looked();
                int v = vertex++;
                int level = levels.level(v);
                if (includeUnreached || level != LoadedGraph.UNREACHED) {
                    return new StreamRow(ids.toNeo4jId(v), level, found.parent(ids, v));
                }
            }
            return null;
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.distances;

import static io.proxima.plugin.call.Algorithm.Mode.STATS;
import static io.proxima.plugin.call.Algorithm.Mode.STREAM;
import static io.proxima.plugin.call.Algorithm.Mode.WRITE;

import io.proxima.backend.BackendTask;
import io.proxima.backend.LoadedGraph;
import io.proxima.concurrent.Progress;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.EstimateRow;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.call.Rows;
import io.proxima.plugin.call.ColumnTexts;
import io.proxima.plugin.call.WriteRow;
import io.proxima.projection.IdMap;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;

/** Hop distances from several nodes at once, separately for each. */
public final class DistancesProcedures extends ProximaProcedure {

    private static final String KEYS = "`sourceNodes` (mandatory), `maxDepth` = -1, ";

    private static final String TARGETS_KEY = "`targetNodeFilter` = [] (all nodes), ";

    private static final String STREAM_KEYS = KEYS + TARGETS_KEY + ColumnTexts.INCLUDE_UNREACHED_KEY + ColumnTexts.COMMON_KEYS;
    private static final String STATS_KEYS = KEYS + TARGETS_KEY + ColumnTexts.COMMON_KEYS;
    private static final String WRITE_KEYS = KEYS + ColumnTexts.WRITE_KEYS + ColumnTexts.COMMON_KEYS;

    /** Required by Neo4j. */
    public DistancesProcedures() {}

    /** A pair of nodes and their distance. */
    public record StreamRow(
            @Description("The id of the source.") long sourceNode,
            @Description("The id of the other node.") long targetNode,

            @Description("The number of hops from the source to the other node; -1 if there is no path.")
            long distance) {}

    /** Statistics of the distances. */
    public record StatsRow(
            @Description("The greatest distance of a node from a source that reaches it.")
            long depth,

            @Description("The mean distance over all pairs of a source and another node that it reaches; 0.0 without"
                    + " such pairs.")
            double meanDistance,

            @Description("The number of pairs of a source and a node at each distance, from distance 0 (the sources).")
            List<Long> hopDistribution,

            @Description(ColumnTexts.POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(ColumnTexts.PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(ColumnTexts.COMPUTE_MILLIS) long computeMillis,
            @Description(ColumnTexts.CONFIGURATION_COLUMN) Map<String, Object> configuration) {}

    /** Streams the distances, source by source. */
    @Procedure("proxima.distances.stream")
    @NotThreadSafe
    @Description("Returns for each source `NODE` the nodes that it reaches, with their number of hops from"
            + " it. The row from a source to itself is left out unless the source is one of the"
            + " `targetNodeFilter`.")
    public Stream<StreamRow> stream(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = STREAM_KEYS) Map<String, Object> config) {
        Caller caller = caller();
        return caller.answer(() -> {
            Distances distances = new Distances(caller, STREAM);
            GraphRun run = distances.open(graphName, config);
            try {
                return new DistanceRows(run, distances).stream(run);
            } catch (RuntimeException | Error e) {
                run.close();
                throw e;
            }
        });
    }

    @Procedure("proxima.distances.stream.estimate")
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.distances.stream`.")
    public Stream<EstimateRow> streamEstimate(
            @Name(value = "graphNameOrConfiguration", description = ColumnTexts.GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = STREAM_KEYS) Map<String, Object> config) {
        return new Distances(caller(), STREAM).estimate(graph, config);
    }

    /** Returns statistics of the distances. */
    @Procedure("proxima.distances.stats")
    @NotThreadSafe
    @Description("Returns statistics of the number of hops from each source `NODE` to the nodes that it reaches.")
    public Stream<StatsRow> stats(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = STATS_KEYS) Map<String, Object> config) {
        return new Distances(caller(), STATS).row(StatsRow.class, graphName, config);
    }

    @Procedure("proxima.distances.stats.estimate")
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.distances.stats`.")
    public Stream<EstimateRow> statsEstimate(
            @Name(value = "graphNameOrConfiguration", description = ColumnTexts.GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = STATS_KEYS) Map<String, Object> config) {
        return new Distances(caller(), STATS).estimate(graph, config);
    }

    /** Writes the distances as a list property. */
    @Procedure(name = "proxima.distances.write", mode = Mode.WRITE)
    @NotThreadSafe
    @Description("Writes to each `NODE` its distances from the source nodes, as a `LIST<INTEGER>` property in the"
            + " order of `sourceNodes`; -1 if there is no path.")
    public Stream<WriteRow> write(
            @Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return new Distances(caller(), WRITE).row(WriteRow.class, graphName, config);
    }

    @Procedure("proxima.distances.write.estimate")
    @NotThreadSafe
    @Description("Returns the estimated memory of `proxima.distances.write`.")
    public Stream<EstimateRow> writeEstimate(
            @Name(value = "graphNameOrConfiguration", description = ColumnTexts.GRAPH_OR_MAP) Object graph,
            @Name(value = "configuration", defaultValue = "{}", description = WRITE_KEYS) Map<String, Object> config) {
        return new Distances(caller(), WRITE).estimate(graph, config);
    }

    /** Searches from a few sources when their rows are requested, and keeps only the distances of these sources. */
    private static final class DistanceRows extends Rows<StreamRow> {
        private final GraphRun run;
        private final Progress progress;
        private final Distances distances;
        private final IdMap ids;
        private final LoadedGraph graph;
        /** The distinct sources. */
        private final int[] order;

        /** For each distinct source the number of times that it was requested. */
        private final int[] times;

        /** Vertices that get rows, ascending; null for all except the source. */
        private final int[] targets;

        private final BitSet askedFor;
        private final int width;
        private final int sourcesAtOnce;

        // the held sources: held[i] are the distances of order[firstHeld + i]
        private int[][] held = new int[0][];
        private int firstHeld;

        // the next row
        private int source;
        private int repeat;
        private int column;

        DistanceRows(GraphRun run, Distances distances) {
            super(run.caller());
            this.run = run;
            this.distances = distances;
            this.ids = run.idMap();
            this.targets = distances.targets(run);
            this.order = distances.sources(run);
            this.times = distances.sources().times();
            this.width = targets == null ? run.vertexCount() : targets.length;
            this.askedFor = new BitSet();
            if (targets != null) {
                for (int target : targets) {
                    askedFor.set(target);
                }
            }
            this.graph = distances.load(run);
            this.progress = run.control().progress();
            progress.beginTask(BackendTask.MULTI_SOURCE_BFS, order.length);
            this.sourcesAtOnce = Math.min(graph.multiSourceBatchSize(), Distances.mostAtOnce(width));
        }

        @Override
        protected StreamRow compute() {
            while (source < order.length) {
                if (source == firstHeld + held.length) {
                    search();
                }
                int[] row = held[source - firstHeld];
                while (column < width) {
                    countWork();
                    int target = targets == null ? column : targets[column];
                    int distance = row[column];
                    column++;
                    boolean ownRow = target == order[source] && !askedFor.get(target);
                    if (!ownRow && (distances.includeUnreached() || distance != LoadedGraph.UNREACHED)) {
                        return new StreamRow(ids.toNeo4jId(order[source]), ids.toNeo4jId(target), distance);
                    }
                }
                column = 0;
                if (++repeat == times[source]) {
                    repeat = 0;
                    source++;
                }
            }
            run.succeed();
            run.close();
            return null;
        }

        private void search() {
            int[] wanted = Arrays.copyOfRange(order, source, Math.min(source + sourcesAtOnce, order.length));
            // freed before the next distances are computed
            held = new int[0][];
            held = distances.compute(run, graph, wanted, targets, run.quietControl());
            firstHeld = source;
            progress.advance(wanted.length);
        }
    }
}

/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.plugin.procedures;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.write.PropertyWriter;
import io.proxima.projection.IdMap;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.stream.Stream;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.Procedure;
import org.neo4j.values.storable.Values;

/** Hop distances from several nodes at once, each with distances of its own. */
public final class DistancesProcedures extends ProximaProcedure {

    private static final String TASK = "Distances";
    private static final String KEYS = "`sourceNodes` (mandatory), `maxDepth` = -1, ";

    /** Distances that a stream holds at a time; a power of two that keeps it at 32 MiB. */
    private static final int HELD_DISTANCES = 1 << 23;

    /** For Neo4j. */
    public DistancesProcedures() {}

    /** A pair of nodes and their distance. */
    public record StreamRow(
            @Description("The id of the source.") long sourceNode,
            @Description("The id of the other node.") long targetNode,

            @Description("The number of hops from the source to the other node; -1 if there is no path.")
            long distance) {}

    /** What was written. */
    public record WriteRow(
            @Description(Words.NODE_PROPERTIES_WRITTEN) long nodePropertiesWritten,
            @Description(Words.WRITE_MILLIS) long writeMillis,
            @Description(Words.POST_PROCESSING_MILLIS) long postProcessingMillis,
            @Description(Words.PRE_PROCESSING_MILLIS) long preProcessingMillis,
            @Description(Words.COMPUTE_MILLIS) long computeMillis,
            @Description(Words.CONFIGURATION_COLUMN) Map<String, Object> configuration,
            @Description(Words.NODES_SKIPPED) long nodesSkipped,
            @Description(Words.BATCHES) long batches,
            @Description(Words.FAILED_BATCHES) long failedBatches,
            @Description(Words.RETRIES) long retries,
            @Description(Words.ERROR_MESSAGES) Map<String, Object> errorMessages) {}

    /** Streams the distances, source by source. */
    @Procedure(name = "proxima.distances.stream", mode = Mode.READ)
    @NotThreadSafe
    @Description(
            "Returns for each source `NODE` the nodes that it reaches along the relationships, with their number of"
                    + " hops from it. A source's own row is left out unless the source is one of the `targetNodes`.")
    public Stream<StreamRow> stream(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description =
                                    KEYS + "`targetNodes` = [] (all), `includeUnreached` = false, " + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        Caller caller = caller();
        return caller.answer(() -> {
            ConfigReader reader = RunConfig.reader(graphName, configuration);
            SourceConfig config = SourceConfig.read(caller, reader);
            boolean targeted = reader.has("targetNodes");
            long[] targetIds = reader.readNodes("targetNodes", false, caller.nodes());
            boolean includeUnreached = reader.readBoolean("includeUnreached", false);
            GraphRun run = config.open(caller, graphName, reader, TASK);
            try {
                int[] targets = targeted && targetIds.length > 0
                        ? distinctAscending(run.vertices("targetNodes", targetIds))
                        : null;
                return new DistanceRows(caller, run, config, targets, includeUnreached).stream(run);
            } catch (RuntimeException | Error e) {
                run.close();
                throw e;
            }
        });
    }

    /** Writes the distances as a list property. */
    @Procedure(name = "proxima.distances.write", mode = Mode.WRITE)
    @NotThreadSafe
    @Description("Writes to each `NODE` its numbers of hops from the source nodes, as a `LIST<INTEGER>` property in the"
            + " order of `sourceNodes`; -1 stands for no path.")
    public Stream<WriteRow> write(
            @Name(value = "graphName", description = Words.GRAPH_NAME) String graphName,
            @Name(
                            value = "configuration",
                            defaultValue = "{}",
                            description = KEYS + Words.WRITE_KEYS + Words.COMMON_KEYS)
                    Map<String, Object> configuration) {
        Caller caller = caller();
        return caller.answer(() -> {
            ConfigReader reader = RunConfig.reader(graphName, configuration);
            SourceConfig config = SourceConfig.read(caller, reader);
            WriteConfig write = WriteConfig.read(reader);
            try (GraphRun run = config.open(caller, graphName, reader, TASK)) {
                PropertyWriter.requireUnchanged(caller.transaction());
                Sources sources = config.sources(run);
                int[] order = sources.distinct();
                int vertexCount = run.vertexCount();
                LoadedGraph graph =
                        run.load(Run.MULTI_SOURCE_BFS, order.length, (long) order.length * vertexCount * Integer.BYTES);
                long start = System.nanoTime();
                int[][] distances = new int[order.length][];
                graph.multiSourceBfs(
                        order,
                        config.maxDepth(),
                        batch -> {
                            for (int i = 0; i < batch.sourceCount(); i++) {
                                caller.stop().check();
                                int[] row = new int[vertexCount];
                                for (int vertex = 0; vertex < vertexCount; vertex++) {
                                    row[vertex] = batch.distance(i, vertex);
                                }
                                distances[batch.firstSource() + i] = row;
                            }
                        },
                        run.control());
                long computeMillis = GraphRun.millisSince(start);
                int[] positions = sources.positions();
                WriteConfig.Written written = write.write(run, vertex -> {
                    long[] list = new long[positions.length];
                    for (int i = 0; i < list.length; i++) {
                        list[i] = distances[positions[i]][vertex];
                    }
                    return Values.longArray(list);
                });
                PropertyWriter.Summary summary = written.summary();
                run.succeed();
                return Stream.of(new WriteRow(
                        summary.propertiesWritten(),
                        written.millis(),
                        0,
                        run.preProcessingMillis(),
                        computeMillis,
                        run.configuration(),
                        summary.nodesSkipped(),
                        summary.batches(),
                        0,
                        summary.retries(),
                        summary.errorMessages()));
            }
        });
    }

    private static int[] distinctAscending(int[] vertices) {
        return Arrays.stream(vertices).sorted().distinct().toArray();
    }

    /** Searches for a few sources when their rows are wanted, and keeps the distances of these only. */
    private static final class DistanceRows extends Rows<StreamRow> {
        private final GraphRun run;
        private final IdMap ids;
        private final LoadedGraph graph;
        private final int maxDepth;
        private final boolean includeUnreached;
        private final Sources sources;
        /** Vertices that rows are made for, ascending; null for all but the source. */
        private final int[] targets;

        private final BitSet askedFor;
        private final int width;
        private final int sourcesAtOnce;

        // the sources held: held[i] are the distances of sources.distinct()[firstHeld + i]
        private int[][] held = new int[0][];
        private int firstHeld;

        // the row to be made next
        private int source;
        private int repeat;
        private int column;

        DistanceRows(Caller caller, GraphRun run, SourceConfig config, int[] targets, boolean includeUnreached) {
            super(caller);
            this.run = run;
            this.ids = run.idMap();
            this.maxDepth = config.maxDepth();
            this.targets = targets;
            this.includeUnreached = includeUnreached;
            this.sources = config.sources(run);
            this.width = targets == null ? run.vertexCount() : targets.length;
            this.askedFor = new BitSet();
            if (targets != null) {
                for (int target : targets) {
                    askedFor.set(target);
                }
            }
            long wanted = (long) width * sources.distinct().length;
            this.graph = run.load(
                    Run.MULTI_SOURCE_BFS, sources.distinct().length, Math.min(HELD_DISTANCES, wanted) * Integer.BYTES);
            run.progress().beginTask("Multi-source BFS", sources.distinct().length);
            this.sourcesAtOnce = Math.max(1, Math.min(graph.multiSourceBatchSize(), HELD_DISTANCES / width));
        }

        @Override
        StreamRow compute() {
            int[] order = sources.distinct();
            while (source < order.length) {
                if (source == firstHeld + held.length) {
                    search();
                }
                int[] distances = held[source - firstHeld];
                while (column < width) {
                    int target = targets == null ? column : targets[column];
                    int distance = distances[column];
                    column++;
                    boolean ownRow = target == order[source] && !askedFor.get(target);
                    if (!ownRow && (includeUnreached || distance != LoadedGraph.UNREACHED)) {
                        return new StreamRow(ids.toNeo4jId(order[source]), ids.toNeo4jId(target), distance);
                    }
                }
                column = 0;
                if (++repeat == sources.times()[source]) {
                    repeat = 0;
                    source++;
                }
            }
            run.succeed();
            run.close();
            return null;
        }

        private void search() {
            int[] order = sources.distinct();
            int[] wanted = Arrays.copyOfRange(order, source, Math.min(source + sourcesAtOnce, order.length));
            int[][] found = new int[wanted.length][];
            graph.multiSourceBfs(
                    wanted,
                    maxDepth,
                    batch -> {
                        for (int i = 0; i < batch.sourceCount(); i++) {
                            int[] row = new int[width];
                            for (int c = 0; c < width; c++) {
                                row[c] = batch.distance(i, targets == null ? c : targets[c]);
                            }
                            found[batch.firstSource() + i] = row;
                        }
                    },
                    run.quietControl());
            run.progress().advance(wanted.length);
            held = found;
            firstHeld = source;
        }
    }
}

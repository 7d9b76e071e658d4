// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.distances;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.concurrent.PacedStop;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.Sources;
import io.proxima.plugin.algorithm.distances.DistancesProcedures.StreamRow;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.call.VertexValues;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.statistics.HopCounter;
import io.proxima.plugin.write.PropertyWriter;
import io.proxima.plugin.write.WrittenValues;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.neo4j.values.storable.Value;
import org.neo4j.values.storable.Values;

/** Hop distances from several nodes, separately for each. */
public final class Distances extends Algorithm<StreamRow> {

    private static final Key<List<Long>> SOURCE_NODES = Key.of("sourceNodes", "The starts of the searches.");
    private static final Key<List<Long>> TARGET_NODE_FILTER = Key.of(
            "targetNodeFilter", List.of(), "Restricts the result to distances to these nodes. Empty: all nodes.");

    /** Maximum number of distances that a stream holds at a time; a power of two that limits it to 32 MiB. */
    private static final int HELD_DISTANCES = 1 << 23;

    /** Number of sources that every backend searches from at once. */
    private static final int LEAST_AT_ONCE = 64;

    /** Heap of a list beside its elements: the array and the value around it. */
    private static final int LIST_BYTES = 32;

    /** The nodes whose distances are wanted; none for all. */
    private Sources targets;

    private Sources sources;
    private int maxDepth;
    private boolean includeUnreached;

    public Distances(Caller caller, Mode mode) {
        super(caller, mode, Operation.MULTI_SOURCE_BFS, "Distances");
    }

    @Override
    protected void readKeys(ConfigReader reader) {
        sources = Sources.read(reader, SOURCE_NODES, caller());
        maxDepth = reader.readInt(Sources.MAX_DEPTH, LoadedGraph.NO_MAX_DEPTH);
        targets = mode() == Mode.WRITE ? Sources.NONE : Sources.read(reader, TARGET_NODE_FILTER, caller());
        includeUnreached =
                readIncludeUnreached(reader, "Also returns a row for each pair without a path, with distance -1.");
    }

    /** The sources as they were requested. */
    Sources sources() {
        return sources;
    }

    /** Whether pairs without a path get rows. */
    boolean includeUnreached() {
        return includeUnreached;
    }

    /** The vertices whose distances are wanted, ascending; null for all. */
    int[] targets(GraphRun run) {
        return targets.count() == 0 ? null : targets.ascendingVertices(run);
    }

    @Override
    protected int searches(int vertexCount) {
        return sources.count();
    }

    @Override
    protected Workload work(int vertexCount, int wholeVertexCount) {
        MemoryTree nodes = MemoryTree.together(
                "nodes of the call", sources.memory(), targets.memory().named("target nodes"));
        if (mode() == Mode.STATS) {
            Workload search = new Workload(operation(), sources.count(), maxDepth);
            return search.keeping(
                    MemoryTree.together("nodes and hops", nodes, HopCounter.memory(search.deepest(vertexCount))),
                    MemoryTree.NONE);
        }
        long row;
        int most = sources.count();
        MemoryTree lists = MemoryTree.NONE;
        if (mode() == Mode.STREAM) {
            int width = targets.count() == 0 ? vertexCount : targets.count();
            most = Math.min(most, mostAtOnce(width));
            row = (long) width * Integer.BYTES;
        } else {
            row = (long) vertexCount * Integer.BYTES;
            lists = PropertyWriter.memory(vertexCount, listBytes(sources.positions().length), writeConcurrency());
        }
        int least = mode() == Mode.STREAM ? Math.min(most, LEAST_AT_ONCE) : most;
        MemoryTree kept = MemoryTree.between("distances kept", least * row, most * row);
        return new Workload(operation(), most, maxDepth)
                .keeping(MemoryTree.together("nodes and distances", nodes, kept), lists);
    }

    /** Heap of the distances of a node as a list. */
    static long listBytes(int length) {
        return LIST_BYTES + (long) length * Long.BYTES;
    }

    /** The maximum number of sources that a stream holds, for a number of targets; at least one. */
    static int mostAtOnce(int width) {
        return Math.max(1, HELD_DISTANCES / Math.max(1, width));
    }

    /** Searches while the rows are read: only then it is known how many sources are searched from. */
    @Override
    public Stream<StreamRow> stream(String graphName, Map<String, Object> configuration) {
        return caller().answer(() -> {
            GraphRun run = open(graphName, configuration);
            try {
                return DistanceRows.stream(run, this);
            } catch (RuntimeException | Error e) {
                run.close();
                throw e;
            }
        });
    }

    @Override
    protected RunResult<StreamRow> compute(GraphRun run) {
        if (mode() == Mode.STATS) {
            HopCounter hops = count(run);
            return result(
                    () -> Map.of(
                            "depth", hops.depth(),
                            "meanDistance", hops.mean(),
                            "hopDistribution", caller().yields("hopDistribution") ? hops.distribution() : List.of()),
                    List::of);
        }
        int[] order = sources.vertices(run);
        LoadedGraph graph = load(run);
        int[][] found = timed(() -> compute(run, graph, order, null, run.control()));
        return result(Map::of, () -> List.of(new DistanceLists(run.vertexCount(), found, sources.positions())));
    }

    private static RunResult<StreamRow> result(
            Supplier<Map<String, Object>> columns, Supplier<List<VertexValues>> values) {
        return new RunResult<>(0, () -> (element, part) -> null, List.of(), columns, values);
    }

    /** For each vertex its distances from the sources as they were requested, with duplicates. */
    private static final class DistanceLists extends VertexValues {
        private final int[][] found;
        private final int[] positions;

        /**
         * Creates the lists.
         *
         * @param found {@code int[distinct sources][vertices]}
         * @param positions for each requested source its index in {@code found}
         */
        DistanceLists(int vertexCount, int[][] found, int[] positions) {
            super(vertexCount);
            this.found = found;
            this.positions = positions;
        }

        @Override
        public Value value(int vertex) {
            long[] list = new long[positions.length];
            for (int i = 0; i < list.length; i++) {
                list[i] = found[positions[i]][vertex];
            }
            return Values.longArray(list);
        }

        @Override
        public long bytes() {
            return listBytes(positions.length);
        }
    }

    @Override
    protected WrittenValues writtenValues() {
        return WrittenValues.INTEGER_LISTS;
    }

    /** Counts the distances of all sources, each once. */
    private HopCounter count(GraphRun run) {
        int[] to = targets(run);
        int[] distinct = sources.vertices(run);
        LoadedGraph graph = load(run);
        HopCounter hops = new HopCounter(caller().stop());
        return timed(() -> {
            search(run, graph, distinct, to, run.control(), (source, column, distance) -> hops.add(distance));
            return hops;
        });
    }

    /**
     * Computes the distances of some sources.
     *
     * @param from vertices, without duplicates
     * @param to vertices, null for all
     * @return {@code int[from][to]}
     */
    int[][] compute(GraphRun run, LoadedGraph graph, int[] from, int[] to, RunControl control) {
        int[][] found = new int[from.length][to == null ? run.vertexCount() : to.length];
        search(run, graph, from, to, control, (source, column, distance) -> found[source][column] = distance);
        return found;
    }

    /** Receives the distance of an element of {@code from} and an element of {@code to}. */
    @FunctionalInterface
    private interface Visitor {
        void visit(int source, int column, int distance);
    }

    private void search(GraphRun run, LoadedGraph graph, int[] from, int[] to, RunControl control, Visitor visitor) {
        int width = to == null ? run.vertexCount() : to.length;
        PacedStop paced = new PacedStop(caller().stop());
        graph.multiSourceBfs(
                from,
                maxDepth,
                batch -> {
                    for (int i = 0; i < batch.sourceCount(); i++) {
                        for (int column = 0; column < width; column++) {
                            int distance = batch.distance(i, to == null ? column : to[column]);
                            visitor.visit(batch.firstSource() + i, column, distance);
                            paced.worked(1);
                        }
                    }
                },
                control);
    }
}

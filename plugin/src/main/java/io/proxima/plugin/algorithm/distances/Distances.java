// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.distances;

import io.proxima.backend.CostSink;
import io.proxima.backend.CostSums;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.Predecessors;
import io.proxima.backend.RunContext;
import io.proxima.backend.ShortestPaths;
import io.proxima.backend.Workload;
import io.proxima.backend.result.BfsParents;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.CostSearches;
import io.proxima.plugin.algorithm.Sources;
import io.proxima.plugin.algorithm.StoredPaths;
import io.proxima.plugin.algorithm.distances.DistancesProcedures.StreamRow;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.Call.Mode;
import io.proxima.plugin.call.CallKeys;
import io.proxima.plugin.call.CallPlan;
import io.proxima.plugin.call.CallSize;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.call.RunResult.Streamed;
import io.proxima.plugin.call.VertexValues;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.statistics.HopCounter;
import io.proxima.plugin.write.PropertyWriter;
import io.proxima.plugin.write.WrittenValues;
import io.proxima.projection.csc.WeightedCsc;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.neo4j.values.storable.Value;
import org.neo4j.values.storable.Values;

/**
 * Hop distances or costs from several nodes, separately for each.
 *
 * @param sources the sources as they were requested
 * @param weightProperty the property with the weights; empty to count hops
 * @param maxCost the greatest cost, with weights
 * @param targets the nodes whose distances are wanted; none for all
 * @param withParents whether the stream has the parents in the search trees
 * @param withPaths whether the stream has paths
 * @param includeUnreached whether pairs without a path get rows
 */
record Distances(
        Mode mode,
        Sources sources,
        int maxDepth,
        String weightProperty,
        double maxCost,
        Sources targets,
        boolean withParents,
        boolean withPaths,
        boolean includeUnreached)
        implements Algorithm<StreamRow> {

    private static final Key<List<Long>> SOURCE_NODES = Key.of("sourceNodes", "The starts of the searches.");
    private static final Key<List<Long>> TARGET_NODE_FILTER = Key.of(
            "targetNodeFilter", List.of(), "Restricts the result to distances to these nodes. Empty: all nodes.");

    /** Maximum number of distances that a stream holds at a time; a power of two that limits it to 32 MiB. */
    private static final int HELD_DISTANCES = 1 << 23;

    /** Number of sources that every backend searches from at once. */
    private static final int LEAST_AT_ONCE = 64;

    /** Heap of a list beside its elements: the array and the value around it. */
    private static final int LIST_BYTES = 32;

    static Distances read(CallKeys keys) {
        Sources sources = Sources.read(keys, SOURCE_NODES);
        int maxDepth = keys.reader().readInt(Sources.MAX_DEPTH, LoadedGraph.NO_MAX_DEPTH);
        String weightProperty = CostSearches.readProperty(keys.reader());
        return new Distances(
                keys.mode(),
                sources,
                maxDepth,
                weightProperty,
                CostSearches.readMaxCost(keys.reader(), weightProperty, maxDepth),
                keys.mode() == Mode.WRITE ? Sources.NONE : Sources.read(keys, TARGET_NODE_FILTER),
                keys.mode() == Mode.STREAM && (keys.computes("parent") || keys.computes("path")),
                keys.mode() == Mode.STREAM && keys.computes("path"),
                keys.readIncludeUnreached(
                        "Also returns a row for each pair without a path, with `distance` -1, or with weights `cost` null."));
    }

    @Override
    public Traits traits() {
        return weighted()
                ? new Traits("Distances", Operation.WEIGHTED_SEARCHES, WrittenValues.FLOAT_LISTS)
                : new Traits("Distances", Operation.MULTI_SOURCE_BFS, WrittenValues.INTEGER_LISTS);
    }

    boolean weighted() {
        return !weightProperty.isEmpty();
    }

    @Override
    public boolean onCpuOnly() {
        return weighted();
    }

    @Override
    public CallPlan plan(CallSize size) {
        return new CallPlan(
                work(size), sources.count(), withPaths ? CallPlan.Passes.FOLLOWED_BACK : CallPlan.Passes.ALONG);
    }

    /** The searches of a call that keeps so much, from at most so many sources at once. */
    private Workload searches(CallSize size, int most, MemoryTree kept, MemoryTree lists) {
        return weighted()
                ? CostSearches.plan(size, Operation.WEIGHTED_SEARCHES, weightProperty, most, false, kept, lists)
                        .work()
                : new Workload(Operation.MULTI_SOURCE_BFS, most, maxDepth).keeping(kept, lists);
    }

    private Workload work(CallSize size) {
        int vertexCount = size.vertexCount();
        MemoryTree nodes = MemoryTree.together(
                "nodes of the call", sources.memory(), targets.memory().named("target nodes"));
        if (mode == Mode.STATS) {
            long deepest = new Workload(Operation.MULTI_SOURCE_BFS, 1, maxDepth).deepest(vertexCount);
            MemoryTree counted = weighted() ? CostSums.memory(sources.count(), false) : HopCounter.memory(deepest);
            return searches(
                    size, sources.count(), MemoryTree.together("nodes and hops", nodes, counted), MemoryTree.NONE);
        }
        long row;
        int most = sources.count();
        MemoryTree lists = MemoryTree.together(
                "search tree and paths",
                withParents ? BfsParents.memory(vertexCount) : MemoryTree.NONE,
                withParents && weighted() ? Predecessors.memory(vertexCount) : MemoryTree.NONE,
                withPaths ? StoredPaths.rowsMemory(vertexCount) : MemoryTree.NONE);
        if (mode == Mode.STREAM) {
            int width = holdsAll() ? vertexCount : targets.count();
            most = Math.min(most, mostAtOnce(width));
            row = (long) width * valueBytes();
        } else {
            row = (long) vertexCount * valueBytes();
            lists = PropertyWriter.memory(vertexCount, listBytes(sources.positions().length), size.writeConcurrency());
        }
        int least = mode == Mode.STREAM ? Math.min(most, LEAST_AT_ONCE) : most;
        MemoryTree kept = MemoryTree.between("distances kept", least * row, most * row);
        return searches(size, most, MemoryTree.together("nodes and distances", nodes, kept), lists);
    }

    private int valueBytes() {
        return weighted() ? Double.BYTES : Integer.BYTES;
    }

    /** Whether the stream holds the distances of all nodes from its sources. */
    boolean holdsAll() {
        return withParents || targets.count() == 0;
    }

    /** Heap of the distances of a node as a list. */
    static long listBytes(int length) {
        return LIST_BYTES + (long) length * Long.BYTES;
    }

    /** The maximum number of sources that a stream holds, for a number of targets; at least one. */
    static int mostAtOnce(int width) {
        return Math.max(1, HELD_DISTANCES / Math.max(1, width));
    }

    @Override
    public RunResult<StreamRow> run(GraphRun run, CallPlan plan) {
        // the missing targets are reported before the missing sources
        int[] to = targets.count() == 0 ? null : targets.ascendingVertices(run);
        int[] from = sources.vertices(run);
        LoadedGraph graph = run.load(plan);
        WeightedCsc weights = weighted() ? run.lengths(weightProperty) : null;
        if (mode == Mode.STREAM) {
            return new RunResult<>(streamed(run, graph, weights, from, to), Map::of, List::of);
        }
        if (weighted()) {
            return overWeights(run, graph, weights, from, to);
        }
        if (mode == Mode.STATS) {
            HopCounter hops = new HopCounter(run.caller().stop());
            count(run, graph, from, to, hops);
            return new RunResult<>(Streamed.none(), () -> statistics(run.caller(), hops), List::of);
        }
        int[][] found = graph.distances(from, null, maxDepth, run.control());
        return new RunResult<>(
                Streamed.none(),
                Map::of,
                () -> List.of(
                        new Lists(run.vertexCount(), sources.positions().length, vertex -> hopsOf(vertex, found))));
    }

    private Value hopsOf(int vertex, int[][] found) {
        long[] list = new long[sources.positions().length];
        for (int i = 0; i < list.length; i++) {
            list[i] = found[sources.positions()[i]][vertex];
        }
        return Values.longArray(list);
    }

    private RunResult<StreamRow> overWeights(
            GraphRun run, LoadedGraph graph, WeightedCsc weights, int[] from, int[] to) {
        if (mode == Mode.STATS) {
            Stop stop = run.caller().stop();
            CostSums sums = new CostSums(from.length, false);
            BitSet counted = new BitSet();
            IntStream.of(to == null ? new int[0] : to).forEach(counted::set);
            CostSearches.run(
                    run,
                    graph,
                    weightProperty,
                    weights,
                    from,
                    maxCost,
                    (worker, index, found, all) ->
                            sums.accept(worker, index, to == null ? found : found.to(counted), all),
                    run.control());
            Map<String, Object> statistics =
                    Map.of("depth", sums.diameter(stop), "meanDistance", sums.mean(stop), "hopDistribution", List.of());
            return new RunResult<>(Streamed.none(), () -> statistics, List::of);
        }
        double[][] found = costs(run, graph, weights, from, null, run.control());
        return new RunResult<>(
                Streamed.none(),
                Map::of,
                () -> List.of(new Lists(
                        run.vertexCount(),
                        sources.positions().length,
                        vertex -> Values.doubleArray(IntStream.of(sources.positions())
                                .mapToDouble(source -> found[source][vertex])
                                .map(cost -> cost == ShortestPaths.UNREACHED ? LoadedGraph.UNREACHED : cost)
                                .toArray()))));
    }

    /**
     * The costs from some sources.
     *
     * @param to vertices; null for all
     * @return {@code double[sources][targets]}
     */
    double[][] costs(GraphRun run, LoadedGraph graph, WeightedCsc weights, int[] from, int[] to, RunContext control) {
        double[][] costs = new double[from.length][];
        CostSink sink = (worker, index, found, stop) -> costs[index] = to == null
                ? found.costs().clone()
                : IntStream.of(to).mapToDouble(target -> found.costs()[target]).toArray();
        CostSearches.run(run, graph, weightProperty, weights, from, maxCost, sink, control);
        return costs;
    }

    /** Searches while the rows are read: only then it is known how many sources are searched from. */
    private Streamed<StreamRow> streamed(GraphRun run, LoadedGraph graph, WeightedCsc weights, int[] from, int[] to) {
        DistanceRows rows = new DistanceRows(run, this, graph, weights, from, to);
        return new Streamed<>(sources.positions().length, rows.width(), () -> rows, List.of(), true);
    }

    private static Map<String, Object> statistics(Caller caller, HopCounter hops) {
        return Map.of(
                "depth", hops.depth(),
                "meanDistance", hops.mean(),
                "hopDistribution", caller.yields("hopDistribution") ? hops.distribution() : List.of());
    }

    /** For each vertex its distances or costs from the sources as they were requested, with duplicates. */
    private static final class Lists extends VertexValues {
        private final int length;
        private final IntFunction<Value> lists;

        Lists(int vertexCount, int length, IntFunction<Value> lists) {
            super(vertexCount);
            this.length = length;
            this.lists = lists;
        }

        @Override
        public Value value(int vertex) {
            return lists.apply(vertex);
        }

        @Override
        public long bytes() {
            return listBytes(length);
        }
    }

    private void count(GraphRun run, LoadedGraph graph, int[] from, int[] to, HopCounter hops) {
        int width = to == null ? run.vertexCount() : to.length;
        PacedStop paced = new PacedStop(run.caller().stop());
        graph.multiSourceBfs(
                from,
                maxDepth,
                batch -> {
                    for (int i = 0; i < batch.sourceCount(); i++) {
                        for (int column = 0; column < width; column++) {
                            hops.add(batch.distance(i, to == null ? column : to[column]));
                            paced.worked(1);
                        }
                    }
                },
                run.control());
    }
}

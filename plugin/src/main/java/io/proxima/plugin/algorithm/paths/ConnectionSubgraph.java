// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import io.proxima.backend.BackendTask;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.SearchEnd;
import io.proxima.backend.Workload;
import io.proxima.backend.result.ShortestPathDag;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Task;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.StoredPaths;
import io.proxima.plugin.algorithm.paths.ConnectionSubgraphProcedures.StreamRow;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.Call.Mode;
import io.proxima.plugin.call.CallKeys;
import io.proxima.plugin.call.CallPlan;
import io.proxima.plugin.call.CallSize;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.call.RunResult.Streamed;
import io.proxima.plugin.call.Weights;
import io.proxima.plugin.write.WrittenValues;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * The relationships on walks from a source to a target that are no longer than a limit: C. Faloutsos, K. S. McCurley,
 * A. Tomkins: Fast discovery of connection subgraphs, KDD 2004, gave the problem its name. Two searches, of which one
 * goes against the relationships, find the costs from the nearest source and to the nearest target. Without a limit and
 * without weights, one search from both sides is enough.
 *
 * @param counts whether the stream has numbers of shortest walks
 */
record ConnectionSubgraph(Mode mode, PathEnds ends, boolean counts) implements Algorithm<StreamRow> {

    static ConnectionSubgraph read(CallKeys keys) {
        PathEnds ends = PathEnds.read(keys);
        return new ConnectionSubgraph(keys.mode(), ends, keys.mode() == Mode.STREAM && keys.computes("pathCount"));
    }

    @Override
    public Traits traits() {
        Operation search = ends.weighted() ? Operation.SHORTEST_PATHS : Operation.NEAREST_SOURCE;
        Task task = ends.weighted() ? BackendTask.SHORTEST_PATHS : BackendTask.BFS;
        List<Task> tasks = Collections.nCopies(searchesOnce() ? 1 : 2, task);
        return new Traits("Connection Subgraph", search, WrittenValues.FLOATS, tasks);
    }

    /** Whether the search from the sources suffices. A limit takes another one, from the targets. */
    private boolean searchesOnce() {
        return !ends.weighted() && ends.maxDepth() == LoadedGraph.NO_MAX_DEPTH;
    }

    @Override
    public boolean onCpuOnly() {
        return ends.weighted();
    }

    @Override
    public CallPlan plan(CallSize size) {
        int vertexCount = size.vertexCount();
        Weights weights = size.weights(ends.weightProperty());
        MemoryTree kept = MemoryTree.together(
                "nodes, weights and the other search",
                ends.memory(),
                weights.memory(),
                ends.weighted() ? weights.reversedMemory(vertexCount, size.threads()) : MemoryTree.NONE,
                ends.weighted()
                        ? MemoryTree.exactly("costs", (long) vertexCount * Double.BYTES)
                        : MemoryTree.exactly("distances", (long) vertexCount * Integer.BYTES));
        MemoryTree rows = MemoryTree.together(
                "rows",
                Walks.memory(vertexCount, counts),
                ConnectionRows.memory(vertexCount),
                ends.weighted() ? ShortestPathDag.equalStepsMemory(vertexCount) : MemoryTree.NONE,
                mode == Mode.STREAM
                        ? MemoryTree.NONE
                        : MemoryTree.exactly("nodes of the subgraph", vertexCount / Byte.SIZE + 1L));
        Workload work = new Workload(
                        traits().operation(),
                        Math.max(ends.sources().count(), ends.targets().count()),
                        ends.maxDepth())
                .stoppingAt(searchesOnce() ? ends.targets().count() : 0)
                .over(weights.count())
                .keeping(kept, rows);
        // searches over weights read one graph, in both directions
        boolean inBoth = !ends.weighted() && !searchesOnce();
        return new CallPlan(work, 2, inBoth ? CallPlan.Passes.BOTH : CallPlan.Passes.FOLLOWED_BACK);
    }

    @Override
    public RunResult<StreamRow> run(GraphRun run, CallPlan plan) {
        int[] to = ends.targets().ascendingVertices(run);
        int[] from = ends.sources().ascendingVertices(run);
        ConnectionRows rows = rows(run, plan, from, to);
        if (mode == Mode.STREAM) {
            return new RunResult<>(
                    new Streamed<>(run.vertexCount(), Integer.MAX_VALUE, () -> rows, List.of(), true),
                    Map::of,
                    List::of);
        }
        Map<String, Object> statistics = rows.statistics();
        return new RunResult<>(Streamed.none(), () -> statistics, List::of);
    }

    private ConnectionRows rows(GraphRun run, CallPlan plan, int[] from, int[] to) {
        Stop stop = run.caller().stop();
        ShortestPathDag ahead;
        ShortestPathDag behind;
        WeightedCsc weights = null;
        GraphRun.Both graphs = plan.passes() == CallPlan.Passes.BOTH
                ? run.loadBoth(plan, List.of())
                : GraphRun.Both.same(run.load(plan));
        LoadedGraph graph = graphs.along();
        if (ends.weighted()) {
            weights = run.lengths(ends.weightProperty());
            WeightedCsc against = run.reversedLengths(ends.weightProperty());
            ahead = search(run, graph, weights, from, ends.maxCost(), run.reversed());
            // the sum from the target back may be a little greater than that from the source on
            behind = search(run, graph, against, to, ends.maxCost() * (1 + Walks.ROUNDING), run.csc());
        } else if (searchesOnce()) {
            ahead = search(run, graph, from, to, run.reversed());
            behind = null;
        } else {
            ahead = search(run, graph, from, new int[0], run.reversed());
            behind = search(run, graphs.against(), to, new int[0], run.csc());
        }
        double limit = ends.maxDepth() == LoadedGraph.NO_MAX_DEPTH ? ends.maxCost() : ends.maxDepth();
        Walks walks = new Walks(run.csc(), run.reversed(), weights, ahead, behind, to, limit, counts, stop);
        return new ConnectionRows(run, walks, StoredPaths.of(run, ends.weightProperty()));
    }

    private ShortestPathDag search(GraphRun run, LoadedGraph graph, int[] sources, int[] targets, Csc reversed) {
        IntUnaryOperator levels = graph.levelsTo(sources, targets, ends.maxDepth(), run.control());
        return ShortestPathDag.ofLevels(reversed, levels, run.caller().stop());
    }

    private ShortestPathDag search(
            GraphRun run, LoadedGraph graph, WeightedCsc weights, int[] sources, double maxCost, Csc reversed) {
        SearchEnd end = new SearchEnd(new int[0], maxCost);
        return ends.search(run, graph, weights, sources, end, reversed, run.control());
    }
}

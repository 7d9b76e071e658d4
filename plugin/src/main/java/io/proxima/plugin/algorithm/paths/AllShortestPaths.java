// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.SearchEnd;
import io.proxima.backend.ShortestPaths;
import io.proxima.backend.Workload;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.CostSearches;
import io.proxima.plugin.algorithm.Sources;
import io.proxima.plugin.algorithm.StoredPaths;
import io.proxima.plugin.algorithm.paths.AllShortestPathsProcedures.StreamRow;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.Call.Mode;
import io.proxima.plugin.call.CallKeys;
import io.proxima.plugin.call.CallPlan;
import io.proxima.plugin.call.CallSize;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.Rows;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.call.RunResult.Streamed;
import io.proxima.plugin.call.VertexValues;
import io.proxima.plugin.call.Weights;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.write.WrittenValues;
import io.proxima.projection.csc.WeightedCsc;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The shortest paths from one node to all others, where relationships may have weights.
 *
 * @param source the neo4jId of the start
 * @param targets the nodes whose paths are wanted; none for all
 * @param maxCost the greatest cost of a path
 * @param weightProperty the property with the weights; empty if every weight is 1
 * @param withPredecessors whether a column shows the nodes of the paths
 * @param withPaths whether the stream has paths
 */
record AllShortestPaths(
        long source,
        Sources targets,
        double maxCost,
        String weightProperty,
        double delta,
        boolean withPredecessors,
        boolean withPaths)
        implements Algorithm<StreamRow> {

    private static final Key<Long> SOURCE_NODE =
            Key.of("sourceNode", "The start of the search: a node, an elementId or an id.");
    private static final Key<List<Long>> TARGET_NODES = Key.of(
            "targetNodes",
            List.of(),
            "Restricts the result to these nodes: the search ends when it has reached them. Empty: all nodes.");
    private static final Key<Double> MAX_COST = Key.of(
                    "maxCost",
                    ShortestPaths.UNREACHED,
                    "The greatest cost of a path (inclusive). A node of a higher cost counts as unreached.")
            .absentMeans("none");
    private static final Key<Double> DELTA = Key.of(
                    "delta",
                    LoadedGraph.ANY_DELTA,
                    "The width of the buckets in which nodes wait by their cost. It affects only speed.")
            .absentMeans("derived from the weights");

    static AllShortestPaths read(CallKeys keys) {
        return new AllShortestPaths(
                keys.reader().readNode(SOURCE_NODE, keys.caller().nodes()),
                Sources.read(keys, TARGET_NODES),
                keys.reader().readNotNegative(MAX_COST),
                Weights.readProperty(
                        keys.reader(),
                        "The projected property that is the weight of a relationship. Without it, every weight is 1."),
                keys.reader().readPositive(DELTA),
                keys.mode() == Mode.STREAM
                        && (keys.computes("nodeIds") || keys.computes("costs") || keys.computes("path")),
                keys.mode() == Mode.STREAM && keys.computes("path"));
    }

    @Override
    public Traits traits() {
        return new Traits("Delta Stepping", Operation.SHORTEST_PATHS, WrittenValues.FLOATS);
    }

    @Override
    public int[] resultVertices(GraphRun run) {
        return targets.count() == 0 ? null : targets.ascendingVertices(run);
    }

    @Override
    public CallPlan plan(CallSize size) {
        int vertexCount = size.vertexCount();
        MemoryTree rows = withPredecessors
                ? MemoryTree.together(
                        "paths",
                        MemoryTree.exactly("lengths of the paths", (long) vertexCount * Integer.BYTES),
                        StoredPaths.rowsMemory(vertexCount))
                : size.property(targets.count() == 0 ? vertexCount : targets.count(), Double.BYTES);
        Weights weights = size.weights(weightProperty);
        Workload work = new Workload(Operation.SHORTEST_PATHS, 1, LoadedGraph.NO_MAX_DEPTH)
                .over(weights.count())
                .keeping(
                        MemoryTree.together(
                                "weights and targets",
                                weights.memory(),
                                targets.memory().named("target nodes")),
                        rows);
        return new CallPlan(work, 1, withPaths ? CallPlan.Passes.FOLLOWED_BACK : CallPlan.Passes.ALONG);
    }

    @Override
    public RunResult<StreamRow> run(GraphRun run, CallPlan plan) {
        // the missing targets are reported before the missing source
        int[] to = resultVertices(run);
        int vertex = run.vertex(SOURCE_NODE.name(), source);
        LoadedGraph graph = run.load(plan);
        WeightedCsc weights = weightProperty.isEmpty() ? WeightedCsc.ofOnes(run.csc()) : run.lengths(weightProperty);
        ShortestPaths found = CostSearches.withCosts(
                run,
                weightProperty,
                () -> graph.shortestPaths(
                        new int[] {vertex},
                        weights,
                        new SearchEnd(to == null ? new int[0] : to, maxCost),
                        delta,
                        withPredecessors,
                        run.control()));
        return result(run, vertex, to, found, withPaths ? StoredPaths.of(run, weightProperty) : null);
    }

    private static RunResult<StreamRow> result(
            GraphRun run, int vertex, int[] to, ShortestPaths found, StoredPaths paths) {
        Caller caller = run.caller();
        Stop stop = caller.stop();
        List<HeapPart> parts = new ArrayList<>(List.of(found.heapParts()));
        if (found.predecessors() != null) {
            int longest = longestPath(found.predecessors(), stop);
            parts.addAll(
                    paths == null
                            ? List.of(new HeapPart(found, Rows.heapBytes(StoredPaths.rowBytes(longest))))
                            : paths.heapParts(longest));
        }
        double[] costs = to == null
                ? found.costs()
                : IntStream.of(to).mapToDouble(target -> found.costs()[target]).toArray();
        return new RunResult<>(
                new Streamed<>(costs.length, () -> new PathRows(caller, run.idMap(), found, vertex, to, paths), parts),
                () -> Map.of("nodesReached", reached(costs, stop)),
                () -> List.of(VertexValues.ofCosts(to, costs, stop)));
    }

    /** The maximum number of nodes of a path. */
    private static int longestPath(int[] predecessors, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        int[] lengths = new int[predecessors.length];
        int longest = 1;
        for (int vertex = 0; vertex < lengths.length; vertex++) {
            int steps = 0;
            int known = vertex;
            for (; known != ShortestPaths.NONE && lengths[known] == 0; known = predecessors[known]) {
                steps++;
                paced.worked(1);
            }
            int length = steps + (known == ShortestPaths.NONE ? 0 : lengths[known]);
            longest = Math.max(longest, length);
            for (int each = vertex; each != known; each = predecessors[each]) {
                lengths[each] = length--;
                paced.worked(1);
            }
            paced.worked(1);
        }
        return longest;
    }

    /** The number of nodes with a path. */
    private static long reached(double[] costs, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        long reached = 0;
        for (double cost : costs) {
            reached += cost == ShortestPaths.UNREACHED ? 0 : 1;
            paced.worked(1);
        }
        return reached;
    }
}

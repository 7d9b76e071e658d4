// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import io.proxima.backend.CostOverflowException;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.ShortestPaths;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.concurrent.PacedStop;
import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.algorithm.WeightedAlgorithm;
import io.proxima.plugin.algorithm.paths.AllShortestPathsProcedures.StreamRow;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.Rows;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.call.VertexValues;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.write.WrittenValues;
import io.proxima.projection.csc.WeightedCsc;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The shortest paths from one node to all others, where relationships may have weights. */
public final class AllShortestPaths extends WeightedAlgorithm<StreamRow> {

    private static final Key<Long> SOURCE_NODE =
            Key.of("sourceNode", "The start of the search: a node, an elementId or an id.");
    private static final Key<Double> DELTA = Key.of(
                    "delta",
                    LoadedGraph.ANY_DELTA,
                    "The width of the buckets in which nodes wait by their cost. It affects only speed.")
            .absentMeans("derived from the weights");

    /** Heap of a row beside its lists: the row, two lists and a path. */
    private static final long ROW_BYTES = 256;

    /** Heap of a node of a path: a boxed id and a boxed cost with their places in the lists, and an entity. */
    private static final long STEP_BYTES = 128;

    private long source;
    private double delta;

    public AllShortestPaths(Caller caller, Mode mode) {
        super(caller, mode, Operation.SHORTEST_PATHS, "Delta Stepping");
    }

    @Override
    protected void readKeys(ConfigReader reader) {
        source = reader.readNode(SOURCE_NODE, caller().nodes());
        readWeightProperty(
                reader, "The projected property that is the weight of a relationship. Without it, every weight is 1.");
        delta = reader.readPositive(DELTA);
    }

    @Override
    protected Workload work(int vertexCount, int wholeVertexCount) {
        MemoryTree rows = MemoryTree.NONE;
        if (withPredecessors()) {
            rows = MemoryTree.together(
                    "paths",
                    MemoryTree.exactly("lengths of the paths", (long) vertexCount * Integer.BYTES),
                    MemoryTree.between(
                            "rows being read", Rows.heapBytes(rowBytes(1)), Rows.heapBytes(rowBytes(vertexCount))));
        } else if (mode() == Mode.MUTATE) {
            rows = propertyMemory(vertexCount, wholeVertexCount, Double.BYTES);
        }
        return new Workload(operation(), 1, LoadedGraph.NO_MAX_DEPTH)
                .over(weightedCount())
                .keeping(weightsMemory(), rows);
    }

    /** Whether a column shows the nodes of the paths. */
    private boolean withPredecessors() {
        return mode() == Mode.STREAM && (computes("nodeIds") || computes("costs") || computes("path"));
    }

    @Override
    protected RunResult<StreamRow> compute(GraphRun run) {
        int vertex = run.vertex(SOURCE_NODE.name(), source);
        LoadedGraph graph = load(run);
        WeightedCsc weights = isWeighted() ? run.lengths(weightProperty()) : WeightedCsc.ofOnes(run.csc());
        try {
            ShortestPaths found =
                    timed(() -> graph.shortestPaths(vertex, weights, delta, withPredecessors(), run.control()));
            return result(run, vertex, found);
        } catch (CostOverflowException e) {
            throw ProximaException.invalidArgument("The cost of the path to the node "
                    + run.idMap().toNeo4jId(e.to()) + " is above the greatest FLOAT: that to the node "
                    + run.idMap().toNeo4jId(e.from()) + " is " + e.cost()
                    + ", and the relationship between them has the weight " + e.weight() + " in `" + weightProperty()
                    + "`. Project smaller weights, for example in another unit.");
        }
    }

    private RunResult<StreamRow> result(GraphRun run, int vertex, ShortestPaths found) {
        List<HeapPart> parts = new ArrayList<>(List.of(found.heapParts()));
        if (found.predecessors() != null) {
            long longest = rowBytes(longestPath(found.predecessors()));
            parts.add(new HeapPart(found, Rows.heapBytes(longest)));
        }
        return new RunResult<>(
                run.vertexCount(),
                () -> new PathRows(caller(), run.idMap(), found, vertex),
                parts,
                () -> Map.of("nodesReached", reached(found)),
                () -> List.of(VertexValues.ofDoubles(null, withoutInfinity(found.costs()))));
    }

    @Override
    protected WrittenValues writtenValues() {
        return WrittenValues.FLOATS;
    }

    /** The maximum heap of a row. */
    static long rowBytes(long nodesOfPath) {
        return ROW_BYTES + STEP_BYTES * nodesOfPath;
    }

    /** The maximum number of nodes of a path. */
    private int longestPath(int[] predecessors) {
        PacedStop paced = new PacedStop(caller().stop());
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

    /** The number of nodes with a path, including the source. */
    private long reached(ShortestPaths found) {
        PacedStop paced = new PacedStop(caller().stop());
        long reached = 0;
        for (double cost : found.costs()) {
            reached += cost == ShortestPaths.UNREACHED ? 0 : 1;
            paced.worked(1);
        }
        return reached;
    }

    /** Replaces the costs of unreached nodes by NaN. */
    private double[] withoutInfinity(double[] costs) {
        PacedStop paced = new PacedStop(caller().stop());
        for (int vertex = 0; vertex < costs.length; vertex++) {
            if (costs[vertex] == ShortestPaths.UNREACHED) {
                costs[vertex] = Double.NaN;
            }
            paced.worked(1);
        }
        return costs;
    }
}

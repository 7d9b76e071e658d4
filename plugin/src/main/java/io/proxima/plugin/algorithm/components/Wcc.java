// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.components;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.Workload;
import io.proxima.concurrent.Stop;
import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.components.WccProcedures.StreamRow;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.Call.Mode;
import io.proxima.plugin.call.CallKeys;
import io.proxima.plugin.call.CallPlan;
import io.proxima.plugin.call.CallSize;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.call.RunResult.Streamed;
import io.proxima.plugin.call.VertexValues;
import io.proxima.plugin.call.Weights;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.statistics.Components;
import io.proxima.plugin.statistics.Distribution;
import io.proxima.plugin.write.WrittenValues;
import io.proxima.projection.IdMap;
import io.proxima.projection.csc.Csc;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;

/**
 * The weakly connected component of every node.
 *
 * @param weightProperty the property that is compared with the threshold; empty for none
 */
record Wcc(String weightProperty, double threshold, boolean consecutiveIds, int minComponentSize)
        implements Algorithm<StreamRow> {

    private static final Key<Double> THRESHOLD = Key.of(
            "threshold", 0.0, "Only relationships with a greater weight connect. All connect if it is not above 0.");
    private static final Key<Boolean> CONSECUTIVE_IDS =
            Key.of("consecutiveIds", false, "Numbers the components from 0 on, without gaps.");
    private static final Key<Integer> MIN_COMPONENT_SIZE =
            Key.of("minComponentSize", 0, "Leaves out the nodes of components with fewer nodes.");

    /** The id of components that are too small; others are at least 0. */
    private static final int NO_COMPONENT = Components.TOO_SMALL;

    static Wcc read(CallKeys keys) {
        ConfigReader reader = keys.reader();
        String weightProperty =
                Weights.readProperty(reader, "The projected property that is compared with the threshold.");
        double threshold = reader.readNumber(THRESHOLD);
        if (reader.given(THRESHOLD) != null && weightProperty.isEmpty()) {
            reader.fault("Specifying a threshold requires `relationshipWeightProperty` to be set.");
        }
        boolean consecutiveIds = reader.readBoolean(CONSECUTIVE_IDS);
        boolean leavesOut = keys.mode() == Mode.STREAM || keys.mode() == Mode.WRITE;
        int minComponentSize = leavesOut ? reader.readInt(MIN_COMPONENT_SIZE, 0) : 0;
        return new Wcc(weightProperty, threshold, consecutiveIds, minComponentSize);
    }

    @Override
    public Traits traits() {
        return new Traits("WCC", Operation.COMPONENTS, WrittenValues.SHARED_INTEGERS);
    }

    @Override
    public CallPlan plan(CallSize size) {
        int vertexCount = size.vertexCount();
        long ints = (long) vertexCount * Integer.BYTES;
        // the sizes by vertex, and those by component
        MemoryTree sizes = size.mode() != Mode.STREAM
                ? MemoryTree.between("sizes of components", 0, 2 * ints)
                : MemoryTree.exactly("sizes of components", minComponentSize > 1 ? ints : 0);
        MemoryTree property = consecutiveIds ? size.property(vertexCount, Integer.BYTES) : size.idProperty();
        // the sizes are freed before the property is made
        Workload work = new Workload(Operation.COMPONENTS, 0, LoadedGraph.NO_MAX_DEPTH)
                .keeping(memory(size), MemoryTree.oneByOne("rows", sizes, property));
        return new CallPlan(work, 1);
    }

    /** Heap of the weights, and of the relationships that they leave. */
    private MemoryTree memory(CallSize size) {
        if (weightProperty.isEmpty()) {
            return MemoryTree.NONE;
        }
        Weights weights = size.weights(weightProperty);
        return MemoryTree.together(
                "weights",
                weights.memory(),
                MemoryTree.between(
                        "relationships above the threshold",
                        Csc.bytes(size.vertexCount(), 0),
                        Csc.bytes(size.vertexCount(), weights.relationshipCount())));
    }

    @Override
    public RunResult<StreamRow> run(GraphRun run, CallPlan plan) {
        if (run.vertexCount() == 0) {
            return result(run, new int[0], 0);
        }
        LoadedGraph graph = threshold > 0 ? run.loadAbove(weightProperty, threshold, plan) : run.load(plan);
        int[] lowest = graph.components(run.control());
        return result(run, lowest, Components.count(lowest, run.caller().stop()));
    }

    /**
     * The result of a run.
     *
     * @param lowest {@code int[run.vertexCount()]}: the lowest vertex of each vertex's component
     * @param count number of components
     */
    private RunResult<StreamRow> result(GraphRun run, int[] lowest, int count) {
        Stop stop = run.caller().stop();
        IdMap nodes = run.idMap();
        Streamed<StreamRow> streamed = new Streamed<>(
                lowest.length,
                () -> {
                    IntToLongFunction ids = ids(nodes, lowest, stop);
                    return (vertex, part) -> {
                        long id = ids.applyAsLong(vertex);
                        return id == NO_COMPONENT ? null : new StreamRow(nodes.toNeo4jId(vertex), id);
                    };
                },
                List.of(HeapPart.of(lowest)));
        return new RunResult<>(
                        streamed,
                        () -> Map.of("componentCount", count),
                        () -> List.of(
                                consecutiveIds
                                        ? VertexValues.ofInts(numbers(lowest, stop), NO_COMPONENT)
                                        : VertexValues.ofLongs(lowest.length, ids(nodes, lowest, stop), NO_COMPONENT)))
                .with("componentDistribution", () -> Distribution.ofCommunities(Components.sizes(lowest, stop), stop));
    }

    /**
     * Replaces the lowest vertices by numbers of components, or by {@link #NO_COMPONENT} for those that are too small.
     */
    private int[] numbers(int[] lowest, Stop stop) {
        return Components.toIds(lowest, minComponentSize, consecutiveIds, stop);
    }

    /** The id of the component of a vertex: a number, or the smallest neo4jId of its nodes. */
    private IntToLongFunction ids(IdMap nodes, int[] lowest, Stop stop) {
        int[] numbers = numbers(lowest, stop);
        return vertex ->
                consecutiveIds || numbers[vertex] == NO_COMPONENT ? numbers[vertex] : nodes.toNeo4jId(numbers[vertex]);
    }
}

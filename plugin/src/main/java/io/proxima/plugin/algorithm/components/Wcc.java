// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.components;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.concurrent.Stop;
import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.WeightedAlgorithm;
import io.proxima.plugin.algorithm.components.WccProcedures.StreamRow;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.call.VertexValues;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.statistics.Components;
import io.proxima.plugin.statistics.Distribution;
import io.proxima.projection.IdMap;
import io.proxima.projection.csc.Csc;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;

/** The weakly connected component of every node. */
public final class Wcc extends WeightedAlgorithm<StreamRow> {

    private static final Key<Double> THRESHOLD = Key.of(
            "threshold", 0.0, "Only relationships with a greater weight connect. All connect if it is not above 0.");
    private static final Key<Boolean> CONSECUTIVE_IDS =
            Key.of("consecutiveIds", false, "Numbers the components from 0 on, without gaps.");
    private static final Key<Integer> MIN_COMPONENT_SIZE =
            Key.of("minComponentSize", 0, "Leaves out the nodes of components with fewer nodes.");

    private static final String DISTRIBUTION = "componentDistribution";

    /** The id of components that are too small; others are at least 0. */
    private static final int NO_COMPONENT = Components.TOO_SMALL;

    private boolean consecutiveIds;
    private double threshold;
    private int minComponentSize;

    public Wcc(Caller caller, Mode mode) {
        super(caller, mode, Operation.COMPONENTS, "WCC");
    }

    @Override
    protected void readKeys(ConfigReader reader) {
        readWeightProperty(reader, "The projected property that is compared with the threshold.");
        threshold = reader.readNumber(THRESHOLD);
        if (reader.given(THRESHOLD) != null && !isWeighted()) {
            reader.fault("Specifying a threshold requires `relationshipWeightProperty` to be set.");
        }
        consecutiveIds = reader.readBoolean(CONSECUTIVE_IDS);
        if (mode() == Mode.STREAM || mode() == Mode.WRITE) {
            minComponentSize = reader.readInt(MIN_COMPONENT_SIZE, 0);
        }
    }

    @Override
    protected Workload work(int vertexCount, int wholeVertexCount) {
        long ints = (long) vertexCount * Integer.BYTES;
        // the sizes by vertex, and those by component
        MemoryTree sizes = mode() != Mode.STREAM
                ? MemoryTree.between("sizes of components", 0, 2 * ints)
                : MemoryTree.exactly("sizes of components", minComponentSize > 1 ? ints : 0);
        MemoryTree property = mode() == Mode.MUTATE && !consecutiveIds
                ? VertexValues.longsMemory(wholeVertexCount)
                : propertyMemory(vertexCount, wholeVertexCount, Integer.BYTES);
        // the sizes are freed before the property is made
        return new Workload(operation(), 0, LoadedGraph.NO_MAX_DEPTH)
                .keeping(weightsMemory(), MemoryTree.oneByOne("rows", sizes, property));
    }

    @Override
    protected MemoryTree partMemory(int vertexCount, long relationshipCount) {
        return MemoryTree.between(
                "relationships above the threshold",
                Csc.bytes(vertexCount, 0),
                Csc.bytes(vertexCount, relationshipCount));
    }

    @Override
    protected RunResult<StreamRow> compute(GraphRun run) {
        if (run.vertexCount() == 0) {
            return result(run, new int[0], 0);
        }
        LoadedGraph graph = threshold > 0 ? run.loadAbove(weightProperty(), threshold, work(run)) : load(run);
        return timed(() -> {
            int[] lowest = graph.components(run.control());
            return result(run, lowest, Components.count(lowest, caller().stop()));
        });
    }

    /**
     * The result of a run.
     *
     * @param lowest {@code int[run.vertexCount()]}: the lowest vertex of each vertex's component
     * @param count number of components
     */
    private RunResult<StreamRow> result(GraphRun run, int[] lowest, int count) {
        Stop stop = caller().stop();
        IdMap nodes = run.idMap();
        return new RunResult<>(
                lowest.length,
                () -> {
                    IntToLongFunction ids = ids(nodes, lowest);
                    return (vertex, part) -> {
                        long id = ids.applyAsLong(vertex);
                        return id == NO_COMPONENT ? null : new StreamRow(nodes.toNeo4jId(vertex), id);
                    };
                },
                List.of(HeapPart.of(lowest)),
                () -> Map.of(
                        "componentCount",
                        count,
                        DISTRIBUTION,
                        distribution(
                                DISTRIBUTION, () -> Distribution.ofCommunities(Components.sizes(lowest, stop), stop))),
                () -> List.of(
                        consecutiveIds
                                ? VertexValues.ofInts(numbers(lowest), NO_COMPONENT)
                                : VertexValues.ofLongs(lowest.length, ids(nodes, lowest), NO_COMPONENT)));
    }

    /**
     * Replaces the lowest vertices by numbers of components, or by {@link #NO_COMPONENT} for those that are too small.
     */
    private int[] numbers(int[] lowest) {
        return Components.toIds(lowest, minComponentSize, consecutiveIds, caller().stop());
    }

    /** The id of the component of a vertex: a number, or the smallest neo4jId of its nodes. */
    private IntToLongFunction ids(IdMap nodes, int[] lowest) {
        int[] numbers = numbers(lowest);
        return vertex ->
                consecutiveIds || numbers[vertex] == NO_COMPONENT ? numbers[vertex] : nodes.toNeo4jId(numbers[vertex]);
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.components;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.WeightedAlgorithm;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.VertexValues;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.statistics.Components;
import io.proxima.plugin.statistics.Distribution;
import io.proxima.projection.Csc;
import io.proxima.projection.IdMap;
import java.util.List;
import java.util.Map;

/** The weakly connected component of every node. */
public final class Wcc extends WeightedAlgorithm<Wcc.Found> {

    private static final Key<Double> THRESHOLD = Key.of(
            "threshold", 0.0, "Only relationships with a greater weight connect. All connect if it is not above 0.");
    private static final Key<Boolean> CONSECUTIVE_IDS =
            Key.of("consecutiveIds", false, "Numbers the components from 0 on, without gaps.");
    private static final Key<Integer> MIN_COMPONENT_SIZE =
            Key.of("minComponentSize", 0, "Leaves out the nodes of components with fewer nodes.");

    /** The default value of the property; ids of components are at least 0. */
    private static final int NO_COMPONENT = -1;

    private boolean consecutiveIds;
    private double threshold;
    private int minComponentSize;

    public Wcc(Caller caller, Mode mode) {
        super(caller, mode);
    }

    /**
     * The result of a run.
     *
     * @param lowest {@code int[run.vertexCount()]}: the lowest vertex of each vertex's component
     * @param count number of components
     */
    @SuppressWarnings("ArrayRecordComponent") // handed from one method to the next, never compared
    record Found(int[] lowest, int count) {}

    @Override
    protected void readKeys(ConfigReader reader) {
        readWeightProperty(reader, "The projected property that is compared with the threshold.");
        threshold = reader.readNumber(THRESHOLD);
        if (reader.has(THRESHOLD) && !isWeighted()) {
            reader.fault("Specifying a threshold requires `relationshipWeightProperty` to be set.");
        }
        consecutiveIds = reader.readBoolean(CONSECUTIVE_IDS);
        if (mode() == Mode.STREAM || mode() == Mode.WRITE) {
            minComponentSize = reader.readInt(MIN_COMPONENT_SIZE, 0, Integer.MAX_VALUE);
        }
    }

    @Override
    protected String task() {
        return "WCC";
    }

    @Override
    protected Operation kind() {
        return Operation.COMPONENTS;
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
        return new Workload(kind(), 0, LoadedGraph.NO_MAX_DEPTH)
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
    protected Found compute(GraphRun run) {
        if (run.vertexCount() == 0) {
            return new Found(new int[0], 0);
        }
        LoadedGraph graph = threshold > 0 ? run.loadAbove(weightProperty(), threshold, work(run), 1) : load(run);
        return timed(() -> {
            int[] lowest = graph.components(run.control());
            return new Found(lowest, Components.count(lowest, caller().stop()));
        });
    }

    @Override
    protected Map<String, Object> figures(Found found) {
        String column = "componentDistribution";
        return Map.of(
                "componentCount",
                found.count,
                column,
                distribution(
                        column,
                        () -> Distribution.ofCommunities(
                                Components.sizes(found.lowest, caller().stop()), caller().stop())));
    }

    @Override
    protected List<VertexValues> values(GraphRun run, Found found) {
        Ids ids = ids(run, found);
        return List.of(
                consecutiveIds
                        ? VertexValues.ofInts(ids.ids, NO_COMPONENT)
                        : VertexValues.ofLongs(
                                run.vertexCount(),
                                vertex -> ids.has(vertex) ? ids.id(vertex) : NO_COMPONENT,
                                NO_COMPONENT));
    }

    @Override
    protected HeapPart[] heapParts(Found found) {
        return new HeapPart[] {HeapPart.of(found.lowest)};
    }

    /** The ids of the components by node. The arrays of the result become those of the ids. */
    Ids ids(GraphRun run, Found found) {
        return new Ids(
                run.idMap(),
                Components.toIds(found.lowest, minComponentSize, consecutiveIds, caller().stop()),
                consecutiveIds);
    }

    /**
     * Ids of components by vertex.
     *
     * @param ids {@code int[vertexCount]}: numbers of components, or vertices that stand for them;
     *     {@link Components#TOO_SMALL} for nodes without an id
     */
    @SuppressWarnings("ArrayRecordComponent") // handed from one method to the next, never compared
    record Ids(IdMap nodes, int[] ids, boolean consecutive) {

        /** Whether the component of a vertex is large enough. */
        boolean has(int vertex) {
            return ids[vertex] != Components.TOO_SMALL;
        }

        /** The id of the component of a vertex: a number, or the smallest neo4jId of its nodes. */
        long id(int vertex) {
            return consecutive ? ids[vertex] : nodes.toNeo4jId(ids[vertex]);
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.components;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.concurrent.PacedStop;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.MutateConfig;
import io.proxima.plugin.call.WriteConfig;
import io.proxima.plugin.catalog.NodeProperty;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.statistics.Components;
import io.proxima.plugin.statistics.Distribution;
import io.proxima.projection.Csc;
import io.proxima.projection.IdMap;
import java.util.Map;
import org.neo4j.values.storable.Values;

/** The weakly connected component of every node. */
public final class Wcc extends Algorithm<Wcc.Found> {

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
        readWeightProperty(reader);
        threshold = reader.readNumber("threshold", 0);
        if (reader.has("threshold") && !isWeighted()) {
            reader.fault("Specifying a threshold requires `relationshipWeightProperty` to be set.");
        }
        consecutiveIds = reader.readBoolean("consecutiveIds", false);
        if (mode() == Mode.STREAM || mode() == Mode.WRITE) {
            minComponentSize = reader.readInt("minComponentSize", 0, 0, Integer.MAX_VALUE);
        }
    }

    @Override
    protected String task() {
        return "WCC";
    }

    @Override
    protected boolean mayNotReach() {
        return false;
    }

    @Override
    protected Run kind() {
        return Run.COMPONENTS;
    }

    @Override
    protected Workload work(int vertexCount, int wholeVertexCount) {
        long ints = (long) vertexCount * Integer.BYTES;
        // the sizes by vertex, and those by component
        MemoryTree sizes = mode() != Mode.STREAM
                ? MemoryTree.between("sizes of components", 0, 2 * ints)
                : MemoryTree.exactly("sizes of components", minComponentSize > 1 ? ints : 0);
        MemoryTree property = MemoryTree.NONE;
        if (mode() == Mode.MUTATE) {
            property = consecutiveIds
                    ? GraphRun.propertyMemory(vertexCount, wholeVertexCount, Integer.BYTES)
                    : MemoryTree.together(
                            "property",
                            MemoryTree.exactly("values", (long) vertexCount * Long.BYTES),
                            GraphRun.propertyMemory(vertexCount, wholeVertexCount, Long.BYTES));
        }
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
        LoadedGraph graph = threshold > 0
                ? run.loadAbove(weightProperty(), threshold, work(run.vertexCount(), wholeVertexCount(run)), 1)
                : load(run);
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
    protected MutateConfig.Mutated mutate(GraphRun run, Found found) {
        return MutateConfig.mutate(run, () -> property(run, ids(run, found)));
    }

    @Override
    protected WriteConfig.Written write(GraphRun run, Found found) {
        Ids ids = ids(run, found);
        return write().write(run, vertex -> ids.has(vertex) ? Values.longValue(ids.id(vertex)) : null);
    }

    /** The ids of the components by node. The arrays of the result become those of the ids. */
    Ids ids(GraphRun run, Found found) {
        return new Ids(
                run.idMap(),
                Components.toIds(found.lowest, minComponentSize, consecutiveIds, caller().stop()),
                consecutiveIds);
    }

    /** The ids as a property of the nodes that the run sees. */
    private NodeProperty property(GraphRun run, Ids ids) {
        if (consecutiveIds) {
            return run.property(mutate().property(), ids.ids, NO_COMPONENT);
        }
        long[] values = new long[run.vertexCount()];
        PacedStop paced = new PacedStop(caller().stop());
        for (int vertex = 0; vertex < values.length; vertex++) {
            values[vertex] = ids.id(vertex);
            paced.worked(1);
        }
        return run.property(mutate().property(), values, NO_COMPONENT);
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

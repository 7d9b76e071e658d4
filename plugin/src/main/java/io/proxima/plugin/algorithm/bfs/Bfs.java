// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.bfs;

import io.proxima.backend.BfsParents;
import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.Sources;
import io.proxima.plugin.algorithm.SourcesAlgorithm;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.VertexValues;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.projection.IdMap;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A breadth-first search from one node. */
public final class Bfs extends Algorithm<Bfs.Found> {

    private static final Key<Long> SOURCE_NODE =
            Key.of("sourceNode", "The start of the search: a node, an elementId or an id.");

    private static final Key<List<Long>> TARGET_NODES = Key.of(
            "targetNodes",
            List.of(),
            "Ends the search early, as in GDS: at the distance of the first of these nodes that it reaches. All nodes at"
                    + " that distance are found.");

    private static final Key<String> PARENT_PROPERTY = Key.of(
            "parentProperty",
            "The name of a second property, for the id of the parent of each node in the search tree.");

    /** The value of nodes without a parent, in a property of parents. */
    private static final long NO_PARENT = -1;

    private long source;
    private int maxDepth;
    private Sources targets = Sources.NONE;

    public Bfs(Caller caller, Mode mode) {
        super(caller, mode);
    }

    /**
     * The result of a run.
     *
     * @param parents {@code int[run.vertexCount()]}: the parent of each vertex in the search tree; null if not wanted
     */
    @SuppressWarnings("ArrayRecordComponent") // handed from one method to the next, never compared
    record Found(Levels levels, int[] parents) {
        /** The neo4jId of the parent; null if there is none, or if parents are not wanted. */
        Long parent(IdMap ids, int vertex) {
            int parent = parents == null ? BfsParents.NO_PARENT : parents[vertex];
            return parent == BfsParents.NO_PARENT ? null : ids.toNeo4jId(parent);
        }

        private HeapPart[] heapParts() {
            HeapPart ofLevels = levels.heapPart();
            return parents == null ? new HeapPart[] {ofLevels} : new HeapPart[] {ofLevels, HeapPart.of(parents)};
        }
    }

    @Override
    protected void readKeys(ConfigReader reader) {
        source = reader.readNode(SOURCE_NODE, caller().nodes());
        targets = Sources.of(reader.readNodes(TARGET_NODES, caller().nodes()), caller().stop());
        maxDepth = reader.readInt(SourcesAlgorithm.MAX_DEPTH, LoadedGraph.NO_MAX_DEPTH, Integer.MAX_VALUE);
        if (mode() == Mode.MUTATE || mode() == Mode.WRITE) {
            readSecondProperty(reader, PARENT_PROPERTY, "the distances and the parents");
        }
    }

    @Override
    protected String unreachedMeaning() {
        return "Also returns a row for each unreached node, with distance -1.";
    }

    @Override
    protected String task() {
        return "BFS";
    }

    @Override
    protected Operation kind() {
        return Operation.BFS;
    }

    @Override
    protected Workload work(int vertexCount, int wholeVertexCount) {
        Workload search = new Workload(kind(), 1, maxDepth).stoppingAt(targets.distinct().length);
        MemoryTree column = MemoryTree.between(
                "hopDistribution", 0, mode() == Mode.STREAM ? 0 : (search.deepest(vertexCount) + 1) * Long.BYTES);
        MemoryTree parents = wantsParents() ? BfsParents.memory(vertexCount) : MemoryTree.NONE;
        MemoryTree distances = propertyMemory(vertexCount, wholeVertexCount, Integer.BYTES);
        MemoryTree parentIds = mode() == Mode.MUTATE && hasSecondProperty()
                ? VertexValues.longsMemory(wholeVertexCount)
                : MemoryTree.NONE;
        return search.keeping(
                targets.memory().named("target nodes"),
                MemoryTree.together("rows", column, parents, distances, parentIds));
    }

    @Override
    protected Found compute(GraphRun run) {
        int vertex = run.vertex(SOURCE_NODE.name(), source);
        int[] targetVertices = run.vertices(TARGET_NODES.name(), targets.distinct());
        LoadedGraph graph = load(run);
        return timed(() -> {
            Levels levels = graph.bfs(vertex, maxDepth, targetVertices, run.control());
            return new Found(levels, wantsParents() ? BfsParents.find(run.csc(), levels, run.control()) : null);
        });
    }

    @Override
    protected HeapPart[] heapParts(Found found) {
        return found.heapParts();
    }

    @Override
    protected Map<String, Object> figures(Found found) {
        Levels levels = found.levels;
        return Map.of(
                "depth", levels.depth(),
                "nodesReached", levels.reached(),
                "hopDistribution",
                        caller().yields("hopDistribution")
                                ? Arrays.stream(levels.frontierSizes()).boxed().toList()
                                : List.of());
    }

    private boolean wantsParents() {
        return switch (mode()) {
            case STREAM -> computes("parent");
            case STATS -> false;
            case MUTATE, WRITE -> hasSecondProperty();
        };
    }

    @Override
    protected List<VertexValues> values(GraphRun run, Found found) {
        IdMap ids = run.idMap();
        return List.of(
                VertexValues.ofInts(found.levels.levels(), LoadedGraph.UNREACHED),
                VertexValues.ofLongs(
                        run.vertexCount(),
                        vertex -> {
                            Long parent = found.parent(ids, vertex);
                            return parent == null ? NO_PARENT : parent;
                        },
                        NO_PARENT));
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.bfs;

import io.proxima.backend.BackendTask;
import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.backend.result.BfsParents;
import io.proxima.concurrent.Task;
import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.Sources;
import io.proxima.plugin.algorithm.bfs.BfsProcedures.StreamRow;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.call.VertexValues;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.projection.IdMap;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;

/** A breadth-first search from one node. */
public final class Bfs extends Algorithm<StreamRow> {

    private static final Key<Long> SOURCE_NODE =
            Key.of("sourceNode", "The start of the search: a node, an elementId or an id.");

    private static final Key<List<Long>> TARGET_NODES = Key.of(
            "targetNodes",
            List.of(),
            "Ends the search early, as in GDS: at the distance of the first of these nodes that it reaches. All nodes at"
                    + " that distance are found.");

    private static final Key<String> PARENT_PROPERTY = Key.of(
                    "parentProperty",
                    "",
                    "The name of a second property, for the id of the parent of each node in the search tree.")
            .absentMeans("none");

    /** The value of nodes without a parent, in a property of parents. */
    private static final long NO_PARENT = -1;

    private long source;
    private int maxDepth;
    private Sources targets;
    private boolean includeUnreached;

    public Bfs(Caller caller, Mode mode) {
        super(caller, mode, Operation.BFS, "BFS");
    }

    @Override
    protected void readKeys(ConfigReader reader) {
        source = reader.readNode(SOURCE_NODE, caller().nodes());
        targets = Sources.read(reader, TARGET_NODES, caller());
        maxDepth = reader.readInt(Sources.MAX_DEPTH, LoadedGraph.NO_MAX_DEPTH);
        readSecondProperty(reader, PARENT_PROPERTY, "the distances and the parents");
        includeUnreached =
                readIncludeUnreached(reader, "Also returns a row for each unreached node, with distance -1.");
    }

    @Override
    protected Workload work(int vertexCount, int wholeVertexCount) {
        Workload search = new Workload(operation(), 1, maxDepth).stoppingAt(targets.count());
        MemoryTree column = MemoryTree.between(
                "hopDistribution", 0, mode() == Mode.STREAM ? 0 : (search.deepest(vertexCount) + 1) * Long.BYTES);
        MemoryTree parents = wantsParents() ? BfsParents.memory(vertexCount) : MemoryTree.NONE;
        MemoryTree distances = propertyMemory(vertexCount, wholeVertexCount, Integer.BYTES);
        return search.keeping(
                targets.memory().named("target nodes"),
                MemoryTree.together("rows", column, parents, distances, secondPropertyMemory(wholeVertexCount)));
    }

    @Override
    protected List<Task> tasks() {
        return wantsParents() ? List.of(BackendTask.BFS, BackendTask.BFS_PARENTS) : super.tasks();
    }

    private boolean wantsParents() {
        return setsProperties() ? hasSecondProperty() : mode() == Mode.STREAM && computes("parent");
    }

    @Override
    protected RunResult<StreamRow> compute(GraphRun run) {
        int vertex = run.vertex(SOURCE_NODE.name(), source);
        int[] targetVertices = targets.vertices(run);
        LoadedGraph graph = load(run);
        return timed(() -> {
            Levels levels = graph.bfs(vertex, maxDepth, targetVertices, run.control());
            return result(run, levels, wantsParents() ? BfsParents.find(run.csc(), levels, run.control()) : null);
        });
    }

    /**
     * The result of a run.
     *
     * @param parents {@code int[run.vertexCount()]}: the parent of each vertex in the search tree; null if not wanted
     */
    private RunResult<StreamRow> result(GraphRun run, Levels levels, int[] parents) {
        IdMap ids = run.idMap();
        IntToLongFunction parentIds = vertex ->
                parents == null || parents[vertex] == BfsParents.NO_PARENT ? NO_PARENT : ids.toNeo4jId(parents[vertex]);
        return new RunResult<>(
                run.vertexCount(),
                () -> (vertex, part) -> {
                    int level = levels.level(vertex);
                    if (level == LoadedGraph.UNREACHED && !includeUnreached) {
                        return null;
                    }
                    long parent = parentIds.applyAsLong(vertex);
                    return new StreamRow(ids.toNeo4jId(vertex), level, parent == NO_PARENT ? null : parent);
                },
                parents == null ? List.of(levels.heapPart()) : List.of(levels.heapPart(), HeapPart.of(parents)),
                () -> Map.of(
                        "depth", levels.depth(),
                        "nodesReached", levels.reached(),
                        "hopDistribution", hopDistribution(levels.frontierSizes())),
                () -> List.of(
                        VertexValues.ofInts(levels.levels(), LoadedGraph.UNREACHED),
                        VertexValues.ofLongs(run.vertexCount(), parentIds, NO_PARENT)));
    }

    private List<Long> hopDistribution(long[] frontierSizes) {
        return caller().yields("hopDistribution")
                ? Arrays.stream(frontierSizes).boxed().toList()
                : List.of();
    }
}

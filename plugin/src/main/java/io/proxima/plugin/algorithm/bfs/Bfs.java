// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.bfs;

import io.proxima.backend.BackendTask;
import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.Workload;
import io.proxima.backend.result.BfsParents;
import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.Sources;
import io.proxima.plugin.algorithm.StoredPaths;
import io.proxima.plugin.algorithm.bfs.BfsProcedures.StreamRow;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.Call.Mode;
import io.proxima.plugin.call.CallKeys;
import io.proxima.plugin.call.CallPlan;
import io.proxima.plugin.call.CallSize;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.call.RunResult.Streamed;
import io.proxima.plugin.call.VertexValues;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.write.WrittenValues;
import io.proxima.projection.IdMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;

/**
 * A breadth-first search from one node.
 *
 * @param source the neo4jId of the start
 * @param targets nodes that end the search; empty for none
 * @param maxDepth the greatest distance in hops; {@link LoadedGraph#NO_MAX_DEPTH} for any
 * @param secondProperty the name of the property of parents; empty for none
 * @param withParents whether parents are computed
 * @param withPaths whether the stream has paths
 * @param includeUnreached whether the stream has a row for each unreached node
 */
record Bfs(
        long source,
        Sources targets,
        int maxDepth,
        String secondProperty,
        boolean withParents,
        boolean withPaths,
        boolean includeUnreached)
        implements Algorithm<StreamRow> {

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

    static Bfs read(CallKeys keys) {
        long source = keys.reader().readNode(SOURCE_NODE, keys.caller().nodes());
        Sources targets = Sources.read(keys, TARGET_NODES);
        int maxDepth = keys.reader().readInt(Sources.MAX_DEPTH, LoadedGraph.NO_MAX_DEPTH);
        String parentProperty = keys.readSecondProperty(PARENT_PROPERTY, "the distances and the parents");
        return new Bfs(
                source,
                targets,
                maxDepth,
                parentProperty,
                keys.mode() == Mode.STREAM
                        ? keys.computes("parent") || keys.computes("path")
                        : !parentProperty.isEmpty(),
                keys.mode() == Mode.STREAM && keys.computes("path"),
                keys.readIncludeUnreached("Also returns a row for each unreached node, with distance -1."));
    }

    @Override
    public Traits traits() {
        Traits search = new Traits("BFS", Operation.BFS, WrittenValues.SHARED_INTEGERS);
        return withParents ? search.and(BackendTask.BFS_PARENTS) : search;
    }

    @Override
    public CallPlan plan(CallSize size) {
        int vertexCount = size.vertexCount();
        Workload search = new Workload(Operation.BFS, 1, maxDepth).stoppingAt(targets.count());
        MemoryTree rows = MemoryTree.together(
                "rows",
                MemoryTree.between(
                        "hopDistribution",
                        0,
                        size.mode() == Mode.STREAM ? 0 : (search.deepest(vertexCount) + 1) * Long.BYTES),
                withParents ? BfsParents.memory(vertexCount) : MemoryTree.NONE,
                withPaths ? StoredPaths.rowsMemory(vertexCount) : MemoryTree.NONE,
                size.property(vertexCount, Integer.BYTES),
                secondProperty.isEmpty() ? MemoryTree.NONE : size.idProperty());
        return new CallPlan(
                search.keeping(targets.memory().named("target nodes"), rows),
                1,
                withPaths ? CallPlan.Passes.FOLLOWED_BACK : CallPlan.Passes.ALONG);
    }

    @Override
    public RunResult<StreamRow> run(GraphRun run, CallPlan plan) {
        int vertex = run.vertex(SOURCE_NODE.name(), source);
        int[] targetVertices = targets.vertices(run);
        Levels levels = run.load(plan).bfs(vertex, maxDepth, targetVertices, run.control());
        return result(run, levels, withParents ? BfsParents.find(run.csc(), levels::level, null, run.control()) : null);
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
        StoredPaths paths = withPaths ? StoredPaths.of(run, "") : null;
        List<HeapPart> heapParts = new ArrayList<>(List.of(levels.heapPart()));
        if (parents != null) {
            heapParts.add(HeapPart.of(parents));
        }
        if (withPaths) {
            heapParts.addAll(paths.heapParts(levels.depth() + 1L));
        }
        Streamed<StreamRow> streamed = new Streamed<>(
                run.vertexCount(),
                () -> (vertex, part) -> {
                    int level = levels.level(vertex);
                    if (level == LoadedGraph.UNREACHED && !includeUnreached) {
                        return null;
                    }
                    long parent = parentIds.applyAsLong(vertex);
                    return new StreamRow(
                            ids.toNeo4jId(vertex),
                            level,
                            parent == NO_PARENT ? null : parent,
                            withPaths ? paths.path(parents, vertex, levels::level) : null);
                },
                heapParts);
        return new RunResult<>(
                streamed,
                () -> Map.of(
                        "depth", levels.depth(),
                        "nodesReached", levels.reached(),
                        "hopDistribution",
                                run.caller().yields("hopDistribution")
                                        ? Arrays.stream(levels.frontierSizes())
                                                .boxed()
                                                .toList()
                                        : List.of()),
                () -> List.of(
                        VertexValues.ofInts(levels.levels(), LoadedGraph.UNREACHED),
                        VertexValues.ofLongs(run.vertexCount(), parentIds, NO_PARENT)));
    }
}

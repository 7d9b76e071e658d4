// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.nearest;

import io.proxima.backend.BackendTask;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.NearestSources;
import io.proxima.backend.Operation;
import io.proxima.backend.Workload;
import io.proxima.backend.result.BfsParents;
import io.proxima.backend.result.NearestTies;
import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.Sources;
import io.proxima.plugin.algorithm.StoredPaths;
import io.proxima.plugin.algorithm.nearest.NearestProcedures.StreamRow;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.Call.Mode;
import io.proxima.plugin.call.CallKeys;
import io.proxima.plugin.call.CallPlan;
import io.proxima.plugin.call.CallSize;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.call.RunResult.Streamed;
import io.proxima.plugin.call.VertexValues;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.statistics.HopCounter;
import io.proxima.plugin.write.WrittenValues;
import io.proxima.projection.IdMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;

/**
 * The nearest of several sources, for every node.
 *
 * @param secondProperty the name of the property of nearest sources; empty for none
 * @param statistics whether statistics of the distances are computed
 * @param withTies whether sources that are equally near are counted
 * @param includeUnreached whether the stream has a row for each unreached node
 */
record Nearest(
        Sources sources,
        int maxDepth,
        String secondProperty,
        boolean statistics,
        boolean withTies,
        boolean withParents,
        boolean withPaths,
        boolean includeUnreached)
        implements Algorithm<StreamRow> {

    private static final Key<List<Long>> SOURCE_NODES = Key.of("sourceNodes", "The sources, in order of preference.");
    private static final Key<String> NEAREST_SOURCE_PROPERTY = Key.of(
                    "nearestSourceProperty", "", "The name of a second property, for the id of the nearest source.")
            .absentMeans("none");

    /** The value of nodes that no source reaches, in a property of nearest sources. */
    private static final long NO_SOURCE = -1;

    static Nearest read(CallKeys keys) {
        return new Nearest(
                Sources.read(keys, SOURCE_NODES),
                keys.reader().readInt(Sources.MAX_DEPTH, LoadedGraph.NO_MAX_DEPTH),
                keys.readSecondProperty(NEAREST_SOURCE_PROPERTY, "the distances and the sources"),
                keys.mode() == Mode.STATS,
                !keys.setsProperties() && keys.computes(keys.mode() == Mode.STREAM ? "ties" : "nodesTied"),
                keys.mode() == Mode.STREAM && (keys.computes("parent") || keys.computes("path")),
                keys.mode() == Mode.STREAM && keys.computes("path"),
                keys.readIncludeUnreached("Also returns a row for each node that no source reaches, with"
                        + " `nearestSource` null and `distance` -1."));
    }

    @Override
    public Traits traits() {
        Traits search = new Traits("Nearest Sources", Operation.NEAREST_SOURCE, WrittenValues.SHARED_INTEGERS);
        Traits tied = withTies ? search.and(BackendTask.NEAREST_TIES) : search;
        return withParents ? tied.and(BackendTask.BFS_PARENTS) : tied;
    }

    @Override
    public CallPlan plan(CallSize size) {
        int vertexCount = size.vertexCount();
        Workload search = new Workload(Operation.NEAREST_SOURCE, sources.count(), maxDepth);
        MemoryTree rows = MemoryTree.together(
                "rows",
                withTies ? NearestTies.memory(vertexCount) : MemoryTree.NONE,
                withParents ? BfsParents.memory(vertexCount) : MemoryTree.NONE,
                withPaths ? StoredPaths.rowsMemory(vertexCount) : MemoryTree.NONE,
                statistics ? HopCounter.memory(search.deepest(vertexCount)) : MemoryTree.NONE,
                size.property(vertexCount, Integer.BYTES),
                secondProperty.isEmpty() ? MemoryTree.NONE : size.idProperty());
        return new CallPlan(search.keeping(sources.memory(), rows), 1);
    }

    @Override
    public RunResult<StreamRow> run(GraphRun run, CallPlan plan) {
        int[] vertices = sources.vertices(run);
        NearestSources nearest = run.load(plan).nearestSource(vertices, maxDepth, run.control());
        int[] ties = withTies ? NearestTies.count(run.csc(), vertices, nearest.distances(), run.control()) : null;
        int[] parents = withParents
                ? BfsParents.find(run.csc(), v -> nearest.distances()[v], nearest.sources(), run.control())
                : null;
        return result(run, vertices, nearest, ties, parents);
    }

    /**
     * The result of a run.
     *
     * @param vertices {@code int[number of sources]}: the sources
     * @param nearest distances, and sources as indices into {@code vertices}
     * @param ties {@code int[run.vertexCount()]}: the number of sources that are equally near; null if not wanted
     * @param parents {@code int[run.vertexCount()]}: the parent of each vertex in the search tree; null if not wanted
     */
    private RunResult<StreamRow> result(
            GraphRun run, int[] vertices, NearestSources nearest, int[] ties, int[] parents) {
        IdMap ids = run.idMap();
        int[] distances = nearest.distances();
        IntToLongFunction sourceIds = vertex -> {
            int index = nearest.sources()[vertex];
            return index < 0 ? NO_SOURCE : ids.toNeo4jId(vertices[index]);
        };
        StoredPaths paths = StoredPaths.of(run, "");
        Streamed<StreamRow> streamed = new Streamed<>(
                run.vertexCount(),
                () -> (vertex, part) -> {
                    long source = sourceIds.applyAsLong(vertex);
                    if (source == NO_SOURCE && !includeUnreached) {
                        return null;
                    }
                    return new StreamRow(
                            ids.toNeo4jId(vertex),
                            source == NO_SOURCE ? null : source,
                            distances[vertex],
                            ties == null ? 0 : ties[vertex],
                            parents == null || parents[vertex] < 0 ? null : ids.toNeo4jId(parents[vertex]),
                            withPaths ? paths.path(parents, vertex, v -> distances[v]) : null);
                },
                Stream.concat(
                                Stream.of(distances, nearest.sources(), ties, parents)
                                        .filter(Objects::nonNull)
                                        .map(HeapPart::of),
                                withPaths ? paths.heapParts().stream() : Stream.empty())
                        .toList());
        return new RunResult<>(
                streamed,
                () -> statistics ? statistics(run.caller(), distances, ties) : Map.of(),
                () -> List.of(
                        VertexValues.ofInts(distances, LoadedGraph.UNREACHED),
                        VertexValues.ofLongs(run.vertexCount(), sourceIds, NO_SOURCE)));
    }

    private static Map<String, Object> statistics(Caller caller, int[] distances, int[] ties) {
        HopCounter hops = new HopCounter(caller.stop());
        long tied = 0;
        for (int vertex = 0; vertex < distances.length; vertex++) {
            hops.add(distances[vertex]);
            tied += ties != null && ties[vertex] > 1 ? 1 : 0;
        }
        return Map.of(
                "depth", hops.depth(),
                "nodesReached", hops.reached(),
                "nodesTied", tied,
                "meanDistance", hops.mean(),
                "hopDistribution", caller.yields("hopDistribution") ? hops.distribution() : List.of());
    }
}

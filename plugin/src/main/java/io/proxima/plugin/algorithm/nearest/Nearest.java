// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.nearest;

import io.proxima.backend.BackendTask;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.NearestSources;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.backend.result.NearestTies;
import io.proxima.concurrent.Task;
import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.Sources;
import io.proxima.plugin.algorithm.nearest.NearestProcedures.StreamRow;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.call.VertexValues;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.statistics.HopCounter;
import io.proxima.projection.IdMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;

/** The nearest of several sources, for every node. */
public final class Nearest extends Algorithm<StreamRow> {

    private static final Key<List<Long>> SOURCE_NODES = Key.of("sourceNodes", "The sources, in order of preference.");
    private static final Key<String> NEAREST_SOURCE_PROPERTY = Key.of(
                    "nearestSourceProperty", "", "The name of a second property, for the id of the nearest source.")
            .absentMeans("none");

    /** The value of nodes that no source reaches, in a property of nearest sources. */
    private static final long NO_SOURCE = -1;

    private Sources sources;
    private int maxDepth;
    private boolean includeUnreached;

    public Nearest(Caller caller, Mode mode) {
        super(caller, mode, Operation.NEAREST_SOURCE, "Nearest Sources");
    }

    @Override
    protected void readKeys(ConfigReader reader) {
        sources = Sources.read(reader, SOURCE_NODES, caller());
        maxDepth = reader.readInt(Sources.MAX_DEPTH, LoadedGraph.NO_MAX_DEPTH);
        readSecondProperty(reader, NEAREST_SOURCE_PROPERTY, "the distances and the sources");
        includeUnreached = readIncludeUnreached(
                reader,
                "Also returns a row for each node that no source reaches, with `nearestSource` null and `distance` -1.");
    }

    @Override
    protected Workload work(int vertexCount, int wholeVertexCount) {
        Workload search = new Workload(operation(), sources.count(), maxDepth);
        MemoryTree rows = MemoryTree.together(
                "rows",
                wantsTies() ? NearestTies.memory(vertexCount) : MemoryTree.NONE,
                mode() == Mode.STATS ? HopCounter.memory(search.deepest(vertexCount)) : MemoryTree.NONE,
                propertyMemory(vertexCount, wholeVertexCount, Integer.BYTES),
                secondPropertyMemory(wholeVertexCount));
        return search.keeping(sources.memory(), rows);
    }

    @Override
    protected List<Task> tasks() {
        return wantsTies()
                ? List.of(BackendTask.BFS, BackendTask.NEAREST_SOURCE, BackendTask.NEAREST_TIES)
                : super.tasks();
    }

    private boolean wantsTies() {
        return !setsProperties() && computes(mode() == Mode.STREAM ? "ties" : "nodesTied");
    }

    @Override
    protected RunResult<StreamRow> compute(GraphRun run) {
        int[] vertices = sources.vertices(run);
        LoadedGraph graph = load(run);
        return timed(() -> {
            NearestSources nearest = graph.nearestSource(vertices, maxDepth, run.control());
            int[] ties =
                    wantsTies() ? NearestTies.count(run.csc(), vertices, nearest.distances(), run.control()) : null;
            return result(run, vertices, nearest, ties);
        });
    }

    /**
     * The result of a run.
     *
     * @param vertices {@code int[number of sources]}: the sources
     * @param nearest distances, and sources as indices into {@code vertices}
     * @param ties {@code int[run.vertexCount()]}: the number of sources that are equally near; null if not wanted
     */
    private RunResult<StreamRow> result(GraphRun run, int[] vertices, NearestSources nearest, int[] ties) {
        IdMap ids = run.idMap();
        int[] distances = nearest.distances();
        IntToLongFunction sourceIds = vertex -> {
            int index = nearest.sources()[vertex];
            return index < 0 ? NO_SOURCE : ids.toNeo4jId(vertices[index]);
        };
        return new RunResult<>(
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
                            ties == null ? 0 : ties[vertex]);
                },
                Stream.of(distances, nearest.sources(), ties)
                        .filter(Objects::nonNull)
                        .map(HeapPart::of)
                        .toList(),
                () -> mode() == Mode.STATS ? statistics(distances, ties) : Map.of(),
                () -> List.of(
                        VertexValues.ofInts(distances, LoadedGraph.UNREACHED),
                        VertexValues.ofLongs(run.vertexCount(), sourceIds, NO_SOURCE)));
    }

    private Map<String, Object> statistics(int[] distances, int[] ties) {
        HopCounter hops = new HopCounter(caller().stop());
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
                "hopDistribution", caller().yields("hopDistribution") ? hops.distribution() : List.of());
    }
}

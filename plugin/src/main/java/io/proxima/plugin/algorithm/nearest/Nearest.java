// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.nearest;

import io.proxima.backend.BackendTask;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.NearestSources;
import io.proxima.backend.Operation;
import io.proxima.backend.Predecessors;
import io.proxima.backend.SearchEnd;
import io.proxima.backend.Workload;
import io.proxima.backend.result.BfsParents;
import io.proxima.backend.result.NearestByCost;
import io.proxima.backend.result.NearestTies;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.CostSearches;
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
import io.proxima.plugin.call.Weights;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.statistics.HopCounter;
import io.proxima.plugin.write.WrittenValues;
import io.proxima.projection.IdMap;
import io.proxima.projection.csc.WeightedCsc;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The nearest of several sources, for every node.
 *
 * @param weightProperty the property with the weights; empty to count hops
 * @param maxCost the greatest cost, with weights
 * @param secondProperty the name of the property of nearest sources; empty for none
 * @param statistics whether statistics of the distances are computed
 * @param withTies whether sources that are equally near are counted
 * @param includeUnreached whether the stream has a row for each unreached node
 */
record Nearest(
        Sources sources,
        int maxDepth,
        String weightProperty,
        double maxCost,
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
        Sources sources = Sources.read(keys, SOURCE_NODES);
        int maxDepth = keys.reader().readInt(Sources.MAX_DEPTH, LoadedGraph.NO_MAX_DEPTH);
        String weightProperty = CostSearches.readProperty(keys.reader());
        return new Nearest(
                sources,
                maxDepth,
                weightProperty,
                CostSearches.readMaxCost(keys.reader(), weightProperty, maxDepth),
                keys.readSecondProperty(NEAREST_SOURCE_PROPERTY, "the distances and the sources"),
                keys.mode() == Mode.STATS,
                !keys.setsProperties() && keys.computes(keys.mode() == Mode.STREAM ? "ties" : "nodesTied"),
                keys.mode() == Mode.STREAM && (keys.computes("parent") || keys.computes("path")),
                keys.mode() == Mode.STREAM && keys.computes("path"),
                keys.readIncludeUnreached("Also returns a row for each node that no source reaches, with"
                        + " `nearestSource` null and `distance` -1, or with weights `cost` null."));
    }

    @Override
    public Traits traits() {
        if (onCpuOnly()) {
            return new Traits("Nearest Sources", Operation.SHORTEST_PATHS, WrittenValues.SHARED_FLOATS);
        }
        Traits search = new Traits("Nearest Sources", Operation.NEAREST_SOURCE, WrittenValues.SHARED_INTEGERS);
        Traits tied = withTies ? search.and(BackendTask.NEAREST_TIES) : search;
        return withParents ? tied.and(BackendTask.BFS_PARENTS) : tied;
    }

    @Override
    public boolean onCpuOnly() {
        return !weightProperty.isEmpty();
    }

    @Override
    public CallPlan plan(CallSize size) {
        int vertexCount = size.vertexCount();
        Weights weights = size.weights(weightProperty);
        Workload search = new Workload(traits().operation(), sources.count(), maxDepth).over(weights.count());
        MemoryTree byCost = onCpuOnly()
                ? MemoryTree.together(
                        "sources by cost",
                        NearestByCost.memory(vertexCount, withTies),
                        withParents ? Predecessors.memory(vertexCount) : MemoryTree.NONE)
                : MemoryTree.NONE;
        MemoryTree rows = MemoryTree.together(
                "rows",
                byCost,
                withTies ? NearestTies.memory(vertexCount) : MemoryTree.NONE,
                withParents ? BfsParents.memory(vertexCount) : MemoryTree.NONE,
                withPaths ? StoredPaths.rowsMemory(vertexCount) : MemoryTree.NONE,
                statistics ? HopCounter.memory(search.deepest(vertexCount)) : MemoryTree.NONE,
                size.property(vertexCount, onCpuOnly() ? Double.BYTES : Integer.BYTES),
                secondProperty.isEmpty() ? MemoryTree.NONE : size.idProperty());
        return new CallPlan(
                search.keeping(MemoryTree.together("sources and weights", sources.memory(), weights.memory()), rows),
                1,
                withPaths ? CallPlan.Passes.FOLLOWED_BACK : CallPlan.Passes.ALONG);
    }

    @Override
    public RunResult<StreamRow> run(GraphRun run, CallPlan plan) {
        int[] vertices = sources.vertices(run);
        if (onCpuOnly()) {
            return byCost(run, run.load(plan), vertices);
        }
        NearestSources nearest = run.load(plan).nearestSource(vertices, maxDepth, run.control());
        int[] ties = withTies ? NearestTies.count(run.csc(), vertices, nearest.distances(), run.control()) : null;
        int[] parents = withParents
                ? BfsParents.find(run.csc(), v -> nearest.distances()[v], nearest.sources(), run.control())
                : null;
        return result(
                run,
                vertices,
                nearest.sources(),
                vertex -> nearest.distances()[vertex],
                HeapPart.of(nearest.distances()),
                ties,
                parents,
                () -> statistics(run.caller(), nearest.distances(), ties),
                VertexValues.ofInts(nearest.distances(), LoadedGraph.UNREACHED));
    }

    private RunResult<StreamRow> byCost(GraphRun run, LoadedGraph graph, int[] vertices) {
        WeightedCsc weights = run.lengths(weightProperty);
        Stop stop = run.caller().stop();
        int[] ascending = IntStream.of(vertices).sorted().toArray();
        SearchEnd end = new SearchEnd(new int[0], maxCost);
        double[] costs = CostSearches.withCosts(
                        run,
                        weightProperty,
                        () -> graph.shortestPaths(ascending, weights, end, LoadedGraph.ANY_DELTA, false, run.control()))
                .costs();
        int[] nearest = NearestByCost.sources(weights, vertices, costs, run.quietControl());
        int[] ties = withTies ? NearestByCost.ties(weights, vertices, costs, run.quietControl()) : null;
        int[] parents = null;
        if (withParents) {
            int[] roots = IntStream.of(ascending)
                    .filter(vertex -> vertices[nearest[vertex]] == vertex)
                    .toArray();
            parents = Predecessors.of(weights, roots, costs, nearest, run.quietControl());
        }
        return result(
                run,
                vertices,
                nearest,
                vertex -> costs[vertex],
                HeapPart.of(costs),
                ties,
                parents,
                () -> statistics(run.caller(), costs, vertices.length, ties),
                VertexValues.ofCosts(null, costs, stop));
    }

    /**
     * The result of a run.
     *
     * @param vertices {@code int[number of sources]}: the sources
     * @param nearest {@code int[run.vertexCount()]}: the nearest source as an index into {@code vertices}; negative for
     *     none
     * @param distance the distance or cost of a vertex
     * @param distances the array of these
     * @param ties {@code int[run.vertexCount()]}: the number of sources that are equally near; null if not wanted
     * @param parents {@code int[run.vertexCount()]}: the parent of each vertex in the search tree; null if not wanted
     */
    private RunResult<StreamRow> result(
            GraphRun run,
            int[] vertices,
            int[] nearest,
            IntToDoubleFunction distance,
            HeapPart distances,
            int[] ties,
            int[] parents,
            Supplier<Map<String, Object>> counted,
            VertexValues values) {
        IdMap ids = run.idMap();
        IntToLongFunction sourceIds = vertex -> {
            int index = nearest[vertex];
            return index < 0 ? NO_SOURCE : ids.toNeo4jId(vertices[index]);
        };
        StoredPaths paths = withPaths ? StoredPaths.of(run, weightProperty) : null;
        long longest = !withPaths
                ? 1
                : onCpuOnly()
                        ? run.vertexCount()
                        : 1
                                + (long) IntStream.range(0, run.vertexCount())
                                        .mapToDouble(distance)
                                        .max()
                                        .orElse(0);
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
                            onCpuOnly() ? null : (Long) (long) distance.applyAsDouble(vertex),
                            onCpuOnly() && source != NO_SOURCE ? (Double) distance.applyAsDouble(vertex) : null,
                            ties == null ? 0 : ties[vertex],
                            parents == null || parents[vertex] < 0 ? null : ids.toNeo4jId(parents[vertex]),
                            withPaths ? paths.path(parents, vertex, distance) : null);
                },
                Stream.concat(
                                Stream.concat(
                                        Stream.of(distances),
                                        Stream.of(nearest, ties, parents)
                                                .filter(Objects::nonNull)
                                                .map(HeapPart::of)),
                                withPaths ? paths.heapParts(longest).stream() : Stream.empty())
                        .toList());
        return new RunResult<>(
                streamed,
                () -> statistics ? counted.get() : Map.of(),
                () -> List.of(values, VertexValues.ofLongs(run.vertexCount(), sourceIds, NO_SOURCE)));
    }

    private static Map<String, Object> statistics(Caller caller, double[] costs, int sources, int[] ties) {
        PacedStop paced = new PacedStop(caller.stop());
        double greatest = 0;
        double sum = 0;
        long reached = 0;
        long tied = 0;
        for (int vertex = 0; vertex < costs.length; vertex++) {
            paced.worked(1);
            if (!Double.isNaN(costs[vertex])) {
                greatest = Math.max(greatest, costs[vertex]);
                sum += costs[vertex];
                reached++;
            }
            tied += ties != null && ties[vertex] > 1 ? 1 : 0;
        }
        return Map.of(
                "depth", greatest,
                "nodesReached", reached,
                "nodesTied", tied,
                "meanDistance", reached == sources ? 0.0 : sum / (reached - sources),
                "hopDistribution", List.of());
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

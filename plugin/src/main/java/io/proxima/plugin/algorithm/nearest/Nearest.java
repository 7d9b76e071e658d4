// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.nearest;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.NearestSources;
import io.proxima.backend.NearestTies;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.concurrent.PacedStop;
import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.SourcesAlgorithm;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.VertexValues;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.statistics.HopCounter;
import io.proxima.projection.IdMap;
import java.util.List;
import java.util.Map;

/** The nearest of several sources, for every node. */
public final class Nearest extends SourcesAlgorithm<Nearest.Found> {

    private static final Key<List<Long>> SOURCE_NODES = Key.of("sourceNodes", "The sources, in order of preference.");
    private static final Key<String> NEAREST_SOURCE_PROPERTY =
            Key.of("nearestSourceProperty", "The name of a second property, for the id of the nearest source.");

    /** The value of nodes that no source reaches, in a property of nearest sources. */
    static final long NO_SOURCE = -1;

    public Nearest(Caller caller, Mode mode) {
        super(caller, mode);
    }

    /**
     * The result of a run.
     *
     * @param sources {@code int[number of sources]}: vertices
     * @param nearest distances, and sources as indices into {@code sources}
     * @param ties {@code int[run.vertexCount()]}: the number of sources that are equally near; null if not wanted
     */
    @SuppressWarnings("ArrayRecordComponent") // handed from one method to the next, never compared
    record Found(int[] sources, NearestSources nearest, int[] ties) {
        /** The neo4jId of the nearest source; {@link #NO_SOURCE} if none reaches the vertex. */
        long nearestSource(IdMap ids, int vertex) {
            int index = nearest.sources()[vertex];
            return index < 0 ? NO_SOURCE : ids.toNeo4jId(sources[index]);
        }

        /** The number of sources that are equally near to a vertex; 0 if they were not counted. */
        int tie(int vertex) {
            return ties == null ? 0 : ties[vertex];
        }

        private HeapPart[] heapParts() {
            HeapPart distances = HeapPart.of(nearest.distances());
            HeapPart indices = HeapPart.of(nearest.sources());
            return ties == null
                    ? new HeapPart[] {distances, indices}
                    : new HeapPart[] {distances, indices, HeapPart.of(ties)};
        }
    }

    @Override
    protected void readKeys(ConfigReader reader) {
        super.readKeys(reader);
        if (mode() == Mode.MUTATE || mode() == Mode.WRITE) {
            readSecondProperty(reader, NEAREST_SOURCE_PROPERTY, "the distances and the sources");
        }
    }

    @Override
    protected Key<List<Long>> sourceNodes() {
        return SOURCE_NODES;
    }

    @Override
    protected String unreachedMeaning() {
        return "Also returns a row for each node that no source reaches, with `nearestSource` null and `distance` -1.";
    }

    @Override
    protected String task() {
        return "Nearest Sources";
    }

    @Override
    protected Operation kind() {
        return Operation.NEAREST_SOURCE;
    }

    @Override
    protected Workload work(int vertexCount, int wholeVertexCount) {
        Workload search = new Workload(kind(), sourceCount(), maxDepth());
        MemoryTree distances = propertyMemory(vertexCount, wholeVertexCount, Integer.BYTES);
        MemoryTree sources = mode() == Mode.MUTATE && hasSecondProperty()
                ? VertexValues.longsMemory(wholeVertexCount)
                : MemoryTree.NONE;
        MemoryTree rows =
                switch (mode()) {
                    case STREAM -> wantsTies() ? NearestTies.memory(vertexCount) : MemoryTree.NONE;
                    case STATS ->
                        MemoryTree.together(
                                "rows",
                                wantsTies() ? NearestTies.memory(vertexCount) : MemoryTree.NONE,
                                HopCounter.memory(search.deepest(vertexCount)));
                    case MUTATE, WRITE -> MemoryTree.together("properties", distances, sources);
                };
        return search.keeping(sources().memory(), rows);
    }

    @Override
    protected Found compute(GraphRun run) {
        int[] sources = sources(run);
        LoadedGraph graph = load(run);
        return timed(() -> {
            NearestSources nearest = graph.nearestSource(sources, maxDepth(), run.control());
            int[] ties = wantsTies() ? NearestTies.count(run.csc(), sources, nearest.distances(), run.control()) : null;
            return new Found(sources, nearest, ties);
        });
    }

    @Override
    protected HeapPart[] heapParts(Found found) {
        return found.heapParts();
    }

    @Override
    protected Map<String, Object> figures(Found found) {
        if (mode() != Mode.STATS) {
            return Map.of();
        }
        HopCounter hops = hops(found);
        return Map.of(
                "depth", hops.depth(),
                "nodesReached", hops.reached(),
                "nodesTied", nodesTied(found),
                "meanDistance", hops.mean(),
                "hopDistribution", hopDistribution(hops));
    }

    private boolean wantsTies() {
        return switch (mode()) {
            case STREAM -> computes("ties");
            case STATS -> computes("nodesTied");
            case MUTATE, WRITE -> false;
        };
    }

    /** Counts the distances. */
    private HopCounter hops(Found found) {
        HopCounter hops = new HopCounter(caller().stop());
        for (int distance : found.nearest.distances()) {
            hops.add(distance);
        }
        return hops;
    }

    /** The number of nodes to which several sources are equally near. */
    private long nodesTied(Found found) {
        long tied = 0;
        if (found.ties != null) {
            PacedStop paced = new PacedStop(caller().stop());
            for (int ties : found.ties) {
                tied += ties > 1 ? 1 : 0;
                paced.worked(1);
            }
        }
        return tied;
    }

    @Override
    protected List<VertexValues> values(GraphRun run, Found found) {
        IdMap ids = run.idMap();
        return List.of(
                VertexValues.ofInts(found.nearest.distances(), LoadedGraph.UNREACHED),
                VertexValues.ofLongs(run.vertexCount(), vertex -> found.nearestSource(ids, vertex), NO_SOURCE));
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.distances;

import io.proxima.backend.DistanceBatch;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.concurrent.PacedStop;
import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.Sources;
import io.proxima.plugin.algorithm.SourcesAlgorithm;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.VertexValues;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.statistics.HopCounter;
import io.proxima.plugin.write.PropertyWriter;
import io.proxima.plugin.write.PropertyWriter.NodeValues;
import java.util.List;
import java.util.Map;
import org.neo4j.values.storable.Value;
import org.neo4j.values.storable.Values;

/** Hop distances from several nodes, separately for each. */
public final class Distances extends SourcesAlgorithm<Distances.Found> {

    private static final Key<List<Long>> SOURCE_NODES = Key.of("sourceNodes", "The starts of the searches.");
    private static final Key<List<Long>> TARGET_NODE_FILTER = Key.of(
            "targetNodeFilter", List.of(), "Restricts the result to distances to these nodes. Empty: all nodes.");

    /** Maximum number of distances that a stream holds at a time; a power of two that limits it to 32 MiB. */
    private static final int HELD_DISTANCES = 1 << 23;

    /** Number of sources that every backend searches from at once. */
    private static final int LEAST_AT_ONCE = 64;

    /** Heap of a list beside its elements: the array and the value around it. */
    private static final int LIST_BYTES = 32;

    /** The nodes whose distances are wanted; none for all. */
    private Sources targets = Sources.NONE;

    public Distances(Caller caller, Mode mode) {
        super(caller, mode);
    }

    @Override
    protected void readKeys(ConfigReader reader) {
        super.readKeys(reader);
        if (mode() == Mode.STREAM || mode() == Mode.STATS) {
            targets = Sources.of(reader.readNodes(TARGET_NODE_FILTER, caller().nodes()), caller().stop());
        }
    }

    @Override
    protected Key<List<Long>> sourceNodes() {
        return SOURCE_NODES;
    }

    @Override
    protected String unreachedMeaning() {
        return "Also returns a row for each pair without a path, with distance -1.";
    }

    @Override
    protected String task() {
        return "Distances";
    }

    /** The vertices whose distances are wanted, ascending; null for all. */
    int[] targets(GraphRun run) {
        return targets.distinct().length == 0
                ? null
                : run.distinctVertices(TARGET_NODE_FILTER.name(), targets.distinct());
    }

    @Override
    protected long searches(int vertexCount) {
        return sourceCount();
    }

    @Override
    protected Operation kind() {
        return Operation.MULTI_SOURCE_BFS;
    }

    @Override
    protected Workload work(int vertexCount, int wholeVertexCount) {
        int sources = sourceCount();
        MemoryTree nodes = MemoryTree.together(
                "nodes of the call", sources().memory(), targets.memory().named("target nodes"));
        if (mode() == Mode.STATS) {
            Workload search = new Workload(kind(), sources, maxDepth());
            return search.keeping(
                    MemoryTree.together("nodes and hops", nodes, HopCounter.memory(search.deepest(vertexCount))),
                    MemoryTree.NONE);
        }
        long row;
        int most = sources;
        MemoryTree lists = MemoryTree.NONE;
        if (mode() == Mode.STREAM) {
            int width = targets.distinct().length == 0 ? vertexCount : targets.distinct().length;
            most = Math.min(sources, mostAtOnce(width));
            row = (long) width * Integer.BYTES;
        } else {
            row = (long) vertexCount * Integer.BYTES;
            lists = PropertyWriter.memory(vertexCount, listBytes(sources().positions().length), writeConcurrency());
        }
        int least = mode() == Mode.STREAM ? Math.min(most, LEAST_AT_ONCE) : most;
        MemoryTree kept = MemoryTree.between("distances kept", least * row, most * row);
        return new Workload(kind(), most, maxDepth())
                .keeping(MemoryTree.together("nodes and distances", nodes, kept), lists);
    }

    /** Heap of the distances of a node as a list. */
    static long listBytes(int length) {
        return LIST_BYTES + (long) length * Long.BYTES;
    }

    /** The maximum number of sources that a stream holds, for a number of targets; at least one. */
    static int mostAtOnce(int width) {
        return Math.max(1, HELD_DISTANCES / Math.max(1, width));
    }

    /**
     * The result of a run.
     *
     * @param hops for {@link Mode#STATS}, otherwise null
     * @param lists for {@link Mode#WRITE}, otherwise null
     */
    record Found(HopCounter hops, NodeValues lists) {}

    @Override
    protected Found compute(GraphRun run) {
        if (mode() == Mode.STATS) {
            return new Found(count(run), null);
        }
        int[] order = sources(run);
        LoadedGraph graph = load(run);
        int[][] found = timed(() -> compute(run, graph, order, null, run.control()));
        return new Found(null, new DistanceLists(found, sources().positions()));
    }

    @Override
    protected Map<String, Object> figures(Found found) {
        HopCounter hops = found.hops;
        return hops == null
                ? Map.of()
                : Map.of("depth", hops.depth(), "meanDistance", hops.mean(), "hopDistribution", hopDistribution(hops));
    }

    @Override
    protected List<VertexValues> values(GraphRun run, Found found) {
        return List.of(VertexValues.written(run.vertexCount(), found.lists));
    }

    /** The mode stream searches while its rows are read. */
    @Override
    protected HeapPart[] heapParts(Found found) {
        throw new UnsupportedOperationException("rows of all sources at once");
    }

    /**
     * For each vertex its distances from the sources as they were requested, with duplicates.
     *
     * @param found {@code int[distinct sources][vertices]}
     * @param positions for each requested source its index in {@code found}
     */
    @SuppressWarnings("ArrayRecordComponent") // handed from one method to the next, never compared
    private record DistanceLists(int[][] found, int[] positions) implements NodeValues {
        @Override
        public Value value(int vertex) {
            long[] list = new long[positions.length];
            for (int i = 0; i < list.length; i++) {
                list[i] = found[positions[i]][vertex];
            }
            return Values.longArray(list);
        }

        @Override
        public long bytes() {
            return listBytes(positions.length);
        }
    }

    /** Counts the distances of all sources, each once. */
    private HopCounter count(GraphRun run) {
        int[] targets = targets(run);
        int[] distinct = sources(run);
        LoadedGraph graph = load(run);
        int width = targets == null ? run.vertexCount() : targets.length;
        HopCounter hops = new HopCounter(caller().stop());
        return timed(() -> {
            graph.multiSourceBfs(
                    distinct,
                    maxDepth(),
                    batch -> {
                        for (int source = 0; source < batch.sourceCount(); source++) {
                            for (int column = 0; column < width; column++) {
                                hops.add(batch.distance(source, targets == null ? column : targets[column]));
                            }
                        }
                    },
                    run.control());
            return hops;
        });
    }

    /**
     * Computes the distances of some sources.
     *
     * @param sources vertices, without duplicates
     * @param targets vertices, null for all
     * @return {@code int[sources][targets]}
     */
    int[][] compute(GraphRun run, LoadedGraph graph, int[] sources, int[] targets, RunControl control) {
        int width = targets == null ? run.vertexCount() : targets.length;
        int[][] found = new int[sources.length][];
        PacedStop paced = new PacedStop(caller().stop());
        graph.multiSourceBfs(
                sources,
                maxDepth(),
                batch -> {
                    for (int i = 0; i < batch.sourceCount(); i++) {
                        found[batch.firstSource() + i] = row(batch, i, targets, width, paced);
                    }
                },
                control);
        return found;
    }

    private static int[] row(DistanceBatch batch, int source, int[] targets, int width, PacedStop paced) {
        int[] row = new int[width];
        for (int column = 0; column < width; column++) {
            row[column] = batch.distance(source, targets == null ? column : targets[column]);
            paced.worked(1);
        }
        return row;
    }
}

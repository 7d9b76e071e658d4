// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.GraphShape;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.Workload;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.IdMap;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.file.ExportedGraph;
import io.proxima.projection.file.ExportedGraph.TypeSchema;
import io.proxima.projection.file.GraphFile;
import io.proxima.projection.file.GraphFileHeader;
import io.proxima.spark.Measure.Direction;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/** A graph in this JVM's memory, used by all tasks of its executor. Thread-safe. */
final class SharedGraph implements AutoCloseable {

    private final ExportedGraph.Origin origin;
    private final IdMap ids;
    private final Csc graph;
    private final TraversalBackend backend;
    private final ExecutorTurn turn;

    /** The graphs on the backend; in use by the task whose turn it is, and closed after the last task. */
    private final Map<Direction, LoadedGraph> loaded = new EnumMap<>(Direction.class);

    /**
     * Creates a graph.
     *
     * @param turn in which its tasks search
     */
    SharedGraph(ExportedGraph.Origin origin, IdMap ids, Csc graph, TraversalBackend backend, ExecutorTurn turn) {
        this.origin = origin;
        this.ids = ids;
        this.graph = graph;
        this.backend = backend;
        this.turn = turn;
    }

    /**
     * Reads a graph.
     *
     * @param concurrency threads that read
     * @throws ProximaSparkException if the graph is not the one of the key, or does not fit the heap
     * @throws io.proxima.projection.file.GraphFileException if the file is damaged, or cannot be read
     */
    static SharedGraph load(
            GraphFileKey key, TraversalBackend backend, Configuration conf, int concurrency, Stop stop) {
        ExecutorTurn turn = ExecutorTurn.OF_EXECUTOR;
        try (GraphFile file = key.open(conf)) {
            String what = "The graph `" + key.path() + "`, read with " + concurrency + " threads,";
            return turn.take(what, bytes(file, concurrency), 0, stop, () -> {
                ExportedGraph read = file.read(concurrency, stop, Progress.NONE);
                return new SharedGraph(
                        read.origin(), read.graph().idMap(), read.graph().csc(concurrency, stop), backend, turn);
            });
        }
    }

    /** Heap of the graph while it is read, reversed unless it is symmetric, with the union of its types. */
    private static long bytes(GraphFile file, int concurrency) {
        GraphFileHeader header = file.header();
        long csc = Csc.bytes(header.nodeCount(), header.relationshipCount());
        boolean symmetric = header.types().values().stream().allMatch(TypeSchema::undirected);
        return file.readMemory(concurrency).maxBytes() + (header.types().size() > 1 ? csc : 0) + (symmetric ? 0 : csc);
    }

    int vertexCount() {
        return graph.vertexCount();
    }

    /** The vertex of a node; {@link IdMap#ABSENT} if it is not in the graph. */
    int vertex(long neo4jId) {
        return ids.toVertex(neo4jId);
    }

    String elementId(int vertex) {
        return origin.elementId(ids.toNeo4jId(vertex));
    }

    /** The direction whose searches give the sums of a direction. */
    Direction searched(Direction direction) {
        return graph.isSymmetric() ? Direction.INCOMING : direction;
    }

    /**
     * The sums of a direction of {@link #searched}, see {@link LoadedGraph#farness(int[], Set, RunContext)}. Waits for
     * the searches of other tasks.
     *
     * @param sources vertices, without repeats
     * @throws ProximaSparkException if the heap does not hold this search
     */
    Farness farness(Direction direction, int[] sources, Set<DistanceMeasure> measures, RunContext control) {
        GraphShape shape = GraphShape.of(graph, true);
        MemoryTree bytes = backend.estimate(shape, Workload.farness(sources.length, measures), control.concurrency())
                .heap();
        // the most of a run on a device is what it takes if it falls back to the CPU
        boolean onCpu = backend.runsOn(shape, Operation.FARNESS_OF_SOURCES).equals(BackendInfo.CPU);
        return turn.take(
                "A search of the graph `" + origin.graphName() + "` with " + control.concurrency() + " threads",
                onCpu ? bytes.maxBytes() : bytes.minBytes(),
                ids.bytes() + graph.bytes(),
                control.stop(),
                () -> loaded(direction, control).farness(sources, measures, control));
    }

    private LoadedGraph loaded(Direction direction, RunContext control) {
        LoadedGraph found = loaded.get(direction);
        if (found == null) {
            // searches need both forms
            Csc reversed = graph.transposed(control.concurrency(), control.stop());
            found = backend.load(direction == Direction.INCOMING ? graph : reversed);
            loaded.put(direction, found);
        }
        return found;
    }

    @Override
    public void close() {
        loaded.values().forEach(LoadedGraph::close);
    }
}

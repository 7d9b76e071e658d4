// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.Csc;
import io.proxima.projection.CscBuilder;
import io.proxima.projection.IdMap;
import io.proxima.projection.OnDemand;
import io.proxima.projection.Orientation;
import io.proxima.projection.file.ExportedGraph;
import io.proxima.projection.file.ExportedGraph.TypeSchema;
import io.proxima.projection.file.GraphFile;
import io.proxima.projection.file.GraphFileException;
import io.proxima.spark.Measure.Direction;
import io.proxima.spark.ProximaSparkException.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/** A graph in this JVM's memory, used by all tasks of its executor. Thread-safe. */
final class SharedGraph implements AutoCloseable {

    /** The name of the backend that {@link TraversalBackend#runsOn} returns without a device. */
    private static final String CPU = "cpu";

    private final ExportedGraph.Origin origin;
    private final IdMap ids;
    private final Csc graph;
    private final TraversalBackend backend;
    private final int threads;
    private final ExecutorHeap heap;
    private final ExecutorHeap.Kept kept;
    private final Map<Direction, OnDemand<LoadedGraph>> loaded = new EnumMap<>(Direction.class);

    /** What {@link #close} closes; guarded by itself. */
    private final List<LoadedGraph> open = new ArrayList<>();

    /** Guarded by {@link #open}. */
    private boolean closed;

    /**
     * Creates a graph.
     *
     * @param threads number of threads that prepare the graph for searches, for which all tasks wait
     * @param heap where the graph and its searches are counted
     */
    SharedGraph(
            ExportedGraph.Origin origin,
            IdMap ids,
            Csc graph,
            TraversalBackend backend,
            int threads,
            ExecutorHeap heap) {
        this.origin = origin;
        this.ids = ids;
        this.graph = graph;
        this.backend = backend;
        this.threads = threads;
        this.heap = heap;
        kept = heap.keep(ids.bytes() + graph.bytes());
        for (Direction direction : Direction.values()) {
            loaded.put(direction, new OnDemand<>());
        }
    }

    /**
     * Fetches and reads a graph. A damaged copy is made once more.
     *
     * @param heap where the graph and its searches are counted
     * @param concurrency threads that read
     * @throws ProximaSparkException if the graph is not the one of the key, or does not fit the heap
     * @throws GraphFileException if the file is damaged, or cannot be read
     */
    static SharedGraph load(
            GraphKey key, TraversalBackend backend, ExecutorHeap heap, Configuration conf, int concurrency, Stop stop) {
        Path copy = GraphCopies.fetch(key, conf, stop);
        try {
            return read(copy, key, backend, heap, concurrency, stop);
        } catch (GraphFileException | ProximaSparkException e) {
            stop.check();
            discardIfWrong(key, copy, e);
        }
        return read(GraphCopies.fetch(key, conf, stop), key, backend, heap, concurrency, stop);
    }

    /** Other executors may use the copy: it is discarded only for its content, not if it cannot be read now. */
    private static void discardIfWrong(GraphKey key, Path copy, RuntimeException failure) {
        if (failure instanceof ProximaSparkException other && other.reason() != Reason.WRONG_GRAPH) {
            throw other;
        }
        if (failure instanceof GraphFileException unread && unread.reason() == GraphFileException.Reason.FILE_SYSTEM) {
            return;
        }
        try {
            GraphCopies.discard(key, copy);
        } catch (IOException e) {
            failure.addSuppressed(e);
            throw failure;
        }
    }

    private static SharedGraph read(
            Path copy, GraphKey key, TraversalBackend backend, ExecutorHeap heap, int concurrency, Stop stop) {
        try (GraphFile file = GraphFile.open(copy)) {
            key.check(file.header());
            long bytes = bytes(file, concurrency);
            return heap.run("The graph `" + key.path() + "`", bytes, bytes, stop, () -> {
                ExportedGraph read = file.read(concurrency, stop, Progress.NONE);
                return new SharedGraph(
                        read.origin(),
                        read.graph().idMap(),
                        read.graph().csc(concurrency, stop),
                        backend,
                        concurrency,
                        heap);
            });
        }
    }

    /** Heap of the graph while it is read, reversed unless it is symmetric, with the union of its types. */
    private static long bytes(GraphFile file, int concurrency) {
        long csc = Csc.bytes(file.nodeCount(), file.relationshipCount());
        boolean symmetric = file.types().values().stream().allMatch(TypeSchema::undirected);
        return file.readMemory(concurrency).maxBytes() + (file.types().size() > 1 ? csc : 0) + (symmetric ? 0 : csc);
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
     * The sums of a direction, see {@link LoadedGraph#farness(int[], Set, RunControl)}. Waits for the searches of other tasks
     * if the heap does not hold all of them.
     *
     * @param sources vertices, without repeats
     * @throws ProximaSparkException if the heap does not hold this search alone
     */
    Farness farness(Direction direction, int[] sources, Set<DistanceMeasure> measures, RunControl control) {
        LoadedGraph searched = loaded(searched(direction), control.stop());
        GraphShape shape = GraphShape.of(graph, true);
        MemoryTree bytes = backend.estimate(shape, Workload.farness(sources.length, measures), control.concurrency())
                .heap();
        // the most of a run on a device is what it takes if it falls back to the CPU
        boolean onCpu = backend.runsOn(shape, Operation.FARNESS_OF_SOURCES).equals(CPU);
        return heap.run(
                "A search of the graph `" + origin.graphName() + "` with " + control.concurrency() + " threads",
                onCpu ? bytes.maxBytes() : bytes.minBytes(),
                bytes.maxBytes(),
                control.stop(),
                () -> searched.farness(sources, measures, control));
    }

    private LoadedGraph loaded(Direction direction, Stop stop) {
        return loaded.get(direction).get(stop, () -> {
            // searches need both forms; a task has fewer threads to make them
            Csc reversed = reversed(stop);
            LoadedGraph made = backend.load(direction == Direction.INCOMING ? graph : reversed);
            synchronized (open) {
                if (closed) {
                    made.close();
                    throw new IllegalStateException("closed");
                }
                open.add(made);
            }
            return made;
        });
    }

    private Csc reversed(Stop stop) {
        if (graph.hasTransposed()) {
            return graph.transposed(threads, stop);
        }
        MemoryTree bytes = CscBuilder.memory(graph.vertexCount(), Orientation.REVERSE, threads, graph.entryCount())
                .built();
        String what = "Reversing the graph `" + origin.graphName() + "`";
        return heap.run(what, bytes.minBytes(), bytes.maxBytes(), stop, () -> {
            Csc reversed = graph.transposed(threads, stop);
            kept.set(ids.bytes() + graph.bytes());
            return reversed;
        });
    }

    @Override
    public void close() {
        synchronized (open) {
            closed = true;
            open.forEach(LoadedGraph::close);
            open.clear();
        }
        kept.close();
    }
}

/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.spark;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.TraversalBackend;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.Csc;
import io.proxima.projection.IdMap;
import io.proxima.projection.file.ExportedGraph;
import io.proxima.projection.file.ExportedGraph.TypeSchema;
import io.proxima.projection.file.GraphFile;
import io.proxima.projection.file.GraphFileException;
import io.proxima.spark.Measure.Direction;
import io.proxima.spark.ProximaSparkException.Reason;
import java.io.IOException;
import java.nio.file.Path;
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
    private final int threads;
    private final Map<Direction, LoadedGraph> loaded = new EnumMap<>(Direction.class);

    /**
     * Creates a graph.
     *
     * @param threads number of threads that prepare the graph for searches, for which all tasks wait
     */
    SharedGraph(ExportedGraph.Origin origin, IdMap ids, Csc graph, TraversalBackend backend, int threads) {
        this.origin = origin;
        this.ids = ids;
        this.graph = graph;
        this.backend = backend;
        this.threads = threads;
    }

    /**
     * Fetches and reads a graph. A damaged copy is made once more.
     *
     * @param concurrency threads that read
     * @throws ProximaSparkException if the graph is not the one of the key, or does not fit the heap
     * @throws GraphFileException if the file is damaged, or cannot be read
     */
    static SharedGraph load(GraphKey key, TraversalBackend backend, Configuration conf, int concurrency, Stop stop) {
        Path copy = GraphCopies.fetch(key, conf, stop);
        try {
            return read(copy, key, backend, concurrency, stop);
        } catch (GraphFileException e) {
            try {
                GraphCopies.discard(key, copy);
            } catch (IOException failure) {
                e.addSuppressed(failure);
                throw e;
            }
        }
        return read(GraphCopies.fetch(key, conf, stop), key, backend, concurrency, stop);
    }

    private static SharedGraph read(Path copy, GraphKey key, TraversalBackend backend, int concurrency, Stop stop) {
        try (GraphFile file = GraphFile.open(copy)) {
            checkHeap(key, heap(file, concurrency), Runtime.getRuntime().maxMemory());
            ExportedGraph read = file.read(concurrency, stop, Progress.NONE);
            return new SharedGraph(
                    read.origin(), read.graph().idMap(), read.graph().csc(concurrency, stop), backend, concurrency);
        }
    }

    /** Heap of the graph while it is read, reversed unless it is symmetric, with the union of its types. */
    private static long heap(GraphFile file, int concurrency) {
        long csc = Csc.bytes(file.nodeCount(), file.relationshipCount());
        boolean symmetric = file.types().values().stream().allMatch(TypeSchema::undirected);
        return file.readMemory(concurrency).maxBytes() + (file.types().size() > 1 ? csc : 0) + (symmetric ? 0 : csc);
    }

    static void checkHeap(GraphKey key, long needed, long most) {
        if (needed > most) {
            throw new ProximaSparkException(
                    Reason.MEMORY,
                    "The graph `" + key.path() + "` needs a heap of " + MemoryTree.humanReadable(needed)
                            + ", but the executor has " + MemoryTree.humanReadable(most)
                            + ". Raise spark.executor.memory.");
        }
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

    /** The graph whose {@link LoadedGraph#farness(int[], Set, RunControl) sums} are those of a direction. */
    LoadedGraph loaded(Direction direction, Stop stop) {
        synchronized (loaded) {
            return loaded.computeIfAbsent(searched(direction), way -> {
                // searches need both forms; a task has fewer threads to make them
                Csc reversed = graph.transposed(threads, stop);
                return backend.load(way == Direction.INCOMING ? graph : reversed);
            });
        }
    }

    @Override
    public void close() {
        synchronized (loaded) {
            loaded.values().forEach(LoadedGraph::close);
            loaded.clear();
        }
    }
}

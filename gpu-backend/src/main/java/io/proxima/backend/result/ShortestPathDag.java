// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.result;

import io.proxima.backend.ShortestPaths;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * The directed acyclic graph of the shortest paths of a search, read backwards from their targets. A vertex may follow
 * any of its predecessors. Without weights these are its in-neighbours that are one level nearer to the source. With
 * weights they are the sources of tight edges that {@link io.proxima.backend.Predecessors} chooses the lowest of.
 * Vertex id space; used by one thread at a time.
 */
public final class ShortestPathDag {

    private static final int NONE = -1;

    /** Vertices whose lowest predecessor is remembered. */
    private static final int REMEMBERED = 1 << 14;

    private final Csc reversed;
    private final IntToDoubleFunction cost;
    private final Predicate predicate;

    /** The number of paths that begin at a vertex, if it is not 1 for each without predecessors. */
    private final IntToDoubleFunction beginning;

    private final Stop stop;
    private final PacedStop paced;

    /** The entry of the lowest predecessor of a vertex: the first paths to many targets share theirs. */
    private final Map<Integer, Long> first = new HashMap<>();

    /** The number of paths to each vertex, NaN if it is not known yet; null before the first question. */
    private double[] counts;

    /** Whether a path to a vertex may lead through one of its in-neighbours. */
    @FunctionalInterface
    private interface Predicate {
        boolean precedes(int inNeighbour, int vertex);
    }

    private ShortestPathDag(
            Csc reversed, IntToDoubleFunction cost, Predicate predicate, IntToDoubleFunction beginning, Stop stop) {
        this.reversed = reversed;
        this.cost = cost;
        this.predicate = predicate;
        this.beginning = beginning;
        this.stop = stop;
        this.paced = new PacedStop(stop);
    }

    /**
     * The shortest paths of a search over hops.
     *
     * @param reversed the graph of the search with every edge reversed
     * @param level the level of each vertex that is on a shortest path; a negative number for any other
     */
    public static ShortestPathDag ofLevels(Csc reversed, IntUnaryOperator level, Stop stop) {
        return new ShortestPathDag(
                reversed,
                vertex -> level.applyAsInt(vertex) < 0 ? ShortestPaths.UNREACHED : level.applyAsInt(vertex),
                (before, vertex) ->
                        level.applyAsInt(vertex) > 0 && level.applyAsInt(before) == level.applyAsInt(vertex) - 1,
                null,
                stop);
    }

    /**
     * The shortest paths of a search over weights.
     *
     * @param reversed the graph of the search with every edge reversed
     * @param weights the graph of the search
     * @param costs the cost of each vertex that is on a shortest path; {@link ShortestPaths#UNREACHED} for any that the
     *     search has not found
     * @param sources the sources of the search, ascending; vertex id space
     */
    public static ShortestPathDag ofCosts(
            Csc reversed, WeightedCsc weights, IntToDoubleFunction costs, int[] sources, Stop stop) {
        EqualSteps equal = new EqualSteps(reversed, weights, costs, sources, stop);
        return new ShortestPathDag(
                reversed,
                costs,
                (before, vertex) -> equal.isTight(before, vertex)
                        && (costs.applyAsDouble(before) < costs.applyAsDouble(vertex)
                                || equal.count(vertex) == equal.count(before) + 1),
                null,
                stop);
    }

    /**
     * The steps that do not change the cost. Those back from a vertex are counted when it is asked for, over the
     * vertices of its cost that lead to it.
     */
    private static final class EqualSteps {
        private static final int WANTED = -1;

        private final Csc reversed;
        private final WeightedCsc graph;
        private final IntToDoubleFunction costs;
        private final int[] sources;
        private final PacedStop paced;

        /**
         * By vertex: one more than the fewest steps back to a vertex without one; 0 if not known. The complement while
         * the vertex waits for it.
         */
        private int[] counts;

        /** Distinct vertices to follow, behind those that are followed already. */
        private int[] queue = new int[16];

        private int size;

        EqualSteps(Csc reversed, WeightedCsc graph, IntToDoubleFunction costs, int[] sources, Stop stop) {
            this.reversed = reversed;
            this.graph = graph;
            this.costs = costs;
            this.sources = sources;
            this.paced = new PacedStop(stop);
        }

        boolean isTight(int before, int vertex) {
            double cost = costs.applyAsDouble(before);
            return cost != ShortestPaths.UNREACHED
                    && cost + graph.weight(graph.firstEntry(before, vertex)) == costs.applyAsDouble(vertex);
        }

        int count(int vertex) {
            if (counts == null) {
                counts = new int[graph.vertexCount()];
            }
            if (counts[vertex] == 0) {
                countBackFrom(vertex);
            }
            return counts[vertex];
        }

        private void countBackFrom(int last) {
            size = 0;
            want(last);
            for (int i = 0; i < size; i++) {
                if (counts[queue[i]] == WANTED) {
                    wantBefore(queue[i]);
                }
            }
            for (int i = 0; i < size; i++) {
                counts[queue[i]] = counts[queue[i]] < WANTED ? ~counts[queue[i]] : counts[queue[i]];
            }
            long[] known = IntStream.of(queue)
                    .limit(size)
                    .filter(vertex -> counts[vertex] > 0)
                    .mapToLong(vertex -> (long) counts[vertex] << Integer.SIZE | vertex)
                    .sorted()
                    .toArray();
            size = 0;
            int next = 0;
            // the fewest steps first: those that are found are in this order
            for (int done = 0; next < known.length || done < size; ) {
                boolean isNext =
                        done == size || (next < known.length && known[next] >>> Integer.SIZE <= counts[queue[done]]);
                countAfter(isNext ? (int) known[next++] : queue[done++]);
            }
        }

        /** Queues a vertex that is not queued yet. */
        private void want(int vertex) {
            counts[vertex] = ~counts[vertex];
            add(vertex);
        }

        private void add(int vertex) {
            if (size == queue.length) {
                queue = Arrays.copyOf(queue, (int) Math.min(2L * size, counts.length));
            }
            queue[size++] = vertex;
        }

        /**
         * Wants the in-neighbours of the same cost, unless the vertex is a source or has a tight one of a lower cost.
         */
        private void wantBefore(int vertex) {
            int begin = size;
            boolean begins = Arrays.binarySearch(sources, vertex) >= 0;
            for (long entry = reversed.columnStart(vertex); !begins && entry < reversed.columnEnd(vertex); entry++) {
                paced.worked(2);
                int before = reversed.rowIndices().get(entry);
                if (isTight(before, vertex)) {
                    begins = costs.applyAsDouble(before) < costs.applyAsDouble(vertex);
                    if (!begins && counts[before] >= 0) {
                        want(before);
                    }
                }
            }
            if (begins) {
                for (int i = begin; i < size; i++) {
                    counts[queue[i]] = ~counts[queue[i]];
                }
                size = begin;
                counts[vertex] = ~1;
            }
        }

        private void countAfter(int vertex) {
            for (long entry = graph.columnStart(vertex); entry < graph.columnEnd(vertex); entry++) {
                paced.worked(2);
                int after = graph.rowIndices().get(entry);
                if (counts[after] == WANTED
                        && costs.applyAsDouble(after) == costs.applyAsDouble(vertex)
                        && isTight(vertex, after)) {
                    add(after);
                    counts[after] = counts[vertex] + 1;
                }
            }
        }
    }

    /**
     * The same paths from their targets: {@link #count} is the number of ways from a vertex on to a target.
     *
     * @param graph the graph of the search
     * @param leadsOn whether a path leads from a vertex to a target, or may do so
     * @param isTarget whether paths end at a vertex
     */
    public ShortestPathDag onward(Csc graph, IntPredicate leadsOn, IntPredicate isTarget) {
        return new ShortestPathDag(
                graph,
                cost,
                (after, vertex) -> leadsOn.test(after) && predicate.precedes(vertex, after),
                vertex -> isTarget.test(vertex) ? 1 : 0,
                stop);
    }

    /** Whether a shortest path to a vertex leads through one of its in-neighbours. */
    public boolean precedes(int inNeighbour, int vertex) {
        return predicate.precedes(inNeighbour, vertex);
    }

    /**
     * The entry of the lowest predecessor of a vertex, from an entry of the reversed graph on.
     *
     * @param entry an entry of the column of the vertex, or its end
     * @return {@link #NONE} if no predecessor is left
     */
    private long nextEntry(int vertex, long entry) {
        if (entry != reversed.columnStart(vertex)) {
            return findEntry(vertex, entry);
        }
        Long known = first.get(vertex);
        if (known == null) {
            known = findEntry(vertex, entry);
            if (first.size() == REMEMBERED) {
                first.clear();
            }
            first.put(vertex, known);
        }
        return known;
    }

    private long findEntry(int vertex, long entry) {
        for (long next = entry, end = reversed.columnEnd(vertex); next < end; next++) {
            paced.worked(2);
            if (predicate.precedes(reversed.rowIndices().get(next), vertex)) {
                return next;
            }
        }
        return NONE;
    }

    /** The cost of the shortest paths to a vertex; {@link ShortestPaths#UNREACHED} if there is none. */
    public double cost(int vertex) {
        return cost.applyAsDouble(vertex);
    }

    /** Whether there is a path to a vertex. */
    public boolean reaches(int vertex) {
        return cost(vertex) != ShortestPaths.UNREACHED;
    }

    /** Heap of the steps that do not change the cost, beside the costs. */
    public static MemoryTree equalStepsMemory(int vertexCount) {
        // counts, a queue that is doubled by copying, and vertices that are sorted
        return MemoryTree.between("steps of equal cost", 0, vertexCount * (4L * Integer.BYTES + 3L * Long.BYTES));
    }

    /** Heap of a path, and of what the paths to many targets share. */
    public static MemoryTree pathMemory(int vertexCount) {
        // the way back to the source, doubled by copying
        long way = 4L * (Integer.BYTES + Long.BYTES) * vertexCount;
        return MemoryTree.between("path of a row", 0, way + 100L * Math.min(vertexCount, REMEMBERED));
    }

    /** Heap of {@link #count}. */
    public static MemoryTree countingMemory(int vertexCount) {
        return MemoryTree.between("paths to each node", 0, vertexCount * (2L * Long.BYTES + Integer.BYTES));
    }

    /**
     * The number of paths to a reached vertex, as sequences of vertices: exact up to 2^53, rounded above, and infinite
     * above the greatest double.
     */
    public double count(int target) {
        if (counts == null) {
            counts = new double[reversed.vertexCount()];
            Arrays.fill(counts, Double.NaN);
        }
        if (!Double.isNaN(counts[target])) {
            return counts[target];
        }
        // a vertex on the way back to the sources has the sum of its predecessors before its entry
        Paths way = new Paths(this, target);
        while (way.depth >= 0) {
            int vertex = way.vertices[way.depth];
            long entry = nextEntry(vertex, way.entries[way.depth]);
            if (entry == NONE) {
                counts[vertex] = own(vertex) + (Double.isNaN(counts[vertex]) ? 0 : counts[vertex]);
                way.depth--;
                continue;
            }
            int before = reversed.rowIndices().get(entry);
            if (Double.isNaN(counts[before])) {
                way.entries[way.depth] = entry;
                way.push(before);
            } else {
                counts[vertex] = counts[before] + (Double.isNaN(counts[vertex]) ? 0 : counts[vertex]);
                way.entries[way.depth] = entry + 1;
            }
        }
        return counts[target];
    }

    /** The number of paths that begin at a vertex whose predecessors are counted. */
    private double own(int vertex) {
        if (beginning != null) {
            return beginning.applyAsDouble(vertex);
        }
        return Double.isNaN(counts[vertex]) ? 1 : 0;
    }

    /** The paths to a reached vertex, in the lexicographic order of their vertices, read from the target back. */
    public Paths paths(int target) {
        return new Paths(this, target);
    }

    /** Paths to a vertex, one after the other. */
    public static final class Paths {
        private final ShortestPathDag dag;

        /** The way back from the target. */
        private int[] vertices = new int[16];

        /** For each vertex of the way the entry of the reversed graph to continue with. */
        private long[] entries = new long[16];

        private int depth = NONE;

        private Paths(ShortestPathDag dag, int target) {
            this.dag = dag;
            push(target);
        }

        private void push(int vertex) {
            depth++;
            if (depth == vertices.length) {
                int length = (int) Math.min(2L * depth, dag.reversed.vertexCount());
                vertices = Arrays.copyOf(vertices, length);
                entries = Arrays.copyOf(entries, length);
            }
            vertices[depth] = vertex;
            entries[depth] = dag.reversed.columnStart(vertex);
        }

        /** The vertices of the next path, from a source to the target; null after the last path. */
        public int[] next() {
            while (depth >= 0) {
                int vertex = vertices[depth];
                long from = entries[depth];
                long entry = dag.nextEntry(vertex, from);
                if (entry != NONE) {
                    entries[depth] = entry + 1;
                    push(dag.reversed.rowIndices().get(entry));
                    continue;
                }
                depth--;
                // a vertex without any predecessor is a source
                if (from == dag.reversed.columnStart(vertex)) {
                    int[] path = new int[depth + 2];
                    for (int step = 0; step < path.length; step++) {
                        path[step] = vertices[depth + 1 - step];
                    }
                    return path;
                }
            }
            return null;
        }
    }
}

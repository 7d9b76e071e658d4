// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.GraphShape;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Predecessors;
import io.proxima.backend.RunContext;
import io.proxima.backend.SearchEnd;
import io.proxima.backend.ShortestPaths;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.WeightedCsc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Shortest paths from the nearest of some sources by delta-stepping: Meyer, Sanders, Δ-stepping: a parallelizable
 * shortest path algorithm, J. Algorithms 49 (2003).
 *
 * <p>Vertices wait in buckets of width delta by their tentative cost. A vertex of the lowest bucket relaxes all of its
 * edges the first time. If its cost falls within the bucket, it relaxes its light edges again, those of at most delta,
 * until the bucket is empty, and then its heavy edges, once. The authors' vertices relax heavy edges only at the end,
 * for which most of them read their edges twice. As in GAP (Beamer, Asanović, Patterson, arXiv:1508.03619), each worker
 * has buckets of its own, and vertices whose cost fell since they were put into a bucket are left there and skipped.
 * Buckets of a few vertices are processed by the calling thread.
 *
 * <p>The cost of a vertex is the least floating-point sum along a path from the source. Addition is monotonic even when
 * it rounds, so the search ends at this value for any number of workers and any order of relaxations.
 *
 * <p>Memory: 2 bytes for each vertex beside the result, and the {@link Buckets}.
 */
final class DeltaStepping {

    /** The delta of graphs of high degree, as a multiple of the light weight. */
    private static final double DENSE_SHARE = 0.5;

    /** At lower degrees, the multiple is the square of this divided by the degree, if that is greater. */
    private static final double DEEP_DEGREE = 8;

    /** Vertices of a bucket that are worth more than one worker. */
    private static final int PARALLEL_VERTICES = 1 << 9;

    /** Edges between two stop checks. */
    private static final int EDGES_AT_ONCE = 1 << 15;

    private static final int VERTICES_AT_ONCE = 1 << 6;

    /** The vertex has relaxed none of its edges. */
    private static final byte NEW = 0;

    /** The vertex has relaxed all of its edges. */
    private static final byte RELAXED = 1;

    /** The cost of the vertex has fallen, and it has not relaxed its heavy edges since. */
    private static final byte REPEATED = 2;

    private static final VarHandle DOUBLES = MethodHandles.arrayElementVarHandle(double[].class);
    private static final VarHandle BYTES = MethodHandles.arrayElementVarHandle(byte[].class);

    private final WeightedCsc graph;
    private final SearchEnd end;
    private final double maxCost;
    private final double delta;
    private final boolean heavy;
    private final RunContext control;

    private final double[] costs;

    /** For each vertex 1 while it waits in the current bucket. */
    private final byte[] waiting;

    /** For each vertex {@link #NEW}, {@link #RELAXED} or {@link #REPEATED}. */
    private final byte[] states;

    private final Buckets buckets;
    private final IntList frontier = new IntList();

    /** The work of the calling thread while no others work. */
    private final Relaxation alone;

    /** The repeated vertices, by worker. */
    private final IntList[] repeated;

    private DeltaStepping(WeightedCsc graph, SearchEnd end, double delta, boolean heavy, RunContext control) {
        this.graph = graph;
        this.end = end;
        this.maxCost = end.maxCost();
        this.delta = delta;
        this.heavy = heavy;
        this.control = control;
        this.costs = new double[graph.vertexCount()];
        this.waiting = new byte[graph.vertexCount()];
        this.states = new byte[graph.vertexCount()];
        this.buckets = new Buckets(delta, control.concurrency());
        this.repeated = new IntList[control.concurrency()];
        Arrays.setAll(repeated, worker -> new IntList());
        this.alone = new Relaxation(0, false);
    }

    /**
     * Searches from all sources together, and advances the progress by the number of reached vertices.
     *
     * @param graph a graph whose weights are finite and not negative
     * @param delta the width of a bucket, above 0; {@link LoadedGraph#ANY_DELTA} to derive it from the weights
     * @return {@code double[vertexCount]}: the cost of each vertex that the search has reached before its end
     */
    static double[] run(
            WeightedCsc graph,
            WeightedCsc.Lengths lengths,
            int[] sources,
            SearchEnd end,
            double delta,
            RunContext control) {
        double width = delta == LoadedGraph.ANY_DELTA ? ShortestPaths.delta(lengths, DENSE_SHARE, DEEP_DEGREE) : delta;
        DeltaStepping search = new DeltaStepping(graph, end, width, lengths.greatest() > width, control);
        search.run(sources);
        return search.costs;
    }

    /** The way of {@link #run}, and of finding predecessors. */
    static HostWay way(GraphShape graph) {
        long vertices = graph.vertexCount();
        // a vertex waits at most twice for each entry to it; lists are doubled by copying
        long most = 3L * Integer.BYTES * (vertices + 2 * graph.entryCount());
        return HostWay.shared(
                false,
                MemoryTree.together(
                        "search and predecessors",
                        MemoryTree.together(
                                "search",
                                MemoryTree.exactly("marks", 2 * vertices),
                                MemoryTree.between("current bucket", 0, 8 * Integer.BYTES * vertices),
                                MemoryTree.between("buckets", 0, most)),
                        Predecessors.memory(graph.vertexCount())));
    }

    private void run(int[] sources) {
        int targetsPast = 0;
        Arrays.fill(costs, ShortestPaths.UNREACHED);
        for (int source : sources) {
            costs[source] = 0;
            waiting[source] = 1;
            frontier.add(source);
        }
        do {
            do {
                relaxFrontier();
            } while (frontier.size > 0);
            relaxHeavy();
            buckets.collectCurrent(frontier);
            if (frontier.size == 0) {
                control.stop().check();
                buckets.advance(costs, frontier, control.stop());
                while (targetsPast < end.targets().length && buckets.isPast(costs[end.targets()[targetsPast]])) {
                    targetsPast++;
                }
                if (targetsPast > 0 && targetsPast == end.targets().length) {
                    leaveOutWaiting();
                    return;
                }
                for (int i = 0; i < frontier.size; i++) {
                    waiting[frontier.items[i]] = 1;
                }
            }
        } while (frontier.size > 0);
    }

    /** Lets the vertices whose cost is not final count as unreached: none of these is below those of the frontier. */
    private void leaveOutWaiting() {
        double least = ShortestPaths.UNREACHED;
        for (int i = 0; i < frontier.size; i++) {
            least = Math.min(least, costs[frontier.items[i]]);
        }
        PacedStop paced = new PacedStop(control.stop());
        buckets.collectAll(frontier);
        for (int i = 0; i < frontier.size; i++) {
            int vertex = frontier.items[i];
            paced.worked(1);
            costs[vertex] = costs[vertex] >= least ? ShortestPaths.UNREACHED : costs[vertex];
        }
    }

    /** Relaxes edges of the frontier, and replaces it by the vertices that returned to the bucket. */
    private void relaxFrontier() {
        int[] vertices = frontier.items;
        int size = frontier.size;
        if (control.concurrency() > 1 && size >= PARALLEL_VERTICES) {
            Workers.forRanges(control.concurrency(), size, VERTICES_AT_ONCE, control.stop(), (worker, from, to) -> {
                Relaxation relaxation = new Relaxation(worker, true);
                for (int i = (int) from; i < to; i++) {
                    relaxation.relax(vertices[i]);
                }
                control.progress().advance(relaxation.begins);
            });
        } else {
            for (int i = 0; i < size; i++) {
                alone.relax(vertices[i]);
            }
            control.progress().advance(alone.begins);
            alone.begins = 0;
        }
        buckets.collectCurrent(frontier);
    }

    private void relaxHeavy() {
        if (!heavy) {
            return;
        }
        for (IntList list : repeated) {
            if (control.concurrency() > 1 && list.size >= PARALLEL_VERTICES) {
                int[] vertices = list.items;
                Workers.forRanges(
                        control.concurrency(), list.size, VERTICES_AT_ONCE, control.stop(), (worker, from, to) -> {
                            Relaxation relaxation = new Relaxation(worker, true);
                            for (int i = (int) from; i < to; i++) {
                                relaxation.heavy(vertices[i]);
                            }
                        });
            } else {
                for (int i = 0; i < list.size; i++) {
                    alone.heavy(list.items[i]);
                }
            }
            list.size = 0;
        }
    }

    /** Relaxes edges as one worker. */
    private final class Relaxation {
        private final int worker;
        private final boolean shared;
        private final PacedStop paced = new PacedStop(control.stop());
        private long begins;

        /**
         * Creates the work of one worker.
         *
         * @param shared whether others work at the same time
         */
        Relaxation(int worker, boolean shared) {
            this.worker = worker;
            this.shared = shared;
        }

        void relax(int vertex) {
            if (shared) {
                // an improvement after this lets the vertex wait again
                BYTES.setVolatile(waiting, vertex, (byte) 0);
            } else {
                waiting[vertex] = 0;
            }
            // only this worker has the vertex
            byte state = states[vertex];
            if (state == NEW) {
                states[vertex] = RELAXED;
                begins++;
            } else if (state == RELAXED && heavy) {
                states[vertex] = REPEATED;
                repeated[worker].add(vertex);
            }
            double cost = (double) DOUBLES.getVolatile(costs, vertex);
            relax(vertex, cost, -1, state == NEW ? Double.POSITIVE_INFINITY : delta);
        }

        void heavy(int vertex) {
            states[vertex] = RELAXED;
            relax(vertex, (double) DOUBLES.getOpaque(costs, vertex), delta, Double.POSITIVE_INFINITY);
        }

        /** Relaxes the edges whose weight is above {@code above} and at most {@code most}. */
        private void relax(int vertex, double cost, double above, double most) {
            long index = graph.columnStart(vertex);
            long end = graph.columnEnd(vertex);
            int mask = graph.rowIndices().pageMask();
            while (index < end) {
                int[] rows = graph.rowIndices().pageOf(index);
                double[] weights =
                        graph.weights() == null ? null : graph.weights().pageOf(index);
                int first = (int) (index & mask);
                int last = (int) Math.min(rows.length, first + Math.min(EDGES_AT_ONCE, end - index));
                paced.worked(last - first);
                for (int i = first; i < last; i++) {
                    double weight = weights == null ? 1 : weights[i];
                    if (weight > above && weight <= most) {
                        improve(rows[i], cost + weight);
                    }
                }
                index += last - first;
            }
        }

        /** Lets a vertex wait; returns whether it did not. */
        private boolean waits(int vertex) {
            if (shared) {
                return (byte) BYTES.getAndSet(waiting, vertex, (byte) 1) == 0;
            }
            boolean waited = waiting[vertex] == 1;
            waiting[vertex] = 1;
            return !waited;
        }

        private void improve(int vertex, double cost) {
            double before = shared ? (double) DOUBLES.getOpaque(costs, vertex) : costs[vertex];
            if (cost >= before || cost > maxCost) {
                return;
            }
            if (shared) {
                double witness;
                while ((witness = (double) DOUBLES.compareAndExchange(costs, vertex, before, cost)) != before) {
                    before = witness;
                    if (cost >= before) {
                        return;
                    }
                }
            } else {
                costs[vertex] = cost;
            }
            if (buckets.isCurrent(cost)) {
                if (waits(vertex)) {
                    buckets.addCurrent(worker, vertex);
                }
            } else {
                buckets.add(worker, vertex, before, cost);
            }
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.CheapestEdges;
import io.proxima.backend.CostSink;
import io.proxima.backend.GraphShape;
import io.proxima.backend.RunContext;
import io.proxima.backend.ShortestPaths;
import io.proxima.backend.Workload;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Dijkstra's algorithm from many sources, each searched by one thread with arrays of its own.
 *
 * <p>Vertices wait in a hot queue: Cherkassky, Goldberg, Silverstein, Buckets, heaps, lists, and monotone priority
 * queues, SIAM J. Comput. 28(4), 1999. A ring of buckets holds the vertices by their tentative cost, and a heap those
 * of the lowest bucket, which are few. Integers need no heap if a bucket is one of them. A vertex beyond the ring waits
 * in the heap, so that no weight is too great. A vertex waits once for each cost that was found for it, and is settled
 * at the lowest only, whatever the width of the buckets.
 *
 * <p>The cost of a vertex is the least floating-point sum along a path from the source, as in {@link DeltaStepping}.
 *
 * <p>Memory: 12 bytes for each vertex and thread, and what waits: no more than two costs of each vertex in the ring,
 * and two in the heap.
 */
final class CostSearch {

    /** Share of the heap that the state of the searches may take: one in this many. */
    private static final long HEAP_SHARE = 3;

    /** Buckets of the ring; a power of two. */
    private static final int RING = 1 << 12;

    /** Buckets to the light weight: so many that few vertices are in the heap at a time. */
    private static final double BUCKETS_OF_LIGHT = 64;

    /** Edges between two stop checks. */
    private static final int EDGES_AT_ONCE = 1 << 15;

    /** Integers have a bucket each if the light weight is at most this. */
    private static final double LIGHT_OF_INTEGERS = 256;

    /** Beyond this bucket, costs wait in the heap. */
    private static final long LAST = Long.MAX_VALUE / 2;

    private static final int SHORTEST = 32;

    private static final int END = -1;

    private final WeightedCsc graph;

    /** The length of the ring's arrays and of the heap's at most: twice as many as can wait at their lowest cost. */
    private final int most;

    private final double bucketsOfUnit;

    /** Whether all costs of a bucket are equal. */
    private final boolean equal;

    private final double maxCost;
    private final CheapestEdges edges;
    private final PacedStop paced;

    private final double[] costs;
    private final int[] order;
    private int settled;

    // buckets as linked lists of what waits in them, with entries that a lower cost has replaced
    private final int[] first = new int[RING];
    private int[] next = new int[0];
    private int[] vertices = next;
    private double[] found = new double[0];
    private int free = END;
    private int waiting;

    /** A bit for each bucket of the ring that has entries. */
    private final long[] used = new long[RING / Long.SIZE];

    /** The bucket whose vertices are settled; those of the ring have higher numbers. */
    private long current;

    /** A heap of four children, with entries that a lower cost has replaced. */
    private double[] heapCosts = new double[0];

    private int[] heapVertices = new int[0];
    private int heapSize;

    private CostSearch(WeightedCsc graph, WeightedCsc.Lengths lengths, double maxCost, CheapestEdges edges, Stop stop) {
        this.graph = graph;
        this.most = most(graph.vertexCount());
        this.maxCost = maxCost;
        this.edges = edges;
        this.paced = new PacedStop(stop);
        this.equal = lengths.integers() && lengths.light() <= LIGHT_OF_INTEGERS;
        this.bucketsOfUnit = equal ? 1 : Math.min(Double.MAX_VALUE, BUCKETS_OF_LIGHT / lengths.light());
        this.costs = new double[graph.vertexCount()];
        this.order = new int[graph.vertexCount()];
        Arrays.fill(costs, ShortestPaths.UNREACHED);
        Arrays.fill(first, END);
    }

    /** Searches from all sources, and advances the progress by each. */
    static void run(int[] sources, WeightedCsc graph, double maxCost, CostSink sink, HostWay way, RunContext control) {
        WeightedCsc.Lengths lengths = ShortestPaths.lengths(graph, control);
        AtomicInteger begun = new AtomicInteger();
        Workers.run(way.searches(), control.stop(), (worker, stop) -> {
            CostSearch search = null;
            int index;
            while ((index = begun.getAndIncrement()) < sources.length) {
                stop.check();
                if (search == null) {
                    search = new CostSearch(graph, lengths, maxCost, sink.newEdges(), stop);
                }
                search.run(sources[index]);
                if (maxCost == ShortestPaths.UNREACHED) {
                    ShortestPaths.requireFinite(graph, lengths, search.costs, stop);
                }
                sink.accept(
                        worker,
                        index,
                        new CostSink.Costs(search.costs, search.order, search.settled, search.edges),
                        stop);
                control.progress().advance(1);
            }
        });
    }

    /** The way of {@link #run}: as many threads as their share of the heap holds, at least one. */
    static HostWay way(GraphShape graph, Workload work, int concurrency) {
        long vertices = graph.vertexCount();
        long state = (Double.BYTES + Integer.BYTES) * vertices;
        long share = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
        int most = Math.min(concurrency, work.sources());
        int threads = (int) Math.max(1, Math.min(most, share / Math.max(1, state)));
        // the ring, the heap, and a half of the longest array while it is copied
        long waiting = ((Double.BYTES + 2L * Integer.BYTES) + (Double.BYTES + Integer.BYTES) + Double.BYTES / 2)
                * most(graph.vertexCount());
        MemoryTree search = MemoryTree.together(
                        "search state of a thread",
                        MemoryTree.exactly("costs and order", state),
                        MemoryTree.between("waiting nodes", 0, waiting))
                .times(threads)
                .named("search state of " + threads + " threads");
        return new HostWay(threads, false, false, List.of(search));
    }

    private void run(int source) {
        for (int i = 0; i < settled; i++) {
            costs[order[i]] = ShortestPaths.UNREACHED;
        }
        paced.worked(settled);
        settled = 0;
        current = 0;
        costs[source] = 0;
        if (edges != null) {
            edges.begin(source);
        }
        push(0, source);
        do {
            while (heapSize > 0 && bucket(heapCosts[0]) <= current) {
                double cost = heapCosts[0];
                int vertex = heapVertices[0];
                pop();
                settle(vertex, cost);
            }
        } while (hasNextBucket());
    }

    /**
     * Settles the vertices of the next bucket of the ring, or puts them into the heap; returns whether anything waits.
     */
    private boolean hasNextBucket() {
        long bucket = waiting > 0 ? lowestOfRing() : Long.MAX_VALUE;
        current = heapSize > 0 ? Math.min(bucket, bucket(heapCosts[0])) : bucket;
        if (current < bucket || current == Long.MAX_VALUE) {
            return heapSize > 0;
        }
        int place = (int) bucket & (RING - 1);
        int entry = first[place];
        first[place] = END;
        used[place / Long.SIZE] &= ~(1L << place);
        while (entry != END) {
            int vertex = vertices[entry];
            double cost = found[entry];
            int following = next[entry];
            next[entry] = free;
            free = entry;
            entry = following;
            waiting--;
            if (equal) {
                settle(vertex, cost);
            } else if (cost == costs[vertex]) {
                push(cost, vertex);
            }
        }
        return true;
    }

    /** The lowest bucket of the ring that has entries; there is one. */
    private long lowestOfRing() {
        for (long bucket = current + 1; ; ) {
            int place = (int) bucket & (RING - 1);
            long from = used[place / Long.SIZE] >>> place;
            if (from != 0) {
                return bucket + Long.numberOfTrailingZeros(from);
            }
            bucket += Long.SIZE - place % Long.SIZE;
        }
    }

    private long bucket(double cost) {
        return (long) (cost * bucketsOfUnit);
    }

    private void settle(int vertex, double cost) {
        if (cost != costs[vertex]) {
            return;
        }
        order[settled++] = vertex;
        long index = graph.columnStart(vertex);
        long end = graph.columnEnd(vertex);
        int mask = graph.rowIndices().pageMask();
        paced.worked(1);
        while (index < end) {
            int[] rows = graph.rowIndices().pageOf(index);
            double[] weights = graph.weights() == null ? null : graph.weights().pageOf(index);
            int begin = (int) (index & mask);
            int last = (int) Math.min(rows.length, begin + Math.min(EDGES_AT_ONCE, end - index));
            paced.worked(last - begin);
            for (int i = begin; i < last; i++) {
                double through = cost + (weights == null ? 1 : weights[i]);
                if (through < costs[rows[i]] && through <= maxCost) {
                    improve(rows[i], through);
                    if (edges != null) {
                        edges.lowered(vertex, rows[i], through == cost);
                    }
                } else if (edges != null && through == costs[rows[i]] && through != ShortestPaths.UNREACHED) {
                    edges.equalled(vertex, rows[i], through == cost);
                }
            }
            index += last - begin;
        }
    }

    private void improve(int vertex, double cost) {
        costs[vertex] = cost;
        long bucket = bucket(cost);
        if (bucket <= current || bucket - current >= RING || bucket > LAST) {
            push(cost, vertex);
            return;
        }
        if (free == END) {
            lengthen();
        }
        int place = (int) bucket & (RING - 1);
        int entry = free;
        free = next[entry];
        next[entry] = first[place];
        vertices[entry] = vertex;
        found[entry] = cost;
        first[place] = entry;
        used[place / Long.SIZE] |= 1L << place;
        waiting++;
    }

    private static int most(int vertexCount) {
        return (int) Math.min(Integer.MAX_VALUE - 8, 2L * Math.max(SHORTEST, vertexCount));
    }

    private void lengthen() {
        int length = next.length;
        if (length == most) {
            freeReplaced();
            return;
        }
        next = Arrays.copyOf(next, longer(length));
        vertices = Arrays.copyOf(vertices, next.length);
        found = Arrays.copyOf(found, next.length);
        for (int entry = next.length - 1; entry >= length; entry--) {
            next[entry] = free;
            free = entry;
        }
    }

    /** The next length: half of the last one at most is copied. */
    private int longer(int length) {
        return length < most / 4 ? Math.max(SHORTEST, 2 * length) : most;
    }

    /** Frees the entries of the ring that a lower cost has replaced. */
    private void freeReplaced() {
        for (int place = 0; place < RING; place++) {
            int kept = END;
            for (int entry = first[place], following; entry != END; entry = following) {
                following = next[entry];
                paced.worked(1);
                if (found[entry] == costs[vertices[entry]]) {
                    kept = entry;
                    continue;
                }
                if (kept == END) {
                    first[place] = following;
                } else {
                    next[kept] = following;
                }
                next[entry] = free;
                free = entry;
                waiting--;
            }
            used[place / Long.SIZE] &= first[place] == END ? ~(1L << place) : -1;
        }
    }

    /** Drops the entries of the heap that a lower cost has replaced. */
    private void dropReplaced() {
        int size = heapSize;
        heapSize = 0;
        for (int i = 0; i < size; i++) {
            paced.worked(1);
            if (heapCosts[i] == costs[heapVertices[i]]) {
                push(heapCosts[i], heapVertices[i]);
            }
        }
    }

    private void push(double cost, int vertex) {
        if (heapSize == most) {
            dropReplaced();
        } else if (heapSize == heapCosts.length) {
            heapCosts = Arrays.copyOf(heapCosts, longer(heapSize));
            heapVertices = Arrays.copyOf(heapVertices, heapCosts.length);
        }
        int place = heapSize++;
        while (place > 0) {
            int parent = (place - 1) >> 2;
            if (heapCosts[parent] <= cost) {
                break;
            }
            heapCosts[place] = heapCosts[parent];
            heapVertices[place] = heapVertices[parent];
            place = parent;
        }
        heapCosts[place] = cost;
        heapVertices[place] = vertex;
    }

    private void pop() {
        int last = --heapSize;
        double cost = heapCosts[last];
        int vertex = heapVertices[last];
        int place = 0;
        for (int child = 1; child < last; child = 4 * place + 1) {
            int least = child;
            for (int other = child + 1, end = Math.min(child + 4, last); other < end; other++) {
                if (heapCosts[other] < heapCosts[least]) {
                    least = other;
                }
            }
            if (heapCosts[least] >= cost) {
                break;
            }
            heapCosts[place] = heapCosts[least];
            heapVertices[place] = heapVertices[least];
            place = least;
        }
        heapCosts[place] = cost;
        heapVertices[place] = vertex;
    }
}

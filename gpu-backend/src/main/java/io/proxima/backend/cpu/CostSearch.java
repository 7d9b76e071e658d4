// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

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
 * of the lowest bucket, which are few. A vertex beyond the ring waits in the heap, so that no weight is too great. Each
 * vertex is settled once, whatever the width of the buckets.
 *
 * <p>The cost of a vertex is the least floating-point sum along a path from the source, as in {@link DeltaStepping}.
 *
 * <p>Memory: 20 bytes for each vertex and thread, and the heap.
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

    /** The vertex is in no bucket. */
    private static final int OUTSIDE = -2;

    private static final int END = -1;

    private final WeightedCsc graph;
    private final double bucketsOfUnit;
    private final PacedStop paced;

    private final double[] costs;
    private final int[] order;
    private int settled;

    // buckets as linked lists: the first vertex of each, and the neighbours of each vertex in its list
    private final int[] first = new int[RING];
    private final int[] next;
    private final int[] previous;

    /** A bit for each bucket of the ring that may have vertices. */
    private final long[] used = new long[RING / Long.SIZE];

    /** The bucket whose vertices are in the heap; those of the ring have higher numbers. */
    private long current;

    private int inRing;

    /** A heap of four children, with entries that a lower cost has replaced. */
    private double[] heapCosts = new double[64];

    private int[] heapVertices = new int[64];
    private int heapSize;

    private CostSearch(WeightedCsc graph, WeightedCsc.Lengths lengths, Stop stop) {
        this.graph = graph;
        this.paced = new PacedStop(stop);
        this.bucketsOfUnit = Math.min(Double.MAX_VALUE, BUCKETS_OF_LIGHT / lengths.light());
        this.costs = new double[graph.vertexCount()];
        this.order = new int[graph.vertexCount()];
        this.next = new int[graph.vertexCount()];
        this.previous = new int[graph.vertexCount()];
        Arrays.fill(costs, ShortestPaths.UNREACHED);
        Arrays.fill(next, OUTSIDE);
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
                    search = new CostSearch(graph, lengths, stop);
                }
                search.run(sources[index], maxCost);
                if (maxCost == ShortestPaths.UNREACHED) {
                    ShortestPaths.requireFinite(graph, lengths, search.costs, stop);
                }
                sink.accept(worker, index, new CostSink.Costs(search.costs, search.order, search.settled), stop);
                control.progress().advance(1);
            }
        });
    }

    /** The way of {@link #run}: as many threads as their share of the heap holds, at least one. */
    static HostWay way(GraphShape graph, Workload work, int concurrency) {
        long vertices = graph.vertexCount();
        long state = (Double.BYTES + 3 * Integer.BYTES) * vertices;
        long share = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
        int most = Math.min(concurrency, work.sources());
        int threads = (int) Math.max(1, Math.min(most, share / Math.max(1, state)));
        long waiting = (Double.BYTES + Integer.BYTES) * (vertices + graph.entryCount());
        MemoryTree search = MemoryTree.together(
                        "search state of a thread",
                        MemoryTree.exactly("costs, order and buckets", state),
                        MemoryTree.between("heap of waiting nodes", 0, waiting))
                .times(threads)
                .named("search state of " + threads + " threads");
        return new HostWay(threads, false, false, List.of(search));
    }

    private void run(int source, double maxCost) {
        for (int i = 0; i < settled; i++) {
            costs[order[i]] = ShortestPaths.UNREACHED;
        }
        paced.worked(settled);
        settled = 0;
        current = 0;
        costs[source] = 0;
        push(0, source);
        do {
            double cost = heapCosts[0];
            int vertex = heapVertices[0];
            pop();
            if (cost == costs[vertex]) {
                order[settled++] = vertex;
                relax(vertex, cost, maxCost);
            }
        } while (heapHasLowest());
    }

    /** Brings the vertices of the lowest bucket into the heap; returns whether any vertex is left. */
    private boolean heapHasLowest() {
        while (inRing > 0) {
            long lowest = heapSize > 0 ? bucket(heapCosts[0]) : Long.MAX_VALUE;
            if (lowest <= current) {
                return true;
            }
            long bucket = lowestOfRing();
            current = Math.min(bucket, lowest);
            if (lowest < bucket) {
                return true;
            }
            int place = (int) bucket & (RING - 1);
            for (int vertex = first[place]; vertex != END; ) {
                int following = next[vertex];
                next[vertex] = OUTSIDE;
                inRing--;
                push(costs[vertex], vertex);
                vertex = following;
            }
            first[place] = END;
            used[place / Long.SIZE] &= ~(1L << place);
        }
        return heapSize > 0;
    }

    /** The lowest bucket of the ring that has vertices; there is one. */
    private long lowestOfRing() {
        for (long bucket = current + 1; ; ) {
            int place = (int) bucket & (RING - 1);
            long from = used[place / Long.SIZE] >>> place;
            if (from == 0) {
                bucket += Long.SIZE - place % Long.SIZE;
                continue;
            }
            bucket += Long.numberOfTrailingZeros(from);
            place = (int) bucket & (RING - 1);
            if (first[place] != END) {
                return bucket;
            }
            used[place / Long.SIZE] &= ~(1L << place);
        }
    }

    private long bucket(double cost) {
        return (long) (cost * bucketsOfUnit);
    }

    private void relax(int vertex, double cost, double maxCost) {
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
                }
            }
            index += last - begin;
        }
    }

    private void improve(int vertex, double cost) {
        long bucket = bucket(cost);
        if (next[vertex] != OUTSIDE) {
            if (bucket(costs[vertex]) == bucket) {
                costs[vertex] = cost;
                return;
            }
            takeOut(vertex);
        }
        costs[vertex] = cost;
        if (bucket <= current || bucket - current >= RING) {
            push(cost, vertex);
        } else {
            putIn(vertex, (int) bucket & (RING - 1));
        }
    }

    private void putIn(int vertex, int place) {
        int following = first[place];
        first[place] = vertex;
        next[vertex] = following;
        previous[vertex] = END;
        if (following != END) {
            previous[following] = vertex;
        }
        used[place / Long.SIZE] |= 1L << place;
        inRing++;
    }

    private void takeOut(int vertex) {
        int following = next[vertex];
        int before = previous[vertex];
        if (before == END) {
            first[(int) bucket(costs[vertex]) & (RING - 1)] = following;
        } else {
            next[before] = following;
        }
        if (following != END) {
            previous[following] = before;
        }
        next[vertex] = OUTSIDE;
        inRing--;
    }

    private void push(double cost, int vertex) {
        if (heapSize == heapCosts.length) {
            int length = (int) Math.min(Integer.MAX_VALUE - 8, 2L * heapSize);
            heapCosts = Arrays.copyOf(heapCosts, length);
            heapVertices = Arrays.copyOf(heapVertices, length);
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

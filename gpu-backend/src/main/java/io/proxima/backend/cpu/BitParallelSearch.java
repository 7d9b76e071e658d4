// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.Csc;
import io.proxima.projection.IntPages;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Breadth-first searches from up to 64 sources at once, one bit of a word each (MS-BFS [1]), with the threads working
 * together on every level.
 *
 * <p>In each level, either the frontier pushes or the vertices that a source has not reached pull, whichever has fewer
 * edges to read. A vertex stops pulling once all sources have reached it. The cost of a push level depends on its frontier
 * only.
 *
 * <p>Invariant "quiet words are zero": between levels {@code frontier[v]} is zero unless v is in the frontier, and
 * {@code next} is all zero.
 *
 * <p>[1] M. Then et al.: The More the Merrier: Efficient Multi-Source Graph Traversal, PVLDB 8(4), 2014.
 */
final class BitParallelSearch {

    /** The maximum number of sources of one search. */
    static final int WIDTH = 64;

    /** The cost of pushing along an edge, in units of the cost of pulling along it. */
    private static final long PUSH_COST = 3;

    private static final long PARALLEL_EDGES = 1 << 14;
    private static final int PUSH_GRAIN = 256;
    private static final int PULL_GRAIN = 1 << 12;
    private static final int LOCAL_QUEUE = 512;

    /** Steps that a visit counts for the stop checks: a visitor may work for each source, mostly in one cache line. */
    private static final int STEPS_OF_A_VISIT = 16;

    private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class);

    /** Receives the sources that newly reach a vertex. */
    interface Visitor {
        /**
         * Receives the sources that reach a vertex in this level, and in no earlier one. Called at most once for each vertex
         * and level, by any worker.
         *
         * @param worker the number of the worker that calls
         * @param vertex the vertex
         * @param sources bit s is set iff source s reaches the vertex in this level
         */
        void reached(int worker, int vertex, long sources);

        /** A level begins; called by the thread that runs the search, before any vertex of the level is reported. */
        default void levelBegins(int level) {}

        /** A level that reached something is complete; called by the thread that runs the search. */
        void levelDone(int level);
    }

    private final Csc out;
    private final Csc in;
    private final int concurrency;
    private final Stop stop;

    /** The stop checks of the calling thread. */
    private final PacedStop paced;

    private final long[] seen;
    private long[] frontier;
    private long[] next;
    private int[] queue;
    private int[] nextQueue;

    /**
     * Allocates the state of a search; it can run many times.
     *
     * @param out edges along which to search
     * @param in the same edges reversed; null for push levels only
     */
    BitParallelSearch(Csc out, Csc in, RunControl control) {
        this(out, in, control.concurrency(), control.stop());
    }

    BitParallelSearch(Csc out, Csc in, int concurrency, Stop stop) {
        this.out = out;
        this.in = in;
        this.concurrency = concurrency;
        this.stop = stop;
        paced = new PacedStop(stop);
        int vertexCount = out.vertexCount();
        seen = new long[vertexCount];
        frontier = new long[vertexCount];
        next = new long[vertexCount];
        queue = new int[vertexCount];
        nextQueue = new int[vertexCount];
    }

    /** Heap of the state. */
    static MemoryTree memory(long vertexCount) {
        return MemoryTree.exactly(
                "search state of " + WIDTH + " sources", (3 * Long.BYTES + 2 * Integer.BYTES) * vertexCount);
    }

    /**
     * Searches within the vertices from {@code low} to {@code high}, which no edge may leave.
     *
     * @param sources at most 64 vertices of the range, without repeats
     * @param first index in {@code sources} of the first to use
     * @param count how many to use
     * @param low the first vertex of the range
     * @param high the vertex after the range's last
     * @param maxDepth the last level to visit, {@link LoadedGraph#NO_MAX_DEPTH} for all
     * @param visitor receives the reached vertices
     * @return the deepest level that reached a vertex
     */
    int run(int[] sources, int first, int count, int low, int high, int maxDepth, Visitor visitor) {
        Arrays.fill(seen, low, high, count == WIDTH ? 0 : -1L << count);
        Arrays.fill(frontier, low, high, 0);
        Arrays.fill(next, low, high, 0);
        long[] pointers = out.columnPointers();
        long missingEdges = pointers[high] - pointers[low];
        long frontierEdges = 0;
        int size = 0;
        for (int s = 0; s < count; s++) {
            int source = sources[first + s];
            if (frontier[source] == 0) {
                queue[size++] = source;
            }
            frontier[source] |= 1L << s;
            seen[source] |= 1L << s;
            frontierEdges += out.degree(source);
        }
        int level = 0;
        int deepest = 0;
        boolean queued = true;
        while (frontierEdges > 0 && (maxDepth == LoadedGraph.NO_MAX_DEPTH || level < maxDepth)) {
            stop.check();
            level++;
            visitor.levelBegins(level);
            LevelResult result;
            if (in == null || frontierEdges * PUSH_COST <= missingEdges) {
                if (!queued) {
                    size = queueFromFrontier(low, high);
                }
                result = push(size, frontierEdges, visitor);
                for (int q = 0; q < size; q++) {
                    frontier[queue[q]] = 0;
                    paced.worked(1);
                }
                int[] swapped = queue;
                queue = nextQueue;
                nextQueue = swapped;
                queued = true;
                size = (int) result.reached;
            } else {
                result = pull(low, high, visitor);
                Arrays.fill(frontier, low, high, 0);
                queued = false;
            }
            long[] swapped = frontier;
            frontier = next;
            next = swapped;
            frontierEdges = result.edges;
            missingEdges -= result.completedEdges;
            if (result.reached > 0) {
                visitor.levelDone(level);
                deepest = level;
            }
        }
        return deepest;
    }

    private int queueFromFrontier(int low, int high) {
        int size = 0;
        for (int vertex = low; vertex < high; vertex++) {
            if (frontier[vertex] != 0) {
                queue[size++] = vertex;
            }
            paced.worked(1);
        }
        return size;
    }

    private LevelResult push(int size, long edges, Visitor visitor) {
        LevelResult result = new LevelResult();
        if (concurrency == 1 || edges < PARALLEL_EDGES) {
            int reached = pushAlone(size);
            settle(0, reached, 0, visitor, result, paced);
            result.reached = reached;
            return result;
        }
        AtomicInteger tail = new AtomicInteger();
        long[] from = frontier;
        long[] to = next;
        int[] target = nextQueue;
        Workers.forRanges(concurrency, size, PUSH_GRAIN, stop, (worker, begin, end) -> {
            int[] local = new int[LOCAL_QUEUE];
            int found = 0;
            IntPages rows = out.rowIndices();
            int mask = rows.pageMask();
            PacedStop pacedWorker = new PacedStop(stop);
            for (int q = (int) begin; q < end; q++) {
                int vertex = queue[q];
                long bits = from[vertex];
                long i = out.columnStart(vertex);
                long last = out.columnEnd(vertex);
                pacedWorker.worked(last - i);
                while (i < last) {
                    int[] page = rows.pageOf(i);
                    int pageFrom = (int) (i & mask);
                    int pageTo = (int) Math.min(page.length, pageFrom + (last - i));
                    for (int p = pageFrom; p < pageTo; p++) {
                        int neighbour = page[p];
                        long fresh = bits & ~seen[neighbour];
                        if (fresh != 0 && (to[neighbour] & fresh) != fresh) {
                            long before = (long) LONG.getAndBitwiseOr(to, neighbour, fresh);
                            if (before == 0) {
                                if (found == LOCAL_QUEUE) {
                                    System.arraycopy(local, 0, target, tail.getAndAdd(found), found);
                                    found = 0;
                                }
                                local[found++] = neighbour;
                            }
                        }
                    }
                    i += pageTo - pageFrom;
                }
            }
            System.arraycopy(local, 0, target, tail.getAndAdd(found), found);
        });
        int reached = tail.get();
        Workers.forRanges(
                reached < PULL_GRAIN ? 1 : concurrency,
                reached,
                PULL_GRAIN,
                stop,
                (worker, begin, end) -> settle((int) begin, (int) end, worker, visitor, result, new PacedStop(stop)));
        result.reached = reached;
        return result;
    }

    private int pushAlone(int size) {
        int reached = 0;
        long[] from = frontier;
        long[] to = next;
        int[] target = nextQueue;
        IntPages rows = out.rowIndices();
        int mask = rows.pageMask();
        for (int q = 0; q < size; q++) {
            int vertex = queue[q];
            long bits = from[vertex];
            long i = out.columnStart(vertex);
            long last = out.columnEnd(vertex);
            paced.worked(1 + last - i);
            while (i < last) {
                int[] page = rows.pageOf(i);
                int pageFrom = (int) (i & mask);
                int pageTo = (int) Math.min(page.length, pageFrom + (last - i));
                for (int p = pageFrom; p < pageTo; p++) {
                    int neighbour = page[p];
                    long fresh = bits & ~seen[neighbour];
                    if (fresh != 0) {
                        long before = to[neighbour];
                        if (before == 0) {
                            target[reached++] = neighbour;
                        }
                        to[neighbour] = before | fresh;
                    }
                }
                i += pageTo - pageFrom;
            }
        }
        return reached;
    }

    private void settle(int begin, int end, int worker, Visitor visitor, LevelResult result, PacedStop pacedWorker) {
        long edges = 0;
        long completedEdges = 0;
        for (int q = begin; q < end; q++) {
            int vertex = nextQueue[q];
            long fresh = next[vertex];
            long now = seen[vertex] | fresh;
            seen[vertex] = now;
            int degree = out.degree(vertex);
            edges += degree;
            if (now == -1) {
                completedEdges += degree;
            }
            visitor.reached(worker, vertex, fresh);
            pacedWorker.worked(STEPS_OF_A_VISIT);
        }
        result.add(0, edges, completedEdges);
    }

    private LevelResult pull(int low, int high, Visitor visitor) {
        LevelResult result = new LevelResult();
        Workers.forRanges(concurrency, high - low, PULL_GRAIN, stop, (worker, begin, end) -> {
            long reached = 0;
            long edges = 0;
            long completedEdges = 0;
            long[] from = frontier;
            IntPages rows = in.rowIndices();
            int mask = rows.pageMask();
            PacedStop pacedWorker = new PacedStop(stop);
            for (int vertex = low + (int) begin; vertex < low + end; vertex++) {
                long before = seen[vertex];
                if (before == -1) {
                    continue;
                }
                long now = before;
                long i = in.columnStart(vertex);
                long last = in.columnEnd(vertex);
                pacedWorker.worked(STEPS_OF_A_VISIT + last - i);
                while (i < last) {
                    int[] page = rows.pageOf(i);
                    int pageFrom = (int) (i & mask);
                    int pageTo = (int) Math.min(page.length, pageFrom + (last - i));
                    for (int p = pageFrom; p < pageTo && now != -1; p++) {
                        now |= from[page[p]];
                    }
                    if (now == -1) {
                        break;
                    }
                    i += pageTo - pageFrom;
                }
                long fresh = now & ~before;
                if (fresh != 0) {
                    seen[vertex] = now;
                    next[vertex] = fresh;
                    int degree = out.degree(vertex);
                    reached++;
                    edges += degree;
                    if (now == -1) {
                        completedEdges += degree;
                    }
                    visitor.reached(worker, vertex, fresh);
                }
            }
            result.add(reached, edges, completedEdges);
        });
        return result;
    }

    /** The counts of a level; workers add their shares. */
    private static final class LevelResult {
        private long reached;
        private long edges;
        private long completedEdges;

        synchronized void add(long reachedShare, long edgesShare, long completedShare) {
            reached += reachedShare;
            edges += edgesShare;
            completedEdges += completedShare;
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.BackendTask;
import io.proxima.backend.GraphShape;
import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.Workload;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.QueueAppender;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Direction-optimising breadth-first search [1] from one vertex or from several together.
 *
 * <p>Top-down levels walk a queue; bottom-up levels walk the unvisited vertices and ask whether one of their
 * in-neighbours is in the frontier. A level costs what its frontier costs: only a bottom-up level looks at all
 * vertices, and it is taken only when the frontier has more edges than a share of those left to look at. Levels with
 * little work run on the calling thread, so that a graph with tens of thousands of levels pays no thread hand-over in
 * each.
 *
 * <p>The levels found do not depend on the number of threads. The order within a level does.
 *
 * <p>[1] S. Beamer, K. Asanović, D. Patterson: Direction-Optimizing Breadth-First Search, SC 2012; alpha and beta as
 * there.
 */
final class BreadthFirstSearch {

    /** Top-down to bottom-up when the frontier's edges exceed the unexplored ones divided by this. */
    private static final long ALPHA = 15;

    /** Bottom-up to top-down when the frontier shrinks below the vertices divided by this. */
    private static final long BETA = 18;

    /** A level with fewer edges than this is done by the calling thread alone. */
    private static final long PARALLEL_EDGES = 1 << 14;

    /** Levels that there is room for at first. */
    private static final int FIRST_LEVELS = 16;

    private static final int TOP_DOWN_GRAIN = 128;

    /** Vertices of a bottom-up range; a multiple of 64, so that a bitmap word has one writer. */
    private static final int BOTTOM_UP_GRAIN = 1 << 13;

    /** With more stop targets, a level looks at its frontier instead, if that is smaller. */
    private static final int FEW_TARGETS = 64;

    private static final VarHandle INT = MethodHandles.arrayElementVarHandle(int[].class);

    private final Csc out;
    private final Csc in;
    private final int vertexCount;
    private final RunContext control;

    /** The calling thread's. */
    private final PacedStop paced;

    private final int[] levels;

    /** Visited vertices in the order of their levels, without those of bottom-up levels but the last of a row. */
    private final int[] queue;

    private int queueStart;
    private int queueEnd;
    private int[] frontierSizes = new int[FIRST_LEVELS];
    private int depth;
    private int reached;

    /**
     * Prepares a search.
     *
     * @param out edges along which to search
     * @param in the same edges reversed, or null: no bottom-up levels then
     */
    BreadthFirstSearch(Csc out, Csc in, RunContext control) {
        this.out = out;
        this.in = in;
        this.vertexCount = out.vertexCount();
        this.control = control;
        this.paced = new PacedStop(control.stop());
        this.levels = new int[vertexCount];
        this.queue = new int[vertexCount];
        Arrays.fill(levels, LoadedGraph.UNREACHED);
    }

    /**
     * The way of a search. It has bottom-up levels if the graph was searched before: for a single search, pushing takes
     * less time than building the reversed graph. The array of levels is part of the result.
     */
    static HostWay way(GraphShape graph, Workload work) {
        boolean bottomUp = graph.symmetric() || graph.searched();
        long vertices = graph.vertexCount();
        long bitmap = ((vertices + 63) >>> 6) * Long.BYTES;
        return HostWay.shared(
                bottomUp,
                MemoryTree.together(
                        "breadth-first search",
                        MemoryTree.exactly("queue", vertices * Integer.BYTES),
                        MemoryTree.between("frontier bitmaps", 0, bottomUp ? 2 * bitmap : 0),
                        MemoryTree.exactly("set of stop targets", work.targets() > FEW_TARGETS ? bitmap : 0),
                        MemoryTree.between(
                                "frontier sizes",
                                FIRST_LEVELS * Integer.BYTES,
                                Math.max(FIRST_LEVELS, work.deepest(graph.vertexCount()) + 1) * Integer.BYTES)));
    }

    /** Searches; to be called once. */
    void run(int[] sources, int maxDepth, int[] stopTargets) {
        control.progress().beginTask(BackendTask.BFS, vertexCount);
        long frontierEdges = 0;
        for (int source : sources) {
            levels[source] = 0;
            queue[queueEnd++] = source;
            frontierEdges += out.degree(source);
            paced.worked(1);
        }
        recordFrontier(sources.length);
        BitSet manyTargets = stopTargets.length > FEW_TARGETS ? setOf(stopTargets) : null;
        long unexplored = out.entryCount() - frontierEdges;
        Bitmaps bitmaps = null;
        while (frontierSizes[depth] > 0
                && (maxDepth == LoadedGraph.NO_MAX_DEPTH || depth < maxDepth)
                && !anyReached(stopTargets, manyTargets)) {
            control.stop().check();
            if (in != null && frontierEdges > unexplored / ALPHA && frontierEdges > PARALLEL_EDGES / ALPHA) {
                if (bitmaps == null) {
                    bitmaps = new Bitmaps(vertexCount);
                }
                bitmaps.setFrontier(queue, queueStart, queueEnd, paced);
                long before;
                long found = frontierSizes[depth];
                do {
                    before = found;
                    depth++;
                    found = bottomUp(bitmaps);
                    recordFrontier((int) found);
                    bitmaps.swap();
                    control.stop().check();
                } while (found > 0
                        && (found >= before || found > vertexCount / BETA)
                        && (maxDepth == LoadedGraph.NO_MAX_DEPTH || depth < maxDepth)
                        && !anyReached(stopTargets));
                appendToQueue(bitmaps.frontier);
                frontierEdges = edgesOfQueue();
            } else {
                depth++;
                frontierEdges = topDown(frontierEdges);
                recordFrontier(queueEnd - queueStart);
            }
            unexplored = Math.max(0, unexplored - frontierEdges);
        }
        if (depth > 0 && frontierSizes[depth] == 0) {
            depth--;
        }
        control.progress().advance(vertexCount - reached);
    }

    /** The level of each vertex. */
    int[] levels() {
        return levels;
    }

    /** The deepest level. */
    int depth() {
        return depth;
    }

    /** What was found. */
    Levels result() {
        return new Levels(levels, frontierSizes());
    }

    /** How many vertices lie in each level, from 0 to the deepest. */
    private long[] frontierSizes() {
        long[] sizes = new long[depth + 1];
        for (int level = 0; level <= depth; level++) {
            sizes[level] = frontierSizes[level];
            paced.worked(1);
        }
        return sizes;
    }

    private void recordFrontier(int size) {
        if (depth == frontierSizes.length) {
            // a level has a vertex at least
            frontierSizes = Arrays.copyOf(frontierSizes, (int) Math.min(depth * 2L, vertexCount + 1L));
        }
        frontierSizes[depth] = size;
        reached += size;
        control.progress().advance(size);
    }

    private BitSet setOf(int[] targets) {
        BitSet set = new BitSet(vertexCount);
        for (int target : targets) {
            set.set(target);
            paced.worked(1);
        }
        return set;
    }

    /**
     * Whether a target is in the frontier in the queue, so that all levels together look at each vertex once at most.
     */
    private boolean anyReached(int[] targets, BitSet manyTargets) {
        if (manyTargets == null || targets.length <= queueEnd - queueStart) {
            return anyReached(targets);
        }
        for (int q = queueStart; q < queueEnd; q++) {
            paced.worked(1);
            if (manyTargets.get(queue[q])) {
                return true;
            }
        }
        return false;
    }

    private boolean anyReached(int[] targets) {
        paced.worked(targets.length);
        for (int target : targets) {
            if (levels[target] != LoadedGraph.UNREACHED) {
                return true;
            }
        }
        return false;
    }

    /** Visits the neighbours of the frontier. Returns the number of their edges. */
    private long topDown(long frontierEdges) {
        int begin = queueStart;
        int end = queueEnd;
        queueStart = end;
        if (frontierEdges < PARALLEL_EDGES || control.concurrency() == 1) {
            QueueAppender found = new QueueAppender(queue, end);
            long edges = topDown(begin, end, found, paced);
            queueEnd = found.end();
            return edges;
        }
        AtomicInteger tail = new AtomicInteger(end);
        AtomicLong edges = new AtomicLong();
        Workers.forRanges(control.concurrency(), end - begin, TOP_DOWN_GRAIN, control.stop(), (worker, from, to) -> {
            QueueAppender found = new QueueAppender(queue, tail);
            edges.addAndGet(topDown(begin + (int) from, begin + (int) to, found, new PacedStop(control.stop())));
            found.flush();
        });
        queueEnd = tail.get();
        return edges.get();
    }

    private long topDown(int begin, int end, QueueAppender found, PacedStop pacedWorker) {
        int level = depth;
        boolean shared = found.isShared();
        long edges = 0;
        long[] pointers = out.columnPointers();
        IntPages rows = out.rowIndices();
        int mask = rows.pageMask();
        for (int q = begin; q < end; q++) {
            int vertex = queue[q];
            long from = pointers[vertex];
            long to = pointers[vertex + 1];
            pacedWorker.worked(1 + to - from);
            while (from < to) {
                int[] page = rows.pageOf(from);
                int first = (int) (from & mask);
                int last = (int) Math.min(page.length, first + (to - from));
                for (int i = first; i < last; i++) {
                    int neighbour = page[i];
                    if (levels[neighbour] < 0 && visit(neighbour, level, shared)) {
                        found.add(neighbour);
                        edges += pointers[neighbour + 1] - pointers[neighbour];
                    }
                }
                from += last - first;
            }
        }
        return edges;
    }

    /** Gives an unvisited vertex its level, unless another thread does. */
    private boolean visit(int vertex, int level, boolean shared) {
        if (shared) {
            return INT.compareAndSet(levels, vertex, LoadedGraph.UNREACHED, level);
        }
        levels[vertex] = level;
        return true;
    }

    private long bottomUp(Bitmaps bitmaps) {
        int level = depth;
        long[] frontier = bitmaps.frontier;
        long[] next = bitmaps.next;
        long[] pointers = in.columnPointers();
        IntPages rows = in.rowIndices();
        int mask = rows.pageMask();
        AtomicLong found = new AtomicLong();
        Workers.forRanges(control.concurrency(), vertexCount, BOTTOM_UP_GRAIN, control.stop(), (worker, from, to) -> {
            long count = 0;
            PacedStop pacedWorker = new PacedStop(control.stop());
            for (int word = (int) (from >>> 6), end = (int) ((to + 63) >>> 6); word < end; word++) {
                int first = word << 6;
                int last = (int) Math.min(to, first + 64L);
                pacedWorker.worked(pointers[last] - pointers[first]);
                long bits = 0;
                for (int vertex = first; vertex < last; vertex++) {
                    if (levels[vertex] < 0 && hasNeighbourIn(frontier, pointers, rows, mask, vertex)) {
                        levels[vertex] = level;
                        bits |= 1L << vertex;
                    }
                }
                next[word] = bits;
                count += Long.bitCount(bits);
            }
            found.addAndGet(count);
        });
        return found.get();
    }

    private static boolean hasNeighbourIn(long[] frontier, long[] pointers, IntPages rows, int mask, int vertex) {
        long from = pointers[vertex];
        long to = pointers[vertex + 1];
        while (from < to) {
            int[] page = rows.pageOf(from);
            int first = (int) (from & mask);
            int last = (int) Math.min(page.length, first + (to - from));
            for (int i = first; i < last; i++) {
                int neighbour = page[i];
                if ((frontier[neighbour >>> 6] & 1L << neighbour) != 0) {
                    return true;
                }
            }
            from += last - first;
        }
        return false;
    }

    private void appendToQueue(long[] bitmap) {
        int tail = queueEnd;
        for (int word = 0; word < bitmap.length; word++) {
            paced.worked(1);
            for (long bits = bitmap[word]; bits != 0; bits &= bits - 1) {
                queue[tail++] = (word << 6) + Long.numberOfTrailingZeros(bits);
            }
        }
        queueStart = queueEnd;
        queueEnd = tail;
    }

    private long edgesOfQueue() {
        long edges = 0;
        for (int q = queueStart; q < queueEnd; q++) {
            edges += out.degree(queue[q]);
            paced.worked(1);
        }
        return edges;
    }

    /** Frontier and next frontier, one bit a vertex. */
    private static final class Bitmaps {
        private long[] frontier;
        private long[] next;

        Bitmaps(int vertexCount) {
            int words = (int) ((vertexCount + 63L) >>> 6);
            frontier = new long[words];
            next = new long[words];
        }

        void setFrontier(int[] queue, int from, int to, PacedStop paced) {
            Arrays.fill(frontier, 0);
            for (int q = from; q < to; q++) {
                frontier[queue[q] >>> 6] |= 1L << queue[q];
                paced.worked(1);
            }
        }

        void swap() {
            long[] swapped = frontier;
            frontier = next;
            next = swapped;
        }
    }
}

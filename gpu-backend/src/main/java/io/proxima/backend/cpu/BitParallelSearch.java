// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.LoadedGraph;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.QueueAppender;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Breadth-first searches from many sources at once, one bit each in the words of a vertex (MS-BFS [1]). A subclass has
 * the loops over edges for its number of words.
 *
 * <p>In each level, either the frontier pushes or the vertices that a source has not reached pull, whichever has fewer
 * edges to read. A vertex stops pulling once all sources have reached it. The cost of a push level depends on its
 * frontier only.
 *
 * <p>Works on a range of vertices that no edge leaves; all state is relative to the range's first vertex.
 *
 * <p>A vertex is in the frontier if it is marked. If a vertex has one word, that word is its mark. Otherwise, the marks
 * are the bits of a bitmap, which fits the first cache levels, and the words of other vertices are stale. Between
 * levels no vertex is marked for the next one.
 *
 * <p>[1] M. Then et al.: The More the Merrier: Efficient Multi-Source Graph Traversal, PVLDB 8(4), 2014.
 */
abstract class BitParallelSearch {

    /** A level with fewer edges than this is pushed by the calling thread alone. */
    private static final long PARALLEL_EDGES = 1 << 14;

    private static final int PUSH_GRAIN = 256;
    private static final int PULL_GRAIN = 1 << 12;

    /** Steps that a visit counts for the stop checks: a visitor may work for each source, mostly in one cache line. */
    static final int STEPS_OF_A_VISIT = 16;

    /** Receives the sources that newly reach a vertex. */
    interface Visitor {
        /**
         * Receives the sources that reach a vertex in this level, and in no earlier one. Called at most once for each
         * vertex and level, by any worker.
         *
         * @param vertex the vertex
         * @param sources bits from element {@code base} on: bit s is set iff source s reaches the vertex in this level
         */
        void reached(int vertex, long[] sources, int base);

        /** A level begins; called by the thread that runs the search, before any vertex of the level is reported. */
        default void levelBegins(int level) {}

        /** A level that reached something is complete; called by the thread that runs the search. */
        void levelDone(int level);
    }

    final Csc out;
    final Csc in;
    private final int words;
    private final int concurrency;
    private final long pushCost;
    private final Stop stop;

    // each long[largestRange * words]: by vertex a bit for each source
    final long[] seen;
    long[] frontier;
    long[] next;

    /** {@link #frontier} itself, or a bitmap. */
    long[] marks;

    /** {@link #next} itself, or a bitmap. */
    long[] nextMarks;

    /** Log of the vertices whose marks share an element. */
    private final int markShift;

    // int[largestRange]: the vertices of the frontier first, in any order
    int[] queue;
    private int[] nextQueue;

    /** First vertex of the range. */
    int low;

    private int size;
    private long frontierEdges;
    private long missingEdges;

    /**
     * Allocates the state of a search; it can run many times.
     *
     * @param out edges along which to search
     * @param in the same edges reversed; null for push levels only
     * @param words words of a vertex
     * @param largestRange the most vertices that a range will have
     * @param pushCost the cost of pushing along an edge, in units of the cost of pulling along it
     */
    BitParallelSearch(Csc out, Csc in, int words, int largestRange, long pushCost, int concurrency, Stop stop) {
        this.out = out;
        this.in = in;
        this.words = words;
        this.pushCost = pushCost;
        this.concurrency = concurrency;
        this.stop = stop;
        seen = new long[largestRange * words];
        frontier = new long[largestRange * words];
        next = new long[largestRange * words];
        markShift = words == 1 ? 0 : 6;
        marks = words == 1 ? frontier : new long[marks(largestRange)];
        nextMarks = words == 1 ? next : new long[marks(largestRange)];
        queue = new int[largestRange];
        nextQueue = new int[largestRange];
    }

    /** Heap bytes of the state. */
    static long bytes(int words, long largestRange) {
        long bitmap = words == 1 ? 0 : ((largestRange + 63) >>> 6) * Long.BYTES;
        return (3L * words * Long.BYTES + 2L * Integer.BYTES) * largestRange + 2 * bitmap;
    }

    /** Elements of the marks of so many vertices. */
    private int marks(int range) {
        return (int) ((range + (1L << markShift) - 1) >>> markShift);
    }

    /**
     * Searches within a range of components.
     *
     * @param sources vertices of the range, ascending if it has several components, without repeats
     * @param first index in {@code sources} of the first to use
     * @param count how many to use, at most the bits of a vertex's words
     * @param components boundaries of the components, ascending: no edge leads from one to another
     * @param maxDepth the last level to visit, {@link LoadedGraph#NO_MAX_DEPTH} for all
     */
    final void run(int[] sources, int first, int count, int[] components, int maxDepth, Visitor visitor) {
        int high = components[components.length - 1];
        low = components[0];
        int range = high - low;
        PacedStop paced = new PacedStop(stop);
        Arrays.fill(marks, 0, marks(range), 0);
        int begun = 0;
        for (int c = 0; c + 1 < components.length; c++) {
            int from = begun;
            while (begun < count && sources[first + begun] < components[c + 1]) {
                begun++;
            }
            presetSeen(components[c], components[c + 1], from, components.length == 2 ? count : begun, paced);
        }
        // pulls read the edges to the vertices that are not complete
        missingEdges = in == null ? 0 : in.columnPointers()[high] - in.columnPointers()[low];
        frontierEdges = 0;
        size = 0;
        for (int s = 0; s < count; s++) {
            int v = sources[first + s] - low;
            queue[size++] = v;
            Arrays.fill(frontier, v * words, v * words + words, 0);
            frontier[v * words + (s >>> 6)] = 1L << s;
            seen[v * words + (s >>> 6)] |= 1L << s;
            marks[v >>> markShift] |= words == 1 ? 1L << s : 1L << v;
            frontierEdges += out.degree(low + v);
            paced.worked(1);
        }
        boolean queued = true;
        int level = 0;
        while (frontierEdges > 0 && (maxDepth == LoadedGraph.NO_MAX_DEPTH || level < maxDepth)) {
            stop.check();
            level++;
            visitor.levelBegins(level);
            if (in == null || frontierEdges * pushCost <= missingEdges) {
                if (!queued) {
                    queueFrontier(range, paced);
                }
                push(visitor, paced);
                queued = true;
            } else {
                pull(range, visitor);
                queued = false;
            }
            long[] swapped = frontier;
            frontier = next;
            next = swapped;
            swapped = marks;
            marks = nextMarks;
            nextMarks = swapped;
            if (size > 0) {
                visitor.levelDone(level);
            }
        }
    }

    /** Marks the vertices of a component as seen by all sources but those from firstBit to before lastBit. */
    private void presetSeen(int from, int to, int firstBit, int lastBit, PacedStop paced) {
        long[] row = new long[words];
        Arrays.fill(row, -1);
        for (int s = firstBit; s < lastBit; s++) {
            row[s >>> 6] &= ~(1L << s);
        }
        for (int base = (from - low) * words, end = (to - low) * words; base < end; base += words) {
            for (int j = 0; j < words; j++) {
                seen[base + j] = row[j];
            }
            paced.worked(1);
        }
    }

    private void queueFrontier(int range, PacedStop paced) {
        size = 0;
        for (int i = 0; i < marks(range); i++) {
            if (markShift == 0 && marks[i] != 0) {
                queue[size++] = i;
            }
            for (long bits = markShift == 0 ? 0 : marks[i]; bits != 0; bits &= bits - 1) {
                queue[size++] = (i << 6) + Long.numberOfTrailingZeros(bits);
            }
            paced.worked(1);
        }
    }

    private void push(Visitor visitor, PacedStop paced) {
        int pushing = size;
        int reached;
        if (concurrency == 1 || frontierEdges < PARALLEL_EDGES) {
            QueueAppender found = new QueueAppender(nextQueue, 0);
            push(0, pushing, found, paced);
            reached = found.end();
        } else {
            AtomicInteger tail = new AtomicInteger();
            Workers.forRanges(concurrency, pushing, PUSH_GRAIN, stop, (worker, begin, end) -> {
                QueueAppender found = new QueueAppender(nextQueue, tail);
                push((int) begin, (int) end, found, new PacedStop(stop));
                found.flush();
            });
            reached = tail.get();
        }
        startLevel();
        Workers.forRanges(
                reached < PULL_GRAIN ? 1 : concurrency,
                reached,
                PULL_GRAIN,
                stop,
                (worker, begin, end) -> settle((int) begin, (int) end, visitor));
        for (int q = 0; q < pushing; q++) {
            marks[queue[q] >>> markShift] = 0;
            paced.worked(1);
        }
        int[] swapped = queue;
        queue = nextQueue;
        nextQueue = swapped;
    }

    private void pull(int range, Visitor visitor) {
        startLevel();
        Workers.forRanges(
                concurrency,
                range,
                PULL_GRAIN,
                stop,
                (worker, begin, end) -> pull((int) begin, (int) end, visitor, new PacedStop(stop)));
        Arrays.fill(marks, 0, marks(range), 0);
    }

    private void startLevel() {
        size = 0;
        frontierEdges = 0;
    }

    /**
     * Pushes along the edges of queued vertices.
     *
     * @param found receives the vertices that come into the next frontier
     */
    abstract void push(int begin, int end, QueueAppender found, PacedStop paced);

    /** Pulls along the edges to vertices that a source has not reached, and reports them. */
    abstract void pull(int begin, int end, Visitor visitor, PacedStop paced);

    /** Adds the sources that newly reach a vertex to those seen. Returns whether these are all. */
    abstract boolean see(int v);

    private void settle(int begin, int end, Visitor visitor) {
        PacedStop paced = new PacedStop(stop);
        long edges = 0;
        long completedEdges = 0;
        for (int q = begin; q < end; q++) {
            int v = nextQueue[q];
            boolean complete = see(v);
            edges += out.degree(low + v);
            if (complete && in != null) {
                completedEdges += in.degree(low + v);
            }
            visitor.reached(low + v, next, v * words);
            paced.worked(STEPS_OF_A_VISIT);
        }
        add(end - begin, edges, completedEdges);
    }

    /** Adds a share of a level. */
    final synchronized void add(int reached, long edges, long completedEdges) {
        size += reached;
        frontierEdges += edges;
        missingEdges -= completedEdges;
    }
}

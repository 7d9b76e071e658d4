// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Weakly connected components by Afforest: Sutton, Ben-Nun, Barak, Optimizing Parallel Graph Connectivity Computation
 * via Subgraph Sampling, IPDPS 2018.
 *
 * <ol>
 *   <li>Every vertex is a tree of its own in a forest of parents.
 *   <li>Every vertex is linked with its first {@value #LINKED_FIRST} neighbours, after which the trees are compressed
 *       to stars.
 *   <li>A sample of the vertices finds the root of the largest component.
 *   <li>The vertices outside that component are linked with the rest of their neighbours. The vertices inside are
 *     skipped.
 *   <li>The trees are compressed.
 * </ol>
 *
 * A link hangs the higher of two roots under the lower one by compare-and-set. Therefore no parent is higher than its
 * child, and the root of a finished tree is the lowest vertex of its component, whatever the order of work. Unlike the
 * paper's, a link halves the paths that it climbs, or chains of links would make it quadratic. Unlike the
 * paper's rounds of one neighbour each, one round links the first neighbours, so that it reads their lists once.
 *
 * <p>A skipped vertex does not see its entries, so the other end must: skipping needs the lists of both directions. An
 * edge is then missed only if both of its ends were found in the largest component. Without the reverse lists, every
 * entry is read, because building them costs more than skipping saves.
 */
public final class Afforest {

    /** Neighbours with which each vertex is linked before the largest component is known, as in the paper. */
    private static final int LINKED_FIRST = 2;

    /** Sampled vertices, as in the paper. */
    private static final int SAMPLES = 1 << 10;

    /** The root to skip if there is none. */
    private static final int NONE = -1;

    private static final int VERTICES_AT_ONCE = 1 << 14;
    private static final int ENTRIES_AT_ONCE = 1 << 16;

    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

    private final int[] parents;
    private final int concurrency;
    private final Stop stop;

    private Afforest(int vertexCount, int concurrency, Stop stop) {
        this.parents = new int[vertexCount];
        this.concurrency = concurrency;
        this.stop = stop;
    }

    /**
     * Finds the components of a graph.
     *
     * @param progress advances by the number of entries of the graph
     * @return {@code int[vertexCount]}: the lowest vertex of each vertex's component
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static int[] of(Csc graph, int concurrency, Stop stop, Progress progress) {
        // a symmetric graph is its own reverse
        Csc reversed = graph.hasTransposed() ? graph.transposed(concurrency, stop) : null;
        Afforest forest = new Afforest(graph.vertexCount(), concurrency, stop);
        forest.plant();
        forest.linkFirst(graph);
        forest.compress();
        int skipped = reversed == null ? NONE : mostFrequent(forest.sample());
        forest.linkRest(graph, LINKED_FIRST, skipped, progress);
        if (reversed != null && reversed != graph) {
            forest.linkRest(reversed, 0, skipped, Progress.NONE);
        }
        forest.compress();
        return forest.parents;
    }

    private void plant() {
        Workers.forRanges(concurrency, parents.length, VERTICES_AT_ONCE, stop, (worker, from, to) -> {
            for (int vertex = (int) from; vertex < to; vertex++) {
                parents[vertex] = vertex;
            }
        });
    }

    private void linkFirst(Csc lists) {
        long[] pointers = lists.columnPointers();
        IntPages rows = lists.rowIndices();
        Workers.forRanges(concurrency, parents.length, VERTICES_AT_ONCE, stop, (worker, from, to) -> {
            for (int vertex = (int) from; vertex < to; vertex++) {
                long first = pointers[vertex];
                long end = Math.min(first + LINKED_FIRST, pointers[vertex + 1]);
                for (long entry = first; entry < end; entry++) {
                    link(vertex, rows.get(entry));
                }
            }
        });
    }

    /**
     * Links every vertex outside of a component with its neighbours.
     *
     * @param firstIndex the neighbours before this one are linked already
     * @param skipped the root of the component; {@link #NONE} to skip no vertex
     */
    private void linkRest(Csc lists, int firstIndex, int skipped, Progress progress) {
        long[] pointers = lists.columnPointers();
        IntPages rows = lists.rowIndices();
        // by entries rather than by vertices, so that all workers share a hub
        Workers.forRanges(concurrency, lists.entryCount(), ENTRIES_AT_ONCE, stop, (worker, from, to) -> {
            PacedStop paced = new PacedStop(stop);
            int vertex = lists.columnOf(from);
            while (vertex < parents.length && pointers[vertex] < to) {
                paced.worked(1);
                if (parent(vertex) != skipped) {
                    long first = Math.max(from, pointers[vertex] + firstIndex);
                    long end = Math.min(to, pointers[vertex + 1]);
                    for (long entry = first; entry < end; entry++) {
                        link(vertex, rows.get(entry));
                    }
                }
                vertex++;
            }
            progress.advance(to - from);
        });
    }

    private void link(int a, int b) {
        if (parent(a) == parent(b)) {
            return;
        }
        int one = root(a);
        int other = root(b);
        while (one != other) {
            int high = Math.max(one, other);
            int low = Math.min(one, other);
            if (INTS.compareAndSet(parents, high, high, low)) {
                return;
            }
            one = low;
            other = root(high);
        }
    }

    /** The root of a vertex's tree. Halves the path to it. */
    private int root(int vertex) {
        int at = vertex;
        int above = parent(at);
        while (above != at) {
            int next = parent(above);
            if (next != above) {
                // not a root, so no other thread links it
                INTS.setOpaque(parents, at, next);
            }
            at = above;
            above = next;
        }
        return at;
    }

    private int parent(int vertex) {
        return (int) INTS.getOpaque(parents, vertex);
    }

    private void compress() {
        compress(parents, concurrency, stop);
    }

    /** Makes every tree of a forest a star. */
    static void compress(int[] parents, int concurrency, Stop stop) {
        Workers.forRanges(concurrency, parents.length, VERTICES_AT_ONCE, stop, (worker, from, to) -> {
            for (int vertex = (int) from; vertex < to; vertex++) {
                // writes only its own vertex: a late write to another could replace the root that its worker has found
                int above = (int) INTS.getOpaque(parents, vertex);
                int next = (int) INTS.getOpaque(parents, above);
                while (next != above) {
                    INTS.setOpaque(parents, vertex, next);
                    above = next;
                    next = (int) INTS.getOpaque(parents, above);
                }
            }
        });
    }

    private int[] sample() {
        int[] sample = new int[Math.min(SAMPLES, parents.length)];
        for (int i = 0; i < sample.length; i++) {
            sample[i] = parents[(int) ((long) i * parents.length / sample.length)];
        }
        return sample;
    }

    /**
     * The most frequent root in a sample; {@link #NONE} for an empty one.
     *
     * @param sample sorted by this method
     */
    private static int mostFrequent(int[] sample) {
        Arrays.sort(sample);
        int best = NONE;
        int most = 0;
        int run = 0;
        for (int i = 0; i < sample.length; i++) {
            run = i > 0 && sample[i] == sample[i - 1] ? run + 1 : 1;
            if (run > most) {
                most = run;
                best = sample[i];
            }
        }
        return best;
    }
}

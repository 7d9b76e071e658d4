// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.BackendTask;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.GraphDepth;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The greatest distances of searches from a few sources, which do not pay for an order of the graph. In a shallow
 * graph, all threads work on one search from 64 sources. In a deep one, where the frontiers of the sources hardly
 * overlap, each thread searches from one source at a time.
 */
final class EccentricityRun {

    /** Sources that do not pay for an order. */
    private static final int FEW = 1 << 10;

    private static final VarHandle INT = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int[] NO_TARGETS = {};

    private EccentricityRun() {}

    static boolean isFew(int[] sources) {
        return sources.length <= FEW;
    }

    /** The most hops along the edges from each source: an entry for each. */
    static int[] ofSources(Csc graph, int[] sources, RunContext control) {
        int[] found = new int[sources.length];
        if (begins(graph, sources, control)) {
            searchAlone(graph, sources, control, (source, search) -> found[source] = search.depth());
            return found;
        }
        search(graph, sources, control, first -> new BitParallelSearch.Visitor() {
            private final AtomicLong reaching = new AtomicLong();

            @Override
            public void reached(int vertex, long[] bits, int base) {
                if ((bits[base] & ~reaching.getPlain()) != 0) {
                    reaching.accumulateAndGet(bits[base], (one, other) -> one | other);
                }
            }

            @Override
            public void levelDone(int level) {
                for (long rest = reaching.getAndSet(0); rest != 0; rest &= rest - 1) {
                    found[first + Long.numberOfTrailingZeros(rest)] = level;
                }
            }
        });
        return found;
    }

    /** The most hops along the edges to each vertex from a source: an entry for each vertex. */
    static int[] ofVertices(Csc graph, int[] sources, RunContext control) {
        int[] greatest = new int[graph.vertexCount()];
        if (begins(graph, sources, control)) {
            searchAlone(graph, sources, control, (source, search) -> {
                int[] levels = search.levels();
                PacedStop paced = new PacedStop(control.stop());
                for (int vertex = 0; vertex < levels.length; vertex++) {
                    raise(greatest, vertex, levels[vertex]);
                    paced.worked(1);
                }
            });
            return greatest;
        }
        search(graph, sources, control, first -> new BitParallelSearch.Visitor() {
            private int current;

            @Override
            public void levelBegins(int level) {
                current = level;
            }

            @Override
            public void reached(int vertex, long[] bits, int base) {
                raise(greatest, vertex, current);
            }

            @Override
            public void levelDone(int level) {}
        });
        return greatest;
    }

    /** Raises a value that other threads may raise, too. */
    private static void raise(int[] values, int index, int least) {
        int value = values[index];
        while (value < least && !INT.compareAndSet(values, index, value, least)) {
            value = values[index];
        }
    }

    /** Whether the graph is deep. */
    private static boolean begins(Csc graph, int[] sources, RunContext control) {
        control.progress().beginTask(BackendTask.MULTI_SOURCE_BFS, sources.length);
        return graph.depth(control.stop()) == GraphDepth.DEEP;
    }

    private interface Found {
        void accept(int source, BreadthFirstSearch search);
    }

    private static void searchAlone(Csc graph, int[] sources, RunContext control, Found found) {
        RunContext alone = new RunContext(1, control.stop(), Progress.NONE);
        Workers.forRanges(control.concurrency(), sources.length, 1, control.stop(), (worker, from, to) -> {
            BreadthFirstSearch search = new BreadthFirstSearch(graph, null, alone);
            search.run(new int[] {sources[(int) from]}, LoadedGraph.NO_MAX_DEPTH, NO_TARGETS);
            found.accept((int) from, search);
            control.progress().advance(1);
        });
    }

    private interface Visitors {
        BitParallelSearch.Visitor of(int first);
    }

    private static void search(Csc graph, int[] sources, RunContext control, Visitors visitors) {
        Csc reversed = graph.transposed(control.concurrency(), control.stop());
        int n = graph.vertexCount();
        BitParallelSearch search = new NarrowSearch(graph, reversed, n, control.concurrency(), control.stop());
        int[] all = {0, n};
        for (int first = 0; first < sources.length; first += NarrowSearch.WIDTH) {
            int count = Math.min(NarrowSearch.WIDTH, sources.length - first);
            search.run(sources, first, count, all, LoadedGraph.NO_MAX_DEPTH, visitors.of(first));
            control.progress().advance(count);
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.RunControl;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.centrality.BetweennessRun;
import io.proxima.backend.centrality.BetweennessSearches;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The searches of betweenness. Each thread searches for itself, from several sources at once.
 *
 * <p>Invariant "equal for every number of threads": sources are assigned to groups, and groups to sums, by their order
 * alone. The scores of a group are summed by one thread, and added to the result in the order of the groups.
 */
final class BrandesRun {

    /** Share of the heap that the state of the searches may take: one in this many. */
    private static final long HEAP_SHARE = 3;

    /** Sources of a group, if there are enough of them for {@link #GROUPS} groups. */
    private static final int MOST_OF_GROUP = 16 * LaneRows.LANES;

    private static final int GROUPS = 64;

    private static final long PAUSE_NANOS = 20_000;

    private final BetweennessSearches searches;
    private final RunControl control;
    private final boolean wide;
    private final int threads;
    private final double[] scores;

    /** The number of groups whose scores have been added; whose turn it is, writes {@link #scores}. */
    private final AtomicInteger added = new AtomicInteger();

    private BrandesRun(BetweennessSearches searches, int vertexCount, RunControl control) {
        this.searches = searches;
        this.control = control;
        wide = searchesWide(vertexCount);
        threads = threads(vertexCount, control.concurrency());
        scores = new double[searches.slotCount()];
    }

    /**
     * The {@link BetweennessRun.Engine} of the CPU.
     *
     * @param vertexCount of the graph. It decides the width and the number of threads, because an estimate does not
     *     know the largest component
     */
    static double[] run(BetweennessSearches searches, int vertexCount, RunControl control) {
        BrandesRun run = new BrandesRun(searches, vertexCount, control);
        run.search();
        return run.scores;
    }

    /** Whether the state of one thread that searches from several sources at once fits in its share of the heap. */
    private static boolean searchesWide(long vertexCount) {
        return BrandesSearch.fits(vertexCount) && BrandesSearch.bytes(vertexCount, true) <= shareOfHeap();
    }

    /** The number of threads whose state fits in the share of the heap, at least one. */
    private static int threads(long vertexCount, int concurrency) {
        long bytes = BrandesSearch.bytes(vertexCount, searchesWide(vertexCount));
        return (int) Math.max(1, Math.min(concurrency, shareOfHeap() / Math.max(1, bytes)));
    }

    private static long shareOfHeap() {
        return Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    }

    /** Heap of the steps of {@link BetweennessRun#run} with these searches, without the scores. */
    static MemoryTree[] memory(GraphShape graph, int concurrency) {
        int vertices = graph.vertexCount();
        long state = BrandesSearch.bytes(BetweennessSearches.mostSlots(vertices, vertices), searchesWide(vertices))
                + BrandesSearch.deepBytes(vertices);
        int threads = threads(vertices, concurrency);
        return BetweennessRun.memory(
                graph,
                concurrency,
                MemoryTree.between("search state of a thread", 0, state)
                        .times(threads)
                        .named("search state of " + threads + " threads"));
    }

    private void search() {
        BetweennessSearches.Groups groups = searches.groups(sourcesOfGroup());
        int largestRange = searches.largestRange();
        Workers.run(threads, control.stop(), (worker, stop) -> {
            BrandesSearch search = null;
            BetweennessSearches.Group group;
            while ((group = groups.next()) != null) {
                if (search == null) {
                    search = new BrandesSearch(
                            searches.out(), searches.in(), searches.weights(), largestRange, wide, stop);
                }
                search.enter(group.low(), group.high());
                for (int first = group.first(); first < group.end(); first += search.lanes()) {
                    int count = Math.min(search.lanes(), group.end() - first);
                    search.run(searches.sources(), first, count, searches.multiplicities());
                    control.progress().advance(count);
                }
                add(search, group.number(), stop);
            }
        });
    }

    private int sourcesOfGroup() {
        int sources = searches.sources().length;
        return Math.max(LaneRows.LANES, Math.min(MOST_OF_GROUP, sources / GROUPS / LaneRows.LANES * LaneRows.LANES));
    }

    /** Adds the scores of a group as soon as those before it have been added. */
    private void add(BrandesSearch search, int group, Stop stop) {
        while (added.get() < group) {
            stop.check();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        search.takeScores(scores);
        added.set(group + 1);
    }
}

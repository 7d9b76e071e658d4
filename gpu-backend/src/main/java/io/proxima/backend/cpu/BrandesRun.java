// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.GraphShape;
import io.proxima.backend.RunContext;
import io.proxima.backend.Workload;
import io.proxima.backend.centrality.BetweennessRun;
import io.proxima.backend.centrality.BetweennessSearches;
import io.proxima.concurrent.Turns;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import java.util.List;

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

    private final BetweennessSearches searches;
    private final RunContext control;
    private final HostWay way;
    private final double[] scores;

    /** Whose turn it is, writes {@link #scores}. */
    private final Turns turns = new Turns();

    private BrandesRun(BetweennessSearches searches, HostWay way, RunContext control) {
        this.searches = searches;
        this.way = way;
        this.control = control;
        scores = new double[searches.slotCount()];
    }

    /** The {@link BetweennessRun.Engine} of the CPU. */
    static double[] run(BetweennessSearches searches, HostWay way, RunContext control) {
        BrandesRun run = new BrandesRun(searches, way, control);
        run.search();
        return run.scores;
    }

    /**
     * The way of {@link BetweennessRun#run} with these searches. They are wide if the state of one thread fits in the
     * share of the heap. There are as many threads as the share holds, at least one, and no more than sources. All
     * vertices count, because an estimate does not know the largest component.
     */
    static HostWay way(GraphShape graph, Workload work, int concurrency) {
        int vertices = graph.vertexCount();
        long share = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
        boolean wide = BrandesSearch.fits(vertices) && BrandesSearch.bytes(vertices, true) <= share;
        long state = BrandesSearch.bytes(vertices, wide);
        int most = Math.min(concurrency, work.sources());
        int threads = (int) Math.max(1, Math.min(most, share / Math.max(1, state)));
        MemoryTree search = MemoryTree.between("search state of a thread", 0, state + BrandesSearch.deepBytes(vertices))
                .times(threads)
                .named("search state of " + threads + " threads");
        return new HostWay(threads, wide, true, List.of(BetweennessRun.memory(graph, concurrency, search)));
    }

    private void search() {
        BetweennessSearches.Groups groups = searches.groups(sourcesOfGroup());
        int largestRange = searches.largestRange();
        Workers.run(way.searches(), control.stop(), (worker, stop) -> {
            BrandesSearch search = null;
            BetweennessSearches.Group group;
            while ((group = groups.next()) != null) {
                if (search == null) {
                    search = new BrandesSearch(
                            searches.out(), searches.in(), searches.weights(), largestRange, way.wide(), stop);
                }
                BrandesSearch each = search;
                search.enter(group.low(), group.high());
                for (int first = group.first(); first < group.end(); first += search.lanes()) {
                    int count = Math.min(search.lanes(), group.end() - first);
                    search.run(searches.sources(), first, count, searches.multiplicities());
                    control.progress().advance(count);
                }
                turns.take(group.number(), stop, () -> each.takeScores(scores));
            }
        });
    }

    private int sourcesOfGroup() {
        int sources = searches.sources().length;
        return Math.max(LaneRows.LANES, Math.min(MOST_OF_GROUP, sources / GROUPS / LaneRows.LANES * LaneRows.LANES));
    }
}

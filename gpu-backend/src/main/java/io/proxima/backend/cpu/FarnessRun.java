// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.BackendTask;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.GraphShape;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.Workload;
import io.proxima.backend.centrality.BetweennessRun;
import io.proxima.backend.centrality.HangingTrees;
import io.proxima.backend.centrality.SearchOrder;
import io.proxima.backend.centrality.TwinSources;
import io.proxima.backend.cpu.SourceBatches.Batch;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Task;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Farness of all or of chosen vertices: a search from each of them, many at once, against the direction of the edges. A
 * search from v finds the vertices that reach v, with their distances to v. The sums of a batch of sources are
 * therefore final when its search ends, and no two threads add to the same sum.
 *
 * <p>Each thread searches for itself, from 512 sources at once. In a deep graph, where the frontiers of the sources
 * hardly overlap, most of the wide words would be empty, so a search has 64 sources.
 *
 * @param weights the number of vertices that each slot counts for; null for one each
 * @param heights the depth of the trees of each slot, for eccentricities; null if they are not wanted
 * @param sums by row, see {@link SourceBatches#row}; without what hanging trees add
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FarnessRun(
        Csc out,
        Csc in,
        SearchOrder order,
        SourceBatches sources,
        int threads,
        boolean wide,
        int[] weights,
        int[] heights,
        Farness sums,
        RunContext control) {

    /** Share of the heap that the state of the wide searches may take: one in this many. */
    private static final long HEAP_SHARE = 3;

    /** Narrow searches whose state takes no more than that of a wide one. */
    private static final int NARROW_OF_WIDE = 6;

    /**
     * Runs. For chosen vertices, the searches include hanging trees: the sums of a vertex in a tree would need those of
     * vertices that are not chosen.
     *
     * @param graph edges j to i; vertex id space
     * @param chosen vertices without repeats, in the order of the result; null for all
     * @param measures what is wanted beside the sums
     */
    static Farness run(Csc graph, int[] chosen, Set<DistanceMeasure> measures, HostWay way, RunContext control) {
        if (chosen != null && !isWorthOrdering(chosen.length)) {
            return MultiSourceRun.farness(graph, chosen, measures, control);
        }
        Stop stop = control.stop();
        int concurrency = control.concurrency();
        control.progress().beginTask(BackendTask.ORDER_VERTICES, 0);
        Csc reversed = graph.transposed(concurrency, stop);
        boolean high = measures.contains(DistanceMeasure.ECCENTRICITY);
        HangingTrees trees = chosen == null && cutsTrees(graph.isSymmetric(), measures)
                ? HangingTrees.of(graph, measures, stop)
                : null;
        SearchOrder order = SearchOrder.of(reversed, graph, trees, concurrency, stop);
        Csc out = order.apply(reversed, concurrency, stop);
        Csc in = graph.isSymmetric() ? out : order.apply(graph, concurrency, stop);
        boolean wide = !order.isDeep() && way.wide();
        int widest = wide ? WideSearch.WIDTH : NarrowSearch.WIDTH;
        int[] weights = trees == null ? null : order.bySlot(trees::weight, stop);
        Twins twins =
                chosen == null && mergesTwins(graph.isSymmetric(), measures) ? Twins.of(out, weights, stop) : null;
        SourceBatches sources;
        if (chosen != null) {
            sources = SourceBatches.of(order, chosen, widest, concurrency, stop);
        } else if (twins != null) {
            sources = SourceBatches.ofSlots(order, twins.sources(stop), widest, stop);
        } else {
            sources = SourceBatches.ofAll(order, widest);
        }
        Farness sums = Farness.zeros(chosen == null ? graph.vertexCount() : chosen.length, measures);
        new FarnessRun(
                        out,
                        in,
                        order,
                        sources,
                        wide == way.wide() ? way.searches() : Math.min(concurrency, NARROW_OF_WIDE * way.searches()),
                        wide,
                        weights,
                        trees == null || !high ? null : order.bySlot(trees::height, stop),
                        sums,
                        control)
                .search(chosen == null ? BackendTask.FARNESS : BackendTask.FARNESS_OF_SOURCES);
        stop.check();
        if (twins != null) {
            twins.copy(sums, order, stop);
        }
        if (trees != null) {
            trees.complete(sums, order::componentOf, stop);
        }
        return sums;
    }

    private static boolean cutsTrees(boolean symmetric, Set<DistanceMeasure> measures) {
        return symmetric && !measures.contains(DistanceMeasure.HARMONIC);
    }

    /** Whether a vertex is searched from for all of its twins. Their trees may be of different heights. */
    private static boolean mergesTwins(boolean symmetric, Set<DistanceMeasure> measures) {
        return symmetric
                && !measures.contains(DistanceMeasure.ECCENTRICITY)
                && !measures.contains(DistanceMeasure.HOPS);
    }

    /**
     * Slots that have the same sums.
     *
     * @param multiplicities by slot: how many have the sums of a search from it; 0 for those that have another's
     * @param twins by slot of the latter: the one that is searched from
     */
    private record Twins(int[] multiplicities, int[] twins) {

        static Twins of(Csc graph, int[] weights, Stop stop) {
            int[] multiplicities = new int[graph.vertexCount()];
            Arrays.fill(multiplicities, 1);
            return new Twins(multiplicities, TwinSources.merge(graph, weights, multiplicities, stop));
        }

        /** Heap of the arrays and of the sources. */
        static MemoryTree memory(long vertexCount) {
            return MemoryTree.between("twins by slot", 0, 3 * Integer.BYTES * vertexCount);
        }

        int[] sources(Stop stop) {
            return BetweennessRun.sourceSlots(multiplicities, stop);
        }

        void copy(Farness sums, SearchOrder order, Stop stop) {
            PacedStop paced = new PacedStop(stop);
            for (int slot = 0; slot < twins.length; slot++) {
                paced.worked(1);
                if (multiplicities[slot] == 0) {
                    sums.copySums(
                            order.permutation().vertex(twins[slot]),
                            order.permutation().vertex(slot));
                }
            }
        }
    }

    /** Whether this number of sources pays for an order of the graph that makes searches faster. */
    private static boolean isWorthOrdering(int sources) {
        return sources > NarrowSearch.WIDTH;
    }

    /**
     * The way of {@link #run}. The searches are wide if their state fits in its share of the heap for a connected
     * graph, because an estimate does not know the largest component. The maximum is that of a connected graph without
     * hanging trees. In other graphs less is searched, and nothing in a graph without edges.
     */
    static HostWay way(GraphShape graph, Workload work, int concurrency) {
        boolean all = work.operation() == Operation.FARNESS;
        if (!all && !isWorthOrdering(work.sources())) {
            return MultiSourceRun.way(graph, work, concurrency);
        }
        int vertices = graph.vertexCount();
        boolean symmetric = graph.symmetric();
        boolean cutsTrees = all && cutsTrees(symmetric, work.measures());
        boolean high = cutsTrees && work.wants(DistanceMeasure.ECCENTRICITY);
        boolean mergesTwins = all && mergesTwins(symmetric, work.measures());
        boolean wide = WideSearch.fits(vertices)
                && BitParallelSearch.bytes(WideSearch.WORDS, vertices) * concurrency
                        <= Runtime.getRuntime().maxMemory() / HEAP_SHARE;
        int words = wide ? WideSearch.WORDS : 1;
        int width = words * Long.SIZE;
        // small components have batches of chosen sources of their own
        int batches = all ? (int) (((long) vertices + width - 1) / width) : work.sources();
        int searches = Math.min(concurrency, batches);
        long state = LevelCounter.bytes(words) + BitParallelSearch.bytes(words, Math.max(vertices, width));
        MemoryTree none = MemoryTree.NONE;
        MemoryTree trees = cutsTrees ? HangingTrees.memory(vertices, high) : none;
        MemoryTree search = MemoryTree.together(
                "search from all nodes",
                trees,
                SearchOrder.memory(vertices),
                SearchOrder.orderedMemory(graph).times(symmetric ? 1 : 2),
                mergesTwins ? Twins.memory(vertices) : none,
                // the less, the fewer vertices stay
                MemoryTree.between(
                        "hanging trees by slot",
                        0,
                        (long) vertices * ((cutsTrees ? Integer.BYTES : 0) + (high ? Integer.BYTES : 0))),
                MemoryTree.between("search state of a thread", 0, state)
                        .times(searches)
                        .named("search state of " + searches + " threads"));
        return new HostWay(
                searches,
                wide,
                true,
                List.of(
                        MemoryTree.oneByOne(
                                "find order",
                                MemoryTree.together(
                                        "find hanging trees",
                                        trees,
                                        cutsTrees ? HangingTrees.makingMemory(vertices) : none),
                                MemoryTree.together("find order", trees, SearchOrder.makingMemory(graph, concurrency))),
                        SearchOrder.applyingMemory(graph, trees, concurrency),
                        mergesTwins
                                ? MemoryTree.together(
                                        "find twins",
                                        trees,
                                        SearchOrder.memory(vertices),
                                        SearchOrder.orderedMemory(graph),
                                        MemoryTree.between("hanging trees by slot", 0, (long) vertices * Integer.BYTES),
                                        MemoryTree.between("twins by slot", 0, (long) vertices * Integer.BYTES),
                                        MemoryTree.between(
                                                "finding twins",
                                                0,
                                                TwinSources.memory(vertices).maxBytes()))
                                : none,
                        all
                                ? search
                                : MemoryTree.together(
                                        search.name(),
                                        search,
                                        MemoryTree.between("chosen nodes", 0, SourceBatches.bytes(work.sources())))));
    }

    private void search(Task task) {
        control.progress().beginTask(task, sources.count());
        if (sources.count() == 0) {
            return;
        }
        Workers.run(threads, control.stop(), (worker, stop) -> {
            int words = wide ? WideSearch.WORDS : 1;
            LevelCounter counter = new LevelCounter(words, sources, weights, heights, sums, stop);
            BitParallelSearch search = null;
            int[] slots = new int[words * Long.SIZE];
            Batch batch;
            while ((batch = sources.next()) != null) {
                int[] components = new int[batch.endComponent() - batch.firstComponent() + 1];
                for (int c = 0; c < components.length; c++) {
                    components[c] = order.componentStart(batch.firstComponent() + c);
                }
                if (search == null) {
                    // components come by descending size, so that the first takes as much as any after it
                    int range = Math.max(slots.length, components[components.length - 1] - components[0]);
                    search = wide ? new WideSearch(out, in, range, stop) : new NarrowSearch(out, in, range, 1, stop);
                }
                for (int s = 0; s < batch.count(); s++) {
                    slots[s] = sources.slot(batch.first() + s);
                }
                counter.begin(batch.first());
                search.run(slots, 0, batch.count(), components, LoadedGraph.NO_MAX_DEPTH, counter);
                control.progress().advance(batch.count());
            }
        });
    }
}

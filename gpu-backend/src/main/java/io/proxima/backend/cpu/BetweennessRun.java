/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend.cpu;

import io.proxima.backend.RunControl;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.task.BackendTask;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.Csc;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Betweenness of all vertices. Each thread searches for itself, from several sources at once.
 *
 * <p>Hanging trees of a symmetric graph are left out of the searches ({@link TreeFringe}). A vertex that stays counts as
 * many sources and targets as it stands for. The pairs that are separated within a tree are counted by their numbers:
 * removing a vertex of a tree leaves parts of known sizes. Sources with the same neighbours share a search ({@link
 * TwinSources}).
 *
 * <p>Invariant "equal for every number of threads": sources are assigned to groups, and groups to sums, by their order
 * alone. The scores of a group are summed by one thread, and added to the result in the order of the groups.
 */
final class BetweennessRun {

    /** Share of the heap that the state of the searches may take: one in this many. */
    private static final long HEAP_SHARE = 3;

    /** Components are searched together until a range has this many slots. */
    private static final int LEAST_RANGE = 1 << 10;

    /** Sources of a group, if there are enough of them for {@link #GROUPS} groups. */
    private static final int MOST_OF_GROUP = 16 * BrandesSearch.LANES;

    private static final int GROUPS = 64;

    private static final long PAUSE_NANOS = 20_000;

    private final Csc out;
    private final Csc in;
    private final SearchOrder order;
    private final int[] weights;
    private final RunControl control;
    private final int largestRange;
    private final boolean wide;

    /** Slots, ascending. */
    private final int[] sources;

    /** How many sources each slot stands for, without hanging trees null. */
    private final int[] multiplicities;

    private final double[] scoresBySlot;

    /** The number of groups whose scores have been added; whose turn it is, writes {@link #scoresBySlot}. */
    private final AtomicInteger added = new AtomicInteger();

    private BetweennessRun(
            Csc out,
            Csc in,
            SearchOrder order,
            int[] weights,
            int[] sources,
            int[] multiplicities,
            RunControl control) {
        this.out = out;
        this.in = in;
        this.order = order;
        this.weights = weights;
        this.sources = sources;
        this.multiplicities = multiplicities;
        this.control = control;
        largestRange = mostSlots(order.slotCount(), order.largestComponent());
        wide = searchesWide(largestRange);
        scoresBySlot = new double[order.slotCount()];
    }

    /**
     * Runs.
     *
     * @param graph vertex id space
     * @param sources vertices, without repeats; null for all
     * @return {@code double[vertexCount]}: for each vertex the sum of the dependencies of all sources on it
     */
    static double[] run(Csc graph, int[] sources, RunControl control) {
        Stop stop = control.stop();
        int concurrency = control.concurrency();
        control.progress().beginTask(BackendTask.ORDER_VERTICES, 0);
        Csc reversed = graph.transposed(concurrency, stop);
        TreeFringe fringe = graph.isSymmetric() ? TreeFringe.of(graph, stop) : null;
        SearchOrder order = SearchOrder.of(graph, reversed, fringe, stop);
        Csc out = order.apply(graph, concurrency, stop);
        Csc in = graph.isSymmetric() ? out : order.apply(reversed, concurrency, stop);
        int[] ofSources = sourceCounts(graph.vertexCount(), sources, fringe, stop);
        int[] bySlot = order.bySlot(vertex -> ofSources[vertex], stop);
        int[] weights = null;
        if (fringe != null) {
            weights = order.bySlot(fringe::weight, stop);
            TwinSources.merge(out, weights, bySlot, stop);
        }
        BetweennessRun run = new BetweennessRun(
                out, in, order, weights, sourceSlots(bySlot, stop), fringe == null ? null : bySlot, control);
        run.search();
        double[] scores = run.scores(graph.vertexCount());
        if (fringe != null) {
            new TreePairs(fringe, order, ofSources, stop).addTo(scores);
        }
        return scores;
    }

    /** The sources that each vertex stands for: itself, and those that hang from it. */
    private static int[] sourceCounts(int vertexCount, int[] sources, TreeFringe fringe, Stop stop) {
        int[] counts = new int[vertexCount];
        PacedStop paced = new PacedStop(stop);
        if (sources == null) {
            Arrays.fill(counts, 1);
        } else {
            for (int source : sources) {
                counts[source] = 1;
                paced.worked(1);
            }
        }
        if (fringe != null) {
            for (int i = 0; i < fringe.takenAwayCount(); i++) {
                int vertex = fringe.takenAway(i);
                counts[fringe.parent(vertex)] += counts[vertex];
                paced.worked(1);
            }
        }
        return counts;
    }

    private static int[] sourceSlots(int[] counts, Stop stop) {
        int[] slots = new int[counts.length];
        int found = 0;
        PacedStop paced = new PacedStop(stop);
        for (int slot = 0; slot < counts.length; slot++) {
            if (counts[slot] > 0) {
                slots[found++] = slot;
            }
            paced.worked(1);
        }
        return found == slots.length ? slots : Arrays.copyOf(slots, found);
    }

    private static int mostSlots(int slotCount, int largestComponent) {
        return Math.min(slotCount, Math.max(largestComponent, 2 * LEAST_RANGE));
    }

    /** Whether the state of one thread that searches from several sources at once fits in its share of the heap. */
    private static boolean searchesWide(long range) {
        return BrandesSearch.fits(range) && BrandesSearch.bytes(range, true) <= shareOfHeap();
    }

    /** The number of threads whose state fits in the share of the heap, at least one. */
    private static int threads(long range, int concurrency) {
        long bytes = BrandesSearch.bytes(range, searchesWide(range));
        return (int) Math.max(1, Math.min(concurrency, shareOfHeap() / Math.max(1, bytes)));
    }

    private static long shareOfHeap() {
        return Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    }

    /** Heap of the run's steps, without the scores. The most is that of a connected graph without hanging trees. */
    static MemoryTree[] memory(GraphShape graph, int concurrency) {
        int vertices = graph.vertexCount();
        boolean symmetric = graph.symmetric();
        MemoryTree none = MemoryTree.NONE;
        long ints = (long) vertices * Integer.BYTES;
        MemoryTree trees = symmetric ? TreeFringe.memory(vertices) : none;
        MemoryTree order = SearchOrder.memory(vertices);
        MemoryTree ordered = SearchOrder.orderedMemory(graph);
        MemoryTree sources = MemoryTree.exactly("sources by node", ints);
        long state = BrandesSearch.bytes(mostSlots(vertices, vertices), searchesWide(vertices))
                + BrandesSearch.deepBytes(vertices);
        int threads = threads(vertices, concurrency);
        return new MemoryTree[] {
            MemoryTree.together("find hanging trees", trees, symmetric ? TreeFringe.makingMemory(vertices) : none),
            MemoryTree.together("find order", trees, SearchOrder.makingMemory(vertices)),
            SearchOrder.applyingMemory(graph, trees, concurrency),
            MemoryTree.together(
                    "find twins",
                    trees,
                    order,
                    ordered.times(symmetric ? 1 : 2),
                    sources,
                    MemoryTree.between("sources by slot", 0, (symmetric ? 2 : 1) * ints),
                    symmetric ? TwinSources.memory(vertices) : none),
            MemoryTree.together(
                    "search from all sources",
                    trees,
                    order,
                    ordered.times(symmetric ? 1 : 2),
                    sources,
                    // sources, their numbers, the weights, and an array of sources that is cut
                    MemoryTree.between("sources by slot", 0, (symmetric ? 4 : 3) * ints),
                    MemoryTree.between("scores by slot", 0, (long) vertices * Double.BYTES),
                    MemoryTree.between("search state of a thread", 0, state)
                            .times(threads)
                            .named("search state of " + threads + " threads")),
            MemoryTree.together(
                    "count pairs of hanging trees",
                    trees,
                    order,
                    sources,
                    symmetric ? TreePairs.memory(vertices) : none)
        };
    }

    private void search() {
        control.progress().beginTask(BackendTask.BETWEENNESS, sources.length);
        GroupQueue groups = new GroupQueue();
        Workers.run(threads(largestRange, control.concurrency()), control.stop(), (worker, stop) -> {
            BrandesSearch search = null;
            Group group;
            while ((group = groups.next()) != null) {
                if (search == null) {
                    search = new BrandesSearch(out, in, weights, largestRange, wide, stop);
                }
                search.enter(group.low, group.high);
                for (int first = group.first; first < group.end; first += search.lanes()) {
                    int count = Math.min(search.lanes(), group.end - first);
                    search.run(sources, first, count, multiplicities);
                    control.progress().advance(count);
                }
                add(search, group.number, stop);
            }
        });
    }

    /** Adds the scores of a group as soon as those before it have been added. */
    private void add(BrandesSearch search, int group, Stop stop) {
        while (added.get() < group) {
            stop.check();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        search.takeScores(scoresBySlot);
        added.set(group + 1);
    }

    private double[] scores(int vertexCount) {
        double[] scores = new double[vertexCount];
        PacedStop paced = new PacedStop(control.stop());
        for (int slot = 0; slot < scoresBySlot.length; slot++) {
            scores[order.permutation().vertex(slot)] = scoresBySlot[slot];
            paced.worked(1);
        }
        return scores;
    }

    /** Sources {@code first} to {@code end - 1}, all of them in one range of slots. */
    private record Group(int number, int low, int high, int first, int end) {}

    /** Hands out the groups in their order. */
    private final class GroupQueue {
        private final int size = Math.max(
                BrandesSearch.LANES,
                Math.min(MOST_OF_GROUP, sources.length / GROUPS / BrandesSearch.LANES * BrandesSearch.LANES));
        private int number;
        private int next;
        private int component;
        private int low;
        private int high;

        synchronized Group next() {
            if (next == sources.length) {
                return null;
            }
            while (sources[next] >= high) {
                enterRange();
            }
            int first = next;
            while (next < sources.length && next < first + size && sources[next] < high) {
                next++;
            }
            return new Group(number++, low, high, first, next);
        }

        private void enterRange() {
            low = high;
            do {
                component++;
                high = order.componentStart(component);
            } while (component < order.componentCount() && high - low < LEAST_RANGE);
        }
    }
}

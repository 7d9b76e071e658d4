// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.BackendTask;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.centrality.SearchOrder;
import io.proxima.backend.centrality.TreeFringe;
import io.proxima.backend.cpu.SourceBatches.Batch;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Task;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.Csc;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Farness of all or of chosen vertices: a search from each of them, many at once, against the direction of the edges. A
 * search from v finds the vertices that reach v, with their distances to v. The sums of a batch of sources are therefore
 * final when its search ends, and no two threads add to the same sum.
 *
 * <p>Each thread searches for itself. A batch has 512 sources. In a component where the frontiers of its sources do not overlap (a
 * path, a sparse mesh), most of the wide words are empty, so its further batches have 64 sources.
 */
final class FarnessRun {

    /** With fewer filled words a visit than this, out of {@link WideSearch#WORDS}, narrow searches do less work. */
    private static final double WORTH_WIDE = 2.5;

    /** Share of the heap that the state of the wide searches may take: one in this many. */
    private static final long HEAP_SHARE = 3;

    private final Csc out;
    private final Csc in;
    private final SearchOrder order;
    private final SourceBatches sources;
    private final int[] weights;
    private final int[] heights;
    private final int[][] layers;
    private final RunControl control;
    private final Set<DistanceMeasure> measures;
    private final boolean wide;
    private final AtomicBoolean[] narrow;

    /** Sums by row, see {@link SourceBatches#row}; until {@link #addFringe}, of the vertices that take part in the searches. */
    private final long[] farnessOf;

    private final long[] reachOf;
    private final double[] harmonicOf;
    private final int[] eccentricityOf;

    /** Pairs by distance, from 1 on; guarded by itself. */
    private final HopCounts hops = new HopCounts();

    private FarnessRun(
            Csc out,
            Csc in,
            SearchOrder order,
            SourceBatches sources,
            int rowCount,
            int[] weights,
            int[] heights,
            int[][] layers,
            Set<DistanceMeasure> measures,
            RunControl control) {
        this.out = out;
        this.in = in;
        this.order = order;
        this.sources = sources;
        this.weights = weights;
        this.heights = heights;
        this.layers = layers;
        this.measures = measures;
        this.control = control;
        farnessOf = new long[rowCount];
        reachOf = new long[rowCount];
        harmonicOf = measures.contains(DistanceMeasure.HARMONIC) ? new double[rowCount] : null;
        eccentricityOf = measures.contains(DistanceMeasure.ECCENTRICITY) ? new int[rowCount] : null;
        wide = usesWide(order.largestComponent(), control.concurrency());
        narrow = new AtomicBoolean[sources.largeComponents()];
        for (int c = 0; c < narrow.length; c++) {
            narrow[c] = new AtomicBoolean(!wide);
        }
    }

    /**
     * Runs.
     *
     * @param graph edges j to i; vertex id space
     * @param measures what is wanted beside the sums
     */
    static Farness run(Csc graph, Set<DistanceMeasure> measures, RunControl control) {
        return run(graph, null, measures, control);
    }

    /**
     * As {@link #run(Csc, Set, RunControl)} for chosen vertices. The searches include hanging trees: the sums of a
     * vertex in a tree would need those of vertices that are not chosen.
     *
     * @param chosen vertices without repeats, in the order of the result; null for all
     */
    static Farness run(Csc graph, int[] chosen, Set<DistanceMeasure> measures, RunControl control) {
        Stop stop = control.stop();
        int concurrency = control.concurrency();
        control.progress().beginTask(BackendTask.ORDER_VERTICES, 0);
        Csc reversed = graph.transposed(concurrency, stop);
        TreeFringe fringe =
                chosen == null && cutsTrees(graph.isSymmetric(), measures) ? TreeFringe.of(graph, stop) : null;
        TreeHeights treeHeights =
                fringe != null && measures.contains(DistanceMeasure.ECCENTRICITY) ? TreeHeights.of(fringe, stop) : null;
        TreeLayers treeLayers =
                fringe != null && measures.contains(DistanceMeasure.HOPS) ? TreeLayers.of(fringe, stop) : null;
        SearchOrder order = SearchOrder.of(reversed, graph, fringe, stop);
        Csc out = order.apply(reversed, concurrency, stop);
        Csc in = graph.isSymmetric() ? out : order.apply(graph, concurrency, stop);
        int[] weights = fringe != null && treeLayers == null ? order.bySlot(fringe::weight, stop) : null;
        int[] heights = treeHeights == null ? null : order.bySlot(treeHeights::height, stop);
        int[][] layers = treeLayers == null ? null : layersBySlot(treeLayers, order, stop);
        SourceBatches sources =
                chosen == null ? SourceBatches.ofAll(order) : SourceBatches.of(order, chosen, concurrency, stop);
        int rowCount = chosen == null ? graph.vertexCount() : chosen.length;
        FarnessRun run = new FarnessRun(out, in, order, sources, rowCount, weights, heights, layers, measures, control);
        run.search(chosen == null ? BackendTask.FARNESS : BackendTask.FARNESS_OF_SOURCES);
        stop.check();
        if (fringe != null) {
            run.addFringe(fringe);
        }
        if (treeHeights != null) {
            treeHeights.complete(run.eccentricityOf, stop);
        }
        if (treeLayers != null) {
            run.addPairs(treeLayers);
        }
        long[] hops = measures.contains(DistanceMeasure.HOPS) ? run.hopsOf(rowCount) : null;
        return new Farness(run.farnessOf, run.reachOf, run.harmonicOf, run.eccentricityOf, hops);
    }

    private static boolean cutsTrees(boolean symmetric, Set<DistanceMeasure> measures) {
        return symmetric && !measures.contains(DistanceMeasure.HARMONIC);
    }

    private static int[][] layersBySlot(TreeLayers trees, SearchOrder order, Stop stop) {
        int[][] layers = new int[order.slotCount()][];
        PacedStop paced = new PacedStop(stop);
        for (int slot = 0; slot < layers.length; slot++) {
            layers[slot] = trees.below(order.permutation().vertex(slot));
            paced.worked(1);
        }
        return layers;
    }

    private void addPairs(TreeLayers trees) {
        synchronized (hops) {
            hops.addAll(trees.pairs());
        }
    }

    private void addFringe(TreeFringe fringe) {
        PacedStop paced = new PacedStop(control.stop());
        for (int component = 0; component < order.componentCount(); component++) {
            long distanceSum = 0;
            for (int slot = order.componentStart(component); slot < order.componentStart(component + 1); slot++) {
                distanceSum += fringe.distanceSum(order.permutation().vertex(slot));
                paced.worked(2);
            }
            for (int slot = order.componentStart(component); slot < order.componentStart(component + 1); slot++) {
                int vertex = order.permutation().vertex(slot);
                farnessOf[vertex] += distanceSum;
                reachOf[vertex] += fringe.weight(vertex) - 1L;
            }
        }
        for (int slot = order.slotCount(); slot < farnessOf.length; slot++) {
            int root = order.permutation().vertex(slot);
            paced.worked(1);
            if (fringe.isKept(root)) {
                farnessOf[root] = fringe.distanceSum(root);
                reachOf[root] = fringe.weight(root) - 1L;
            }
        }
        fringe.complete(farnessOf, reachOf, control.stop());
    }

    /** The pairs by distance up to the greatest, the sources themselves at 0. */
    private long[] hopsOf(int rowCount) {
        if (rowCount == 0) {
            return new long[0];
        }
        synchronized (hops) {
            hops.add(0, rowCount);
            return hops.trimmed();
        }
    }

    /** Whether the wide searches' state fits in their share of the heap. */
    private static boolean usesWide(long largestRange, int concurrency) {
        return WideSearch.fits(largestRange)
                && WideSearch.bytes(largestRange) * concurrency
                        <= Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    }

    /**
     * Heap of the run's steps, without the sums. The maximum is that of a connected graph without hanging trees. In other
     * graphs less is searched, and nothing in a graph without edges.
     */
    static MemoryTree[] memory(GraphShape graph, Set<DistanceMeasure> measures, int concurrency) {
        int threads = Math.min(concurrency, batchCount(graph.vertexCount(), WideSearch.WIDTH));
        return memory(graph, threads, cutsTrees(graph.symmetric(), measures), measures, concurrency);
    }

    /** As {@link #memory(GraphShape, Set, int)} for chosen vertices. */
    static MemoryTree[] memory(GraphShape graph, int sources, Set<DistanceMeasure> measures, int concurrency) {
        // small components have batches of their own
        int threads = Math.min(concurrency, sources);
        MemoryTree[] steps = memory(graph, threads, false, measures, concurrency);
        int last = steps.length - 1;
        steps[last] = MemoryTree.together(
                steps[last].name(), steps[last], MemoryTree.between("chosen nodes", 0, SourceBatches.bytes(sources)));
        return steps;
    }

    private static MemoryTree[] memory(
            GraphShape graph, int threads, boolean cutsTrees, Set<DistanceMeasure> measures, int concurrency) {
        int vertices = graph.vertexCount();
        boolean symmetric = graph.symmetric();
        MemoryTree none = MemoryTree.NONE;
        boolean high = cutsTrees && measures.contains(DistanceMeasure.ECCENTRICITY);
        boolean layered = cutsTrees && measures.contains(DistanceMeasure.HOPS);
        MemoryTree trees = MemoryTree.together(
                "hanging trees",
                cutsTrees ? TreeFringe.memory(vertices) : none,
                high ? TreeHeights.memory(vertices) : none,
                layered ? TreeLayers.memory(vertices) : none);
        MemoryTree order = SearchOrder.memory(vertices);
        MemoryTree ordered = SearchOrder.orderedMemory(graph);
        return new MemoryTree[] {
            MemoryTree.oneByOne(
                    "find order",
                    MemoryTree.together(
                            "find hanging trees", trees, cutsTrees ? TreeFringe.makingMemory(vertices) : none),
                    MemoryTree.together("find order", trees, SearchOrder.makingMemory(vertices))),
            SearchOrder.applyingMemory(graph, trees, concurrency),
            MemoryTree.together(
                    "search from all nodes",
                    trees,
                    order,
                    ordered.times(symmetric ? 1 : 2),
                    treesBySlot(vertices, cutsTrees && !layered, high, layered),
                    stateMemory(vertices, threads, concurrency, layered))
        };
    }

    /** Heap of what hangs from each slot; the less, the fewer vertices stay. */
    private static MemoryTree treesBySlot(int vertices, boolean weights, boolean heights, boolean layers) {
        int ofSlot = (weights ? Integer.BYTES : 0) + (heights ? Integer.BYTES : 0) + (layers ? Long.BYTES : 0);
        return MemoryTree.between("hanging trees by slot", 0, (long) ofSlot * vertices);
    }

    /** Heap of all threads' searches. */
    private static MemoryTree stateMemory(int vertices, int threads, int concurrency, boolean layered) {
        long counter = LevelCounter.bytes(WideSearch.WORDS, layered);
        long most = usesWide(vertices, concurrency)
                ? Math.max(WideSearch.bytes(vertices), WideSearch.bytes(WideSearch.WIDTH))
                : WideSearch.bytes(WideSearch.WIDTH)
                        + BitParallelSearch.memory(vertices).maxBytes()
                        + LevelCounter.bytes(1, layered);
        return MemoryTree.between("search state of a thread", 0, counter + most)
                .times(threads)
                .named("search state of " + threads + " threads");
    }

    /** Batches of a connected graph. */
    private static int batchCount(int vertices, int width) {
        return (int) (((long) vertices + width - 1) / width);
    }

    private int componentSize(int component) {
        return order.componentStart(component + 1) - order.componentStart(component);
    }

    private void search(Task task) {
        control.progress().beginTask(task, sources.count());
        Workers.run(control.concurrency(), control.stop(), (worker, stop) -> {
            Searcher searcher = new Searcher(stop);
            Batch batch;
            while ((batch = sources.next()) != null) {
                searcher.search(batch);
                control.progress().advance(batch.count());
            }
            searcher.finish();
        });
    }

    /** One thread's searches; their state is allocated when first needed. */
    private final class Searcher {
        private final Stop stop;
        private final LevelCounter wideCounter;
        private WideSearch wideSearch;
        private LevelCounter narrowCounter;
        private BitParallelSearch narrowSearch;

        Searcher(Stop stop) {
            this.stop = stop;
            wideCounter = newCounter(WideSearch.WORDS);
        }

        private LevelCounter newCounter(int words) {
            return new LevelCounter(words, measures, weights, heights, layers, stop);
        }

        void search(Batch batch) {
            boolean large = batch.firstComponent() < narrow.length;
            if (large && narrow[batch.firstComponent()].get()) {
                searchNarrow(batch);
                return;
            }
            searchWide(batch);
            if (large && wideCounter.meanWordsPerVisit() < WORTH_WIDE) {
                narrow[batch.firstComponent()].set(true);
            }
        }

        private void searchWide(Batch batch) {
            // components come by descending size, so that the first takes as much as any after it
            if (wideSearch == null) {
                int largest = batch.firstComponent() < narrow.length ? componentSize(batch.firstComponent()) : 0;
                wideSearch = new WideSearch(out, in, Math.max(WideSearch.WIDTH, largest), wideCounter, stop);
            }
            int[] boundaries = new int[batch.endComponent() - batch.firstComponent() + 1];
            for (int c = 0; c < boundaries.length; c++) {
                boundaries[c] = order.componentStart(batch.firstComponent() + c);
            }
            wideCounter.clear(sources.slot(batch.first()));
            wideSearch.run(sources, batch, boundaries);
            keep(batch.first(), batch.count(), wideCounter);
        }

        private void searchNarrow(Batch batch) {
            // not held beside the narrow state: a later, smaller component may be searched widely again
            wideSearch = null;
            if (narrowSearch == null) {
                narrowSearch = new BitParallelSearch(out, in, 1, stop);
                narrowCounter = newCounter(1);
            }
            int low = order.componentStart(batch.firstComponent());
            int high = order.componentStart(batch.endComponent());
            int[] slots = new int[BitParallelSearch.WIDTH];
            for (int done = 0; done < batch.count(); done += BitParallelSearch.WIDTH) {
                int count = Math.min(BitParallelSearch.WIDTH, batch.count() - done);
                for (int s = 0; s < count; s++) {
                    slots[s] = sources.slot(batch.first() + done + s);
                }
                narrowCounter.clear(slots[0]);
                narrowSearch.run(slots, 0, count, low, high, LoadedGraph.NO_MAX_DEPTH, counting(narrowCounter));
                keep(batch.first() + done, count, narrowCounter);
            }
        }

        private BitParallelSearch.Visitor counting(LevelCounter counter) {
            return new BitParallelSearch.Visitor() {
                @Override
                public void reached(int worker, int vertex, long sources) {
                    counter.add(sources, vertex);
                }

                @Override
                public void levelDone(int level) {
                    counter.levelDone(level);
                }
            };
        }

        /** Adds what is summed over all batches. */
        void finish() {
            addHops(wideCounter);
            if (narrowCounter != null) {
                addHops(narrowCounter);
            }
        }

        private void addHops(LevelCounter counter) {
            synchronized (hops) {
                hops.addAll(counter.hops().counts());
            }
        }

        private void keep(int first, int count, LevelCounter counter) {
            for (int s = 0; s < count; s++) {
                int row = sources.row(first + s);
                farnessOf[row] = counter.farness(s);
                reachOf[row] = counter.reach(s);
                if (harmonicOf != null) {
                    harmonicOf[row] = counter.harmonic(s);
                }
                if (eccentricityOf != null) {
                    eccentricityOf[row] = counter.depth(s);
                }
            }
        }
    }
}

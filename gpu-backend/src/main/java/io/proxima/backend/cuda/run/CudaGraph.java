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
package io.proxima.backend.cuda.run;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.DistanceSink;
import io.proxima.backend.Farness;
import io.proxima.backend.Kernel;
import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.NearestAssignment;
import io.proxima.backend.NearestSources;
import io.proxima.backend.Predecessors;
import io.proxima.backend.ResumableDistances;
import io.proxima.backend.ResumableDistances.SinkFailure;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions;
import io.proxima.backend.ShortestPaths;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.centrality.BetweennessRun;
import io.proxima.backend.cuda.choice.KernelDispatch;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.LeaseQueue;
import io.proxima.backend.cuda.device.SlotOrder;
import io.proxima.backend.cuda.graph.HeldGraph;
import io.proxima.backend.cuda.graph.ResidentGraph;
import io.proxima.backend.cuda.graph.WeightedLists;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.backend.cuda.kernel.BetweennessKernels;
import io.proxima.backend.cuda.kernel.LevelKernels;
import io.proxima.backend.cuda.kernel.PathKernels;
import io.proxima.backend.cuda.kernel.RowKernels;
import io.proxima.backend.cuda.kernel.SumKernels;
import io.proxima.backend.task.BackendTask;
import io.proxima.projection.Csc;
import io.proxima.projection.WeightedCsc;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A loaded graph that is traversed on a device. Handles of one CSC share its device structures.
 *
 * <p>The class is long because every run of the interface begins and ends here.
 */
public final class CudaGraph implements LoadedGraph {

    private static final int[] NO_TARGETS = {};
    private static final int NONE = -1;
    private static final int ONE_SEARCH = 1;

    private final DeviceGraphs graphs;
    private final Csc csc;
    private final int vertexCount;
    private final AtomicBoolean closed = new AtomicBoolean();

    public CudaGraph(DeviceGraphs graphs, Csc csc) {
        this.graphs = graphs;
        this.csc = csc;
        this.vertexCount = csc.vertexCount();
    }

    @Override
    public int vertexCount() {
        return vertexCount;
    }

    @Override
    public void prepare(Run run, long searches, RunControl control) {
        if (run == Run.SHORTEST_PATHS || run == Run.BETWEENNESS) {
            // they read a graph of their own, which the run brings
            return;
        }
        countPreparation();
        mappingIfShort(resident -> {
            KernelDispatch dispatch = graphs.dispatch(resident.device());
            try (HeldGraph view = resident.acquire(control, searches)) {
                return switch (run) {
                    case BFS, NEAREST_SOURCE -> dispatch.levels(view, run, control);
                    case MULTI_SOURCE_BFS -> dispatch.distances(view, control);
                    case FARNESS_OF_SOURCES -> dispatch.rows(view, control);
                    case FARNESS -> dispatch.sums(view, control);
                    case COMPONENTS -> dispatch.components(view, control);
                    case BETWEENNESS, SHORTEST_PATHS -> throw new IllegalStateException("has nothing resident: " + run);
                };
            } finally {
                sweep();
            }
        });
    }

    /**
     * Does work on the graph. If the device has too little memory for it, repeats it with the lists of neighbours in mapped
     * host memory.
     *
     * @throws DeviceMemoryException if that does not fit either, or is not allowed
     */
    private <T> T mappingIfShort(Function<ResidentGraph, T> work) {
        ResidentGraph resident = resident();
        return mappingIfShort(
                () -> work.apply(resident), () -> resident.map() ? List.of(resident) : List.of(), ResidentGraph::unmap);
    }

    /**
     * Does work. If a device has too little memory for it, repeats it once over mapped lists.
     *
     * @param map maps the lists of the graphs that may have them so, and gives these graphs
     * @param unmap reverts this for a graph, after the work has failed again
     */
    static <G, T> T mappingIfShort(Supplier<T> work, Supplier<List<G>> map, Consumer<G> unmap) {
        List<G> mapped;
        try {
            return work.get();
        } catch (DeviceMemoryException e) {
            mapped = map.get();
            if (mapped.isEmpty()) {
                throw e;
            }
        }
        boolean fits = false;
        try {
            T result = work.get();
            fits = true;
            return result;
        } finally {
            if (!fits) {
                mapped.forEach(unmap);
            }
        }
    }

    /** Lets later runs read the lists of neighbours in mapped host memory; false if that is not allowed or is so already. */
    boolean map() {
        return resident().map();
    }

    /** Reverts {@link #map}. */
    void unmap() {
        resident().unmap();
    }

    @Override
    public Levels bfs(int source, int maxDepth, int[] stopTargets, RunControl control) {
        checkVertices("source", new int[] {source});
        checkVertices("stopTargets", stopTargets);
        return search(Run.BFS, new int[] {source}, maxDepth, stopTargets, control);
    }

    @Override
    public void multiSourceBfs(int[] sources, int maxDepth, DistanceSink sink, RunControl control) {
        checkVertices("sources", sources);
        if (sources.length == 0) {
            return;
        }
        ResumableDistances distances = new ResumableDistances(sources, maxDepth, sink);
        try {
            mappingIfShort(resident -> {
                distances.continueWith((left, rest) -> measure(resident, left, maxDepth, rest, control));
                return distances;
            });
        } catch (SinkFailure e) {
            throw e.failure();
        }
    }

    private void measure(ResidentGraph resident, int[] sources, int maxDepth, DistanceSink sink, RunControl control) {
        try (DeviceBatches batches = openBatches(resident, sources, maxDepth, sources.length, control)) {
            control.progress().beginTask(BackendTask.MULTI_SOURCE_BFS, sources.length);
            DeviceDistances distances = new DeviceDistances(vertexCount, control.concurrency());
            int first = 0;
            while (first < sources.length) {
                int count = batches.measure(distances, first, sources.length - first, control.stop());
                // outside the lease, because the caller may take long
                sink.accept(distances);
                first += count;
                control.progress().advance(count);
            }
        }
    }

    /**
     * Prepares the graph for multi-source BFS.
     *
     * @param searches number of sources of the run, of which {@code sources} may be a part
     */
    DeviceBatches batches(int[] sources, int maxDepth, long searches, RunControl control) {
        return mappingIfShort(resident -> openBatches(resident, sources, maxDepth, searches, control));
    }

    private DeviceBatches openBatches(
            ResidentGraph resident, int[] sources, int maxDepth, long searches, RunControl control) {
        CudaDevice device = resident.device();
        return opened(resident.acquire(control, searches), view -> {
            BatchKernels kernels = graphs.dispatch(device).distances(view, control);
            return new DeviceBatches(device, kernels, view, sources, maxDepth, () -> end(view));
        });
    }

    @Override
    public int multiSourceBatchSize() {
        return graphs.device().policy().batchSources();
    }

    @Override
    public NearestSources nearestSource(int[] sources, int maxDepth, RunControl control) {
        checkVertices("sources", sources);
        if (sources.length == 0) {
            control.stop().check();
            int[] unreached = new int[vertexCount];
            Arrays.fill(unreached, UNREACHED);
            int[] none = new int[vertexCount];
            Arrays.fill(none, NONE);
            return new NearestSources(unreached, none);
        }
        Levels found = search(Run.NEAREST_SOURCE, sources, maxDepth, NO_TARGETS, control);
        int[] levels = found.levels();
        long[] sizes = found.frontierSizes();
        int[] order = LevelSearch.order(levels, sizes, control.stop());
        return NearestAssignment.assign(csc, sources, levels, order, sizes, control);
    }

    @Override
    public Farness farness(Set<DistanceMeasure> measures, RunControl control) {
        if (vertexCount == 0) {
            return Farness.none(measures);
        }
        return mappingIfShort(resident -> {
            DeviceSums sums = sums(resident, resident.acquire(control, vertexCount), control);
            return new FarnessSums(List.of(sums), control).run(measures);
        });
    }

    @Override
    public Farness farness(int[] sources, Set<DistanceMeasure> measures, RunControl control) {
        checkVertices("sources", sources);
        if (sources.length == 0) {
            return Farness.none(measures);
        }
        return mappingIfShort(resident -> {
            DeviceRows rows = rows(resident, resident.acquire(control, sources.length), control);
            return new FarnessRows(List.of(rows), csc, sources, control).run(measures);
        });
    }

    /**
     * Prepares the graph for sums by source.
     *
     * @param searches number of sources of the run
     */
    DeviceRows rows(long searches, RunControl control) {
        return mappingIfShort(resident -> rows(resident, resident.acquire(control, searches), control));
    }

    /** Prepares the graph for sums by source as another device has, so that both search in the same order. */
    DeviceRows rows(DeviceRows like, RunControl control) {
        RunOptions same = new RunOptions(like.order().order(), Kernel.of(like.kernel()));
        return mappingIfShort(resident -> rows(resident, resident.acquire(like.order(), control), control.with(same)));
    }

    private DeviceRows rows(ResidentGraph resident, HeldGraph held, RunControl control) {
        CudaDevice device = resident.device();
        return opened(held, view -> {
            RowKernels kernels = graphs.dispatch(device).rows(view, control);
            return new DeviceRows(device, kernels, view, control, () -> end(view));
        });
    }

    /** Prepares the graph for sums, in the order and with the kernels that suit it. */
    DeviceSums sums(RunControl control) {
        return mappingIfShort(resident -> sums(resident, resident.acquire(control, vertexCount), control));
    }

    /** Prepares the graph for sums as another device has, so that both number the sources alike. */
    DeviceSums sums(DeviceSums like, RunControl control) {
        RunOptions same = new RunOptions(like.order().order(), Kernel.of(like.kernel()));
        return mappingIfShort(resident -> sums(resident, resident.acquire(like.order(), control), control.with(same)));
    }

    private DeviceSums sums(ResidentGraph resident, HeldGraph held, RunControl control) {
        CudaDevice device = resident.device();
        return opened(held, view -> {
            SumKernels kernels = graphs.dispatch(device).sums(view, control);
            return new DeviceSums(device, kernels, view, control, () -> end(view));
        });
    }

    /** Begins a run that closes the view at its end; closes it at once if the run cannot begin. */
    private <T> T opened(HeldGraph view, Function<HeldGraph, T> run) {
        boolean begun = false;
        try {
            T result = run.apply(view);
            begun = true;
            return result;
        } finally {
            if (!begun) {
                end(view);
            }
        }
    }

    private void end(HeldGraph view) {
        try {
            view.close();
        } finally {
            sweep();
        }
    }

    @Override
    public int[] components(RunControl control) {
        if (vertexCount == 0) {
            return new int[0];
        }
        return mappingIfShort(resident -> {
            KernelDispatch dispatch = graphs.dispatch(resident.device());
            try (HeldGraph view = resident.acquire(control, ONE_SEARCH)) {
                return dispatch.components(view, control).run(view, control);
            } finally {
                sweep();
            }
        });
    }

    @Override
    public double[] betweenness(int[] sources, RunControl control) {
        if (sources != null) {
            checkVertices("sources", sources);
        }
        CudaDevice device = resident().device();
        try {
            BetweennessKernels kernels = graphs.dispatch(device).betweenness(control);
            return BetweennessRun.run(csc, sources, kernels::run, control);
        } finally {
            sweep();
        }
    }

    @Override
    public ShortestPaths shortestPaths(
            int source, WeightedCsc weights, double delta, boolean withPredecessors, RunControl control) {
        checkVertices("source", new int[] {source});
        WeightedCsc.Lengths lengths = weights.lengths(control.concurrency(), control.stop());
        ShortestPaths.check(lengths, delta);
        WeightedLists lists = WeightedLists.of(weights, lengths);
        double[] costs = mappingIfShort(resident -> {
            KernelDispatch dispatch = graphs.dispatch(resident.device());
            try (HeldGraph view = resident.acquireUnordered(control)) {
                PathKernels kernels = dispatch.shortestPaths(view, lists, control);
                return kernels.run(
                        view.structure(lists),
                        vertexCount,
                        source,
                        delta == ANY_DELTA ? kernels.delta(weights, lengths) : delta,
                        control);
            } finally {
                sweep();
            }
        });
        return new ShortestPaths(
                costs,
                withPredecessors
                        ? Predecessors.of(weights, source, costs, control.concurrency(), control.stop())
                        : null);
    }

    @Override
    public long bytes() {
        return resident().bytes();
    }

    @Override
    public long mappedBytes() {
        return resident().mappedBytes();
    }

    @Override
    public String order() {
        return resident().order();
    }

    @Override
    public String residentOn() {
        return bytes() > 0 ? graphs.device().name() : "cpu";
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            graphs.letGo(csc);
        }
    }

    /** The name of the device. */
    String deviceName() {
        return graphs.device().name();
    }

    /** The queue of the device's callers. */
    LeaseQueue queue() {
        return graphs.device().leases();
    }

    /** Bytes that can be allocated without evicting anything. */
    long freeBytes() {
        return graphs.device().memory().freeBytes();
    }

    /** Counts a use of the graph, by whether it is resident. */
    void countPreparation() {
        ResidentGraph resident = resident();
        resident.device().memory().countPreparation(resident.bytes() > 0);
    }

    /** The order that the graph was given on this device; null before its first run. */
    SlotOrder slotOrder() {
        return resident().slotOrder();
    }

    /** Gives the graph an order from another device, unless it has one. */
    void adopt(SlotOrder order) {
        resident().adopt(order);
    }

    private ResidentGraph resident() {
        return graphs.resident(csc);
    }

    private void sweep() {
        if (closed.get()) {
            graphs.sweep();
        }
    }

    private Levels search(Run run, int[] sources, int maxDepth, int[] stopTargets, RunControl control) {
        return mappingIfShort(resident -> {
            CudaDevice device = resident.device();
            try (HeldGraph view = resident.acquire(control, ONE_SEARCH)) {
                LevelKernels kernels = graphs.dispatch(device).levels(view, run, control);
                return LevelSearch.run(device, kernels, view, sources, maxDepth, stopTargets, control)
                        .levels();
            } finally {
                sweep();
            }
        });
    }

    private void checkVertices(String name, int[] vertices) {
        for (int vertex : vertices) {
            if (vertex < 0 || vertex >= vertexCount) {
                throw new IllegalArgumentException(
                        name + " must be vertices from 0 to " + (vertexCount - 1) + ": vertex=" + vertex);
            }
        }
    }
}

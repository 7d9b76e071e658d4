// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.DistanceSink;
import io.proxima.backend.Farness;
import io.proxima.backend.Kernel;
import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.NearestSources;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions;
import io.proxima.backend.ShortestPaths;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.centrality.BetweennessRun;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.LeaseQueue;
import io.proxima.backend.device.SlotOrder;
import io.proxima.backend.device.graph.HeldGraph;
import io.proxima.backend.device.graph.ResidentGraph;
import io.proxima.backend.device.graph.RunMemory;
import io.proxima.backend.device.graph.WeightedLists;
import io.proxima.backend.device.kernel.BatchKernels;
import io.proxima.backend.device.kernel.BetweennessKernels;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.backend.device.kernel.ComponentKernels;
import io.proxima.backend.device.kernel.DeviceKernels;
import io.proxima.backend.device.kernel.PathKernels;
import io.proxima.backend.device.kernel.SumKernels;
import io.proxima.backend.result.NearestAssignment;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** A loaded graph that is traversed on a device. Handles of one CSC share its device structures. */
public final class DeviceGraph implements LoadedGraph {

    private static final int[] NO_TARGETS = {};
    private static final int NONE = -1;
    private static final int ONE_SEARCH = 1;
    private static final long NOTHING = 0;

    private final DeviceBackend backend;
    private final Csc csc;
    // not in the first attempt of a group: another device may have room for the lists
    private final boolean mayMapLists;
    private final AtomicBoolean closed;

    public DeviceGraph(DeviceBackend backend, Csc csc) {
        this(backend, csc, true, new AtomicBoolean());
    }

    private DeviceGraph(DeviceBackend backend, Csc csc, boolean mayMapLists, AtomicBoolean closed) {
        this.backend = backend;
        this.csc = csc;
        this.mayMapLists = mayMapLists;
        this.closed = closed;
    }

    /** Adds a handle whose runs build lists of neighbours on the device only; see {@link #mayMapLists}. */
    static DeviceGraph replica(DeviceBackend backend, Csc csc) {
        DeviceGraph replica = new DeviceGraph(backend, csc, false, new AtomicBoolean());
        // its handle is counted there
        backend.load(csc);
        return replica;
    }

    /**
     * A view of this handle whose runs may build lists of neighbours in mapped host memory. It is closed with this
     * handle.
     */
    DeviceGraph mayMapLists() {
        return new DeviceGraph(backend, csc, true, closed);
    }

    @Override
    public int vertexCount() {
        return csc.vertexCount();
    }

    @Override
    public void prepare(Operation operation, long searches, RunControl control) {
        if (operation == Operation.SHORTEST_PATHS || operation == Operation.BETWEENNESS) {
            // they read a graph of their own, which the run brings
            return;
        }
        countPreparation();
        onHeld(acquire(operation, control, searches, NOTHING), view -> choice(view)
                .choose(DeviceKernels.class, view, operation, control));
    }

    private HeldGraph acquire(Operation operation, RunControl control, long searches, long deviceBytes) {
        ResidentGraph resident = resident();
        backend.choice(resident.device()).check(operation, control.options(), GraphShape.of(csc));
        return resident.acquire(control, searches).with(new RunMemory(deviceBytes, mayMapLists));
    }

    private HeldGraph acquire(SlotOrder order, RunControl control, long deviceBytes) {
        return resident().acquire(order, control).with(new RunMemory(deviceBytes, mayMapLists));
    }

    /** Does work on the pinned graph, and unpins it. */
    private <T> T onHeld(HeldGraph view, Function<HeldGraph, T> work) {
        try {
            return work.apply(view);
        } finally {
            end(view);
        }
    }

    /** Begins a run, which closes the view at its end. If it cannot begin, the view is closed at once. */
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

    private KernelChoice choice(HeldGraph view) {
        return backend.choice(view.device());
    }

    @Override
    public Levels bfs(int source, int maxDepth, int[] stopTargets, RunControl control) {
        checkVertices("source", source);
        checkVertices("stopTargets", stopTargets);
        return search(Operation.BFS, new int[] {source}, maxDepth, stopTargets, control);
    }

    @Override
    public void multiSourceBfs(int[] sources, int maxDepth, DistanceSink sink, RunControl control) {
        checkVertices("sources", sources);
        if (sources.length == 0) {
            return;
        }
        onHeld(acquire(Operation.MULTI_SOURCE_BFS, control, sources.length, NOTHING), view -> {
            BatchKernels kernels = choice(view).choose(BatchKernels.class, view, Operation.MULTI_SOURCE_BFS, control);
            new DeviceBatches(view.device(), kernels, view, sources, maxDepth, control.stop()).run(sink, control);
            return view;
        });
    }

    @Override
    public int multiSourceBatchSize() {
        return backend.device().policy().batchSources();
    }

    @Override
    public NearestSources nearestSource(int[] sources, int maxDepth, RunControl control) {
        checkVertices("sources", sources);
        if (sources.length == 0) {
            control.stop().check();
            int[] unreached = new int[vertexCount()];
            Arrays.fill(unreached, UNREACHED);
            int[] none = new int[vertexCount()];
            Arrays.fill(none, NONE);
            return new NearestSources(unreached, none);
        }
        Levels found = search(Operation.NEAREST_SOURCE, sources, maxDepth, NO_TARGETS, control);
        return NearestAssignment.assign(csc, sources, found.levels(), control);
    }

    @Override
    public Farness farness(Set<DistanceMeasure> measures, RunControl control) {
        return vertexCount() == 0
                ? Farness.zeros(0, measures)
                : farness(Operation.FARNESS, vertexCount(), null, measures, control);
    }

    @Override
    public Farness farness(int[] sources, Set<DistanceMeasure> measures, RunControl control) {
        checkVertices("sources", sources);
        return sources.length == 0
                ? Farness.zeros(0, measures)
                : farness(Operation.FARNESS_OF_SOURCES, sources.length, sources, measures, control);
    }

    private Farness farness(
            Operation operation, int searches, int[] vertices, Set<DistanceMeasure> measures, RunControl control) {
        return onHeld(
                acquire(operation, control, searches, sumBytes(operation, searches, measures)),
                view -> FarnessSums.run(
                        List.of(sums(operation, view, control, () -> {})), csc, vertices, measures, control));
    }

    /**
     * Prepares the graph for sums, in the order and with the kernels that suit it.
     *
     * @param searches number of sources of the run
     */
    DeviceSums sums(Operation operation, int searches, Set<DistanceMeasure> measures, RunControl control) {
        return opened(
                acquire(operation, control, searches, sumBytes(operation, searches, measures)),
                view -> sums(operation, view, control, () -> end(view)));
    }

    /** Prepares the graph for the same sums as another device has, so that both number the sources alike. */
    DeviceSums sums(
            Operation operation, int searches, Set<DistanceMeasure> measures, DeviceSums like, RunControl control) {
        RunControl same = control.with(new RunOptions(like.order().order(), Kernel.of(like.kernel())));
        return opened(
                acquire(like.order(), control, sumBytes(operation, searches, measures)),
                view -> sums(operation, view, same, () -> end(view)));
    }

    private DeviceSums sums(Operation operation, HeldGraph view, RunControl control, Runnable afterwards) {
        SumKernels kernels = choice(view).choose(SumKernels.class, view, operation, control);
        return new DeviceSums(view.device(), kernels, view, control, afterwards);
    }

    private long sumBytes(Operation operation, int searches, Set<DistanceMeasure> measures) {
        boolean bySource = operation == Operation.FARNESS_OF_SOURCES;
        return DeviceSums.leastBytes(backend.device().policy(), searches, vertexCount(), measures, bySource);
    }

    @Override
    public int[] components(RunControl control) {
        if (vertexCount() == 0) {
            return new int[0];
        }
        return onHeld(acquire(Operation.COMPONENTS, control, ONE_SEARCH, NOTHING), view -> choice(view)
                .choose(ComponentKernels.class, view, Operation.COMPONENTS, control)
                .run(view, control));
    }

    @Override
    public double[] betweenness(int[] sources, RunControl control) {
        if (sources != null) {
            checkVertices("sources", sources);
        }
        Device device = resident().device();
        try {
            BetweennessKernels kernels = backend.choice(device).betweenness(control);
            return BetweennessRun.run(csc, sources, kernels::run, control);
        } finally {
            sweep();
        }
    }

    @Override
    public ShortestPaths shortestPaths(
            int source, WeightedCsc weights, double delta, boolean withPredecessors, RunControl control) {
        checkVertices("source", source);
        return ShortestPaths.of(weights, source, delta, withPredecessors, control, lengths -> {
            WeightedLists lists = WeightedLists.of(weights, lengths);
            HeldGraph unordered = resident().acquireUnordered(control).with(new RunMemory(NOTHING, mayMapLists));
            return onHeld(unordered, view -> {
                PathKernels kernels = choice(view).shortestPaths(view, lists, control);
                double width = delta == ANY_DELTA ? kernels.delta(lengths) : delta;
                return kernels.run(view.structure(lists), vertexCount(), source, width, control);
            });
        });
    }

    @Override
    public List<Place> places() {
        ResidentGraph resident = resident();
        long bytes = resident.bytes();
        return bytes == 0
                ? List.of()
                : List.of(new Place(resident.device().name(), bytes, resident.mappedBytes(), resident.order()));
    }

    /** The device memory that the graph takes now. */
    long bytes() {
        return resident().bytes();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            backend.letGo(csc);
        }
    }

    /** The name of the device. */
    String deviceName() {
        return backend.device().name();
    }

    /** The queue of the device's callers. */
    LeaseQueue queue() {
        return backend.device().leases();
    }

    /** Bytes that can be allocated without evicting anything. */
    long freeBytes() {
        return backend.device().memory().freeBytes();
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
        return backend.resident(csc);
    }

    private void sweep() {
        if (closed.get()) {
            backend.sweep();
        }
    }

    private Levels search(Operation operation, int[] sources, int maxDepth, int[] stopTargets, RunControl control) {
        return onHeld(acquire(operation, control, ONE_SEARCH, NOTHING), view -> choice(view)
                .choose(BfsKernel.class, view, operation, control)
                .run(view.device(), view, sources, maxDepth, stopTargets, control));
    }
}

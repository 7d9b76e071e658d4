// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.CostSums;
import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.DistanceSink;
import io.proxima.backend.Farness;
import io.proxima.backend.GraphShape;
import io.proxima.backend.KernelLimitException;
import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.NearestSources;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.SearchEnd;
import io.proxima.backend.ShortestPaths;
import io.proxima.backend.Workload;
import io.proxima.backend.centrality.BetweennessRun;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.LeaseQueue;
import io.proxima.backend.device.SlotOrder;
import io.proxima.backend.device.graph.HeldGraph;
import io.proxima.backend.device.graph.ResidentGraph;
import io.proxima.backend.device.graph.WeightedLists;
import io.proxima.backend.device.kernel.BatchKernels;
import io.proxima.backend.device.kernel.BetweennessKernels;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.backend.device.kernel.ComponentKernels;
import io.proxima.backend.device.kernel.DeviceKernels;
import io.proxima.backend.device.kernel.PathKernels;
import io.proxima.backend.device.kernel.SumKernels;
import io.proxima.backend.result.NearestAssignment;
import io.proxima.concurrent.Closing;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.WeightedCsc;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Stream;

/** A loaded graph that is traversed on a device. Handles of one CSC share its device structures. */
final class DeviceGraph implements LoadedGraph {

    private static final int[] NO_TARGETS = {};
    private static final int NONE = -1;

    private final DeviceBackend backend;
    private final Csc csc;
    // not in the first attempt of a group: another device may have room for the lists
    private final boolean mayMapLists;
    // of the handle, which its views share
    private final AtomicBoolean closed;
    // of a view; null for a handle
    private final Reservation reservation;
    private final AtomicBoolean lent = new AtomicBoolean();

    /** What a view has reserved for the runs of a call, and lends to one of them at a time. */
    private record Reservation(HeldGraph held, Workload work) {}

    DeviceGraph(DeviceBackend backend, Csc csc) {
        this(backend, csc, true, new AtomicBoolean(), null);
    }

    private DeviceGraph(
            DeviceBackend backend, Csc csc, boolean mayMapLists, AtomicBoolean closed, Reservation reservation) {
        this.backend = backend;
        this.csc = csc;
        this.mayMapLists = mayMapLists;
        this.closed = closed;
        this.reservation = reservation;
    }

    /** Adds a handle whose runs build lists of neighbours on the device only; see {@link #mayMapLists}. */
    static DeviceGraph replica(DeviceBackend backend, Csc csc) {
        DeviceGraph replica = new DeviceGraph(backend, csc, false, new AtomicBoolean(), null);
        // its handle is counted there
        backend.load(csc);
        return replica;
    }

    /**
     * A view of this handle whose runs may build lists of neighbours in mapped host memory. It is closed with this
     * handle.
     */
    DeviceGraph mayMapLists() {
        return new DeviceGraph(backend, csc, true, closed, null);
    }

    @Override
    public int vertexCount() {
        return csc.vertexCount();
    }

    @Override
    public List<LoadedGraph> reserveWith(List<LoadedGraph> others, Workload work, long searches, RunContext control) {
        if (!work.operation().readsLoadedGraph()) {
            return LoadedGraph.super.reserveWith(others, work, searches, control);
        }
        List<DeviceGraph> graphs = together(DeviceGraph.class, this, others);
        return Closing.unlessOwned(
                reserved(graphs, work, searches, List.of(), control), DeviceGraph::close, List::copyOf);
    }

    /**
     * The graphs of a call.
     *
     * @throws DeviceFailureException if they are not on devices of one driver, because all devices of a driver have
     *     failed since one was loaded
     */
    static <T extends LoadedGraph> List<T> together(Class<T> type, LoadedGraph graph, List<LoadedGraph> others) {
        List<LoadedGraph> all = Stream.concat(Stream.of(graph), others.stream()).toList();
        if (!all.stream().allMatch(type::isInstance)) {
            throw new DeviceFailureException("The graph was loaded on GPUs of another driver than its reverse, because"
                    + " all GPUs of one driver have failed. Project the graph again, or use backend: 'cpu'.");
        }
        return all.stream().map(type::cast).toList();
    }

    /**
     * Views of handles that have reserved memory for the same runs: for all before anything is copied, or for none.
     *
     * @param graphs handles on one device
     * @param like views that another device has of these graphs, whose sources all devices number alike; none on the
     *     first device
     */
    static List<DeviceGraph> reserved(
            List<DeviceGraph> graphs, Workload work, long searches, List<DeviceGraph> like, RunContext control) {
        List<DeviceGraph> views = new ArrayList<>(graphs.size());
        boolean done = false;
        try {
            for (DeviceGraph graph : graphs) {
                SlotOrder order = like.isEmpty()
                        ? null
                        : like.get(views.size()).reservation.held.order();
                views.add(graph.reserving(work, searches, order, control));
            }
            // the first is placed beside the least of the others
            for (DeviceGraph view : views.subList(1, views.size())) {
                HeldGraph held = view.reservation.held.mappingLists(views.get(0).mayMapLists);
                view.choice(held).promiseLeast(held, work, control);
            }
            for (DeviceGraph view : views) {
                view.countPreparation();
                HeldGraph held = view.reservation.held;
                view.choice(held).choose(DeviceKernels.class, held, work, control);
            }
            done = true;
            return views;
        } finally {
            if (!done) {
                Closing.all(views.iterator(), DeviceGraph::close);
            }
        }
    }

    private DeviceGraph reserving(Workload work, long searches, SlotOrder order, RunContext control) {
        return opened(
                hold(work, searches, order, control),
                held -> new DeviceGraph(backend, csc, mayMapLists, closed, new Reservation(held, work)));
    }

    /**
     * Pins the graph for a run, which takes what was reserved for it.
     *
     * @param order that of another device; null for the one that suits
     */
    private HeldGraph acquire(Workload work, SlotOrder order, RunContext control) {
        return lends(work, order, control)
                ? reservation.held
                : hold(work, work.searches(vertexCount()), order, control);
    }

    private HeldGraph hold(Workload work, long searches, SlotOrder order, RunContext control) {
        ResidentGraph resident = resident();
        backend.choice(resident.device()).check(work.operation(), control.options(), GraphShape.of(csc));
        HeldGraph held = order == null ? resident.acquire(control, searches) : resident.acquire(order, control);
        return held.mappingLists(mayMapLists);
    }

    /** Lends what was reserved, if the run is one of those it was reserved for and no other has it. */
    private boolean lends(Workload work, SlotOrder order, RunContext control) {
        return reservation != null
                && (order == null || reservation.held.order().isSameAs(order))
                && reservation.work.covers(work, vertexCount())
                && reservation.held.isFor(resident(), work.operation(), control.options())
                && lent.compareAndSet(false, true);
    }

    /** Does work on the pinned graph, and unpins it, unless a reservation keeps it pinned. */
    private <T> T onHeld(HeldGraph held, Function<HeldGraph, T> work) {
        try {
            return work.apply(held);
        } finally {
            end(held);
        }
    }

    /** Begins a run, which unpins the graph at its end. If it cannot begin, the graph is unpinned at once. */
    private <T> T opened(HeldGraph held, Function<HeldGraph, T> run) {
        boolean begun = false;
        try {
            T result = run.apply(held);
            begun = true;
            return result;
        } finally {
            if (!begun) {
                end(held);
            }
        }
    }

    private void end(HeldGraph held) {
        if (reservation != null && held == reservation.held) {
            try {
                held.endRun();
            } finally {
                lent.set(false);
            }
            return;
        }
        try {
            held.close();
        } finally {
            sweep();
        }
    }

    private KernelChoice choice(HeldGraph held) {
        return backend.choice(held.device());
    }

    @Override
    public Levels bfs(int[] sources, int maxDepth, int[] stopTargets, RunContext control) {
        checkVertices("sources", sources);
        checkVertices("stopTargets", stopTargets);
        return search(Workload.bfs(sources.length, stopTargets.length, maxDepth), sources, stopTargets, control);
    }

    @Override
    public void multiSourceBfs(int[] sources, int maxDepth, DistanceSink sink, RunContext control) {
        checkVertices("sources", sources);
        if (sources.length == 0) {
            return;
        }
        Workload work = new Workload(Operation.MULTI_SOURCE_BFS, sources.length, maxDepth);
        onHeld(acquire(work, null, control), held -> {
            BatchKernels kernels = choice(held).choose(BatchKernels.class, held, work, control);
            new DeviceBatches(kernels, held, sources, maxDepth, control.stop()).run(sink, control);
            return held;
        });
    }

    @Override
    public int multiSourceBatchSize() {
        return backend.device().policy().batchSources();
    }

    @Override
    public NearestSources nearestSource(int[] sources, int maxDepth, RunContext control) {
        checkVertices("sources", sources);
        if (sources.length == 0) {
            control.stop().check();
            int[] unreached = new int[vertexCount()];
            Arrays.fill(unreached, UNREACHED);
            int[] none = new int[vertexCount()];
            Arrays.fill(none, NONE);
            return new NearestSources(unreached, none);
        }
        Workload work = new Workload(Operation.NEAREST_SOURCE, sources.length, maxDepth);
        Levels found = search(work, sources, NO_TARGETS, control);
        return NearestAssignment.assign(csc, sources, found.levels(), control);
    }

    @Override
    public Farness farness(Set<DistanceMeasure> measures, RunContext control) {
        return vertexCount() == 0 ? Farness.zeros(0, measures) : farness(Workload.farness(measures), null, control);
    }

    @Override
    public Farness farness(int[] sources, Set<DistanceMeasure> measures, RunContext control) {
        checkVertices("sources", sources);
        return sources.length == 0
                ? Farness.zeros(0, measures)
                : farness(Workload.farness(sources.length, measures), sources, control);
    }

    private Farness farness(Workload work, int[] vertices, RunContext control) {
        return onHeld(
                acquire(work, null, control),
                held -> FarnessSums.run(
                        List.of(sums(work, held, control, () -> {})), csc, vertices, work.measures(), control));
    }

    /**
     * Places sums on the device.
     *
     * @param order that of another device, so that both number the sources alike; null for the one that suits
     */
    DeviceSums sums(Workload work, SlotOrder order, RunContext control) {
        return opened(acquire(work, order, control), held -> sums(work, held, control, () -> end(held)));
    }

    private DeviceSums sums(Workload work, HeldGraph held, RunContext control, Runnable afterwards) {
        SumKernels kernels = choice(held).choose(SumKernels.class, held, work, control);
        return new DeviceSums(kernels, held, control, afterwards);
    }

    @Override
    public int[] components(RunContext control) {
        if (vertexCount() == 0) {
            return new int[0];
        }
        Workload work = new Workload(Operation.COMPONENTS, 0, NO_MAX_DEPTH);
        return onHeld(acquire(work, null, control), held -> choice(held)
                .choose(ComponentKernels.class, held, work, control)
                .run(held, control));
    }

    @Override
    public double[] betweenness(int[] sources, RunContext control) {
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
            int[] sources,
            WeightedCsc weights,
            SearchEnd end,
            double delta,
            boolean withPredecessors,
            RunContext control) {
        checkVertices("sources", sources);
        if (sources.length != 1) {
            throw new IllegalArgumentException("a device searches from one source: sources=" + sources.length);
        }
        return ShortestPaths.of(weights, sources, end, delta, withPredecessors, control, lengths -> {
            WeightedLists lists = WeightedLists.of(weights, lengths);
            Workload work = new Workload(Operation.SHORTEST_PATHS, 1, NO_MAX_DEPTH);
            double[] costs = onHeld(unordered(control), held -> {
                PathKernels kernels = choice(held).shortestPaths(held, lists, work, control);
                double width = delta == ANY_DELTA ? kernels.delta(lengths) : delta;
                return kernels.run(held, held.structure(lists), sources[0], width, control);
            });
            if (end.maxCost() != ShortestPaths.UNREACHED) {
                leaveOut(costs, end.maxCost(), control.stop());
            }
            return costs;
        });
    }

    /** The pinned graph of a run over weights, which lie in vertex id space. */
    private HeldGraph unordered(RunContext control) {
        return resident().acquireUnordered(control).mappingLists(mayMapLists);
    }

    @Override
    public CostSums costSums(int[] sources, WeightedCsc weights, boolean reciprocals, RunContext control) {
        checkVertices("sources", sources);
        WeightedCsc.Lengths lengths = ShortestPaths.lengths(weights, control);
        if (sources.length == 0) {
            return new CostSums(0, reciprocals);
        }
        if (!lengths.areCostsFinite(vertexCount())) {
            throw new KernelLimitException(
                    "The greatest weight is " + lengths.greatest()
                            + ", so that the cost of a path through " + vertexCount()
                            + " nodes may exceed the greatest FLOAT. Use backend: 'auto' or 'cpu', or project smaller weights.");
        }
        WeightedLists lists = WeightedLists.of(weights, lengths);
        Workload work = new Workload(Operation.COST_SUMS, sources.length, NO_MAX_DEPTH);
        return onHeld(unordered(control), held -> {
            PathKernels kernels = choice(held).shortestPaths(held, lists, work, control);
            return kernels.sums(held, held.structure(lists), sources, kernels.delta(lengths), reciprocals, control);
        });
    }

    /** Lets the vertices of a higher cost count as unreached. */
    private static void leaveOut(double[] costs, double maxCost, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        for (int vertex = 0; vertex < costs.length; vertex++) {
            paced.worked(1);
            if (costs[vertex] > maxCost) {
                costs[vertex] = ShortestPaths.UNREACHED;
            }
        }
    }

    @Override
    public List<Residence> residences() {
        ResidentGraph resident = resident();
        long bytes = resident.bytes();
        return bytes == 0
                ? List.of()
                : List.of(new Residence(resident.device().name(), bytes, resident.mappedBytes(), resident.order()));
    }

    /** The device memory that the graph takes now. */
    long bytes() {
        return resident().bytes();
    }

    @Override
    public void close() {
        if (reservation == null) {
            if (closed.compareAndSet(false, true)) {
                backend.removeHandle(csc);
            }
        } else if (lent.compareAndSet(false, true)) {
            // and is lent no more
            try {
                reservation.held.close();
            } finally {
                sweep();
            }
        }
    }

    /** The name of the device. */
    String deviceName() {
        return backend.device().name();
    }

    /** Whether both are on the same device. */
    boolean isBeside(DeviceGraph other) {
        return backend == other.backend;
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

    private Levels search(Workload work, int[] sources, int[] stopTargets, RunContext control) {
        return onHeld(acquire(work, null, control), held -> choice(held)
                .choose(BfsKernel.class, held, work, control)
                .run(held, sources, work.maxDepth(), stopTargets, control));
    }
}

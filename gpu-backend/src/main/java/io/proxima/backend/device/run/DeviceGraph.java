// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.CostSums;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.DistanceSink;
import io.proxima.backend.Farness;
import io.proxima.backend.GraphShape;
import io.proxima.backend.Kernel;
import io.proxima.backend.KernelLimitException;
import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.NearestSources;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
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
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.WeightedCsc;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/** A loaded graph that is traversed on a device. Handles of one CSC share its device structures. */
public final class DeviceGraph implements LoadedGraph {

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

    /**
     * What a view has reserved for the runs of a call, and lends to one of them at a time.
     *
     * @param kernel the name of the kernels of the first run
     */
    private record Reservation(HeldGraph held, String kernel, Workload work) {}

    public DeviceGraph(DeviceBackend backend, Csc csc) {
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
    public LoadedGraph reserve(Workload work, long searches, RunContext control) {
        return work.operation().readsLoadedGraph()
                ? reserved(work, searches, control)
                : LoadedGraph.super.reserve(work, searches, control);
    }

    /** A view of this handle that has reserved memory for runs; see {@link #reserve}. */
    DeviceGraph reserved(Workload work, long searches, RunContext control) {
        return reserved(acquire(work, searches, control), work, control);
    }

    @Override
    public List<LoadedGraph> reserveBoth(LoadedGraph other, Workload work, long searches, RunContext control) {
        return work.operation().readsLoadedGraph()
                ? List.copyOf(reserved((DeviceGraph) other, work, searches, control))
                : LoadedGraph.super.reserveBoth(other, work, searches, control);
    }

    /** Views of this handle and of another one on this device; see {@link #reserveBoth}. */
    List<DeviceGraph> reserved(DeviceGraph other, Workload work, long searches, RunContext control) {
        return reserved(
                other, other.acquire(work, searches, control), work, control, () -> reserved(work, searches, control));
    }

    /** The same for sums that views of another device have reserved. */
    List<DeviceGraph> reserved(DeviceGraph other, Workload work, List<DeviceGraph> like, RunContext control) {
        SlotOrder order = like.get(1).reservation.held.order();
        RunContext same = likewise(order, like.get(1).reservation.kernel, control);
        return reserved(
                other, other.acquire(order, work, control), work, same, () -> reserved(work, like.get(0), control));
    }

    private List<DeviceGraph> reserved(
            DeviceGraph other, HeldGraph held, Workload work, RunContext control, Supplier<DeviceGraph> reserving) {
        DeviceGraph first = other.opened(held, view -> {
            other.choice(view).promiseLeast(view.mappingLists(mayMapLists), work, control);
            return reserving.get();
        });
        boolean done = false;
        try {
            List<DeviceGraph> both = List.of(first, other.reserved(held, work, control));
            done = true;
            return both;
        } finally {
            if (!done) {
                first.close();
            }
        }
    }

    /** The same for sums that a view of another device has reserved; both number the sources alike. */
    DeviceGraph reserved(Workload work, DeviceGraph like, RunContext control) {
        SlotOrder order = like.reservation.held.order();
        return reserved(acquire(order, work, control), work, likewise(order, like.reservation.kernel, control));
    }

    private DeviceGraph reserved(HeldGraph held, Workload work, RunContext control) {
        countPreparation();
        return opened(held, view -> {
            DeviceKernels kernels = choice(view).choose(DeviceKernels.class, view, work, control);
            return new DeviceGraph(backend, csc, mayMapLists, closed, new Reservation(view, kernels.name(), work));
        });
    }

    private HeldGraph acquire(Workload work, RunContext control) {
        return acquire(work, work.searches(vertexCount()), control);
    }

    private HeldGraph acquire(Workload work, long searches, RunContext control) {
        ResidentGraph resident = resident();
        backend.choice(resident.device()).check(work.operation(), control.options(), GraphShape.of(csc));
        return lends(resident, work, control)
                ? reservation.held
                : resident.acquire(control, searches).mappingLists(mayMapLists);
    }

    private HeldGraph acquire(SlotOrder order, Workload work, RunContext control) {
        ResidentGraph resident = resident();
        return reservation != null && reservation.held.order().isSameAs(order) && lends(resident, work, control)
                ? reservation.held
                : resident.acquire(order, control).mappingLists(mayMapLists);
    }

    /** Lends what was reserved, if the run is one of those it was reserved for and no other has it. */
    private boolean lends(ResidentGraph resident, Workload work, RunContext control) {
        return reservation != null
                && reservation.work.covers(work, vertexCount())
                && reservation.held.isFor(resident, work.operation(), control.options())
                && lent.compareAndSet(false, true);
    }

    /** A context for runs with the order and the kernels of another device. */
    private static RunContext likewise(SlotOrder order, String kernel, RunContext control) {
        return control.with(new RunOptions(order.order(), Kernel.of(kernel)));
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
        if (reservation != null && view == reservation.held) {
            try {
                view.endRun();
            } finally {
                lent.set(false);
            }
            return;
        }
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
        onHeld(acquire(work, control), view -> {
            BatchKernels kernels = choice(view).choose(BatchKernels.class, view, work, control);
            new DeviceBatches(kernels, view, sources, maxDepth, control.stop()).run(sink, control);
            return view;
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
                acquire(work, control),
                view -> FarnessSums.run(
                        List.of(sums(work, view, control, () -> {})), csc, vertices, work.measures(), control));
    }

    /** Places sums on the device, in the order and with the kernels that suit the graph. */
    DeviceSums sums(Workload work, RunContext control) {
        return opened(acquire(work, control), view -> sums(work, view, control, () -> end(view)));
    }

    /** Places the same sums as another device has, so that both number the sources alike. */
    DeviceSums sums(Workload work, DeviceSums like, RunContext control) {
        RunContext same = likewise(like.order(), like.kernel(), control);
        return opened(acquire(like.order(), work, control), view -> sums(work, view, same, () -> end(view)));
    }

    private DeviceSums sums(Workload work, HeldGraph view, RunContext control, Runnable afterwards) {
        SumKernels kernels = choice(view).choose(SumKernels.class, view, work, control);
        return new DeviceSums(kernels, view, control, afterwards);
    }

    @Override
    public int[] components(RunContext control) {
        if (vertexCount() == 0) {
            return new int[0];
        }
        Workload work = new Workload(Operation.COMPONENTS, 0, NO_MAX_DEPTH);
        return onHeld(acquire(work, control), view -> choice(view)
                .choose(ComponentKernels.class, view, work, control)
                .run(view, control));
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
            double[] costs = onHeld(unordered(control), view -> {
                PathKernels kernels = choice(view).shortestPaths(view, lists, work, control);
                double width = delta == ANY_DELTA ? kernels.delta(lengths) : delta;
                return kernels.run(view, view.structure(lists), sources[0], width, control);
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
        return onHeld(unordered(control), view -> {
            PathKernels kernels = choice(view).shortestPaths(view, lists, work, control);
            return kernels.sums(view, view.structure(lists), sources, kernels.delta(lengths), reciprocals, control);
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
        return onHeld(acquire(work, control), view -> choice(view)
                .choose(BfsKernel.class, view, work, control)
                .run(view, sources, work.maxDepth(), stopTargets, control));
    }
}

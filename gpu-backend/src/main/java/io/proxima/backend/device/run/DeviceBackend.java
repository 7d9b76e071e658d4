// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.BackendSettings;
import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.GraphShape;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.MemoryEstimate;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.Workload;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.graph.Placed;
import io.proxima.backend.device.graph.Placement;
import io.proxima.backend.device.graph.ResidentGraph;
import io.proxima.backend.device.graph.ResidentStructures.Contents;
import io.proxima.backend.device.kernel.KernelFamilies;
import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.GraphDepth;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Traversal on one device. A graph is copied there at its first run; see {@link ResidentGraph}.
 *
 * <p>When the device fails, its runs fail, and the next call tries to open it again in a new context. Graphs are then
 * copied again, as after an eviction. After a kernel fault, a driver may refuse the device to the whole process
 * (docs/decisions/0031). Then, and after repeated failures, the device stays lost.
 */
public final class DeviceBackend implements TraversalBackend {

    /**
     * A device with this number of failures within {@link #FAILURE_WINDOW} is not opened again before the first of them
     * is older.
     */
    public static final int MOST_FAILURES = 3;

    private static final Duration FAILURE_WINDOW = Duration.ofHours(1);

    private static final String NEXT_CALL = " The next call tries to open the device again. Or use backend: 'cpu'.";

    private final KernelFamilies families;
    private final Supplier<Device> opening;
    private final LongSupplier nanoTime;

    // guarded by this
    private final IdentityHashMap<Csc, ResidentGraph> graphs = new IdentityHashMap<>();
    private final ArrayDeque<Long> failures = new ArrayDeque<>();

    private final GraphPreparer preparer;
    private volatile Device device;
    // what callers can do about a lost device
    private volatile String outlook = NEXT_CALL;

    /**
     * A backend on a device.
     *
     * @param families the families whose kernels may run on the device
     * @param opening opens the device; called at once, and again after a failure
     * @param settings the budget and the log of background work
     * @param nanoTime as {@link System#nanoTime}
     * @throws RuntimeException any exception of {@code opening}
     */
    public DeviceBackend(
            KernelFamilies families, Supplier<Device> opening, BackendSettings settings, LongSupplier nanoTime) {
        this.families = families;
        this.opening = opening;
        this.nanoTime = nanoTime;
        this.device = opening.get();
        this.preparer = new GraphPreparer(
                families,
                this::sweep,
                failure -> settings.log()
                        .accept("Background work on a graph on " + name() + " failed; the graph stays as it is: "
                                + failure),
                settings.heap());
    }

    private String name() {
        return device.name();
    }

    /** Why the device cannot be used and what to do about it; empty while it can. */
    public String lost() {
        String lost = device.lost();
        return lost.isEmpty() ? "" : lost + outlook;
    }

    /**
     * Opens the device again if it has failed, unless it fails too often or a run still uses it.
     *
     * @return as {@link #lost}
     */
    public synchronized String reopen() {
        Device failed = device;
        if (failed.lost().isEmpty()) {
            return "";
        }
        long now = nanoTime.getAsLong();
        while (!failures.isEmpty() && now - failures.peek() > FAILURE_WINDOW.toNanos()) {
            failures.remove();
        }
        boolean givenUp = failed.giveUp();
        if (failures.size() >= MOST_FAILURES - 1) {
            outlook = " It has failed " + MOST_FAILURES
                    + " times within an hour, so it is not used for an hour. "
                    + failed.remedies().findCause()
                    + ", or use backend: 'cpu'.";
            return lost();
        }
        if (!givenUp) {
            outlook = " It is opened again when its running calls have ended. Repeat the call, or use backend: 'cpu'.";
            return lost();
        }
        try {
            device = opening.get();
        } catch (DeviceFailureException e) {
            outlook = " It could not be opened again: " + e.getMessage() + " "
                    + failed.remedies().findCause() + ".";
            return lost();
        }
        outlook = NEXT_CALL;
        failures.add(now);
        graphs.replaceAll((csc, resident) -> resident.on(device));
        return "";
    }

    @Override
    public BackendInfo info() {
        Device current = device;
        // this call may find that the device has failed
        long available = current.memory().availableBytes();
        String lost = lost();
        return new BackendInfo(
                current.name(),
                lost.isEmpty(),
                lost,
                current.facts().name(),
                current.facts().version(),
                current.facts().totalBytes(),
                available,
                current.driverVersion());
    }

    /**
     * {@inheritDoc} The estimate for the device is an upper bound, close if everything is known; see {@link
     * RunEstimate}.
     */
    @Override
    public MemoryEstimate estimate(GraphShape graph, Workload work, int concurrency) {
        Contents nothing = Contents.none(graph.symmetric());
        return estimate(device, graph, EnumSet.allOf(GraphDepth.class), nothing, work, concurrency);
    }

    @Override
    public MemoryEstimate estimate(Csc graph, boolean searched, Workload work, int concurrency) {
        ResidentGraph resident = resident(graph);
        Device on = resident.device();
        Contents contents = resident.contents(on.policy().order(work.options()));
        Set<GraphDepth> depth = EnumSet.of(graph.depth(Stop.NEVER));
        return estimate(on, GraphShape.of(graph, searched), depth, contents, work, concurrency);
    }

    private MemoryEstimate estimate(
            Device on, GraphShape graph, Set<GraphDepth> depths, Contents contents, Workload work, int concurrency) {
        if (!work.inBoth() || graph.symmetric()) {
            return either(runs(on, graph, depths, contents, work, concurrency));
        }
        GraphShape reversed = new GraphShape(graph.vertexCount(), graph.entryCount(), false, true, false);
        List<RunEstimate> against =
                runs(on, reversed, EnumSet.allOf(GraphDepth.class), Contents.none(false), work, concurrency);
        // as two graphs are reserved: at first the least of the reversed one
        List<Placement> least = against.stream().map(RunEstimate::least).toList();
        long arrays = most(least, Placement::arrays);
        MemoryEstimate along = on.memory()
                .asIfPromised(
                        arrays,
                        most(least, Placement::workspace),
                        most(least, Placement::mapped),
                        () -> either(runs(on, graph, depths, contents, work, concurrency)));
        return along.beside(either(against), arrays, Placed.roomFor(on, contents));
    }

    private List<RunEstimate> runs(
            Device on, GraphShape graph, Set<GraphDepth> depths, Contents contents, Workload work, int concurrency) {
        return choice(on).possible(work, graph, depths, contents).stream()
                .map(kernels -> new RunEstimate(on, graph, contents, kernels, concurrency))
                .toList();
    }

    private static MemoryEstimate either(List<RunEstimate> runs) {
        return runs.stream()
                .map(RunEstimate::estimate)
                .reduce(MemoryEstimate::either)
                .orElseThrow();
    }

    private static long most(List<Placement> placements, ToLongFunction<Placement> bytes) {
        return placements.stream().mapToLong(bytes).max().orElse(0);
    }

    /** Chooses the kernels of runs on a device. */
    KernelChoice choice(Device on) {
        return new KernelChoice(on, families);
    }

    @Override
    public LoadedGraph load(Csc graph) {
        DeviceGraph handle = new DeviceGraph(this, graph);
        // last: a full heap must not leave a handle that nobody closes
        synchronized (this) {
            graphs.computeIfAbsent(graph, csc -> new ResidentGraph(csc, device, preparer))
                    .addHandle();
        }
        return handle;
    }

    /** The graph on the current device. A graph without a handle is not kept. */
    public synchronized ResidentGraph resident(Csc graph) {
        ResidentGraph resident = graphs.get(graph);
        return resident == null ? new ResidentGraph(graph, device, preparer) : resident;
    }

    /** Releases one handle of a graph. */
    void removeHandle(Csc graph) {
        synchronized (this) {
            if (graphs.get(graph).removeHandle()) {
                graphs.remove(graph);
            }
        }
        sweep();
    }

    /** Frees the workspace if no graph has a handle. */
    void sweep() {
        Device current = device;
        if (isWithoutGraphs()) {
            current.workspace().close();
        }
        current.reclaim();
    }

    /** Whether no graph has a handle. */
    synchronized boolean isWithoutGraphs() {
        return graphs.isEmpty();
    }

    /** Prepares the graphs on this device for repeated use. */
    public GraphPreparer preparer() {
        return preparer;
    }

    /** The current device; it changes after a failure. */
    public Device device() {
        return device;
    }

    /** Releases the device. The caller ensures that nothing runs. */
    @Override
    public void close() {
        try {
            preparer.close();
        } finally {
            device.close();
        }
    }
}

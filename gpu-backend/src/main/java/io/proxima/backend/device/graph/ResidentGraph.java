// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.graph;

import io.proxima.backend.RunContext;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceMemory;
import io.proxima.backend.device.SlotOrder;
import io.proxima.backend.order.OrderPolicy;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.csc.Csc;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * A graph on a device. It refers to one set of structures in one order, which runs pin, and beside it to structures in
 * vertex id space. Another order is another set: once a run is admitted to it, later runs use it, and the former set is
 * freed when the last run that pins it ends. Thread-safe.
 */
public final class ResidentGraph {

    private static final String IN_VERTEX_ORDER = "Runs of this kind need no order.";

    private final Csc graph;
    private final Device device;
    private final DeviceMemory memory;
    private final Preparer preparer;
    private final ReentrantLock buildLock = new ReentrantLock();

    // guarded by memory
    private ResidentStructures structures;
    // in another order, which replaces the structures once a run is admitted to it; null if there is none
    private ResidentStructures coming;
    // in vertex id space, whatever the order of the others
    private ResidentStructures unordered;
    private int handles;
    private int runs;
    private long automaticRuns;
    // automatic runs after which the graph is to be prepared for repeated use
    private long runsBeforePreparing;

    /** Prepares graphs for repeated use, in the background. Thread-safe. */
    public interface Preparer {

        /** Queues a graph, unless it waits already, and returns at once. */
        void prepare(ResidentGraph graph);

        /** Drops a graph that has no handle any more: it would stay on the heap, uncounted. */
        void forget(ResidentGraph graph);
    }

    /** A graph without structures. */
    public ResidentGraph(Csc graph, Device device, Preparer preparer) {
        this.graph = graph;
        this.device = device;
        this.memory = device.memory();
        this.preparer = preparer;
        this.runsBeforePreparing = device.policy().runsBeforePreparing();
    }

    public Csc graph() {
        return graph;
    }

    /** The device on which the graph is or will be resident. */
    public Device device() {
        return device;
    }

    /** Moves the handles of the graph to another device, where it has no structures. */
    public ResidentGraph on(Device other) {
        ResidentGraph moved = new ResidentGraph(graph, other, preparer);
        synchronized (memory) {
            moved.handles = handles;
            handles = 0;
        }
        preparer.forget(this);
        return moved;
    }

    /** Adds a handle: a loaded graph that is not closed. */
    public void addHandle() {
        synchronized (memory) {
            handles++;
        }
    }

    /**
     * Removes a handle. The device memory is freed with the last handle, or when the last run ends.
     *
     * @return whether it was the last handle
     */
    public boolean removeHandle() {
        boolean last;
        synchronized (memory) {
            handles--;
            freeIfUnused();
            last = handles == 0;
        }
        if (last) {
            preparer.forget(this);
        }
        return last;
    }

    /** Whether the graph has no handle. */
    public boolean isAbandoned() {
        synchronized (memory) {
            return handles == 0;
        }
    }

    /**
     * Pins the graph for a run, in the order that the run requests, which is computed first if necessary. {@link
     * HeldGraph#require} makes its structures resident.
     *
     * @param searches number of sources of the run
     * @throws StoppedException if the stop was requested
     */
    public HeldGraph acquire(RunContext control, long searches) {
        VertexOrder wanted = device.policy().order(control.options());
        HeldGraph held = holdIfSuits(wanted, control);
        if (held == null) {
            lockBuild(control.stop());
            try {
                held = holdIfSuits(wanted, control);
                if (held == null) {
                    held = install(firstOrder(wanted, searches, control), control, wanted == VertexOrder.AUTO);
                }
            } finally {
                unlockBuild();
            }
        }
        return held;
    }

    /** Pins the graph for a run that reads only structures in vertex id space, which do not depend on the order. */
    public HeldGraph acquireUnordered(RunContext control) {
        synchronized (memory) {
            if (unordered == null) {
                unordered = newStructures(SlotOrder.natural(IN_VERTEX_ORDER));
            }
            return hold(unordered, control, false);
        }
    }

    /**
     * Pins the graph for a run in this very order, which another device has found.
     *
     * @throws StoppedException if the stop was requested
     */
    public HeldGraph acquire(SlotOrder order, RunContext control) {
        HeldGraph held = holdIfSame(order, control);
        if (held == null) {
            lockBuild(control.stop());
            try {
                held = holdIfSame(order, control);
                if (held == null) {
                    held = install(order, control, false);
                }
            } finally {
                unlockBuild();
            }
        }
        return held;
    }

    /** Takes an order that another device has found, unless the graph has one. */
    public void adopt(SlotOrder order) {
        synchronized (memory) {
            if (structures == null && handles > 0) {
                structures = newStructures(order);
            }
        }
    }

    /** An empty set of structures in an order. */
    public ResidentStructures newStructures(SlotOrder order) {
        return new ResidentStructures(graph, order, memory);
    }

    private HeldGraph holdIfSame(SlotOrder order, RunContext control) {
        List<ResidentStructures> known;
        synchronized (memory) {
            known = Stream.of(structures, coming).filter(Objects::nonNull).toList();
        }
        for (ResidentStructures one : known) {
            // outside of the monitor, because comparing two permutations takes long
            if (one.order().isSameAs(order)) {
                synchronized (memory) {
                    return one == structures || one == coming ? hold(one, control, false) : null;
                }
            }
        }
        return null;
    }

    /** What is resident for a run with the requested order. */
    public ResidentStructures.Contents contents(VertexOrder wanted) {
        synchronized (memory) {
            return suits(wanted) ? structures.contents() : ResidentStructures.Contents.none(graph.isSymmetric());
        }
    }

    /** The structures in the requested order; null if there are none. */
    private ResidentStructures suiting(VertexOrder wanted) {
        if (suits(wanted)) {
            return structures;
        }
        return coming != null && coming.order().order() == wanted ? coming : null;
    }

    private boolean suits(VertexOrder wanted) {
        return structures != null
                && (wanted == VertexOrder.AUTO || structures.order().order() == wanted || graph.vertexCount() == 0);
    }

    private SlotOrder firstOrder(VertexOrder wanted, long searches, RunContext control) {
        boolean overSliceSets = device.policy().asksForSliceSets(control.options());
        OrderPolicy first =
                OrderPolicy.first(graph, wanted, searches, overSliceSets, control.concurrency(), control.stop());
        return SlotOrder.of(graph, first, control);
    }

    private HeldGraph holdIfSuits(VertexOrder wanted, RunContext control) {
        synchronized (memory) {
            ResidentStructures suiting = suiting(wanted);
            return suiting == null ? null : hold(suiting, control, wanted == VertexOrder.AUTO);
        }
    }

    private HeldGraph install(SlotOrder order, RunContext control, boolean anyOrder) {
        synchronized (memory) {
            ResidentStructures installed = newStructures(order);
            if (structures == null) {
                structures = installed;
            } else {
                retire(coming);
                coming = installed;
            }
            return hold(installed, control, anyOrder);
        }
    }

    /** Called within the monitor of the memory when a run is admitted, which may evict what its order replaces. */
    void admit(ResidentStructures held) {
        if (held == coming) {
            retire(structures);
            structures = coming;
            coming = null;
        }
    }

    private HeldGraph hold(ResidentStructures held, RunContext control, boolean anyOrder) {
        return hold(held, control, anyOrder, false);
    }

    private HeldGraph hold(ResidentStructures held, RunContext control, boolean anyOrder, boolean inBackground) {
        synchronized (memory) {
            HeldGraph view = new HeldGraph(this, held, control, anyOrder, inBackground);
            // last: a run whose view does not fit the heap would stay for good
            runs++;
            return view;
        }
    }

    /**
     * Pins a set of structures of the graph for work in the background, which does not count as a use and was
     * promised nothing.
     */
    public HeldGraph hold(ResidentStructures held, RunContext control) {
        return hold(held, control, false, true);
    }

    /** The current structures; null before the first run, or if the graph has no handle. */
    public ResidentStructures structures() {
        synchronized (memory) {
            return handles == 0 ? null : structures;
        }
    }

    /**
     * Replaces the structures for later runs.
     *
     * @return whether {@code before} were still the current ones
     */
    public boolean swap(ResidentStructures before, ResidentStructures next) {
        synchronized (memory) {
            if (structures != before || handles == 0) {
                return false;
            }
            structures = next;
            before.retire();
            return true;
        }
    }

    /** Called when a run has ended and unpinned the graph. */
    void released() {
        synchronized (memory) {
            runs--;
            freeIfUnused();
        }
        device.reclaim();
    }

    /** Called when a run without a requested order has ended. */
    void usedInAnyOrder() {
        synchronized (memory) {
            automaticRuns++;
            if (automaticRuns != runsBeforePreparing) {
                return;
            }
            // again, because the work may fail or lack memory, and records may be evicted
            runsBeforePreparing *= 2;
        }
        preparer.prepare(this);
    }

    /** The value of the configuration key {@code order} for the current order; empty before the first run. */
    public String order() {
        SlotOrder current = slotOrder();
        return current == null ? "" : current.name();
    }

    /** The current order; null before the first run. */
    public SlotOrder slotOrder() {
        synchronized (memory) {
            return structures == null ? null : structures.order();
        }
    }

    /** The current bytes in mapped host memory. */
    public long mappedBytes() {
        return sum(ResidentStructures::mappedBytes);
    }

    /** The current bytes on the device. */
    public long bytes() {
        return sum(ResidentStructures::bytes);
    }

    private long sum(ToLongFunction<ResidentStructures> bytes) {
        synchronized (memory) {
            return Stream.of(structures, unordered)
                    .filter(Objects::nonNull)
                    .mapToLong(bytes)
                    .sum();
        }
    }

    private void freeIfUnused() {
        if (handles == 0 && runs == 0) {
            retire(structures);
            retire(coming);
            retire(unordered);
            structures = null;
            coming = null;
            unordered = null;
        }
    }

    private static void retire(ResidentStructures freed) {
        if (freed != null) {
            freed.retire();
        }
    }

    /**
     * Waits until no other builder works for this graph.
     *
     * @throws StoppedException if the stop was requested
     */
    void lockBuild(Stop stop) {
        stop.lock(buildLock);
    }

    void unlockBuild() {
        buildLock.unlock();
    }
}

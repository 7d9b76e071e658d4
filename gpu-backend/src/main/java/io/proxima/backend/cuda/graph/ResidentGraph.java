// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import io.proxima.backend.RunControl;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceMemory;
import io.proxima.backend.cuda.device.SlotOrder;
import io.proxima.backend.order.VertexOrder;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.Csc;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A graph on a device. It has one layout at a time, which runs pin, and beside it structures in vertex id space. The layout
 * may be replaced at any time: runs that have begun continue with the layout that they pin, and it is freed when the last of
 * them ends. Thread-safe.
 */
public final class ResidentGraph {

    private static final long LOCK_POLL_MILLIS = 20;

    private static final String IN_VERTEX_ORDER = "Runs of this kind need no order.";

    private final Csc graph;
    private final CudaDevice device;
    private final DeviceMemory memory;
    private final OrderAdvisor advisor;
    private final ReentrantLock buildLock = new ReentrantLock();

    // guarded by memory
    private GraphLayout layout;
    // structures in vertex id space, whatever the order of the other layout
    private GraphLayout unordered;
    private int holders;
    private int runs;
    private long automaticRuns;
    // automatic runs after which the graph is to be prepared for repeated use
    private long runsBeforeImproving;

    /** A graph without a layout. */
    public ResidentGraph(Csc graph, CudaDevice device, OrderAdvisor advisor) {
        this.graph = graph;
        this.device = device;
        this.memory = device.memory();
        this.advisor = advisor;
        this.runsBeforeImproving = device.policy().runsBeforeImproving();
    }

    public Csc graph() {
        return graph;
    }

    /** The device on which the graph is or will be resident. */
    public CudaDevice device() {
        return device;
    }

    /** Moves the handles of the graph to another device, where it has no layout. */
    public ResidentGraph on(CudaDevice other) {
        ResidentGraph moved = new ResidentGraph(graph, other, advisor);
        synchronized (memory) {
            moved.holders = holders;
            holders = 0;
        }
        advisor.forget(this);
        return moved;
    }

    /** Adds a handle: a loaded graph that is not closed. */
    public void hold() {
        synchronized (memory) {
            holders++;
        }
    }

    /**
     * Removes a handle. The device memory is freed with the last handle, or when the last run ends.
     *
     * @return whether it was the last handle
     */
    public boolean letGo() {
        boolean last;
        synchronized (memory) {
            holders--;
            freeIfUnused();
            last = holders == 0;
        }
        if (last) {
            advisor.forget(this);
        }
        return last;
    }

    /** Whether the graph has no handle. */
    public boolean isAbandoned() {
        synchronized (memory) {
            return holders == 0;
        }
    }

    /**
     * Pins the graph for a run, in the order that the run requests, which is computed first if necessary. {@link
     * HeldGraph#require} makes its structures resident.
     *
     * @param searches number of sources of the run
     * @throws StoppedException if the stop was requested
     */
    public HeldGraph acquire(RunControl control, long searches) {
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
    public HeldGraph acquireUnordered(RunControl control) {
        synchronized (memory) {
            if (unordered == null) {
                unordered = layout(SlotOrder.natural(IN_VERTEX_ORDER));
            }
            return hold(unordered, control, false);
        }
    }

    /**
     * Pins the graph for a run in this very order, which another device has found.
     *
     * @throws StoppedException if the stop was requested
     */
    public HeldGraph acquire(SlotOrder order, RunControl control) {
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
            if (layout == null && holders > 0) {
                layout = layout(order);
            }
        }
    }

    private GraphLayout layout(SlotOrder order) {
        return new GraphLayout(graph, order, memory);
    }

    private HeldGraph holdIfSame(SlotOrder order, RunControl control) {
        GraphLayout current;
        synchronized (memory) {
            current = layout;
        }
        if (current == null || !current.order().isSameAs(order)) {
            return null;
        }
        synchronized (memory) {
            return layout == current ? hold(current, control, false) : null;
        }
    }

    /** The state of the layout for a run with the requested order. */
    public LayoutState state(VertexOrder wanted) {
        synchronized (memory) {
            return suits(wanted) ? layout.state() : LayoutState.nowhere(graph.isSymmetric());
        }
    }

    private boolean suits(VertexOrder wanted) {
        return layout != null
                && (wanted == VertexOrder.AUTO || layout.order().order() == wanted || graph.vertexCount() == 0);
    }

    private SlotOrder firstOrder(VertexOrder wanted, long searches, RunControl control) {
        return advisor.first(graph, wanted, searches, device.policy().asksForSliceSets(control.options()), control);
    }

    private HeldGraph holdIfSuits(VertexOrder wanted, RunControl control) {
        synchronized (memory) {
            return suits(wanted) ? hold(layout, control, wanted == VertexOrder.AUTO) : null;
        }
    }

    private HeldGraph install(SlotOrder order, RunControl control, boolean anyOrder) {
        synchronized (memory) {
            GraphLayout before = layout;
            layout = layout(order);
            retire(before);
            return hold(layout, control, anyOrder);
        }
    }

    private HeldGraph hold(GraphLayout held, RunControl control, boolean anyOrder) {
        synchronized (memory) {
            HeldGraph view = new HeldGraph(this, held, control, anyOrder);
            // last: a run whose view does not fit the heap would stay for good
            runs++;
            return view;
        }
    }

    /** The current layout; null before the first run, or if the graph has no handle. */
    public GraphLayout layout() {
        synchronized (memory) {
            return holders == 0 ? null : layout;
        }
    }

    /**
     * Pins a layout of the graph for work in the background.
     *
     * @param beside the current layout; {@code held} is this layout or its replacement
     * @return null if {@code beside} is no longer the current layout
     */
    public HeldGraph holdBeside(GraphLayout beside, GraphLayout held, RunControl control) {
        synchronized (memory) {
            return layout == beside && holders > 0 ? hold(held, control, false).with(RunMemory.ON_DEVICE) : null;
        }
    }

    /**
     * Replaces the layout for later runs.
     *
     * @return whether {@code before} was still the current layout
     */
    public boolean exchange(GraphLayout before, GraphLayout next) {
        synchronized (memory) {
            if (layout != before) {
                return false;
            }
            layout = next;
            before.structures().retire();
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
            if (automaticRuns != runsBeforeImproving) {
                return;
            }
            // the work may be dropped or lack memory, and records may be evicted
            runsBeforeImproving *= 2;
            // another layout would not fit beside this one
            if (mappedBytes() > 0) {
                return;
            }
        }
        advisor.improve(this);
    }

    /** The value of the configuration key {@code order} for the current order; empty before the first run. */
    public String order() {
        synchronized (memory) {
            return layout == null ? "" : layout.order().name();
        }
    }

    /** The current order; null before the first run. */
    public SlotOrder slotOrder() {
        synchronized (memory) {
            return layout == null ? null : layout.order();
        }
    }

    /** The current bytes in mapped host memory. */
    public long mappedBytes() {
        synchronized (memory) {
            return (layout == null ? 0 : layout.structures().mappedBytes())
                    + (unordered == null ? 0 : unordered.structures().mappedBytes());
        }
    }

    /** The current bytes on the device. */
    public long bytes() {
        synchronized (memory) {
            return bytes(layout) + bytes(unordered);
        }
    }

    private static long bytes(GraphLayout of) {
        return of == null ? 0 : of.structures().bytes();
    }

    private void freeIfUnused() {
        if (holders == 0 && runs == 0) {
            retire(layout);
            retire(unordered);
            layout = null;
            unordered = null;
        }
    }

    private static void retire(GraphLayout freed) {
        if (freed != null) {
            freed.structures().retire();
        }
    }

    /**
     * Waits until no other builder works for this graph.
     *
     * @throws StoppedException if the stop was requested
     */
    void lockBuild(Stop stop) {
        try {
            while (!buildLock.tryLock(LOCK_POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                stop.check();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoppedException();
        }
    }

    void unlockBuild() {
        buildLock.unlock();
    }
}

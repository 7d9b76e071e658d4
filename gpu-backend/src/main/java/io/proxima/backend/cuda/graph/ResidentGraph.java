// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import io.proxima.backend.RunControl;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceMemory;
import io.proxima.backend.cuda.device.SlotOrder;
import io.proxima.backend.order.VertexOrder;
import io.proxima.backend.saved.SavedOrder;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.Csc;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A graph on a device. It has one layout at a time, which runs pin, and beside it structures in vertex id space. The layout
 * may be replaced at any time: runs that have begun continue with the layout that they pin, and it is freed when the last of
 * them ends. Thread-safe.
 *
 * <p>The class is long because handles, runs, layouts and the place of the lists share one state.
 */
public final class ResidentGraph {

    private static final long LOCK_POLL_MILLIS = 20;

    private static final String IN_VERTEX_ORDER = "Runs of this kind need no order.";

    private final Csc graph;
    private final CudaDevice device;
    private final DeviceMemory memory;
    private final OrderAdvisor advisor;
    private final SavedLayouts savedLayouts;
    private final ReentrantLock making = new ReentrantLock();

    // guarded by memory
    private GraphLayout layout;
    // structures in vertex id space, whatever the order of the other layout
    private GraphLayout unordered;
    private boolean mapped;
    // free and own memory that the run lacked for which the lists were mapped
    private long roomToReturn;
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
        this.savedLayouts = new SavedLayouts(this, advisor);
        this.runsBeforeImproving = device.policy().runsBeforeImproving();
    }

    public Csc graph() {
        return graph;
    }

    /** The device on which the graph is or will be resident. */
    public CudaDevice device() {
        return device;
    }

    /** The saved layouts of the graph. */
    public SavedLayouts savedLayouts() {
        return savedLayouts;
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
        returnIfThereIsRoom();
        HeldGraph held = holdIfSuits(wanted, control);
        if (held == null) {
            lockMaking(control.stop());
            try {
                held = holdIfSuits(wanted, control);
                if (held == null) {
                    held = install(firstLayout(wanted, searches, control), control, wanted == VertexOrder.AUTO);
                }
            } finally {
                unlockMaking();
            }
        }
        return held;
    }

    /** Pins the graph for a run that reads only structures in vertex id space, which do not depend on the order. */
    public HeldGraph acquireUnordered(RunControl control) {
        returnIfThereIsRoom();
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
        returnIfThereIsRoom();
        HeldGraph held = holdIfSame(order, control);
        if (held == null) {
            lockMaking(control.stop());
            try {
                held = holdIfSame(order, control);
                if (held == null) {
                    held = install(() -> layout(order), control, false);
                }
            } finally {
                unlockMaking();
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

    /** A layout without structures, mapped if the graph is. To be installed in the same section. */
    private GraphLayout layout(SlotOrder order) {
        return new GraphLayout(graph, order, memory, mapped);
    }

    /**
     * Lets later runs read the lists of neighbours in mapped host memory, after a run over lists on the device for which it
     * has too little memory. The order stays. Runs that have begun continue with the structures that they pin.
     *
     * @param missingBytes the device memory that the run lacked; 0 if that is unknown
     * @return what reverts this, because it did not help: it does nothing if another run had mapped the lists before, or
     *     reads them now. Empty if mapping them is not allowed
     */
    public Optional<Runnable> map(long missingBytes) {
        synchronized (memory) {
            if (mapped) {
                return Optional.of(() -> {});
            }
            if (graph.entryCount() == 0 || memory.availableMappedBytes() == 0) {
                return Optional.empty();
            }
            roomToReturn = room() + (missingBytes > 0 ? missingBytes : listBytes());
            relocate(true);
            return Optional.of(this::unmap);
        }
    }

    private void unmap() {
        synchronized (memory) {
            if (mapped && !isInUse(layout) && !isInUse(unordered)) {
                relocate(false);
            }
        }
        device.reclaim();
    }

    private static boolean isInUse(GraphLayout of) {
        return of != null && of.structures().isInUse();
    }

    private void relocate(boolean toMapped) {
        mapped = toMapped;
        GraphLayout before = layout;
        layout = null;
        retire(unordered);
        unordered = null;
        if (before != null) {
            before.structures().retire();
            layout = layout(before.order());
        }
    }

    /** Builds the lists on the device again if they are mapped, no run reads them, and enough memory was freed. */
    private void returnIfThereIsRoom() {
        synchronized (memory) {
            if (mapped && runs == 0 && room() >= roomToReturn) {
                relocate(false);
            }
        }
    }

    private long listBytes() {
        return Csr.Layout.of(graph.vertexCount(), graph.entryCount()).bytes() * (graph.isSymmetric() ? 1 : 2);
    }

    private long room() {
        return memory.availableBytes() + bytesInUse(layout) + bytesInUse(unordered);
    }

    private static long bytesInUse(GraphLayout of) {
        return of == null ? 0 : of.structures().bytesInUse();
    }

    /** Whether the lists of neighbours lie in mapped host memory, or will. */
    public boolean isMapped() {
        synchronized (memory) {
            return mapped;
        }
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
        boolean mayBeSaved = wanted != VertexOrder.NATURAL && savedLayouts.areKept();
        synchronized (memory) {
            return suits(wanted) ? layout.state() : LayoutState.nowhere(graph.isSymmetric(), mapped, mayBeSaved);
        }
    }

    private boolean suits(VertexOrder wanted) {
        return layout != null
                && (wanted == VertexOrder.AUTO || layout.order().order() == wanted || graph.vertexCount() == 0);
    }

    /** The first layout in the requested order, to be made when it is known where the lists lie. */
    private Supplier<GraphLayout> firstLayout(VertexOrder wanted, long searches, RunControl control) {
        boolean overSliceSets = device.policy().asksForSliceSets(control.options());
        SavedOrder saved = savedLayouts.find(wanted, overSliceSets, control);
        if (saved != null) {
            // what is saved besides the order does not fit beside mapped lists
            return () -> mapped ? layout(GraphLayout.savedOrder(saved)) : new GraphLayout(graph, saved, memory);
        }
        SlotOrder order = advisor.first(graph, wanted, searches, overSliceSets, control);
        savedLayouts.saveInBackground(order);
        return () -> layout(order);
    }

    private HeldGraph holdIfSuits(VertexOrder wanted, RunControl control) {
        synchronized (memory) {
            return suits(wanted) ? hold(layout, control, wanted == VertexOrder.AUTO) : null;
        }
    }

    private HeldGraph install(Supplier<GraphLayout> next, RunControl control, boolean anyOrder) {
        synchronized (memory) {
            GraphLayout before = layout;
            layout = next.get();
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
            return layout == beside && holders > 0 ? hold(held, control, false) : null;
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
            if (mapped) {
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
    void lockMaking(Stop stop) {
        try {
            while (!making.tryLock(LOCK_POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                stop.check();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoppedException();
        }
    }

    void unlockMaking() {
        making.unlock();
    }
}

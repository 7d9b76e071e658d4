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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A graph on a device, in one order at a time. Runs hold it; the order may be exchanged between runs: those that have begun
 * go on with the layout they hold, which is freed when the last of them ends. Thread-safe.
 */
public final class ResidentGraph {

    private static final long LOCK_POLL_MILLIS = 20;

    private final Csc graph;
    private final CudaDevice device;
    private final DeviceMemory memory;
    private final OrderAdvisor advisor;
    private final SavedLayouts savedLayouts;
    private final ReentrantLock making = new ReentrantLock();

    // guarded by memory
    private GraphLayout layout;
    private int holders;
    private int runs;
    private int automaticRuns;
    private boolean sparesOffered;

    /** A graph that is not on the device yet. */
    public ResidentGraph(Csc graph, CudaDevice device, OrderAdvisor advisor) {
        this.graph = graph;
        this.device = device;
        this.memory = device.memory();
        this.advisor = advisor;
        this.savedLayouts = new SavedLayouts(graph, advisor);
    }

    public Csc graph() {
        return graph;
    }

    /** Where it is resident, or will be. */
    public CudaDevice device() {
        return device;
    }

    /** What of it is in the folder of saved graphs. */
    public SavedLayouts savedLayouts() {
        return savedLayouts;
    }

    /** The same graph for the same holders on another device, where nothing of it is resident yet. */
    public ResidentGraph on(CudaDevice other) {
        ResidentGraph moved = new ResidentGraph(graph, other, advisor);
        synchronized (memory) {
            moved.holders = holders;
        }
        return moved;
    }

    /** Takes one more holder in: a loaded graph that is not closed. */
    public void hold() {
        synchronized (memory) {
            holders++;
        }
    }

    /**
     * Lets a holder go; the last one frees the device memory, or the last run does if some still go on.
     *
     * @return whether it was the last
     */
    public boolean letGo() {
        synchronized (memory) {
            holders--;
            freeIfUnused();
            return holders == 0;
        }
    }

    /** Whether nobody holds it any more. */
    public boolean isAbandoned() {
        synchronized (memory) {
            return holders == 0;
        }
    }

    /**
     * Takes the graph for a run, in the order that the run asks for: an order that has to be made is made first. Its structures
     * come with {@link HeldGraph#require}.
     *
     * @param searches sources that the run will search from
     * @throws StoppedException if the stop was requested
     */
    public HeldGraph acquire(RunControl control, long searches) {
        VertexOrder wanted = device.policy().order(control.options());
        HeldGraph held = holdIfSuits(wanted, control);
        if (held == null) {
            lockMaking(control.stop());
            try {
                held = holdIfSuits(wanted, control);
                if (held == null) {
                    held = install(firstLayout(wanted, searches, control), wanted, control);
                }
            } finally {
                unlockMaking();
            }
        }
        return held;
    }

    /** What is known for a run that asks for an order. */
    public LayoutState state(VertexOrder wanted) {
        boolean mayBeSaved = wanted != VertexOrder.NATURAL && savedLayouts.areKept();
        synchronized (memory) {
            return suits(wanted) ? layout.state() : LayoutState.nowhere(graph.isSymmetric(), mayBeSaved);
        }
    }

    private boolean suits(VertexOrder wanted) {
        return layout != null
                && (wanted == VertexOrder.AUTO || layout.order().order() == wanted || graph.vertexCount() == 0);
    }

    private GraphLayout firstLayout(VertexOrder wanted, long searches, RunControl control) {
        boolean overSliceSets = device.policy().asksForSliceSets(control.options());
        SavedOrder saved = savedLayouts.find(wanted, overSliceSets, control);
        if (saved != null) {
            return new GraphLayout(graph, saved, memory);
        }
        SlotOrder order = advisor.first(graph, wanted, searches, overSliceSets, control);
        savedLayouts.saveInBackground(order);
        return new GraphLayout(graph, order, memory);
    }

    private HeldGraph holdIfSuits(VertexOrder wanted, RunControl control) {
        synchronized (memory) {
            return suits(wanted) ? hold(layout, control, wanted == VertexOrder.AUTO) : null;
        }
    }

    private HeldGraph install(GraphLayout next, VertexOrder wanted, RunControl control) {
        synchronized (memory) {
            GraphLayout before = layout;
            layout = next;
            if (before != null) {
                before.structures().retire();
            }
            return hold(next, control, wanted == VertexOrder.AUTO);
        }
    }

    private HeldGraph hold(GraphLayout held, RunControl control, boolean anyOrder) {
        synchronized (memory) {
            runs++;
            return new HeldGraph(this, held, control, anyOrder);
        }
    }

    /** The layout of now; null before the first run, or if nobody holds the graph. */
    public GraphLayout layout() {
        synchronized (memory) {
            return holders == 0 ? null : layout;
        }
    }

    /**
     * Takes the graph in a layout, for work in the background.
     *
     * @param beside the layout of now, which {@code held} is or is to take the place of
     * @return null if that is not the layout any more
     */
    public HeldGraph holdBeside(GraphLayout beside, GraphLayout held, RunControl control) {
        synchronized (memory) {
            return layout == beside && holders > 0 ? hold(held, control, false) : null;
        }
    }

    /**
     * Puts a layout in the place of another for the runs to come.
     *
     * @return whether that was still the layout
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

    /** A run has ended, whose hold is gone. */
    void released() {
        synchronized (memory) {
            runs--;
            freeIfUnused();
        }
    }

    /** A run has ended that left the order open. */
    void usedInAnyOrder() {
        synchronized (memory) {
            automaticRuns++;
            if (automaticRuns != device.policy().runsBeforeImproving()) {
                return;
            }
        }
        advisor.improve(this);
    }

    /** The background makes spare structures anew that were evicted. */
    void offerSpares() {
        synchronized (memory) {
            if (sparesOffered) {
                return;
            }
            sparesOffered = true;
        }
        advisor.makeSpares(this);
    }

    /** The background has begun to make spare structures; those evicted from now on may be offered again. */
    public void takeOffer() {
        synchronized (memory) {
            sparesOffered = false;
        }
    }

    /** The order in which the graph lies, in words of the configuration key {@code order}; empty before the first run. */
    public String order() {
        synchronized (memory) {
            return layout == null ? "" : layout.order().name();
        }
    }

    /** Bytes on the device now. */
    public long bytes() {
        synchronized (memory) {
            return layout == null ? 0 : layout.structures().bytes();
        }
    }

    private void freeIfUnused() {
        if (holders == 0 && runs == 0 && layout != null) {
            layout.structures().retire();
            layout = null;
        }
    }

    /**
     * Waits until no other making goes on for this graph.
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

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.graph;

import io.proxima.backend.Kernel;
import io.proxima.backend.RunControl;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.SlotOrder;
import io.proxima.backend.device.graph.ResidentStructures.Contents;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.csc.GraphDepth;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.ToLongFunction;

/** A graph on a device that one run has pinned. For one thread. */
public final class HeldGraph implements GraphView {

    private static final String MAPPED =
            " Lists of neighbours lie in mapped host memory, because they do not fit the device.";

    private final ResidentGraph resident;

    private final ResidentStructures held;
    private final ResidentStructures.Pins pins;
    private final RunControl control;
    private final boolean anyOrder;
    private RunMemory runMemory = RunMemory.ANYWHERE;

    HeldGraph(ResidentGraph resident, ResidentStructures held, RunControl control, boolean anyOrder) {
        this.resident = resident;
        this.held = held;
        this.control = control;
        this.anyOrder = anyOrder;
        this.pins = held.pins();
    }

    /** Sets what the run takes besides structures and the workspace of its kernels, before it requires structures. */
    public HeldGraph with(RunMemory taken) {
        runMemory = taken;
        return this;
    }

    /** The device on which the graph is. */
    public Device device() {
        return resident.device();
    }

    /**
     * Makes structures resident and pins them until this is closed. They stay longer if memory allows.
     *
     * @param leastWorkspace the least workspace of the run, given the sizes of the graph at their bound
     * @throws io.proxima.backend.DeviceMemoryException if they do not fit with this workspace; see
     *     {@link ListPlacement}
     * @throws StoppedException if the stop was requested
     */
    public HeldGraph require(Set<DeviceStructure<?>> structures, ToLongFunction<GraphSizes> leastWorkspace) {
        Set<DeviceStructure<?>> wanted = new LinkedHashSet<>(structures);
        if (ordered()) {
            wanted.add(VertexSlots.SLOTS);
        }
        if (!takeWhereTheyLie(wanted, leastWorkspace)) {
            build(wanted, leastWorkspace);
        }
        pins.want(wanted);
        return this;
    }

    /** Makes structures resident for a run without a workspace, as {@link #require(Set, ToLongFunction)} does. */
    public HeldGraph require(Set<DeviceStructure<?>> structures) {
        return require(structures, sizes -> 0);
    }

    private void build(Set<DeviceStructure<?>> wanted, ToLongFunction<GraphSizes> leastWorkspace) {
        resident.lockBuild(control.stop());
        try (BuildContext builder =
                new BuildContext(device(), held, pins, wanted, placeLists(wanted, leastWorkspace), control)) {
            wanted.forEach(builder::structure);
        } finally {
            resident.unlockBuild();
        }
    }

    /** Pins structures if all of them are resident and may stay where they lie. */
    private boolean takeWhereTheyLie(Set<DeviceStructure<?>> wanted, ToLongFunction<GraphSizes> leastWorkspace) {
        synchronized (device().memory()) {
            if (!held.has(wanted)) {
                return false;
            }
            placeLists(wanted, leastWorkspace);
            return pins.takeAll(wanted);
        }
    }

    /**
     * Decides where lists are built, and evicts those that move.
     *
     * @return whether they are built in mapped memory
     */
    private boolean placeLists(Set<DeviceStructure<?>> wanted, ToLongFunction<GraphSizes> leastWorkspace) {
        synchronized (device().memory()) {
            Contents there = held.contents().only(wanted);
            GraphSizes sizes = new GraphSizes.Bounds(
                    vertexCount(), entryCount(), symmetric(), ordered(), mostBlocks(), there.figures(), true);
            long workspace = leastWorkspace.applyAsLong(sizes);
            if (there.has(wanted)
                    && !there.isMapped()
                    && workspace <= device().workspace().room()
                    && runMemory.deviceBytes() == 0) {
                // most often so; asking the driver for free memory would take longer
                return false;
            }
            ListPlacement placement = ListPlacement.of(device(), there, sizes, wanted, workspace, runMemory);
            if (!placement.fits()) {
                boolean asked = !control.options().kernel().equals(Kernel.AUTO);
                throw device().memory().refusal(placement.need(), placement.room(), asked);
            }
            if (placement.moves()) {
                held.evict();
            }
            return placement.listsMapped();
        }
    }

    /** Pins structures until this is closed if they are resident, and returns whether they are. */
    public boolean take(Set<DeviceStructure<?>> structures) {
        return pins.takeAll(structures);
    }

    /** The resident structures. */
    public Set<DeviceStructure<?>> structures() {
        return held.structures();
    }

    @Override
    public GraphDepth depth() {
        return resident.graph().depth(control.stop());
    }

    @Override
    public int vertexCount() {
        return resident.graph().vertexCount();
    }

    @Override
    public long entryCount() {
        return resident.graph().entryCount();
    }

    @Override
    public boolean symmetric() {
        return held.symmetric();
    }

    @Override
    public long figure(Figure figure) {
        return pins.figure(figure);
    }

    @Override
    public SlotOrder order() {
        return held.order();
    }

    /** Why the graph has its order, and whether the run reads mapped lists: sentences for the log. */
    public String reason() {
        return pins.mappedBytes() > 0 ? order().reason() + MAPPED : order().reason();
    }

    @Override
    public boolean ordered() {
        return !order().isNatural();
    }

    @Override
    public int mostBlocks() {
        return device().mostBlocks();
    }

    @Override
    public <A extends DeviceStructure.Arrays> A structure(DeviceStructure<A> structure) {
        return pins.get(structure);
    }

    @Override
    public long slotOfVertex() {
        return order().isNatural() ? 0 : structure(VertexSlots.SLOTS).slotOfVertex();
    }

    @Override
    public void close() {
        try {
            pins.close();
        } finally {
            resident.released();
        }
        if (anyOrder) {
            // last, because otherwise the run would wait for the preparation
            resident.usedInAnyOrder();
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import io.proxima.backend.RunControl;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.SlotOrder;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.Csc;
import io.proxima.projection.GraphDepth;
import java.util.LinkedHashSet;
import java.util.Set;

/** A graph on a device that one run has pinned. For one thread. */
public final class HeldGraph implements GraphView {

    private static final String MAPPED =
            " The lists of neighbours lie in mapped host memory, because they do not fit the device.";

    private final ResidentGraph resident;
    private final CudaDevice device;
    private final Csc graph;

    private final GraphLayout held;
    private final ResidentStructures.Pins pins;
    private final RunControl control;
    private final boolean anyOrder;
    private final Set<DeviceStructure<?>> required = new LinkedHashSet<>();

    HeldGraph(ResidentGraph resident, GraphLayout held, RunControl control, boolean anyOrder) {
        this.resident = resident;
        this.device = resident.device();
        this.graph = resident.graph();
        this.held = held;
        this.control = control;
        this.anyOrder = anyOrder;
        this.pins = held.structures().pins();
    }

    /** The device on which the graph is. */
    public CudaDevice device() {
        return device;
    }

    /**
     * Makes structures resident and pins them until this is closed. They stay longer if memory allows.
     *
     * @throws io.proxima.backend.DeviceMemoryException if they do not fit
     * @throws StoppedException if the stop was requested
     */
    public HeldGraph require(Set<DeviceStructure<?>> structures) {
        make(structures);
        required.addAll(structures);
        pins.want(structures);
        return this;
    }

    private void make(Set<DeviceStructure<?>> structures) {
        Set<DeviceStructure<?>> wanted = new LinkedHashSet<>(structures);
        if (!held.order().isNatural()) {
            wanted.add(VertexSlots.SLOTS);
            required.add(VertexSlots.SLOTS);
        }
        if (!pins.takeAll(wanted)) {
            resident.lockMaking(control.stop());
            try (StructureBuilder builder = new StructureBuilder(resident, held, pins, wanted, control)) {
                wanted.forEach(builder::structure);
            } finally {
                resident.unlockMaking();
            }
        }
        if (required.contains(VertexSlots.SLOTS)) {
            pins.want(Set.of(VertexSlots.SLOTS));
        }
    }

    /** Pins structures until this is closed if they are resident, and returns whether they are. */
    public boolean take(Set<DeviceStructure<?>> structures) {
        return pins.takeAll(structures);
    }

    /** The resident structures. */
    public Set<DeviceStructure<?>> structures() {
        return held.structures().structures();
    }

    /** Whether searches have few or many levels. */
    public GraphDepth depth() {
        return graph.depth(control.stop());
    }

    @Override
    public int vertexCount() {
        return graph.vertexCount();
    }

    @Override
    public long entryCount() {
        return graph.entryCount();
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

    /** Why the graph has its order, and whether its lists are mapped: sentences for the log. */
    public String reason() {
        return held.mapped() ? order().reason() + MAPPED : order().reason();
    }

    @Override
    public boolean mapped() {
        return held.mapped();
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
            // last, because otherwise the run would wait for its own improvement
            resident.usedInAnyOrder();
        }
    }
}

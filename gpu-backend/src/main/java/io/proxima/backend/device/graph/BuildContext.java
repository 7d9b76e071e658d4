// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.graph;

import io.proxima.backend.RunContext;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.SlotOrder;
import io.proxima.backend.order.Permutation;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Builds structures for one run, and is the context in which each of them is built. Each unfinished structure pins the
 * structures that it is built from, and the builder pins all of them, so that a structure which several others need is
 * built once. Structures that the run did not require are freed at the end, unless another run has required them
 * meanwhile.
 *
 * <p>Only one builder at a time works for a graph. For one thread.
 */
public final class BuildContext implements AutoCloseable {

    private final ResidentStructures target;
    private final Device device;
    private final ResidentStructures.Pins run;
    private final Set<DeviceStructure<?>> wanted = new LinkedHashSet<>();
    private final Placement.How how;
    private final Placed placed;
    private final RunContext control;

    private final ResidentStructures.Pins whole;
    // the unfinished structures, the innermost first
    private final Deque<Unfinished> unfinished = new ArrayDeque<>();
    private Permutation.Relabelling inSlots;

    /** An unfinished structure: the structures that it is built from, and its allocations. */
    private static final class Unfinished {
        private final ArrayList<DeviceArray> allocated = new ArrayList<>();
        private ResidentStructures.Pins pins;

        void freeAllocated() {
            allocated.forEach(DeviceArray::close);
            allocated.clear();
        }
    }

    /**
     * A builder without structures.
     *
     * @param run the pins of the run, which pins each required structure as soon as it is built
     * @param wanted the structures that the run has required
     * @param how how structures are built
     * @param placed the memory that is promised to the run
     */
    BuildContext(
            Device device,
            ResidentStructures target,
            ResidentStructures.Pins run,
            Set<DeviceStructure<?>> wanted,
            Placement.How how,
            Placed placed,
            RunContext control) {
        this.target = target;
        this.device = device;
        this.run = run;
        this.how = how;
        this.placed = placed;
        this.control = control;
        wanted.forEach(structure -> this.wanted.add(structure.sharedBy(target.symmetric())));
        this.whole = target.pins();
    }

    /** The device. */
    public Device device() {
        return device;
    }

    /** The graph on the host, in vertex id space. */
    public Csc graph() {
        return target.graph();
    }

    /** The order of the graph. */
    public SlotOrder order() {
        return target.order();
    }

    /** The graph on the host, relabelled to slot id space; computed once. */
    public Csc graphInSlots() {
        if (order().isNatural()) {
            return graph();
        }
        if (inSlots == null) {
            inSlots = order().permutation().relabelling(graph());
        }
        return inSlots.graph(control.concurrency(), control.stop());
    }

    /** A structure, built first if it is not resident. It is freed when building ends, unless a run needs it too. */
    public <A extends DeviceStructure.Arrays> A structure(DeviceStructure<A> asked) {
        DeviceStructure<A> structure = asked.sharedBy(target.symmetric());
        ResidentStructures.Pins asking = unfinished.isEmpty() ? whole : unfinished.peek().pins;
        if (!asking.take(structure)) {
            build(structure, asking);
        }
        whole.take(structure);
        if (wanted.contains(structure)) {
            run.take(structure);
        }
        return asking.get(structure);
    }

    private <A extends DeviceStructure.Arrays> void build(
            DeviceStructure<A> structure, ResidentStructures.Pins asking) {
        // pins last: a full heap must not leave any that nobody closes
        Unfinished building = new Unfinished();
        unfinished.push(building);
        try {
            building.pins = target.pins();
            asking.add(structure, structure.build(this), !wanted.contains(structure));
            building.allocated.clear();
        } finally {
            unfinished.pop();
            building.freeAllocated();
            if (building.pins != null) {
                building.pins.close();
            }
        }
    }

    /** Allocates device memory within a lease. It belongs to the structure's arrays, or is freed when building ends. */
    public DeviceArray allocate(DeviceLease lease, String what, long bytes) {
        return keep(() -> placed.allocate(lease, what, bytes));
    }

    /** Whether the host builds what it can, because the device has too little memory for it. */
    public boolean onHost() {
        return how.onHost();
    }

    /** Allocates memory for the entries of lists as {@link #allocate} does: on the device or in mapped host memory. */
    public DeviceArray allocateLists(DeviceLease lease, String what, long bytes) {
        return keep(() ->
                how.listsMapped() ? placed.allocateMapped(lease, what, bytes) : placed.allocate(lease, what, bytes));
    }

    private DeviceArray keep(Supplier<DeviceArray> allocation) {
        ArrayList<DeviceArray> allocated = unfinished.element().allocated;
        // an array that is not kept would never be freed, so the list must not fail to grow afterwards
        allocated.ensureCapacity(allocated.size() + 1);
        DeviceArray array = allocation.get();
        allocated.add(array);
        return array;
    }

    /** The maximum number of CPU threads. */
    public int concurrency() {
        return control.concurrency();
    }

    /** The request to end early. */
    public Stop stop() {
        return control.stop();
    }

    /** Receives the progress. */
    public Progress progress() {
        return control.progress();
    }

    @Override
    public void close() {
        whole.close();
    }
}

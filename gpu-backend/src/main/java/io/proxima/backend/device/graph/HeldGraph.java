// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.graph;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.Kernel;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceMemory;
import io.proxima.backend.device.SlotOrder;
import io.proxima.backend.device.graph.ResidentStructures.Contents;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.csc.GraphDepth;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** A graph on a device that one run, or the runs of a reservation, have pinned. For one thread. */
public final class HeldGraph implements GraphView {

    private static final String MAPPED =
            " Lists of neighbours lie in mapped host memory, because they do not fit the device.";

    /** What to do if resident structures have to be placed anew. */
    private enum Anew {
        EVICT,
        /** Promise the memory; they are evicted when the run requires them. */
        PROMISE,
        REFUSE
    }

    private final ResidentGraph resident;

    private final ResidentStructures held;
    private final ResidentStructures.Pins pins;
    private final RunContext control;
    private final boolean anyOrder;
    private final boolean inBackground;
    private boolean mayMapLists;
    private Placed placed = Placed.NOWHERE;
    // whether further runs take what the first has reserved
    private boolean reserved;

    HeldGraph(
            ResidentGraph resident,
            ResidentStructures held,
            RunContext control,
            boolean anyOrder,
            boolean inBackground) {
        this.resident = resident;
        this.held = held;
        this.control = control;
        this.anyOrder = anyOrder;
        this.inBackground = inBackground;
        this.mayMapLists = !inBackground;
        this.pins = held.pins();
    }

    /** Sets whether lists of neighbours may be built in mapped host memory, before the run requires structures. */
    public HeldGraph mappingLists(boolean may) {
        mayMapLists = may;
        return this;
    }

    /** Whether a run with these options on the graph is one of those that this was reserved for. */
    public boolean isFor(ResidentGraph graph, Operation operation, RunOptions options) {
        return graph == resident && options.equals(control.options().forRun(operation));
    }

    @Override
    public Device device() {
        return resident.device();
    }

    /**
     * Places the run, makes structures resident and pins them until this is closed. They stay longer if memory allows.
     *
     * @param ways the ways of the run, the preferred first, given the sizes of the graph at their bound
     * @throws io.proxima.backend.DeviceMemoryException if no way fits; nothing was evicted or built then. Also if
     *     others than Proxima have taken the memory of the device
     * @throws StoppedException if the stop was requested
     */
    public HeldGraph require(Set<DeviceStructure<?>> structures, Function<GraphSizes, List<Way>> ways) {
        Set<DeviceStructure<?>> wanted = withSlots(structures);
        if (reserved) {
            if (!takesReserved(wanted, ways)) {
                throw new IllegalStateException("a call makes the runs for which it has reserved memory: " + wanted);
            }
        } else if (!takeWhereTheyLie(wanted, ways)) {
            resident.lockBuild(control.stop());
            try {
                build(wanted, place(wanted, ways, Anew.EVICT));
            } finally {
                resident.unlockBuild();
            }
        }
        placed.onlyKeeps();
        pins.want(wanted);
        reserved = !inBackground;
        return this;
    }

    private boolean takesReserved(Set<DeviceStructure<?>> wanted, Function<GraphSizes, List<Way>> ways) {
        return pins.has(wanted) && placed.again(ways.apply(sizes(held.contents().only(wanted))));
    }

    private GraphSizes sizes(Contents there) {
        return new GraphSizes.Bounds(
                vertexCount(), entryCount(), symmetric(), ordered(), mostBlocks(), there.figures(), true);
    }

    /**
     * Promises the run what the last of its ways takes, so that {@link #require(Set, Function)} cannot refuse it.
     * Builds and evicts nothing.
     *
     * @throws io.proxima.backend.DeviceMemoryException if that way does not fit
     */
    public void promiseLeast(Set<DeviceStructure<?>> structures, Function<GraphSizes, List<Way>> ways) {
        place(withSlots(structures), sizes -> Way.least(ways.apply(sizes)), Anew.PROMISE);
    }

    /** Makes structures resident for work that takes nothing else, as {@link #require(Set, Function)} does. */
    public HeldGraph require(Set<DeviceStructure<?>> structures) {
        return require(structures, sizes -> List.of(Way.NOTHING));
    }

    private Set<DeviceStructure<?>> withSlots(Set<DeviceStructure<?>> structures) {
        Set<DeviceStructure<?>> wanted = new LinkedHashSet<>(structures);
        if (ordered()) {
            wanted.add(VertexSlots.SLOTS);
        }
        return wanted;
    }

    private void build(Set<DeviceStructure<?>> wanted, Placement.How how) {
        try (BuildContext builder = new BuildContext(device(), held, pins, wanted, how, placed, control)) {
            wanted.forEach(builder::structure);
        } catch (DeviceMemoryException e) {
            if (how.onHost()) {
                throw e;
            }
            // others than Proxima have taken memory, or it is in pieces
            build(wanted, Placement.ON_HOST);
        }
    }

    /** Places the run and pins structures if all of them are resident and may stay where they lie. */
    private boolean takeWhereTheyLie(Set<DeviceStructure<?>> wanted, Function<GraphSizes, List<Way>> ways) {
        synchronized (device().memory()) {
            return held.has(wanted) && place(wanted, ways, Anew.REFUSE) != null;
        }
    }

    /**
     * Places the run, pins what is resident, and evicts structures that are placed anew.
     *
     * @return how missing structures are built; null if others would have to be placed anew, which is refused: nothing
     *     was done
     */
    private Placement.How place(Set<DeviceStructure<?>> wanted, Function<GraphSizes, List<Way>> ways, Anew anew) {
        DeviceMemory memory = device().memory();
        synchronized (memory) {
            // which other devices use too
            synchronized (memory.mappedBudget()) {
                return placeAlone(wanted, ways, anew);
            }
        }
    }

    private Placement.How placeAlone(Set<DeviceStructure<?>> wanted, Function<GraphSizes, List<Way>> ways, Anew anew) {
        DeviceMemory memory = device().memory();
        Contents there = held.contents().only(wanted);
        GraphSizes sizes = sizes(there);
        List<Way> all = ways.apply(sizes);
        Way first = all.get(0);
        if (there.has(wanted)
                && first.kept() == 0
                && first.workspace() <= device().workspace().room()
                && memory.isPromisedOnly(placed.promise())) {
            // most often so; asking the driver for free memory would take longer
            pins.takeOver(there.resident().keySet());
            resident.admit(held);
            promise(0, 0, all);
            return Placement.ON_DEVICE;
        }
        Placement placement = Placement.of(device(), placed.promise(), there, sizes, wanted, all, mayMapLists);
        if (!placement.fits()) {
            boolean asked = !control.options().kernel().equals(Kernel.AUTO);
            throw memory.refusal(placement.need(), placement.room(), asked);
        }
        if (placement.anew() && anew == Anew.REFUSE) {
            return null;
        }
        if (!placement.anew()) {
            resident.admit(held);
            // or building one of them might evict another
            pins.takeOver(there.resident().keySet());
        } else if (anew == Anew.EVICT) {
            resident.admit(held);
            held.evict();
        }
        if (!inBackground) {
            promise(placement.arrays(), placement.mapped(), placement.ways());
        }
        return placement.how();
    }

    /** Replaces what the run was promised before, when it asked for other structures. */
    private void promise(long arrays, long mapped, List<Way> ways) {
        Placed before = placed;
        placed = Placed.NOWHERE;
        before.close();
        placed = Placed.of(device(), arrays, mapped, ways);
    }

    @Override
    public Placed placed() {
        return placed;
    }

    /**
     * Places the run and pins structures, as {@link #require(Set, Function)} does, if they are resident and the run
     * fits beside them; returns whether they are and it does.
     */
    public boolean takeIfResident(Set<DeviceStructure<?>> structures, Function<GraphSizes, List<Way>> ways) {
        Set<DeviceStructure<?>> wanted = withSlots(structures);
        if (reserved) {
            return takesReserved(wanted, ways);
        }
        try {
            reserved = takeWhereTheyLie(wanted, ways);
            return reserved;
        } catch (DeviceMemoryException e) {
            return false;
        }
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
            try {
                placed.close();
            } finally {
                resident.released();
            }
        }
        // last, because otherwise the run would wait for the preparation
        countUse();
    }

    /** Called when a run has ended that leaves the graph pinned, and its memory promised, for another. */
    public void endRun() {
        placed.onlyKeeps();
        countUse();
    }

    private void countUse() {
        if (anyOrder) {
            resident.usedInAnyOrder();
        }
    }
}

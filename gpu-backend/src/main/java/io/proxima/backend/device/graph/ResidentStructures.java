// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.graph;

import io.proxima.backend.VertexOrder;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceMemory;
import io.proxima.backend.device.SlotOrder;
import io.proxima.backend.device.graph.Footprint.StructureBytes;
import io.proxima.projection.csc.Csc;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The structures of one graph on a device in one order, which never changes, and their users. A structure is built when
 * a run first needs it. The order stays on the heap when the structures are evicted. This class alone decides when a
 * structure is freed:
 *
 * <ul>
 *   <li>A user has a {@link Pins}. It pins each structure that it takes, until it unpins the structure or is closed. A
 *       pinned structure is never freed.
 *   <li>A structure is wanted once a run has required it, unless only that run can read it. An unwanted structure is
 *       freed with its last pin. If it was built only for another one, its builder counts on getting its memory back,
 *       unless a run that pins it meanwhile has found room for it and takes it over.
 *   <li>A wanted structure stays resident without pins, for the next run. It is evicted if memory is short, even while
 *       the graph has users, who may need the memory for other structures.
 *   <li>A retired set takes no new users. Its structures are freed with the last user.
 * </ul>
 *
 * <p>Structures are keyed by {@link DeviceStructure#sharedBy}. Thread-safe. The state is guarded by the monitor of the
 * device's memory, so that no allocation evicts a structure that another thread is about to pin.
 */
public final class ResidentStructures implements DeviceMemory.Tenant {

    private final Csc graph;
    private final SlotOrder order;
    private final DeviceMemory memory;
    private final boolean symmetric;

    // guarded by memory
    private final Map<DeviceStructure<?>, Resident> structures = new LinkedHashMap<>();
    private final Map<GraphSizes.Figure, Long> figures = new HashMap<>();
    private int users;
    private boolean retired;

    private static final class Resident {
        private final DeviceStructure.Arrays arrays;
        private int pins;
        private boolean wanted;
        // built only for another one, and not taken over
        private boolean passing;

        Resident(DeviceStructure.Arrays arrays, boolean passing) {
            this.arrays = arrays;
            this.passing = passing;
        }
    }

    /**
     * What is resident of a graph at one time.
     *
     * @param symmetric whether the graph was known to be symmetric when it got its order
     * @param order the order; null if the graph has none that the run would use
     * @param figures the figures that building structures has determined
     * @param resident the resident structures and their bytes
     * @param pinned those of them that somebody has pinned
     * @param passing those of them that their builder frees, unless another run takes them over
     */
    public record Contents(
            boolean symmetric,
            VertexOrder order,
            Map<GraphSizes.Figure, Long> figures,
            Map<DeviceStructure<?>, StructureBytes> resident,
            Set<DeviceStructure<?>> pinned,
            Set<DeviceStructure<?>> passing) {

        /** Nothing, of a graph without an order. */
        public static Contents none(boolean symmetric) {
            return new Contents(symmetric, null, Map.of(), Map.of(), Set.of(), Set.of());
        }

        /** Whether the graph has an order. */
        public boolean isThere() {
            return order != null;
        }

        /** Whether its order is not that of the projection. */
        public boolean ordered() {
            return isThere() && order != VertexOrder.NATURAL;
        }

        /** Whether all of these structures are resident. */
        public boolean has(Set<DeviceStructure<?>> asked) {
            return asked.stream().allMatch(structure -> resident.containsKey(structure.sharedBy(symmetric)));
        }

        /** Those of these structures that are resident, with the slots of the vertices. */
        public Contents only(Set<DeviceStructure<?>> asked) {
            Set<DeviceStructure<?>> kept = new LinkedHashSet<>(Set.of(VertexSlots.SLOTS));
            asked.forEach(structure -> kept.add(structure.sharedBy(symmetric)));
            Map<DeviceStructure<?>, StructureBytes> bytes = new LinkedHashMap<>(resident);
            bytes.keySet().retainAll(kept);
            kept.retainAll(pinned);
            return new Contents(symmetric, order, figures, bytes, kept, passing);
        }

        /** The bytes on the device that cannot be evicted, and that no run was promised back. */
        public long bytesInUse() {
            return pinned.stream()
                    .filter(structure -> !passing.contains(structure))
                    .mapToLong(structure -> resident.get(structure).device())
                    .sum();
        }

        /** The bytes in mapped host memory that cannot be evicted. No run was promised any of them back. */
        public long mappedBytesInUse() {
            return pinned.stream()
                    .mapToLong(structure -> resident.get(structure).mapped())
                    .sum();
        }
    }

    /** A set without structures. */
    ResidentStructures(Csc graph, SlotOrder order, DeviceMemory memory) {
        this.graph = graph;
        this.order = order;
        this.memory = memory;
        // a graph may be found to be symmetric later, and a structure must not change its place
        this.symmetric = graph.isSymmetric();
    }

    Csc graph() {
        return graph;
    }

    /** The order of the structures. */
    public SlotOrder order() {
        return order;
    }

    /** Whether the graph is known to be symmetric, which determines which structures share their arrays. */
    boolean symmetric() {
        return symmetric;
    }

    Contents contents() {
        synchronized (memory) {
            Map<DeviceStructure<?>, StructureBytes> resident = new LinkedHashMap<>();
            Set<DeviceStructure<?>> pinned = new LinkedHashSet<>();
            Set<DeviceStructure<?>> passing = new LinkedHashSet<>();
            structures.forEach((structure, one) -> {
                resident.put(structure, new StructureBytes(one.arrays.bytes(), one.arrays.mappedBytes()));
                if (one.pins > 0) {
                    pinned.add(structure);
                }
                if (one.passing) {
                    passing.add(structure);
                }
            });
            return new Contents(symmetric, order.order(), Map.copyOf(figures), resident, pinned, passing);
        }
    }

    /** Adds a user. */
    Pins pins() {
        synchronized (memory) {
            Pins pins = new Pins();
            // last: a user whose pins do not fit the heap would stay for good
            users++;
            return pins;
        }
    }

    /** Frees all structures as soon as they have no user. */
    public void retire() {
        synchronized (memory) {
            retired = true;
            freeIfRetired();
        }
    }

    /** The resident structures. */
    public Set<DeviceStructure<?>> structures() {
        synchronized (memory) {
            return new LinkedHashSet<>(structures.keySet());
        }
    }

    /** Whether all of these structures are resident. */
    boolean has(Set<DeviceStructure<?>> asked) {
        synchronized (memory) {
            return asked.stream().allMatch(structure -> structures.containsKey(shared(structure)));
        }
    }

    /** The current bytes on the device. */
    long bytes() {
        synchronized (memory) {
            return structures.values().stream()
                    .mapToLong(structure -> structure.arrays.bytes())
                    .sum();
        }
    }

    /** The current bytes in mapped host memory. */
    public long mappedBytes() {
        synchronized (memory) {
            return structures.values().stream()
                    .mapToLong(structure -> structure.arrays.mappedBytes())
                    .sum();
        }
    }

    @Override
    public long idleMappedBytes() {
        return idle().mapToLong(DeviceStructure.Arrays::mappedBytes).sum();
    }

    @Override
    public long idleBytes() {
        return idle().mapToLong(DeviceStructure.Arrays::bytes).sum();
    }

    @Override
    public void evict() {
        Iterator<Resident> residents = structures.values().iterator();
        while (residents.hasNext()) {
            Resident resident = residents.next();
            if (resident.pins == 0) {
                residents.remove();
                resident.arrays.close();
            }
        }
        if (!structures.isEmpty()) {
            // the memory has removed this tenant, whose other structures will be idle too
            memory.use(this);
        }
    }

    private Stream<DeviceStructure.Arrays> idle() {
        return structures.values().stream()
                .filter(resident -> resident.pins == 0)
                .map(resident -> resident.arrays);
    }

    private void freeIfRetired() {
        if (retired && users == 0) {
            memory.remove(this);
            evict();
        }
    }

    private DeviceStructure<?> shared(DeviceStructure<?> structure) {
        return structure.sharedBy(symmetric);
    }

    /** The pins of one user: a run, or the builder of a structure. For one thread. */
    final class Pins implements AutoCloseable {

        // guarded by memory
        private final Set<DeviceStructure<?>> pinned = new LinkedHashSet<>();
        private boolean closed;

        private Pins() {}

        /**
         * Pins a structure if it is resident.
         *
         * @return whether it is
         */
        boolean take(DeviceStructure<?> asked) {
            synchronized (memory) {
                DeviceStructure<?> structure = shared(asked);
                Resident resident = structures.get(structure);
                if (resident == null) {
                    return false;
                }
                if (pinned.add(structure)) {
                    resident.pins++;
                }
                return true;
            }
        }

        /** Whether this user pins all of these structures. */
        boolean has(Set<DeviceStructure<?>> asked) {
            synchronized (memory) {
                return asked.stream().allMatch(structure -> pinned.contains(shared(structure)));
            }
        }

        /** Pins resident structures for a run, for which there is room beside them, and takes them over. */
        void takeOver(Set<DeviceStructure<?>> resident) {
            synchronized (memory) {
                for (DeviceStructure<?> structure : resident) {
                    take(structure);
                    Resident taken = structures.get(structure);
                    if (taken.passing) {
                        taken.passing = false;
                        taken.arrays.allocations().forEach(DeviceArray::handOver);
                    }
                }
                memory.use(ResidentStructures.this);
            }
        }

        /**
         * Adds a structure that was built, pinned.
         *
         * @param passing whether it was built only for another one
         */
        <A extends DeviceStructure.Arrays> void add(DeviceStructure<A> asked, A arrays, boolean passing) {
            synchronized (memory) {
                DeviceStructure<?> structure = shared(asked);
                if (closed || structures.containsKey(structure)) {
                    throw new IllegalStateException("a structure is added once, under an open lease: " + structure);
                }
                Resident resident = new Resident(arrays, passing);
                figures.putAll(arrays.figures());
                memory.use(ResidentStructures.this);
                pinned.add(structure);
                boolean added = false;
                try {
                    structures.put(structure, resident);
                    added = true;
                } finally {
                    // the builder frees what is not added
                    if (!added) {
                        pinned.remove(structure);
                    }
                }
                resident.pins++;
            }
        }

        /**
         * Marks structures that this user pins as wanted, if later runs may read them: they stay resident for these.
         */
        void want(Set<DeviceStructure<?>> asked) {
            synchronized (memory) {
                asked.forEach(structure -> structures.get(requirePinned(structure)).wanted = structure.isKept());
            }
        }

        /** The arrays of a structure that this user pins. */
        @SuppressWarnings("unchecked") // add() keeps a structure's arrays under the structure
        <A extends DeviceStructure.Arrays> A get(DeviceStructure<A> structure) {
            synchronized (memory) {
                return (A) structures.get(requirePinned(structure)).arrays;
            }
        }

        /** The bytes in mapped host memory of the structures that this user pins. */
        long mappedBytes() {
            synchronized (memory) {
                return pinned.stream()
                        .mapToLong(structure -> structures.get(structure).arrays.mappedBytes())
                        .sum();
            }
        }

        /** A figure that building a structure has determined. */
        long figure(GraphSizes.Figure figure) {
            synchronized (memory) {
                Long value = figures.get(figure);
                if (value == null) {
                    throw new IllegalStateException(
                            "a run must ask for the structures that it reads the sizes of: " + figure);
                }
                return value;
            }
        }

        @Override
        public void close() {
            synchronized (memory) {
                if (!closed) {
                    closed = true;
                    users--;
                    try {
                        letGo();
                    } finally {
                        freeIfRetired();
                    }
                }
            }
        }

        private DeviceStructure<?> requirePinned(DeviceStructure<?> asked) {
            DeviceStructure<?> structure = shared(asked);
            if (!pinned.contains(structure)) {
                throw new IllegalStateException("a run must ask for the structures that it reads: " + structure);
            }
            return structure;
        }

        /** Unpins all, without allocations: a run that ends for lack of heap unpins too. */
        private void letGo() {
            Iterator<DeviceStructure<?>> each = pinned.iterator();
            while (each.hasNext()) {
                structures.get(each.next()).pins--;
                each.remove();
            }
            Iterator<Resident> residents = structures.values().iterator();
            while (residents.hasNext()) {
                Resident resident = residents.next();
                if (resident.pins == 0 && !resident.wanted) {
                    residents.remove();
                    resident.arrays.close();
                }
            }
        }
    }
}

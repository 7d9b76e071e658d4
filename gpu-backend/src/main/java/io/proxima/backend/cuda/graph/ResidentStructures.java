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

import io.proxima.backend.cuda.device.DeviceMemory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The structures of one graph in one order that are resident on a device, and who uses them. This class alone decides when a structure
 * is freed:
 *
 * <ul>
 *   <li>A {@link Pins} pins each structure that it takes, until it lets the structure go or is closed. A pinned structure is never freed,
 *       whoever made it and whatever for.
 *   <li>A structure is wanted once a run has asked for it. An unwanted structure, made on the way to another one or for a trial, is
 *       freed with its last pin.
 *   <li>A wanted structure outlives its pins and serves the next run. It is evicted where memory is short: a spare structure as soon as
 *       nobody pins it, all others together once there is no pins.
 *   <li>A retired graph takes no new users from runs; all of its structures are freed with the last pins.
 * </ul>
 *
 * <p>Structures are keyed as {@link DeviceStructure#sharedBy} says. Thread-safe; the state is guarded by the monitor of the device's
 * memory, so that no allocation evicts what another thread is about to pin.
 */
public final class ResidentStructures implements DeviceMemory.Tenant {

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

        Resident(DeviceStructure.Arrays arrays) {
            this.arrays = arrays;
        }
    }

    /**
     * No structures yet.
     *
     * @param symmetric whether the graph is known to be, which decides which structures share their arrays
     */
    ResidentStructures(DeviceMemory memory, boolean symmetric) {
        this.memory = memory;
        this.symmetric = symmetric;
    }

    /** Begins to use the graph. */
    Pins pins() {
        synchronized (memory) {
            users++;
            return new Pins();
        }
    }

    /** Whether anybody uses the graph. */
    boolean isInUse() {
        synchronized (memory) {
            return users > 0;
        }
    }

    /** Frees everything as soon as there is no pins. */
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

    /** What the makers of structures have reported so far, evicted structures included. */
    Map<GraphSizes.Figure, Long> figures() {
        synchronized (memory) {
            return Map.copyOf(figures);
        }
    }

    /** Keeps a figure that is known before the structure is made. */
    void know(GraphSizes.Figure figure, long value) {
        synchronized (memory) {
            figures.put(figure, value);
        }
    }

    /** Bytes on the device now. */
    long bytes() {
        synchronized (memory) {
            return structures.values().stream()
                    .mapToLong(structure -> structure.arrays.bytes())
                    .sum();
        }
    }

    @Override
    public long idleBytes() {
        return users > 0 ? 0 : bytes();
    }

    @Override
    public void evict() {
        free(List.copyOf(structures.keySet()));
    }

    @Override
    public long spareBytes() {
        return unpinnedSpares().stream()
                .mapToLong(structure -> structures.get(structure).arrays.bytes())
                .sum();
    }

    @Override
    public void evictSpare() {
        free(unpinnedSpares());
    }

    private List<DeviceStructure<?>> unpinnedSpares() {
        List<DeviceStructure<?>> spares = new ArrayList<>();
        structures.forEach((structure, resident) -> {
            if (structure.isSpare() && resident.pins == 0) {
                spares.add(structure);
            }
        });
        return spares;
    }

    private void free(List<DeviceStructure<?>> freed) {
        freed.forEach(structure -> structures.remove(structure).arrays.close());
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

    /** One user of the graph: a run, or the making of a structure. For one thread. */
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

        /**
         * Pins structures if all of them are resident, and none otherwise.
         *
         * @return whether they are
         */
        boolean takeAll(Set<DeviceStructure<?>> asked) {
            synchronized (memory) {
                boolean resident = has(asked);
                if (resident) {
                    asked.forEach(this::take);
                    memory.use(ResidentStructures.this);
                }
                return resident;
            }
        }

        /** Adds a structure that was made; pinned from the beginning. */
        <A extends DeviceStructure.Arrays> void add(DeviceStructure<A> asked, A arrays) {
            synchronized (memory) {
                DeviceStructure<?> structure = shared(asked);
                if (closed || structures.containsKey(structure)) {
                    throw new IllegalStateException("a structure is added once, under an open lease: " + structure);
                }
                structures.put(structure, new Resident(arrays));
                figures.putAll(arrays.figures());
                take(structure);
                memory.use(ResidentStructures.this);
            }
        }

        /** Keeps structures resident beyond this pins, for the runs to come. They are pinned by it. */
        void want(Set<DeviceStructure<?>> asked) {
            synchronized (memory) {
                asked.forEach(structure -> structures.get(requirePinned(structure)).wanted = true);
            }
        }

        /** The arrays of a structure that this pins pins. */
        @SuppressWarnings("unchecked") // add() keeps a structure's arrays under the structure
        <A extends DeviceStructure.Arrays> A get(DeviceStructure<A> structure) {
            synchronized (memory) {
                return (A) structures.get(requirePinned(structure)).arrays;
            }
        }

        /** What the maker of a structure has reported. */
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

        /** Unpins all structures but these. */
        void keepOnly(Set<DeviceStructure<?>> kept) {
            synchronized (memory) {
                Set<DeviceStructure<?>> keys = new LinkedHashSet<>();
                kept.forEach(structure -> keys.add(shared(structure)));
                List.copyOf(pinned).stream()
                        .filter(structure -> !keys.contains(structure))
                        .forEach(this::letGo);
            }
        }

        @Override
        public void close() {
            synchronized (memory) {
                if (!closed) {
                    closed = true;
                    keepOnly(Set.of());
                    users--;
                    freeIfRetired();
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

        private void letGo(DeviceStructure<?> structure) {
            Resident resident = structures.get(structure);
            pinned.remove(structure);
            resident.pins--;
            if (resident.pins == 0 && !resident.wanted) {
                free(List.of(structure));
            }
        }
    }
}

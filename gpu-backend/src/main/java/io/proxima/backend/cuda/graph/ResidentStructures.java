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
 * The parts of one graph in one order that are resident on a device, and who uses them. This class alone decides when a part
 * is freed:
 *
 * <ul>
 *   <li>A {@link Pins} pins each part that it takes, until it lets the part go or is closed. A pinned part is never freed,
 *       whoever made it and whatever for.
 *   <li>A part is wanted once a run has asked for it. An unwanted part, made on the way to another one or for a trial, is
 *       freed with its last pin.
 *   <li>A wanted part outlives its pins and serves the next run. It is evicted where memory is short: a spare part as soon as
 *       nobody pins it, all others together once there is no pins.
 *   <li>A retired graph takes no new users from runs; all of its parts are freed with the last pins.
 * </ul>
 *
 * <p>Parts are keyed as {@link DeviceStructure#sharedBy} says. Thread-safe; the state is guarded by the monitor of the device's
 * memory, so that no allocation evicts what another thread is about to pin.
 */
public final class ResidentStructures implements DeviceMemory.Tenant {

    private final DeviceMemory memory;
    private final boolean symmetric;

    // guarded by memory
    private final Map<DeviceStructure<?>, Resident> parts = new LinkedHashMap<>();
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
     * No parts yet.
     *
     * @param symmetric whether the graph is known to be, which decides which parts share their arrays
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

    /** The resident parts. */
    public Set<DeviceStructure<?>> parts() {
        synchronized (memory) {
            return new LinkedHashSet<>(parts.keySet());
        }
    }

    /** Whether all of these parts are resident. */
    boolean has(Set<DeviceStructure<?>> asked) {
        synchronized (memory) {
            return asked.stream().allMatch(part -> parts.containsKey(shared(part)));
        }
    }

    /** What the makers of parts have reported so far, evicted parts included. */
    Map<GraphSizes.Figure, Long> figures() {
        synchronized (memory) {
            return Map.copyOf(figures);
        }
    }

    /** Keeps a figure that is known before the part is made. */
    void know(GraphSizes.Figure figure, long value) {
        synchronized (memory) {
            figures.put(figure, value);
        }
    }

    /** Bytes on the device now. */
    long bytes() {
        synchronized (memory) {
            return parts.values().stream()
                    .mapToLong(part -> part.arrays.bytes())
                    .sum();
        }
    }

    @Override
    public long idleBytes() {
        return users > 0 ? 0 : bytes();
    }

    @Override
    public void evict() {
        free(List.copyOf(parts.keySet()));
    }

    @Override
    public long spareBytes() {
        return unpinnedSpares().stream()
                .mapToLong(part -> parts.get(part).arrays.bytes())
                .sum();
    }

    @Override
    public void evictSpare() {
        free(unpinnedSpares());
    }

    private List<DeviceStructure<?>> unpinnedSpares() {
        List<DeviceStructure<?>> spares = new ArrayList<>();
        parts.forEach((part, resident) -> {
            if (part.isSpare() && resident.pins == 0) {
                spares.add(part);
            }
        });
        return spares;
    }

    private void free(List<DeviceStructure<?>> freed) {
        freed.forEach(part -> parts.remove(part).arrays.close());
    }

    private void freeIfRetired() {
        if (retired && users == 0) {
            memory.remove(this);
            evict();
        }
    }

    private DeviceStructure<?> shared(DeviceStructure<?> part) {
        return part.sharedBy(symmetric);
    }

    /** One user of the graph: a run, or the making of a part. For one thread. */
    final class Pins implements AutoCloseable {

        // guarded by memory
        private final Set<DeviceStructure<?>> pinned = new LinkedHashSet<>();
        private boolean closed;

        private Pins() {}

        /**
         * Pins a part if it is resident.
         *
         * @return whether it is
         */
        boolean take(DeviceStructure<?> asked) {
            synchronized (memory) {
                DeviceStructure<?> part = shared(asked);
                Resident resident = parts.get(part);
                if (resident == null) {
                    return false;
                }
                if (pinned.add(part)) {
                    resident.pins++;
                }
                return true;
            }
        }

        /**
         * Pins parts if all of them are resident, and none otherwise.
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

        /** Adds a part that was made; pinned from the beginning. */
        <A extends DeviceStructure.Arrays> void add(DeviceStructure<A> asked, A arrays) {
            synchronized (memory) {
                DeviceStructure<?> part = shared(asked);
                if (closed || parts.containsKey(part)) {
                    throw new IllegalStateException("a part is added once, under an open lease: " + part);
                }
                parts.put(part, new Resident(arrays));
                figures.putAll(arrays.figures());
                take(part);
                memory.use(ResidentStructures.this);
            }
        }

        /** Keeps parts resident beyond this pins, for the runs to come. They are pinned by it. */
        void want(Set<DeviceStructure<?>> asked) {
            synchronized (memory) {
                asked.forEach(part -> parts.get(requirePinned(part)).wanted = true);
            }
        }

        /** The arrays of a part that this pins pins. */
        @SuppressWarnings("unchecked") // add() keeps a part's arrays under the part
        <A extends DeviceStructure.Arrays> A get(DeviceStructure<A> part) {
            synchronized (memory) {
                return (A) parts.get(requirePinned(part)).arrays;
            }
        }

        /** What the maker of a part has reported. */
        long figure(GraphSizes.Figure figure) {
            synchronized (memory) {
                Long value = figures.get(figure);
                if (value == null) {
                    throw new IllegalStateException(
                            "a run must ask for the parts that it reads the sizes of: " + figure);
                }
                return value;
            }
        }

        /** Unpins all parts but these. */
        void keepOnly(Set<DeviceStructure<?>> kept) {
            synchronized (memory) {
                Set<DeviceStructure<?>> keys = new LinkedHashSet<>();
                kept.forEach(part -> keys.add(shared(part)));
                List.copyOf(pinned).stream()
                        .filter(part -> !keys.contains(part))
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
            DeviceStructure<?> part = shared(asked);
            if (!pinned.contains(part)) {
                throw new IllegalStateException("a run must ask for the parts that it reads: " + part);
            }
            return part;
        }

        private void letGo(DeviceStructure<?> part) {
            Resident resident = parts.get(part);
            pinned.remove(part);
            resident.pins--;
            if (resident.pins == 0 && !resident.wanted) {
                free(List.of(part));
            }
        }
    }
}

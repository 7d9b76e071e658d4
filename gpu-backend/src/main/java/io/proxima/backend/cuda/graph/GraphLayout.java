// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import io.proxima.backend.cuda.device.DeviceMemory;
import io.proxima.backend.cuda.device.SlotOrder;
import io.proxima.projection.Csc;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The layout of a graph: its resident structures in one order, and what runs have found out about it. The order stays
 * on the heap when the structures are evicted. The findings are guarded by the monitor of the device's memory.
 */
public final class GraphLayout {

    private final Csc graph;
    private final boolean symmetric;
    private final DeviceMemory memory;
    private final ResidentStructures structures;

    // guarded by memory
    private SlotOrder order;
    private final Findings findings = new Findings();
    // free memory at the time when a spare structure did not fit
    private final Map<DeviceStructure<?>, Long> shortOf = new HashMap<>();
    // of findings that more memory might change
    private final Map<Findings.Key<?>, Lack> shortages = new HashMap<>();

    private record Lack(Shortage of, long room) {}

    /** A layout without structures. */
    public GraphLayout(Csc graph, SlotOrder order, DeviceMemory memory) {
        this.graph = graph;
        // a graph may be found to be symmetric later, and a structure must not change its place
        this.symmetric = graph.isSymmetric();
        this.order = order;
        this.memory = memory;
        this.structures = new ResidentStructures(memory, symmetric);
    }

    Csc graph() {
        return graph;
    }

    /** The resident structures. */
    public ResidentStructures structures() {
        return structures;
    }

    boolean symmetric() {
        return symmetric;
    }

    public SlotOrder order() {
        synchronized (memory) {
            return order;
        }
    }

    /** Replaces the reason for the order. */
    public void explain(String reason) {
        synchronized (memory) {
            order = new SlotOrder(order.order(), order.permutation(), reason);
        }
    }

    /** A finding; null if there is none. */
    <T> T found(Findings.Key<T> key) {
        synchronized (memory) {
            forgetOutdated();
            return findings.get(key);
        }
    }

    /** Keeps a finding until there is more of the memory that was short. */
    <T> void keep(Findings.Key<T> key, T value, Shortage shortage) {
        synchronized (memory) {
            findings.keep(key, value);
            if (shortage == Shortage.NONE) {
                shortages.remove(key);
            } else {
                shortages.put(key, new Lack(shortage, room(shortage)));
            }
        }
    }

    private void forgetOutdated() {
        shortages.entrySet().removeIf(entry -> {
            boolean outdated = room(entry.getValue().of()) > entry.getValue().room();
            if (outdated) {
                findings.forget(entry.getKey());
            }
            return outdated;
        });
    }

    /** The memory for this graph, including that which its structures take now. */
    private long room(Shortage shortage) {
        return shortage == Shortage.OF_FREE_MEMORY
                ? memory.freeBytes() + structures.bytes()
                : memory.availableBytes() + structures.bytesInUse();
    }

    /** Records that there is too little memory for a spare structure. */
    void refuse(DeviceStructure<?> structure) {
        synchronized (memory) {
            shortOf.put(structure, memory.freeBytes());
        }
    }

    /** Whether there was too little memory for a spare structure, and there is no more now. */
    boolean isRefused(DeviceStructure<?> structure) {
        synchronized (memory) {
            return !structures.has(Set.of(structure)) && memory.freeBytes() <= shortOf.getOrDefault(structure, -1L);
        }
    }

    /** A snapshot of the state of the layout. */
    LayoutState state() {
        synchronized (memory) {
            forgetOutdated();
            Set<DeviceStructure<?>> refused = new HashSet<>(shortOf.keySet());
            refused.removeIf(structure -> !isRefused(structure));
            return new LayoutState(
                    true,
                    !order.isNatural(),
                    symmetric,
                    structures.figures(),
                    findings.copy(),
                    structures.bytesOf(structures.structures()),
                    structures.pinned(structures.structures()),
                    refused,
                    structures.bytesInUse(),
                    structures.mappedBytesInUse());
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.graph;

import io.proxima.backend.device.graph.Placement.How;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The memory of structures at their bound: a sum over their recipes, in the order in which they are built. Nothing is
 * allocated, and nothing is evicted meanwhile. For one set of structures.
 */
public final class Footprint {

    private final GraphSizes sizes;
    private final How how;

    private final Map<DeviceStructure<?>, StructureBytes> structures = new LinkedHashMap<>();
    private long scratch;
    private long peak;
    private long mappedPeak;

    /**
     * The bytes of a structure.
     *
     * @param device bytes on the device
     * @param mapped bytes in mapped host memory
     */
    public record StructureBytes(long device, long mapped) {

        /** The bytes of several structures. */
        static StructureBytes sum(Collection<StructureBytes> all) {
            return new StructureBytes(
                    all.stream().mapToLong(StructureBytes::device).sum(),
                    all.stream().mapToLong(StructureBytes::mapped).sum());
        }
    }

    /**
     * The footprint of structures.
     *
     * @param resident the resident structures, which are not built again
     * @param asked the structures that must be resident in the end
     * @param how how structures are built
     */
    public Footprint(
            GraphSizes sizes,
            Map<DeviceStructure<?>, StructureBytes> resident,
            Set<DeviceStructure<?>> asked,
            How how) {
        this.sizes = sizes;
        this.how = how;
        structures.putAll(resident);
        peak = structureBytes();
        mappedPeak = mappedBytes();
        Set<DeviceStructure<?>> kept = new LinkedHashSet<>(structures.keySet());
        asked.forEach(structure -> kept.add(shared(structure)));
        if (sizes.ordered()) {
            kept.add(VertexSlots.SLOTS);
        }
        kept.forEach(this::build);
        structures.keySet().retainAll(kept);
    }

    private void build(DeviceStructure<?> asked) {
        DeviceStructure<?> structure = shared(asked);
        if (structures.containsKey(structure)) {
            return;
        }
        long mapped = how.listsMapped() ? structure.mappableBytes(sizes) : 0;
        Recipe recipe = how.onHost() ? structure.scarceRecipe(sizes) : structure.recipe(sizes);
        scratch += recipe.scratchBytes();
        recipe.from().forEach(this::build);
        structures.put(structure, new StructureBytes(structure.bytes(sizes) - mapped, mapped));
        peak = Math.max(peak, structureBytes() + scratch);
        mappedPeak = Math.max(mappedPeak, mappedBytes());
        scratch -= recipe.scratchBytes();
    }

    private DeviceStructure<?> shared(DeviceStructure<?> structure) {
        return structure.sharedBy(sizes.symmetric());
    }

    /** The structures in the end, in the order in which they are built. */
    public Map<DeviceStructure<?>, StructureBytes> structures() {
        return structures;
    }

    /** Bytes of all structures on the device in the end. */
    public long structureBytes() {
        return StructureBytes.sum(structures.values()).device();
    }

    /** Maximum bytes on the device while structures are built. */
    public long peakWhileBuilding() {
        return peak;
    }

    /** Maximum bytes in mapped host memory while structures are built, with lists from which others are built. */
    public long mappedPeakWhileBuilding() {
        return mappedPeak;
    }

    /** Bytes of all structures in mapped host memory in the end. */
    public long mappedBytes() {
        return StructureBytes.sum(structures.values()).mapped();
    }
}

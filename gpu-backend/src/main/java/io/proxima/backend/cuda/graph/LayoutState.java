// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import io.proxima.backend.cuda.graph.Footprint.StructureBytes;
import java.util.Map;
import java.util.Set;

/**
 * What is known about a graph on a device before a run.
 *
 * @param isThere whether the graph has a layout that the run would use
 * @param ordered whether its order is not that of the projection
 * @param symmetric whether the graph was known to be symmetric when the layout was created
 * @param figures the figures that building its structures has determined
 * @param resident the resident structures and their bytes
 * @param structuresInUse those of them that cannot be evicted for another run
 * @param bytesInUse bytes of the structures in use
 * @param mappedBytesInUse the same in mapped host memory
 */
public record LayoutState(
        boolean isThere,
        boolean ordered,
        boolean symmetric,
        Map<GraphSizes.Figure, Long> figures,
        Map<DeviceStructure<?>, StructureBytes> resident,
        Set<DeviceStructure<?>> structuresInUse,
        long bytesInUse,
        long mappedBytesInUse) {

    /** The state of a graph without a layout. */
    public static LayoutState nowhere(boolean symmetric) {
        return new LayoutState(
                false, false, symmetric, Map.of(), Map.of(), Set.of(), 0, 0);
    }

    /** The resident structures. */
    public Set<DeviceStructure<?>> structures() {
        return resident.keySet();
    }

    /** Whether all of these structures are resident. */
    public boolean has(Set<DeviceStructure<?>> asked) {
        return asked.stream().allMatch(structure -> resident.containsKey(structure.sharedBy(symmetric)));
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.graph;

import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceMemory;
import io.proxima.backend.device.graph.Footprint.StructureBytes;
import io.proxima.backend.device.graph.ResidentStructures.Contents;
import java.util.Map;
import java.util.Set;

/**
 * Where the lists of neighbours of a run lie. The rule: if the structures at their bound and the least workspace of the
 * run fit the free and evictable memory of the device, lists are built on the device; else, if the rest fits and the
 * budget of mapped memory has room for the lists, they are built there; else the run is refused.
 *
 * <p>Resident lists stay where they are. Two things move them, while nobody pins them: mapped lists return to the
 * device if there is room without an eviction, and lists on the device give way to mapped ones if the run does not fit
 * beside them. docs/decisions/0031.
 *
 * @param fits whether the run is admitted
 * @param listsMapped whether lists that are built now lie in mapped memory
 * @param moves whether resident lists are evicted first, to be built elsewhere
 * @param need bytes of the device that the run takes at most while memory is short
 * @param room bytes of the device that it can have
 */
public record ListPlacement(boolean fits, boolean listsMapped, boolean moves, long need, long room) {

    /**
     * Decides for one run. Evicts nothing.
     *
     * @param read what is resident of the structures that the run reads
     * @param sizes the sizes of the graph, at the bound of what is unknown
     * @param asked the structures that the run reads
     * @param workspace the least workspace of the run
     */
    public static ListPlacement of(
            Device device,
            Contents read,
            GraphSizes sizes,
            Set<DeviceStructure<?>> asked,
            long workspace,
            RunMemory run) {
        DeviceMemory memory = device.memory();
        synchronized (memory) {
            boolean mappedFirst = memory.mappedBudget().isFirst();
            boolean movable = read.pinned().isEmpty();
            Needs needs = new Needs(sizes, asked, workspace, run, memory);
            if (read.isMapped() && movable && !mappedFirst) {
                long need = needs.onDevice(Map.of());
                long free = memory.freeBytes() + read.bytes();
                if (need <= free) {
                    return new ListPlacement(true, false, true, need, free);
                }
            }
            // the holder of the lease releases the workspace before this run can use the device
            long room = memory.availableBytes() + device.workspace().bytesInUse() + read.bytesInUse();
            long need = needs.onDevice(read.resident());
            boolean fits = need <= room;
            if (fits && !mappedFirst) {
                return new ListPlacement(true, false, false, need, room);
            }
            long needMapped = needs.mapped(read.resident());
            if (needMapped <= room) {
                return new ListPlacement(true, true, false, needMapped, room);
            }
            long needMoved = fits || !movable ? Long.MAX_VALUE : needs.mapped(Map.of());
            if (needMoved <= room) {
                return new ListPlacement(true, true, true, needMoved, room);
            }
            return new ListPlacement(fits, false, false, need, room);
        }
    }

    /** The memory that one run takes while memory is short. */
    private record Needs(
            GraphSizes sizes, Set<DeviceStructure<?>> asked, long workspace, RunMemory run, DeviceMemory memory) {

        /** Bytes of the device if missing lists are built on it. */
        long onDevice(Map<DeviceStructure<?>, StructureBytes> resident) {
            return new Footprint(sizes, resident, asked, false, true).bytesWith(workspace, run.deviceBytes());
        }

        /** Bytes of the device if missing lists are built in mapped memory; the maximum if they cannot be. */
        long mapped(Map<DeviceStructure<?>, StructureBytes> resident) {
            Footprint footprint = new Footprint(sizes, resident, asked, true, true);
            long already =
                    resident.values().stream().mapToLong(StructureBytes::mapped).sum();
            long lists = footprint.mappedBytes() - already;
            boolean possible = run.mayMapLists() && lists > 0 && lists <= memory.availableMappedBytes();
            return possible ? footprint.bytesWith(workspace, run.deviceBytes()) : Long.MAX_VALUE;
        }
    }
}

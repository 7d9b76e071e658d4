// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.graph;

import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceMemory;
import io.proxima.backend.device.Promise;
import io.proxima.backend.device.Workspace;
import io.proxima.backend.device.graph.Footprint.StructureBytes;
import io.proxima.backend.device.graph.ResidentStructures.Contents;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * How a run fits a device. The rule: lists of neighbours are built on the device if some way of the run fits beside
 * them; else in mapped host memory, if its budget has room for them; else the run is refused. The first way that fits
 * is taken, and structures are built on the host if building them on the device takes too much.
 *
 * <p>Resident lists stay where they lie. Only if no way fits beside them, and nobody pins them, are they evicted and
 * placed anew. docs/decisions/0031.
 *
 * @param fits whether the run is admitted
 * @param how how structures that are missing are built
 * @param anew whether what is resident of these structures is evicted first
 * @param ways the way that fits, and those that take less
 * @param arrays maximum bytes of all arrays at once that the run allocates on the device, but for its workspace
 * @param mapped maximum bytes of mapped memory that the run allocates
 * @param need bytes of the device that the run takes at most; if it is refused, in the way that takes least
 * @param room bytes of the device that it can have
 */
public record Placement(
        boolean fits, How how, boolean anew, List<Way> ways, long arrays, long mapped, long need, long room) {

    /**
     * How structures are built, the same for all of a run.
     *
     * @param listsMapped whether lists lie in mapped host memory
     * @param onHost whether the host builds what it can, which takes no scratch memory of the device
     */
    public record How(boolean listsMapped, boolean onHost) {}

    /** Bytes of the workspace of the way that fits. */
    public long workspace() {
        return Workspace.bytesFor(ways.get(0).workspace());
    }

    static final How ON_DEVICE = new How(false, false);
    static final How ON_HOST = new How(false, true);
    private static final How MAPPED = new How(true, true);

    /** What is resident when the run begins to build. */
    private record Start(boolean anew, Map<DeviceStructure<?>, StructureBytes> resident) {
        StructureBytes bytes() {
            return StructureBytes.sum(resident.values());
        }
    }

    /**
     * Decides for one run. Evicts and promises nothing. To be called within the monitor of the device's memory.
     *
     * @param run what the run was promised before, in place of which this is; null if nothing
     * @param read what is resident of the structures that the run reads
     * @param sizes the sizes of the graph, at the bound of what is unknown
     * @param asked the structures that the run reads
     * @param ways the ways of the run, the preferred first
     * @param mayMapLists whether lists may lie in mapped host memory
     */
    public static Placement of(
            Device device,
            Promise run,
            Contents read,
            GraphSizes sizes,
            Set<DeviceStructure<?>> asked,
            List<Way> ways,
            boolean mayMapLists) {
        DeviceMemory memory = device.memory();
        long room = Placed.room(device, run) + read.bytesInUse();
        List<Start> starts = new ArrayList<>(List.of(new Start(false, read.resident())));
        if (!read.resident().isEmpty() && read.pinned().isEmpty()) {
            starts.add(new Start(true, Map.of()));
        }
        List<How> hows = memory.mappedBudget().isFirst()
                ? List.of(MAPPED, ON_DEVICE, ON_HOST)
                : List.of(ON_DEVICE, ON_HOST, MAPPED);
        // only if lists are to be mapped: to ask the operating system takes as long as a short search
        LongSupplier mappable = () -> memory.unpromisedMappedBytes(run) + read.mappedBytesInUse();
        Placement refused = null;
        for (Start start : starts) {
            for (How how : hows) {
                Footprint footprint = new Footprint(sizes, start.resident(), asked, how);
                boolean mapsNone = footprint.mappedBytes() == start.bytes().mapped();
                if (how.listsMapped()
                        && (!mayMapLists || mapsNone || footprint.mappedPeakWhileBuilding() > mappable.getAsLong())) {
                    continue;
                }
                Placement found = in(device, run, footprint, start, how, ways, room);
                if (found.fits) {
                    return found;
                }
                refused = refused == null || found.need < refused.need ? found : refused;
            }
        }
        return refused;
    }

    private static Placement in(
            Device device, Promise run, Footprint footprint, Start start, How how, List<Way> ways, long room) {
        long peak = footprint.peakWhileBuilding();
        long structures = footprint.structureBytes();
        List<Way> left = Placed.fromFirstThatFits(device, run, peak, structures, ways, room);
        Way way = left.get(0);
        long need = Placed.need(device, run, peak, structures, way);
        long arrays = Math.max(peak, structures + way.kept()) - start.bytes().device();
        long mapped = footprint.mappedPeakWhileBuilding() - start.bytes().mapped();
        return new Placement(need <= room, how, start.anew, left, arrays, mapped, need, room);
    }
}

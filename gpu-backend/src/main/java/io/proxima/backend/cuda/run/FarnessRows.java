// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.run;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.RunControl;
import io.proxima.backend.cuda.device.SlotOrder;
import io.proxima.backend.task.BackendTask;
import io.proxima.concurrent.PacedStop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.Csc;
import io.proxima.projection.RadixSort;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The sums of exact closeness of chosen vertices. Each search runs from its vertex against the edges, and its sums are
 * counted at the source: a batch ends with final rows, without sums over all vertices.
 *
 * <p>Sources are searched in the order of their slots, because sources that are near each other share more work. Several
 * devices take ranges of them; the rows of a device are 0 for sources of others, and the host adds them. The ranges of a
 * device that fails are repeated on the others.
 */
public final class FarnessRows {

    private final RunControl control;
    private final int[] rows;
    private final int[] slots;
    private final int sourceCount;
    private final DeviceTeam<DeviceRows> team;
    private final SourceRanges sources;

    private FarnessRows(List<DeviceRows> all, Csc graph, int[] vertices, RunControl control) {
        this.control = control;
        SlotOrder order = all.get(0).order();
        int[] slotOf = order.toSlots(vertices);
        PacedStop paced = new PacedStop(control.stop());
        long[] bySlot = new long[vertices.length];
        int searched = 0;
        for (int row = 0; row < vertices.length; row++) {
            paced.worked(1);
            // in a directed graph, edges may lead only to the vertex
            boolean mayReach = graph.isSymmetric() ? graph.degree(vertices[row]) > 0 : graph.entryCount() > 0;
            if (mayReach) {
                bySlot[searched++] = (long) slotOf[row] << Integer.SIZE | row;
            }
        }
        bySlot = RadixSort.sort(
                bySlot, new long[searched], searched, Integer.SIZE, 2 * Integer.SIZE - 1, control.stop());
        rows = new int[vertices.length];
        slots = new int[searched];
        sourceCount = searched;
        for (int i = 0; i < searched; i++) {
            paced.worked(1);
            rows[i] = (int) bySlot[i];
            slots[i] = (int) (bySlot[i] >> Integer.SIZE);
        }
        sources = new SourceRanges(sourceCount, all.size(), control.progress());
        team = new DeviceTeam<>(all, control, device -> device.repeatElsewhere(sources));
    }

    /** Heap besides the result, at most. */
    public static MemoryTree memory(int sources) {
        return MemoryTree.between(
                "order of the chosen nodes", 0, (long) sources * (2L * Long.BYTES + 2L * Integer.BYTES));
    }

    /**
     * Runs.
     *
     * @param all one or several devices with the same kernels and order; closed however the run ends
     * @param graph vertex id space
     * @param vertices without repeats
     * @throws io.proxima.backend.DeviceMemoryException if the rows, or the smallest batch, do not fit. So with the next,
     *     only if no device is left
     * @throws io.proxima.backend.DeviceFailureException if the device fails
     */
    static Farness run(
            List<DeviceRows> all, Csc graph, int[] vertices, Set<DistanceMeasure> measures, RunControl control) {
        try {
            return new FarnessRows(all, graph, vertices, control).run(measures);
        } finally {
            DevicePart.closeAll(all);
        }
    }

    private Farness run(Set<DistanceMeasure> measures) {
        control.progress().beginTask(BackendTask.FARNESS_OF_SOURCES, rows.length);
        if (sourceCount > 0) {
            team.onEach((device, stop) -> device.begin(slots, rows.length, measures));
        }
        sources.skip(rows.length - sourceCount);
        while (true) {
            while (!sources.areDone()) {
                team.onEach((device, stop) -> device.accumulate(sources, stop));
            }
            Sums sums = new Sums(measures);
            if (team.read(sums::add)) {
                return sums.farness();
            }
        }
    }

    /** The rows of all devices, in the order of the caller's vertices. */
    private final class Sums {

        private final long[] farness = new long[rows.length];
        private final long[] reach = new long[rows.length];
        private final double[] harmonic;
        private final int[] eccentricity;
        private long[] hops;

        Sums(Set<DistanceMeasure> measures) {
            harmonic = measures.contains(DistanceMeasure.HARMONIC) ? new double[rows.length] : null;
            eccentricity = measures.contains(DistanceMeasure.ECCENTRICITY) ? new int[rows.length] : null;
            hops = measures.contains(DistanceMeasure.HOPS) ? new long[rows.length == 0 ? 0 : 1] : null;
        }

        void add(DeviceRows device) {
            if (sourceCount > 0) {
                add(farness, device.farness());
                add(reach, device.reach());
                if (harmonic != null) {
                    double[] found = device.harmonic();
                    for (int i = 0; i < sourceCount; i++) {
                        harmonic[rows[i]] += found[i];
                    }
                }
                if (eccentricity != null) {
                    int[] found = device.eccentricity();
                    for (int i = 0; i < sourceCount; i++) {
                        eccentricity[rows[i]] += found[i];
                    }
                }
                addHops(device);
            }
            if (hops != null && hops.length > 0) {
                // each source has distance 0 to itself
                hops[0] = rows.length;
            }
        }

        private void addHops(DeviceRows device) {
            if (hops == null) {
                return;
            }
            int levels = device.deepest() + 1;
            hops = Arrays.copyOf(hops, Math.max(hops.length, levels));
            long[] found = device.pairs(levels);
            for (int level = 1; level < levels; level++) {
                hops[level] += found[level];
            }
        }

        private void add(long[] to, long[] found) {
            for (int i = 0; i < sourceCount; i++) {
                to[rows[i]] += found[i];
            }
        }

        Farness farness() {
            return new Farness(farness, reach, harmonic, eccentricity, hops);
        }
    }
}

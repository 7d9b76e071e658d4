// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.run;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.RunControl;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.LaunchPolicy;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.kernel.SumKernels;
import io.proxima.backend.task.BackendTask;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Workers;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;

/**
 * Accumulates the sums of exact closeness. Every slot is a source once. At each level, a vertex adds the level for each
 * source that reaches it there (equation 7 of BLEST). The sums stay on the device until all batches are done.
 *
 * <p>For harmonic sums, the device counts the sources that reach each vertex at each level. After all batches, the
 * levels are added in ascending order, so that the double equals that of every other backend. The counts have room for
 * a window of levels. A deeper graph is searched again for each further window, and windows grow. The first pass finds the
 * depth. There are at most {@link LaunchPolicy#MOST_HARMONIC_PASSES}, so memory must not shrink windows below a minimum.
 *
 * <p>Several devices take ranges of sources from the same numbering, with the same window. Their sums are only read
 * when all sources are done, and added as integers in vertex id space. Until then, the ranges of a device that fails can
 * be repeated on the others.
 */
public final class FarnessSums {

    private static final int FIRST_LEVEL = 1;
    private static final int GRAIN = 1 << 18;

    private final RunControl control;
    private final int vertexCount;
    private final int sourceCount;
    private final List<DeviceSums> all;
    private final DeviceTeam<DeviceSums> team;
    // of the current window of levels
    private SourceRanges sources;

    private FarnessSums(List<DeviceSums> all, RunControl control) {
        this.control = control;
        this.all = all;
        this.team = new DeviceTeam<>(all, control, device -> device.repeatElsewhere(sources));
        this.vertexCount = all.get(0).vertexCount();
        this.sourceCount = all.get(0).sourceCount();
        for (DeviceSums other : all) {
            if (other.sourceCount() != sourceCount
                    || !other.kernel().equals(all.get(0).kernel())) {
                throw new IllegalArgumentException("devices must number the sources alike: " + other.deviceName());
            }
        }
    }

    /** Runs on one device with these kernels, whose structures the caller has required. */
    public static Farness run(
            CudaDevice device, SumKernels kernels, GraphView graph, Set<DistanceMeasure> measures, RunControl control) {
        return run(List.of(new DeviceSums(device, kernels, graph, control, () -> {})), measures, control);
    }

    /**
     * Runs.
     *
     * @param all one or several devices with the same kernels and order; closed however the run ends
     * @throws DeviceMemoryException if the sums, or the smallest batch, do not fit. So with the next, only if no device
     *     is left
     * @throws DeviceFailureException if the device fails
     */
    static Farness run(List<DeviceSums> all, Set<DistanceMeasure> measures, RunControl control) {
        try {
            return new FarnessSums(all, control).run(measures);
        } finally {
            DevicePart.closeAll(all);
        }
    }

    private Farness run(Set<DistanceMeasure> measures) {
        control.progress().beginTask(BackendTask.FARNESS, vertexCount);
        sources = new SourceRanges(sourceCount, all.size(), control.progress());
        team.onEach((device, stop) -> device.begin(measures));
        if (!measures.contains(DistanceMeasure.HARMONIC)) {
            return accumulate(measures).with(null);
        }
        return harmonic(measures);
    }

    /** Accumulates all sums window by window. The first window accumulates all other sums too. */
    private Farness harmonic(Set<DistanceMeasure> measures) {
        // a device adds up its own counts if it has all of them
        double[] harmonic = all.size() == 1 ? null : new double[vertexCount];
        Sums sums = null;
        int capacity = all.get(0).levelCapacity();
        int first = FIRST_LEVEL;
        int least = leastWindow(capacity, LaunchPolicy.MOST_HARMONIC_PASSES);
        int passesLeft = LaunchPolicy.MOST_HARMONIC_PASSES;
        boolean deeper = true;
        while (deeper) {
            capacity = openWindow(passesLeft == 1 ? Math.max(capacity, least) : capacity, least, first);
            passesLeft--;
            if (sums == null) {
                sums = accumulate(measures);
            } else {
                sources = new SourceRanges(sourceCount, all.size(), Progress.NONE);
            }
            if (all.size() == 1) {
                search();
                all.get(0).addUp();
            } else {
                harmonic = addCounts(harmonic, first, capacity);
            }
            deeper = team.remaining().stream().anyMatch(DeviceSums::isDeeper);
            team.remaining().forEach(DeviceSums::closeWindow);
            first += capacity;
            least = leastWindow(deepest() - first + 1, passesLeft);
            capacity = (int) Math.min(vertexCount, (long) capacity * LaunchPolicy.LEVEL_CAPACITY_GROWTH);
        }
        return sums.with(harmonic == null ? all.get(0).harmonic() : harmonic);
    }

    /** Levels of each window so that so many levels take no more than these passes. */
    public static int leastWindow(int levels, int passes) {
        return Math.max(1, (levels - 1) / Math.max(1, passes) + 1);
    }

    /**
     * Allocates the same window on all devices. Returns its levels: fewer than wanted if memory is short.
     *
     * @throws DeviceMemoryException if there is no device with memory for the least levels
     */
    private int openWindow(int wanted, int least, int first) {
        int capacity = wanted;
        while (true) {
            DeviceMemoryException shortage = null;
            DeviceSums shortest = null;
            for (DeviceSums device : team.remaining()) {
                try {
                    device.openWindow(capacity, first);
                } catch (DeviceMemoryException e) {
                    shortage = e;
                    shortest = device;
                } catch (DeviceFailureException e) {
                    team.leave(device, e);
                }
            }
            if (shortage == null) {
                return capacity;
            }
            if (capacity <= least) {
                team.leave(shortest, tooManyPasses(shortage, least));
            }
            team.remaining().forEach(DeviceSums::closeWindow);
            capacity = Math.max(least, capacity / LaunchPolicy.LEVEL_CAPACITY_GROWTH);
        }
    }

    private static DeviceMemoryException tooManyPasses(DeviceMemoryException shortage, int least) {
        return new DeviceMemoryException(
                shortage.getMessage() + " Harmonic sums of this graph need room for the counts of " + least
                        + " levels at a time, because they may take " + LaunchPolicy.MOST_HARMONIC_PASSES
                        + " passes over all sources.",
                shortage.missingBytes());
    }

    /** Searches from all sources, and returns what the devices have summed up besides harmonic sums. */
    private Sums accumulate(Set<DistanceMeasure> measures) {
        sources.skip(vertexCount - sourceCount);
        while (true) {
            search();
            Sums sums = new Sums(measures);
            if (team.read(sums::add)) {
                return sums;
            }
        }
    }

    /** Searches from all sources that are not done. */
    private void search() {
        while (!sources.areDone()) {
            team.onEach((device, stop) -> device.accumulate(sources, stop));
        }
    }

    /** Harmonic sums with the counts of a window, the lowest level first. */
    private double[] addCounts(double[] before, int first, int capacity) {
        int[] ofDevice = new int[vertexCount];
        int[] counts = new int[vertexCount];
        double[] sums = before.clone();
        int level = first;
        search();
        while (level < first + capacity && level <= deepest()) {
            int current = level;
            Arrays.fill(counts, 0);
            boolean complete = team.read(device -> {
                device.counts(current, ofDevice);
                forEachVertex(vertex -> counts[vertex] += ofDevice[vertex]);
            });
            if (complete) {
                forEachVertex(vertex -> sums[vertex] = Farness.addHarmonic(sums[vertex], counts[vertex], current));
                level++;
            } else {
                // those that are left have the counts of all levels again, then
                search();
            }
        }
        return sums;
    }

    private int deepest() {
        return team.remaining().stream().mapToInt(DeviceSums::deepest).max().orElse(0);
    }

    private void forEachVertex(IntConsumer work) {
        Workers.forRanges(control.concurrency(), vertexCount, GRAIN, control.stop(), (worker, from, to) -> {
            for (int vertex = (int) from; vertex < to; vertex++) {
                work.accept(vertex);
            }
        });
    }

    /** Sums over the sources of all devices, in vertex id space. */
    private final class Sums {

        private final Set<DistanceMeasure> measures;
        private long[] farness;
        private long[] reach;
        private int[] eccentricity;
        private long[] hops;

        Sums(Set<DistanceMeasure> measures) {
            this.measures = measures;
        }

        /** Adds the sums of a device; those of the first are taken as they are. */
        void add(DeviceSums device) {
            boolean first = farness == null;
            farness = plus(farness, device.farness());
            reach = plus(reach, device.reach());
            if (measures.contains(DistanceMeasure.ECCENTRICITY)) {
                int[] depths = device.eccentricity();
                int[] known = eccentricity;
                if (first) {
                    eccentricity = depths;
                } else {
                    forEachVertex(vertex -> known[vertex] = Math.max(known[vertex], depths[vertex]));
                }
            }
            if (measures.contains(DistanceMeasure.HOPS)) {
                hops = plus(hops, device.pairs(deepest() + 1));
                // each vertex has distance 0 to itself
                hops[0] = vertexCount;
            }
        }

        private long[] plus(long[] known, long[] more) {
            if (known == null) {
                return more;
            }
            for (int i = 0; i < more.length; i++) {
                known[i] += more[i];
            }
            return known;
        }

        Farness with(double[] harmonic) {
            return new Farness(farness, reach, harmonic, eccentricity, hops);
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.run;

import io.proxima.backend.BackendTask;
import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.RunControl;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.kernel.SumKernels;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Task;
import io.proxima.concurrent.Workers;
import io.proxima.projection.Csc;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A run of exact closeness on one or several devices, with {@link VertexSums} or {@link SourceSums}. The devices number the
 * sources alike and take ranges of them. The sums stay on the devices until all sources are done. Then the host adds them.
 * Until then, the ranges of a device that fails can be repeated on the others.
 */
public final class FarnessSums<T extends DeviceSums> {

    private final Set<DistanceMeasure> measures;
    private final RunControl control;
    // number of vertices whose sums are wanted; those without edges are not searched from
    private final int total;
    private final SourceRanges sources;
    private final List<T> remaining;
    private final List<RuntimeException> failures = new ArrayList<>();

    private FarnessSums(
            List<T> all, Task task, int total, int sourceCount, Set<DistanceMeasure> measures, RunControl control) {
        this.measures = measures;
        this.control = control;
        this.total = total;
        this.remaining = new ArrayList<>(all);
        control.progress().beginTask(task, total);
        this.sources = new SourceRanges(sourceCount, all.size(), control.progress());
    }

    /** Runs on one device with these kernels, whose structures the caller has required. */
    public static Farness run(
            CudaDevice device, SumKernels kernels, GraphView graph, Set<DistanceMeasure> measures, RunControl control) {
        return ofVertices(List.of(new VertexSums(device, kernels, graph, control, () -> {})), measures, control);
    }

    /**
     * Sums of all vertices.
     *
     * @param all devices with the same kernels and order, for harmonic sums only one; closed however the run ends
     * @throws DeviceMemoryException if the sums, or the smallest batch, do not fit any remaining device
     * @throws DeviceFailureException if all devices fail
     */
    static Farness ofVertices(List<VertexSums> all, Set<DistanceMeasure> measures, RunControl control) {
        try {
            VertexSums first = all.get(0);
            if (all.size() > 1 && measures.contains(DistanceMeasure.HARMONIC)) {
                throw new IllegalArgumentException("devices cannot share harmonic sums");
            }
            for (VertexSums other : all) {
                if (other.sourceCount() != first.sourceCount()
                        || !other.kernel().equals(first.kernel())) {
                    throw new IllegalArgumentException("devices must number the sources alike: " + other.deviceName());
                }
            }
            FarnessSums<VertexSums> run = new FarnessSums<>(
                    all, BackendTask.FARNESS, first.vertexCount(), first.sourceCount(), measures, control);
            return run.run(first.sourceCount(), device -> device.begin(measures));
        } finally {
            DeviceSums.closeAll(all);
        }
    }

    /**
     * Sums of chosen vertices.
     *
     * @param all devices with the same kernels and order; closed however the run ends
     * @param graph vertex id space
     * @param vertices without repeats
     * @throws DeviceMemoryException as {@link #ofVertices}
     * @throws DeviceFailureException as {@link #ofVertices}
     */
    static Farness ofSources(
            List<SourceSums> all, Csc graph, int[] vertices, Set<DistanceMeasure> measures, RunControl control) {
        try {
            ChosenSources chosen = ChosenSources.of(graph, all.get(0).order(), vertices, control.stop());
            int sourceCount = chosen.slots().length;
            FarnessSums<SourceSums> run = new FarnessSums<>(
                    all, BackendTask.FARNESS_OF_SOURCES, vertices.length, sourceCount, measures, control);
            if (sourceCount == 0) {
                control.progress().advance(vertices.length);
                return run.none();
            }
            return run.run(sourceCount, device -> device.begin(chosen, measures));
        } finally {
            DeviceSums.closeAll(all);
        }
    }

    /** The sums of vertices that reach no other. */
    private Farness none() {
        return new Farness(
                new long[total],
                new long[total],
                measures.contains(DistanceMeasure.HARMONIC) ? new double[total] : null,
                measures.contains(DistanceMeasure.ECCENTRICITY) ? new int[total] : null,
                measures.contains(DistanceMeasure.HOPS) ? new long[] {total} : null);
    }

    private Farness run(int sourceCount, Consumer<T> begin) {
        onEach((device, stop) -> begin.accept(device));
        control.progress().advance(total - sourceCount);
        while (true) {
            while (!sources.areDone()) {
                onEach((device, stop) -> device.accumulate(sources, stop));
            }
            Sums sums = new Sums();
            if (read(sums)) {
                return sums.farness();
            }
        }
    }

    /** Works on all devices side by side. Those that fail leave, and the others do their ranges. */
    private void onEach(BiConsumer<T, Stop> work) {
        List<T> devices = List.copyOf(remaining);
        RuntimeException[] failed = new RuntimeException[devices.size()];
        Workers.run(devices.size(), control.stop(), (worker, stop) -> {
            T device = devices.get(worker);
            try {
                work.accept(device, stop);
            } catch (DeviceMemoryException | DeviceFailureException e) {
                failed[worker] = e;
                device.repeatElsewhere(sources);
            }
        });
        for (int i = 0; i < failed.length; i++) {
            if (failed[i] != null) {
                leave(devices.get(i), failed[i]);
            }
        }
    }

    /** Adds the sums of one device after the other. Returns false if one of them fails. */
    private boolean read(Sums sums) {
        for (T device : List.copyOf(remaining)) {
            try {
                sums.add(device);
            } catch (DeviceMemoryException | DeviceFailureException e) {
                device.repeatElsewhere(sources);
                leave(device, e);
                return false;
            }
        }
        return true;
    }

    /** Continues without a device. If it was the last, throws a failure of the run. */
    private void leave(T device, RuntimeException failure) {
        remaining.remove(device);
        failures.add(failure);
        if (remaining.isEmpty()) {
            // prefer a shortage of memory, because the run can then be repeated with mapped lists
            throw failures.stream()
                    .filter(DeviceMemoryException.class::isInstance)
                    .findFirst()
                    .orElseGet(() -> failures.get(0));
        }
        DeviceSums.tell(
                control.observer(),
                remaining,
                "Other GPUs repeat what " + device.deviceName() + " has not finished: " + failure.getMessage());
    }

    /** Sums over the sources of all devices. */
    private final class Sums {

        private long[] farness;
        private long[] reach;
        private double[] harmonic;
        private int[] eccentricity;
        private long[] hops;

        /** Adds the sums of a device; those of the first are taken as they are. */
        void add(T device) {
            farness = plus(farness, device.farness());
            reach = plus(reach, device.reach());
            if (measures.contains(DistanceMeasure.HARMONIC)) {
                harmonic = plus(harmonic, device.harmonic());
            }
            if (measures.contains(DistanceMeasure.ECCENTRICITY)) {
                eccentricity = largest(eccentricity, device.eccentricity());
            }
            if (measures.contains(DistanceMeasure.HOPS)) {
                int deepest =
                        remaining.stream().mapToInt(DeviceSums::deepest).max().orElse(0);
                hops = plus(hops, device.pairs(deepest + 1));
                // each vertex has distance 0 to itself
                hops[0] = total;
            }
        }

        private static long[] plus(long[] known, long[] more) {
            if (known == null) {
                return more;
            }
            for (int i = 0; i < more.length; i++) {
                known[i] += more[i];
            }
            return known;
        }

        /** Adds exactly: one summand is 0, because only one device has the sums of a source. */
        private static double[] plus(double[] known, double[] more) {
            if (known == null) {
                return more;
            }
            for (int i = 0; i < more.length; i++) {
                known[i] += more[i];
            }
            return known;
        }

        private static int[] largest(int[] known, int[] more) {
            if (known == null) {
                return more;
            }
            for (int i = 0; i < more.length; i++) {
                known[i] = Math.max(known[i], more[i]);
            }
            return known;
        }

        Farness farness() {
            return new Farness(farness, reach, harmonic, eccentricity, hops);
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.BackendTask;
import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.RunContext;
import io.proxima.backend.order.Afforest;
import io.proxima.concurrent.Closing;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * A run of exact closeness on one or several devices. The devices number the sources alike and take ranges of them. The
 * sums stay on the devices until all sources are done. Then the host adds them. Until then, the ranges of a device that
 * fails can be repeated on the others.
 */
final class FarnessSums {

    private final RunContext control;
    private final Stop stop;
    private final SumSources from;
    private final SourceRanges sources;
    private final List<DeviceSums> remaining;
    private final List<RuntimeException> failures = new ArrayList<>();

    private FarnessSums(List<DeviceSums> all, SumSources from, RunContext control, Stop stop) {
        this.control = control;
        this.stop = stop;
        this.from = from;
        this.remaining = new ArrayList<>(all);
        this.sources = new SourceRanges(from.classes(), all.size(), control.progress());
    }

    /**
     * Runs.
     *
     * @param all devices with the same kernels and order, for harmonic sums of all vertices only one; closed however
     *     the run ends
     * @param graph vertex id space
     * @param vertices without repeats; null for all
     * @throws DeviceMemoryException if the sums, or the smallest batch, do not fit any remaining device
     * @throws DeviceFailureException if all devices fail
     */
    static Farness run(
            List<DeviceSums> all, Csc graph, int[] vertices, Set<DistanceMeasure> measures, RunContext control) {
        try {
            DeviceSums first = all.get(0);
            if (all.size() > 1 && vertices == null && measures.contains(DistanceMeasure.HARMONIC)) {
                throw new IllegalArgumentException("devices cannot share harmonic sums");
            }
            for (DeviceSums other : all) {
                if (!other.kernel().equals(first.kernel())) {
                    throw new IllegalArgumentException("devices must number the sources alike: " + other.deviceName());
                }
            }
            SumSources from = vertices == null
                    ? first.allSources(graph, cutsTrees(graph.isSymmetric(), measures), control)
                    : SumSources.chosen(graph, first.order(), vertices, control.stop());
            // number of vertices whose sums are wanted; those without edges are not searched from
            int total = vertices == null ? first.vertexCount() : vertices.length;
            control.progress()
                    .beginTask(vertices == null ? BackendTask.FARNESS : BackendTask.FARNESS_OF_SOURCES, total);
            control.progress().advance(total - from.count());
            Farness[] sums = new Farness[1];
            int[][] componentOf = new int[1][];
            // the host finds what completes the sums while the devices search
            Workers.run(from.trees() == null ? 1 : 2, control.stop(), (worker, stop) -> {
                if (worker > 0) {
                    componentOf[0] = Afforest.of(graph, control.concurrency(), stop, Progress.NONE);
                } else {
                    sums[0] = from.count() == 0
                            ? Farness.zeros(total, measures)
                            : new FarnessSums(all, from, control, stop).run(total, measures);
                }
            });
            if (from.trees() != null) {
                from.trees().complete(sums[0], vertex -> componentOf[0][vertex], control.stop());
            }
            return sums[0];
        } finally {
            Closing.all(all.iterator(), DeviceSums::close);
        }
    }

    /** Whether the sums of all vertices follow from those of the vertices outside of hanging trees. */
    static boolean cutsTrees(boolean symmetric, Set<DistanceMeasure> measures) {
        return symmetric && measures.isEmpty();
    }

    private Farness run(int total, Set<DistanceMeasure> measures) {
        onEach((device, ended) -> device.begin(from, measures));
        while (true) {
            while (!sources.areDone()) {
                onEach((device, ended) -> device.accumulate(sources, ended));
            }
            Farness sums = read(total);
            if (sums != null) {
                return sums;
            }
        }
    }

    /** Works on all devices side by side. Those that fail leave, and the others do their ranges. */
    private void onEach(BiConsumer<DeviceSums, Stop> work) {
        List<DeviceSums> devices = List.copyOf(remaining);
        RuntimeException[] failed = new RuntimeException[devices.size()];
        Workers.run(devices.size(), stop, (worker, ended) -> {
            DeviceSums device = devices.get(worker);
            try {
                work.accept(device, ended);
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

    /** Adds the sums of one device after the other. Returns null if one of them fails. */
    private Farness read(int total) {
        int deepest = remaining.stream().mapToInt(DeviceSums::deepest).max().orElse(0);
        Farness sums = null;
        for (DeviceSums device : List.copyOf(remaining)) {
            try {
                Farness part = device.farness(deepest + 1);
                if (sums == null) {
                    sums = part;
                } else {
                    sums.addAll(part, stop);
                }
            } catch (DeviceMemoryException | DeviceFailureException e) {
                device.repeatElsewhere(sources);
                leave(device, e);
                return null;
            }
        }
        // each vertex has distance 0 to itself
        sums.addPairs(0, total);
        return sums;
    }

    /** Continues without a device. If it was the last, throws a failure of the run. */
    private void leave(DeviceSums device, RuntimeException failure) {
        remaining.remove(device);
        failures.add(failure);
        if (remaining.isEmpty()) {
            // prefer a shortage of memory, because the run can then be repeated with mapped lists
            throw failures.stream()
                    .filter(DeviceMemoryException.class::isInstance)
                    .findFirst()
                    .orElseGet(() -> failures.get(0));
        }
        DeviceSums.report(
                control.observer(),
                remaining,
                "Other GPUs repeat what " + device.deviceName() + " has not finished: " + failure.getMessage());
    }
}

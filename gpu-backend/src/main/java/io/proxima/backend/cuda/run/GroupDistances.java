// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.run;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DistanceSink;
import io.proxima.backend.RunControl;
import io.proxima.backend.cuda.run.SourceRanges.Range;
import io.proxima.backend.task.BackendTask;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.Workers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Multi-source BFS on several devices. Each takes the next batch; the sink receives the batches in the order of the
 * sources, on the calling thread. The number of buffers bounds how far the devices are ahead of the sink: one for each
 * device, and one for the sink, so that no device waits while the sink reads. Without the last one they are as large as
 * the buffer of a run on one device. The batches of a device that fails are repeated on the others.
 */
final class GroupDistances {

    private static final long STOP_POLL_MILLIS = 20;

    private final List<DeviceBatches> devices;
    private final int sourceCount;
    private final int batch;
    private final DistanceSink sink;
    private final RunControl control;

    // guarded by this
    private final SourceRanges sources;
    private final Deque<DeviceDistances> free = new ArrayDeque<>();
    // batches that wait for the sink, by their first source
    private final Map<Integer, DeviceDistances> measured = new TreeMap<>();
    private final Map<DeviceBatches, RuntimeException> lost = new LinkedHashMap<>();

    /** The number of buffers if {@code together} are as large as the buffer of a run on one device. */
    private static int buffers(int together, int devices) {
        return Math.max(together, devices + 1);
    }

    /** The number of sources whose distances are on the heap beside those of a buffer for {@code most} sources. */
    static int furtherSources(int most, int least, int devices) {
        int smaller = smallerBatch(most, least, devices);
        return (buffers(most / smaller, devices) - most / smaller) * smaller;
    }

    private static int smallerBatch(int most, int least, int devices) {
        int smaller = most;
        while (smaller > least && smaller * devices > most) {
            smaller /= 2;
        }
        return smaller;
    }

    /** A batch that a device measures. */
    private record Work(Range range, DeviceDistances into) {}

    /**
     * A run.
     *
     * @param devices at least one
     * @param most maximum number of sources of a batch of a run on one device
     * @param least the least number of sources of a batch
     */
    GroupDistances(
            List<DeviceBatches> devices,
            int sourceCount,
            int vertexCount,
            int most,
            int least,
            DistanceSink sink,
            RunControl control) {
        this.devices = devices;
        this.sourceCount = sourceCount;
        this.sink = sink;
        this.control = control;
        this.sources = new SourceRanges(sourceCount, devices.size(), Progress.NONE);
        int smaller = smallerBatch(most, least, devices.size());
        this.batch = smaller;
        for (int i = 0; i < buffers(most / smaller, devices.size()); i++) {
            free.add(new DeviceDistances(vertexCount, Math.max(1, control.concurrency() / devices.size())));
        }
    }

    /**
     * Runs.
     *
     * @throws DeviceMemoryException if the smallest batch does not fit. So with the next, only if no device is left
     * @throws DeviceFailureException if the device fails
     */
    void run() {
        control.progress().beginTask(BackendTask.MULTI_SOURCE_BFS, sourceCount);
        Workers.run(1 + devices.size(), control.stop(), (worker, stop) -> {
            if (worker == 0) {
                handOver(stop);
            } else {
                measure(devices.get(worker - 1), stop);
            }
        });
    }

    /** Reports the devices that have failed in a run that is complete. */
    void tellLoss() {
        List<DeviceBatches> remaining =
                devices.stream().filter(device -> !lost.containsKey(device)).toList();
        lost.forEach((device, failure) -> DevicePart.tellLoss(control.observer(), remaining, device, failure));
    }

    private void measure(DeviceBatches device, Stop stop) {
        try {
            Work work;
            while ((work = take(stop)) != null) {
                int count = 0;
                try {
                    count = device.measure(
                            work.into(), work.range().first(), work.range().count(), stop);
                } finally {
                    end(work, count);
                }
            }
        } catch (DeviceMemoryException | DeviceFailureException e) {
            leave(device, e);
        }
    }

    private synchronized void leave(DeviceBatches device, RuntimeException failure) {
        lost.put(device, failure);
        notifyAll();
    }

    /** Takes the next batch and a buffer for it; null if all are measured. */
    private synchronized Work take(Stop stop) {
        await(() -> sources.areDone() || (sources.areOpen() && !free.isEmpty()), stop);
        return sources.areDone() ? null : new Work(sources.take(batch, batch, 1), free.remove());
    }

    /** Ends a batch of which {@code count} sources are measured; the others are open again. */
    private synchronized void end(Work work, int count) {
        sources.end(work.range(), count);
        if (count > 0) {
            measured.put(work.range().first(), work.into());
        } else {
            free.add(work.into());
        }
        notifyAll();
    }

    private void handOver(Stop stop) {
        int next = 0;
        while (next < sourceCount) {
            DeviceDistances distances = await(next, stop);
            sink.accept(distances);
            int count = distances.sourceCount();
            next += count;
            synchronized (this) {
                free.add(distances);
                notifyAll();
            }
            control.progress().advance(count);
        }
    }

    /** Waits for the batch that begins with a source. */
    private synchronized DeviceDistances await(int first, Stop stop) {
        await(() -> measured.containsKey(first) || lost.size() == devices.size(), stop);
        DeviceDistances distances = measured.remove(first);
        if (distances == null) {
            throw DevicePart.failureOfAll(lost.values());
        }
        return distances;
    }

    private synchronized void await(BooleanSupplier condition, Stop stop) {
        stop.check();
        try {
            while (!condition.getAsBoolean()) {
                wait(STOP_POLL_MILLIS);
                stop.check();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoppedException();
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.BackendTask;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DistanceSink;
import io.proxima.backend.RunContext;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.LeaseQueue;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.graph.Placed;
import io.proxima.backend.device.kernel.BatchKernels;
import io.proxima.backend.device.kernel.Sums;
import io.proxima.concurrent.Stop;

/** Multi-source BFS, batch after batch. For one thread at a time. */
final class DeviceBatches {

    private final BatchKernels kernels;
    private final GraphView graph;
    private final Placed placed;
    private final int[] slots;
    private final int maxDepth;
    private int width = Byte.BYTES;
    // a call with several batches counts as a long run from the second on
    private LeaseQueue.RunLength length = LeaseQueue.RunLength.SHORT;

    /**
     * Searches that have not begun.
     *
     * @param graph has the structures of the kernels
     * @param sources vertices
     */
    DeviceBatches(BatchKernels kernels, GraphView graph, int[] sources, int maxDepth, Stop stop) {
        this.kernels = kernels;
        this.graph = graph;
        this.slots = graph.order().toSlots(sources, stop);
        this.maxDepth = maxDepth;
        this.placed = graph.placed();
    }

    /**
     * Passes the distances of all sources to the sink.
     *
     * @throws DeviceMemoryException if the smallest batch does not fit
     */
    void run(DistanceSink sink, RunContext control) {
        control.progress().beginTask(BackendTask.MULTI_SOURCE_BFS, slots.length);
        DeviceDistances distances = new DeviceDistances(graph.vertexCount(), control.concurrency(), control.stop());
        int first = 0;
        while (first < slots.length) {
            int count = measure(distances, first, control.stop());
            // outside the lease, because the caller may take long
            sink.accept(distances);
            first += count;
            control.progress().advance(count);
        }
    }

    /** Searches from the source {@code first} and those after it. Returns the number of sources of the batch. */
    private int measure(DeviceDistances into, int first, Stop stop) {
        while (true) {
            int most = most();
            int count = Math.min(most, slots.length - first);
            try {
                if (fits(into, first, most, count, stop)) {
                    length = LeaseQueue.RunLength.LONG;
                    return count;
                }
                width *= 2;
            } catch (DeviceMemoryException e) {
                placed.narrower(e);
            }
        }
    }

    /** The number of sources whose distances of the current width fit the workspace of the run. */
    private int most() {
        int most = kernels.mostDistances();
        while (most > LaunchPolicy.SMALLEST_BATCH
                && kernels.workspace(graph, most, Math.min(most, slots.length), width)
                                .bytes()
                        > placed.way().workspace()) {
            most /= 2;
        }
        return most;
    }

    /** Runs one batch; false if the distances need more than {@code width} bytes. */
    private boolean fits(DeviceDistances into, int first, int most, int count, Stop stop) {
        try (DeviceLease lease = graph.device().lease(stop, length)) {
            ArrayLayout plan = kernels.workspace(graph, most, count, width);
            long at = placed.workspace(lease, plan.bytes());
            BatchKernels.Batch batch = new BatchKernels.Batch(most, count, maxDepth, width, Sums.NONE);
            DeviceLease.Outcome outcome = kernels.launch(lease, graph, at, slots, first, batch);
            if (outcome.levelsTooNarrow()) {
                return false;
            }
            into.reset(first, count, outcome.level(), width);
            lease.download(graph.inVertexOrder(at + plan.at("levels"), width), count, into::take);
            return true;
        }
    }
}

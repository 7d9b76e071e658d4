// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.run;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.cuda.device.BatchSize;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.LeaseQueue;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.concurrent.Stop;

/** Multi-source BFS on one device, batch after batch. For one thread at a time. */
final class DeviceBatches extends DevicePart {

    private final BatchKernels kernels;
    private final int[] slots;
    private final int maxDepth;
    private final BatchSize size;
    private int width = Byte.BYTES;
    // a call with several batches counts as a long run from the second on
    private LeaseQueue.RunLength length = LeaseQueue.RunLength.SHORT;

    /**
     * Searches that have not begun.
     *
     * @param graph has the structures of the kernels
     * @param sources vertices
     * @param afterwards runs when this is closed
     */
    DeviceBatches(
            CudaDevice device,
            BatchKernels kernels,
            GraphView graph,
            int[] sources,
            int maxDepth,
            Runnable afterwards) {
        super(device, kernels, graph, afterwards);
        this.kernels = kernels;
        this.slots = graph.order().toSlots(sources);
        this.maxDepth = maxDepth;
        this.size = new BatchSize(kernels.mostDistances(), kernels.leastSources());
    }

    /**
     * Searches from the source {@code first} and those after it, {@code most} at most.
     *
     * @return the number of sources whose distances are in {@code into}; fewer than {@code most} if a batch is smaller
     * @throws DeviceMemoryException if the smallest batch does not fit
     */
    int measure(DeviceDistances into, int first, int most, Stop stop) {
        while (true) {
            int count = Math.min(size.most(), most);
            try {
                if (fits(into, first, count, stop)) {
                    length = LeaseQueue.RunLength.LONG;
                    return count;
                }
                width *= 2;
            } catch (DeviceMemoryException e) {
                size.shrink(e);
            }
        }
    }

    /** Runs one batch; false if the distances need more than {@code width} bytes. */
    private boolean fits(DeviceDistances into, int first, int count, Stop stop) {
        try (DeviceLease lease = device().lease(stop, length)) {
            BatchKernels.Plan plan = kernels.plan(graph(), size.most(), count, width);
            long at = lease.workspace(plan.bytes());
            DeviceLease.Outcome outcome = kernels.launch(
                    lease, graph(), size.most(), at, slots, first, count, maxDepth, width, BatchKernels.Sums.NONE);
            if (outcome.levelsTooNarrow()) {
                return false;
            }
            into.reset(first, count, outcome.level(), width);
            lease.download(graph().inVertexOrder(at + plan.levels(), width), count, into::take);
            return true;
        }
    }
}

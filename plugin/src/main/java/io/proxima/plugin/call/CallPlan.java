// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.GraphShape;
import io.proxima.backend.MemoryEstimate;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.Workload;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.job.Job;
import io.proxima.projection.csc.Csc;
import java.util.function.Function;

/**
 * The runs of a call on a graph. Their memory is what an estimate shows and what a call reserves.
 *
 * @param work each run, the others that the call makes, and what it keeps
 * @param searches number of sources of the call, together or one after another
 * @param passes the graphs that are searched
 * @param between heap of the work on the host between the runs, which have none then, by the shape of the graph; null
 *     without such work
 */
public record CallPlan(Workload work, int searches, Passes passes, Function<GraphShape, MemoryTree> between) {

    private static final String IN_BOTH = "both directions";

    /** The graphs that a call searches. */
    public enum Passes {
        /** The graph. */
        ALONG,
        /** The graph; its paths are followed back on the host, through the reversed graph. */
        FOLLOWED_BACK,
        /** The graph with every relationship reversed. */
        REVERSED,
        /** Both, in turn. They run on a device only if it has room for both at once. */
        BOTH
    }

    /** Without work on the host between the runs. */
    public CallPlan(Workload work, int searches, Passes passes) {
        this(work, searches, passes, null);
    }

    /** Searches along the relationships. */
    public CallPlan(Workload work, int searches) {
        this(work, searches, Passes.ALONG);
    }

    /** The memory on an existing graph. */
    MemoryEstimate memory(TraversalBackend backend, Csc graph, boolean searched, RunConfig config) {
        return memory(backend, GraphShape.of(graph, searched), graph, config);
    }

    /** The memory on a graph of this shape. */
    MemoryEstimate memory(TraversalBackend backend, GraphShape shape, RunConfig config) {
        return memory(backend, shape, null, config);
    }

    private MemoryEstimate memory(TraversalBackend backend, GraphShape shape, Csc known, RunConfig config) {
        Workload chosen = work.with(config.options());
        int threads = config.threads();
        boolean reverses = (passes == Passes.REVERSED || passes == Passes.BOTH) && !shape.symmetric();
        MemoryEstimate reversed = reverses ? ofReversed(backend, shape, chosen, threads) : null;
        if (reverses && passes == Passes.REVERSED) {
            return reversed;
        }
        Workload both = chosen.inBoth(reverses);
        MemoryEstimate along = known == null
                ? backend.estimate(shape, both, threads)
                : backend.estimate(known, shape.searched(), both, threads);
        if (between != null) {
            MemoryTree onHost = shape.afterTransposing(between.apply(shape), threads);
            along = along.withHeap(MemoryTree.oneByOne("bounds and searches", onHost, along.heap()));
        }
        if (passes == Passes.FOLLOWED_BACK) {
            GraphShape built =
                    new GraphShape(shape.vertexCount(), shape.entryCount(), shape.symmetric(), true, shape.searched());
            MemoryTree run = backend.estimate(built, chosen, threads).heap();
            return along.withHeap(shape.afterTransposing(run, threads));
        }
        return reverses ? along.withHeap(MemoryTree.oneByOne(IN_BOTH, reversed.heap(), along.heap())) : along;
    }

    /** The memory of building the reversed graph, and of the run on it. */
    private static MemoryEstimate ofReversed(TraversalBackend backend, GraphShape shape, Workload chosen, int threads) {
        GraphShape reversed = new GraphShape(shape.vertexCount(), shape.entryCount(), false, true, false);
        MemoryEstimate run = backend.estimate(reversed, chosen, threads);
        return run.withHeap(shape.afterTransposing(run.heap(), threads));
    }

    /**
     * Reserves the memory of a run on the heap, and checks that of the device if the run must use it.
     *
     * @param graph the graph of the run
     * @param searched whether it was searched before
     * @throws ProximaException if the device is too small
     * @throws io.proxima.memory.HeapShortageException if not enough heap is free
     */
    void reserve(Job job, RunConfig config, TraversalBackend backend, Csc graph, boolean searched) {
        MemoryEstimate memory = memory(backend, graph, searched, config);
        boolean onDevice = config.backend().isGpu();
        if (onDevice && !memory.fitsDevice() && !config.job().sudo()) {
            BackendInfo device = backend.info();
            if (!device.available()) {
                // it has failed since it was chosen: its memory is not what is short
                throw new DeviceFailureException(device.reason());
            }
            throw tooSmall(device.name(), memory);
        }
        job.expectMemory(
                memory.heapBytes(),
                onDevice ? memory.deviceBytes() : 0,
                onDevice ? memory.mapped().minBytes() : 0);
    }

    /** The error for a run that needs more device memory than is free. */
    static ProximaException tooSmall(String device, MemoryEstimate memory) {
        return ProximaException.failed("Procedure was blocked since minimum estimated memory ("
                + MemoryTree.humanReadable(memory.deviceBytes()) + ") exceeds current device memory of " + device
                + " (" + MemoryTree.humanReadable(memory.availableDeviceBytes())
                + "), and " + MemoryTree.humanReadable(memory.availableMappedBytes())
                + " of host memory can be mapped for it. Drop graphs that are not needed, raise"
                + " server.proxima.device_memory_share or server.proxima.mapped_memory_share, take a device with more"
                + " memory, or use 'sudo: true' to override the check.");
    }
}

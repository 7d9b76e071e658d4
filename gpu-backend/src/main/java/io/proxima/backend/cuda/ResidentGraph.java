/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend.cuda;

import io.proxima.backend.RunControl;
import io.proxima.backend.bvss.Bvss;
import io.proxima.backend.bvss.BvssBuilder;
import io.proxima.backend.bvss.BvssLayout;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.Csc;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A graph's BVSS and in-neighbour lists on a device. Uploaded at the first run, kept until the memory is needed for
 * something else or nobody holds the graph any more; a run that goes on keeps it there. Thread-safe.
 */
final class ResidentGraph implements DeviceMemory.Tenant {

    private static final long LOCK_POLL_MILLIS = 20;

    private final Csc graph;
    private final CudaDevice device;
    private final DeviceMemory memory;
    private final ReentrantLock uploading = new ReentrantLock();

    // guarded by memory
    private DeviceArray array;
    private MemoryPlan.Graph plan;
    private int virtualSliceSets;
    private int runs;
    private int holders;

    ResidentGraph(Csc graph, CudaDevice device) {
        this.graph = graph;
        this.device = device;
        this.memory = device.memory();
    }

    /**
     * What a run sees of the graph while it holds it. Addresses are device addresses.
     *
     * @param virtualSliceSets how many there are
     */
    record View(
            int vertexCount,
            int sliceSets,
            int virtualSliceSets,
            long realPtrs,
            long virtualToReal,
            long rowIds,
            long masks,
            long inPtrs,
            long inIdx) {}

    Csc graph() {
        return graph;
    }

    /** Takes one more holder in: a loaded graph that is not closed. */
    void hold() {
        synchronized (memory) {
            holders++;
        }
    }

    /**
     * Lets a holder go; the last one frees the device memory, or the last run does if some still go on.
     *
     * @return whether it was the last
     */
    boolean letGo() {
        synchronized (memory) {
            holders--;
            freeIfUnused();
            return holders == 0;
        }
    }

    /**
     * Brings the graph to the device if it is not there, and keeps it there until {@link #release}.
     *
     * @throws io.proxima.backend.DeviceMemoryException if it does not fit
     * @throws StoppedException if the stop was requested
     */
    View acquire(RunControl control) {
        View there = acquireIfThere();
        if (there != null) {
            return there;
        }
        lock(control.stop());
        try {
            there = acquireIfThere();
            return there != null ? there : upload(control);
        } finally {
            uploading.unlock();
        }
    }

    /** Ends what {@link #acquire} began. */
    void release() {
        synchronized (memory) {
            runs--;
            freeIfUnused();
        }
    }

    /** Bytes on the device now. */
    long bytes() {
        synchronized (memory) {
            return array == null ? 0 : array.bytes();
        }
    }

    @Override
    public long idleBytes() {
        return runs > 0 || array == null ? 0 : array.bytes();
    }

    @Override
    public void moveOut() {
        array.close();
        array = null;
    }

    private void freeIfUnused() {
        if (holders == 0 && runs == 0 && array != null) {
            memory.remove(this);
            moveOut();
        }
    }

    private View acquireIfThere() {
        synchronized (memory) {
            if (array == null) {
                return null;
            }
            return acquired();
        }
    }

    private View acquired() {
        runs++;
        memory.use(this);
        long at = array.address();
        return new View(
                graph.vertexCount(),
                BvssLayout.sliceSetCount(graph.vertexCount()),
                virtualSliceSets,
                at + plan.realPtrs(),
                at + plan.virtualToReal(),
                at + plan.rowIds(),
                at + plan.masks(),
                at + plan.inPtrs(),
                at + plan.inIdx());
    }

    private View upload(RunControl control) {
        int concurrency = control.concurrency();
        Csc inLists = graph.transposed(concurrency, control.stop());
        Bvss bvss = BvssBuilder.build(graph, concurrency, control.stop(), control.progress());
        MemoryPlan.Graph newPlan =
                MemoryPlan.Graph.of(graph.vertexCount(), bvss.virtualSliceSetCount(), graph.entryCount());
        control.progress().beginTask("Copy to " + device.name(), newPlan.bytes());
        DeviceArray newArray = null;
        boolean done = false;
        try (DeviceTurn turn = device.turn(control.stop())) {
            newArray = memory.allocate("the graph", newPlan.bytes());
            long at = newArray.address();
            turn.upload(at + newPlan.realPtrs(), bvss.realPtrs(), 0, bvss.realPtrs().length);
            turn.upload(at + newPlan.virtualToReal(), bvss.virtualToReal(), 0, bvss.virtualToReal().length);
            turn.upload(at + newPlan.rowIds(), bvss.rowIds(), concurrency);
            turn.upload(at + newPlan.masks(), bvss.masks(), concurrency);
            turn.upload(at + newPlan.inPtrs(), inLists.columnPointers(), concurrency);
            turn.upload(at + newPlan.inIdx(), inLists.rowIndices(), concurrency);
            done = true;
        } finally {
            if (!done && newArray != null) {
                newArray.close();
            }
        }
        control.progress().advance(newPlan.bytes());
        synchronized (memory) {
            array = newArray;
            plan = newPlan;
            virtualSliceSets = bvss.virtualSliceSetCount();
            return acquired();
        }
    }

    private void lock(Stop stop) {
        try {
            while (!uploading.tryLock(LOCK_POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                stop.check();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoppedException();
        }
    }
}

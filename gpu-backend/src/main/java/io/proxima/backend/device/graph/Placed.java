// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.graph;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.DeviceMemory;
import io.proxima.backend.device.Promise;
import io.proxima.backend.device.Workspace;
import io.proxima.backend.device.graph.ResidentStructures.Contents;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;

/**
 * The way of one run on one device and the memory that it is promised, from its placement to its end. Whatever the run
 * takes of the device, it takes here, so that the books cannot refuse it. For one thread.
 */
public final class Placed implements AutoCloseable {

    /** Work in the background: nothing is promised to it, and nothing is evicted for it. */
    static final Placed NOWHERE = new Placed(null, List.of(Way.NOTHING), () -> null);

    private final Device device;
    private final Promise promise;
    // bytes that are promised beside the structures
    private final long kept;
    private Iterator<Way> ways;
    private Way way;

    private Placed(Device device, List<Way> ways, Supplier<Promise> promising) {
        this.device = device;
        take(ways);
        this.kept = way.kept();
        // last: a full heap must not leave a promise that nobody ends
        this.promise = promising.get();
    }

    private void take(List<Way> left) {
        ways = left.iterator();
        way = ways.next();
    }

    /**
     * Places a run, for which the caller has found room within the monitor of the device's memory.
     *
     * @param arrays maximum bytes of all arrays at once that the run allocates, but for its workspace
     * @param mapped maximum bytes of mapped memory that the run allocates
     * @param ways the way that fits, and those that take less
     */
    static Placed of(Device device, long arrays, long mapped, List<Way> ways) {
        long workspace = Workspace.bytesFor(ways.get(0).workspace());
        return new Placed(device, ways, () -> device.memory().promise(arrays, workspace, mapped));
    }

    /**
     * Places a run that reads no structures.
     *
     * @param ways the preferred first
     * @param kernelAsked whether the caller has asked for its kernel
     * @throws DeviceMemoryException if none of them fits; nothing was evicted then
     */
    public static Placed of(Device device, List<Way> ways, boolean kernelAsked) {
        synchronized (device.memory()) {
            long room = room(device, null);
            List<Way> left = fromFirstThatFits(device, null, 0, 0, ways, room);
            Way way = left.get(0);
            long need = need(device, null, 0, 0, way);
            if (need > room) {
                throw device.memory().refusal(need, room, kernelAsked);
            }
            return of(device, way.kept(), 0, left);
        }
    }

    /**
     * The first way that fits and those that take less; only the last one if none fits.
     *
     * @param run as for {@link #need}
     * @param peak as for {@link #need}
     * @param structures as for {@link #need}
     */
    static List<Way> fromFirstThatFits(
            Device device, Promise run, long peak, long structures, List<Way> ways, long room) {
        int first = 0;
        while (first < ways.size() - 1 && need(device, run, peak, structures, ways.get(first)) > room) {
            first++;
        }
        return ways.subList(first, ways.size());
    }

    /**
     * Bytes of the device that a run could have: what is free or idle, and not promised to others. The holder of the
     * lease releases the workspace before this run can use the device.
     */
    static long room(Device device, Promise run) {
        DeviceMemory memory = device.memory();
        return memory.availableBytes() + device.workspace().bytesInUse() - memory.promisedBeside(run);
    }

    /** The same for a run that is not placed yet, of a graph whose structures others may have pinned. */
    public static long roomFor(Device device, Contents contents) {
        synchronized (device.memory()) {
            return device.lost().isEmpty() ? Math.max(0, room(device, null) + contents.bytesInUse()) : 0;
        }
    }

    /**
     * Bytes of the device that a run takes at most, with the largest workspace of the others. One workspace is in use
     * at a time.
     *
     * @param run what the run was promised before; null if nothing
     * @param peak maximum bytes of structures and scratch while structures are built
     * @param structures bytes of structures in the end
     */
    static long need(Device device, Promise run, long peak, long structures, Way way) {
        long others = device.memory().workspaceBeside(run);
        long own = Math.max(Workspace.bytesFor(way.workspace()), others);
        return Math.max(peak + others, structures + way.kept() + own);
    }

    /** What the run was promised; null for work in the background. */
    Promise promise() {
        return promise;
    }

    /**
     * Takes the first of other ways that what is promised has room for, and those that take less; returns whether there
     * is one.
     */
    boolean again(List<Way> others) {
        if (promise == null) {
            return false;
        }
        for (int first = 0; first < others.size(); first++) {
            Way next = others.get(first);
            if (next.kept() <= kept && Workspace.bytesFor(next.workspace()) <= promise.workspace()) {
                take(others.subList(first, others.size()));
                return true;
            }
        }
        return false;
    }

    /** The way in which the run does its work. */
    public Way way() {
        return way;
    }

    /** Allocates device memory within a lease, for the run or for structures that it builds. */
    public DeviceArray allocate(DeviceLease lease, String what, long bytes) {
        return lease.allocate(promise, what, bytes);
    }

    /** Allocates mapped memory within a lease, for structures that the run builds. */
    DeviceArray allocateMapped(DeviceLease lease, String what, long bytes) {
        return lease.allocateMapped(promise, what, bytes);
    }

    /** The device address of the workspace, of which the lease has at least {@code bytes} bytes. */
    public long workspace(DeviceLease lease, long bytes) {
        if (promise != null && Workspace.bytesFor(bytes) > promise.workspace()) {
            throw new IllegalStateException("a run takes what it was promised, here a workspace of "
                    + promise.workspace() + " bytes: " + bytes);
        }
        return lease.workspace(promise, bytes);
    }

    /** Called when all structures are built, and when a run has ended, with what it has grown. */
    void onlyKeeps() {
        if (promise != null) {
            promise.reduceTo(kept);
        }
    }

    /** Lets the run keep more, if others leave room for it; returns whether they do. */
    public boolean grow(long bytes) {
        DeviceMemory memory = device.memory();
        synchronized (memory) {
            long workspace = Math.max(promise.workspace(), memory.workspaceBeside(promise));
            boolean fits = bytes <= room(device, promise) - promise.open() - workspace;
            if (fits) {
                promise.grow(bytes);
            }
            return fits;
        }
    }

    /**
     * Takes the next way, which takes less, after the driver was short of memory although the books were not: another
     * process has taken it, or it is in pieces.
     *
     * @param shortage thrown if there is no other way
     */
    public void narrower(DeviceMemoryException shortage) {
        if (!ways.hasNext()) {
            throw shortage;
        }
        way = ways.next();
    }

    @Override
    public void close() {
        if (promise != null) {
            promise.close();
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.run;

import io.proxima.backend.RunControl;
import io.proxima.backend.RunObserver;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceArray;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.SlotOrder;
import io.proxima.backend.cuda.device.VertexOrderedArray;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.kernel.DeviceKernels;
import io.proxima.backend.cuda.kernel.SumsLayout;
import io.proxima.concurrent.Stop;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The sums of exact closeness on one device, over the ranges of sources that the device takes. See {@link FarnessSums}. It
 * pins the graph on the device until it is closed. For one thread at a time.
 */
abstract class DeviceSums implements AutoCloseable {

    static final long IDENTITY = 0;

    private final CudaDevice device;
    private final DeviceKernels kernels;
    private final GraphView graph;
    private final RunControl control;
    private final Runnable afterwards;

    private SumsLayout layout;
    private DeviceArray sums;

    /**
     * Sums over no sources.
     *
     * @param graph has the structures of the kernels
     * @param afterwards runs when this is closed
     */
    DeviceSums(CudaDevice device, DeviceKernels kernels, GraphView graph, RunControl control, Runnable afterwards) {
        this.device = device;
        this.kernels = kernels;
        this.graph = graph;
        this.control = control;
        this.afterwards = afterwards;
    }

    final CudaDevice device() {
        return device;
    }

    final String deviceName() {
        return device.name();
    }

    final GraphView graph() {
        return graph;
    }

    final RunControl control() {
        return control;
    }

    /** The order of the graph on the device. */
    final SlotOrder order() {
        return graph.order();
    }

    /** The name of the kernels. */
    final String kernel() {
        return kernels.name();
    }

    /** Adopts an array of sums, which {@link #close} frees. */
    final void adopt(DeviceArray array, SumsLayout itsLayout) {
        sums = array;
        layout = itsLayout;
    }

    /** The device address of an array of the sums. */
    final long address(long offset) {
        return sums.address() + offset;
    }

    final SumsLayout layout() {
        return layout;
    }

    /** Searches from ranges of sources until all sources are done, here or on other devices. */
    abstract void accumulate(SourceRanges sources, Stop stop);

    /** Leaves all ranges to other devices, after a failure of this one. */
    abstract void repeatElsewhere(SourceRanges sources);

    /** The deepest level. */
    abstract int deepest();

    /** The sums of the distances, in the order of the result. */
    final long[] farness() {
        return longs(layout.farness());
    }

    /** The numbers of summands, sources or vertices, in the order of the result. */
    final long[] reach() {
        return longs(layout.reach());
    }

    final double[] harmonic() {
        return doubles(layout.harmonic());
    }

    /** The largest distances. */
    final int[] eccentricity() {
        return ints(layout.depths());
    }

    /** The number of pairs by distance, from 1 on. */
    final long[] pairs(int levels) {
        long[] found = new long[levels];
        try (DeviceLease lease = lease()) {
            lease.download(
                    new VertexOrderedArray(address(layout.pairs()), Long.BYTES, levels, IDENTITY),
                    found,
                    control.concurrency());
        }
        return found;
    }

    final DeviceLease lease() {
        return device.lease(control.stop());
    }

    abstract long[] longs(long offset);

    abstract double[] doubles(long offset);

    abstract int[] ints(long offset);

    @Override
    public void close() {
        if (sums != null) {
            sums.close();
            sums = null;
        }
        afterwards.run();
    }

    /** Reports the devices of a run. */
    static void tell(RunObserver observer, List<? extends DeviceSums> parts, String reason) {
        DeviceSums first = parts.get(0);
        observer.runsOn(parts.stream().map(DeviceSums::deviceName).collect(Collectors.joining(", ")), reason);
        observer.runsWith(first.order().name(), first.kernel(), first.order().reason());
    }

    /** Closes all, even if closing one of them fails. */
    static void closeAll(Collection<? extends DeviceSums> parts) {
        closeAll(parts.iterator());
    }

    private static void closeAll(Iterator<? extends DeviceSums> parts) {
        if (parts.hasNext()) {
            DeviceSums next = parts.next();
            try {
                closeAll(parts);
            } finally {
                next.close();
            }
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.run;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.RunObserver;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.SlotOrder;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.kernel.DeviceKernels;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;

/** What one device does in a run that several devices may share. It pins the graph there until it is closed. */
abstract class DevicePart implements AutoCloseable {

    private final CudaDevice device;
    private final DeviceKernels kernels;
    private final GraphView graph;
    private final Runnable afterwards;

    /**
     * A part that has not begun.
     *
     * @param graph has the structures of the kernels
     * @param afterwards runs when this is closed
     */
    DevicePart(CudaDevice device, DeviceKernels kernels, GraphView graph, Runnable afterwards) {
        this.device = device;
        this.kernels = kernels;
        this.graph = graph;
        this.afterwards = afterwards;
    }

    /** The device. */
    final CudaDevice device() {
        return device;
    }

    /** The name of the device. */
    final String deviceName() {
        return device.name();
    }

    /** The graph on the device. */
    final GraphView graph() {
        return graph;
    }

    /** The order of the graph on the device. */
    final SlotOrder order() {
        return graph.order();
    }

    /** The name of the kernels. */
    final String kernel() {
        return kernels.name();
    }

    @Override
    public void close() {
        afterwards.run();
    }

    /** Reports the devices of a run. */
    static void tell(RunObserver observer, List<? extends DevicePart> parts, String reason) {
        DevicePart first = parts.get(0);
        observer.runsOn(parts.stream().map(DevicePart::deviceName).collect(Collectors.joining(", ")), reason);
        observer.runsWith(first.order().name(), first.kernel(), first.order().reason());
    }

    /** Reports that a run continues without a device. */
    static void tellLoss(
            RunObserver observer, List<? extends DevicePart> remaining, DevicePart lost, RuntimeException failure) {
        tell(
                observer,
                remaining,
                "Other GPUs repeat what " + lost.deviceName() + " has not finished: " + failure.getMessage());
    }

    /**
     * The failure of a run all of whose devices have failed: too little memory if that is what one of them has failed with,
     * because the run can then be repeated over mapped lists.
     *
     * @param failures at least one
     */
    static RuntimeException failureOfAll(Collection<RuntimeException> failures) {
        return failures.stream()
                .filter(DeviceMemoryException.class::isInstance)
                .findFirst()
                .orElseGet(() -> failures.iterator().next());
    }

    /** Closes all, even if closing one of them fails. */
    static void closeAll(Collection<? extends DevicePart> parts) {
        closeAll(parts.iterator());
    }

    private static void closeAll(Iterator<? extends DevicePart> parts) {
        if (parts.hasNext()) {
            DevicePart next = parts.next();
            try {
                closeAll(parts);
            } finally {
                next.close();
            }
        }
    }
}

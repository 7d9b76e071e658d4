// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.memory.MemoryTree;

/**
 * The peak memory of a workload.
 *
 * @param heap Java heap
 * @param device device memory, including resident structures of the graph
 * @param availableDeviceBytes device memory available to the graph and the run: free memory, evictable memory, and
 *     the graph's resident structures; 0 without a device
 * @param mapped page-locked host memory that devices read; none if the lists of neighbours fit the device
 * @param availableMappedBytes as {@code availableDeviceBytes}, of {@code mapped}
 */
public record MemoryEstimate(
        MemoryTree heap, MemoryTree device, long availableDeviceBytes, MemoryTree mapped, long availableMappedBytes) {

    private static final String IN_BOTH = "both directions";

    /** An estimate without device memory. */
    public static MemoryEstimate onHeap(MemoryTree heap) {
        return new MemoryEstimate(heap, MemoryTree.NONE, 0, MemoryTree.NONE, 0);
    }

    /** A copy with another heap. */
    public MemoryEstimate withHeap(MemoryTree other) {
        return new MemoryEstimate(other, device, availableDeviceBytes, mapped, availableMappedBytes);
    }

    /** This estimate as the maximum and {@code least}, of a smaller graph and the same device, as the minimum. */
    public MemoryEstimate downTo(MemoryEstimate least) {
        return new MemoryEstimate(
                heap.downTo(least.heap),
                device.downTo(least.device),
                availableDeviceBytes,
                mapped.downTo(least.mapped),
                availableMappedBytes);
    }

    /** The estimate if this or another run is made, on the same device. */
    public MemoryEstimate either(MemoryEstimate other) {
        if (fitsDevice() != other.fitsDevice()) {
            return fitsDevice() ? this : other;
        }
        boolean otherLarger = device.maxBytes() < other.device().maxBytes();
        MemoryEstimate larger = otherLarger ? other : this;
        MemoryEstimate smaller = otherLarger ? this : other;
        return new MemoryEstimate(
                heap.orMore(other.heap),
                larger.device.downTo(smaller.device),
                availableDeviceBytes,
                larger.mapped.orMore(smaller.mapped),
                availableMappedBytes);
    }

    /**
     * The estimate of this run, made beside the same run on the reversed graph, and of that one: both graphs stay on
     * the device. The heap is that of this run.
     *
     * @param reversed the estimate of the other run alone
     * @param least bytes that this run leaves to the other one at least
     * @param available as {@code availableDeviceBytes}, for both
     */
    public MemoryEstimate beside(MemoryEstimate reversed, long least, long available) {
        MemoryTree both = MemoryTree.together(IN_BOTH, reversed.device, device);
        boolean fits = fitsDevice() && reversed.fitsDevice();
        // one workspace is in use at a time
        long min = fits ? Math.min(both.minBytes(), available) : Math.max(available + 1, deviceBytes() + least);
        return new MemoryEstimate(
                heap,
                new MemoryTree(IN_BOTH, min, Math.max(min, Math.min(both.maxBytes(), available)), both.parts()),
                available,
                MemoryTree.together(IN_BOTH, reversed.mapped, mapped),
                availableMappedBytes + reversed.mapped.maxBytes());
    }

    /**
     * Whether there is a device with enough memory for the minimum, or with lists in mapped memory that has enough.
     */
    public boolean fitsDevice() {
        return device.maxBytes() > 0
                && device.minBytes() <= availableDeviceBytes
                && mapped.minBytes() <= availableMappedBytes;
    }

    /** The maximum heap, in bytes. */
    public long heapBytes() {
        return heap.maxBytes();
    }

    /** The minimum device memory, in bytes. */
    public long deviceBytes() {
        return device.minBytes();
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.memory.MemoryTree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.neo4j.procedure.Description;

/** The columns of every estimate: GDS's columns, followed by those of the device. */
public record EstimateRow(
        @Description("The heap of the call in readable form: one size, or a minimum and a maximum.")
        String requiredMemory,

        @Description("The components of the estimate, one on each line.")
        String treeView,

        @Description("The components of the estimate as a `MAP` with `name`, `memoryUsage` and `components`.")
        Map<String, Object> mapView,

        @Description("The minimum heap of the call, in bytes.")
        long bytesMin,

        @Description("The maximum heap of the call, in bytes. A run is checked against this figure.")
        long bytesMax,

        @Description("The number of nodes.") long nodeCount,

        @Description("The number of directed relationships; an undirected one counts twice.")
        long relationshipCount,

        @Description("`bytesMin` as a percentage of the server's heap, rounded up to a tenth.")
        double heapPercentageMin,

        @Description("`bytesMax` as a percentage of the server's heap, rounded up to a tenth.")
        double heapPercentageMax,

        @Description("The minimum device memory of the call, in bytes; 0 if it would run on the CPU.")
        long deviceBytesMin,

        @Description("The maximum device memory of the call, in bytes.")
        long deviceBytesMax,

        @Description("Whether there is a device with enough memory for `deviceBytesMin`; null for calls that use no"
                + " device, such as projections.")
        Boolean fitsDevice) {

    private static final String ROOT = "Memory Estimation";
    private static final String DEVICE_ROOT = "Device Memory Estimation";
    private static final String MAPPED_ROOT = "Mapped Host Memory Estimation";

    /** Creates the row of a call that uses no device. */
    public static EstimateRow of(long nodeCount, long relationshipCount, MemoryTree heap) {
        return of(nodeCount, relationshipCount, heap, MemoryTree.NONE, MemoryTree.NONE, null);
    }

    /**
     * Creates the row of an estimate.
     *
     * @param nodeCount number of nodes of the graph
     * @param relationshipCount number of directed relationships
     * @param heap additional heap of the call
     * @param device device memory of the call; {@link MemoryTree#NONE} if it would run on the CPU
     * @param mapped page-locked host memory that the device reads; {@link MemoryTree#NONE} if there is none
     * @param fitsDevice whether there is a device with enough memory for the minimum; null for a call without a device
     */
    public static EstimateRow of(
            long nodeCount,
            long relationshipCount,
            MemoryTree heap,
            MemoryTree device,
            MemoryTree mapped,
            Boolean fitsDevice) {
        MemoryTree onHeap = MemoryTree.together(ROOT, heap);
        String treeView = onHeap.render();
        Map<String, Object> mapView = new LinkedHashMap<>(onHeap.toMap());
        if (device.maxBytes() > 0) {
            MemoryTree onDevice = device.named(DEVICE_ROOT);
            treeView += onDevice.render();
            mapView.put("device", onDevice.toMap());
        }
        if (mapped.maxBytes() > 0) {
            MemoryTree onHost = mapped.named(MAPPED_ROOT);
            treeView += onHost.render();
            mapView.put("mapped", onHost.toMap());
        }
        long maxHeap = Runtime.getRuntime().maxMemory();
        return new EstimateRow(
                onHeap.range(),
                treeView,
                mapView,
                onHeap.minBytes(),
                onHeap.maxBytes(),
                nodeCount,
                relationshipCount,
                percentage(onHeap.minBytes(), maxHeap),
                percentage(onHeap.maxBytes(), maxHeap),
                device.minBytes(),
                device.maxBytes(),
                fitsDevice);
    }

    /** The columns but those of the device, for a function. */
    public Map<String, Object> toMap() {
        Map<String, Object> columns = NamedColumns.of(this);
        columns.keySet().removeAll(List.of("deviceBytesMin", "deviceBytesMax", "fitsDevice"));
        return columns;
    }

    /** A percentage, rounded up to a tenth, so that small values do not appear as 0. */
    static double percentage(long bytes, long ofBytes) {
        return Math.ceil(1000.0 * bytes / ofBytes) / 10;
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.GraphShape;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.MemoryEstimate;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.Workload;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Traversal on several GPUs of one host: each run on one of them, and long closeness on all. See {@link GroupGraph}.
 *
 * @param name the name of this backend
 * @param usable supplies the devices that can be used now, the preferred first; they are closed by the caller
 * @param leastShared as of {@link GroupGraph#shares}
 */
public record DeviceGroup(String name, Supplier<List<DeviceBackend>> usable, long leastShared)
        implements TraversalBackend {

    /** The devices together. */
    @Override
    public BackendInfo info() {
        List<BackendInfo> devices =
                usable.get().stream().map(DeviceBackend::info).toList();
        if (devices.isEmpty()) {
            return BackendInfo.unavailable(name, "All GPUs have failed. Repeat the call, or use backend: 'cpu'.", "");
        }
        BackendInfo first = devices.get(0);
        return new BackendInfo(
                name,
                true,
                "",
                devices.stream().map(BackendInfo::device).collect(Collectors.joining(", ")),
                first.computeCapability(),
                devices.stream().mapToLong(BackendInfo::totalBytes).sum(),
                devices.stream().mapToLong(BackendInfo::freeBytes).sum(),
                first.driverVersion());
    }

    /** The estimate for the device that suits best, or the sum over all devices that take part in the run. */
    @Override
    public MemoryEstimate estimate(GraphShape graph, Workload work, int concurrency) {
        return together(graph, work, device -> device.estimate(graph, work, concurrency));
    }

    @Override
    public MemoryEstimate estimate(Csc graph, boolean searched, Workload work, int concurrency) {
        return together(
                GraphShape.of(graph, searched), work, device -> device.estimate(graph, searched, work, concurrency));
    }

    private MemoryEstimate together(GraphShape graph, Workload work, Function<DeviceBackend, MemoryEstimate> estimate) {
        Map<String, MemoryEstimate> all = new LinkedHashMap<>();
        usable.get().forEach(device -> all.put(device.device().name(), estimate.apply(device)));
        MemoryEstimate best = all.values().stream()
                .max(Comparator.comparing(MemoryEstimate::fitsDevice)
                        .thenComparingLong(one -> one.availableDeviceBytes() - one.deviceBytes()))
                .orElse(MemoryEstimate.onHeap(MemoryTree.NONE));
        if (all.size() < 2
                || !GroupGraph.shares(graph, work.operation(), work.measures(), work.sources(), leastShared)) {
            return best;
        }
        // the host reads the sums of one device after the other
        MemoryTree sums = work.runs().stream()
                .map(run -> run.result(graph.vertexCount()))
                .reduce(MemoryTree::orMore)
                .orElseThrow();
        MemoryTree heap = MemoryTree.together("run on several GPUs", best.heap(), sums.named("sums of one GPU"));
        // devices without room take no part; devices map lists until the budget that they share is used up
        Map<String, MemoryEstimate> parts = new LinkedHashMap<>();
        long mapped = 0;
        for (Map.Entry<String, MemoryEstimate> device : all.entrySet()) {
            MemoryEstimate one = device.getValue();
            if (one.fitsDevice() && mapped + one.mapped().minBytes() <= one.availableMappedBytes()) {
                parts.put(device.getKey(), one);
                mapped += one.mapped().minBytes();
            }
        }
        if (parts.isEmpty()) {
            return best.withHeap(heap);
        }
        return new MemoryEstimate(
                heap,
                sum(parts, MemoryEstimate::device),
                parts.values().stream()
                        .mapToLong(MemoryEstimate::availableDeviceBytes)
                        .sum(),
                sum(parts, MemoryEstimate::mapped),
                best.availableMappedBytes());
    }

    private static MemoryTree sum(Map<String, MemoryEstimate> parts, Function<MemoryEstimate, MemoryTree> of) {
        MemoryTree[] trees = parts.entrySet().stream()
                .map(device -> of.apply(device.getValue()).named(device.getKey()))
                .toArray(MemoryTree[]::new);
        return MemoryTree.together("run on several GPUs", trees);
    }

    @Override
    public LoadedGraph load(Csc graph) {
        return new GroupGraph(usable, graph, leastShared);
    }

    /** The devices are closed by their owner. */
    @Override
    public void close() {}
}

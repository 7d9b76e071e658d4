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

import io.proxima.backend.BackendInfo;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.cuda.run.GroupGraph;
import io.proxima.backend.cuda.run.GroupGraph.GroupChoice;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.Csc;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Traversal on several NVIDIA GPUs of one host: each run on one of them, and long ones on all. See {@link GroupGraph}.
 */
final class CudaGroup implements TraversalBackend {

    private final String name;
    private final Supplier<List<CudaBackend>> usable;
    private final GroupChoice choice;

    /**
     * A group.
     *
     * @param name the name of this backend
     * @param usable supplies the devices that can be used now, the preferred first; they are closed by the caller
     */
    CudaGroup(String name, Supplier<List<CudaBackend>> usable, GroupChoice choice) {
        this.name = name;
        this.usable = usable;
        this.choice = choice;
    }

    /** The devices together. */
    @Override
    public BackendInfo info() {
        List<BackendInfo> devices = usable.get().stream().map(CudaBackend::info).toList();
        if (devices.isEmpty()) {
            return new BackendInfo(
                    name, false, "All GPUs have failed. Repeat the call, or use backend: 'cpu'.", "", "", 0, 0, "");
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

    /** The estimate for one device. A run on several takes as much on each of them. */
    @Override
    public MemoryEstimate estimate(GraphShape graph, Workload work, int concurrency) {
        return best(graph, work, device -> device.estimate(graph, work, concurrency));
    }

    @Override
    public MemoryEstimate estimate(Csc graph, boolean searched, Workload work, int concurrency) {
        return best(
                GraphShape.of(graph, searched), work, device -> device.estimate(graph, searched, work, concurrency));
    }

    private MemoryEstimate best(GraphShape graph, Workload work, Function<CudaBackend, MemoryEstimate> estimate) {
        List<CudaBackend> devices = usable.get();
        MemoryEstimate best = devices.stream()
                .map(estimate)
                .max(Comparator.comparing(MemoryEstimate::fitsDevice)
                        .thenComparingLong(one -> one.availableDeviceBytes() - one.deviceBytes()))
                .orElse(MemoryEstimate.onHeap(MemoryTree.NONE));
        if (work.run() != Run.FARNESS
                || devices.size() < 2
                || !choice.shares(graph, Run.FARNESS, graph.vertexCount())) {
            return best;
        }
        return new MemoryEstimate(
                MemoryTree.together("run on several GPUs", best.heap(), mergingHeap(graph.vertexCount(), work)),
                best.device(),
                best.availableDeviceBytes());
    }

    /** Heap for adding the sums of one device to those of the others. */
    private static MemoryTree mergingHeap(int vertexCount, Workload work) {
        long sums = (long) vertexCount * Long.BYTES;
        boolean harmonic = work.wants(DistanceMeasure.HARMONIC);
        return MemoryTree.exactly("sums of one GPU", harmonic ? 2 * sums : sums);
    }

    @Override
    public LoadedGraph load(Csc graph) {
        return new GroupGraph(usable, graph, choice);
    }

    /** The devices are closed by their owner. */
    @Override
    public void close() {}
}

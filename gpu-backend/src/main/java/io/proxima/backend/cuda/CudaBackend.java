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
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.saved.SavedGraphs;
import io.proxima.projection.Csc;
import java.util.IdentityHashMap;
import java.util.function.Supplier;

/** Traversal on one NVIDIA GPU. Graphs are moved there at their first run, see {@link ResidentGraph}. */
public final class CudaBackend implements TraversalBackend {

    private final CudaDevice device;

    // guarded by this
    private final IdentityHashMap<Csc, ResidentGraph> graphs = new IdentityHashMap<>();

    private final OrderImprover improver;

    /** A backend; {@code savedGraphs} gives the folder of saved graphs of now, null if there is none. */
    CudaBackend(CudaDevice device, Supplier<SavedGraphs> savedGraphs) {
        this.device = device;
        this.improver = new OrderImprover(this::sweep, savedGraphs);
    }

    @Override
    public BackendInfo info() {
        String lost = device.lost();
        return new BackendInfo(
                device.name(),
                lost.isEmpty(),
                lost,
                device.facts().name(),
                device.facts().computeCapability(),
                device.facts().totalBytes(),
                lost.isEmpty() ? device.memory().availableBytes() : 0,
                device.driverVersion());
    }

    /** {@inheritDoc} The device's part is exact to the byte but for what only the run shows; see {@link DeviceEstimate}. */
    @Override
    public MemoryEstimate estimate(GraphShape graph, Workload work, int concurrency) {
        return new DeviceEstimate(
                        device, graph, ResidentGraph.Lying.nowhere(graph.symmetric(), false), work, concurrency)
                .estimate();
    }

    @Override
    public MemoryEstimate estimate(Csc graph, boolean searched, Workload work, int concurrency) {
        ResidentGraph resident;
        synchronized (this) {
            resident = graphs.get(graph);
        }
        if (resident == null) {
            // of no holder, so it is not kept
            resident = new ResidentGraph(graph, device, improver);
        }
        ResidentGraph.Lying lying = resident.lying(device.policy().order(work.options()));
        return new DeviceEstimate(device, GraphShape.of(graph, searched), lying, work, concurrency).estimate();
    }

    @Override
    public LoadedGraph load(Csc graph) {
        ResidentGraph resident;
        synchronized (this) {
            resident = graphs.computeIfAbsent(graph, csc -> new ResidentGraph(csc, device, improver));
            resident.hold();
        }
        return new CudaGraph(this, device, resident);
    }

    /** Lets one handle of a graph go. */
    synchronized void letGo(ResidentGraph resident) {
        if (resident.letGo()) {
            graphs.remove(resident.graph());
            sweep();
        }
    }

    /** Leaves the device empty if nobody holds a graph any more. */
    synchronized void sweep() {
        if (graphs.isEmpty()) {
            device.workspace().close();
        }
    }

    /** What improves orders here. */
    OrderImprover improver() {
        return improver;
    }

    CudaDevice device() {
        return device;
    }

    /** Gives the device back; the caller sees to it that nothing runs. */
    @Override
    public void close() {
        improver.close();
        device.close();
    }
}

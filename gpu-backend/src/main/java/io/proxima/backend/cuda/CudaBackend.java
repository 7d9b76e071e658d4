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
import io.proxima.backend.bvss.BvssLayout;
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

    /**
     * {@inheritDoc}
     *
     * <p>The device's part is what the run needs at least, its smallest batch, and for the BVSS the most that a graph of
     * this shape can take; what is allocated is planned again, to the byte, when the BVSS is known. Where the device has no
     * room for making the graph's parts they are made on the heap, and that is what the heap's part then is.
     */
    @Override
    public MemoryEstimate estimate(GraphShape graph, Run run, int concurrency) {
        int n = graph.vertexCount();
        long vss = MemoryPlan.Bvss.mostVirtualSliceSets(n, graph.entryCount());
        long bvss = (BvssLayout.sliceSetCount(n) + 1L) * Integer.BYTES
                + vss * ((1L + BvssLayout.VSS_SLICES + BvssLayout.VSS_MASK_WORDS) * Integer.BYTES);
        long entries = graph.entryCount();
        boolean single = run == Run.BFS || run == Run.NEAREST_SOURCE;
        long slots = MemoryPlan.slotBytes(n);
        long lists = MemoryPlan.Lists.of(n, entries).bytes();
        long resident = MemoryPlan.Bvss.of(n, vss).bytes() + slots + (single ? lists : 0);
        int batch = device.policy().batchSources();
        int least = LaunchPolicy.SMALLEST_BATCH;
        long heap = 0;
        long state =
                switch (run) {
                    case BFS -> MemoryPlan.Search.of(n, vss, 1, 0).bytes();
                    case NEAREST_SOURCE -> {
                        heap = (long) n * Integer.BYTES;
                        yield MemoryPlan.Search.of(n, vss, 1, 0).bytes();
                    }
                    case MULTI_SOURCE_BFS -> {
                        heap = DeviceDistances.bytes(n, batch, Byte.BYTES);
                        yield MemoryPlan.MultiSource.of(n, vss, least, least, Byte.BYTES)
                                .bytes();
                    }
                    case FARNESS -> {
                        long counts =
                                MemoryPlan.levelCountBytes(n, device.policy().levelCapacity());
                        yield MemoryPlan.Sums.of(n, true).bytes()
                                + counts
                                + MemoryPlan.MultiSource.of(n, vss, least, least, 0)
                                        .bytes();
                    }
                };
        long order = 2L * n * Integer.BYTES;
        long making = slots + makingBytes(graph, vss, single);
        if (making <= device.memory().budget()) {
            return new MemoryEstimate(order + heap, Math.max(making, resident + state));
        }
        // made on the host, where it is short-lived beside the relabelled graph
        long csc = Csc.bytes(n, entries);
        return new MemoryEstimate(order + Math.max(bvss + (graph.symmetric() ? csc : 2 * csc), heap), resident + state);
    }

    /** The most that lies on the device while the parts of a graph are made there, but for the slots. */
    private long makingBytes(GraphShape graph, long virtualSliceSets, boolean inLists) {
        int n = graph.vertexCount();
        long entries = graph.entryCount();
        int mostBlocks = device.policy().mostBlocks(device.facts().multiprocessors());
        long lists = MemoryPlan.Lists.of(n, entries).bytes();
        long build = MemoryPlan.Build.of(entries, mostBlocks).bytes();
        long reorder = MemoryPlan.Reorder.of(n, entries, mostBlocks).bytes();
        long bvss = MemoryPlan.Bvss.of(n, virtualSliceSets).bytes();
        long relabelling = build + reorder + 2 * lists;
        long building = build + lists + bvss;
        long transposing = inLists && !graph.symmetric()
                ? bvss + 2 * lists + reorder + Math.max(lists, MemoryPlan.entryBytes(entries))
                : 0;
        return Math.max(relabelling, Math.max(building, transposing));
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

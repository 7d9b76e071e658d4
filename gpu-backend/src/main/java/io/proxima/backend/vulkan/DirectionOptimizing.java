// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan;

import io.proxima.backend.Kernel;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Grid;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.backend.device.kernel.KernelFamily;
import io.proxima.backend.vulkan.driver.ShippedShaders;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The kernel of one search: direction-optimizing BFS over CSR. bfs.comp. */
record DirectionOptimizing(String name) implements BfsKernel {

    /** PART in bfs.comp. */
    private static final long PART = 128;

    /** More than most searches of shallow graphs need, as a step that has nothing to do takes 4 to 7 us. */
    private static final int STEPS = 12;

    /** Numbers of 32 bits, with room for the last round of a loop. */
    private static final long MOST_ENTRIES = (1L << Integer.SIZE) - (1 << 16);

    static KernelFamily family(Kernel kernel) {
        return new KernelFamily(
                List.of(kernel),
                graph -> graph.entryCount() <= MOST_ENTRIES,
                (device, asked, operation) -> new DirectionOptimizing(kernel.keyword()));
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        return new LinkedHashSet<>(List.of(HostCsr.OUT, HostCsr.IN));
    }

    @Override
    public void addArrays(ArrayLayout workspace, GraphSizes graph, int sources) {
        long words = (graph.vertexCount() + (Integer.SIZE - 1L)) / Integer.SIZE;
        workspace
                .add("bitsA", words, Integer.BYTES)
                .add("bitsB", words, Integer.BYTES)
                .add("queue", graph.vertexCount() + graph.entryCount() / PART, Long.BYTES);
    }

    @Override
    public Search search(GraphView graph) {
        // an unsigned number of 32 bits for the kernel
        int entries = (int) graph.entryCount();
        return new Search(
                Grid.inSteps(Math.max(graph.vertexCount(), graph.entryCount()), STEPS),
                ShippedShaders.arguments("bfs")
                        .set("outPtrs", graph.structure(HostCsr.OUT).pointers())
                        .set("outIdx", graph.structure(HostCsr.OUT).indices())
                        .set("inPtrs", graph.structure(HostCsr.IN).pointers())
                        .set("inIdx", graph.structure(HostCsr.IN).indices())
                        .set("entries", entries));
    }
}

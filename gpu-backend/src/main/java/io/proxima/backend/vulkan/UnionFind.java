// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan;

import io.proxima.backend.BackendTask;
import io.proxima.backend.Kernel;
import io.proxima.backend.RunContext;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.Grid;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.kernel.ComponentKernels;
import io.proxima.backend.device.kernel.KernelFamily;
import io.proxima.backend.order.Permutation;
import io.proxima.backend.vulkan.driver.ShippedShaders;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import java.util.Set;

/** The kernel of weakly connected components: union-find over the edges. components.comp. */
record UnionFind(Device device, String name) implements ComponentKernels {

    private static final int STEPS = 4;

    static KernelFamily family(Kernel kernel) {
        return KernelFamily.of(kernel, (device, asked, operation) -> new UnionFind(device, kernel.keyword()));
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        return Set.of(HostCsr.OUT);
    }

    @Override
    public long workspace(GraphSizes graph) {
        return ArrayLayout.bytesOf(graph.vertexCount(), Integer.BYTES);
    }

    @Override
    public int[] run(GraphView graph, RunContext control) {
        control.progress().beginTask(BackendTask.COMPONENTS, graph.entryCount());
        int[] lowestSlots = new int[graph.vertexCount()];
        try (DeviceLease lease = device.lease(control.stop())) {
            long component = graph.placed().workspace(lease, workspace(graph));
            lease.launch(
                    Grid.inSteps(Math.max(graph.vertexCount(), graph.entryCount()), STEPS),
                    ShippedShaders.arguments("components")
                            .set("outPtrs", graph.structure(HostCsr.OUT).pointers())
                            .set("outIdx", graph.structure(HostCsr.OUT).indices())
                            .set("component", component)
                            .set("n", graph.vertexCount())
                            .set("entriesOfAStep", LaunchPolicy.ENTRIES_A_LAUNCH));
            lease.download(graph.inVertexOrder(component, Integer.BYTES), lowestSlots, control.concurrency());
        }
        control.progress().advance(graph.entryCount());
        if (!graph.order().isNatural()) {
            nameByVertices(lowestSlots, graph.order().permutation(), control.stop());
        }
        return lowestSlots;
    }

    /**
     * Replaces the lowest slot of each vertex's component by its lowest vertex, in place: the estimate of a run has no
     * heap beside the result. Meanwhile, the vertex in the lowest slot has the complement of the lowest vertex.
     */
    private static void nameByVertices(int[] lowest, Permutation order, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        for (int vertex = 0; vertex < lowest.length; vertex++) {
            paced.worked(2);
            if (lowest[vertex] >= 0) {
                int inLowestSlot = order.vertex(lowest[vertex]);
                if (lowest[inLowestSlot] >= 0) {
                    lowest[inLowestSlot] = ~vertex;
                }
                lowest[vertex] = inLowestSlot == vertex ? ~vertex : ~lowest[inLowestSlot];
            }
        }
        for (int vertex = 0; vertex < lowest.length; vertex++) {
            paced.worked(1);
            lowest[vertex] = lowest[vertex] < 0 ? ~lowest[vertex] : lowest[vertex];
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan;

import io.proxima.backend.BackendTask;
import io.proxima.backend.Kernel;
import io.proxima.backend.RunControl;
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
import io.proxima.backend.vulkan.driver.ShippedShaders;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import java.util.Arrays;
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
    public long leastWorkspace(GraphSizes graph) {
        return ArrayLayout.bytesOf(graph.vertexCount(), Integer.BYTES);
    }

    @Override
    public int[] run(GraphView graph, RunControl control) {
        control.progress().beginTask(BackendTask.COMPONENTS, graph.entryCount());
        int[] lowestSlots = new int[graph.vertexCount()];
        try (DeviceLease lease = device.lease(control.stop())) {
            long component = lease.workspace(leastWorkspace(graph));
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
        return graph.order().isNatural() ? lowestSlots : lowestVertices(lowestSlots, control.stop());
    }

    /** The lowest vertex of each component, in place, given the lowest slot of each vertex's component. */
    private static int[] lowestVertices(int[] lowestSlots, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        int[] lowest = new int[lowestSlots.length];
        Arrays.fill(lowest, -1);
        for (int vertex = 0; vertex < lowestSlots.length; vertex++) {
            paced.worked(1);
            int slot = lowestSlots[vertex];
            lowest[slot] = lowest[slot] < 0 ? vertex : lowest[slot];
            lowestSlots[vertex] = lowest[slot];
        }
        return lowestSlots;
    }
}

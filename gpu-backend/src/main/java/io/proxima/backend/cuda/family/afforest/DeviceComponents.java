// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.afforest;

import io.proxima.backend.BackendTask;
import io.proxima.backend.Kernel;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.graph.WeakComponents;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.kernel.ComponentKernels;
import io.proxima.backend.device.kernel.KernelFamily;
import java.util.Set;

/**
 * Copies the components of a graph from the device, as vertices. The components are a structure, which other families
 * read too.
 */
public record DeviceComponents(String name, Device device) implements ComponentKernels {

    /** The family of these kernels. */
    public static final KernelFamily FAMILY = KernelFamily.of(
            new Kernel("afforest", Operation.COMPONENTS),
            (device, kernel, operation) -> new DeviceComponents(kernel.keyword(), device));

    /** The byte of an unsigned number of 32 bits that is greater than every vertex. */
    private static final int ABOVE_ALL = 0xff;

    @Override
    public Set<DeviceStructure<?>> structures() {
        return Set.of(WeakComponents.COMPONENTS);
    }

    @Override
    public long workspace(GraphSizes graph) {
        return graph.ordered() ? bytes(graph) : 0;
    }

    @Override
    public int[] run(GraphView graph, RunContext control) {
        control.progress().beginTask(BackendTask.COMPONENTS, graph.entryCount());
        WeakComponents.Components components = graph.structure(WeakComponents.COMPONENTS);
        int[] lowest;
        try (DeviceLease lease = device.lease(control.stop())) {
            long at =
                    graph.order().isNatural() ? components.lowest() : lowestVertices(lease, graph, components.lowest());
            // while the kernels run, because zeroing takes longer
            lowest = new int[graph.vertexCount()];
            lease.download(graph.inVertexOrder(at, Integer.BYTES), lowest, control.concurrency());
        }
        control.progress().advance(graph.entryCount());
        return lowest;
    }

    /** Finds the lowest vertex of each slot's component, from its lowest slot: a device address, in slot order. */
    private static long lowestVertices(DeviceLease lease, GraphView graph, long lowestSlots) {
        int n = graph.vertexCount();
        long at = graph.placed().workspace(lease, bytes(graph));
        lease.fill(at, ABOVE_ALL, (long) n * Integer.BYTES);
        lease.launchThreads(
                n,
                ShippedKernels.arguments("components_lowest_thread")
                        .set("component", lowestSlots)
                        .set("slotOfVertex", graph.slotOfVertex())
                        .set("lowest", at)
                        .set("n", n));
        lease.launchThreads(
                n,
                ShippedKernels.arguments("components_name_thread")
                        .set("component", lowestSlots)
                        .set("lowest", at)
                        .set("n", n));
        return at;
    }

    private static long bytes(GraphSizes graph) {
        return ArrayLayout.bytesOf(graph.vertexCount(), Integer.BYTES);
    }
}

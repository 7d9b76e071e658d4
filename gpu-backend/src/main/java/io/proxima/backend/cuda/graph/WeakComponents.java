// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import static io.proxima.backend.cuda.driver.KernelConstants.CONTROL_BYTES;

import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.Grid;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.graph.BuildContext;
import io.proxima.backend.device.graph.CopiedLists.Lists;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Recipe;
import io.proxima.backend.order.Afforest;
import java.util.List;

/**
 * The weakly connected components of a graph, computed on the device by Afforest; see {@link Afforest} and
 * components.cu.
 */
public final class WeakComponents implements DeviceStructure<WeakComponents.Components> {

    /** The one instance. */
    public static final WeakComponents COMPONENTS = new WeakComponents();

    private WeakComponents() {}

    /**
     * Components.
     *
     * @param lowest device address of {@code int[vertexCount]}: the lowest slot of each slot's component; slot id space
     * @param count number of components
     */
    public record Components(DeviceArray array, long lowest, int count) implements Arrays {}

    @Override
    public String label() {
        return "components";
    }

    @Override
    public long bytes(GraphSizes graph) {
        return layout(graph.vertexCount()).bytes();
    }

    @Override
    public Recipe recipe(GraphSizes graph) {
        return new Recipe(List.of(Csr.OUT), 0);
    }

    /**
     * {@inheritDoc} One launch finds them without the host, and may be stopped or paused between its steps.
     */
    @Override
    public Components build(BuildContext context) {
        int n = context.graph().vertexCount();
        Lists out = context.structure(Csr.OUT);
        ArrayLayout plan = layout(n);
        try (DeviceLease lease = context.device().lease(context.stop())) {
            DeviceArray array = context.allocate(lease, "the components of the graph", plan.bytes());
            long control = array.address() + plan.at("control");
            long lowest = array.address() + plan.at("component");
            lease.fill(control, 0, CONTROL_BYTES);
            DeviceLease.Outcome outcome = lease.launch(
                    Grid.cooperative(n),
                    control,
                    ShippedKernels.arguments("components_afforest_grid")
                            .set("ptrs", out.pointers())
                            .set("idx", out.indices())
                            .set("component", lowest)
                            .set("entriesATurn", LaunchPolicy.ENTRIES_A_LAUNCH)
                            .set("n", n)
                            // without the in-lists, an edge out of the largest component is seen from inside only
                            .set("skips", context.graph().isSymmetric() ? 1 : 0));
            return new Components(array, lowest, (int) outcome.work());
        }
    }

    /** The control block of the launch, and the lowest slot of each slot's component. */
    private static ArrayLayout layout(int vertexCount) {
        return new ArrayLayout().add("control", CONTROL_BYTES, Byte.BYTES).add("component", vertexCount, Integer.BYTES);
    }
}

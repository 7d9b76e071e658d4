// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.afforest;

import io.proxima.backend.Kernel;
import io.proxima.backend.RunControl;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.cuda.graph.WeakComponents;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.kernel.ComponentKernels;
import io.proxima.backend.device.kernel.KernelFamily;
import java.util.List;
import java.util.Set;

/** The kernels 'afforest': weakly connected components. components.cu. */
public final class AfforestFamily implements KernelFamily {

    /** The value of the key {@code kernel}. */
    static final Kernel AFFOREST =
            new Kernel("afforest", "Components by sampled links, Afforest.", Operation.COMPONENTS);

    @Override
    public List<Kernel> kernels() {
        return List.of(AFFOREST);
    }

    @Override
    public ComponentKernels components(Device device, Kernel kernel) {
        return new Kernels(device);
    }

    /** The kernels. The components are a structure, which other families read too. */
    private record Kernels(Device device) implements ComponentKernels {

        @Override
        public String name() {
            return AFFOREST.keyword();
        }

        @Override
        public Set<DeviceStructure<?>> structures() {
            return Set.of(WeakComponents.COMPONENTS);
        }

        @Override
        public long leastWorkspace(GraphSizes graph) {
            return graph.ordered() ? DeviceComponents.bytes(graph) : 0;
        }

        @Override
        public int[] run(GraphView graph, RunControl control) {
            return DeviceComponents.download(device, graph, control);
        }
    }
}

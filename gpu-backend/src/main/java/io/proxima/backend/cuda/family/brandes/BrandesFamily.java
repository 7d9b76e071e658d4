// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.brandes;

import io.proxima.backend.Kernel;
import io.proxima.backend.RunControl;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.centrality.BetweennessSearches;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.kernel.BetweennessKernels;
import io.proxima.backend.device.kernel.KernelFamily;
import io.proxima.memory.MemoryTree;
import java.util.List;

/** The kernels 'brandes': betweenness. betweenness.cu. */
public final class BrandesFamily implements KernelFamily {

    /** The value of the key {@code kernel}. */
    static final Kernel BRANDES =
            new Kernel("brandes", "Betweenness from 32 sources at once, Brandes' algorithm.", Operation.BETWEENNESS);

    @Override
    public List<Kernel> kernels() {
        return List.of(BRANDES);
    }

    @Override
    public BetweennessKernels betweenness(Device device, Kernel kernel) {
        return new Kernels(device);
    }

    private record Kernels(Device device) implements BetweennessKernels {

        @Override
        public String name() {
            return BRANDES.keyword();
        }

        @Override
        public long bytes(int vertexCount, long entryCount, boolean symmetric, boolean scarce) {
            return DeviceBetweenness.bytes(device, vertexCount, entryCount, symmetric, scarce);
        }

        @Override
        public MemoryTree memory(GraphShape graph) {
            return DeviceBetweenness.memory(graph);
        }

        @Override
        public double[] run(BetweennessSearches searches, RunControl control) {
            return DeviceBetweenness.run(device, searches, control);
        }
    }
}

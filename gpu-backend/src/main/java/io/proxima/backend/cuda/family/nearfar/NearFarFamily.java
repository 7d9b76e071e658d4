// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.nearfar;

import io.proxima.backend.Kernel;
import io.proxima.backend.RunControl;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.cuda.graph.KernelLayouts;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.graph.WeightedLists;
import io.proxima.backend.device.kernel.KernelFamily;
import io.proxima.backend.device.kernel.PathKernels;
import io.proxima.projection.WeightedCsc;
import java.util.List;

/** The kernels 'near-far': weighted shortest paths. near_far.cu. */
public final class NearFarFamily implements KernelFamily {

    /** The value of the key {@code kernel}. */
    static final Kernel NEAR_FAR =
            new Kernel("near-far", "Shortest paths by a near queue and a far pile.", Operation.SHORTEST_PATHS);

    @Override
    public List<Kernel> kernels() {
        return List.of(NEAR_FAR);
    }

    @Override
    public PathKernels paths(Device device, Kernel kernel) {
        return new Kernels(device);
    }

    private record Kernels(Device device) implements PathKernels {

        @Override
        public String name() {
            return NEAR_FAR.keyword();
        }

        @Override
        public boolean canSearch(int vertexCount, long entryCount) {
            return KernelLayouts.countsInOneWord(vertexCount, entryCount);
        }

        @Override
        public long workspace(int vertexCount, int costBytes) {
            return NearFarSearch.workspaceBytes(vertexCount, costBytes);
        }

        @Override
        public double delta(WeightedCsc graph, WeightedCsc.Lengths lengths) {
            return NearFarSearch.delta(graph, lengths);
        }

        @Override
        public double[] run(WeightedLists.Lists lists, int vertexCount, int source, double delta, RunControl control) {
            return NearFarSearch.run(device, lists, vertexCount, source, delta, control)
                    .costs();
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.nearfar;

import io.proxima.backend.Kernel;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.kernel.DeviceKernels;
import io.proxima.backend.device.kernel.KernelFamily;
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
    public DeviceKernels kernels(Device device, Kernel kernel, Operation operation) {
        return new NearFarKernels(device);
    }
}

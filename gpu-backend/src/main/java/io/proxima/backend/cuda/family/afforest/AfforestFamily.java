// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.afforest;

import io.proxima.backend.Kernel;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.kernel.DeviceKernels;
import io.proxima.backend.device.kernel.KernelFamily;
import java.util.List;

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
    public DeviceKernels kernels(Device device, Kernel kernel, Operation operation) {
        return new DeviceComponents(device);
    }
}

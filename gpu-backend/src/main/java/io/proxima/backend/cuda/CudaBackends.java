// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.cuda.driver.CudaProbe;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.kernel.KernelFamilies;
import io.proxima.backend.device.run.DeviceBackends;
import io.proxima.backend.device.run.DeviceProbe;
import java.util.function.Supplier;

/** The CUDA devices of this host, as one server may use them. */
public final class CudaBackends extends DeviceBackends {

    /** The name of the row of a host without devices. */
    static final String NAME = "cuda";

    private static final Supplier<DeviceProbe> OF_THIS_HOST = DeviceProbe.once(CudaProbe::ofThisHost);

    CudaBackends(KernelFamilies families, Supplier<DeviceProbe> probing, LaunchPolicy policy, MappedBudget mapped) {
        super(NAME, policy.settings().devices(), families, probing, policy, mapped);
    }

    /**
     * The devices of this host, not detected yet.
     *
     * @param mapped the budget of mapped memory, which other devices use too
     */
    public static CudaBackends ofThisHost(BackendSettings settings, MappedBudget mapped) {
        return new CudaBackends(CudaKernels.FAMILIES, OF_THIS_HOST, LaunchPolicy.shipped(settings), mapped);
    }
}

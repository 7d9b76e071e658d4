// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.driver;

import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.DeviceFacts;
import io.proxima.backend.device.DriverException;

/** What Proxima needs from the CUDA driver before it uses a device. */
public interface Driver {

    /** The CUDA version that the driver serves: 1000 major + 10 minor. */
    int version();

    /**
     * Number of devices.
     *
     * @throws DriverException CUDA_ERROR_NO_DEVICE among others
     */
    int deviceCount();

    /** The attributes of a device; does not create a context. */
    DeviceFacts facts(int ordinal);

    /** Retains a device's primary context. */
    DeviceDriver open(int ordinal);
}

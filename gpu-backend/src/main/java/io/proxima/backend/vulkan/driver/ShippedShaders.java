// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan.driver;

import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.KernelInterface;

/** The kernels in this jar, as SPIR-V. Each is a module of its own. */
public final class ShippedShaders {

    /** Where the compiled kernels and their interface are. */
    static final String FOLDER = "/io/proxima/backend/vulkan/";

    /** The interface of the kernels. */
    static final KernelInterface INTERFACE = KernelInterface.shippedIn(FOLDER);

    private ShippedShaders() {}

    /** The argument of a kernel, with no field set. */
    public static KernelArguments arguments(String kernel) {
        return INTERFACE.arguments(kernel);
    }

    /** The SPIR-V of a kernel. */
    static byte[] code(String kernel) {
        return KernelInterface.shipped(FOLDER + kernel + ".spv");
    }
}

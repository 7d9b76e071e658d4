// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.driver;

import io.proxima.backend.device.DeviceFacts;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.KernelInterface;
import java.util.Arrays;

/** The compiled kernels in this jar. */
public final class ShippedKernels {

    /** Where build.sh puts compiled kernels and their hashes. */
    static final String FOLDER = "/io/proxima/backend/cuda/";

    /** The interface of the kernels, which build.sh writes. */
    public static final KernelInterface INTERFACE = KernelInterface.shippedIn(FOLDER);

    private ShippedKernels() {}

    /** The argument of a kernel, with no field set. */
    public static KernelArguments arguments(String entry) {
        return INTERFACE.arguments(entry);
    }

    /**
     * The code of a module for a device.
     *
     * @param module name of the source file without extension
     * @return a cubin, or PTX that ends with a zero byte
     */
    public static byte[] image(String module, DeviceFacts facts) {
        // a cubin runs on its own architecture only; the driver compiles PTX for any newer one
        boolean hopper = facts.major() == 9 && facts.minor() == 0;
        byte[] code = KernelInterface.shipped(FOLDER + module + (hopper ? ".sm_90.cubin" : ".ptx"));
        return hopper ? code : Arrays.copyOf(code, code.length + 1);
    }
}

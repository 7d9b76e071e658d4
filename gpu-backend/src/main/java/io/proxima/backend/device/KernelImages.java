// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import io.proxima.backend.cuda.driver.Driver;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;

/** Compiled kernels by the name of their source file. */
@FunctionalInterface
public interface KernelImages {

    /** Where build.sh puts compiled kernels and their hashes. */
    String FOLDER = "/io/proxima/backend/cuda/";

    /** The kernels in this jar. */
    KernelImages PACKED = KernelImages::packed;

    /**
     * The code for a device.
     *
     * @param module name of the source file without extension
     * @param facts the device
     * @return a cubin, or PTX that ends with a zero byte
     */
    byte[] image(String module, Driver.DeviceFacts facts);

    private static byte[] packed(String module, Driver.DeviceFacts facts) {
        // a cubin runs on its own architecture only; the driver compiles PTX for any newer one
        boolean hopper = facts.major() == 9 && facts.minor() == 0;
        String file = FOLDER + module + (hopper ? ".sm_90.cubin" : ".ptx");
        try (InputStream code = KernelImages.class.getResourceAsStream(file)) {
            if (code == null) {
                throw new IllegalStateException("Proxima's jar has no kernel code " + file);
            }
            byte[] bytes = code.readAllBytes();
            return hopper ? bytes : Arrays.copyOf(bytes, bytes.length + 1);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read kernel code " + file, e);
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan.driver;

import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.KernelInterface;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The kernels in this jar, as SPIR-V. Each is a module of its own. */
public final class ShippedShaders {

    /** Where the compiled kernels are, with a list of their names. */
    static final String FOLDER = "/io/proxima/backend/vulkan/";

    /** The interface of the kernels. */
    static final KernelInterface INTERFACE = shipped();

    private ShippedShaders() {}

    /** The argument of a kernel, with no field set. */
    public static KernelArguments arguments(String kernel) {
        return INTERFACE.arguments(kernel);
    }

    /** The SPIR-V of a kernel. */
    static byte[] code(String kernel) {
        String file = FOLDER + kernel + ".spv";
        try (InputStream code = ShippedShaders.class.getResourceAsStream(file)) {
            if (code == null) {
                throw new IllegalStateException("Proxima's jar has no kernel code " + file);
            }
            return code.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read kernel code " + file, e);
        }
    }

    private static KernelInterface shipped() {
        Map<String, KernelInterface.Entry> entries = new TreeMap<>();
        names().forEach(kernel -> entries.put(kernel, Spirv.entry(kernel, code(kernel))));
        return new KernelInterface(entries);
    }

    private static List<String> names() {
        String file = FOLDER + "kernels.list";
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(ShippedShaders.class.getResourceAsStream(file), StandardCharsets.US_ASCII))) {
            return lines.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(" ", 2)[0])
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}

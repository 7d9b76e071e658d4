// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.Kernel;
import io.proxima.backend.Operation;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.graph.GraphSizes;
import java.util.List;
import java.util.function.Predicate;

/**
 * Kernels that traverse a graph with the same algorithm and device structures: everything that the key 'kernel',
 * estimates and tests need to know of them. Immutable.
 *
 * @param kernels the values of the key 'kernel', in the order in which users see them
 * @param canSearch whether the kernels of one search can search such a graph
 * @param factory creates the kernels
 */
public record KernelFamily(List<Kernel> kernels, Predicate<GraphSizes> canSearch, Factory factory) {

    /** Creates the kernels of a family. */
    @FunctionalInterface
    public interface Factory {
        /** The kernels of an operation, for a value of the key {@code kernel} that suits the operation. */
        DeviceKernels kernels(Device device, Kernel kernel, Operation operation);
    }

    /** A provider of families, found by {@link java.util.ServiceLoader} as one of their kernels. */
    public interface Provider extends Kernel.Provider {

        /** The families, in the order in which users see their kernels. */
        List<KernelFamily> families();

        @Override
        default List<Kernel> kernels() {
            return families().stream()
                    .flatMap(family -> family.kernels().stream())
                    .toList();
        }
    }

    /** A family with one value of the key, which can search every graph. */
    public static KernelFamily of(Kernel kernel, Factory factory) {
        return new KernelFamily(List.of(kernel), graph -> true, factory);
    }
}

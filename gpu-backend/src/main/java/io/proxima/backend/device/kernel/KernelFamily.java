// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.Kernel;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.graph.GraphSizes;

/**
 * Kernels that traverse a graph with the same algorithm and device structures. A family declares everything that
 * the key {@code kernel}, estimates and tests need to know of its kernels. It is one package and
 * one line in {@code META-INF/services/io.proxima.backend.Kernel$Provider}. Stateless.
 */
public interface KernelFamily extends Kernel.Provider {

    /** Whether the kernels of one search can search such a graph. */
    default boolean canSearch(GraphSizes graph) {
        return true;
    }

    /** The kernels of an operation, for a value of the key {@code kernel} that suits the operation. */
    DeviceKernels kernels(Device device, Kernel kernel, Operation operation);
}

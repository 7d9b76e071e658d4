// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.Kernel;
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

    /** The kernels of one search for a value of the key {@code kernel}; null if the family has none. */
    default BfsKernel levels(Device device, Kernel kernel) {
        return null;
    }

    /** The kernels of multi-source BFS for a value of the key {@code kernel}; null if the family has none. */
    default BatchKernels distances(Device device, Kernel kernel) {
        return null;
    }

    /** The kernels of sums for a value of the key {@code kernel}; null if the family has none. */
    default SumKernels sums(Device device, Kernel kernel) {
        return null;
    }

    /** The kernels of weakly connected components for a value of the key {@code kernel}; null if the family has none. */
    default ComponentKernels components(Device device, Kernel kernel) {
        return null;
    }

    /** The kernels of weighted shortest paths for a value of the key {@code kernel}; null if the family has none. */
    default PathKernels paths(Device device, Kernel kernel) {
        return null;
    }

    /** The kernels of betweenness for a value of the key {@code kernel}; null if the family has none. */
    default BetweennessKernels betweenness(Device device, Kernel kernel) {
        return null;
    }

    /** The kernels of sums by source for a value of the key {@code kernel}; null if the family has none. */
    default SumKernels sumsBySource(Device device, Kernel kernel) {
        return null;
    }
}

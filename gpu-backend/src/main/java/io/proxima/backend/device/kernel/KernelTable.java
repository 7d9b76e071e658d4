// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.Kernel;
import io.proxima.backend.Operation;
import java.util.Map;

/**
 * The kernels of 'auto'.
 *
 * @param byRun the kernels by run and depth; runs that are absent have one family of kernels
 * @param better kernels that take the place of others on deep graphs while their structures are resident
 * @param ofAnySize the kernels of one search on graphs that are too large for those of {@code byRun}
 */
public record KernelTable(Map<Operation, ByDepth> byRun, Map<Kernel, Kernel> better, Kernel ofAnySize) {

    /**
     * The kernels of one run.
     *
     * @param shallow on shallow graphs
     * @param deep on deep graphs
     */
    public record ByDepth(Kernel shallow, Kernel deep) {}
}

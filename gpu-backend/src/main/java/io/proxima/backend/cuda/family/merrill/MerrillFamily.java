// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.merrill;

import io.proxima.backend.Kernel;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.cuda.family.merrill.MerrillBfsKernel.Strategy;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.backend.device.kernel.KernelFamily;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The kernels 'merrill' and 'merrill-…': the strategies of Merrill, Garland and Grimshaw, "Scalable GPU graph traversal"
 * (PPoPP 2012). 'auto' does not choose them, because on an H200 other
 * kernels were faster on every graph measured: docs/benchmarks/h200-techniques.md.
 */
public final class MerrillFamily implements KernelFamily {

    private static final Map<Kernel, Strategy> STRATEGIES = strategies();

    private static Map<Kernel, Strategy> strategies() {
        Map<Kernel, Strategy> strategies = new LinkedHashMap<>();
        strategies.put(
                kernel(
                        "merrill",
                        "Top-down BFS with queues by prefix sums: contract-expand or two-phase for each level."),
                Strategy.HYBRID);
        strategies.put(
                kernel("merrill-expand-contract", "'merrill' with vertex queues only: expand-contract."),
                Strategy.EXPAND_CONTRACT);
        strategies.put(
                kernel("merrill-contract-expand", "'merrill' with edge queues only: contract-expand."),
                Strategy.CONTRACT_EXPAND);
        strategies.put(
                kernel("merrill-two-phase", "'merrill' with vertex and edge queues in every level: two-phase."),
                Strategy.TWO_PHASE);
        return strategies;
    }

    private static Kernel kernel(String keyword, String description) {
        return new Kernel(keyword, description, Operation.BFS, Operation.NEAREST_SOURCE);
    }

    @Override
    public List<Kernel> kernels() {
        return List.copyOf(STRATEGIES.keySet());
    }

    @Override
    public BfsKernel levels(Device device, Kernel kernel) {
        return new MerrillBfsKernel(kernel.keyword(), STRATEGIES.get(kernel));
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.papers.merrill;

import io.proxima.backend.Kernel;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.cuda.graph.KernelLayouts;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Grid;
import io.proxima.backend.device.graph.CopiedLists.Lists;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.backend.device.kernel.KernelFamily;
import java.util.Arrays;
import java.util.Set;

/**
 * Top-down BFS over out-neighbours, whose queues are compacted by prefix sums (bfs_merrill.cu): Merrill, Garland and
 * Grimshaw, PPoPP 2012, section 5; see docs/decisions/0055.
 *
 * @param strategy the coupling of expansion and contraction
 */
public record MerrillBfsKernel(Strategy strategy) implements BfsKernel {

    /** The family of these kernels, which has a value of the key for each strategy. */
    public static final KernelFamily FAMILY = new KernelFamily(
            Arrays.stream(Strategy.values())
                    .map(strategy -> Kernel.ofOneSearch(strategy.keyword))
                    .toList(),
            graph -> true,
            (device, kernel, operation) -> new MerrillBfsKernel(Arrays.stream(Strategy.values())
                    .filter(strategy -> strategy.keyword.equals(kernel.keyword()))
                    .findFirst()
                    .orElseThrow()));

    /** A multiprocessor runs the prefix sums of one block while another one waits for memory. */
    private static final int BLOCKS_A_MULTIPROCESSOR = 2;

    /** The strategies of section 5, by the queues that are in memory. */
    enum Strategy {
        /** Section 5.4: contract-expand or two-phase for each level. */
        HYBRID("merrill", "bfs_merrill_hybrid_grid", true, true),

        /** Section 5.1: vertex queues only. */
        EXPAND_CONTRACT("merrill-expand-contract", "bfs_merrill_expand_contract_grid", true, false),

        /** Section 5.2: edge queues only. */
        CONTRACT_EXPAND("merrill-contract-expand", "bfs_merrill_contract_expand_grid", false, true),

        /** Section 5.3: vertex and edge queues in every level. */
        TWO_PHASE("merrill-two-phase", "bfs_merrill_two_phase_grid", true, true);

        private final String keyword;
        private final String entry;
        private final boolean queuesVertices;
        private final boolean queuesEdges;

        Strategy(String keyword, String entry, boolean queuesVertices, boolean queuesEdges) {
            this.keyword = keyword;
            this.entry = entry;
            this.queuesVertices = queuesVertices;
            this.queuesEdges = queuesEdges;
        }
    }

    @Override
    public String name() {
        return strategy.keyword;
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        return Set.of(Csr.OUT);
    }

    @Override
    public void addArrays(ArrayLayout workspace, GraphSizes graph, int sources) {
        int n = graph.vertexCount();
        // a queue array has the queues of all levels, each vertex once and each entry once
        workspace
                .add("mask", KernelLayouts.bitWords(n), Integer.BYTES)
                .add("vertices", strategy.queuesVertices ? n : 0, Integer.BYTES)
                .add("edges", strategy.queuesEdges ? graph.entryCount() + sources : 0, Integer.BYTES);
    }

    @Override
    public Search search(GraphView graph) {
        Lists lists = graph.structure(Csr.OUT);
        return new Search(
                Grid.cooperative(Math.max(graph.vertexCount(), graph.entryCount()))
                        .withMostBlocks(BLOCKS_A_MULTIPROCESSOR),
                ShippedKernels.arguments(strategy.entry)
                        .set("ptrs", lists.pointers())
                        .set("idx", lists.indices()));
    }
}

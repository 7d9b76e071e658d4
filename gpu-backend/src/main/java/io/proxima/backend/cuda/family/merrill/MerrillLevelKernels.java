// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.merrill;

import io.proxima.backend.cuda.device.ArrayLayout;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.Grid;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.cuda.graph.DeviceStructure;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.kernel.LevelKernels;
import java.util.Set;

/**
 * Top-down BFS over out-neighbours, whose queues are compacted by prefix sums (bfs_merrill.cu): Merrill, Garland and
 * Grimshaw, PPoPP 2012, section 5; see docs/decisions/0054.
 *
 * @param name the value of the key {@code kernel}
 * @param strategy the coupling of expansion and contraction
 */
public record MerrillLevelKernels(CudaDevice device, String name, Strategy strategy) implements LevelKernels {

    /** Threads of a block: MERRILL_THREADS of bfs_merrill.cu. */
    public static final int THREADS = 512;

    private static final String MODULE = "bfs_merrill";

    /** A multiprocessor runs the prefix sums of one block while another one waits for memory. */
    private static final int BLOCKS_A_MULTIPROCESSOR = 2;

    private static final long NULL = 0;

    /** The strategies of section 5, by the queues that are in memory. */
    enum Strategy {
        /** Section 5.1. */
        EXPAND_CONTRACT("bfs_merrill_expand_contract_grid", true, false),
        /** Section 5.2. */
        CONTRACT_EXPAND("bfs_merrill_contract_expand_grid", false, true),
        /** Section 5.3. */
        TWO_PHASE("bfs_merrill_two_phase_grid", true, true),
        /** Section 5.4. */
        HYBRID("bfs_merrill_hybrid_grid", true, true);

        private final String entry;
        private final boolean queuesVertices;
        private final boolean queuesEdges;

        Strategy(String entry, boolean queuesVertices, boolean queuesEdges) {
            this.entry = entry;
            this.queuesVertices = queuesVertices;
            this.queuesEdges = queuesEdges;
        }
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        return Set.of(Csr.OUT);
    }

    @Override
    public Plan plan(GraphSizes graph, int sources, int stopTargets) {
        State plan = of(graph, sources, stopTargets);
        return new Plan(plan.bytes(), plan.levels());
    }

    private State of(GraphSizes graph, int sources, int stopTargets) {
        return State.of(strategy, graph.vertexCount(), graph.entryCount(), sources, stopTargets);
    }

    @Override
    public DeviceLease.Outcome launch(
            DeviceLease lease, GraphView graph, long at, int[] sources, int maxDepth, int[] stopTargets) {
        State plan = of(graph, sources.length, stopTargets.length);
        Csr.Lists lists = graph.structure(Csr.OUT);
        lease.upload(at + plan.stopTargets(), stopTargets, 0, stopTargets.length);
        return lease.launch(
                MODULE,
                strategy.entry,
                Grid.cooperative(THREADS, Math.max(graph.vertexCount(), graph.entryCount()))
                        .withMostBlocks(BLOCKS_A_MULTIPROCESSOR),
                new KernelArguments()
                        .pointer("ptrs", lists.pointers())
                        .pointer("idx", lists.indices())
                        .pointer("sources", lease.give(at + plan.sources(), sources))
                        .pointer("stopTargets", at + plan.stopTargets())
                        .pointer("stopFlag", device.stopFlagAddress())
                        .pointer("levels", at + plan.levels())
                        .pointer("mask", at + plan.mask())
                        .pointer("vertices", strategy.queuesVertices ? at + plan.vertices() : NULL)
                        .pointer("edges", strategy.queuesEdges ? at + plan.edges() : NULL)
                        .pointer("control", lease.control())
                        .pointer("report", lease.report())
                        .int32("n", graph.vertexCount())
                        .int32("sourceCount", sources.length)
                        .int32("onlySource", sources[0])
                        .int32("stopTargetCount", stopTargets.length)
                        .int32("maxDepth", maxDepth));
    }

    /**
     * The layout of the workspace of bfs_merrill.cu. A queue array has the queues of all levels, each vertex once and each
     * entry once.
     */
    public record State(long sources, long stopTargets, long levels, long mask, long vertices, long edges, long bytes) {

        public static State of(Strategy strategy, int vertexCount, long entryCount, int sources, int stopTargets) {
            ArrayLayout plan = new ArrayLayout();
            return new State(
                    plan.add(sources, Integer.BYTES),
                    plan.add(stopTargets, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(ArrayLayout.bitWords(vertexCount), Integer.BYTES),
                    plan.add(strategy.queuesVertices ? vertexCount : 0, Integer.BYTES),
                    plan.add(strategy.queuesEdges ? entryCount + sources : 0, Integer.BYTES),
                    plan.bytes());
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.xbfs;

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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Direction-optimizing BFS over CSR with adaptive frontier queue generation and asynchronous bottom-up levels (bfs_xbfs.cu):
 * Gaihre, Wu, Yao and Liu, HPDC 2019; see docs/decisions/0054.
 */
public record XbfsLevelKernels(CudaDevice device) implements LevelKernels {

    /** Threads of a block: XBFS_THREADS of bfs_xbfs.cu. */
    public static final int THREADS = 512;

    /** XBFS_MOST_BLOCKS of bfs_xbfs.cu. */
    public static final int MOST_BLOCKS = 4096;

    private static final String MODULE = "bfs_xbfs";
    private static final int BLOCKS_A_MULTIPROCESSOR = 2;

    @Override
    public String name() {
        return XbfsFamily.XBFS.keyword();
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        return new LinkedHashSet<>(List.of(Csr.OUT, Csr.IN));
    }

    @Override
    public Plan plan(GraphSizes graph, int sources, int stopTargets) {
        State plan = State.of(graph.vertexCount(), sources, stopTargets);
        return new Plan(plan.bytes(), plan.levels());
    }

    @Override
    public DeviceLease.Outcome launch(
            DeviceLease lease, GraphView graph, long at, int[] sources, int maxDepth, int[] stopTargets) {
        State plan = State.of(graph.vertexCount(), sources.length, stopTargets.length);
        Csr.Lists out = graph.structure(Csr.OUT);
        Csr.Lists in = graph.structure(Csr.IN);
        long usefulThreads = Math.max(graph.vertexCount(), graph.entryCount());
        lease.upload(at + plan.stopTargets(), stopTargets, 0, stopTargets.length);
        return lease.launch(
                MODULE,
                "bfs_xbfs_grid",
                Grid.cooperative(THREADS, Math.min(usefulThreads, MOST_BLOCKS * THREADS))
                        .withMostBlocks(BLOCKS_A_MULTIPROCESSOR),
                new KernelArguments()
                        .pointer("outPtrs", out.pointers())
                        .pointer("outIdx", out.indices())
                        .pointer("inPtrs", in.pointers())
                        .pointer("inIdx", in.indices())
                        .pointer("sources", lease.give(at + plan.sources(), sources))
                        .pointer("stopTargets", at + plan.stopTargets())
                        .pointer("stopFlag", device.stopFlagAddress())
                        .pointer("levels", at + plan.levels())
                        .pointer("endsA", at + plan.endsA())
                        .pointer("middleA", at + plan.middleA())
                        .pointer("endsB", at + plan.endsB())
                        .pointer("middleB", at + plan.middleB())
                        .pointer("blockCounts", at + plan.blockCounts())
                        .pointer("state", at + plan.state())
                        .pointer("control", lease.control())
                        .pointer("report", lease.report())
                        .int32("n", graph.vertexCount())
                        .int32("sourceCount", sources.length)
                        .int32("onlySource", sources[0])
                        .int32("stopTargetCount", stopTargets.length)
                        .int32("maxDepth", maxDepth));
    }

    /** The layout of the workspace of bfs_xbfs.cu. */
    public record State(
            long sources,
            long stopTargets,
            long levels,
            long endsA,
            long middleA,
            long endsB,
            long middleB,
            long blockCounts,
            long state,
            long bytes) {

        /** XBFS_STATE_WORDS of bfs_xbfs.cu, of 64 bits. */
        public static final int WORDS = 28;

        public static State of(int vertexCount, int sources, int stopTargets) {
            ArrayLayout plan = new ArrayLayout();
            return new State(
                    plan.add(sources, Integer.BYTES),
                    plan.add(stopTargets, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(MOST_BLOCKS, Integer.BYTES),
                    plan.add(WORDS, Long.BYTES),
                    plan.bytes());
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.blocks;

import io.proxima.backend.cuda.device.ArrayLayout;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.Grid;
import io.proxima.backend.cuda.device.LaunchPolicy;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.cuda.graph.DeviceStructure;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.backend.cuda.kernel.RowKernels;
import java.util.Set;

/**
 * Multi-source BFS with one thread block per source, for given sources on deep graphs: msbfs_blocks.cu. Of the sums it
 * accumulates only farness and reach.
 */
public record BlocksBatchKernels(CudaDevice device) implements BatchKernels {

    /** The number of searches that a multiprocessor runs at the same time. */
    static final int SEARCHES_A_MULTIPROCESSOR = 2;

    private static final String MODULE = "msbfs_blocks";

    /** Threads per adjacency list. */
    private static final int LIST_LANES = 4;

    private static final long NULL = 0;

    /** Threads of a block where several share a multiprocessor: SEARCH_THREADS of msbfs_blocks.cu. */
    public static final int THREADS = 512;

    /** Threads of a block that has a multiprocessor to itself: WIDE_SEARCH_THREADS of msbfs_blocks.cu. */
    public static final int WIDE_THREADS = 1024;

    /** The maximum shared memory that the kernel declares: MOST_DECLARED_SHARED_BYTES of msbfs_blocks.cu. */
    public static final int DECLARED_SHARED_BYTES = 1024;

    @Override
    public String name() {
        return BlocksFamily.BLOCKS.keyword();
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        return Set.of(Csr.OUT);
    }

    @Override
    public int mostSources() {
        return device.policy().batchSources();
    }

    @Override
    public int leastSources() {
        return LaunchPolicy.SMALLEST_BATCH;
    }

    @Override
    public Plan plan(GraphSizes graph, int most, int count, int levelBytes) {
        State plan = of(graph, count, levelBytes);
        return new Plan(plan.bytes(), plan.sources(), plan.levels());
    }

    private State of(GraphSizes graph, int count, int levelBytes) {
        return State.of(graph.vertexCount(), blocks(graph, count), inShared(graph), count, levelBytes);
    }

    /** The number of blocks that search at the same time. */
    private int blocks(GraphSizes graph, int count) {
        int multiprocessors = device.facts().multiprocessors();
        // one block if its bitmap takes at least half of a multiprocessor's shared memory
        boolean alone = inShared(graph) && 2 * bitBytes(graph) > room();
        return Math.min(count, multiprocessors * (alone ? 1 : SEARCHES_A_MULTIPROCESSOR));
    }

    private boolean areBlocksAlone(GraphSizes graph, int count) {
        return blocks(graph, count) <= device.facts().multiprocessors();
    }

    private static long bitBytes(GraphSizes graph) {
        return State.bitWords(graph.vertexCount()) * Integer.BYTES;
    }

    private int room() {
        return device.facts().sharedBytesPerBlock() - DECLARED_SHARED_BYTES;
    }

    private boolean inShared(GraphSizes graph) {
        return bitBytes(graph) <= room();
    }

    @Override
    public DeviceLease.Launch begin(
            DeviceLease lease,
            GraphView graph,
            int most,
            long at,
            long sources,
            int count,
            int maxDepth,
            int levelBytes,
            Sums sums) {
        if (sums.levelCounts() != NULL || sums.depths() != NULL || sums.pairs() != NULL) {
            throw new IllegalArgumentException("the kernels 'blocks' accumulate only farness and reach: " + sums);
        }
        RowKernels.Rows noRows = new RowKernels.Rows(NULL, NULL, NULL, NULL, NULL);
        return begin(lease, graph, Csr.OUT, at, sources, count, maxDepth, levelBytes, sums, noRows);
    }

    /** As the other, along these lists; also adds to rows. */
    DeviceLease.Launch begin(
            DeviceLease lease,
            GraphView graph,
            Csr along,
            long at,
            long sources,
            int count,
            int maxDepth,
            int levelBytes,
            Sums sums,
            RowKernels.Rows rows) {
        State plan = of(graph, count, levelBytes);
        Csr.Lists out = graph.structure(along);
        boolean inShared = inShared(graph);
        boolean wide = areBlocksAlone(graph, count);
        int threads = wide ? WIDE_THREADS : THREADS;
        lease.fill(at + plan.nextSource(), 0, Integer.BYTES);
        return lease.beginLaunch(
                MODULE,
                wide ? "msbfs_blocks_wide_block" : "msbfs_blocks_block",
                Grid.cooperative(threads, (long) blocks(graph, count) * threads)
                        .independent()
                        .withSharedBytes(inShared ? (int) bitBytes(graph) : 0),
                new KernelArguments()
                        .pointer("outPtrs", out.pointers())
                        .pointer("outIdx", out.indices())
                        .pointer("sources", sources)
                        .pointer("stopFlag", device.stopFlagAddress())
                        .pointer("levels", levelBytes == 0 ? NULL : at + plan.levels())
                        .pointer("far", sums.farness())
                        .pointer("reach", sums.reach())
                        .pointer("rowFar", rows.farness())
                        .pointer("rowReach", rows.reach())
                        .pointer("rowHarmonic", rows.harmonic())
                        .pointer("rowDepths", rows.depths())
                        .pointer("pairs", rows.pairs())
                        .pointer("queues", at + plan.queues())
                        .pointer("visited", at + plan.visited())
                        .pointer("nextSource", at + plan.nextSource())
                        .pointer("control", lease.control())
                        .pointer("report", lease.report())
                        .int64("stride", graph.vertexCount())
                        .int32("n", graph.vertexCount())
                        .int32("sourceCount", count)
                        .int32("maxDepth", maxDepth)
                        .int32("levelBytes", levelBytes == 0 ? Integer.BYTES : levelBytes)
                        .int32("lanes", LIST_LANES)
                        .int32("inShared", inShared ? 1 : 0));
    }

    /**
     * The layout of the workspace, with the names of msbfs_blocks.cu.
     *
     * @param levels offset of {@code sources * vertexCount} distances
     */
    public record State(long sources, long levels, long queues, long visited, long nextSource, long bytes) {

        /**
         * Lays out the workspace.
         *
         * @param blocks number of blocks that search at the same time
         * @param inShared whether the bits of the visited slots are in shared memory
         * @param levelBytes bytes per distance: 1, 2 or 4
         */
        public static State of(int vertexCount, int blocks, boolean inShared, int sources, int levelBytes) {
            ArrayLayout plan = new ArrayLayout();
            return new State(
                    plan.add(sources, Integer.BYTES),
                    plan.add((long) sources * vertexCount, levelBytes),
                    plan.add(2L * blocks * vertexCount, Integer.BYTES),
                    plan.add(inShared ? 0 : blocks * bitWords(vertexCount), Integer.BYTES),
                    plan.add((blocks + 1L) * PAUSED_WORDS, Integer.BYTES),
                    plan.bytes());
        }

        /** Words that store the paused search of a block: PAUSED_WORDS of msbfs_blocks.cu. */
        public static final int PAUSED_WORDS = 8;

        /** Words of a bitmap over slots. */
        static long bitWords(int vertexCount) {
            return (vertexCount + 31L) / 32;
        }
    }
}

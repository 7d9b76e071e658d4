// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.blocks;

import static io.proxima.backend.cuda.driver.KernelConstants.MOST_DECLARED_SHARED_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.PAUSED_WORDS;
import static io.proxima.backend.cuda.driver.KernelConstants.SEARCH_THREADS;
import static io.proxima.backend.cuda.driver.KernelConstants.WIDE_SEARCH_THREADS;

import io.proxima.backend.Kernel;
import io.proxima.backend.Operation;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.Grid;
import io.proxima.backend.device.KernelArguments;
import io.proxima.backend.device.graph.CopiedLists.Lists;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.kernel.BatchKernels;
import io.proxima.backend.device.kernel.BatchedSums;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.backend.device.kernel.KernelFamily;
import java.util.Set;

/**
 * Multi-source BFS with one thread block per source, for given sources on deep graphs: msbfs_blocks.cu.
 *
 * @param bySource whether to search against the edges and add to sums by source
 */
public record BlocksBatchKernels(String name, Device device, boolean bySource) implements BatchKernels {

    /** The family of these kernels. */
    public static final KernelFamily FAMILY = KernelFamily.of(
            new Kernel("blocks", Operation.MULTI_SOURCE_BFS, Operation.FARNESS_OF_SOURCES),
            (device, kernel, operation) -> operation == Operation.MULTI_SOURCE_BFS
                    ? new BlocksBatchKernels(kernel.keyword(), device, false)
                    : new BatchedSums(new BlocksBatchKernels(kernel.keyword(), device, true)));

    /** The number of searches that a multiprocessor runs at the same time. */
    static final int SEARCHES_A_MULTIPROCESSOR = 2;

    /** Threads per adjacency list. */
    private static final int LIST_LANES = 4;

    @Override
    public Set<DeviceStructure<?>> structures() {
        return Set.of(lists());
    }

    private Csr lists() {
        return bySource ? Csr.IN : Csr.OUT;
    }

    @Override
    public int mostSources() {
        return device.policy().batchSources();
    }

    @Override
    public ArrayLayout workspace(GraphSizes graph, int most, int count, int levelBytes) {
        int blocks = blocks(graph, count);
        int vertexCount = graph.vertexCount();
        return new ArrayLayout()
                .add("sources", count, Integer.BYTES)
                .add("levels", (long) count * vertexCount, levelBytes)
                .add("queues", 2L * blocks * vertexCount, Integer.BYTES)
                .add("visited", inShared(graph) ? 0 : blocks * bitWords(vertexCount), Integer.BYTES)
                .add("nextSource", (blocks + 1L) * PAUSED_WORDS, Integer.BYTES);
    }

    /** Words of a bitmap over slots. */
    private static long bitWords(int vertexCount) {
        return (vertexCount + 31L) / 32;
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
        return bitWords(graph.vertexCount()) * Integer.BYTES;
    }

    private int room() {
        return device.facts().sharedBytesPerBlock() - MOST_DECLARED_SHARED_BYTES;
    }

    private boolean inShared(GraphSizes graph) {
        return bitBytes(graph) <= room();
    }

    @Override
    public DeviceLease.Launch begin(DeviceLease lease, GraphView graph, long at, long sources, Batch batch) {
        long nextSource = workspace(graph, batch.most(), batch.count(), batch.levelBytes())
                .at("nextSource");
        lease.fill(at + nextSource, 0, Integer.BYTES);
        return BatchKernels.super.begin(lease, graph, at, sources, batch);
    }

    @Override
    public BfsKernel.Search search(GraphView graph, Batch batch) {
        Lists out = graph.structure(lists());
        boolean inShared = inShared(graph);
        boolean wide = areBlocksAlone(graph, batch.count());
        int threads = wide ? WIDE_SEARCH_THREADS : SEARCH_THREADS;
        KernelArguments arguments = ShippedKernels.arguments(wide ? "msbfs_blocks_wide_block" : "msbfs_blocks_block");
        return new BfsKernel.Search(
                Grid.cooperative((long) blocks(graph, batch.count()) * threads)
                        .independent()
                        .withSharedBytes(inShared ? (int) bitBytes(graph) : 0),
                arguments
                        .set("outPtrs", out.pointers())
                        .set("outIdx", out.indices())
                        .set("stride", graph.vertexCount())
                        .set("n", graph.vertexCount())
                        .set("lanes", LIST_LANES)
                        .set("inShared", inShared ? 1 : 0));
    }
}

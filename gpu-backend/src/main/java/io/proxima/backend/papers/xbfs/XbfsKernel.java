// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.papers.xbfs;

import static io.proxima.backend.cuda.driver.KernelConstants.XBFS_MOST_BLOCKS;
import static io.proxima.backend.cuda.driver.KernelConstants.XBFS_STATE_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.XBFS_THREADS;

import io.proxima.backend.Kernel;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Grid;
import io.proxima.backend.device.graph.CopiedLists.Lists;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.backend.device.kernel.KernelFamily;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Direction-optimizing BFS over CSR with adaptive frontier queue generation and asynchronous bottom-up levels
 * (bfs_xbfs.cu): Gaihre, Wu, Yao and Liu, HPDC 2019; see docs/decisions/0055.
 */
public record XbfsKernel(String name) implements BfsKernel {

    /** The family of these kernels. */
    public static final KernelFamily FAMILY = KernelFamily.of(
            Kernel.ofOneSearch("xbfs"), (device, kernel, operation) -> new XbfsKernel(kernel.keyword()));

    private static final int BLOCKS_A_MULTIPROCESSOR = 2;

    @Override
    public Set<DeviceStructure<?>> structures() {
        return new LinkedHashSet<>(List.of(Csr.OUT, Csr.IN));
    }

    @Override
    public void addArrays(ArrayLayout workspace, GraphSizes graph, int sources) {
        int n = graph.vertexCount();
        workspace
                .add("endsA", n, Integer.BYTES)
                .add("middleA", n, Integer.BYTES)
                .add("endsB", n, Integer.BYTES)
                .add("middleB", n, Integer.BYTES)
                .add("blockCounts", XBFS_MOST_BLOCKS, Integer.BYTES)
                .add("state", 1, XBFS_STATE_BYTES);
    }

    @Override
    public Search search(GraphView graph) {
        Lists out = graph.structure(Csr.OUT);
        Lists in = graph.structure(Csr.IN);
        long usefulThreads = Math.max(graph.vertexCount(), graph.entryCount());
        return new Search(
                Grid.cooperative(Math.min(usefulThreads, XBFS_MOST_BLOCKS * XBFS_THREADS))
                        .withMostBlocks(BLOCKS_A_MULTIPROCESSOR),
                ShippedKernels.arguments("bfs_xbfs_grid")
                        .set("outPtrs", out.pointers())
                        .set("outIdx", out.indices())
                        .set("inPtrs", in.pointers())
                        .set("inIdx", in.indices()));
    }
}

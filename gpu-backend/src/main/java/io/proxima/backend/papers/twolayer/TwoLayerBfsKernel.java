// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.papers.twolayer;

import static io.proxima.backend.cuda.driver.KernelConstants.LAYER_VERTICES;
import static io.proxima.backend.cuda.driver.KernelConstants.OPERATOR_GRID_LIST;

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
import java.util.List;
import java.util.Set;

/**
 * BFS over CSR by the operators advance and compute of operators.cuh: bfs_two_layer.cu. Top-down only, so it needs the
 * out-lists and nothing else.
 */
public record TwoLayerBfsKernel(String name) implements BfsKernel {

    /** The family of these kernels. */
    public static final KernelFamily FAMILY = new KernelFamily(
            List.of(Kernel.ofOneSearch("two-layer")),
            graph -> KernelLayouts.countsLongLists(graph.entryCount()),
            (device, kernel, operation) -> new TwoLayerBfsKernel(kernel.keyword()));

    private static final int BLOCKS_A_MULTIPROCESSOR = 2;

    @Override
    public Set<DeviceStructure<?>> structures() {
        return Set.of(Csr.OUT);
    }

    @Override
    public void addArrays(ArrayLayout workspace, GraphSizes graph, int sources) {
        long words = KernelLayouts.bitWords(graph.vertexCount());
        long layerWords = (graph.vertexCount() + (LAYER_VERTICES - 1L)) / LAYER_VERTICES;
        long longLists = graph.entryCount() / OPERATOR_GRID_LIST;
        workspace
                .add("visited", words, Integer.BYTES)
                .add("wordsA", words, Integer.BYTES)
                .add("nonzeroA", layerWords, Integer.BYTES)
                .add("wordsB", words, Integer.BYTES)
                .add("nonzeroB", layerWords, Integer.BYTES)
                .add("offsets", words, Integer.BYTES)
                .add("longLists", longLists, Integer.BYTES)
                .add("longEdges", longLists, Long.BYTES);
    }

    @Override
    public Search search(GraphView graph) {
        Lists out = graph.structure(Csr.OUT);
        return new Search(
                Grid.cooperative(Math.max(graph.vertexCount(), graph.entryCount()))
                        .withMostBlocks(BLOCKS_A_MULTIPROCESSOR),
                ShippedKernels.arguments("bfs_two_layer_grid")
                        .set("outPtrs", out.pointers())
                        .set("outIdx", out.indices()));
    }
}

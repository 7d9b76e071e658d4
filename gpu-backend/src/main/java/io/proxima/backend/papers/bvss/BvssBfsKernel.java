// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.papers.bvss;

import io.proxima.backend.Kernel;
import io.proxima.backend.Operation;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.cuda.graph.KernelLayouts;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.graph.CopiedLists.Lists;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.kernel.BatchedSums;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.backend.device.kernel.DeviceKernels;
import io.proxima.backend.device.kernel.KernelFamily;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

/** BFS over BVSS: bfs_bvss.cu. */
public record BvssBfsKernel(Variant variant) implements BfsKernel {

    /** The family of the kernels of BLEST (arXiv:2606.05081), which has a value of the key for each variant. */
    public static final KernelFamily FAMILY = new KernelFamily(
            Arrays.stream(Variant.values()).map(variant -> variant.kernel()).toList(),
            graph -> true,
            BvssBfsKernel::of);

    private static final long NULL = 0;

    private static DeviceKernels of(Device device, Kernel kernel, Operation operation) {
        if (operation.isSingleSearch()) {
            return new BvssBfsKernel(Arrays.stream(Variant.values())
                    .filter(variant -> variant.keyword().equals(kernel.keyword()))
                    .findFirst()
                    .orElseThrow());
        }
        BvssBatchKernels batches =
                new BvssBatchKernels(kernel.keyword(), device.policy().batchSources());
        return operation == Operation.MULTI_SOURCE_BFS ? batches : new BatchedSums(batches);
    }

    @Override
    public String name() {
        return variant.keyword();
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        Set<DeviceStructure<?>> structures = new LinkedHashSet<>();
        structures.add(BvssStructure.BVSS);
        if (variant.eta > 0) {
            structures.add(Csr.IN);
        }
        return structures;
    }

    @Override
    public void addArrays(ArrayLayout workspace, GraphSizes graph, int sources) {
        long words = KernelLayouts.bitWords(graph.vertexCount());
        long virtualSliceSets = graph.figure(BvssStructure.VIRTUAL_SLICE_SETS);
        workspace
                .add("bitsA", words, Integer.BYTES)
                .add("bitsB", words, Integer.BYTES)
                .add("bitsC", words, Integer.BYTES)
                .add("queueA", virtualSliceSets, Integer.BYTES)
                .add("queueB", virtualSliceSets, Integer.BYTES);
    }

    @Override
    public Search search(GraphView graph) {
        BvssStructure.SliceSets sets = graph.structure(BvssStructure.BVSS);
        Lists inLists = variant.eta > 0 ? graph.structure(Csr.IN) : null;
        return new Search(
                BvssStructure.grid(graph.vertexCount(), sets.virtualSliceSets()),
                sets.set(ShippedKernels.arguments(variant.entry))
                        .set("inPtrs", inLists == null ? NULL : inLists.pointers())
                        .set("inIdx", inLists == null ? NULL : inLists.indices())
                        .set("eta", variant.eta));
    }

    /**
     * Variants of BFS, named as in the ablation of the paper (section 7.1). Those with AND in the name use AND
     * instructions instead of tensor cores.
     */
    enum Variant {
        /** In the layout of BerryBees. */
        A("bfs_bvss_eager_berrybees_grid", 0),
        /** In the layout of the paper. */
        AB("bfs_bvss_eager_mma_grid", 0),
        /** With lazy updates. */
        ABCD("bfs_bvss_lazy_mma_grid", 0),
        /** With switching to CUDA cores. */
        FULL("bfs_bvss_lazy_mma_grid", 10),
        AB_AND("bfs_bvss_eager_and_grid", 0),
        ABCD_AND("bfs_bvss_lazy_and_grid", 0),
        FULL_AND("bfs_bvss_lazy_and_grid", 10);

        private final String entry;

        /** Parameter of condition (6); 0 never switches. */
        private final int eta;

        Variant(String entry, int eta) {
            this.entry = entry;
            this.eta = eta;
        }

        String keyword() {
            return "blest-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        private Kernel kernel() {
            Kernel kernel = this == FULL
                    ? new Kernel(
                            keyword(),
                            Operation.BFS,
                            Operation.MULTI_SOURCE_BFS,
                            Operation.NEAREST_SOURCE,
                            Operation.FARNESS)
                    : Kernel.ofOneSearch(keyword());
            return kernel.overSliceSets();
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.directional;

import static io.proxima.backend.cuda.driver.KernelConstants.DIRECTIONAL_LONG_LIST;
import static io.proxima.backend.cuda.driver.KernelConstants.DIRECTIONAL_SHARED_BYTES;
import static io.proxima.backend.cuda.driver.KernelConstants.DIRECTIONAL_WIDE_SHARED_BYTES;

import io.proxima.backend.Kernel;
import io.proxima.backend.cuda.driver.ShippedKernels;
import io.proxima.backend.cuda.graph.Csr;
import io.proxima.backend.cuda.graph.KernelLayouts;
import io.proxima.backend.device.ArrayLayout;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.Grid;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.backend.device.kernel.KernelFamily;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Direction-optimizing BFS over CSR: each level is top-down or bottom-up, whichever the cost model expects to be faster
 * (bfs_directional.cu). For shallow graphs, fastest in an order by degree; see docs/decisions/0019.
 */
public record DirectionalBfsKernel(String name, Device device) implements BfsKernel {

    /** The family of these kernels. */
    public static final KernelFamily FAMILY = new KernelFamily(
            List.of(Kernel.ofOneSearch("directional")),
            graph -> KernelLayouts.countsInOneWord(graph.vertexCount(), graph.entryCount()),
            (device, kernel, operation) -> new DirectionalBfsKernel(kernel.keyword(), device));

    /** Words of a bitmap that a block caches in shared memory. */
    private static final int SHARED_WORDS = 2048;

    /** Multiprocessors of the H200, on which the costs were measured. */
    private static final double MULTIPROCESSORS_MEASURED = 132;

    // fields of CostModel in bfs_directional.cu, in nanoseconds on an H200
    private static final double PUSH_EDGE = 0.008;
    private static final double HEAD_SLOT = 0.008;
    private static final double PROBE = 0.004;
    private static final double LIST_SLOT = 0.05;
    private static final float SWEEP = 3000;

    /** No translation from vertices to slots, because sources and targets are passed as slots. */
    private static final long SLOTS = 0;

    @Override
    public Set<DeviceStructure<?>> structures() {
        return new LinkedHashSet<>(List.of(Csr.OUT, Csr.IN, CompactLists.COMPACT));
    }

    @Override
    public void addArrays(ArrayLayout workspace, GraphSizes graph, int sources) {
        int n = graph.vertexCount();
        long words = KernelLayouts.bitWords(n);
        long queued = n + graph.entryCount() / DIRECTIONAL_LONG_LIST;
        boolean wide = CompactLists.isWide(graph.entryCount());
        workspace
                .add("visitedA", words, Integer.BYTES)
                .add("visitedB", words, Integer.BYTES)
                .add("queue", queued, Integer.BYTES)
                .add("queueEdges", queued, wide ? Long.BYTES : Integer.BYTES)
                .add("listA", n, Integer.BYTES)
                .add("listB", n, Integer.BYTES);
    }

    @Override
    public Search search(GraphView graph) {
        CompactLists.Compact compact = graph.structure(CompactLists.COMPACT);
        boolean wide = CompactLists.isWide(graph.entryCount());
        int sharedWords = Math.min(SHARED_WORDS, KernelLayouts.bitWords(compact.active()));
        int sharedBytes = wide ? DIRECTIONAL_WIDE_SHARED_BYTES : DIRECTIONAL_SHARED_BYTES;
        return new Search(
                Grid.cooperative(Math.max(graph.vertexCount(), graph.entryCount()))
                        .withMostBlocks(1)
                        .withSharedBytes(sharedBytes + sharedWords * Integer.BYTES),
                ShippedKernels.arguments(wide ? "bfs_directional_p64_grid" : "bfs_directional_p32_grid")
                        .set("outPtrs", compact.outPointers())
                        .set("outIdx", graph.structure(Csr.OUT).indices())
                        .set("inPtrs", compact.inPointers())
                        .set("inIdx", graph.structure(Csr.IN).indices())
                        .set("heads", compact.heads())
                        .set("active", compact.active())
                        .set("slotOf", SLOTS)
                        .set("sharedWords", sharedWords)
                        .set("pushEdge", onThisDevice(PUSH_EDGE))
                        .set("headSlot", onThisDevice(HEAD_SLOT))
                        .set("probe", onThisDevice(PROBE))
                        .set("listSlot", onThisDevice(LIST_SLOT))
                        .set("sweep", SWEEP)
                        .set("edgeDegree", compact.edgeDegree()));
    }

    /** The cost of work that all multiprocessors share. */
    private float onThisDevice(double cost) {
        return (float) (cost * MULTIPROCESSORS_MEASURED / device.facts().multiprocessors());
    }
}

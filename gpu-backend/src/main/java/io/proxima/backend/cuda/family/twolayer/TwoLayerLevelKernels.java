// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.twolayer;

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
 * BFS over CSR by the operators advance and compute of operators.cuh: bfs_two_layer.cu. Top-down only, so it needs the
 * out-lists and nothing else.
 */
public record TwoLayerLevelKernels(CudaDevice device) implements LevelKernels {

    /** OPERATOR_THREADS of operators.cuh. */
    public static final int THREADS = 512;

    private static final String MODULE = "bfs_two_layer";
    private static final int BLOCKS_A_MULTIPROCESSOR = 2;

    @Override
    public String name() {
        return TwoLayerFamily.TWO_LAYER.keyword();
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

    private static State of(GraphSizes graph, int sources, int stopTargets) {
        return State.of(graph.vertexCount(), graph.entryCount(), sources, stopTargets);
    }

    @Override
    public DeviceLease.Outcome launch(
            DeviceLease lease, GraphView graph, long at, int[] sources, int maxDepth, int[] stopTargets) {
        State plan = of(graph, sources.length, stopTargets.length);
        Csr.Lists out = graph.structure(Csr.OUT);
        lease.upload(at + plan.stopTargets(), stopTargets, 0, stopTargets.length);
        return lease.launch(
                MODULE,
                "bfs_two_layer_grid",
                Grid.cooperative(THREADS, Math.max(graph.vertexCount(), graph.entryCount()))
                        .withMostBlocks(BLOCKS_A_MULTIPROCESSOR),
                new KernelArguments()
                        .pointer("outPtrs", out.pointers())
                        .pointer("outIdx", out.indices())
                        .pointer("sources", lease.give(at + plan.sources(), sources))
                        .pointer("stopTargets", at + plan.stopTargets())
                        .pointer("stopFlag", device.stopFlagAddress())
                        .pointer("levels", at + plan.levels())
                        .pointer("visited", at + plan.visited())
                        .pointer("wordsA", at + plan.wordsA())
                        .pointer("nonzeroA", at + plan.nonzeroA())
                        .pointer("wordsB", at + plan.wordsB())
                        .pointer("nonzeroB", at + plan.nonzeroB())
                        .pointer("offsets", at + plan.offsets())
                        .pointer("longLists", at + plan.longLists())
                        .pointer("longEdges", at + plan.longEdges())
                        .pointer("control", lease.control())
                        .pointer("report", lease.report())
                        .int32("n", graph.vertexCount())
                        .int32("sourceCount", sources.length)
                        .int32("stopTargetCount", stopTargets.length)
                        .int32("maxDepth", maxDepth));
    }

    /**
     * The layout of the workspace of bfs_two_layer.cu.
     *
     * @param wordsA first layer of a frontier: a bit per slot
     * @param nonzeroA second layer of it: a bit per 32-bit word of the first
     * @param offsets the words of a frontier that are not zero
     * @param longLists slots whose lists the whole grid reads
     * @param longEdges 64-bit numbers of edges before these lists
     */
    public record State(
            long sources,
            long stopTargets,
            long levels,
            long visited,
            long wordsA,
            long nonzeroA,
            long wordsB,
            long nonzeroB,
            long offsets,
            long longLists,
            long longEdges,
            long bytes) {

        /** GRID_LIST of operators.cuh. */
        public static final int GRID_LIST = 1 << 10;

        /** LAYER_VERTICES of operators.cuh. */
        public static final int LAYER_VERTICES = 1024;

        public static State of(int vertexCount, long entryCount, int sources, int stopTargets) {
            ArrayLayout plan = new ArrayLayout();
            long words = ArrayLayout.bitWords(vertexCount);
            long layer = (vertexCount + LAYER_VERTICES - 1L) / LAYER_VERTICES;
            return new State(
                    plan.add(sources, Integer.BYTES),
                    plan.add(stopTargets, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(words, Integer.BYTES),
                    plan.add(words, Integer.BYTES),
                    plan.add(layer, Integer.BYTES),
                    plan.add(words, Integer.BYTES),
                    plan.add(layer, Integer.BYTES),
                    plan.add(words, Integer.BYTES),
                    plan.add(entryCount / GRID_LIST, Integer.BYTES),
                    plan.add(entryCount / GRID_LIST, Long.BYTES),
                    plan.bytes());
        }
    }
}

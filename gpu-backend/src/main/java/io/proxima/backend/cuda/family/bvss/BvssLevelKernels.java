// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.bvss;

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
import java.util.Locale;
import java.util.Set;

/**
 * BFS over BVSS: bfs_bvss.cu.
 *
 * @param kernel the variant
 * @param eta parameter of condition (6); 0 never switches
 * @param blocksPerMultiprocessor maximum blocks of the grid per multiprocessor; {@link Grid#WHOLE_DEVICE} for as many
 *     as fit
 */
public record BvssLevelKernels(CudaDevice device, Variant kernel, int eta, int blocksPerMultiprocessor)
        implements LevelKernels {

    private static final String MODULE = "bfs_bvss";

    private static final long NULL = 0;

    /** A variant as in the paper. */
    public BvssLevelKernels(CudaDevice device, Variant kernel) {
        this(device, kernel, kernel.eta, Grid.WHOLE_DEVICE);
    }

    @Override
    public String name() {
        return kernel.keyword();
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        Set<DeviceStructure<?>> structures = new LinkedHashSet<>();
        structures.add(BvssStructure.BVSS);
        if (eta > 0) {
            structures.add(Csr.IN);
        }
        return structures;
    }

    @Override
    public Plan plan(GraphSizes graph, int sources, int stopTargets) {
        State plan = of(graph, sources, stopTargets);
        return new Plan(plan.bytes(), plan.levels());
    }

    private static State of(GraphSizes graph, int sources, int stopTargets) {
        return State.of(graph.vertexCount(), graph.figure(BvssStructure.VIRTUAL_SLICE_SETS), sources, stopTargets);
    }

    @Override
    public DeviceLease.Outcome launch(
            DeviceLease lease, GraphView graph, long at, int[] sources, int maxDepth, int[] stopTargets) {
        State plan = of(graph, sources.length, stopTargets.length);
        BvssStructure.SliceSets sets = graph.structure(BvssStructure.BVSS);
        Csr.Lists inLists = eta > 0 ? graph.structure(Csr.IN) : null;
        lease.upload(at + plan.stopTargets(), stopTargets, 0, stopTargets.length);
        return lease.launch(
                MODULE,
                kernel.entry,
                BvssStructure.grid(device.policy(), graph.vertexCount(), sets.virtualSliceSets())
                        .withMostBlocks(blocksPerMultiprocessor),
                new KernelArguments()
                        .pointer("realPtrs", sets.realPtrs())
                        .pointer("virtualToReal", sets.virtualToReal())
                        .pointer("rowIds", sets.rowIds())
                        .pointer("masks", sets.masks())
                        .pointer("inPtrs", inLists == null ? NULL : inLists.pointers())
                        .pointer("inIdx", inLists == null ? NULL : inLists.indices())
                        .pointer("sources", lease.give(at + plan.sources(), sources))
                        .pointer("stopTargets", at + plan.stopTargets())
                        .pointer("stopFlag", device.stopFlagAddress())
                        .pointer("levels", at + plan.levels())
                        .pointer("bitsA", at + plan.bitsA())
                        .pointer("bitsB", at + plan.bitsB())
                        .pointer("bitsC", at + plan.bitsC())
                        .pointer("queueA", at + plan.queueA())
                        .pointer("queueB", at + plan.queueB())
                        .pointer("control", lease.control())
                        .pointer("report", lease.report())
                        .int32("n", graph.vertexCount())
                        .int32("sliceSets", sets.sliceSets())
                        .int32("sourceCount", sources.length)
                        .int32("stopTargetCount", stopTargets.length)
                        .int32("maxDepth", maxDepth)
                        .int32("eta", eta));
    }

    /** The layout of the workspace. */
    public record State(
            long sources,
            long stopTargets,
            long levels,
            long bitsA,
            long bitsB,
            long bitsC,
            long queueA,
            long queueB,
            long bytes) {

        public static State of(int vertexCount, long virtualSliceSets, int sources, int stopTargets) {
            ArrayLayout plan = new ArrayLayout();
            long words = ArrayLayout.bitWords(vertexCount);
            return new State(
                    plan.add(sources, Integer.BYTES),
                    plan.add(stopTargets, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(words, Integer.BYTES),
                    plan.add(words, Integer.BYTES),
                    plan.add(words, Integer.BYTES),
                    plan.add(virtualSliceSets, Integer.BYTES),
                    plan.add(virtualSliceSets, Integer.BYTES),
                    plan.bytes());
        }
    }

    /**
     * Variants of BFS, named as in the ablation of the paper (section 7.1). The last four use AND instructions instead
     * of tensor cores.
     */
    public enum Variant {
        A("bfs_bvss_eager_berrybees_grid", 0),
        AB("bfs_bvss_eager_mma_grid", 0),
        ABCD("bfs_bvss_lazy_mma_grid", 0),
        FULL("bfs_bvss_lazy_mma_grid", 10),
        AB_AND("bfs_bvss_eager_and_grid", 0),
        ABCD_AND("bfs_bvss_lazy_and_grid", 0),
        FULL_AND("bfs_bvss_lazy_and_grid", 10);

        public final String entry;
        final int eta;

        Variant(String entry, int eta) {
            this.entry = entry;
            this.eta = eta;
        }

        /** The value of the configuration key {@code kernel}. */
        String keyword() {
            return "blest-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}

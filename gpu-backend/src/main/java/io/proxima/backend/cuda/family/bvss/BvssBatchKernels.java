// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.bvss;

import io.proxima.backend.bvss.BvssLayout;
import io.proxima.backend.cuda.device.ArrayLayout;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.LaunchPolicy;
import io.proxima.backend.cuda.driver.KernelArguments;
import io.proxima.backend.cuda.graph.DeviceStructure;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.kernel.BatchKernels;
import java.util.Set;

/**
 * Multi-source BFS over BVSS: msbfs_bvss.cu.
 *
 * @param mostSources maximum sources of a batch: 32, 64, 128 or 256
 */
public record BvssBatchKernels(CudaDevice device, int mostSources) implements BatchKernels {

    private static final String MODULE = "msbfs_bvss";
    private static final long NULL = 0;

    @Override
    public String name() {
        return BvssLevelKernels.Variant.FULL.keyword();
    }

    @Override
    public Set<DeviceStructure<?>> structures() {
        return Set.of(BvssStructure.BVSS);
    }

    @Override
    public int leastSources() {
        return LaunchPolicy.SMALLEST_BATCH;
    }

    @Override
    public Plan plan(GraphSizes graph, int most, int count, int levelBytes) {
        State plan = of(graph, most, count, levelBytes);
        return new Plan(plan.bytes(), plan.sources(), plan.levels());
    }

    private State of(GraphSizes graph, int most, int count, int levelBytes) {
        return State.of(
                graph.vertexCount(),
                graph.figure(BvssStructure.VIRTUAL_SLICE_SETS),
                width(count, most),
                count,
                levelBytes);
    }

    /** The smallest width, a power of two up to {@code most}, with a bit for each source. */
    public static int width(int sources, int most) {
        int width = LaunchPolicy.SMALLEST_BATCH;
        while (width < sources && width < most) {
            width *= 2;
        }
        return width;
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
        State plan = of(graph, most, count, levelBytes);
        BvssStructure.SliceSets sets = graph.structure(BvssStructure.BVSS);
        int width = width(count, most);
        return lease.beginLaunch(
                MODULE,
                "msbfs_bvss_k" + width + "_grid",
                BvssStructure.grid(device.policy(), graph.vertexCount(), sets.virtualSliceSets()),
                new KernelArguments()
                        .pointer("realPtrs", sets.realPtrs())
                        .pointer("virtualToReal", sets.virtualToReal())
                        .pointer("rowIds", sets.rowIds())
                        .pointer("masks", sets.masks())
                        .pointer("sources", sources)
                        .pointer("stopFlag", device.stopFlagAddress())
                        .pointer("levels", levelBytes == 0 ? NULL : at + plan.levels())
                        .pointer("far", sums.farness())
                        .pointer("reach", sums.reach())
                        .pointer("levelCounts", sums.levelCounts())
                        .pointer("frontier", at + plan.frontier())
                        .pointer("visited", at + plan.visited())
                        .pointer("next", at + plan.next())
                        .pointer("activeSets", at + plan.activeSets())
                        .pointer("dirtySets", at + plan.dirtySets())
                        .pointer("queueA", at + plan.queueA())
                        .pointer("queueB", at + plan.queueB())
                        .pointer("control", lease.control())
                        .pointer("report", lease.report())
                        .int32("n", graph.vertexCount())
                        .int32("sliceSets", sets.sliceSets())
                        .int32("sourceCount", count)
                        .int32("maxDepth", maxDepth)
                        .int32("levelBytes", levelBytes == 0 ? 1 : levelBytes)
                        .int32("levelCapacity", sums.levelCapacity())
                        .int32("firstLevel", sums.firstLevel())
                        .pointer("depths", sums.depths())
                        .pointer("pairs", sums.pairs()));
    }

    /**
     * The layout of the workspace.
     *
     * @param levels offset of {@code sources * vertexCount} distances; empty if they are not wanted
     */
    public record State(
            long sources,
            long levels,
            long frontier,
            long visited,
            long next,
            long activeSets,
            long dirtySets,
            long queueA,
            long queueB,
            long bytes) {

        /**
         * Lays out the workspace.
         *
         * @param width bits per vertex: 32, 64, 128 or 256
         * @param sources up to width
         * @param levelBytes bytes per distance: 1, 2 or 4; 0 if distances are not wanted
         */
        public static State of(int vertexCount, long virtualSliceSets, int width, int sources, int levelBytes) {
            ArrayLayout plan = new ArrayLayout();
            long sets = BvssLayout.sliceSetCount(vertexCount);
            long words = width / Integer.SIZE;
            long stateWords = sets * BvssLayout.SLICE_SIZE * words;
            return new State(
                    plan.add(sources, Integer.BYTES),
                    plan.add((long) sources * vertexCount, levelBytes),
                    plan.add(stateWords, Integer.BYTES),
                    plan.add(stateWords, Integer.BYTES),
                    plan.add(stateWords, Integer.BYTES),
                    plan.add(sets * words, Integer.BYTES),
                    plan.add(sets, Byte.BYTES),
                    plan.add(virtualSliceSets, Integer.BYTES),
                    plan.add(virtualSliceSets, Integer.BYTES),
                    plan.bytes());
        }
    }
}

/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend.cuda;

import java.util.Set;

/**
 * Many searches at once over BVSS: the kernels of msbfs_bvss.cu.
 *
 * @param kernel the variant
 * @param mostSources of a batch: 32, 64, 128 or 256
 */
record BvssBatchKernels(CudaDevice device, LaunchPolicy.MultiSourceKernel kernel, int mostSources)
        implements BatchKernels {

    private static final String MODULE = "msbfs_bvss";
    private static final long NULL = 0;

    @Override
    public String name() {
        return kernel.keyword();
    }

    @Override
    public Set<GraphPart<?>> parts() {
        return Set.of(BvssPart.BVSS);
    }

    @Override
    public int leastSources() {
        return kernel.smallestWidth;
    }

    @Override
    public Plan plan(GraphSizes graph, int most, int count, int levelBytes) {
        MemoryPlan.MultiSource plan = of(graph, most, count, levelBytes);
        return new Plan(plan.bytes(), plan.sources(), plan.levels());
    }

    private MemoryPlan.MultiSource of(GraphSizes graph, int most, int count, int levelBytes) {
        return MemoryPlan.MultiSource.of(
                graph.vertexCount(),
                graph.figure(BvssPart.VIRTUAL_SLICE_SETS),
                kernel.width(count, most),
                count,
                levelBytes);
    }

    @Override
    public DeviceTurn.Launch begin(
            DeviceTurn turn,
            GraphView graph,
            int most,
            long at,
            long sources,
            int count,
            int maxDepth,
            int levelBytes,
            Sums sums) {
        MemoryPlan.MultiSource plan = of(graph, most, count, levelBytes);
        BvssPart.SliceSets sets = graph.part(BvssPart.BVSS);
        int width = kernel.width(count, most);
        return turn.beginLaunch(
                MODULE,
                sums.areMeasured() ? kernel.measuredEntry(width) : kernel.entry(width),
                device.policy().sliceSetGrid(graph.vertexCount(), sets.virtualSliceSets()),
                at + plan.control(),
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
                        .pointer("control", at + plan.control())
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
}

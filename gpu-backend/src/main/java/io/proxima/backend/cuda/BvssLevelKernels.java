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

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * One search over BVSS: the kernels of bfs_bvss.cu.
 *
 * @param kernel the variant
 * @param eta of condition (6); 0 never switches
 * @param blocksPerMultiprocessor of the grid at most; {@link Grid#WHOLE_DEVICE}: as many as there is room for
 */
record BvssLevelKernels(CudaDevice device, LaunchPolicy.SearchKernel kernel, int eta, int blocksPerMultiprocessor)
        implements LevelKernels {

    private static final String MODULE = "bfs_bvss";
    private static final long NULL = 0;

    /** A variant as the paper has it. */
    BvssLevelKernels(CudaDevice device, LaunchPolicy.SearchKernel kernel) {
        this(device, kernel, kernel.eta, Grid.WHOLE_DEVICE);
    }

    /** The eager kernel with few blocks, for levels that are many and small. */
    static BvssLevelKernels ofManySmallLevels(CudaDevice device, Tuning tuning) {
        return new BvssLevelKernels(device, LaunchPolicy.SearchKernel.AB, 0, tuning.whole(TuningParameter.SMALL_GRID));
    }

    @Override
    public String name() {
        return kernel.keyword();
    }

    @Override
    public Set<GraphPart<?>> parts() {
        Set<GraphPart<?>> parts = new LinkedHashSet<>();
        parts.add(BvssPart.BVSS);
        if (eta > 0) {
            parts.add(ListsPart.IN);
        }
        return parts;
    }

    @Override
    public Plan plan(GraphSizes graph, int sources, int stopTargets) {
        MemoryPlan.Search plan = of(graph, sources, stopTargets);
        return new Plan(plan.bytes(), plan.levels());
    }

    private static MemoryPlan.Search of(GraphSizes graph, int sources, int stopTargets) {
        return MemoryPlan.Search.of(
                graph.vertexCount(), graph.figure(BvssPart.VIRTUAL_SLICE_SETS), sources, stopTargets);
    }

    @Override
    public DeviceTurn.Outcome launch(
            DeviceTurn turn, GraphView graph, long at, int[] sources, int maxDepth, int[] stopTargets) {
        MemoryPlan.Search plan = of(graph, sources.length, stopTargets.length);
        BvssPart.SliceSets sets = graph.part(BvssPart.BVSS);
        ListsPart.Lists inLists = eta > 0 ? graph.part(ListsPart.IN) : null;
        turn.upload(at + plan.sources(), sources, 0, sources.length);
        turn.upload(at + plan.stopTargets(), stopTargets, 0, stopTargets.length);
        return turn.launch(
                MODULE,
                kernel.entry,
                device.policy()
                        .sliceSetGrid(graph.vertexCount(), sets.virtualSliceSets())
                        .withMostBlocks(blocksPerMultiprocessor),
                at + plan.control(),
                new KernelArguments()
                        .pointer("realPtrs", sets.realPtrs())
                        .pointer("virtualToReal", sets.virtualToReal())
                        .pointer("rowIds", sets.rowIds())
                        .pointer("masks", sets.masks())
                        .pointer("inPtrs", inLists == null ? NULL : inLists.pointers())
                        .pointer("inIdx", inLists == null ? NULL : inLists.indices())
                        .pointer("sources", at + plan.sources())
                        .pointer("stopTargets", at + plan.stopTargets())
                        .pointer("stopFlag", device.stopFlagAddress())
                        .pointer("levels", at + plan.levels())
                        .pointer("bitsA", at + plan.bitsA())
                        .pointer("bitsB", at + plan.bitsB())
                        .pointer("bitsC", at + plan.bitsC())
                        .pointer("queueA", at + plan.queueA())
                        .pointer("queueB", at + plan.queueB())
                        .pointer("control", at + plan.control())
                        .int32("n", graph.vertexCount())
                        .int32("sliceSets", sets.sliceSets())
                        .int32("sourceCount", sources.length)
                        .int32("stopTargetCount", stopTargets.length)
                        .int32("maxDepth", maxDepth)
                        .int32("eta", eta));
    }
}

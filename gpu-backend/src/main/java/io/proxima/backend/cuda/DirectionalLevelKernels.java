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

import io.proxima.backend.RunOptions;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One search over lists, each level top-down or bottom-up by forecast costs: the kernels of bfs_directional.cu. For graphs of
 * low diameter, fastest in an order by degree; see docs/decisions/0019.
 */
record DirectionalLevelKernels(CudaDevice device) implements LevelKernels {

    private static final String MODULE = "bfs_directional";

    /** Every vertex is its own slot when a search begins: sources and targets come as slots. */
    private static final long SLOTS = 0;

    @Override
    public String name() {
        return RunOptions.Kernel.DIRECTIONAL.keyword();
    }

    @Override
    public Set<GraphPart<?>> parts() {
        return new LinkedHashSet<>(List.of(ListsPart.OUT, ListsPart.IN, CompactPart.COMPACT));
    }

    @Override
    public Plan plan(GraphSizes graph, int sources, int stopTargets) {
        MemoryPlan.Directional plan = of(graph, sources, stopTargets);
        return new Plan(plan.bytes(), plan.levels());
    }

    private static MemoryPlan.Directional of(GraphSizes graph, int sources, int stopTargets) {
        return MemoryPlan.Directional.of(graph.vertexCount(), graph.entryCount(), sources, stopTargets);
    }

    @Override
    public DeviceTurn.Outcome launch(
            DeviceTurn turn, GraphView graph, long at, int[] sources, int maxDepth, int[] stopTargets) {
        MemoryPlan.Directional plan = of(graph, sources.length, stopTargets.length);
        CompactPart.Compact compact = graph.part(CompactPart.COMPACT);
        boolean wide = MemoryPlan.Compact.isWide(graph.entryCount());
        Tuning tuning = turn.tuning();
        int sharedWords = Math.min(tuning.whole(TuningParameter.SHARED_WORDS), MemoryPlan.bitWords(compact.active()));
        turn.upload(at + plan.sources(), sources, 0, sources.length);
        turn.upload(at + plan.stopTargets(), stopTargets, 0, stopTargets.length);
        return turn.launch(
                MODULE,
                wide ? "bfs_directional_p64_grid" : "bfs_directional_p32_grid",
                LaunchPolicy.Directional.grid(wide, sharedWords, Math.max(graph.vertexCount(), graph.entryCount())),
                at + plan.control(),
                new KernelArguments()
                        .pointer("outPtrs", compact.outPointers())
                        .pointer("outIdx", graph.part(ListsPart.OUT).indices())
                        .pointer("inPtrs", compact.inPointers())
                        .pointer("inIdx", graph.part(ListsPart.IN).indices())
                        .pointer("heads", compact.heads())
                        .int32("active", compact.active())
                        .pointer("slotOf", SLOTS)
                        .pointer("sources", at + plan.sources())
                        .pointer("stopTargets", at + plan.stopTargets())
                        .pointer("stopFlag", device.stopFlagAddress())
                        .pointer("levels", at + plan.levels())
                        .pointer("visitedA", at + plan.visitedA())
                        .pointer("visitedB", at + plan.visitedB())
                        .pointer("queue", at + plan.queue())
                        .pointer("queueEdges", at + plan.queueEdges())
                        .pointer("listA", at + plan.listA())
                        .pointer("listB", at + plan.listB())
                        .pointer("control", at + plan.control())
                        .int32("slots", graph.vertexCount())
                        .int32("sourceCount", sources.length)
                        .int32("stopTargetCount", stopTargets.length)
                        .int32("maxDepth", maxDepth)
                        .int32("sharedWords", sharedWords)
                        .float32("pushEdge", tuning.real(TuningParameter.PUSH_EDGE))
                        .float32("headSlot", tuning.real(TuningParameter.HEAD_SLOT))
                        .float32("probe", tuning.real(TuningParameter.PROBE))
                        .float32("listSlot", tuning.real(TuningParameter.LIST_SLOT))
                        .float32("sweep", tuning.real(TuningParameter.SWEEP))
                        .float32("edgeDegree", compact.edgeDegree()));
    }
}

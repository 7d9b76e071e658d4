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
        LaunchPolicy.Directional policy = LaunchPolicy.Directional.of(device.facts());
        int sharedWords = Math.min(policy.sharedWords(), MemoryPlan.bitWords(compact.active()));
        turn.upload(at + plan.sources(), sources, 0, sources.length);
        turn.upload(at + plan.stopTargets(), stopTargets, 0, stopTargets.length);
        return turn.launch(
                MODULE,
                wide ? "bfs_directional_p64_grid" : "bfs_directional_p32_grid",
                policy.grid(wide, sharedWords, Math.max(graph.vertexCount(), graph.entryCount())),
                at + plan.control(),
                compact.outPointers(),
                graph.part(ListsPart.OUT).indices(),
                compact.inPointers(),
                graph.part(ListsPart.IN).indices(),
                compact.heads(),
                SLOTS,
                at + plan.sources(),
                at + plan.stopTargets(),
                device.stopFlagAddress(),
                at + plan.levels(),
                at + plan.visitedA(),
                at + plan.visitedB(),
                at + plan.queue(),
                at + plan.queueEdges(),
                at + plan.listA(),
                at + plan.listB(),
                at + plan.control(),
                compact.active(),
                graph.vertexCount(),
                sources.length,
                stopTargets.length,
                maxDepth,
                sharedWords,
                policy.pushEdge(),
                policy.headSlot(),
                policy.probe(),
                policy.listSlot(),
                policy.sweep(),
                compact.edgeDegree());
    }
}

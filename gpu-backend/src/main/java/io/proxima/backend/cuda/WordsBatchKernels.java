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

import io.proxima.backend.RunOptions.Kernel;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Word-parallel searches over adjacency lists, for graphs of small diameter: the kernels of msbfs_words.cu. */
record WordsBatchKernels(CudaDevice device) implements BatchKernels {

    private static final String MODULE = "msbfs_words";
    private static final long NULL = 0;

    /** Threads for a slot: WIDEST_TEAM of msbfs_words.cu. */
    static final int TEAM = 8;

    @Override
    public String name() {
        return Kernel.WORDS.keyword();
    }

    @Override
    public Set<GraphPart<?>> parts() {
        return new LinkedHashSet<>(List.of(ListsPart.OUT, ListsPart.IN, ComponentsPart.COMPONENTS, WordsPart.WORDS));
    }

    @Override
    public int mostSources() {
        return LaunchPolicy.MOST_WORDS;
    }

    @Override
    public int mostDistances() {
        return device.policy().batchSources();
    }

    @Override
    public int leastSources() {
        return LaunchPolicy.SMALLEST_BATCH;
    }

    @Override
    public Plan plan(GraphSizes graph, int most, int count, int levelBytes) {
        MemoryPlan.Words plan = of(graph, count, levelBytes);
        return new Plan(plan.bytes(), plan.sources(), plan.levels());
    }

    private static MemoryPlan.Words of(GraphSizes graph, int count, int levelBytes) {
        return MemoryPlan.Words.of(graph.vertexCount(), graph.entryCount(), width(count), count, levelBytes);
    }

    /** Bits a vertex for so many sources. */
    static int width(int sources) {
        int width = LaunchPolicy.LEAST_WORDS;
        while (width < sources) {
            width *= 2;
        }
        return width;
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
        MemoryPlan.Words plan = of(graph, count, levelBytes);
        int width = width(count);
        ListsPart.Lists out = graph.part(ListsPart.OUT);
        ListsPart.Lists in = graph.part(ListsPart.IN);
        WordsPart.LongLists items = graph.part(WordsPart.WORDS);
        ComponentsPart.Components components = graph.part(ComponentsPart.COMPONENTS);
        // the kernel wants a slot, if only one without entries
        int live = Math.max(1, items.live());
        return turn.beginLaunch(
                MODULE,
                "msbfs_words_k" + width + "_grid",
                Grid.cooperative(device.policy().blockThreads(), (long) live * TEAM),
                at + plan.control(),
                new KernelArguments()
                        .pointer("inPtrs", in.pointers())
                        .pointer("inIdx", in.indices())
                        .pointer("outPtrs", out.pointers())
                        .pointer("outIdx", out.indices())
                        .pointer("component", components.count() == 1 ? NULL : components.lowest())
                        .pointer("items", items.items())
                        .pointer("sources", sources)
                        .pointer("stopFlag", device.stopFlagAddress())
                        .pointer("levels", levelBytes == 0 ? NULL : at + plan.levels())
                        .pointer("far", sums.farness())
                        .pointer("reach", sums.reach())
                        .pointer("levelCounts", sums.levelCounts())
                        .pointer("depths", sums.depths())
                        .pointer("pairs", sums.pairs())
                        .pointer("bitsA", at + plan.bitsA())
                        .pointer("bitsB", at + plan.bitsB())
                        .pointer("flagsA", at + plan.flagsA())
                        .pointer("flagsB", at + plan.flagsB())
                        .pointer("hubBits", at + plan.hubBits())
                        .pointer("hubDone", at + plan.hubDone())
                        .pointer("masks", at + plan.masks())
                        .pointer("maskOf", at + plan.maskOf())
                        .pointer("queue", at + plan.queue())
                        .pointer("turns", at + plan.turns())
                        .pointer("control", at + plan.control())
                        .int64("stride", graph.vertexCount())
                        .int32("n", live)
                        .int32("components", graph.vertexCount())
                        .int32("itemCount", items.itemCount())
                        .int32("wide", items.wide())
                        .int32("longEntries", items.longLists() > items.wide() ? LaunchPolicy.LONG_IN_LIST : 0)
                        .int32("hubItems", items.hubItems())
                        .int32("sourceCount", count)
                        .int32("maxDepth", maxDepth)
                        .int32("levelBytes", levelBytes == 0 ? 1 : levelBytes)
                        .int32("levelCapacity", sums.levelCapacity())
                        .int32("firstLevel", sums.firstLevel())
                        .int32("pushShare", Math.max(1, width / turn.tuning().whole(TuningParameter.PUSH_BITS))));
    }
}

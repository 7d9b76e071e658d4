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
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.concurrent.Stop;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Chooses the kernels of many searches: those that were asked for, or those that suit the graph. 'auto' searches from a few
 * vertices at once, up to a level, and takes the graph for a deep one if the searches go on there. Shallow graphs are
 * searched word by word. On deep graphs distances are searched a block each, and sums with Algorithm 5 of Elbek and Kaya,
 * arXiv:2606.05081. Decided once for a graph in an order; docs/decisions/0023.
 */
final class BatchDispatch {

    private final CudaDevice device;

    BatchDispatch(CudaDevice device) {
        this.device = device;
    }

    /** The kernels of distances. */
    BatchKernels distances(ResidentGraph.Held graph, Kernel asked, Stop stop) {
        Set<GraphPart<?>> before = graph.parts();
        BatchKernels chosen = distances(asked == Kernel.AUTO && isDeep(graph, stop) ? Kernel.BLOCKS : asked);
        graph.keepOnly(before, chosen);
        return chosen;
    }

    /** The kernels of sums. */
    SumKernels sums(ResidentGraph.Held graph, Kernel asked, Stop stop) {
        Set<GraphPart<?>> before = graph.parts();
        SumKernels chosen = sums(asked == Kernel.AUTO && isDeep(graph, stop) ? Kernel.BLEST_FULL : asked);
        graph.keepOnly(before, chosen);
        return chosen;
    }

    /**
     * All that may happen before a run, for its estimate.
     *
     * @param isDeep what a trial has found; null if there was none
     */
    List<KernelDispatch.Course> courses(Run run, Kernel asked, int vertexCount, Boolean isDeep) {
        boolean isSum = run == Run.FARNESS;
        if (asked != Kernel.AUTO) {
            return List.of(KernelDispatch.Course.straight(of(isSum, asked)));
        }
        Kernels shallow = of(isSum, Kernel.WORDS);
        Kernels deep = of(isSum, isSum ? Kernel.BLEST_FULL : Kernel.BLOCKS);
        if (isDeep != null) {
            return List.of(KernelDispatch.Course.straight(isDeep ? deep : shallow));
        }
        if (!mayBeDeep(vertexCount)) {
            return List.of(KernelDispatch.Course.straight(shallow));
        }
        List<BatchKernels> tried = List.of(new WordsBatchKernels(device));
        return List.of(new KernelDispatch.Course(tried, shallow), new KernelDispatch.Course(tried, deep));
    }

    private Kernels of(boolean isSum, Kernel kernel) {
        return isSum ? sums(kernel) : distances(kernel);
    }

    private BatchKernels distances(Kernel kernel) {
        return switch (kernel) {
            case AUTO, WORDS -> new WordsBatchKernels(device);
            case BLOCKS -> new BlocksBatchKernels(device);
            default -> blest(kernel);
        };
    }

    private SumKernels sums(Kernel kernel) {
        return switch (kernel) {
            case AUTO, WORDS -> new SlotBySlot(new WordsBatchKernels(device));
            default -> new SlotBySlot(blest(kernel));
        };
    }

    private BatchKernels blest(Kernel kernel) {
        LaunchPolicy.MultiSourceKernel variant =
                switch (kernel) {
                    case BLEST_A -> LaunchPolicy.MultiSourceKernel.A;
                    case BLEST_AB -> LaunchPolicy.MultiSourceKernel.AB;
                    // many searches at once have no lazy variant without the rest
                    case BLEST_ABCD, BLEST_FULL -> LaunchPolicy.MultiSourceKernel.FULL;
                    case BLEST_AB_AND -> LaunchPolicy.MultiSourceKernel.AB_AND;
                    case BLEST_ABCD_AND, BLEST_FULL_AND -> LaunchPolicy.MultiSourceKernel.FULL_AND;
                    default -> throw KernelDispatch.notOf(kernel, "many searches");
                };
        return new BvssBatchKernels(device, variant, device.policy().batchSources());
    }

    /** Whether a graph of so many vertices can have more levels than a shallow one. */
    private static boolean mayBeDeep(int vertexCount) {
        return vertexCount > LaunchPolicy.LEVELS_OF_A_SHALLOW_GRAPH;
    }

    private boolean isDeep(ResidentGraph.Held graph, Stop stop) {
        if (!mayBeDeep(graph.vertexCount())) {
            return false;
        }
        Boolean known = graph.isDeep();
        if (known == null) {
            known = tryDepth(graph, stop);
            graph.foundDeep(known);
        }
        return known;
    }

    private boolean tryDepth(ResidentGraph.Held graph, Stop stop) {
        WordsBatchKernels words = new WordsBatchKernels(device);
        graph.require(words.parts());
        int[] sources = Arrays.stream(graph.order().toSlots(graph.trialSources()))
                .distinct()
                .toArray();
        int deepest = LaunchPolicy.LEVELS_OF_A_SHALLOW_GRAPH;
        // a search that counts levels only goes as deep as there is room to count
        BatchKernels.Sums nothing = BatchKernels.Sums.NONE.withLevelCounts(0, deepest, 1);
        try (DeviceTurn turn = device.turn(stop)) {
            long at = turn.workspace(words.trialBytes(graph));
            return words.launch(turn, graph, sources.length, at, sources, 0, sources.length, deepest, 0, nothing)
                            .level()
                    == deepest;
        }
    }
}

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

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunOptions.Kernel;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.concurrent.Stop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Chooses the kernels of many searches: those that were asked for, or those that suit the graph. 'auto' searches from a few
 * vertices at once, up to a level, and takes the graph for a deep one if the searches go on there. Shallow graphs are
 * searched word by word. On deep graphs distances are searched a block each; sums by tiles, unless a trial finds words faster,
 * as it may where a deep graph is a shallow one with a tail. Decided once for a graph in an order; docs/decisions/0023 and
 * 0027.
 */
final class BatchDispatch {

    private final CudaDevice device;

    BatchDispatch(CudaDevice device) {
        this.device = device;
    }

    /** The kernels of distances. */
    BatchKernels distances(ResidentGraph.Held graph, Kernel asked, Stop stop) {
        BatchKernels chosen = distances(asked == Kernel.AUTO && isDeep(graph, stop) ? Kernel.BLOCKS : asked);
        graph.endTrial(chosen.parts());
        return chosen;
    }

    /** The kernels of sums. */
    SumKernels sums(ResidentGraph.Held graph, Kernel asked, Stop stop) {
        SumKernels chosen = sums(asked == Kernel.AUTO && isDeep(graph, stop) ? ofDeepSums(graph, stop) : asked);
        graph.endTrial(chosen.parts());
        return chosen;
    }

    /**
     * All that may happen before a run, for its estimate.
     *
     * @param lying what trials have found
     */
    List<KernelDispatch.Course> courses(Run run, Kernel asked, int vertexCount, ResidentGraph.Lying lying) {
        boolean isSum = run == Run.FARNESS;
        if (asked != Kernel.AUTO) {
            return List.of(KernelDispatch.Course.straight(of(isSum, asked)));
        }
        Kernels words = of(isSum, Kernel.WORDS);
        boolean isShallow = lying.isDeep() == null ? !mayBeDeep(vertexCount) : !lying.isDeep();
        if (isShallow) {
            return List.of(KernelDispatch.Course.straight(words));
        }
        List<TriedKernels> tried = new ArrayList<>();
        List<KernelDispatch.Course> courses = new ArrayList<>();
        if (lying.isDeep() == null) {
            tried.add(new WordsBatchKernels(device));
            courses.add(new KernelDispatch.Course(List.copyOf(tried), words));
        }
        if (!isSum) {
            courses.add(new KernelDispatch.Course(tried, distances(Kernel.BLOCKS)));
        } else if (lying.sums() != null) {
            courses.add(new KernelDispatch.Course(tried, sums(lying.sums())));
        } else {
            SumKernels tiles = sums(Kernel.TILES);
            // one of them is taken too where the device has no room for the other
            courses.add(new KernelDispatch.Course(List.copyOf(tried), words));
            tried.add(tiles);
            courses.add(new KernelDispatch.Course(List.copyOf(tried), tiles));
            tried.add(sums(Kernel.WORDS));
            courses.add(new KernelDispatch.Course(tried, words));
            courses.add(new KernelDispatch.Course(tried, tiles));
        }
        return courses;
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
            case TILES -> new TilesSumKernels(device);
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

    /** What is taken for the sums of a deep graph. */
    private Kernel ofDeepSums(ResidentGraph.Held graph, Stop stop) {
        Kernel known = graph.sums();
        if (known == null) {
            known = trySums(graph, stop);
            graph.foundSums(known);
        }
        return known;
    }

    private Kernel trySums(ResidentGraph.Held graph, Stop stop) {
        TilesSumKernels tiles = new TilesSumKernels(device);
        double ofTiles;
        try {
            // no other graph is moved out for a trial
            device.memory().withoutMovingOut(() -> graph.tryOut(tiles.parts()));
            ofTiles = millisASource(tiles, graph, stop);
        } catch (DeviceMemoryException e) {
            return Kernel.WORDS;
        }
        try {
            return areWordsFaster(ofTiles, graph, stop) ? Kernel.WORDS : Kernel.TILES;
        } catch (DeviceMemoryException e) {
            return Kernel.TILES;
        }
    }

    private double millisASource(TilesSumKernels tiles, GraphView graph, Stop stop) {
        int most = tiles.mostSources();
        int count = tiles.trialSources(graph);
        // from amid the graph, where searches are neither the deepest nor the least deep
        int first = (graph.vertexCount() - count) / 2 / TilesSumKernels.KAPPA * TilesSumKernels.KAPPA;
        try (DeviceTurn turn = device.turn(stop)) {
            long at = turn.workspace(tiles.trialBytes(graph));
            BatchKernels.Sums sums = tiles.trialSums(graph, at);
            // the first launch of a kernel brings its code to the device
            tiles.begin(turn, graph, most, at, first, Math.min(count, TilesSumKernels.KAPPA), sums)
                    .end();
            SumKernels.Added added =
                    tiles.begin(turn, graph, most, at, first, count, sums).end();
            return added.outcome().millis() / added.sources();
        }
    }

    /** Whether words take less time a source. They are given up at some level if they have taken more by then. */
    private boolean areWordsFaster(double millisASource, ResidentGraph.Held graph, Stop stop) {
        WordsBatchKernels words = new WordsBatchKernels(device);
        SlotBySlot sums = new SlotBySlot(words);
        graph.tryOut(words.parts());
        int count = sums.trialSources(graph);
        int first = (graph.vertexCount() - count) / 2;
        int[] sources = IntStream.range(first, first + count).toArray();
        try (DeviceTurn turn = device.turn(stop)) {
            long at = turn.workspace(sums.trialBytes(graph));
            BatchKernels.Sums into = sums.trialSums(graph, at);
            for (int maxDepth : new int[] {1, LaunchPolicy.LEVELS_OF_A_TRIAL_OF_SUMS, LoadedGraph.NO_MAX_DEPTH}) {
                double millis = words.launch(turn, graph, sums.mostSources(), at, sources, 0, count, maxDepth, 0, into)
                        .millis();
                // the first launch of a kernel brings its code to the device
                if (maxDepth != 1 && millis / count >= millisASource) {
                    return false;
                }
            }
            return true;
        }
    }

    private boolean tryDepth(ResidentGraph.Held graph, Stop stop) {
        WordsBatchKernels words = new WordsBatchKernels(device);
        graph.tryOut(words.parts());
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

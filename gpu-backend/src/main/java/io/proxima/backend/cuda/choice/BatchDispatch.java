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
package io.proxima.backend.cuda.choice;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.graph.Findings;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.graph.HeldGraph;
import io.proxima.backend.cuda.graph.LayoutState;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.backend.cuda.kernel.BatchedSums;
import io.proxima.backend.cuda.kernel.DeviceKernels;
import io.proxima.backend.cuda.kernel.KernelFamilies;
import io.proxima.backend.cuda.kernel.SumKernels;
import io.proxima.backend.cuda.kernel.TrialKernels;
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
public final class BatchDispatch {

    /** Levels after which words are given up in a trial of sums if tiles would have been done. */
    static final int LEVELS_OF_A_TRIAL_OF_SUMS = 256;

    /** Levels that a trial of many searches sees; a graph that has more is a deep one. */
    static final int LEVELS_OF_A_SHALLOW_GRAPH = 64;

    /** Whether searches of a graph go on beyond {@link #LEVELS_OF_A_SHALLOW_GRAPH}. */
    static final Findings.Key<Boolean> DEEP = Findings.Key.lasting();

    /** What a trial of sums found fastest on a deep graph. */
    static final Findings.Key<SumKernels> SUMS = Findings.Key.measured();

    private static final Kernel OF_SHALLOW_GRAPHS = Kernel.of("words");
    private static final Kernel DISTANCES_OF_DEEP_GRAPHS = Kernel.of("blocks");

    private final CudaDevice device;
    private final KernelFamilies families;

    BatchDispatch(CudaDevice device, KernelFamilies families) {
        this.device = device;
        this.families = families;
    }

    /** The kernels of distances. */
    BatchKernels distances(HeldGraph graph, Kernel asked, Stop stop) {
        Kernel kernel = asked;
        if (asked.equals(Kernel.AUTO)) {
            kernel = isDeep(graph, stop) ? DISTANCES_OF_DEEP_GRAPHS : OF_SHALLOW_GRAPHS;
        }
        BatchKernels chosen = families.distances(device, kernel);
        graph.endTrial(chosen.structures());
        return chosen;
    }

    /** The kernels of sums. */
    SumKernels sums(HeldGraph graph, Kernel asked, Stop stop) {
        SumKernels chosen;
        if (!asked.equals(Kernel.AUTO)) {
            chosen = families.sums(device, asked);
        } else {
            chosen = isDeep(graph, stop) ? ofDeepSums(graph, stop) : words();
        }
        graph.endTrial(chosen.structures());
        return chosen;
    }

    private SumKernels words() {
        return families.sums(device, OF_SHALLOW_GRAPHS);
    }

    /**
     * All that may happen before a run, for its estimate.
     *
     * @param state what is known of the graph on the device
     */
    List<SelectionPath> paths(Run run, Kernel asked, int vertexCount, LayoutState state) {
        boolean isSum = run == Run.FARNESS;
        if (!asked.equals(Kernel.AUTO)) {
            return List.of(SelectionPath.straight(of(isSum, asked)));
        }
        DeviceKernels words = of(isSum, OF_SHALLOW_GRAPHS);
        Boolean deep = state.findings().get(DEEP, device.tuning());
        boolean isShallow = deep == null ? !mayBeDeep(vertexCount) : !deep;
        if (isShallow) {
            return List.of(SelectionPath.straight(words));
        }
        List<TrialKernels> tried = new ArrayList<>();
        List<SelectionPath> paths = new ArrayList<>();
        if (deep == null) {
            tried.add(families.distances(device, OF_SHALLOW_GRAPHS));
            paths.add(new SelectionPath(List.copyOf(tried), words));
        }
        SumKernels known = state.findings().get(SUMS, device.tuning());
        if (!isSum) {
            paths.add(new SelectionPath(tried, families.distances(device, DISTANCES_OF_DEEP_GRAPHS)));
        } else if (known != null) {
            paths.add(new SelectionPath(tried, known));
        } else {
            // any of them is taken too where the device has no room for the others
            paths.add(new SelectionPath(List.copyOf(tried), words));
            for (SumKernels candidate : families.each(family -> family.triedSums(device))) {
                tried.add(candidate);
                paths.add(new SelectionPath(List.copyOf(tried), candidate));
                paths.add(new SelectionPath(List.copyOf(tried), words));
            }
            tried.add(words());
            paths.addAll(
                    tried.stream().map(taken -> new SelectionPath(tried, taken)).toList());
            paths.removeIf(path -> !(path.taken() instanceof SumKernels));
        }
        return paths;
    }

    private DeviceKernels of(boolean isSum, Kernel kernel) {
        return isSum ? families.sums(device, kernel) : families.distances(device, kernel);
    }

    /** Whether a graph of so many vertices can have more levels than a shallow one. */
    private static boolean mayBeDeep(int vertexCount) {
        return vertexCount > LEVELS_OF_A_SHALLOW_GRAPH;
    }

    private boolean isDeep(HeldGraph graph, Stop stop) {
        if (!mayBeDeep(graph.vertexCount())) {
            return false;
        }
        Boolean known = graph.found(DEEP);
        if (known == null) {
            known = tryDepth(graph, stop);
            graph.keep(DEEP, known);
        }
        return known;
    }

    /** What is taken for the sums of a deep graph. */
    private SumKernels ofDeepSums(HeldGraph graph, Stop stop) {
        SumKernels known = graph.found(SUMS);
        if (known == null) {
            known = trySums(graph, stop);
            graph.keep(SUMS, known);
        }
        return known;
    }

    private SumKernels trySums(HeldGraph graph, Stop stop) {
        SumKernels best = null;
        double least = Double.POSITIVE_INFINITY;
        for (SumKernels candidate : families.each(family -> family.triedSums(device))) {
            try {
                // no other graph is evicted for a trial
                device.memory().withoutEvicting(() -> graph.tryOut(candidate.structures()));
                double millis = millisASource(candidate, graph, stop);
                if (millis < least) {
                    best = candidate;
                    least = millis;
                }
            } catch (DeviceMemoryException e) {
                // the others are left
            }
        }
        if (best == null) {
            return words();
        }
        try {
            return areWordsFaster(least, graph, stop) ? words() : best;
        } catch (DeviceMemoryException e) {
            return best;
        }
    }

    private double millisASource(SumKernels kernels, GraphView graph, Stop stop) {
        int most = kernels.mostSources();
        int count = kernels.trialSources(graph);
        int least = kernels.sourceMultiple();
        // from amid the graph, where searches are neither the deepest nor the least deep
        int first = (graph.vertexCount() - count) / 2 / least * least;
        try (DeviceLease lease = device.lease(stop)) {
            long at = lease.workspace(kernels.trialBytes(graph));
            BatchKernels.Sums sums = kernels.trialSums(graph, at);
            // the first launch of a kernel brings its code to the device
            kernels.begin(lease, graph, most, at, first, Math.min(count, least), sums)
                    .end();
            SumKernels.Added added =
                    kernels.begin(lease, graph, most, at, first, count, sums).end();
            return added.outcome().millis() / added.sources();
        }
    }

    /** Whether the bit-parallel kernels take less time a source. Their trial is cut off at a level by which they have taken more. */
    private boolean areWordsFaster(double millisASource, HeldGraph graph, Stop stop) {
        BatchKernels words = families.distances(device, OF_SHALLOW_GRAPHS);
        BatchedSums sums = new BatchedSums(words);
        graph.tryOut(words.structures());
        int count = sums.trialSources(graph);
        int first = (graph.vertexCount() - count) / 2;
        int[] sources = IntStream.range(first, first + count).toArray();
        try (DeviceLease lease = device.lease(stop)) {
            long at = lease.workspace(sums.trialBytes(graph));
            BatchKernels.Sums into = sums.trialSums(graph, at);
            for (int maxDepth : new int[] {1, LEVELS_OF_A_TRIAL_OF_SUMS, LoadedGraph.NO_MAX_DEPTH}) {
                double millis = words.launch(lease, graph, sums.mostSources(), at, sources, 0, count, maxDepth, 0, into)
                        .millis();
                // the first launch of a kernel brings its code to the device
                if (maxDepth != 1 && millis / count >= millisASource) {
                    return false;
                }
            }
            return true;
        }
    }

    private boolean tryDepth(HeldGraph graph, Stop stop) {
        BatchKernels words = families.distances(device, OF_SHALLOW_GRAPHS);
        graph.tryOut(words.structures());
        int[] sources = Arrays.stream(graph.order().toSlots(graph.trialSources()))
                .distinct()
                .toArray();
        int deepest = LEVELS_OF_A_SHALLOW_GRAPH;
        // a search that counts levels only goes as deep as there is room to count
        BatchKernels.Sums nothing = BatchKernels.Sums.NONE.withLevelCounts(0, deepest, 1);
        try (DeviceLease lease = device.lease(stop)) {
            long at = lease.workspace(words.trialBytes(graph));
            return words.launch(lease, graph, sources.length, at, sources, 0, sources.length, deepest, 0, nothing)
                            .level()
                    == deepest;
        }
    }
}

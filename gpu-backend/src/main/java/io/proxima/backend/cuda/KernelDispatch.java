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

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions;
import io.proxima.backend.RunOptions.Kernel;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.order.UpdateDivergence;
import java.util.List;
import java.util.Set;

/**
 * Chooses the kernels of a run: those that were asked for, or those that suit the graph. Elbek and Kaya, arXiv:2606.05081,
 * section 5.2: above an update divergence of 25,000 one search updates lazily, otherwise eagerly; section 7.4: switching,
 * which comes with lazy updates, is enabled if three searches gain by it. Against the paper a graph of many small levels is
 * always searched eagerly, with a small grid: a lazy level sweeps all vertices, and a large grid is waited for longer.
 * Decided once for a graph in an order; docs/decisions/0012.
 */
final class KernelDispatch {

    /** Divergence comes from the device in units of 1/16 row: UNITS of bvss_build.cu. */
    static final double DIVERGENCE_UNITS = 16;

    private static final int[] NO_TARGETS = {};

    private final CudaDevice device;

    KernelDispatch(CudaDevice device) {
        this.device = device;
    }

    /**
     * The kernels of one search; their parts are there afterwards.
     *
     * @throws IllegalArgumentException if those that were asked for cannot do the run
     */
    LevelKernels levels(ResidentGraph.Held graph, Run run, RunControl control) {
        Kernel asked = device.policy().kernel(control.options(), run);
        LevelKernels chosen = asked == Kernel.AUTO ? decided(graph, control) : ofOneSearch(asked);
        begin(graph, chosen, control);
        return chosen;
    }

    /**
     * The kernels of many searches; their parts are there afterwards.
     *
     * @throws IllegalArgumentException if those that were asked for cannot do the run
     */
    BatchKernels batches(ResidentGraph.Held graph, Run run, RunControl control) {
        BatchKernels chosen = ofManySearches(device.policy().kernel(control.options(), run));
        begin(graph, chosen, control);
        return chosen;
    }

    private static void begin(ResidentGraph.Held graph, Kernels chosen, RunControl control) {
        graph.require(chosen.parts());
        control.observer()
                .runsWith(graph.order().name(), chosen.name(), graph.order().reason());
    }

    /**
     * A step on the way to the kernels of a run.
     *
     * @param parts that are required
     * @param search what is searched with from one source then; null if nothing is
     */
    record Trial(Set<GraphPart<?>> parts, LevelKernels search) {}

    /**
     * How a run may come to its kernels.
     *
     * @param tried one after the other
     * @param taken in the end
     */
    record Course(List<Trial> tried, Kernels taken) {

        private static Course straight(Kernels kernels) {
            return new Course(List.of(), kernels);
        }
    }

    /**
     * All that may happen before a run, for its estimate.
     *
     * @param known what 'auto' has decided on for one search; null if nothing yet
     */
    List<Course> courses(Run run, RunOptions options, long entryCount, LevelKernels known) {
        Kernel asked = device.policy().kernel(options, run);
        if (!run.isSingleSearch()) {
            return List.of(Course.straight(ofManySearches(asked)));
        }
        if (asked != Kernel.AUTO) {
            return List.of(Course.straight(ofOneSearch(asked)));
        }
        if (known != null) {
            return List.of(Course.straight(known));
        }
        LevelKernels eager = blest(LaunchPolicy.SearchKernel.AB);
        boolean trial = entryCount >= device.policy().smallestTrial();
        List<Trial> first = List.of(new Trial(Set.of(BvssPart.BVSS), trial ? eager : null));
        return List.of(new Course(first, eager), new Course(first, blest(LaunchPolicy.SearchKernel.FULL)));
    }

    private LevelKernels ofOneSearch(Kernel kernel) {
        return switch (kernel) {
            case BLEST_A -> blest(LaunchPolicy.SearchKernel.A);
            case BLEST_AB -> blest(LaunchPolicy.SearchKernel.AB);
            case BLEST_ABCD -> blest(LaunchPolicy.SearchKernel.ABCD);
            case BLEST_FULL -> blest(LaunchPolicy.SearchKernel.FULL);
            case BLEST_AB_AND -> blest(LaunchPolicy.SearchKernel.AB_AND);
            case BLEST_ABCD_AND -> blest(LaunchPolicy.SearchKernel.ABCD_AND);
            case BLEST_FULL_AND -> blest(LaunchPolicy.SearchKernel.FULL_AND);
            default -> throw notOf(kernel, "one search");
        };
    }

    private BatchKernels ofManySearches(Kernel kernel) {
        return switch (kernel) {
            case BLEST_A -> blest(LaunchPolicy.MultiSourceKernel.A);
            case BLEST_AB -> blest(LaunchPolicy.MultiSourceKernel.AB);
            // many searches at once have no lazy variant without the rest
            case AUTO, BLEST_ABCD, BLEST_FULL -> blest(LaunchPolicy.MultiSourceKernel.FULL);
            case BLEST_AB_AND -> blest(LaunchPolicy.MultiSourceKernel.AB_AND);
            case BLEST_ABCD_AND, BLEST_FULL_AND -> blest(LaunchPolicy.MultiSourceKernel.FULL_AND);
            default -> throw notOf(kernel, "many searches");
        };
    }

    private static IllegalStateException notOf(Kernel kernel, String what) {
        return new IllegalStateException("kernel must be one of those of " + what + ": kernel=" + kernel.keyword());
    }

    private BatchKernels blest(LaunchPolicy.MultiSourceKernel kernel) {
        return new BvssBatchKernels(device, kernel, device.policy().batchSources());
    }

    private LevelKernels blest(LaunchPolicy.SearchKernel kernel) {
        return new BvssLevelKernels(device, kernel);
    }

    private LevelKernels decided(ResidentGraph.Held graph, RunControl control) {
        Decision known = graph.decision();
        if (known == null) {
            known = decide(graph, control);
            graph.decide(known);
        }
        return known.kernels();
    }

    /**
     * What suits a graph in an order.
     *
     * @param kernels of one search
     * @param millis that three searches take; 0 if the graph is too small for a trial
     */
    record Decision(LevelKernels kernels, double millis) {}

    /** Decides for a graph that may not be in use yet. */
    Decision decide(ResidentGraph.Held graph, RunControl control) {
        graph.require(Set.of(BvssPart.BVSS));
        LevelKernels eager = blest(LaunchPolicy.SearchKernel.AB);
        LevelKernels full = blest(LaunchPolicy.SearchKernel.FULL);
        boolean lazy = UpdateDivergence.isLazy(graph.part(BvssPart.BVSS).divergence());
        if (graph.entryCount() < device.policy().smallestTrial()) {
            return new Decision(lazy ? full : eager, 0);
        }
        int[] sources = graph.order().toSlots(graph.trialSources());
        LevelKernels deep = new BvssLevelKernels(device, LaunchPolicy.SearchKernel.AB, 0, LaunchPolicy.SMALL_GRID);
        try (DeviceTurn turn = device.turn(control.stop())) {
            DeviceTurn.Outcome first = search(turn, deep, graph, sources[0]);
            if ((long) first.level() * LaunchPolicy.VERTICES_OF_A_SHALLOW_LEVEL > graph.vertexCount()) {
                return new Decision(deep, first.millis() * sources.length);
            }
        }
        Decision best = null;
        for (LevelKernels candidate : List.of(lazy ? blest(LaunchPolicy.SearchKernel.ABCD) : eager, full)) {
            graph.require(candidate.parts());
            double millis = 0;
            try (DeviceTurn turn = device.turn(control.stop())) {
                // finds nothing in the caches and counts for nothing
                search(turn, candidate, graph, sources[0]);
                for (int source : sources) {
                    millis += search(turn, candidate, graph, source).millis();
                }
            }
            if (best == null || millis < best.millis()) {
                best = new Decision(candidate, millis);
            }
        }
        return best;
    }

    private static DeviceTurn.Outcome search(DeviceTurn turn, LevelKernels kernels, GraphView graph, int source) {
        LevelKernels.Plan plan = kernels.plan(graph, 1, 0);
        long at = turn.workspace(plan.bytes());
        return kernels.launch(turn, graph, at, new int[] {source}, LoadedGraph.NO_MAX_DEPTH, NO_TARGETS);
    }
}

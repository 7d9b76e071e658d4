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
import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions;
import io.proxima.backend.RunOptions.Kernel;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.TraversalBackend.Run;
import java.util.List;

/**
 * Chooses the kernels of a run: those that were asked for, or those that suit the graph, which for one search a
 * {@link SearchTrial} finds. That is decided once for a graph in an order.
 */
final class KernelDispatch {

    /** Divergence comes from the device in units of 1/16 row: UNITS of bvss_build.cu. */
    static final double DIVERGENCE_UNITS = 16;

    private final CudaDevice device;
    private final SearchTrial trial;
    private final BatchDispatch manySearches;

    KernelDispatch(CudaDevice device) {
        this.device = device;
        this.trial = new SearchTrial(device);
        this.manySearches = new BatchDispatch(device);
    }

    /**
     * The kernels of one search; their parts are there afterwards.
     *
     * @throws IllegalArgumentException if those that were asked for cannot do the run
     */
    LevelKernels levels(ResidentGraph.Held graph, Run run, RunControl control) {
        Kernel asked = device.policy().kernel(control.options(), run);
        if (asked != Kernel.AUTO) {
            LevelKernels chosen =
                    asked == Kernel.BALL_RECORDS ? recordsOrRows(graph) : ofOneSearch(asked, graph.entryCount());
            begin(graph, chosen, graph.order().reason(), control);
            return chosen;
        }
        SearchTrial.Decision decision = graph.takeWithRecords();
        if (decision == null) {
            decision = graph.decision();
        }
        if (decision == null) {
            decision = trial.decide(graph, control);
            graph.decide(decision);
        }
        begin(graph, decision.kernels(), graph.order().reason() + " " + decision.reason(), control);
        return decision.kernels();
    }

    /**
     * The kernels of searches with distances of their own; their parts are there afterwards.
     *
     * @throws IllegalArgumentException if those that were asked for cannot do the run
     */
    BatchKernels distances(ResidentGraph.Held graph, RunControl control) {
        BatchKernels chosen = manySearches.distances(
                graph, device.policy().kernel(control.options(), Run.MULTI_SOURCE_BFS), control.stop());
        begin(graph, chosen, graph.order().reason(), control);
        return chosen;
    }

    /**
     * The kernels of the sums of searches from all vertices; their parts are there afterwards.
     *
     * @throws IllegalArgumentException if those that were asked for cannot do the run
     */
    SumKernels sums(ResidentGraph.Held graph, RunControl control) {
        SumKernels chosen =
                manySearches.sums(graph, device.policy().kernel(control.options(), Run.FARNESS), control.stop());
        begin(graph, chosen, graph.order().reason(), control);
        return chosen;
    }

    private static void begin(ResidentGraph.Held graph, Kernels chosen, String reason, RunControl control) {
        graph.require(chosen.parts());
        control.observer().runsWith(graph.order().name(), chosen.name(), reason);
    }

    /**
     * How a run may come to its kernels.
     *
     * @param tried one after the other, each with the searches of a trial
     * @param taken in the end; parts that only the others need are freed
     */
    record Course(List<? extends TriedKernels> tried, Kernels taken) {

        static Course straight(Kernels kernels) {
            return new Course(List.of(), kernels);
        }
    }

    /**
     * All that may happen before a run, for its estimate.
     *
     * @param lying what is known of the graph on the device
     */
    List<Course> courses(Run run, RunOptions options, GraphShape graph, ResidentGraph.Lying lying) {
        long entryCount = graph.entryCount();
        Kernel asked = device.policy().kernel(options, run);
        if (!run.isSingleSearch()) {
            return manySearches.courses(run, asked, graph.vertexCount(), lying.isDeep());
        }
        if (asked == Kernel.BALL_RECORDS) {
            return ofRecords(entryCount, lying);
        }
        if (asked != Kernel.AUTO) {
            return List.of(Course.straight(ofOneSearch(asked, entryCount)));
        }
        return lying.kernels() != null
                ? List.of(Course.straight(lying.kernels()))
                : trial.courses(entryCount, lying.parts());
    }

    private List<Course> ofRecords(long entryCount, ResidentGraph.Lying lying) {
        Course records = Course.straight(ofOneSearch(Kernel.BALL_RECORDS, entryCount));
        Course rows = Course.straight(ofOneSearch(Kernel.BALLS, entryCount));
        if (lying.parts().contains(RecordsPart.RECORDS)) {
            return List.of(records);
        }
        return lying.recordsRefused() ? List.of(rows) : List.of(rows, records);
    }

    /** By records of balls; by rows where there is too little memory for records. */
    private LevelKernels recordsOrRows(ResidentGraph.Held graph) {
        LevelKernels records = ofOneSearch(Kernel.BALL_RECORDS, graph.entryCount());
        if (!graph.isRefused(RecordsPart.RECORDS)) {
            try {
                graph.require(records.parts());
                return records;
            } catch (DeviceMemoryException e) {
                graph.refuse(RecordsPart.RECORDS);
            }
        }
        return ofOneSearch(Kernel.BALLS, graph.entryCount());
    }

    private LevelKernels ofOneSearch(Kernel kernel, long entryCount) {
        return switch (kernel) {
            case BLEST_A -> blest(LaunchPolicy.SearchKernel.A);
            case BLEST_AB -> blest(LaunchPolicy.SearchKernel.AB);
            case BLEST_ABCD -> blest(LaunchPolicy.SearchKernel.ABCD);
            case BLEST_FULL -> blest(LaunchPolicy.SearchKernel.FULL);
            case BLEST_AB_AND -> blest(LaunchPolicy.SearchKernel.AB_AND);
            case BLEST_ABCD_AND -> blest(LaunchPolicy.SearchKernel.ABCD_AND);
            case BLEST_FULL_AND -> blest(LaunchPolicy.SearchKernel.FULL_AND);
            case DIRECTIONAL -> new DirectionalLevelKernels(device);
            case BALLS, BALL_RECORDS ->
                // their counters are too narrow for more hubs
                BallsLevelKernels.canSearch(entryCount)
                        ? new BallsLevelKernels(device, kernel == Kernel.BALL_RECORDS, 0)
                        : eagerBySmallGrid();
            default -> throw notOf(kernel, "one search");
        };
    }

    static IllegalStateException notOf(Kernel kernel, String what) {
        return new IllegalStateException("kernel must be one of those of " + what + ": kernel=" + kernel.keyword());
    }

    private LevelKernels blest(LaunchPolicy.SearchKernel kernel) {
        return new BvssLevelKernels(device, kernel);
    }

    private LevelKernels eagerBySmallGrid() {
        int blocks = device.tuning().whole(TuningParameter.SMALL_GRID);
        return new BvssLevelKernels(device, LaunchPolicy.SearchKernel.AB, 0, blocks);
    }
}

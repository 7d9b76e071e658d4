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
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses the kernels of a run: those that were asked for, or those that suit the graph, which for one search a
 * {@link SearchTrial} finds. That is decided once for a graph in an order.
 */
final class KernelDispatch {

    /** Divergence comes from the device in units of 1/16 row: DIVERGENCE_UNITS of bvss_build.cu. */
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
                    switch (asked) {
                        case BALLS -> byRows(graph);
                        case BALL_RECORDS -> recordsOrRows(graph);
                        default -> ofOneSearch(asked);
                    };
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
        Kernel asked = device.policy().kernel(options, run);
        if (!run.isSingleSearch()) {
            return manySearches.courses(run, asked, graph.vertexCount(), lying);
        }
        if (asked == Kernel.BALLS || asked == Kernel.BALL_RECORDS) {
            return ofBalls(asked == Kernel.BALL_RECORDS, graph.entryCount(), lying);
        }
        if (asked != Kernel.AUTO) {
            return List.of(Course.straight(ofOneSearch(asked)));
        }
        return lying.kernels() != null
                ? List.of(Course.straight(lying.kernels()))
                : trial.courses(graph.entryCount(), lying.parts());
    }

    private List<Course> ofBalls(boolean records, long entryCount, ResidentGraph.Lying lying) {
        if (!BallsLevelKernels.canSearch(entryCount)) {
            return List.of(Course.straight(ofManyHubs()));
        }
        List<Course> courses = new ArrayList<>();
        if (!records || !lying.parts().contains(RecordsPart.RECORDS)) {
            Long rowBits = lying.figures().get(RowsPart.ROW_BITS);
            ofShape(false, rowBits == null ? null : LaunchPolicy.hasFewEdgesByRows(rowBits), courses);
        }
        if (records && !lying.recordsRefused()) {
            Long radius = lying.figures().get(RecordsPart.RADIUS);
            ofShape(true, radius == null ? null : LaunchPolicy.hasFewEdgesByRecords(radius), courses);
        }
        return courses;
    }

    /** Adds the courses of a graph whose levels have few edges, or many; null: that is not known. */
    private void ofShape(boolean records, Boolean fewEdges, List<Course> courses) {
        if (fewEdges == null || fewEdges) {
            courses.add(Course.straight(ofShape(records, true)));
        }
        if (fewEdges == null || !fewEdges) {
            courses.add(Course.straight(ofShape(records, false)));
        }
    }

    private LevelKernels ofShape(boolean records, boolean fewEdges) {
        return fewEdges ? new BallsLevelKernels(device, records) : new WindowsLevelKernels(device, records);
    }

    /** By rows of neighbours. */
    private LevelKernels byRows(ResidentGraph.Held graph) {
        if (!BallsLevelKernels.canSearch(graph.entryCount())) {
            return ofManyHubs();
        }
        graph.require(BallsLevelKernels.parts(false));
        return ofShape(
                false, LaunchPolicy.hasFewEdgesByRows(graph.part(RowsPart.ROWS).rowBits()));
    }

    /** By records of balls; by rows where there is too little memory for records. */
    private LevelKernels recordsOrRows(ResidentGraph.Held graph) {
        if (BallsLevelKernels.canSearch(graph.entryCount()) && !graph.isRefused(RecordsPart.RECORDS)) {
            try {
                graph.require(BallsLevelKernels.parts(true));
                return ofShape(
                        true,
                        LaunchPolicy.hasFewEdgesByRecords(
                                graph.part(RecordsPart.RECORDS).radius()));
            } catch (DeviceMemoryException e) {
                graph.refuse(RecordsPart.RECORDS);
            }
        }
        return byRows(graph);
    }

    /** Where the counters of the kernels for rows and records are too narrow for the hubs. */
    private LevelKernels ofManyHubs() {
        return BvssLevelKernels.ofManySmallLevels(device, device.tuning());
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
            case DIRECTIONAL -> new DirectionalLevelKernels(device);
            default -> throw notOf(kernel, "one search");
        };
    }

    static IllegalStateException notOf(Kernel kernel, String what) {
        return new IllegalStateException("kernel must be one of those of " + what + ": kernel=" + kernel.keyword());
    }

    private LevelKernels blest(LaunchPolicy.SearchKernel kernel) {
        return new BvssLevelKernels(device, kernel);
    }
}

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
import io.proxima.backend.RunControl;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Finds the kernels that search a graph fastest from one source, by searching with them. Graphs differ most in the size of
 * their levels: where these are few and large, kernels are tried that fill the device; where they are many and small, those
 * that wait least between levels. docs/decisions/0021.
 */
final class SearchTrial {

    private static final int[] NO_TARGETS = {};
    private static final int[] NO_SOURCES = {};
    private static final int NONE = -1;
    private static final int ONE_LEVEL = 1;

    private final CudaDevice device;
    private final LevelKernels directional;

    SearchTrial(CudaDevice device) {
        this.device = device;
        this.directional = new DirectionalLevelKernels(device);
    }

    /**
     * What suits a graph in an order.
     *
     * @param kernels of one search
     * @param deep from which of the trial's vertices the graph was found to have many small levels; {@link #NONE} if from none
     * @param millis that the searches of the trial take with them, the same searches in every order; 0 if the graph is too
     *     small for a trial
     * @param reason one sentence for the log
     */
    record Decision(LevelKernels kernels, int deep, double millis, String reason) {}

    /** What is tried where levels are many and small; the first one finds out that they are. */
    private List<LevelKernels> ofManySmallLevels(long entryCount) {
        List<LevelKernels> kernels =
                new ArrayList<>(List.of(directional, BvssLevelKernels.ofManySmallLevels(device, device.tuning())));
        if (BallsLevelKernels.canSearch(entryCount)) {
            kernels.add(new BallsLevelKernels(device, false));
            kernels.add(new WindowsLevelKernels(device, false));
        }
        return kernels;
    }

    /** What is tried where levels are few and large. Slice sets are not made for it: what they could gain is less. */
    private List<LevelKernels> ofFewLargeLevels(Set<GraphPart<?>> there) {
        return there.contains(BvssPart.BVSS)
                ? List.of(directional, new BvssLevelKernels(device, LaunchPolicy.SearchKernel.FULL))
                : List.of(directional);
    }

    /** What is taken where the device has no room for the lists both ways. */
    private LevelKernels ofLittleMemory() {
        return new BvssLevelKernels(device, LaunchPolicy.SearchKernel.AB);
    }

    /** All that {@link #decide} may do, for an estimate. */
    List<KernelDispatch.Course> courses(long entryCount, Set<GraphPart<?>> there) {
        List<KernelDispatch.Course> courses = new ArrayList<>();
        courses.add(KernelDispatch.Course.straight(directional));
        courses.add(KernelDispatch.Course.straight(ofLittleMemory()));
        if (entryCount >= device.policy().smallestTrial()) {
            for (List<LevelKernels> tried : List.of(ofManySmallLevels(entryCount), ofFewLargeLevels(there))) {
                tried.forEach(taken -> courses.add(new KernelDispatch.Course(tried, taken)));
            }
        }
        return courses;
    }

    /**
     * Decides for a graph that may not be in use yet. The parts of the kernels are there afterwards; of those that were not
     * there before no others.
     */
    Decision decide(ResidentGraph.Held graph, RunControl control) {
        Decision decision = decide(graph, graph.parts(), control);
        graph.endTrial(decision.kernels().parts());
        return decision;
    }

    private Decision decide(ResidentGraph.Held graph, Set<GraphPart<?>> before, RunControl control) {
        boolean trial = graph.entryCount() >= device.policy().smallestTrial();
        int[] sources = trial ? graph.order().toSlots(graph.trialSources()) : NO_SOURCES;
        int deepFrom = LaunchPolicy.deepFrom(graph.vertexCount());
        int deep;
        try {
            graph.tryOut(directional.parts());
            deep = firstAsDeepAs(deepFrom, sources, graph, control);
        } catch (DeviceMemoryException e) {
            return new Decision(
                    ofLittleMemory(), NONE, 0, "The device has no room for what '" + directional.name() + "' needs.");
        }
        if (!trial) {
            return new Decision(directional, NONE, 0, "It is too small for a trial of kernels.");
        }
        return deep == NONE
                ? fastest(ofFewLargeLevels(before), NONE, sources, LoadedGraph.NO_MAX_DEPTH, graph, control)
                : fastest(
                        ofManySmallLevels(graph.entryCount()),
                        deep,
                        new int[] {sources[deep]},
                        LaunchPolicy.TRIAL_DEPTHS * deepFrom,
                        graph,
                        control);
    }

    /**
     * Makes records of balls for a graph of many small levels that goes on being used, and searches with them as the trial
     * did. They stay if that was faster. Nothing is moved out for them.
     *
     * @param was what the trial has decided on
     * @return what to search with while the records are there; null if nothing is gained
     */
    Decision tryRecords(ResidentGraph.Held graph, Decision was, RunControl control) {
        if (was.deep() == NONE
                || !BallsLevelKernels.canSearch(graph.entryCount())
                || graph.isRefused(RecordsPart.RECORDS)) {
            return null;
        }
        try {
            device.memory().withoutMovingOut(() -> graph.tryOut(BallsLevelKernels.parts(true)));
            int source = graph.order().toSlots(graph.trialSources())[was.deep()];
            int maxDepth = LaunchPolicy.TRIAL_DEPTHS * LaunchPolicy.deepFrom(graph.vertexCount());
            Decision best = null;
            for (LevelKernels records :
                    List.of(new BallsLevelKernels(device, true), new WindowsLevelKernels(device, true))) {
                double millis = millis(records, new int[] {source}, maxDepth, graph, control);
                if (millis < (best == null ? was : best).millis()) {
                    String told = String.format(
                            Locale.ROOT,
                            "%s With records made since, %s %.3f ms.",
                            was.reason(),
                            records.name(),
                            millis);
                    best = new Decision(records, was.deep(), millis, told);
                }
            }
            graph.endTrial(best == null ? Set.of() : best.kernels().parts());
            return best;
        } catch (DeviceMemoryException e) {
            graph.refuse(RecordsPart.RECORDS);
            return null;
        }
    }

    /** The index of the first source whose search comes to a level; goes no deeper. */
    private int firstAsDeepAs(int level, int[] sources, GraphView graph, RunControl control) {
        try (DeviceTurn turn = device.turn(control.stop())) {
            for (int i = 0; i < sources.length; i++) {
                if (search(turn, directional, graph, sources[i], level).level() == level) {
                    return i;
                }
            }
            return NONE;
        }
    }

    /** Searches with each of the candidates; one that the device has no room for is left out, unless it is the first. */
    private Decision fastest(
            List<LevelKernels> candidates,
            int deep,
            int[] sources,
            int maxDepth,
            ResidentGraph.Held graph,
            RunControl control) {
        LevelKernels best = candidates.get(0);
        double least = Double.POSITIVE_INFINITY;
        List<String> told = new ArrayList<>();
        for (LevelKernels candidate : candidates) {
            double millis;
            try {
                // no other graph is moved out for a trial
                device.memory().withoutMovingOut(() -> graph.tryOut(candidate.parts()));
                millis = millis(candidate, sources, maxDepth, graph, control);
            } catch (DeviceMemoryException e) {
                told.add(candidate.name() + " has no room");
                continue;
            }
            told.add(String.format(Locale.ROOT, "%s %.3f ms", candidate.name(), millis));
            if (millis < least) {
                best = candidate;
                least = millis;
            }
        }
        String levels = deep == NONE ? "few large levels" : "many small levels";
        return new Decision(
                best, deep, least, "It has " + levels + ", so kernels were tried: " + String.join(", ", told) + ".");
    }

    private double millis(LevelKernels kernels, int[] sources, int maxDepth, GraphView graph, RunControl control) {
        double millis = 0;
        try (DeviceTurn turn = device.turn(control.stop())) {
            // the first launch of a kernel brings its code to the device
            search(turn, kernels, graph, sources[0], ONE_LEVEL);
            for (int source : sources) {
                millis += search(turn, kernels, graph, source, maxDepth).millis();
            }
        }
        return millis;
    }

    private static DeviceTurn.Outcome search(
            DeviceTurn turn, LevelKernels kernels, GraphView graph, int source, int maxDepth) {
        LevelKernels.Plan plan = kernels.plan(graph, 1, 0);
        long at = turn.workspace(plan.bytes());
        return kernels.launch(turn, graph, at, new int[] {source}, maxDepth, NO_TARGETS);
    }
}

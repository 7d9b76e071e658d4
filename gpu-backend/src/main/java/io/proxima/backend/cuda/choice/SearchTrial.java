// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.choice;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.family.bvss.BvssLevelKernels;
import io.proxima.backend.cuda.graph.DeviceStructure;
import io.proxima.backend.cuda.graph.Findings;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.graph.HeldGraph;
import io.proxima.backend.cuda.graph.Shortage;
import io.proxima.backend.cuda.kernel.KernelFamilies;
import io.proxima.backend.cuda.kernel.KernelFamily.Levels;
import io.proxima.backend.cuda.kernel.LevelKernels;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Finds the fastest kernels of one search on a graph by running them. On a shallow graph it tries kernels that use the
 * whole device, on a deep graph kernels with low latency per level. See docs/decisions/0021.
 */
public final class SearchTrial {

    /** A search with enough levels is deep if its levels have fewer vertices than this on average. */
    private static final int VERTICES_OF_A_SHALLOW_LEVEL = 1 << 14;

    private static final int LEVELS_OF_A_DEEP_GRAPH = 32;

    /** A trial on a deep graph searches to this multiple of the depth that identifies it as deep. */
    static final int TRIAL_DEPTHS = 4;

    private static final int[] NO_TARGETS = {};
    private static final int[] NO_SOURCES = {};
    private static final int NONE = -1;
    private static final int ONE_LEVEL = 1;

    /** The decision of a trial. */
    public static final Findings.Key<Decision> DECISION = new Findings.Key<>();

    /** The decision while spare structures are resident; null if they gain nothing. */
    static final Findings.Key<Decision> WITH_SPARES = new Findings.Key<>();

    private static final Kernel PROBING = Kernel.of("directional");
    private static final Kernel FRUGAL = Kernel.of("blest-ab");

    private final CudaDevice device;
    private final KernelFamilies families;
    // finds out whether the graph is deep, and is a candidate in both cases
    private final LevelKernels probing;

    public SearchTrial(CudaDevice device, KernelFamilies families) {
        this.device = device;
        this.families = families;
        this.probing = families.levels(device, PROBING).get(0);
    }

    /**
     * The decision of a trial for a layout.
     *
     * @param kernels the fastest kernels of one search
     * @param deep index of the trial's source whose search was deep; {@link #NONE} if the graph is shallow
     * @param millis time of the trial's searches with these kernels; the searches are the same in every order. 0 if the
     *     graph is too small for a trial
     * @param reason one sentence for the log
     * @param shortage the memory that candidates lacked
     */
    public record Decision(LevelKernels kernels, int deep, double millis, String reason, Shortage shortage) {

        boolean isOfManySmallLevels() {
            return deep != NONE;
        }
    }

    private List<LevelKernels> candidates(Levels levels, GraphSizes graph, Set<DeviceStructure<?>> there) {
        List<LevelKernels> candidates = new ArrayList<>(List.of(probing));
        candidates.addAll(
                families.each(family -> family.canSearch(graph) ? family.tried(device, levels, there) : List.of()));
        return candidates;
    }

    /** The kernels if CSR in both directions does not fit the device. */
    private LevelKernels ofLittleMemory() {
        return families.levels(device, FRUGAL).get(0);
    }

    /** The kernels if the requested ones cannot search a graph. */
    LevelKernels ofAnyGraph() {
        return BvssLevelKernels.ofManySmallLevels(device);
    }

    /** Every selection path of {@link #decide}, for an estimate. */
    List<SelectionPath> paths(GraphSizes graph, Set<DeviceStructure<?>> there) {
        if (!families.canSearch(PROBING, graph)) {
            return List.of(SelectionPath.straight(ofAnyGraph()));
        }
        List<SelectionPath> paths = new ArrayList<>();
        paths.add(SelectionPath.straight(probing));
        paths.add(SelectionPath.straight(ofLittleMemory()));
        if (graph.entryCount() >= device.policy().smallestTrial()) {
            for (Levels levels : Levels.values()) {
                List<LevelKernels> tried = candidates(levels, graph, there);
                tried.forEach(taken -> paths.add(new SelectionPath(tried, taken)));
            }
        }
        return paths;
    }

    /**
     * Decides for a graph that may not be resident yet. Afterwards the structures of the chosen kernels are resident;
     * other structures built for the trial are freed.
     */
    public Decision decide(HeldGraph graph, RunControl control) {
        Decision decision = decide(graph, graph.structures(), control);
        graph.endTrial(decision.kernels().structures());
        return decision;
    }

    private Decision decide(HeldGraph graph, Set<DeviceStructure<?>> before, RunControl control) {
        if (!families.canSearch(PROBING, graph)) {
            return new Decision(
                    ofAnyGraph(),
                    NONE,
                    0,
                    "The graph has too many relationships for kernel '" + probing.name() + "'.",
                    Shortage.NONE);
        }
        boolean trial = graph.entryCount() >= device.policy().smallestTrial();
        int[] sources = trial ? graph.order().toSlots(graph.trialSources()) : NO_SOURCES;
        int deepFrom = deepFrom(graph.vertexCount());
        int deep;
        try {
            graph.tryOut(probing.structures(), probing::leastWorkspace);
            deep = firstAsDeepAs(deepFrom, sources, graph, control);
        } catch (DeviceMemoryException e) {
            return new Decision(
                    ofLittleMemory(),
                    NONE,
                    0,
                    "The device has too little memory for the structures of kernel '" + probing.name() + "'.",
                    Shortage.OF_ALL_MEMORY);
        }
        if (!trial) {
            return new Decision(probing, NONE, 0, "The graph is too small for a trial of kernels.", Shortage.NONE);
        }
        return deep == NONE
                ? fastest(
                        candidates(Levels.FEW_LARGE, graph, before),
                        NONE,
                        sources,
                        LoadedGraph.NO_MAX_DEPTH,
                        graph,
                        control)
                : fastest(
                        candidates(Levels.MANY_SMALL, graph, before),
                        deep,
                        new int[] {sources[deep]},
                        TRIAL_DEPTHS * deepFrom,
                        graph,
                        control);
    }

    /**
     * Builds spare structures for a deep graph that is used repeatedly, and repeats the trial with them. They stay
     * resident if that is faster. Nothing is evicted for them.
     *
     * @param was the decision without spare structures
     * @return the decision while the spare structures are resident; null if they gain nothing
     */
    public Decision trySpares(HeldGraph graph, Decision was, RunControl control) {
        if (was.deep() == NONE) {
            return null;
        }
        Decision best = null;
        for (LevelKernels kernels :
                families.each(family -> family.canSearch(graph) ? family.triedWithSpares(device) : List.of())) {
            Decision found = trySpares(kernels, graph, best == null ? was : best, was.reason(), control);
            best = found == null ? best : found;
        }
        graph.endTrial(best == null ? Set.of() : best.kernels().structures());
        return best;
    }

    /** The decision for these kernels; null if they are not faster. */
    private Decision trySpares(
            LevelKernels kernels, HeldGraph graph, Decision best, String reason, RunControl control) {
        Set<DeviceStructure<?>> spares = DeviceStructure.sparesOf(kernels.structures());
        if (spares.stream().anyMatch(graph::isRefused)) {
            return null;
        }
        try {
            int source = graph.order().toSlots(graph.trialSources())[best.deep()];
            int maxDepth = TRIAL_DEPTHS * deepFrom(graph.vertexCount());
            double millis = millis(kernels, new int[] {source}, maxDepth, graph, control);
            if (millis >= best.millis()) {
                return null;
            }
            String told = String.format(
                    Locale.ROOT,
                    "%s Measured later with optional structures: %s %.3f ms.",
                    reason,
                    kernels.name(),
                    millis);
            return new Decision(kernels, best.deep(), millis, told, Shortage.NONE);
        } catch (DeviceMemoryException e) {
            spares.forEach(graph::refuse);
            return null;
        }
    }

    /** The index of the first source whose search reaches {@code level}; {@link #NONE} if there is none. */
    private int firstAsDeepAs(int level, int[] sources, GraphView graph, RunControl control) {
        try (DeviceLease lease = device.lease(control.stop())) {
            for (int i = 0; i < sources.length; i++) {
                if (search(lease, probing, graph, sources[i], level).level() == level) {
                    return i;
                }
            }
            return NONE;
        }
    }

    /** Runs all candidates. A candidate that does not fit the device is left out, unless it is the first. */
    private Decision fastest(
            List<LevelKernels> candidates, int deep, int[] sources, int maxDepth, HeldGraph graph, RunControl control) {
        LevelKernels best = candidates.get(0);
        double least = Double.POSITIVE_INFINITY;
        List<String> told = new ArrayList<>();
        Shortage shortage = Shortage.NONE;
        for (LevelKernels candidate : candidates) {
            double millis;
            try {
                millis = millis(candidate, sources, maxDepth, graph, control);
            } catch (DeviceMemoryException e) {
                told.add(candidate.name() + ": too little memory");
                shortage = Shortage.OF_FREE_MEMORY;
                continue;
            }
            told.add(String.format(Locale.ROOT, "%s %.3f ms", candidate.name(), millis));
            if (millis < least) {
                best = candidate;
                least = millis;
            }
        }
        String depth = deep == NONE ? "shallow" : "deep";
        return new Decision(
                best,
                deep,
                least,
                "The graph is " + depth + "; trial of its kernels: " + String.join(", ", told) + ".",
                shortage);
    }

    /**
     * The time of searches with these kernels, whose structures are resident afterwards.
     *
     * @throws DeviceMemoryException if structures or workspace do not fit: a trial must not evict other graphs
     */
    private double millis(LevelKernels kernels, int[] sources, int maxDepth, HeldGraph graph, RunControl control) {
        return device.memory().withoutEvicting(() -> {
            graph.tryOut(kernels.structures(), kernels::leastWorkspace);
            return measure(kernels, sources, maxDepth, graph, control);
        });
    }

    private double measure(LevelKernels kernels, int[] sources, int maxDepth, GraphView graph, RunControl control) {
        double millis = 0;
        try (DeviceLease lease = device.lease(control.stop())) {
            // the first launch of a kernel loads its code
            search(lease, kernels, graph, sources[0], ONE_LEVEL);
            for (int source : sources) {
                millis += search(lease, kernels, graph, source, maxDepth).millis();
            }
        }
        return millis;
    }

    private static DeviceLease.Outcome search(
            DeviceLease lease, LevelKernels kernels, GraphView graph, int source, int maxDepth) {
        LevelKernels.Plan plan = kernels.plan(graph, 1, 0);
        long at = lease.workspace(plan.bytes());
        return kernels.launch(lease, graph, at, new int[] {source}, maxDepth, NO_TARGETS);
    }

    /** The level from which on a search of this number of vertices is deep. */
    static int deepFrom(int vertexCount) {
        return Math.max(LEVELS_OF_A_DEEP_GRAPH, vertexCount / VERTICES_OF_A_SHALLOW_LEVEL) + 1;
    }
}

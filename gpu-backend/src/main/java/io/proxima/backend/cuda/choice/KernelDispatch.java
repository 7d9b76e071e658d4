// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.choice;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.Kernel;
import io.proxima.backend.KernelLimitException;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.graph.DeviceStructure;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.HeldGraph;
import io.proxima.backend.cuda.graph.LayoutState;
import io.proxima.backend.cuda.graph.WeightedLists;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.backend.cuda.kernel.BetweennessKernels;
import io.proxima.backend.cuda.kernel.ComponentKernels;
import io.proxima.backend.cuda.kernel.DeviceKernels;
import io.proxima.backend.cuda.kernel.KernelFamilies;
import io.proxima.backend.cuda.kernel.LevelKernels;
import io.proxima.backend.cuda.kernel.PathKernels;
import io.proxima.backend.cuda.kernel.RowKernels;
import io.proxima.backend.cuda.kernel.SumKernels;
import io.proxima.backend.order.VertexOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Chooses the kernels of a run: the requested kernels, or those that suit the graph. A {@link SearchTrial} finds them
 * for one search, and a {@link BatchDispatch} for many. The choice is made once per layout.
 */
public final class KernelDispatch {

    private final CudaDevice device;
    private final KernelFamilies families;
    private final SearchTrial trial;
    private final BatchDispatch manySearches;

    /** A dispatch over the kernels of these families. */
    public KernelDispatch(CudaDevice device, KernelFamilies families) {
        this.device = device;
        this.families = families;
        this.trial = new SearchTrial(device, families);
        this.manySearches = new BatchDispatch(device, families);
    }

    /**
     * Chooses the kernels of one search and makes their structures resident.
     *
     * @throws IllegalArgumentException if the requested kernels cannot do the run
     */
    public LevelKernels levels(HeldGraph graph, Run run, RunControl control) {
        Kernel asked = asked(control, run);
        if (!asked.equals(Kernel.AUTO)) {
            LevelKernels chosen = firstThatFits(asked, graph);
            begin(graph, chosen, graph.reason(), control);
            return chosen;
        }
        SearchTrial.Decision decision = takeWithSpares(graph);
        if (decision == null) {
            decision = graph.found(SearchTrial.DECISION);
        }
        if (decision == null) {
            decision = trial.decide(graph, control);
            graph.keep(SearchTrial.DECISION, decision, decision.shortage());
        }
        begin(graph, decision.kernels(), graph.reason() + " " + decision.reason(), control);
        return decision.kernels();
    }

    /**
     * Chooses the kernels of multi-source BFS and makes their structures resident.
     *
     * @throws IllegalArgumentException if the requested kernels cannot do the run
     */
    public BatchKernels distances(HeldGraph graph, RunControl control) {
        BatchKernels chosen = manySearches.distances(graph, asked(control, Run.MULTI_SOURCE_BFS), control.stop());
        begin(graph, chosen, graph.reason(), control);
        return chosen;
    }

    /**
     * Chooses the kernels of sums and makes their structures resident.
     *
     * @throws IllegalArgumentException if the requested kernels cannot do the run
     */
    public SumKernels sums(HeldGraph graph, RunControl control) {
        SumKernels chosen = manySearches.sums(graph, asked(control, Run.FARNESS), control.stop());
        begin(graph, chosen, graph.reason(), control);
        return chosen;
    }

    /**
     * Chooses the kernels of sums by source and makes their structures resident.
     *
     * @throws IllegalArgumentException if the requested kernels cannot do the run
     */
    public RowKernels rows(HeldGraph graph, RunControl control) {
        RowKernels chosen = manySearches.rows(graph, asked(control, Run.FARNESS_OF_SOURCES), control.stop());
        begin(graph, chosen, graph.reason(), control);
        return chosen;
    }

    /**
     * Chooses the kernels of components and makes their structures resident.
     *
     * @throws IllegalArgumentException if the requested kernels cannot do the run
     */
    public ComponentKernels components(HeldGraph graph, RunControl control) {
        ComponentKernels chosen = families.components(device, asked(control, Run.COMPONENTS));
        begin(graph, chosen, graph.reason(), control);
        return chosen;
    }

    /**
     * Chooses the kernels of weighted shortest paths and makes the lists with weights resident.
     *
     * @throws IllegalArgumentException if the requested kernels cannot do the run
     * @throws KernelLimitException if the lists have too many entries for the kernels
     */
    public PathKernels shortestPaths(HeldGraph graph, WeightedLists lists, RunControl control) {
        PathKernels chosen = families.paths(device, asked(control, Run.SHORTEST_PATHS));
        if (!chosen.canSearch(graph.vertexCount(), lists.entryCount())) {
            throw new KernelLimitException(String.format(
                    Locale.ROOT,
                    "The graph has %,d nodes and %,d relationships, parallel ones included, which are too many relationships for"
                            + " kernel '%s' and so many nodes. Use backend: 'auto' or 'cpu'.",
                    graph.vertexCount(),
                    lists.entryCount(),
                    chosen.name()));
        }
        Set<DeviceStructure<?>> structures = Set.of(lists);
        device.memory().countPreparation(graph.take(structures));
        graph.require(structures, sizes -> chosen.workspace(sizes.vertexCount(), lists.costBytes()));
        control.observer().runsWith(graph.order().name(), chosen.name(), graph.reason());
        return chosen;
    }

    /**
     * Chooses the kernels of betweenness.
     *
     * @throws IllegalArgumentException if the requested kernels cannot do the run
     */
    public BetweennessKernels betweenness(RunControl control) {
        BetweennessKernels chosen = families.betweenness(device, asked(control, Run.BETWEENNESS));
        control.observer().runsWith(VertexOrder.NATURAL.key(), chosen.name(), "");
        return chosen;
    }

    private Kernel asked(RunControl control, Run run) {
        return device.policy().kernel(control.options(), run);
    }

    private static void begin(HeldGraph graph, DeviceKernels chosen, String reason, RunControl control) {
        graph.require(chosen.structures(), chosen::leastWorkspace);
        control.observer().runsWith(graph.order().name(), chosen.name(), reason);
    }

    /**
     * Every selection path of a run, for its estimate.
     *
     * @param state the state of the graph's layout on the device
     */
    public List<SelectionPath> paths(Run run, RunOptions options, GraphShape graph, LayoutState state) {
        Kernel asked = device.policy().kernel(options, run);
        if (run == Run.COMPONENTS) {
            return List.of(SelectionPath.straight(families.components(device, asked)));
        }
        if (run == Run.SHORTEST_PATHS) {
            return List.of(SelectionPath.straight(families.paths(device, asked)));
        }
        if (run == Run.BETWEENNESS) {
            return List.of(SelectionPath.straight(families.betweenness(device, asked)));
        }
        if (!run.isSingleSearch()) {
            return manySearches.paths(run, asked, graph.vertexCount(), state);
        }
        if (!asked.equals(Kernel.AUTO)) {
            return paths(ofOneSearch(asked, GraphSizes.Bounds.of(graph, 0)), state);
        }
        SearchTrial.Decision withSpares = state.findings().get(SearchTrial.WITH_SPARES);
        if (withSpares != null && state.has(withSpares.kernels().structures())) {
            return List.of(SelectionPath.straight(withSpares.kernels()));
        }
        SearchTrial.Decision decision = state.findings().get(SearchTrial.DECISION);
        return decision == null
                ? trial.paths(GraphSizes.Bounds.of(graph, 0), state.structures())
                : List.of(SelectionPath.straight(decision.kernels()));
    }

    /** The selection paths if the first candidate that fits the device is chosen. */
    private static List<SelectionPath> paths(List<LevelKernels> candidates, LayoutState state) {
        List<SelectionPath> paths = new ArrayList<>();
        for (LevelKernels kernels : candidates) {
            if (spares(kernels).stream().noneMatch(state.refused()::contains)) {
                paths.add(SelectionPath.straight(kernels));
            }
            if (state.has(kernels.structures())) {
                break;
            }
        }
        return paths;
    }

    /** The requested kernels, the preferred first; BVSS kernels if the requested ones cannot search the graph. */
    private List<LevelKernels> ofOneSearch(Kernel asked, GraphSizes graph) {
        return families.canSearch(asked, graph) ? families.levels(device, asked) : List.of(trial.ofAnyGraph());
    }

    private LevelKernels firstThatFits(Kernel asked, HeldGraph graph) {
        List<LevelKernels> candidates = ofOneSearch(asked, graph);
        for (LevelKernels kernels : candidates.subList(0, candidates.size() - 1)) {
            Set<DeviceStructure<?>> spares = spares(kernels);
            if (spares.stream().anyMatch(graph::isRefused)) {
                continue;
            }
            try {
                graph.require(kernels.structures(), kernels::leastWorkspace);
                return kernels;
            } catch (DeviceMemoryException e) {
                spares.forEach(graph::refuse);
            }
        }
        return candidates.get(candidates.size() - 1);
    }

    /**
     * The kernels over spare structures if those are resident; they are then pinned until the run ends. Otherwise null.
     * If spare structures were evicted and there is room again, rebuilds them in the background.
     */
    private SearchTrial.Decision takeWithSpares(HeldGraph graph) {
        SearchTrial.Decision decision = graph.found(SearchTrial.WITH_SPARES);
        if (decision == null) {
            return null;
        }
        if (graph.take(decision.kernels().structures())) {
            return decision;
        }
        long bytes = spares(decision.kernels()).stream()
                .mapToLong(structure -> structure.bytes(graph))
                .sum();
        if (device.policy().recordBytes(device.memory().freeBytes()) >= bytes) {
            graph.offerSpares();
        }
        return null;
    }

    private static Set<DeviceStructure<?>> spares(DeviceKernels kernels) {
        return DeviceStructure.sparesOf(kernels.structures());
    }
}

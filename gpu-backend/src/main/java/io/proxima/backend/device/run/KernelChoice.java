// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.GraphShape;
import io.proxima.backend.Kernel;
import io.proxima.backend.KernelLimitException;
import io.proxima.backend.Operation;
import io.proxima.backend.RunContext;
import io.proxima.backend.RunOptions;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.Workload;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.HeldGraph;
import io.proxima.backend.device.graph.ResidentStructures.Contents;
import io.proxima.backend.device.graph.WeightedLists;
import io.proxima.backend.device.kernel.BetweennessKernels;
import io.proxima.backend.device.kernel.BfsKernel;
import io.proxima.backend.device.kernel.DeviceKernels;
import io.proxima.backend.device.kernel.KernelFamilies;
import io.proxima.backend.device.kernel.KernelTable;
import io.proxima.backend.device.kernel.KernelTable.ByDepth;
import io.proxima.backend.device.kernel.PathKernels;
import io.proxima.projection.csc.GraphDepth;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Chooses the kernels of a run: the requested kernels, or those of the {@link KernelTable} for the depth of the graph.
 * See docs/decisions/0021.
 *
 * @param families whose kernels it chooses among
 */
record KernelChoice(Device device, KernelFamilies families) {

    /**
     * Refuses a run whose requested kernels cannot do it, before anything is prepared.
     *
     * @throws IllegalArgumentException if the requested kernels are of other runs
     * @throws KernelLimitException if the graph is too large for them
     */
    void check(Operation operation, RunOptions options, GraphShape graph) {
        Kernel asked = device.policy().kernel(options, operation);
        Kernel searching = asked.equals(Kernel.AUTO) ? families.table().ofAnySize() : asked;
        if (operation.isSingleSearch() && !families.canSearch(searching, GraphSizes.Bounds.of(graph, 0))) {
            throw tooLarge(graph.vertexCount(), graph.entryCount(), "", searching.keyword());
        }
    }

    private static KernelLimitException tooLarge(int vertexCount, long entryCount, String which, String kernel) {
        return new KernelLimitException(String.format(
                Locale.ROOT,
                "The graph has %,d nodes and %,d relationships%s, which are too many relationships for kernel '%s' and so"
                        + " many nodes. Use backend: 'auto' or 'cpu'.",
                vertexCount,
                entryCount,
                which,
                kernel));
    }

    /**
     * Chooses the kernels of weighted shortest paths and makes the lists with weights resident.
     *
     * @throws KernelLimitException if the lists have too many entries for the kernels
     */
    PathKernels shortestPaths(HeldGraph graph, WeightedLists lists, Workload work, RunContext control) {
        Operation operation = work.operation();
        PathKernels chosen = families.kernels(PathKernels.class, device, asked(control, operation), operation);
        if (!chosen.canSearch(graph.vertexCount(), lists.entryCount())) {
            throw tooLarge(graph.vertexCount(), lists.entryCount(), ", parallel ones included", chosen.name());
        }
        Set<DeviceStructure<?>> structures = Set.of(lists);
        device.memory().countPreparation(graph.structures().containsAll(structures));
        graph.require(structures, sizes -> chosen.ways(sizes.vertexCount(), lists.costBytes(), work));
        control.observer().runsWith(graph.order().name(), chosen.name(), graph.reason());
        return chosen;
    }

    /** Chooses the kernels of betweenness. */
    BetweennessKernels betweenness(RunContext control) {
        BetweennessKernels chosen = families.kernels(
                BetweennessKernels.class, device, asked(control, Operation.BETWEENNESS), Operation.BETWEENNESS);
        control.observer().runsWith(VertexOrder.NATURAL.key(), chosen.name(), "");
        return chosen;
    }

    private Kernel asked(RunContext control, Operation operation) {
        return device.policy().kernel(control.options(), operation);
    }

    /**
     * Chooses the kernels of a run over the unweighted graph, places it and the other runs of its workload, and makes
     * their structures resident.
     *
     * @param type of the kernels of this operation
     */
    <K extends DeviceKernels> K choose(Class<K> type, HeldGraph graph, Workload work, RunContext control) {
        RunKernels chosen = kernels(work, control.options(), graph.depth(), graph, false);
        RunKernels better = kernels(work, control.options(), graph.depth(), graph, true);
        // they are placed when they are pinned, because other runs may have been promised the memory that they take
        if (!better.isSameAs(chosen) && graph.takeIfResident(better.structures(), better::ways)) {
            chosen = better;
        }
        graph.require(chosen.structures(), chosen::ways);
        boolean byTable = isByTable(work.operation(), asked(control, work.operation()));
        String why = byTable ? " The graph is " + graph.depth().name().toLowerCase(Locale.ROOT) + "." : "";
        control.observer().runsWith(graph.order().name(), chosen.first().name(), graph.reason() + why);
        return type.cast(chosen.first());
    }

    /**
     * The kernels of the runs of a workload.
     *
     * @param better whether better kernels take the place of others
     */
    private RunKernels kernels(Workload work, RunOptions options, GraphDepth depth, GraphSizes graph, boolean better) {
        List<DeviceKernels> kernels = new ArrayList<>();
        for (Workload run : work.runs()) {
            Operation operation = run.operation();
            // the caller asks for kernels of the first
            RunOptions ofRun = kernels.isEmpty() ? options : options.forRun(operation);
            Kernel asked = device.policy().kernel(ofRun, operation);
            boolean byTable = isByTable(operation, asked);
            Kernel kernel = byTable ? ofTable(operation, depth, graph) : requested(asked, depth);
            Kernel chosen = byTable && better ? families.table().better().getOrDefault(kernel, kernel) : kernel;
            kernels.add(families.kernels(DeviceKernels.class, device, chosen, operation));
        }
        return new RunKernels(work.runs(), kernels, device.policy());
    }

    /**
     * Promises a run over the unweighted graph what it takes at least, so that {@link #choose} cannot refuse it. Builds
     * nothing.
     */
    void promiseLeast(HeldGraph graph, Workload work, RunContext control) {
        RunKernels chosen = kernels(work, control.options(), graph.depth(), graph, false);
        graph.promiseLeast(chosen.structures(), chosen::ways);
    }

    private boolean isByTable(Operation operation, Kernel asked) {
        return asked.equals(Kernel.AUTO) && families.table().byRun().containsKey(operation);
    }

    /**
     * The requested kernels. The better kernels of deep graphs make no search of a shallow graph faster, so it has
     * none.
     */
    private Kernel requested(Kernel asked, GraphDepth depth) {
        return families.table().better().entrySet().stream()
                .filter(better ->
                        depth == GraphDepth.SHALLOW && better.getValue().equals(asked))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(asked);
    }

    private Kernel ofTable(Operation operation, GraphDepth depth, GraphSizes graph) {
        ByDepth kernels = families.table().byRun().get(operation);
        Kernel chosen = depth == GraphDepth.DEEP ? kernels.deep() : kernels.shallow();
        return families.canSearch(chosen, graph) ? chosen : families.table().ofAnySize();
    }

    /**
     * The structures that make the searches faster for which a deep graph has structures; none if they cannot be used
     * on it.
     */
    Set<DeviceStructure<?>> records(HeldGraph graph) {
        Set<DeviceStructure<?>> resident = graph.structures();
        return families.table().better().entrySet().stream()
                .filter(better -> resident.containsAll(structures(better.getKey())))
                .map(Map.Entry::getValue)
                .filter(better -> families.canSearch(better, graph))
                .flatMap(better -> structures(better).stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /**
     * The kernels that the runs of a workload may choose, for their estimate.
     *
     * @param depths the possible depths of the graph
     * @param contents what is resident of the graph
     */
    Collection<RunKernels> possible(Workload work, GraphShape graph, Set<GraphDepth> depths, Contents contents) {
        GraphSizes sizes = GraphSizes.Bounds.of(graph, 0);
        Map<String, RunKernels> possible = new LinkedHashMap<>();
        for (GraphDepth depth : depths) {
            RunKernels plain = kernels(work, work.options(), depth, sizes, false);
            RunKernels better = kernels(work, work.options(), depth, sizes, true);
            RunKernels chosen = !better.isSameAs(plain) && contents.has(better.structures()) ? better : plain;
            possible.putIfAbsent(chosen.names(), chosen);
        }
        return possible.values();
    }

    private Set<DeviceStructure<?>> structures(Kernel ofOneSearch) {
        return families.kernels(BfsKernel.class, device, ofOneSearch, Operation.BFS)
                .structures();
    }
}

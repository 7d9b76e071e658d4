// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.GraphShape;
import io.proxima.backend.MemoryEstimate;
import io.proxima.backend.Operation;
import io.proxima.backend.Workload;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.Workspace;
import io.proxima.backend.device.graph.DeviceStructure;
import io.proxima.backend.device.graph.Footprint;
import io.proxima.backend.device.graph.Footprint.StructureBytes;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.Placed;
import io.proxima.backend.device.graph.Placement;
import io.proxima.backend.device.graph.ResidentStructures.Contents;
import io.proxima.backend.device.graph.Way;
import io.proxima.backend.device.graph.WeightedLists;
import io.proxima.backend.device.kernel.BetweennessKernels;
import io.proxima.backend.device.kernel.SumKernels;
import io.proxima.memory.MemoryTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The memory of the runs of a call with one choice of kernels: the sum of their structures at their bound and of their
 * workspace. The minimum is the same sum with the least of what is unknown before the run: sizes that building
 * determines, whether the graph is reordered, and how deep the searches go. If the maximum does not fit the device, the
 * run takes what there is, or is refused; see {@link Placement}.
 */
final class RunEstimate {

    private static final String GRAPH_AND_RUN = "graph and run";

    private final Device device;
    private final GraphShape graph;
    private final Contents contents;
    private final Workload work;
    private final RunKernels kernels;
    private final int concurrency;
    private final RunOrder order;
    private final long available;
    private final long availableMapped;

    /**
     * An estimate.
     *
     * @param contents what is resident of the graph
     * @param kernels the kernels of the runs, of which the first needs the most
     */
    RunEstimate(Device device, GraphShape graph, Contents contents, RunKernels kernels, int concurrency) {
        this.device = device;
        this.graph = graph;
        this.contents = contents;
        this.work = kernels.runs().get(0);
        this.kernels = kernels;
        this.concurrency = concurrency;
        this.order = RunOrder.of(device.policy(), graph, contents, work);
        this.available = Placed.roomFor(device, contents);
        this.availableMapped = device.memory().unpromisedMappedBytes(null) + contents.mappedBytesInUse();
    }

    MemoryEstimate estimate() {
        if (work.operation() == Operation.BETWEENNESS) {
            return betweenness();
        }
        GraphSizes most = sizes(true);
        Set<DeviceStructure<?>> asked = asked(true);
        List<Way> ways = kernels.ways(most);
        Placement placement;
        synchronized (device.memory()) {
            placement = Placement.of(device, null, contents.only(asked), most, asked, ways, true);
        }
        Map<DeviceStructure<?>, StructureBytes> there = placement.anew() ? Map.of() : contents.resident();
        Footprint usual = new Footprint(most, there, asked, placement.how());
        MemoryTree all = tree(usual, usual.peakWhileBuilding(), ways.get(0), true);
        boolean isShort = all.maxBytes() > available;
        MemoryTree onHeap = kernels.runs().stream()
                .map(run -> new RunHeap(device.policy(), graph, run, order, missing(usual), most, concurrency)
                        .of(device.name(), placement.how().onHost(), isShort))
                .reduce(MemoryTree::orMore)
                .orElseThrow();
        if (!placement.fits()) {
            return new MemoryEstimate(
                    onHeap,
                    MemoryTree.exactly(GRAPH_AND_RUN, placement.need()),
                    // without what others have pinned that this run does not read
                    Math.min(available, Math.max(0, placement.room())),
                    MemoryTree.NONE,
                    availableMapped);
        }
        GraphSizes least = sizes(false);
        Map<DeviceStructure<?>, StructureBytes> kept =
                isShort && !placement.anew() ? contents.only(asked).resident() : there;
        Footprint smallest = new Footprint(least, kept, asked(false), placement.how());
        // a recipe is an upper bound
        MemoryTree onDevice = all.downTo(tree(smallest, 0, leastWay(least), false));
        // less may be available than when the lists were placed: others allocate, and the device may have been lost
        long bound = Math.max(onDevice.minBytes(), available);
        return new MemoryEstimate(
                onHeap,
                isShort ? new MemoryTree(GRAPH_AND_RUN, onDevice.minBytes(), bound, onDevice.parts()) : onDevice,
                available,
                usual.mappedBytes() == 0
                        ? MemoryTree.NONE
                        : MemoryTree.between(
                                "lists of neighbours in host memory",
                                smallest.mappedPeakWhileBuilding(),
                                usual.mappedPeakWhileBuilding()),
                availableMapped);
    }

    /** How the run is placed in the way that takes least. */
    Placement least() {
        GraphSizes most = sizes(true);
        Set<DeviceStructure<?>> asked = asked(true);
        synchronized (device.memory()) {
            return Placement.of(device, null, contents.only(asked), most, asked, Way.least(kernels.ways(most)), true);
        }
    }

    /** The sizes of the graph with the most, or the least, of what is unknown before the run. */
    private GraphSizes sizes(boolean atMost) {
        boolean ordered = order.mayBeOrdered() && (atMost || order.isSure());
        // ordering may find that a graph is symmetric
        boolean mayBeSymmetric = !atMost && order.isMade() && !graph.transposed();
        return new GraphSizes.Bounds(
                graph.vertexCount(),
                graph.entryCount(),
                contents.symmetric() || mayBeSymmetric,
                ordered,
                device.mostBlocks(),
                contents.figures(),
                atMost);
    }

    /** The way that takes the least memory. A forest takes none, because it is not searched. */
    private Way leastWay(GraphSizes sizes) {
        boolean mayBeForest = sizes.symmetric() && sizes.entryCount() < 2L * sizes.vertexCount();
        if (work.operation() == Operation.FARNESS
                && FarnessSums.cutsTrees(mayBeForest, work.measures())
                && ((SumKernels) kernels.first()).listsSources()) {
            return kernels.least(Way.NOTHING, sizes);
        }
        return Way.least(kernels.ways(sizes)).get(0);
    }

    private Set<DeviceStructure<?>> asked(boolean atMost) {
        if (!atMost && kernels.runs().stream().allMatch(run -> run.isNothing(graph.vertexCount()))) {
            return Set.of();
        }
        if (work.operation().readsWeights()) {
            // at least the entries of the graph have a weight, and at most all relationships, if some are parallel
            return Set.of(
                    atMost
                            ? new WeightedLists.Unknown(
                                    Math.max(graph.entryCount(), work.weights()), WeightedLists.WIDEST_WEIGHT)
                            : new WeightedLists.Unknown(graph.entryCount(), 0));
        }
        return kernels.structures();
    }

    private Set<DeviceStructure<?>> missing(Footprint of) {
        Set<DeviceStructure<?>> missing = new LinkedHashSet<>(of.structures().keySet());
        missing.removeAll(contents.resident().keySet());
        return missing;
    }

    private static MemoryTree tree(Footprint structures, long peakWhileBuilding, Way way, boolean grown) {
        Map<String, Long> byLabel = new LinkedHashMap<>();
        structures
                .structures()
                .forEach((structure, bytes) -> byLabel.merge(structure.label(), bytes.device(), Long::sum));
        List<MemoryTree> together = new ArrayList<>();
        byLabel.forEach((label, bytes) -> together.add(MemoryTree.exactly(label, bytes)));
        long kept = way.kept() + (grown ? way.growth() : 0);
        together.add(MemoryTree.exactly("search", Workspace.bytesFor(way.workspace()) + kept));
        return MemoryTree.oneByOne(
                GRAPH_AND_RUN,
                MemoryTree.exactly("building the graph", peakWhileBuilding),
                MemoryTree.together("graph and search", together.toArray(MemoryTree[]::new)));
    }

    private MemoryEstimate betweenness() {
        List<Way> ways = kernels.first().ways(sizes(true), work, device.policy());
        long most = bytes(ways.get(0)) <= available
                ? bytes(ways.get(0))
                : Math.max(available, bytes(ways.get(ways.size() - 1)));
        return new MemoryEstimate(
                RunHeap.ofBetweenness(graph, work, (BetweennessKernels) kernels.first(), concurrency),
                // trees that hang from a graph are not searched, and a graph may consist of them
                MemoryTree.between("search", 0, most),
                available,
                MemoryTree.NONE,
                availableMapped);
    }

    private static long bytes(Way way) {
        return way.kept() + Workspace.bytesFor(way.workspace());
    }
}

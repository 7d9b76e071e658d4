// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.estimate;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Predecessors;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.TraversalBackend.MemoryEstimate;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.backend.centrality.BetweennessRun;
import io.proxima.backend.cuda.choice.OrderChooser;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.LaunchPolicy;
import io.proxima.backend.cuda.graph.DeviceStructure;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.GraphSizes.Figure;
import io.proxima.backend.cuda.graph.LayoutState;
import io.proxima.backend.cuda.graph.VertexSlots;
import io.proxima.backend.cuda.graph.WeightedLists;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.backend.cuda.kernel.BetweennessKernels;
import io.proxima.backend.cuda.kernel.DeviceKernels;
import io.proxima.backend.cuda.kernel.PathKernels;
import io.proxima.backend.cuda.run.ChosenSources;
import io.proxima.backend.cuda.run.DeviceDistances;
import io.proxima.backend.cuda.run.LevelSearch;
import io.proxima.backend.order.VertexOrder;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.Csc;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongBiFunction;

/**
 * The estimate of a run on a device: the minimum and maximum of the footprints of everything that may happen. Unknown
 * before the run are the sizes found while structures are built, whether 'auto' reorders the graph, which kernels it
 * chooses, and how deep the searches go. For a resident graph only the depth is unknown.
 *
 * <p>The class is long because device memory, mapped memory and heap follow from the same possibilities.
 */
public final class DeviceEstimate {

    private final CudaDevice device;
    private final LaunchPolicy policy;
    private final GraphShape graph;
    private final LayoutState state;
    private final Workload work;
    private final int concurrency;
    private final long available;
    private final VertexOrder order;
    private final boolean overSliceSets;
    private final List<DeviceKernels> possible;
    private final List<DeviceKernels> possibleOverMapped;
    private final RunFootprint.Scenario shape;

    private final List<MemoryTree> found = new ArrayList<>();
    private boolean isShort;
    // whether the lists of neighbours lie in mapped memory, and how much of it they take
    private boolean mapped;
    private long leastMapped = Long.MAX_VALUE;
    private long mostMapped;

    /**
     * An estimate.
     *
     * @param state the state of the graph's layout on the device
     * @param possible the kernels that the run may choose
     * @param possibleOverMapped the kernels that it may choose over lists in mapped memory
     */
    public DeviceEstimate(
            CudaDevice device,
            GraphShape graph,
            LayoutState state,
            Workload work,
            List<DeviceKernels> possible,
            List<DeviceKernels> possibleOverMapped,
            int concurrency) {
        this.device = device;
        this.policy = device.policy();
        this.graph = graph;
        this.state = state;
        this.work = work;
        this.concurrency = concurrency;
        this.available = device.lost().isEmpty() ? device.memory().availableBytes() + state.bytesInUse() : 0;
        this.order = policy.order(work.options());
        this.overSliceSets = policy.asksForSliceSets(work.options());
        this.possible = possible;
        this.possibleOverMapped = possibleOverMapped;
        this.shape = new RunFootprint.Scenario(
                graph.vertexCount(), graph.entryCount(), state.symmetric(), false, state.figures(), false, false, 0);
    }

    public MemoryEstimate estimate() {
        if (work.run() == Run.SHORTEST_PATHS) {
            return weighted();
        }
        List<DeviceKernels> overMapped = overMapped();
        if (!overMapped.isEmpty() && (state.mapped() || possible.stream().noneMatch(this::fits))) {
            mapped = true;
            isShort = true;
            addAll(overMapped);
        } else {
            addAll(possible);
        }
        MemoryTree most = found.stream()
                .max(Comparator.comparingLong(MemoryTree::maxBytes))
                .orElseThrow();
        MemoryTree least = found.stream()
                .min(Comparator.comparingLong(MemoryTree::minBytes))
                .orElseThrow();
        return new MemoryEstimate(
                heap(),
                most.downTo(least),
                available,
                mapped ? mapped(leastMapped, mostMapped) : MemoryTree.NONE,
                device.memory().availableMappedBytes() + state.mappedBytesInUse());
    }

    private static MemoryTree mapped(long least, long most) {
        return MemoryTree.between("lists of neighbours in host memory", least, most);
    }

    /** The kernels that can read lists in mapped memory; none if the lists cannot lie there. */
    private List<DeviceKernels> overMapped() {
        long room = device.memory().availableMappedBytes() + state.mappedBytesInUse();
        boolean mayMap = state.mapped() || (room > 0 && graph.entryCount() > 0);
        if (!mayMap || work.run() == Run.BETWEENNESS) {
            return List.of();
        }
        return possibleOverMapped.stream().filter(DeviceEstimate::suitsMapped).toList();
    }

    private static boolean suitsMapped(DeviceKernels kernels) {
        return kernels.structures().stream().allMatch(DeviceStructure::suitsMappedLists);
    }

    /** Whether a run with these kernels fits with its lists on the device: structures of unknown size must fit for certain. */
    private boolean fits(DeviceKernels kernels) {
        boolean sure = !suitsMapped(kernels);
        List<Map<Figure, Long>> figures = figures(kernels);
        for (boolean ordered : orders()) {
            RunFootprint.Scenario scenario = new RunFootprint.Scenario(
                    graph.vertexCount(),
                    graph.entryCount(),
                    state.symmetric(),
                    false,
                    figures.get(figures.size() - 1),
                    ordered,
                    false,
                    work.deepest(graph.vertexCount()));
            MemoryTree tree = scarce(scenario, kernels);
            if ((sure ? tree.maxBytes() : tree.minBytes()) <= available) {
                return true;
            }
        }
        return false;
    }

    private void addAll(List<DeviceKernels> each) {
        for (boolean ordered : orders()) {
            for (boolean saved : choices(ordered && state.mayBeSaved())) {
                for (boolean symmetric : symmetry(ordered)) {
                    for (DeviceKernels kernels : each) {
                        add(ordered, saved, symmetric, kernels);
                    }
                }
            }
        }
    }

    /**
     * A run on relationships with weights, of unknown form. At least the entries of the graph have one, and at most all
     * relationships, if some are parallel.
     */
    private MemoryEstimate weighted() {
        int n = graph.vertexCount();
        long mostEntries = Math.max(graph.entryCount(), work.weights());
        MemoryTree run = ((PathKernels) onlyKernels()).memory(n);
        MemoryTree onDevice = MemoryTree.together(
                "graph and run",
                MemoryTree.between(
                        "lists of neighbours with weights",
                        WeightedLists.bytes(n, graph.entryCount(), 0),
                        WeightedLists.bytes(n, mostEntries, WeightedLists.WIDEST_WEIGHT)),
                run);
        long room = device.memory().availableMappedBytes() + state.mappedBytesInUse();
        if (!state.mapped() && (onDevice.minBytes() <= available || room == 0)) {
            return new MemoryEstimate(heap(), onDevice, available, MemoryTree.NONE, room);
        }
        return new MemoryEstimate(
                heap(),
                MemoryTree.together(
                        "graph and run", MemoryTree.exactly("pointers of lists", WeightedLists.pointerBytes(n)), run),
                available,
                mapped(
                        WeightedLists.entryBytes(graph.entryCount(), 0),
                        WeightedLists.entryBytes(mostEntries, WeightedLists.WIDEST_WEIGHT)),
                room);
    }

    /** The kernels of a run that has no choice left. */
    private DeviceKernels onlyKernels() {
        return possible.get(0);
    }

    private void add(boolean ordered, boolean saved, boolean symmetric, DeviceKernels kernels) {
        for (Map<Figure, Long> figures : figures(kernels)) {
            for (long deepest : depths()) {
                add(
                        new RunFootprint.Scenario(
                                graph.vertexCount(),
                                graph.entryCount(),
                                symmetric,
                                mapped,
                                figures,
                                ordered,
                                saved,
                                deepest),
                        kernels);
            }
        }
    }

    private void add(RunFootprint.Scenario scenario, DeviceKernels kernels) {
        RunFootprint footprint = footprint(scenario, state.structures(), false);
        MemoryTree usual = footprint.of(work, kernels);
        leastMapped = Math.min(leastMapped, footprint.mappedBytes());
        mostMapped = Math.max(mostMapped, footprint.mappedBytes());
        if (usual.maxBytes() <= available) {
            found.add(usual);
            return;
        }
        MemoryTree least = scarce(scenario.with(figures(kernels).get(0)), kernels);
        found.add(new MemoryTree(least.name(), least.minBytes(), Math.max(available, least.maxBytes()), least.parts()));
        isShort = true;
    }

    private RunFootprint footprint(RunFootprint.Scenario scenario, Set<DeviceStructure<?>> there, boolean scarce) {
        // structures that are resident now are freed before lists are mapped
        return new RunFootprint(device, scenario, mapped && !state.mapped() ? Set.of() : there, scarce);
    }

    /**
     * Under memory pressure, batches shrink, structures are built in other ways, and structures of the graph that the run does
     * not read are evicted, until the run fits.
     */
    private MemoryTree scarce(RunFootprint.Scenario scenario, DeviceKernels kernels) {
        Set<DeviceStructure<?>> read = new HashSet<>();
        kernels.structures().forEach(structure -> read.add(structure.sharedBy(state.symmetric())));
        read.add(VertexSlots.SLOTS);
        Set<DeviceStructure<?>> left = new LinkedHashSet<>(state.structures());
        left.removeIf(structure ->
                !read.contains(structure) && !state.structuresInUse().contains(structure));
        MemoryTree keeping = footprint(scenario, state.structures(), true).of(work, kernels);
        MemoryTree evicting = footprint(scenario, left, true).of(work, kernels);
        return evicting.minBytes() < keeping.minBytes() ? evicting : keeping;
    }

    // what may happen

    private static boolean[] choices(boolean open) {
        return open ? new boolean[] {false, true} : new boolean[] {false};
    }

    private boolean[] orders() {
        if (work.run() == Run.SHORTEST_PATHS) {
            return new boolean[] {false};
        }
        if (state.isThere()) {
            return new boolean[] {state.ordered()};
        }
        if (graph.vertexCount() == 0 || order == VertexOrder.NATURAL || work.run() == Run.BETWEENNESS) {
            return new boolean[] {false};
        }
        if (order != VertexOrder.AUTO) {
            return new boolean[] {true};
        }
        boolean mayOrder = work.run().mayBeManySearches()
                ? graph.entryCount() >= LaunchPolicy.SMALLEST_TO_ORDER
                : !overSliceSets && OrderChooser.isCheapByDegree(graph.entryCount(), graph.transposed());
        return choices(state.mayBeSaved() || mayOrder);
    }

    /** The possible symmetries of the layout; ordering may find that a graph is symmetric. */
    private boolean[] symmetry(boolean ordered) {
        boolean mayBeFound = ordered && !state.isThere() && !graph.transposed();
        return state.symmetric() || !mayBeFound ? new boolean[] {state.symmetric()} : choices(true);
    }

    /** The possible sizes found while structures are built, the minimum first. */
    private List<Map<Figure, Long>> figures(DeviceKernels kernels) {
        List<Map<Figure, Long>> all = List.of(state.figures());
        for (DeviceStructure<?> structure : kernels.structures()) {
            for (Figure figure : structure.figures()) {
                List<Map<Figure, Long>> with = new ArrayList<>();
                for (Map<Figure, Long> others : all) {
                    for (long value : bounds(figure)) {
                        Map<Figure, Long> one = new HashMap<>(others);
                        one.put(figure, value);
                        with.add(one);
                    }
                }
                all = with;
            }
        }
        return all;
    }

    private long[] bounds(Figure figure) {
        Long known = state.figures().get(figure);
        if (known != null) {
            return new long[] {known};
        }
        long least = figure.least(shape);
        long most = figure.most(shape);
        return least == most ? new long[] {most} : new long[] {least, most};
    }

    private long[] depths() {
        long deepest = work.deepest(graph.vertexCount());
        boolean matters = work.run() == Run.MULTI_SOURCE_BFS
                || (work.run() == Run.FARNESS && work.wants(DistanceMeasure.HARMONIC));
        return matters ? new long[] {0, deepest} : new long[] {deepest};
    }

    // the heap

    private MemoryTree heap() {
        if (work.run() == Run.BETWEENNESS) {
            return graph.afterTransposing(
                    work.around(
                            graph.vertexCount(),
                            BetweennessRun.memory(
                                    graph, concurrency, ((BetweennessKernels) onlyKernels()).memory(graph))),
                    concurrency);
        }
        MemoryTree ordering = MemoryTree.NONE;
        MemoryTree slots = MemoryTree.NONE;
        boolean[] orders = orders();
        boolean mayOrder = orders[orders.length - 1];
        if (mayOrder && !state.isThere()) {
            boolean sure = orders.length == 1;
            long permutation = 2L * graph.vertexCount() * Integer.BYTES;
            ordering = MemoryTree.between(
                    "ordering the nodes",
                    0,
                    OrderChooser.makingBytes(
                            order, graph, !work.run().mayBeManySearches(), overSliceSets, concurrency));
            slots = MemoryTree.between("slots of the nodes", sure ? permutation : 0, permutation);
        }
        MemoryTree run = MemoryTree.together(
                "run on " + device.name(),
                slots,
                orderedOnHeap(),
                readOntoHeap(mayOrder),
                madeOnHeap(mayOrder),
                search());
        return work.around(graph.vertexCount(), MemoryTree.together("order", slots, ordering), run);
    }

    /** Heap for orders that structures compute for themselves. */
    private MemoryTree orderedOnHeap() {
        long most = 0;
        for (DeviceKernels kernels : possible) {
            long bytes = kernels.structures().stream()
                    .filter(structure -> !state.structures().contains(structure))
                    .mapToLong(structure -> structure.orderingHeapBytes(shape, concurrency))
                    .sum();
            most = Math.max(most, bytes);
        }
        return most == 0 ? MemoryTree.NONE : MemoryTree.between("order of tiles", 0, most);
    }

    /** Heap for reading a saved graph. */
    private MemoryTree readOntoHeap(boolean mayOrder) {
        if (!state.mayBeSaved() || !mayOrder) {
            return MemoryTree.NONE;
        }
        long most = mostOfMissingStructures(DeviceStructure::savedHeapBytes);
        return most == 0 ? MemoryTree.NONE : MemoryTree.between("graph read from its file", 0, most);
    }

    /** The maximum, over the possible kernels, of the bytes of structures that are not resident. */
    private long mostOfMissingStructures(ToLongBiFunction<DeviceStructure<?>, GraphSizes> bytes) {
        long most = 0;
        for (DeviceKernels kernels : possible) {
            List<Map<Figure, Long>> figures = figures(kernels);
            RunFootprint.Scenario largest = shape.with(figures.get(figures.size() - 1));
            long ofCourse = kernels.structures().stream()
                    .map(structure -> structure.sharedBy(shape.symmetric()))
                    .distinct()
                    .filter(structure -> !state.structures().contains(structure))
                    .mapToLong(structure -> bytes.applyAsLong(structure, largest))
                    .sum();
            most = Math.max(most, ofCourse);
        }
        return most;
    }

    /** Heap for structures that are built on the host because they do not fit the device while they are built. */
    private MemoryTree madeOnHeap(boolean mayOrder) {
        if (!isShort) {
            return MemoryTree.NONE;
        }
        long most = mostOfMissingStructures(DeviceStructure::heapBytes);
        long relabelled = mayOrder && most > 0 ? Csc.bytes(graph.vertexCount(), graph.entryCount()) : 0;
        return MemoryTree.between("graph built on the heap", 0, most + relabelled);
    }

    private MemoryTree search() {
        int n = graph.vertexCount();
        long deepest = work.deepest(n);
        MemoryTree levels = LevelSearch.memory(n, deepest, concurrency);
        return switch (work.run()) {
            case BFS -> levels;
            case NEAREST_SOURCE ->
                MemoryTree.together(
                        "nearest sources", levels, MemoryTree.exactly("nodes by distance", (long) n * Integer.BYTES));
            case FARNESS_OF_SOURCES -> ChosenSources.memory(work.sources());
            case MULTI_SOURCE_BFS -> {
                int most = Math.min(work.sources(), policy.batchSources());
                int least = isShort ? Math.min(work.sources(), LaunchPolicy.SMALLEST_BATCH) : most;
                yield MemoryTree.between(
                        "distances of " + most + " sources",
                        DeviceDistances.bytes(n, least, Byte.BYTES),
                        DeviceDistances.bytes(n, most, BatchKernels.levelBytes(deepest)));
            }
            case FARNESS, COMPONENTS -> MemoryTree.NONE;
            case SHORTEST_PATHS -> Predecessors.memory(n);
            case BETWEENNESS -> throw new IllegalStateException("has no search here: " + work.run());
        };
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.BorrowedGraph;
import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.GraphShape;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.RoutedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.Workload;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.LeaseQueue;
import io.proxima.concurrent.Closing;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A loaded graph that is traversed on the devices of a host, each of which holds a replica once it has run on it. A run
 * goes to the least busy device that has the graph or room for it. Long runs of closeness use all devices, see
 * {@link #shares}. If a device fails or has too little memory, its part of the run is repeated on the others.
 */
public final class GroupGraph extends RoutedGraph {

    private final Supplier<List<DeviceBackend>> devices;
    private final Csc csc;
    private final long leastShared;

    // guarded by this, the preferred device first
    private final Map<DeviceBackend, DeviceGraph> replicas = new LinkedHashMap<>();
    private boolean closed;

    /**
     * A graph without a replica.
     *
     * @param devices supplies the devices that are usable now, the preferred first
     * @param leastShared as of {@link #shares}
     */
    public GroupGraph(Supplier<List<DeviceBackend>> devices, Csc csc, long leastShared) {
        this.devices = devices;
        this.csc = csc;
        this.leastShared = leastShared;
        replicas();
    }

    /**
     * Whether a run uses all devices: if it is long, and the host only has to add what the devices have summed up.
     * Harmonic sums of all vertices would have to be merged level by level, and distances pass through the heap anyway.
     *
     * @param sources number of sources; ignored for sums of all vertices
     * @param least number of pairs of a source and an edge or vertex from which on devices share a run
     */
    public static boolean shares(
            GraphShape graph, Operation operation, Set<DistanceMeasure> measures, long sources, long least) {
        double size = (double) graph.vertexCount() + graph.entryCount();
        return operation == Operation.FARNESS
                ? !measures.contains(DistanceMeasure.HARMONIC) && graph.vertexCount() * size >= least
                : operation == Operation.FARNESS_OF_SOURCES && sources * size >= least;
    }

    /** A device at the time of the choice. */
    private record Candidate(DeviceGraph graph, int runs, boolean resident, long freeBytes) {

        static Candidate of(DeviceGraph graph) {
            boolean resident = graph.bytes() > 0;
            // to ask the driver takes time
            return new Candidate(graph, graph.queue().load(), resident, resident ? 0 : graph.freeBytes());
        }
    }

    /**
     * The handles of the usable devices by preference: first those that have the graph or room for a copy of it, then
     * by their runs, then those that have it, then by free memory.
     */
    private List<DeviceGraph> byPreference() {
        List<DeviceGraph> graphs = replicas();
        long bytes = graphs.stream().mapToLong(DeviceGraph::bytes).max().orElse(0);
        return graphs.stream()
                .map(Candidate::of)
                .sorted(Comparator.comparing((Candidate device) -> !device.resident && device.freeBytes < bytes)
                        .thenComparingInt(Candidate::runs)
                        .thenComparing(device -> !device.resident)
                        .thenComparing(
                                Comparator.comparingLong(Candidate::freeBytes).reversed()))
                .map(Candidate::graph)
                .toList();
    }

    /** A handle for each usable device. */
    private List<DeviceGraph> replicas() {
        List<DeviceBackend> usable = devices.get();
        synchronized (this) {
            if (!closed) {
                usable.forEach(device -> replicas.computeIfAbsent(device, known -> DeviceGraph.replica(known, csc)));
            }
            return usable.stream()
                    .map(device -> replicas.get(device))
                    .filter(Objects::nonNull)
                    .toList();
        }
    }

    @Override
    public int vertexCount() {
        return csc.vertexCount();
    }

    @Override
    public List<LoadedGraph> reserveWith(List<LoadedGraph> others, Workload work, long searches, RunContext control) {
        if (!work.operation().readsLoadedGraph()) {
            return super.reserveWith(others, work, searches, control);
        }
        List<GroupGraph> graphs = DeviceGraph.together(GroupGraph.class, this, others);
        return Closing.unlessOwned(
                reserved(graphs, work, searches, control), GroupGraph::close, onDevices -> IntStream.range(
                                0, graphs.size())
                        .<LoadedGraph>mapToObj(at -> graphs.get(at)
                        .new Reserved(
                                onDevices.stream().map(views -> views.get(at)).toList()))
                        .toList());
    }

    /** By device, of each graph a view that has reserved memory. */
    private List<List<DeviceGraph>> reserved(
            List<GroupGraph> graphs, Workload work, long searches, RunContext control) {
        List<DeviceGraph> sorted = byPreference();
        RunContext quiet = control.withoutObserver();
        if (!shares(work)) {
            List<DeviceGraph> views = onFirst(
                    sorted,
                    quiet,
                    first -> DeviceGraph.reserved(beside(first, graphs), work, searches, List.of(), control));
            return Closing.unlessOwned(views, DeviceGraph::close, made -> List.of(made));
        }
        Workload shared = work.besideOnly(this::shares);
        return onAll(
                sorted,
                devices -> openAll(
                        devices,
                        first -> DeviceGraph.reserved(beside(first, graphs), work, searches, List.of(), quiet),
                        (next, like) -> DeviceGraph.reserved(
                                beside(next, graphs), shared, searches, like, quiet.withoutProgress()),
                        GroupGraph::close,
                        control));
    }

    private static void close(List<DeviceGraph> views) {
        Closing.all(views.iterator(), DeviceGraph::close);
    }

    /** The replicas of graphs beside that of the first. */
    private static List<DeviceGraph> beside(DeviceGraph first, List<GroupGraph> graphs) {
        Stream<DeviceGraph> others = graphs.stream().skip(1).map(graph -> graph.replicas().stream()
                .filter(first::isBeside)
                .findFirst()
                .orElseThrow(GroupGraph::noDevice));
        return Stream.concat(Stream.of(first), others).toList();
    }

    /** The graph for the runs of a call, which go to the devices that have reserved memory for them. */
    private final class Reserved extends BorrowedGraph {
        // the preferred device first; several if they share the runs
        private final List<DeviceGraph> reserved;

        Reserved(List<DeviceGraph> reserved) {
            super(GroupGraph.this);
            this.reserved = reserved;
        }

        @Override
        public Farness farness(Set<DistanceMeasure> measures, RunContext control) {
            Workload work = Workload.farness(measures);
            return reserved.size() > 1 && shares(work)
                    ? sums(reserved, work, null, control)
                    : super.farness(measures, control);
        }

        @Override
        public Farness farness(int[] sources, Set<DistanceMeasure> measures, RunContext control) {
            Workload work = Workload.farness(sources.length, measures);
            if (reserved.size() == 1 || !shares(work)) {
                return super.farness(sources, measures, control);
            }
            checkVertices("sources", sources);
            return sums(reserved, work, sources, control);
        }

        @Override
        protected <T> T route(Operation operation, RunContext control, Function<LoadedGraph, T> run) {
            List<DeviceGraph> sorted = new ArrayList<>(reserved);
            byPreference().stream()
                    .filter(graph -> reserved.stream().noneMatch(graph::isBeside))
                    .forEach(sorted::add);
            return onFirst(sorted, control, run);
        }

        @Override
        public void close() {
            Closing.all(reserved.iterator(), DeviceGraph::close);
        }
    }

    @Override
    public int multiSourceBatchSize() {
        return replicas().stream()
                .mapToInt(DeviceGraph::multiSourceBatchSize)
                .max()
                .orElse(LaunchPolicy.SMALLEST_BATCH);
    }

    @Override
    public Farness farness(Set<DistanceMeasure> measures, RunContext control) {
        Workload work = Workload.farness(measures);
        return shares(work)
                ? onAll(byPreference(), graphs -> sums(graphs, work, null, control))
                : super.farness(measures, control);
    }

    @Override
    public Farness farness(int[] sources, Set<DistanceMeasure> measures, RunContext control) {
        Workload work = Workload.farness(sources.length, measures);
        if (!shares(work)) {
            return super.farness(sources, measures, control);
        }
        checkVertices("sources", sources);
        return onAll(byPreference(), graphs -> sums(graphs, work, sources, control));
    }

    /** Works on all devices that have room for the lists of neighbours, or on all that may map them if none has. */
    private static <T> T onAll(List<DeviceGraph> sorted, Function<List<DeviceGraph>, T> work) {
        try {
            return work.apply(sorted);
        } catch (DeviceMemoryException e) {
            return work.apply(mayMapLists(sorted));
        }
    }

    /**
     * Sums on all of these devices that have room.
     *
     * @param vertices null for all
     */
    private Farness sums(List<DeviceGraph> graphs, Workload work, int[] vertices, RunContext control) {
        // the progress and the choices of the first are reported
        RunContext silent = control.withoutObserver().withoutProgress();
        List<DeviceSums> opened = openAll(
                graphs,
                graph -> graph.sums(work, null, control.withoutObserver()),
                (graph, like) -> graph.sums(work, like.order(), silent),
                DeviceSums::close,
                control);
        Closing.unlessOwned(opened, DeviceSums::close, all -> {
            String reason = "The run is long enough for several GPUs; " + all.size() + " of "
                    + replicas().size() + " take part.";
            DeviceSums.report(control.observer(), all, reason);
            return all;
        });
        return FarnessSums.run(opened, csc, vertices, work.measures(), control);
    }

    private static List<DeviceGraph> mayMapLists(List<DeviceGraph> graphs) {
        return graphs.stream().map(DeviceGraph::mayMapLists).toList();
    }

    private boolean shares(Workload work) {
        return !work.isNothing(vertexCount())
                && replicas().size() > 1
                && shares(GraphShape.of(csc), work.operation(), work.measures(), work.sources(), leastShared);
    }

    /**
     * Runs on the preferred device, or if that fails, on the next. If none has room for the lists of neighbours,
     * repeats this with the lists in mapped host memory, because reading them over the bus is slower than another
     * device.
     */
    @Override
    protected <T> T route(Operation operation, RunContext control, Function<LoadedGraph, T> run) {
        List<DeviceGraph> sorted = byPreference();
        // betweenness copies a graph of its own, so that moving the lists would not help
        return operation == Operation.BETWEENNESS
                ? onFirst(sorted, "It is the least busy GPU.", control, run)
                : onFirst(sorted, control, run);
    }

    private <T> T onFirst(List<DeviceGraph> sorted, RunContext control, Function<? super DeviceGraph, T> run) {
        String reason = "It is the least busy of " + sorted.size() + " GPUs.";
        try {
            return onFirst(sorted, reason, control, run);
        } catch (DeviceMemoryException e) {
            return onFirst(
                    mayMapLists(sorted),
                    "No GPU has room for the lists of neighbours, which may lie in mapped host memory: "
                            + e.getMessage(),
                    control,
                    run);
        }
    }

    /**
     * Runs on the preferred device, or if that fails, on the next.
     *
     * @throws DeviceMemoryException if a device has too little memory, and no other one can do the run
     */
    private <T> T onFirst(
            List<DeviceGraph> sorted, String why, RunContext control, Function<? super DeviceGraph, T> run) {
        RuntimeException failure = noDevice();
        String reason = why;
        for (DeviceGraph graph : sorted) {
            try {
                return on(graph, reason, control, run);
            } catch (DeviceMemoryException | DeviceFailureException e) {
                failure = preferred(failure, e);
                reason = "The run is repeated on another GPU: " + e.getMessage();
            }
        }
        throw failure;
    }

    /** The failure to report: preferably a shortage of memory, after which the run is repeated with mapped lists. */
    private static RuntimeException preferred(RuntimeException before, RuntimeException last) {
        return before instanceof DeviceMemoryException && last instanceof DeviceFailureException ? before : last;
    }

    private <T> T on(DeviceGraph graph, String reason, RunContext control, Function<? super DeviceGraph, T> run) {
        control.observer().runsOn(graph.deviceName(), reason);
        adoptOrder(graph);
        // a run copies and counts on the host too, where its device seems idle to the next run
        LeaseQueue queue = graph.queue();
        queue.beginRun();
        try {
            return run.apply(graph);
        } finally {
            queue.endRun();
        }
    }

    /** Computing an order again would take longer than the copy of the graph. */
    private void adoptOrder(DeviceGraph graph) {
        if (graph.slotOrder() == null) {
            replicas().stream()
                    .map(DeviceGraph::slotOrder)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .ifPresent(graph::adopt);
        }
    }

    private static <T> void add(SortedMap<Integer, T> parts, int at, T part, Consumer<T> close) {
        boolean added = false;
        try {
            parts.put(at, part);
            added = true;
        } finally {
            // a full heap must not leave a part that nobody closes
            if (!added) {
                close.accept(part);
            }
        }
    }

    /**
     * Begins a run, or reserves its memory, on all devices. Those that fail are left out.
     *
     * @param sorted handles on the devices, the preferred first
     * @param first begins on the first device
     * @param like begins on another one, in the order of the first
     * @param close ends what has begun on a device
     * @return what has begun, the preferred device first
     * @throws DeviceMemoryException if a device has too little memory, and no other one can begin the run
     * @throws DeviceFailureException if all devices fail
     */
    private <T> List<T> openAll(
            List<DeviceGraph> sorted,
            Function<DeviceGraph, T> first,
            BiFunction<DeviceGraph, T, T> like,
            Consumer<T> close,
            RunContext control) {
        SortedMap<Integer, T> parts = new ConcurrentSkipListMap<>();
        RuntimeException failure = noDevice();
        int chooser = 0;
        while (parts.isEmpty()) {
            if (chooser == sorted.size()) {
                throw failure;
            }
            try {
                adoptOrder(sorted.get(chooser));
                add(parts, chooser, first.apply(sorted.get(chooser)), close);
            } catch (DeviceMemoryException | DeviceFailureException e) {
                failure = preferred(failure, e);
                chooser++;
            }
        }
        int chosen = chooser;
        boolean complete = false;
        try {
            int others = sorted.size() - chosen - 1;
            if (others > 0) {
                Workers.run(others, control.stop(), (worker, stop) -> {
                    int next = chosen + 1 + worker;
                    try {
                        add(parts, next, like.apply(sorted.get(next), parts.get(chosen)), close);
                    } catch (DeviceMemoryException | DeviceFailureException e) {
                        // the other devices do its part
                    }
                });
            }
            List<T> opened = List.copyOf(parts.values());
            complete = true;
            return opened;
        } finally {
            if (!complete) {
                Closing.all(parts.values().iterator(), close);
            }
        }
    }

    private static DeviceFailureException noDevice() {
        return new DeviceFailureException("No GPU can be used. Repeat the call, or use backend: 'cpu'.");
    }

    @Override
    public List<Residence> residences() {
        return known().stream().flatMap(graph -> graph.residences().stream()).toList();
    }

    private synchronized List<DeviceGraph> known() {
        return List.copyOf(replicas.values());
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            Closing.all(replicas.values().iterator(), DeviceGraph::close);
        }
    }
}

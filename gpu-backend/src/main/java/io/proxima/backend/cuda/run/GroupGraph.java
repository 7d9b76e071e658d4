// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.run;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.DistanceSink;
import io.proxima.backend.Farness;
import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.NearestSources;
import io.proxima.backend.ResumableDistances;
import io.proxima.backend.ResumableDistances.SinkFailure;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunObserver;
import io.proxima.backend.ShortestPaths;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.backend.cuda.device.LaunchPolicy;
import io.proxima.backend.cuda.device.LeaseQueue;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.Csc;
import io.proxima.projection.WeightedCsc;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A loaded graph that is traversed on the devices of a host, each of which holds a replica once it has run on it. A run
 * goes to the device that {@link Placement} chooses. Closeness and distances from many sources use all devices if they
 * are long enough: {@link FarnessSums} and {@link GroupDistances}. If a device fails or has too little memory, its part
 * of the run is repeated on the others.
 *
 * <p>The class is long because every run of the interface begins here, on one device or on all.
 */
public final class GroupGraph implements LoadedGraph {

    private static final String ON_HEAP = "cpu";

    private final Supplier<? extends List<? extends DeviceGraphs>> devices;
    private final Csc csc;
    private final GroupChoice choice;
    private final Placement placement = new Placement();

    // guarded by this, the preferred device first
    private final Map<DeviceGraphs, CudaGraph> replicas = new LinkedHashMap<>();
    private boolean closed;

    /** Whether a run should use all devices. */
    @FunctionalInterface
    public interface GroupChoice {
        boolean shares(GraphShape graph, Run run, long sources);
    }

    /**
     * A graph without a replica.
     *
     * @param devices supplies the devices that are usable now, the preferred first
     */
    public GroupGraph(Supplier<? extends List<? extends DeviceGraphs>> devices, Csc csc, GroupChoice choice) {
        this.devices = devices;
        this.csc = csc;
        this.choice = choice;
        replicas();
    }

    /**
     * Heap of distances on several devices beside that on one.
     *
     * @param batch as {@link LoadedGraph#multiSourceBatchSize}
     */
    public static MemoryTree furtherDistances(Workload work, int vertexCount, int batch, int devices) {
        int further =
                Math.min(work.sources(), GroupDistances.furtherSources(batch, LaunchPolicy.SMALLEST_BATCH, devices));
        return MemoryTree.between(
                "distances of " + further + " sources for the sink",
                DeviceDistances.bytes(vertexCount, further, Byte.BYTES),
                DeviceDistances.bytes(vertexCount, further, BatchKernels.levelBytes(work.deepest(vertexCount))));
    }

    /** A handle for each usable device. */
    private List<CudaGraph> replicas() {
        List<? extends DeviceGraphs> usable = devices.get();
        synchronized (this) {
            if (!closed) {
                usable.forEach(device -> replicas.computeIfAbsent(device, known -> CudaGraph.replica(known, csc)));
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
    public void prepare(Run run, long searches, RunControl control) {
        long sources = run == Run.FARNESS ? vertexCount() : searches;
        if (!shares(run, sources)) {
            onFirst(placement.sorted(replicas()), withoutObserver(control), graph -> {
                graph.prepare(run, searches, control);
                return graph;
            });
        } else if (run == Run.FARNESS) {
            replicas().forEach(CudaGraph::countPreparation);
            prepare(() -> openSums(Set.of(), withoutObserver(control)));
        } else if (run == Run.FARNESS_OF_SOURCES) {
            replicas().forEach(CudaGraph::countPreparation);
            prepare(() -> openRows(searches, withoutObserver(control)));
        } else {
            replicas().forEach(CudaGraph::countPreparation);
            prepare(() -> openBatches(new int[0], NO_MAX_DEPTH, searches, withoutObserver(control)));
        }
    }

    private <P extends DevicePart> void prepare(Supplier<List<P>> open) {
        mappingIfShort(open, parts -> {
            DevicePart.closeAll(parts);
            return parts;
        });
    }

    @Override
    public Levels bfs(int source, int maxDepth, int[] stopTargets, RunControl control) {
        return onOne(control, graph -> graph.bfs(source, maxDepth, stopTargets, control));
    }

    @Override
    public void multiSourceBfs(int[] sources, int maxDepth, DistanceSink sink, RunControl control) {
        ResumableDistances distances = new ResumableDistances(sources, maxDepth, sink);
        try {
            if (shares(Run.MULTI_SOURCE_BFS, sources.length)) {
                checkVertices(sources);
                mappingIfShort(() -> openBatches(distances.left(), maxDepth, sources.length, control), batches -> {
                    shareDistances(batches, distances, control);
                    return distances;
                });
            } else {
                onOne(control, graph -> {
                    distances.continueOn(graph, control);
                    return graph;
                });
            }
        } catch (SinkFailure e) {
            throw e.failure();
        }
    }

    private void checkVertices(int[] sources) {
        for (int vertex : sources) {
            if (vertex < 0 || vertex >= vertexCount()) {
                throw new IllegalArgumentException(
                        "sources must be vertices from 0 to " + (vertexCount() - 1) + ": vertex=" + vertex);
            }
        }
    }

    private void shareDistances(List<DeviceBatches> batches, ResumableDistances all, RunControl control) {
        try {
            all.continueWith((sources, sink) -> {
                GroupDistances distances = new GroupDistances(
                        batches,
                        sources.length,
                        vertexCount(),
                        multiSourceBatchSize(),
                        LaunchPolicy.SMALLEST_BATCH,
                        sink,
                        control);
                distances.run();
                distances.tellLoss();
            });
        } finally {
            DevicePart.closeAll(batches);
        }
    }

    @Override
    public int multiSourceBatchSize() {
        return replicas().stream()
                .mapToInt(CudaGraph::multiSourceBatchSize)
                .max()
                .orElse(LaunchPolicy.SMALLEST_BATCH);
    }

    @Override
    public NearestSources nearestSource(int[] sources, int maxDepth, RunControl control) {
        return onOne(control, graph -> graph.nearestSource(sources, maxDepth, control));
    }

    @Override
    public Farness farness(Set<DistanceMeasure> measures, RunControl control) {
        if (!shares(Run.FARNESS, vertexCount())) {
            return onOne(control, graph -> graph.farness(measures, control));
        }
        return mappingIfShort(() -> openSums(measures, control), sums -> FarnessSums.run(sums, measures, control));
    }

    @Override
    public Farness farness(int[] sources, Set<DistanceMeasure> measures, RunControl control) {
        if (!shares(Run.FARNESS_OF_SOURCES, sources.length)) {
            return onOne(control, graph -> graph.farness(sources, measures, control));
        }
        checkVertices(sources);
        return mappingIfShort(
                () -> openRows(sources.length, control),
                rows -> FarnessRows.run(rows, csc, sources, measures, control));
    }

    /**
     * Runs on all devices that have room. If none has, repeats the run with the lists of neighbours in mapped host memory
     * on those that have read them on the device.
     */
    private <P extends DevicePart, T> T mappingIfShort(Supplier<List<P>> open, Function<List<P>, T> run) {
        List<CudaGraph> unmapped =
                replicas().stream().filter(graph -> !graph.isMapped()).toList();
        Map<CudaGraph, Runnable> reverting = new LinkedHashMap<>();
        try {
            return run.apply(open.get());
        } catch (DeviceMemoryException e) {
            unmapped.forEach(graph -> graph.map(e.missingBytes()).ifPresent(revert -> reverting.put(graph, revert)));
            if (reverting.isEmpty()) {
                throw e;
            }
        }
        try {
            T result = run.apply(open.get());
            // the budget had no room for the lists of these
            reverting.forEach((graph, revert) -> {
                if (graph.mappedBytes() == 0) {
                    revert.run();
                }
            });
            return result;
        } catch (DeviceMemoryException e) {
            reverting.values().forEach(Runnable::run);
            throw e;
        }
    }

    @Override
    public int[] components(RunControl control) {
        return onOne(control, graph -> graph.components(control));
    }

    @Override
    public double[] betweenness(int[] sources, RunControl control) {
        // it copies a graph of its own, so that moving the lists would not help
        return onFirst(
                placement.sortedForRun(replicas()),
                control,
                graph -> graph.betweenness(sources, control),
                new LinkedHashMap<>());
    }

    @Override
    public ShortestPaths shortestPaths(
            int source, WeightedCsc weights, double delta, boolean withPredecessors, RunControl control) {
        return onOne(control, graph -> graph.shortestPaths(source, weights, delta, withPredecessors, control));
    }

    /** Whether a run uses all devices. */
    private boolean shares(Run run, long sources) {
        return sources > 0 && replicas().size() > 1 && choice.shares(GraphShape.of(csc), run, sources);
    }

    /**
     * Runs on the preferred device, or if that fails, on the next. If none has enough memory, maps the lists of neighbours
     * for the first that can read them from there.
     */
    private <T> T onOne(RunControl control, Function<CudaGraph, T> run) {
        return onFirst(placement.sortedForRun(replicas()), control, run);
    }

    private <T> T onFirst(List<CudaGraph> sorted, RunControl control, Function<CudaGraph, T> run) {
        Map<CudaGraph, DeviceMemoryException> tooSmall = new LinkedHashMap<>();
        RuntimeException failure;
        try {
            return onFirst(sorted, control, run, tooSmall);
        } catch (DeviceMemoryException | DeviceFailureException e) {
            failure = e;
        }
        for (Map.Entry<CudaGraph, DeviceMemoryException> one : tooSmall.entrySet()) {
            CudaGraph graph = one.getKey();
            DeviceMemoryException shortage = one.getValue();
            Optional<Runnable> reverting = graph.map(shortage.missingBytes());
            if (reverting.isEmpty()) {
                continue;
            }
            String reason =
                    "The run is repeated with the lists of neighbours in mapped host memory: " + shortage.getMessage();
            try {
                return on(graph, reason, control, run);
            } catch (DeviceMemoryException e) {
                reverting.get().run();
                failure = e;
            } catch (DeviceFailureException e) {
                failure = e;
            }
        }
        throw failure;
    }

    /**
     * Runs on the preferred device, or if that fails, on the next, wherever the lists of neighbours lie now.
     *
     * @param tooSmall receives the devices with lists on the device that had too little memory
     */
    private <T> T onFirst(
            List<CudaGraph> sorted,
            RunControl control,
            Function<CudaGraph, T> run,
            Map<CudaGraph, DeviceMemoryException> tooSmall) {
        RuntimeException failure = noDevice();
        String reason = "It is the least busy of " + sorted.size() + " GPUs.";
        for (CudaGraph graph : sorted) {
            boolean wasMapped = graph.isMapped();
            try {
                return on(graph, reason, control, run);
            } catch (DeviceMemoryException e) {
                failure = e;
                if (!wasMapped) {
                    tooSmall.put(graph, e);
                }
            } catch (DeviceFailureException e) {
                failure = e;
            }
            reason = "The run is repeated on another GPU: " + failure.getMessage();
        }
        throw failure;
    }

    private <T> T on(CudaGraph graph, String reason, RunControl control, Function<CudaGraph, T> run) {
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
    private void adoptOrder(CudaGraph graph) {
        if (graph.slotOrder() == null) {
            replicas().stream()
                    .map(CudaGraph::slotOrder)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .ifPresent(graph::adopt);
        }
    }

    /**
     * Prepares the sums of all devices as the first one chooses. Harmonic sums of a graph with many levels stay on that one:
     * merging the counts of every level on the host takes longer than the other devices save.
     */
    private List<DeviceSums> openSums(Set<DistanceMeasure> measures, RunControl control) {
        return openAll(
                control,
                CudaGraph::sums,
                sums -> measures.contains(DistanceMeasure.HARMONIC) && sums.hasManyLevels()
                        ? "One GPU adds up the harmonic sums of a graph with many levels."
                        : "",
                (first, graph) -> graph.sums(first, silent(control)));
    }

    private List<DeviceRows> openRows(long searches, RunControl control) {
        return openAll(
                control,
                (graph, chosen) -> graph.rows(searches, chosen),
                rows -> "",
                (first, graph) -> graph.rows(first, silent(control)));
    }

    private List<DeviceBatches> openBatches(int[] sources, int maxDepth, long searches, RunControl control) {
        return openAll(
                control,
                (graph, chosen) -> graph.batches(sources, maxDepth, searches, chosen),
                batches -> "",
                (first, graph) -> {
                    adoptOrder(graph);
                    return graph.batches(sources, maxDepth, searches, silent(control));
                });
    }

    private static <T extends DevicePart> void add(SortedMap<Integer, T> parts, int at, T part) {
        boolean added = false;
        try {
            parts.put(at, part);
            added = true;
        } finally {
            // a full heap must not leave a part that nobody closes
            if (!added) {
                part.close();
            }
        }
    }

    /**
     * Begins a run on all devices. Those that fail are left out.
     *
     * @param opening begins it on one device
     * @param alone why the run stays on that device; empty if it does not
     * @param following begins it on another device as on the first
     * @throws DeviceMemoryException if the graph fits no device. So with the next
     * @throws DeviceFailureException if all devices fail
     */
    private <T extends DevicePart> List<T> openAll(
            RunControl control,
            BiFunction<CudaGraph, RunControl, T> opening,
            Function<T, String> alone,
            BiFunction<T, CudaGraph, T> following) {
        List<CudaGraph> sorted = placement.sorted(replicas());
        SortedMap<Integer, T> parts = new ConcurrentSkipListMap<>();
        RuntimeException failure = noDevice();
        int chooser = 0;
        while (parts.isEmpty()) {
            if (chooser == sorted.size()) {
                throw failure;
            }
            try {
                adoptOrder(sorted.get(chooser));
                add(parts, chooser, opening.apply(sorted.get(chooser), withoutObserver(control)));
            } catch (DeviceMemoryException | DeviceFailureException e) {
                failure = e;
                chooser++;
            }
        }
        int first = chooser;
        boolean complete = false;
        try {
            String reason = alone.apply(parts.get(first));
            int others = reason.isEmpty() ? sorted.size() - first - 1 : 0;
            if (others > 0) {
                Workers.run(others, control.stop(), (worker, stop) -> {
                    int next = first + 1 + worker;
                    try {
                        add(parts, next, following.apply(parts.get(first), sorted.get(next)));
                    } catch (DeviceMemoryException | DeviceFailureException e) {
                        // the other devices do its part
                    }
                });
            }
            List<T> opened = List.copyOf(parts.values());
            DevicePart.tell(
                    control.observer(),
                    opened,
                    reason.isEmpty()
                            ? "The run is long enough for several GPUs; " + opened.size() + " of " + sorted.size()
                                    + " take part."
                            : reason);
            complete = true;
            return opened;
        } finally {
            if (!complete) {
                DevicePart.closeAll(parts.values());
            }
        }
    }

    private static DeviceFailureException noDevice() {
        return new DeviceFailureException("No GPU can be used. Repeat the call, or use backend: 'cpu'.");
    }

    /** For work beside that of another device, whose progress and choices are reported. */
    private static RunControl silent(RunControl control) {
        return new RunControl(
                control.concurrency(), control.stop(), Progress.NONE, RunObserver.NONE, control.options());
    }

    private static RunControl withoutObserver(RunControl control) {
        return new RunControl(
                control.concurrency(), control.stop(), control.progress(), RunObserver.NONE, control.options());
    }

    @Override
    public List<LoadedGraph> places() {
        List<LoadedGraph> places = new ArrayList<>(known());
        places.removeIf(graph -> graph.bytes() == 0);
        return places.isEmpty() ? List.of(this) : places;
    }

    private synchronized List<CudaGraph> known() {
        return List.copyOf(replicas.values());
    }

    @Override
    public long bytes() {
        return known().stream().mapToLong(CudaGraph::bytes).sum();
    }

    @Override
    public long mappedBytes() {
        return known().stream().mapToLong(CudaGraph::mappedBytes).sum();
    }

    @Override
    public String order() {
        return known().stream()
                .map(CudaGraph::order)
                .filter(order -> !order.isEmpty())
                .findFirst()
                .orElse("");
    }

    @Override
    public String residentOn() {
        return known().stream()
                .filter(graph -> graph.bytes() > 0)
                .map(CudaGraph::residentOn)
                .collect(Collectors.collectingAndThen(
                        Collectors.joining(", "), names -> names.isEmpty() ? ON_HEAP : names));
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            closeAll(replicas.values().iterator());
        }
    }

    /** Closes all, even if closing one of them fails. */
    private static void closeAll(Iterator<CudaGraph> graphs) {
        if (graphs.hasNext()) {
            CudaGraph next = graphs.next();
            try {
                closeAll(graphs);
            } finally {
                next.close();
            }
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.calibration;

import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions;
import io.proxima.backend.cuda.choice.OrderImprover;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceArray;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.device.Tuning;
import io.proxima.backend.cuda.device.TuningParameter;
import io.proxima.backend.cuda.graph.DeviceStructure;
import io.proxima.backend.cuda.graph.HeldGraph;
import io.proxima.backend.cuda.graph.ResidentGraph;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.backend.cuda.kernel.CalibrationBench;
import io.proxima.backend.cuda.kernel.KernelFamilies;
import io.proxima.backend.cuda.kernel.KernelFamily;
import io.proxima.backend.cuda.kernel.KernelFamily.Levels;
import io.proxima.backend.cuda.kernel.LevelKernels;
import io.proxima.backend.order.VertexOrder;
import io.proxima.backend.task.BackendTask;
import io.proxima.concurrent.Stop;
import io.proxima.memory.HeapBudget;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.Csc;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Finds the best tuning parameters of a device by coordinate descent: it measures one parameter after the other on
 * generated graphs. Candidate and current value are measured alternately, so that a changing clock or other work on the
 * device affects both. A candidate is adopted only if it wins every pass, twice. Each pass over the sources has a lease
 * of its own. Every result is checked; see docs/decisions/0026.
 *
 * <p>The benchmarks and the checks of their results are kept together, so that no measurement is taken unchecked: hence
 * the length.
 */
public final class Calibrator {

    /** The number of measurements of a candidate, each next to one of the current value. */
    private static final int PASSES = 5;

    /** The maximum number of rounds over all parameters. The best value of a parameter depends on the others. */
    private static final int MOST_ROUNDS = 3;

    /** The minimum gain of a change. */
    private static final double LEAST_GAIN = 0.02;

    /** A candidate is rejected if a pass takes this multiple of the time of the current value. */
    private static final double HOPELESS = 1.3;

    private static final int VERTICES_PER_POLL = 1 << 12;
    private static final int[] NO_TARGETS = {};

    private final CudaDevice device;
    private final KernelFamilies families;
    private final CalibrationGraphs graphs;
    private final RunControl control;

    /** A calibrator of a device. It leaves nothing allocated, and does not change the device's parameters. */
    public Calibrator(CudaDevice device, KernelFamilies families, CalibrationGraphs graphs, RunControl control) {
        this.device = device;
        this.families = families;
        this.graphs = graphs;
        this.control = control;
    }

    /**
     * Runs the calibration.
     *
     * @param from the initial parameters
     * @return the best parameters; equal to {@code from} if nothing was clearly faster
     * @throws io.proxima.backend.DeviceMemoryException if the graphs do not fit
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     * @throws DeviceFailureException if a kernel gave a wrong result
     */
    public Tuning run(Tuning from) {
        return onDeepGraph(onShallowGraphs(from));
    }

    /** The peak heap. */
    public static MemoryTree heap(CalibrationGraphs graphs) {
        // for two graphs: the expected and the found levels, two expected farness arrays and one found
        long results = 2L * ((HeldGraph.TRIALS + 1) * Integer.BYTES + 3 * Long.BYTES) * (1L << graphs.scale());
        return MemoryTree.together("calibration", graphs.heap(), MemoryTree.between("levels and sums", 0, results));
    }

    private Tuning onShallowGraphs(Tuning from) {
        control.progress().beginTask(BackendTask.GENERATE_GRAPHS.with("of small diameter"), 0);
        try (Loaded scaleFree = new Loaded(graphs.scaleFree(control.stop()), VertexOrder.DEGREE);
                Loaded uniform = new Loaded(graphs.uniform(control.stop()), VertexOrder.DEGREE)) {
            return measure(Levels.FEW_LARGE, from, List.of(scaleFree, uniform));
        }
    }

    private Tuning onDeepGraph(Tuning from) {
        control.progress().beginTask(BackendTask.GENERATE_GRAPHS.with("of large diameter"), 0);
        try (Loaded lattice = new Loaded(graphs.lattice(control.stop()), VertexOrder.NATURAL)) {
            return measure(Levels.MANY_SMALL, from, List.of(lattice));
        }
    }

    private Tuning measure(Levels on, Tuning from, List<Loaded> loaded) {
        Tuning best = from;
        for (CalibrationBench bench : families.each(KernelFamily::benches)) {
            if (bench.on() == on) {
                best = measure(bench, best, loaded);
            }
        }
        return best;
    }

    private Tuning measure(CalibrationBench what, Tuning from, List<Loaded> loaded) {
        List<Bench> benches = new ArrayList<>();
        try {
            for (Loaded graph : loaded) {
                benches.add(what.batches() == null ? new SearchBench(graph, what) : new BatchBench(graph, what));
            }
            return descend(what.name(), from, what.numbers(), benches);
        } catch (DeviceMemoryException e) {
            if (what.searches() == null
                    || DeviceStructure.sparesOf(structures(what)).isEmpty()) {
                throw e;
            }
            // spare structures are optional: if they do not fit, no kernel uses these parameters
            return from;
        } finally {
            benches.forEach(Bench::close);
        }
    }

    private Set<DeviceStructure<?>> structures(CalibrationBench what) {
        return what.searches().apply(device, device.tuning()).structures();
    }

    private Tuning descend(String what, Tuning from, List<TuningParameter> parameters, List<Bench> benches) {
        control.progress().beginTask(BackendTask.MEASURE.with(what), (long) MOST_ROUNDS * parameters.size());
        benches.forEach(bench -> pass(bench, from, true));
        Tuning best = from;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            Tuning before = best;
            for (TuningParameter parameter : parameters) {
                best = improve(best, parameter, benches);
                control.progress().advance(1);
            }
            if (best.equals(before)) {
                break;
            }
        }
        return best;
    }

    private Tuning improve(Tuning now, TuningParameter parameter, List<Bench> benches) {
        Tuning best = now;
        double least = 1;
        for (double value : parameter.near(now.get(parameter), device.facts())) {
            Tuning candidate = now.with(parameter, value, device.facts());
            double[] ratios = compare(benches, now, candidate);
            if (isFaster(ratios) && median(ratios) < least) {
                least = median(ratios);
                best = candidate;
            }
        }
        // among many similar candidates one may win all passes by chance, but hardly twice
        return best.equals(now) || isFaster(compare(benches, now, best)) ? best : now;
    }

    /** Whether a candidate won every pass by a sufficient margin. */
    private static boolean isFaster(double[] ratios) {
        return ratios[ratios.length - 1] < 1 && median(ratios) < 1 - LEAST_GAIN;
    }

    private static double median(double[] sorted) {
        return sorted[sorted.length / 2];
    }

    /**
     * The time of a candidate relative to the current value, as geometric mean over the benchmarks: one ratio per pass,
     * ascending.
     */
    private double[] compare(List<Bench> benches, Tuning now, Tuning candidate) {
        benches.forEach(bench -> pass(bench, candidate, true));
        double[] ratios = new double[PASSES];
        for (int i = 0; i < PASSES; i++) {
            double product = 1;
            for (Bench bench : benches) {
                product *= pass(bench, candidate, false) / pass(bench, now, false);
            }
            ratios[i] = Math.pow(product, 1.0 / benches.size());
            if (ratios[i] > HOPELESS) {
                return new double[] {ratios[i]};
            }
        }
        Arrays.sort(ratios);
        return ratios;
    }

    /** Milliseconds of all launches of a benchmark on the device. */
    private double pass(Bench bench, Tuning tuning, boolean checked) {
        double millis = 0;
        try (DeviceLease lease = device.lease(control.stop(), tuning)) {
            for (int i = 0; i < bench.launches(); i++) {
                millis += bench.launch(lease, tuning, i).millis();
                if (checked) {
                    bench.check(lease, tuning, i);
                }
            }
        }
        return millis;
    }

    /** A measurement whose time depends on tuning parameters. */
    private interface Bench extends AutoCloseable {
        int launches();

        DeviceLease.Outcome launch(DeviceLease lease, Tuning tuning, int index);

        /** Checks the results of the last launch. */
        void check(DeviceLease lease, Tuning tuning, int index);

        /** Frees its allocations. */
        @Override
        default void close() {}
    }

    /** Measures single searches. */
    private final class SearchBench implements Bench {

        private final Loaded graph;
        private final CalibrationBench what;

        /** Device address of the levels of the last launch, within this lease. */
        private long levelsAt;

        SearchBench(Loaded graph, CalibrationBench what) {
            this.graph = graph;
            this.what = what;
            graph.view.require(structures(what));
        }

        @Override
        public int launches() {
            return graph.sources.length;
        }

        @Override
        public DeviceLease.Outcome launch(DeviceLease lease, Tuning tuning, int index) {
            LevelKernels chosen = what.searches().apply(device, tuning);
            LevelKernels.Plan plan = chosen.plan(graph.view, 1, 0);
            long at = lease.workspace(plan.bytes());
            levelsAt = at + plan.levels();
            int[] source = graph.view.order().toSlots(new int[] {graph.sources[index]});
            return chosen.launch(lease, graph.view, at, source, LoadedGraph.NO_MAX_DEPTH, NO_TARGETS);
        }

        @Override
        public void check(DeviceLease lease, Tuning tuning, int index) {
            lease.download(graph.view.inVertexOrder(levelsAt, Integer.BYTES), graph.downloaded, control.concurrency());
            int vertex = Arrays.mismatch(graph.levels[index], graph.downloaded);
            if (vertex >= 0) {
                throw wrong(
                        what.searches().apply(device, tuning).name(),
                        "the level of vertex " + vertex + " from source " + graph.sources[index],
                        graph.downloaded[vertex],
                        graph.levels[index][vertex],
                        tuning);
            }
        }
    }

    /** Measures multi-source BFS with sums: from the sources whose levels are known, and from many more. */
    private final class BatchBench implements Bench {

        private final Loaded graph;
        private final BatchKernels kernels;

        /** Slots. */
        private final int[][] batches;

        /** By batch and vertex: the farness over all sources of the batch; null until first computed. */
        private final long[][] farness;

        /** Farness and reach by slot, 64 bits each. */
        private final DeviceArray sums;

        BatchBench(Loaded graph, CalibrationBench what) {
            this.graph = graph;
            this.kernels = what.batches().apply(device);
            graph.view.require(kernels.structures());
            int n = graph.view.vertexCount();
            int[] many = new SplittableRandom(n)
                    .ints(0, n)
                    .distinct()
                    .limit(Math.min(n, kernels.mostSources()))
                    .toArray();
            int[] known = Arrays.stream(graph.sources).distinct().toArray();
            batches = new int[][] {graph.view.order().toSlots(known), many};
            farness = new long[batches.length][];
            farness[0] = new long[n];
            for (int source : known) {
                int[] levels = graph.levels[indexOf(source)];
                for (int v = 0; v < n; v++) {
                    farness[0][v] += Math.max(0, levels[v]);
                }
            }
            try (DeviceLease lease = device.lease(control.stop())) {
                sums = lease.allocate("the sums of a calibration", 2L * n * Long.BYTES);
            }
        }

        private int indexOf(int source) {
            int index = 0;
            while (graph.sources[index] != source) {
                index++;
            }
            return index;
        }

        @Override
        public int launches() {
            return batches.length;
        }

        @Override
        public DeviceLease.Outcome launch(DeviceLease lease, Tuning tuning, int index) {
            int[] sources = batches[index];
            int most = kernels.mostSources();
            long at = lease.workspace(
                    kernels.plan(graph.view, most, sources.length, 0).bytes());
            lease.fill(sums.address(), 0, sums.bytes());
            long reach = sums.address() + sums.bytes() / 2;
            BatchKernels.Sums wanted = new BatchKernels.Sums(sums.address(), reach, 0, 0, 1, 0, 0);
            return kernels.launch(
                    lease, graph.view, most, at, sources, 0, sources.length, LoadedGraph.NO_MAX_DEPTH, 0, wanted);
        }

        @Override
        public void check(DeviceLease lease, Tuning tuning, int index) {
            long[] found = new long[graph.view.vertexCount()];
            lease.download(graph.view.inVertexOrder(sums.address(), Long.BYTES), found, control.concurrency());
            if (farness[index] == null) {
                farness[index] = found;
            }
            int vertex = Arrays.mismatch(farness[index], found);
            if (vertex >= 0) {
                throw wrong(
                        kernels.name(),
                        "the sum of distances to vertex " + vertex + " from " + batches[index].length + " sources",
                        found[vertex],
                        farness[index][vertex],
                        tuning);
            }
        }

        @Override
        public void close() {
            sums.close();
        }
    }

    private DeviceFailureException wrong(String kernels, String what, long found, long right, Tuning tuning) {
        return new DeviceFailureException(
                "Kernel '" + kernels + "' returned a wrong result during the calibration of " + device.name() + ": "
                        + what + " is " + found + " instead of " + right + " with " + tuning
                        + ". The previous parameters still apply. Use backend: 'cpu', and report this error with the output"
                        + " of proxima.debug.sysInfo().");
    }

    /** A graph on the device until this is closed, and the expected results of searches on it. */
    private final class Loaded implements AutoCloseable {

        private final ResidentGraph resident;
        private final HeldGraph view;

        /** Vertices. */
        private final int[] sources;

        /** By source and vertex. */
        private final int[][] levels;

        private final int[] downloaded;

        Loaded(Csc graph, VertexOrder order) {
            // searched in this order only, so there is nothing to improve or save
            resident = new ResidentGraph(
                    graph,
                    device,
                    new OrderImprover(families, () -> {}, failure -> {}, () -> null, () -> HeapBudget.UNLIMITED));
            resident.hold();
            try {
                view = resident.acquire(control.with(new RunOptions(order, Kernel.AUTO)), 1);
            } catch (RuntimeException | Error e) {
                resident.letGo();
                throw e;
            }
            try {
                sources = view.trialSources();
                levels = new int[sources.length][];
                for (int i = 0; i < sources.length; i++) {
                    levels[i] = textbookLevels(graph, sources[i], control.stop());
                }
                downloaded = new int[graph.vertexCount()];
            } catch (RuntimeException | Error e) {
                close();
                throw e;
            }
        }

        @Override
        public void close() {
            view.close();
            resident.letGo();
        }
    }

    /** Levels by a textbook search on the host: {@code int[vertexCount]}, -1 for unreached. */
    private static int[] textbookLevels(Csc graph, int source, Stop stop) {
        int[] levels = new int[graph.vertexCount()];
        Arrays.fill(levels, LoadedGraph.UNREACHED);
        int[] queue = new int[graph.vertexCount()];
        int end = 0;
        queue[end++] = source;
        levels[source] = 0;
        for (int at = 0; at < end; at++) {
            if (at % VERTICES_PER_POLL == 0) {
                stop.check();
            }
            int vertex = queue[at];
            for (long i = graph.columnStart(vertex); i < graph.columnEnd(vertex); i++) {
                int neighbour = graph.rowIndices().get(i);
                if (levels[neighbour] == LoadedGraph.UNREACHED) {
                    levels[neighbour] = levels[vertex] + 1;
                    queue[end++] = neighbour;
                }
            }
        }
        return levels;
    }
}

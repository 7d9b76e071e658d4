// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.Farness;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.cuda.choice.KernelChoice;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.graph.HeldGraph;
import io.proxima.backend.cuda.graph.ResidentGraph;
import io.proxima.backend.cuda.kernel.KernelFamilies;
import io.proxima.backend.cuda.kernel.LevelKernels;
import io.proxima.backend.cuda.run.LevelSearch;
import io.proxima.backend.order.VertexOrder;
import io.proxima.projection.Csc;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What two builds are compared by: each family of kernels over the graphs that suit it, through Java. Needs nothing that the
 * builds do not both have; run with the jars of either in turn, in one lease of a device. Arguments: a name for the build,
 * then graphs as {@link BenchmarkGraphs} names them. Prints lines of CSV: build, graph, what, kernel, median and mean.
 */
public final class VersionBenchmark {

    private static final int SOURCES = 64;
    private static final int BATCH = 256;
    private static final int CHECKED = 4;
    private static final int ROUNDS = 5;
    private static final int ROUNDS_OF_SECONDS = 2;
    private static final int WARM_UP = 3;
    private static final int MOST_FOR_CLOSENESS = 1 << 20;
    private static final int[] NO_TARGETS = {};
    private static final int NO_MAX_DEPTH = LoadedGraph.NO_MAX_DEPTH;

    private final CudaBackend backend;
    private final RunControl control = RunControl.of(Runtime.getRuntime().availableProcessors());
    private final PrintStream out;
    private final String build;

    private VersionBenchmark(CudaBackend backend, PrintStream out, String build) {
        this.backend = backend;
        this.out = out;
        this.build = build;
    }

    /** Runs; ends with an exception at the first result that differs from the CPU's. */
    public static void main(String[] args) {
        PrintStream out = System.out;
        try (CudaBackends backends = CudaBackends.ofThisHost()) {
            CudaBackend backend = (CudaBackend) backends.choose().backend();
            VersionBenchmark benchmark = new VersionBenchmark(backend, out, args[0]);
            for (String graph : List.of(args).subList(1, args.length)) {
                benchmark.measure(graph);
            }
        }
    }

    private void measure(String name) {
        Csc csc = new BenchmarkGraphs(control.concurrency()).make(name);
        boolean deep = !name.startsWith("kron") && !name.startsWith("urand");
        int[] sources = BenchmarkGraphs.sources(csc, BATCH);
        List<Kernel> searches = deep
                ? List.of(
                        Kernel.AUTO,
                        Kernel.of("balls"),
                        Kernel.of("ball-records"),
                        Kernel.of("directional"),
                        Kernel.of("blest-full"))
                : List.of(Kernel.AUTO, Kernel.of("directional"), Kernel.of("blest-full"));
        List<Kernel> batches =
                deep ? List.of(Kernel.of("blocks")) : List.of(Kernel.of("words"), Kernel.of("blest-full"));
        List<Kernel> sums = deep ? List.of(Kernel.of("tiles")) : List.of(Kernel.of("words"));
        try (LoadedGraph graph = backend.load(csc);
                LoadedGraph onCpu = new CpuBackend().load(csc)) {
            int[][] expected = new int[CHECKED][];
            for (int i = 0; i < CHECKED; i++) {
                expected[i] =
                        onCpu.bfs(sources[i], NO_MAX_DEPTH, NO_TARGETS, control).levels();
            }
            for (Kernel kernel : searches) {
                search(name, csc, kernel, sources, expected);
                calls(name, graph, kernel, sources);
            }
            for (Kernel kernel : batches) {
                distances(name, graph, kernel, sources, expected);
            }
            if (csc.vertexCount() <= MOST_FOR_CLOSENESS) {
                for (Kernel kernel : sums) {
                    farness(name, graph, onCpu, kernel);
                }
            }
        }
    }

    private RunControl with(Kernel kernel) {
        return control.with(new RunOptions(VertexOrder.AUTO, kernel));
    }

    /** Kernel time of one search, between events on the device. */
    private void search(String name, Csc csc, Kernel kernel, int[] sources, int[][] expected) {
        CudaDevice device = backend.device();
        ResidentGraph resident = new ResidentGraph(csc, device, backend.improver());
        resident.hold();
        try (HeldGraph view = resident.acquire(with(kernel), SOURCES)) {
            LevelKernels kernels =
                    new KernelChoice(device, KernelFamilies.SHIPPED).levels(view, Run.BFS, with(kernel));
            double[] millis = new double[SOURCES];
            for (int i = -WARM_UP; i < SOURCES; i++) {
                int[] source = {sources[Math.max(i, 0)]};
                LevelSearch found = LevelSearch.run(device, kernels, view, source, NO_MAX_DEPTH, NO_TARGETS, control);
                if (i >= 0) {
                    millis[i] = found.outcome().millis();
                }
                if (i >= 0 && i < CHECKED && !Arrays.equals(found.levels().levels(), expected[i])) {
                    throw new IllegalStateException("wrong levels: " + name + ", " + kernels.name());
                }
            }
            row(name, "kernel of one search in ms", kernel, kernels.name(), millis);
            launches(name, view, kernel, kernels, sources);
        } finally {
            resident.letGo();
        }
    }

    /** From the sources on the heap to the outcome there: a search without its levels, by the host's clock. */
    private void launches(String name, HeldGraph view, Kernel kernel, LevelKernels kernels, int[] sources) {
        double[] millis = new double[SOURCES];
        LevelKernels.Plan plan = kernels.plan(view, 1, 0);
        for (int i = -WARM_UP; i < SOURCES; i++) {
            int[] source = view.order().toSlots(new int[] {sources[Math.max(i, 0)]});
            try (DeviceLease lease = backend.device().lease(control.stop())) {
                long at = lease.workspace(plan.bytes());
                long begin = System.nanoTime();
                kernels.launch(lease, view, at, source, NO_MAX_DEPTH, NO_TARGETS);
                if (i >= 0) {
                    millis[i] = millisSince(begin);
                }
            }
        }
        row(name, "launch to outcome of one search in ms", kernel, kernels.name(), millis);
    }

    /** Whole calls, with the levels on the heap. */
    private void calls(String name, LoadedGraph graph, Kernel kernel, int[] sources) {
        double[] millis = new double[SOURCES];
        for (int i = -WARM_UP; i < SOURCES; i++) {
            long begin = System.nanoTime();
            graph.bfs(sources[Math.max(i, 0)], NO_MAX_DEPTH, NO_TARGETS, with(kernel));
            if (i >= 0) {
                millis[i] = millisSince(begin);
            }
        }
        row(name, "call of one search in ms", kernel, "", millis);
    }

    private void distances(String name, LoadedGraph graph, Kernel kernel, int[] sources, int[][] expected) {
        double[] millis = new double[ROUNDS];
        for (int i = -1; i < ROUNDS; i++) {
            long begin = System.nanoTime();
            graph.multiSourceBfs(
                    sources,
                    NO_MAX_DEPTH,
                    batch -> {
                        for (int s = 0; batch.firstSource() == 0 && s < CHECKED; s++) {
                            for (int v = 0; v < expected[s].length; v += 97) {
                                if (batch.distance(s, v) != expected[s][v]) {
                                    throw new IllegalStateException("wrong distance: " + name + ", " + kernel);
                                }
                            }
                        }
                    },
                    with(kernel));
            if (i >= 0) {
                millis[i] = millisSince(begin);
            }
        }
        row(name, "call of 256 sources with distances in ms", kernel, "", millis);
    }

    private void farness(String name, LoadedGraph graph, LoadedGraph onCpu, Kernel kernel) {
        int rounds = kernel.equals(Kernel.of("tiles")) && graph.vertexCount() > 1 << 16 ? ROUNDS_OF_SECONDS : ROUNDS;
        double[] millis = new double[rounds];
        Farness found = null;
        for (int i = -1; i < rounds; i++) {
            long begin = System.nanoTime();
            found = graph.farness(Set.of(), with(kernel));
            if (i >= 0) {
                millis[i] = millisSince(begin);
            }
        }
        if (graph.vertexCount() <= 1 << 16) {
            Farness right = onCpu.farness(Set.of(), control);
            if (!Arrays.equals(found.farness(), right.farness()) || !Arrays.equals(found.reach(), right.reach())) {
                throw new IllegalStateException("wrong farness: " + name + ", " + kernel);
            }
        }
        row(name, "call of closeness of all in ms", kernel, "", millis);
    }

    private void row(String graph, String what, Kernel asked, String took, double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        out.printf(
                Locale.ROOT,
                "%s,%s,%s,%s,%s,%.4f,%.4f%n",
                build,
                graph,
                what,
                asked.keyword(),
                took,
                sorted[sorted.length / 2],
                Arrays.stream(values).average().orElseThrow());
    }

    private static double millisSince(long begin) {
        return (System.nanoTime() - begin) / 1e6;
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.cuda.choice.KernelChoice;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.family.nearfar.NearFarSearch;
import io.proxima.backend.cuda.graph.HeldGraph;
import io.proxima.backend.cuda.graph.ResidentGraph;
import io.proxima.backend.cuda.graph.WeightedLists;
import io.proxima.backend.cuda.kernel.KernelFamilies;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.Csc;
import io.proxima.projection.DoublePages;
import io.proxima.projection.WeightedCsc;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Measures weighted shortest paths on a device, each result checked against the CPU backend. Arguments: graphs as {@link
 * BenchmarkGraphs} names them. Weights are the integers from 1 to 255, and these divided by 256 and by 255, which are floats and
 * doubles; both directions of an edge have the same. For integers it measures several widths. A factor is delta divided
 * by the mean weight and multiplied by the mean degree.
 */
public final class NearFarBenchmark {

    private static final int SOURCES = 24;
    private static final int CHECKED = 5;
    private static final int SOURCES_OF_A_WIDTH = 5;
    private static final int LEAST_FACTOR = 0;
    private static final int GREATEST_FACTOR = 10;
    private final CudaBackend backend;
    private final RunControl control = RunControl.of(Runtime.getRuntime().availableProcessors());
    private final PrintStream out;

    private NearFarBenchmark(CudaBackend backend, PrintStream out) {
        this.backend = backend;
        this.out = out;
    }

    /** Runs; ends with an exception at the first result that differs from the CPU's. */
    public static void main(String[] args) {
        PrintStream out = System.out;
        try (CudaBackends backends = CudaBackends.ofThisHost()) {
            CudaBackends.Choice choice = backends.choose();
            if (choice.backend() == null) {
                throw new IllegalStateException(choice.reason());
            }
            run((CudaBackend) choice.backend(), out, List.of(args));
        }
    }

    static void run(CudaBackend backend, PrintStream out, List<String> graphs) {
        out.println(backend.info());
        NearFarBenchmark benchmark = new NearFarBenchmark(backend, out);
        graphs.forEach(benchmark::measure);
    }

    private void measure(String name) {
        long begin = System.nanoTime();
        Csc csc = new BenchmarkGraphs(control.concurrency()).make(name);
        out.printf(
                Locale.ROOT,
                "%n%s: %,d vertices, %,d entries, made in %.0f ms%n",
                name,
                csc.vertexCount(),
                csc.entryCount(),
                millis(begin));
        int[] sources = BenchmarkGraphs.sources(csc, SOURCES);
        WeightedCsc integers = weights(csc, 1);
        double[][] expected = onCpu(name, csc, integers, sources);
        widths(name, csc, integers, sources, expected);
        wholeCalls(name + " integers", csc, integers, sources, expected);
        for (int divisor : new int[] {BenchmarkGraphs.GREATEST_WEIGHT + 1, BenchmarkGraphs.GREATEST_WEIGHT}) {
            WeightedCsc fractions = weights(csc, divisor);
            String kind = name + (divisor > BenchmarkGraphs.GREATEST_WEIGHT ? " floats" : " doubles");
            wholeCalls(kind, csc, fractions, sources, onCpu(kind, csc, fractions, sources));
        }
        wholeCalls(name + " ones", csc, WeightedCsc.ofOnes(csc), sources, new double[0][]);
    }

    private WeightedCsc weights(Csc csc, double divisor) {
        DoublePages weights =
                DoublePages.allocate(csc.entryCount(), csc.rowIndices().pageShift());
        Workers.forRanges(control.concurrency(), csc.vertexCount(), 1 << 12, Stop.NEVER, (worker, from, to) -> {
            for (int vertex = (int) from; vertex < to; vertex++) {
                for (long entry = csc.columnStart(vertex); entry < csc.columnEnd(vertex); entry++) {
                    int row = csc.rowIndices().get(entry);
                    weights.set(entry, BenchmarkGraphs.weight(vertex, row) / divisor);
                }
            }
        });
        return WeightedCsc.of(csc.vertexCount(), csc.columnPointers(), csc.rowIndices(), weights);
    }

    private double[][] onCpu(String name, Csc csc, WeightedCsc weights, int[] sources) {
        double[][] costs = new double[CHECKED][];
        double[] times = new double[CHECKED];
        try (LoadedGraph graph = new CpuBackend().load(csc)) {
            for (int s = 0; s < CHECKED; s++) {
                long begin = System.nanoTime();
                costs[s] = graph.shortestPaths(sources[s], weights, LoadedGraph.ANY_DELTA, false, control)
                        .costs();
                times[s] = millis(begin);
            }
        }
        out.printf(Locale.ROOT, "%s, cpu: median %.2f ms%n", name, median(times));
        return costs;
    }

    private void widths(String name, Csc csc, WeightedCsc weights, int[] sources, double[][] expected) {
        CudaDevice device = backend.device();
        WeightedCsc.Lengths lengths = weights.lengths(control.concurrency(), Stop.NEVER);
        double unit = lengths.mean() * csc.vertexCount() / weights.entryCount();
        WeightedLists lists = WeightedLists.of(weights, lengths);
        ResidentGraph resident = new ResidentGraph(csc, device, backend.improver());
        resident.hold();
        try (HeldGraph view = resident.acquireUnordered(control)) {
            new KernelChoice(device, KernelFamilies.SHIPPED).shortestPaths(view, lists, control);
            for (int log = LEAST_FACTOR; log <= GREATEST_FACTOR; log++) {
                double[] times = new double[SOURCES_OF_A_WIDTH];
                long steps = 0;
                long edges = 0;
                for (int s = 0; s < SOURCES_OF_A_WIDTH; s++) {
                    NearFarSearch found = NearFarSearch.run(
                            device,
                            view.structure(lists),
                            csc.vertexCount(),
                            sources[s],
                            Math.scalb(unit, log),
                            control);
                    times[s] = found.outcome().millis();
                    steps += found.outcome().level();
                    edges += found.outcome().work();
                    check(name, expected, s, found.costs());
                }
                out.printf(
                        Locale.ROOT,
                        "%s, factor %d: kernel median %.3f ms, steps %d, edges queued %.2f%n",
                        name,
                        1 << log,
                        median(times),
                        steps / SOURCES_OF_A_WIDTH,
                        (double) edges / SOURCES_OF_A_WIDTH / weights.entryCount());
            }
        } finally {
            resident.letGo();
        }
    }

    private void wholeCalls(String name, Csc csc, WeightedCsc weights, int[] sources, double[][] expected) {
        double[] times = new double[sources.length];
        try (LoadedGraph graph = backend.load(csc)) {
            long begin = System.nanoTime();
            graph.shortestPaths(sources[0], weights, LoadedGraph.ANY_DELTA, false, control);
            double first = millis(begin);
            for (int s = 0; s < sources.length; s++) {
                begin = System.nanoTime();
                double[] costs = graph.shortestPaths(sources[s], weights, LoadedGraph.ANY_DELTA, false, control)
                        .costs();
                times[s] = millis(begin);
                check(name, expected, s, costs);
            }
            out.printf(Locale.ROOT, "%s, whole call: first %.1f ms, then median %.3f ms%n", name, first, median(times));
        }
        double[] kernels = new double[sources.length];
        WeightedCsc.Lengths lengths = weights.lengths(control.concurrency(), Stop.NEVER);
        WeightedLists lists = WeightedLists.of(weights, lengths);
        ResidentGraph resident = new ResidentGraph(csc, backend.device(), backend.improver());
        resident.hold();
        try (HeldGraph view = resident.acquireUnordered(control)) {
            view.require(Set.of(lists));
            for (int s = 0; s < sources.length; s++) {
                kernels[s] = NearFarSearch.run(
                                backend.device(),
                                view.structure(lists),
                                csc.vertexCount(),
                                sources[s],
                                NearFarSearch.delta(weights, lengths),
                                control)
                        .outcome()
                        .millis();
            }
        } finally {
            resident.letGo();
        }
        out.printf(Locale.ROOT, "%s, kernel: median %.3f ms%n", name, median(kernels));
    }

    private static void check(String name, double[][] expected, int source, double[] found) {
        if (source < expected.length && !Arrays.equals(expected[source], found)) {
            throw new IllegalStateException("wrong costs: graph=" + name + ", source=" + source);
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static double millis(long begin) {
        return (System.nanoTime() - begin) / 1e6;
    }
}

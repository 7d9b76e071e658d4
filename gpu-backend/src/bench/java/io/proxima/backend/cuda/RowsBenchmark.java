// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.RunObserver;
import io.proxima.backend.RunOptions;
import io.proxima.backend.cuda.choice.KernelChoice;
import io.proxima.backend.cuda.device.CudaDevice;
import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.graph.HeldGraph;
import io.proxima.backend.cuda.graph.ResidentGraph;
import io.proxima.backend.cuda.kernel.BatchKernels;
import io.proxima.backend.cuda.kernel.KernelFamilies;
import io.proxima.backend.cuda.kernel.SumKernels;
import io.proxima.backend.cuda.run.FarnessSums;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.Csc;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Exact closeness summed where searches arrive (receiver), and where they begin (source), in turns in one JVM. Arguments:
 * "MEASURES:ROUNDS:RECEIVED:SOURCES:GRAPH" with "farness", "harmonic" or "all" as measures; the number of sources of either
 * way, from amid the order of the graph, or 0 and 0 for all vertices, whose sums are then compared; and a graph as {@link
 * BenchmarkGraphs} names it.
 */
public final class RowsBenchmark {

    private final CudaBackend backend;
    private final RunControl control;
    private final KernelNames kernels = new KernelNames();
    private final PrintStream out;
    private String made = "";
    private Csc graph;

    private RowsBenchmark(CudaBackend backend, PrintStream out) {
        this.backend = backend;
        this.out = out;
        control = new RunControl(
                Runtime.getRuntime().availableProcessors(), Stop.NEVER, Progress.NONE, kernels, RunOptions.AUTO);
    }

    /** Runs; ends with an exception at the first result that differs. */
    public static void main(String[] args) {
        try (CudaBackends backends = CudaBackends.ofThisHost()) {
            run(backends, System.out, List.of(args));
        }
    }

    static void run(CudaBackends backends, PrintStream out, List<String> tasks) {
        CudaBackends.Choice choice = backends.choose();
        if (choice.backend() == null) {
            throw new IllegalStateException(choice.reason());
        }
        out.println("# " + choice.backend().info());
        out.println("graph,vertices,entries,measures,way,kernel,sources,round,seconds,microsPerSource");
        RowsBenchmark benchmark = new RowsBenchmark((CudaBackend) choice.backend(), out);
        for (String task : tasks) {
            String[] parts = task.split(":", 5);
            benchmark.compare(
                    parts[4],
                    parts[0],
                    Integer.parseInt(parts[1]),
                    Integer.parseInt(parts[2]),
                    Integer.parseInt(parts[3]));
        }
    }

    private Csc make(String name) {
        if (!name.equals(made)) {
            graph = new BenchmarkGraphs(control.concurrency()).make(name);
            made = name;
        }
        return graph;
    }

    private void compare(String name, String measured, int rounds, int received, int sourceCount) {
        Csc csc = make(name);
        Set<DistanceMeasure> measures =
                switch (measured) {
                    case "farness" -> Set.of();
                    case "harmonic" -> Set.of(DistanceMeasure.HARMONIC);
                    case "all" -> EnumSet.allOf(DistanceMeasure.class);
                    default -> throw new IllegalArgumentException("no such measures: " + measured);
                };
        CudaDevice device = backend.device();
        try (LoadedGraph loaded = backend.load(csc)) {
            ResidentGraph resident = backend.resident(csc);
            int[] sources;
            try (HeldGraph view = resident.acquire(control, csc.vertexCount())) {
                SumKernels sums = new KernelChoice(device, KernelFamilies.SHIPPED).sums(view, control);
                sources = sourceCount == 0
                        ? IntStream.range(0, csc.vertexCount()).toArray()
                        : amid(csc, view, sourceCount);
                // the first run of a way makes structures and loads code
                for (int round = 0; round <= rounds; round++) {
                    Farness ofAll = received == 0
                            ? timed(
                                    name,
                                    measured,
                                    "receiver",
                                    csc.vertexCount(),
                                    round,
                                    () -> loaded.farness(measures, control))
                            : timed(
                                    name,
                                    measured,
                                    "receiver",
                                    received,
                                    round,
                                    () -> amid(device, sums, received, view, measures));
                    Farness ofSources = timed(
                            name,
                            measured,
                            "source",
                            sources.length,
                            round,
                            () -> loaded.farness(sources, measures, control));
                    if (received == 0) {
                        check(ofAll, ofSources, sources);
                    }
                }
            }
        }
    }

    private Farness amid(CudaDevice device, SumKernels sums, int count, GraphView view, Set<DistanceMeasure> measures) {
        kernels.latest = sums.name();
        return FarnessSums.run(device, new Amid(sums, count), view, measures, control);
    }

    /** Vertices with edges from amid the order. */
    private static int[] amid(Csc csc, GraphView view, int count) {
        int[] linked = IntStream.range(0, csc.vertexCount())
                .map(slot -> view.order().isNatural()
                        ? slot
                        : view.order().permutation().vertex(slot))
                .filter(vertex -> csc.degree(vertex) > 0)
                .toArray();
        int first = Math.max(0, (linked.length - count) / 2);
        return Arrays.copyOfRange(linked, first, Math.min(linked.length, first + count));
    }

    /** Some sources from amid the order, whole batches of all kernels. */
    private static final class Amid extends ForwardingSumKernels {

        private static final int BATCH = 1024;

        private final int count;

        Amid(SumKernels kernels, int count) {
            super(kernels);
            this.count = count;
        }

        @Override
        public int sourceCount(GraphView view) {
            return Math.min(count, super.sourceCount(view));
        }

        @Override
        public Adding begin(
                DeviceLease lease, GraphView view, int most, long at, int first, int number, BatchKernels.Sums sums) {
            int offset = Math.max(0, (super.sourceCount(view) - count) / 2 / BATCH * BATCH);
            return super.begin(lease, view, most, at, offset + first, number, sums);
        }
    }

    private Farness timed(String name, String measured, String way, int sources, int round, Supplier<Farness> run) {
        long begin = System.nanoTime();
        Farness found = run.get();
        double seconds = (System.nanoTime() - begin) / 1e9;
        out.printf(
                Locale.ROOT,
                "%s,%d,%d,%s,%s,%s,%d,%s,%.4f,%.3f%n",
                name,
                graph.vertexCount(),
                graph.entryCount(),
                measured,
                way,
                kernels.latest,
                sources,
                round == 0 ? "first" : String.valueOf(round),
                seconds,
                1e6 * seconds / sources);
        return found;
    }

    private static void check(Farness ofAll, Farness ofSources, int[] sources) {
        Workers.forRanges(
                Runtime.getRuntime().availableProcessors(), sources.length, 1 << 16, Stop.NEVER, (worker, from, to) -> {
                    for (int i = (int) from; i < to; i++) {
                        int vertex = sources[i];
                        require(ofAll.farness()[vertex] == ofSources.farness()[i], "farness", vertex);
                        require(ofAll.reach()[vertex] == ofSources.reach()[i], "reach", vertex);
                        if (ofAll.harmonic() != null) {
                            require(ofAll.harmonic()[vertex] == ofSources.harmonic()[i], "harmonic sum", vertex);
                        }
                        if (ofAll.eccentricity() != null) {
                            require(
                                    ofAll.eccentricity()[vertex] == ofSources.eccentricity()[i],
                                    "eccentricity",
                                    vertex);
                        }
                    }
                });
        if (ofAll.hops() != null) {
            require(Arrays.equals(ofAll.hops(), ofSources.hops()), "hop distribution", -1);
        }
    }

    private static void require(boolean equal, String what, int vertex) {
        if (!equal) {
            throw new IllegalStateException(what + " differs at vertex " + vertex);
        }
    }

    /** Keeps the name of the kernels that a run reports. */
    private static final class KernelNames implements RunObserver {
        private String latest = "";

        @Override
        public void runsOn(String name, String reason) {
            // there is only one device
        }

        @Override
        public void runsWith(String order, String kernel, String reason) {
            latest = kernel;
        }
    }
}

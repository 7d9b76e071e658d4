// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.Farness;
import io.proxima.backend.Levels;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.Csc;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What several GPUs save: each run on one of them and on all, with equal results. Arguments: "closeness:ROUNDS:GRAPH",
 * and "searches:THREADS:GRAPH" for searches by several threads, with graphs as {@link BenchmarkGraphs} names them.
 */
public final class GroupBenchmark {

    private static final int SEARCHED = 64;
    private static final long NANOS_OF_SEARCHES = 2_000_000_000L;
    private static final int[] NO_TARGETS = {};

    private final TraversalBackend one;
    private final TraversalBackend all;
    private final RunControl control = RunControl.of(Runtime.getRuntime().availableProcessors());
    private final PrintStream out;
    private final long nanosOfSearches;
    private String made = "";
    private Csc graph;

    private GroupBenchmark(TraversalBackend one, TraversalBackend all, long nanosOfSearches, PrintStream out) {
        this.one = one;
        this.all = all;
        this.nanosOfSearches = nanosOfSearches;
        this.out = out;
    }

    /** Runs; ends with an exception at the first result that differs. */
    public static void main(String[] args) {
        try (CudaBackends backends = CudaBackends.ofThisHost()) {
            run(backends, NANOS_OF_SEARCHES, System.out, List.of(args));
        }
    }

    static void run(CudaBackends backends, long nanosOfSearches, PrintStream out, List<String> tasks) {
        TraversalBackend all = backends.chooseAll().backend();
        out.println(all.info());
        GroupBenchmark benchmark = new GroupBenchmark(backends.choose().backend(), all, nanosOfSearches, out);
        for (String task : tasks) {
            String[] parts = task.split(":", 3);
            int number = Integer.parseInt(parts[1]);
            Csc csc = benchmark.make(parts[2]);
            switch (parts[0]) {
                case "closeness" -> benchmark.closeness(parts[2], csc, number);
                case "searches" -> benchmark.searches(parts[2], csc, number);
                default -> throw new IllegalArgumentException("no such task: " + task);
            }
        }
    }

    private Csc make(String name) {
        if (!name.equals(made)) {
            long begin = System.nanoTime();
            graph = new BenchmarkGraphs(control.concurrency()).make(name);
            made = name;
            out.printf(
                    Locale.ROOT,
                    "%s: %,d vertices, %,d entries, made in %.1f s%n",
                    name,
                    graph.vertexCount(),
                    graph.entryCount(),
                    seconds(begin));
        }
        return graph;
    }

    private void closeness(String name, Csc csc, int rounds) {
        Farness[] results = new Farness[2];
        double[] medians = new double[2];
        TraversalBackend[] backends = {one, all};
        for (int i = 0; i < 2; i++) {
            try (LoadedGraph loaded = backends[i].load(csc)) {
                long begin = System.nanoTime();
                loaded.prepare(Run.FARNESS, csc.vertexCount(), control);
                double prepared = seconds(begin);
                double[] times = new double[rounds];
                for (int round = 0; round < rounds; round++) {
                    begin = System.nanoTime();
                    results[i] = loaded.farness(Set.of(), control);
                    times[round] = seconds(begin);
                }
                medians[i] = median(times);
                out.printf(
                        Locale.ROOT,
                        "%s closeness on %s: prepared in %.3f s, %s s%n",
                        name,
                        loaded.residentOn(),
                        prepared,
                        Arrays.toString(times));
            }
        }
        require(Arrays.equals(results[0].farness(), results[1].farness()), "farness");
        require(Arrays.equals(results[0].reach(), results[1].reach()), "reach");
        result(name, "closeness", "s", medians[0], medians[1], medians[0] / medians[1]);
    }

    private void searches(String name, Csc csc, int threads) {
        int[] sources = BenchmarkGraphs.sources(csc, SEARCHED);
        double[] rates = new double[2];
        TraversalBackend[] backends = {one, all};
        long[][] expected = new long[SEARCHED][];
        for (int i = 0; i < 2; i++) {
            try (LoadedGraph loaded = backends[i].load(csc)) {
                loaded.prepare(Run.BFS, SEARCHED, control);
                for (int s = 0; s < SEARCHED; s++) {
                    long[] sizes = search(loaded, sources[s]).frontierSizes();
                    require(expected[s] == null || Arrays.equals(expected[s], sizes), "levels");
                    expected[s] = sizes;
                }
                // the first stream copies the graph and compiles the code
                stream(loaded, sources, threads, expected);
                rates[i] = stream(loaded, sources, threads, expected);
                out.printf(
                        Locale.ROOT,
                        "%s searches by %d threads on %s: %.0f a second%n",
                        name,
                        threads,
                        loaded.residentOn(),
                        rates[i]);
            }
        }
        result(name, "searches by " + threads + " threads", "per s", rates[0], rates[1], rates[1] / rates[0]);
    }

    private double stream(LoadedGraph loaded, int[] sources, int threads, long[][] expected) {
        AtomicLong done = new AtomicLong();
        long begin = System.nanoTime();
        Workers.run(threads, Stop.NEVER, (worker, stop) -> {
            int next = worker;
            while (System.nanoTime() - begin < nanosOfSearches) {
                int s = next % SEARCHED;
                require(Arrays.equals(search(loaded, sources[s]).frontierSizes(), expected[s]), "levels");
                done.incrementAndGet();
                next += threads;
            }
        });
        return done.get() / seconds(begin);
    }

    private Levels search(LoadedGraph loaded, int source) {
        return loaded.bfs(source, LoadedGraph.NO_MAX_DEPTH, NO_TARGETS, control);
    }

    private void result(String graphName, String what, String unit, double ofOne, double ofAll, double speedUp) {
        out.printf(
                Locale.ROOT,
                "RESULT %s,\"%s\",%s,one %.4f,all %.4f,speed-up %.2f, equal%n",
                graphName,
                what,
                unit,
                ofOne,
                ofAll,
                speedUp);
    }

    private static double median(double[] times) {
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static void require(boolean equal, String what) {
        if (!equal) {
            throw new IllegalStateException("one device and several differ: " + what);
        }
    }

    private static double seconds(long beginNanos) {
        return (System.nanoTime() - beginNanos) / 1e9;
    }
}

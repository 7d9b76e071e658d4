// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.select.TraversalBackends;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.concurrent.Stop;
import io.proxima.memory.HeapBudget;
import io.proxima.projection.csc.Csc;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Measures the first calls on a graph in a server that has just started: warms up as the server does, makes a graph,
 * and calls operations on it. Prints a line of CSV for the warm-up and for each call. A process measures one graph,
 * because its calls warm up those on another.
 *
 * <p>Arguments: the configuration key {@code backend}; a graph as {@link BenchmarkGraphs} names it; and the calls, each
 * "bfs" or "farness", of all vertices.
 *
 * <p>Making the graph compiles the code that builds a CSC, as the projection of a graph does in a server. It orders and
 * relabels nothing. Compilations that the warm-up has requested end meanwhile.
 */
public final class FirstCalls {

    private static final String HEADER = "graph,step,millis";

    /** As the plugin's. */
    private static final int WARM_UP_THREADS = 2;

    private static final int[] NO_TARGETS = {};

    private final String name;
    private final PrintStream out;
    private final int concurrency = Runtime.getRuntime().availableProcessors();

    FirstCalls(String name, PrintStream out) {
        this.name = name;
        this.out = out;
    }

    /** Measures one graph. */
    public static void main(String[] args) {
        Wanted wanted = Wanted.valueOf(args[0].toUpperCase(Locale.ROOT));
        FirstCalls calls = new FirstCalls(args[1], System.out);
        try (TraversalBackends backends = TraversalBackends.ofThisHost(BackendSettings.ofSystemProperties())) {
            System.out.println(HEADER);
            calls.timed("warm-up", () -> backends.warmUp(wanted, HeapBudget.UNLIMITED, WARM_UP_THREADS, Stop.NEVER));
            calls.run(backends.select(wanted).backend(), List.of(args).subList(2, args.length));
        }
    }

    void run(TraversalBackend backend, List<String> operations) {
        Csc csc = new BenchmarkGraphs(concurrency).make(name);
        int[] sources = BenchmarkGraphs.sources(csc, Math.max(1, operations.size()));
        try (LoadedGraph graph = timed("load", () -> backend.load(csc))) {
            for (int call = 0; call < operations.size(); call++) {
                String operation = operations.get(call);
                int source = sources[call];
                timed((call + 1) + " " + operation, () -> call(graph, operation, source));
            }
        }
    }

    private Object call(LoadedGraph graph, String operation, int source) {
        RunContext control = RunContext.of(concurrency);
        return switch (operation) {
            case "bfs" -> graph.bfs(source, LoadedGraph.NO_MAX_DEPTH, NO_TARGETS, control);
            case "farness" -> graph.farness(Set.of(), control);
            default -> throw new IllegalArgumentException("no such operation: " + operation);
        };
    }

    private <T> T timed(String step, Supplier<T> work) {
        long begin = System.nanoTime();
        T result = work.get();
        out.printf(Locale.ROOT, "%s,%s,%.3f%n", name, step, (System.nanoTime() - begin) / 1e6);
        return result;
    }
}

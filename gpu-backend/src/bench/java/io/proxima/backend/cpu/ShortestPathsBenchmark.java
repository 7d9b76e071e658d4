// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.concurrent.Stop;
import io.proxima.projection.Orientation;
import io.proxima.projection.WeightedEdgeList;
import io.proxima.projection.WeightedEdgeList.Graphs;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Shortest paths by delta-stepping: the time of each delta. Arguments: the CSV's path, then graphs: {@code rmat-SCALE},
 * {@code grid-SIDE} or {@code path-VERTICES}. Each graph is undirected, with each of these weights: integers from 1 to 255,
 * doubles from 0 to 1, and doubles of ten magnitudes, whose logarithms are uniform. Each time is the shortest of
 * {@value #ROUNDS}. A factor is delta divided by the mean weight and multiplied by the mean degree.
 */
public final class ShortestPathsBenchmark {

    private static final int ROUNDS = 7;
    private static final int EDGES_PER_VERTEX = 16;
    private static final long SEED = 7;
    private static final int GREATEST_INTEGER = 255;
    private static final int MAGNITUDES = 10;

    /** Binary logarithms of the factors. */
    private static final int LEAST_FACTOR = -2;

    private static final int GREATEST_FACTOR = 8;

    private static final Map<String, ToDoubleFunction<Random>> WEIGHTS = new TreeMap<>(Map.of(
            "integers",
            random -> 1 + random.nextInt(GREATEST_INTEGER),
            "doubles",
            Random::nextDouble,
            "magnitudes",
            random -> Math.pow(10, MAGNITUDES * random.nextDouble())));

    private ShortestPathsBenchmark() {}

    /** Runs. */
    public static void main(String[] args) throws IOException {
        try (PrintWriter csv = new PrintWriter(Files.newBufferedWriter(Path.of(args[0]), StandardCharsets.US_ASCII))) {
            run(csv, List.of(args).subList(1, args.length), Runtime.getRuntime().availableProcessors());
        }
    }

    static void run(PrintWriter csv, List<String> graphs, int cores) {
        csv.println("graph,weights,vertices,entries,threads,predecessors,factor,delta,millis");
        for (String name : graphs) {
            WEIGHTS.forEach((weights, weight) -> measure(csv, name, weights, weight, cores));
        }
    }

    private static void measure(
            PrintWriter csv, String name, String weights, ToDoubleFunction<Random> weight, int cores) {
        Graphs graphs = make(name, weight);
        LoadedGraph graph = new CpuBackend().load(graphs.csc());
        int source = 0;
        while (graphs.csc().degree(source) == 0) {
            source++;
        }
        double unit = graphs.weights().lengths(cores, Stop.NEVER).mean()
                * graphs.csc().vertexCount()
                / graphs.weights().entryCount();
        for (int threads = 1; threads <= cores; threads *= 2) {
            for (boolean withPredecessors : new boolean[] {false, true}) {
                RunControl control = RunControl.of(threads);
                for (int log = LEAST_FACTOR - 1; log <= GREATEST_FACTOR; log++) {
                    boolean derived = log < LEAST_FACTOR;
                    double delta = derived ? LoadedGraph.ANY_DELTA : Math.scalb(unit, log);
                    double shortest = Double.MAX_VALUE;
                    for (int round = 0; round < ROUNDS; round++) {
                        long begin = System.nanoTime();
                        graph.shortestPaths(source, graphs.weights(), delta, withPredecessors, control);
                        shortest = Math.min(shortest, (System.nanoTime() - begin) / 1e6);
                    }
                    csv.printf(
                            Locale.ROOT,
                            "%s,%s,%d,%d,%d,%b,%s,%s,%.1f%n",
                            name,
                            weights,
                            graphs.csc().vertexCount(),
                            graphs.weights().entryCount(),
                            threads,
                            withPredecessors,
                            derived ? "derived" : Math.scalb(1.0, log),
                            derived ? "derived" : delta,
                            shortest);
                    csv.flush();
                }
            }
        }
    }

    private static Graphs make(String name, ToDoubleFunction<Random> weight) {
        int size = Integer.parseInt(name.substring(name.indexOf('-') + 1));
        Random random = new Random(SEED);
        WeightedEdgeList edges;
        if (name.startsWith("path")) {
            edges = new WeightedEdgeList(size, Orientation.UNDIRECTED);
            for (int vertex = 1; vertex < size; vertex++) {
                edges.add(vertex - 1, vertex, weight.applyAsDouble(random));
            }
        } else if (name.startsWith("grid")) {
            edges = new WeightedEdgeList(size * size, Orientation.UNDIRECTED);
            for (int vertex = 0; vertex < size * size; vertex++) {
                if (vertex % size < size - 1) {
                    edges.add(vertex, vertex + 1, weight.applyAsDouble(random));
                }
                if (vertex < size * (size - 1)) {
                    edges.add(vertex, vertex + size, weight.applyAsDouble(random));
                }
            }
        } else {
            edges = new WeightedEdgeList(1 << size, Orientation.UNDIRECTED);
            for (int edge = 0; edge < EDGES_PER_VERTEX << size; edge++) {
                int source = 0;
                int target = 0;
                for (int bit = 0; bit < size; bit++) {
                    double quarter = random.nextDouble();
                    source = source << 1 | (quarter < 0.76 ? 0 : 1);
                    target = target << 1 | (quarter < 0.57 || (quarter >= 0.76 && quarter < 0.95) ? 0 : 1);
                }
                edges.add(source, target, weight.applyAsDouble(random));
            }
        }
        return edges.build(Runtime.getRuntime().availableProcessors(), Stop.NEVER);
    }
}

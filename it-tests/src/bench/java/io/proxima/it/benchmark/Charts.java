// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.Prints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleBiFunction;

/**
 * Draws the charts of the README and of the manual from the committed results.
 *
 * <pre>
 * mvn -B -ntp -Pbenchmark verify -Dproxima.benchmark.class=Charts
 * </pre>
 */
@Prints
public final class Charts {

    private Charts() {}

    /** Writes the charts; the system property {@code proxima.benchmark.directory} names the folder of the results. */
    public static void main(String[] arguments) throws IOException {
        for (Map.Entry<Path, String> chart : drawn(Path.of(System.getProperty("proxima.benchmark.directory")))
                .entrySet()) {
            Files.writeString(chart.getKey(), chart.getValue());
            System.out.println("Wrote " + chart.getKey());
        }
    }

    /** The charts of the results in a folder, as SVG, by the file that each is committed to. */
    static Map<Path, String> drawn(Path results) throws IOException {
        Path images = results.resolve("../modules/ROOT/images").normalize();
        return new TreeMap<>(Map.of(
                images.resolve("closeness.svg"), closeness(Measurements.read(results.resolve("peers.csv"))),
                images.resolve("backends.svg"), backends(Measurements.read(results.resolve("h200-neo4j.csv"))),
                images.resolve("techniques.svg"),
                        kernels(Measurements.read(results.resolve("h200-techniques-best.csv")))));
    }

    private static String closeness(Measurements times) {
        List<String> sides = List.of(PeerBenchmark.OURS, PeerBenchmark.THEIRS);
        ToDoubleBiFunction<String, String> median = (graph, side) -> times.median(graph, "closeness", side);
        Map<String, double[]> rows = new LinkedHashMap<>();
        times.graphs("closeness").stream()
                .filter(graph -> Double.isFinite(median.applyAsDouble(graph, PeerBenchmark.THEIRS)))
                .map(graph -> Map.entry(
                        graph,
                        sides.stream()
                                .mapToDouble(side -> median.applyAsDouble(graph, side))
                                .toArray()))
                .sorted(Comparator.comparingDouble(row -> row.getValue()[0] / row.getValue()[1]))
                .forEach(row -> rows.put(row.getKey(), row.getValue()));
        return new TimeChart(
                        "Exact closeness of every node, median time",
                        1,
                        6,
                        List.of("Proxima on the CPU", "Graph Data Science 2.13.9"),
                        rows)
                .toString();
    }

    private static String backends(Measurements times) {
        Map<String, double[]> rows = new LinkedHashMap<>();
        for (int threads : new int[] {4, 16}) {
            String step = "closeness.write with concurrency " + threads + ": call";
            rows.put(
                    threads + " threads",
                    new double[] {times.median("rmat-18", step, "cuda"), times.median("rmat-18", step, "cpu")});
        }
        return new TimeChart(
                        "closeness.write of R-MAT 18 in Neo4j, median time",
                        1,
                        6,
                        List.of("backend cuda (NVIDIA H200)", "backend cpu"),
                        rows)
                .toString();
    }

    private static String kernels(Measurements times) {
        List<String> graphs = times.graphs("search");
        Map<String, double[]> rows = new LinkedHashMap<>();
        for (String kernel : times.sides("search")) {
            rows.put(
                    // as it was called when it was measured
                    kernel.equals("tile") ? "tile-bfs" : kernel,
                    graphs.stream()
                            .mapToDouble(graph -> times.median(graph, "search", kernel))
                            .toArray());
        }
        return new TimeChart("One search on an NVIDIA H200, median time of the kernel", 0.01, 4, graphs, rows)
                .toString();
    }
}

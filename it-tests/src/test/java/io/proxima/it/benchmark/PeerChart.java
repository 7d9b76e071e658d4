/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.it.benchmark;

import io.proxima.it.Prints;
import io.proxima.it.svg.Svg;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Draws the chart of the README from the committed results of {@link PeerBenchmark}: the median time of closeness of
 * every node, of Proxima and of the Graph Data Science library, on each graph that both completed.
 *
 * <pre>
 * mvn -B -ntp -Pbenchmark verify -Dproxima.benchmark.class=PeerChart
 * </pre>
 */
@Prints
public final class PeerChart {

    private static final String STEP = "closeness";
    private static final String OURS = "proxima";
    private static final String THEIRS = "gds";

    private static final int WIDTH = 760;
    private static final int LEFT = 210;
    private static final int RIGHT = 70;
    private static final int TOP = 70;
    private static final int ROW = 36;
    private static final int BOTTOM = 40;

    /** The axis is logarithmic, from this power of ten of milliseconds to that. */
    private static final int FIRST_POWER = 0;

    private static final int LAST_POWER = 6;
    private static final List<String> TICKS = List.of("1 ms", "10 ms", "0.1 s", "1 s", "10 s", "100 s", "1,000 s");

    private PeerChart() {}

    /** Writes the chart; the system property {@code proxima.benchmark.directory} names the folder of the results. */
    public static void main(String[] arguments) throws IOException {
        Path results = Path.of(System.getProperty("proxima.benchmark.directory"));
        Path chart = file(results);
        Files.createDirectories(chart.getParent());
        Files.writeString(chart, draw(results));
        System.out.println("Wrote " + chart);
    }

    /** Where the chart is committed. */
    static Path file(Path results) {
        return results.resolve("../modules/ROOT/images/closeness.svg").normalize();
    }

    /** The chart of the results in a folder, as SVG. */
    static String draw(Path results) throws IOException {
        Map<String, Map<String, double[]>> times = times(results.resolve("peers.csv"));
        times.values().removeIf(sides -> Double.isInfinite(median(sides, THEIRS)));
        Map<String, String> sizes = sizes(results.resolve("peers.md"));
        List<String> graphs = times.keySet().stream()
                .sorted(Comparator.comparingDouble(
                        graph -> -median(times.get(graph), THEIRS) / median(times.get(graph), OURS)))
                .toList();
        int height = TOP + ROW * graphs.size() + BOTTOM;
        Svg chart = new Svg(WIDTH, height, "Closeness of every node: Proxima and GDS")
                .text("title", Svg.Anchor.START, 0, 16, "Exact closeness of every node, median time")
                .disc("first", 8, 38, 6, "Proxima")
                .text("ink", Svg.Anchor.START, 20, 42, "Proxima on the CPU")
                .disc("second", 168, 38, 6, "GDS")
                .text("ink", Svg.Anchor.START, 180, 42, "Graph Data Science 2.13.9");
        for (int power = FIRST_POWER; power <= LAST_POWER; power++) {
            double x = x(Math.pow(10, power));
            chart.line("grid", x, TOP - 8, x, height - BOTTOM)
                    .text("quiet", Svg.Anchor.MIDDLE, x, height - BOTTOM + 18, TICKS.get(power - FIRST_POWER));
        }
        for (int row = 0; row < graphs.size(); row++) {
            String graph = graphs.get(row);
            double ours = median(times.get(graph), OURS);
            double theirs = median(times.get(graph), THEIRS);
            double y = TOP + ROW * (row + 0.5);
            chart.text("ink", Svg.Anchor.END, LEFT - 16, y - 1, graph)
                    .text("quiet", Svg.Anchor.END, LEFT - 16, y + 12, sizes.get(graph))
                    .line("span", x(ours), y, x(theirs), y)
                    .disc("first", x(ours), y, 6, "Proxima: " + millis(ours))
                    .disc("second", x(theirs), y, 6, "GDS: " + millis(theirs))
                    .text(
                            "ink",
                            Svg.Anchor.START,
                            x(theirs) + 12,
                            y + 5,
                            String.format(Locale.ROOT, "%.0f×", theirs / ours));
        }
        return chart.toString();
    }

    private static double x(double millis) {
        double share = (Math.log10(millis) - FIRST_POWER) / (LAST_POWER - FIRST_POWER);
        return LEFT + share * (WIDTH - LEFT - RIGHT);
    }

    private static String millis(double millis) {
        return String.format(Locale.ROOT, "%,.1f ms", millis);
    }

    /** Every time of the step, by graph and side. */
    private static Map<String, Map<String, double[]>> times(Path csv) throws IOException {
        Map<String, Map<String, double[]>> times = new LinkedHashMap<>();
        for (String line : Files.readAllLines(csv)) {
            String[] cells = line.split(",", -1);
            if (cells[1].equals(STEP)) {
                times.computeIfAbsent(cells[0], graph -> new HashMap<>())
                        .merge(cells[2], new double[] {Double.parseDouble(cells[4])}, PeerChart::joined);
            }
        }
        return times;
    }

    private static double[] joined(double[] head, double[] tail) {
        double[] all = Arrays.copyOf(head, head.length + tail.length);
        System.arraycopy(tail, 0, all, head.length, tail.length);
        return all;
    }

    private static double median(Map<String, double[]> sides, String side) {
        return Measurements.median(sides.get(side));
    }

    /** The number of relationships of each graph, from the table at the head of the report. */
    private static Map<String, String> sizes(Path report) throws IOException {
        Map<String, String> sizes = new HashMap<>();
        for (String line : Files.readAllLines(report)) {
            List<String> cells = new ArrayList<>(Arrays.asList(line.split("\\s*\\|\\s*", -1)));
            if (cells.size() == 5) {
                sizes.putIfAbsent(cells.get(1), cells.get(3) + " relationships");
            }
        }
        return sizes;
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.svg.Svg;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Draws the chart of the README from the committed results of {@link PeerBenchmark}: the median time of closeness of
 * every node, of Proxima and of the Graph Data Science library, on each graph that both completed.
 */
final class PeerChart {

    private static final String STEP = "closeness";
    private static final String OURS = "proxima";
    private static final String THEIRS = "gds";

    private static final int WIDTH = 760;
    private static final int LEFT = 210;
    private static final int RIGHT = 70;
    private static final int TOP = 70;
    private static final int ROW = 36;
    private static final int BOTTOM = 40;
    private static final TimeAxis AXIS = TimeAxis.ofCalls(LEFT, WIDTH - RIGHT);

    private PeerChart() {}

    /** The chart of the results in a folder, as SVG. */
    static String draw(Path results) throws IOException {
        Measurements measurements = Measurements.read(results.resolve("peers.csv"));
        ToDoubleFunction<String> ourMedian = graph -> measurements.median(graph, STEP, OURS);
        ToDoubleFunction<String> theirMedian = graph -> measurements.median(graph, STEP, THEIRS);
        Map<String, String> sizes = sizes(results.resolve("peers.md"));
        List<String> graphs = measurements.graphs(STEP).stream()
                .filter(graph -> Double.isFinite(theirMedian.applyAsDouble(graph)))
                .sorted(Comparator.comparingDouble(
                        graph -> -theirMedian.applyAsDouble(graph) / ourMedian.applyAsDouble(graph)))
                .toList();
        int height = TOP + ROW * graphs.size() + BOTTOM;
        Svg chart = new Svg(WIDTH, height, "Closeness of every node: Proxima and GDS")
                .text("title", Svg.Anchor.START, 0, 16, "Exact closeness of every node, median time")
                .disc("first", 8, 38, 6, "Proxima")
                .text("ink", Svg.Anchor.START, 20, 42, "Proxima on the CPU")
                .disc("second", 168, 38, 6, "GDS")
                .text("ink", Svg.Anchor.START, 180, 42, "Graph Data Science 2.13.9");
        AXIS.draw(chart, TOP - 8, height - BOTTOM);
        for (int row = 0; row < graphs.size(); row++) {
            String graph = graphs.get(row);
            double ours = ourMedian.applyAsDouble(graph);
            double theirs = theirMedian.applyAsDouble(graph);
            double y = TOP + ROW * (row + 0.5);
            chart.text("ink", Svg.Anchor.END, LEFT - 16, y - 1, graph)
                    .text("quiet", Svg.Anchor.END, LEFT - 16, y + 12, sizes.get(graph))
                    .line("span", AXIS.x(ours), y, AXIS.x(theirs), y)
                    .disc("first", AXIS.x(ours), y, 6, "Proxima: " + TimeAxis.label(ours))
                    .disc("second", AXIS.x(theirs), y, 6, "GDS: " + TimeAxis.label(theirs))
                    .text(
                            "ink",
                            Svg.Anchor.START,
                            AXIS.x(theirs) + 12,
                            y + 5,
                            String.format(Locale.ROOT, "%.0f×", theirs / ours));
        }
        return chart.toString();
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

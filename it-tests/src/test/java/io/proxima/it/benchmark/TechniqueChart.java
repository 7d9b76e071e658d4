// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.svg.Svg;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** How long a search takes with each kernel, on five graphs. */
final class TechniqueChart {

    private static final String STEP = "search";

    /** The colours of the graphs, in the order of measuring: legible on white and on black, and for the colour-blind. */
    private static final List<String> COLOURS = List.of("#0072b2", "#56b4e9", "#009e73", "#d55e00", "#cc79a7");

    private static final int WIDTH = 760;
    private static final int LEFT = 190;
    private static final int RIGHT = 30;
    private static final int TOP = 70;
    private static final int ROW = 26;
    private static final int BOTTOM = 40;
    private static final int KEY_WIDTH = 110;
    private static final TimeAxis AXIS = TimeAxis.ofSearches(LEFT, WIDTH - RIGHT);

    private TechniqueChart() {}

    /** The chart of the results in a folder, as SVG. */
    static String draw(Path results) throws IOException {
        Measurements measurements = Measurements.read(results.resolve("h200-techniques-best.csv"));
        List<String> graphs = measurements.graphs(STEP);
        List<String> kernels = measurements.sides(STEP);
        int height = TOP + ROW * kernels.size() + BOTTOM;
        Svg chart = new Svg(WIDTH, height, "Searches with each kernel")
                .text("title", Svg.Anchor.START, 0, 16, "One search on an NVIDIA H200, median time of the kernel");
        for (int graph = 0; graph < graphs.size(); graph++) {
            chart.disc(COLOURS.get(graph), 8 + KEY_WIDTH * graph, 38, 5, graphs.get(graph))
                    .text("ink", Svg.Anchor.START, 18 + KEY_WIDTH * graph, 42, graphs.get(graph));
        }
        AXIS.draw(chart, TOP - 8, height - BOTTOM);
        for (int row = 0; row < kernels.size(); row++) {
            String kernel = kernels.get(row);
            double y = TOP + ROW * (row + 0.5);
            chart.text("ink", Svg.Anchor.END, LEFT - 12, y + 5, kernel);
            for (int graph = 0; graph < graphs.size(); graph++) {
                double millis = measurements.median(graphs.get(graph), STEP, kernel);
                if (!Double.isNaN(millis)) {
                    String tooltip = String.format(Locale.ROOT, "%s, %s: %.3f ms", kernel, graphs.get(graph), millis);
                    chart.disc(COLOURS.get(graph), AXIS.x(millis), y, 5, tooltip);
                }
            }
        }
        return chart.toString();
    }
}

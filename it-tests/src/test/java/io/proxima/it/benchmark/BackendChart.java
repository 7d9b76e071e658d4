// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.svg.Svg;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Draws the chart of the manual's performance page from the committed results of {@link BackendBenchmark}: the median
 * time of closeness.write with each number of threads, on the CPU and on the GPU.
 */
final class BackendChart {

    private static final String GRAPH = "rmat-18";
    private static final String[] CONCURRENCIES = {"4", "16"};

    private static final int WIDTH = 760;
    private static final int LEFT = 110;
    private static final int RIGHT = 40;
    private static final int TOP = 70;
    private static final int ROW = 36;
    private static final int BOTTOM = 40;
    private static final TimeAxis AXIS = TimeAxis.ofCalls(LEFT, WIDTH - RIGHT);

    private BackendChart() {}

    /** The chart of the results in a folder, as SVG. */
    static String draw(Path results) throws IOException {
        Measurements measurements = Measurements.read(results.resolve("h200-neo4j.csv"));
        int height = TOP + ROW * CONCURRENCIES.length + BOTTOM;
        Svg chart = new Svg(WIDTH, height, "closeness.write on the CPU and on a GPU")
                .text("title", Svg.Anchor.START, 0, 16, "closeness.write of R-MAT 18 in Neo4j, median time")
                .disc("first", 8, 38, 6, "cuda")
                .text("ink", Svg.Anchor.START, 20, 42, "backend cuda (NVIDIA H200)")
                .disc("second", 228, 38, 6, "cpu")
                .text("ink", Svg.Anchor.START, 240, 42, "backend cpu");
        AXIS.draw(chart, TOP - 8, height - BOTTOM);
        for (int row = 0; row < CONCURRENCIES.length; row++) {
            String step = "closeness.write with concurrency " + CONCURRENCIES[row] + ": call";
            double cuda = measurements.median(GRAPH, step, "cuda");
            double cpu = measurements.median(GRAPH, step, "cpu");
            double y = TOP + ROW * (row + 0.5);
            chart.text("ink", Svg.Anchor.END, LEFT - 16, y + 5, CONCURRENCIES[row] + " threads")
                    .line("span", AXIS.x(cuda), y, AXIS.x(cpu), y)
                    .disc("first", AXIS.x(cuda), y, 6, "cuda: " + TimeAxis.label(cuda))
                    .disc("second", AXIS.x(cpu), y, 6, "cpu: " + TimeAxis.label(cpu))
                    .text("ink", Svg.Anchor.START, AXIS.x(cpu) + 12, y + 5, TimeAxis.label(cpu));
        }
        return chart.toString();
    }
}

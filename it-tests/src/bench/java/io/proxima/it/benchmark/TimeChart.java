// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.svg.Svg;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Times on a logarithmic axis: a row for each work, and a dot for each side that did it.
 *
 * @param title of the chart
 * @param least where the axis begins, a power of ten, in milliseconds
 * @param decades the length of the axis, in powers of ten
 * @param sides those who worked, at most five
 * @param rows milliseconds in the order of the sides, not a number if one did not work, by the name of the work
 */
record TimeChart(String title, double least, int decades, List<String> sides, Map<String, double[]> rows) {

    /** Legible on white and on black, and for the colour-blind. */
    private static final List<String> COLOURS = List.of("#0072b2", "#d55e00", "#009e73", "#56b4e9", "#cc79a7");

    private static final int WIDTH = 760;
    private static final int LEFT = 190;
    private static final int RIGHT = 60;
    private static final int TOP = 70;
    private static final int ROW = 30;
    private static final int BOTTOM = 40;
    private static final int RADIUS = 5;

    @Override
    public String toString() {
        int bottom = TOP + ROW * rows.size();
        Svg chart = new Svg(WIDTH, bottom + BOTTOM, title).text("title", Svg.Anchor.START, 0, 16, title);
        for (int side = 0; side < sides.size(); side++) {
            double x = 8 + (double) side * WIDTH / sides.size();
            chart.disc(COLOURS.get(side), x, 38, RADIUS, sides.get(side))
                    .text("ink", Svg.Anchor.START, x + 10, 42, sides.get(side));
        }
        for (int decade = 0; decade <= decades; decade++) {
            double millis = least * Math.pow(10, decade);
            chart.line("grid", x(millis), TOP - 8, x(millis), bottom)
                    .text("quiet", Svg.Anchor.MIDDLE, x(millis), bottom + 18, tick(millis));
        }
        chart.text("quiet", Svg.Anchor.END, LEFT - 25, bottom + 18, "logarithmic scale");
        int row = 0;
        for (Map.Entry<String, double[]> work : rows.entrySet()) {
            draw(chart, work.getKey(), work.getValue(), TOP + ROW * (row++ + 0.5));
        }
        return chart.toString();
    }

    private void draw(Svg chart, String work, double[] millis, double y) {
        chart.text("ink", Svg.Anchor.END, LEFT - 12, y + 5, work);
        if (millis.length == 2) {
            chart.line("span", x(millis[0]), y, x(millis[1]), y)
                    .text(
                            "ink",
                            Svg.Anchor.START,
                            x(Math.max(millis[0], millis[1])) + 12,
                            y + 5,
                            String.format(Locale.ROOT, "%.0f×", millis[1] / millis[0]));
        }
        for (int side = 0; side < millis.length; side++) {
            if (!Double.isNaN(millis[side])) {
                String tooltip = String.format(Locale.ROOT, "%s, %s: %,.3f ms", work, sides.get(side), millis[side]);
                chart.disc(COLOURS.get(side), x(millis[side]), y, RADIUS, tooltip);
            }
        }
    }

    private double x(double millis) {
        return LEFT + Math.log10(millis / least) / decades * (WIDTH - RIGHT - LEFT);
    }

    private static String tick(double millis) {
        return millis < 1000
                ? String.format(Locale.ROOT, millis < 1 ? "%.1g ms" : "%.0f ms", millis)
                : String.format(Locale.ROOT, "%,.0f s", millis / 1000);
    }
}

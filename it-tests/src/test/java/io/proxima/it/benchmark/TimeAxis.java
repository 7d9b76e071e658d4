// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.benchmark;

import io.proxima.it.svg.Svg;
import java.util.List;
import java.util.Locale;

/**
 * The logarithmic axis of times in a chart.
 *
 * @param left where it begins, in pixels
 * @param right where it ends, in pixels
 * @param least the time where it begins, in milliseconds
 * @param ticks the labels of that time and of the powers of ten above it
 */
record TimeAxis(double left, double right, double least, List<String> ticks) {

    /** From 1 ms to 1,000 s. */
    static TimeAxis ofCalls(double left, double right) {
        return new TimeAxis(left, right, 1, List.of("1 ms", "10 ms", "0.1 s", "1 s", "10 s", "100 s", "1,000 s"));
    }

    /** From 0.01 ms to 100 ms. */
    static TimeAxis ofSearches(double left, double right) {
        return new TimeAxis(left, right, 0.01, List.of("0.01 ms", "0.1 ms", "1 ms", "10 ms", "100 ms"));
    }

    /** Draws a line and a label for each power of ten. */
    void draw(Svg chart, double top, double bottom) {
        double millis = least;
        for (String tick : ticks) {
            chart.line("grid", x(millis), top, x(millis), bottom)
                    .text("quiet", Svg.Anchor.MIDDLE, x(millis), bottom + 18, tick);
            millis *= 10;
        }
    }

    /** A time in words. */
    static String label(double millis) {
        return String.format(Locale.ROOT, "%,.1f ms", millis);
    }

    /** The position of a time. */
    double x(double millis) {
        return left + Math.log10(millis / least) / (ticks.size() - 1) * (right - left);
    }
}

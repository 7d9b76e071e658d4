// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.demo;

import io.proxima.it.svg.Svg;
import java.util.Arrays;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;

/** A page that shows the results of the demo: a map of the airports, the hop plot, and the distribution of scores. */
final class Report {

    private static final int WIDTH = 1000;
    private static final int PLOT_HEIGHT = 300;
    private static final int LEFT = 80;
    private static final int TOP = 40;
    private static final int BOTTOM = 45;
    private static final int SCORE_BINS = 40;

    /** From low to high: dark blue, green, yellow, equally legible to readers who do not see red and green apart. */
    private static final int[][] SCALE = {
        {0x2b, 0x1d, 0x5e}, {0x2f, 0x6b, 0x8e}, {0x22, 0xa3, 0x84}, {0x9b, 0xd1, 0x3c}, {0xfd, 0xd8, 0x25}
    };

    /**
     * An airport with its score.
     *
     * @param name for the tooltip
     * @param latitude in degrees
     * @param longitude in degrees
     * @param score its closeness
     */
    record Place(String name, double latitude, double longitude, double score) {}

    private final List<Place> places;
    private final DoubleSummaryStatistics scores;
    private final List<Long> pairsByHops;

    /**
     * The results to show.
     *
     * @param places all airports
     * @param pairsByHops the number of ordered pairs of airports at each distance, from distance 0
     */
    Report(List<Place> places, List<Long> pairsByHops) {
        this.places =
                places.stream().sorted(Comparator.comparingDouble(Place::score)).toList();
        this.scores = places.stream().mapToDouble(Place::score).summaryStatistics();
        this.pairsByHops = pairsByHops;
    }

    /**
     * The page, in HTML, with nothing to be loaded from elsewhere.
     *
     * @param subtitle what computed the results
     */
    String html(String subtitle) {
        return String.format(Locale.ROOT, """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="color-scheme" content="light dark">
                <title>Proxima: the airports of the world</title>
                <style>
                body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:1000px;padding:0 1rem}
                svg{height:auto;max-width:100%%}
                </style>
                </head>
                <body>
                <h1>The airports of the world</h1>
                <p>%s</p>
                <h2>Closeness</h2>
                <p>Each dot is an airport. The brighter it is, the fewer flights lead to it from the others. Point at a
                dot to see its name.</p>
                %s
                <h2>Hop plot</h2>
                <p>The number of ordered pairs of airports by the number of flights between them.</p>
                %s
                <h2>Distribution of scores</h2>
                <p>The number of airports by closeness, after Wasserman and Faust.</p>
                %s
                </body>
                </html>
                """, subtitle, map(), hopPlot(), distribution());
    }

    private Svg map() {
        int height = WIDTH / 2;
        Svg map = new Svg(WIDTH, height + 40, "Airports of the world, coloured by closeness");
        for (int degrees = -150; degrees <= 150; degrees += 30) {
            map.line("grid", x(degrees), 0, x(degrees), height);
        }
        for (int degrees = -60; degrees <= 60; degrees += 30) {
            map.line("grid", 0, y(degrees), WIDTH, y(degrees));
        }
        for (Place place : places) {
            double share = share(place.score());
            map.disc(
                    colour(share),
                    x(place.longitude()),
                    y(place.latitude()),
                    1.5 + 2 * share,
                    place.name() + String.format(Locale.ROOT, ": %.4f", place.score()));
        }
        int steps = 50;
        for (int step = 0; step < steps; step++) {
            double share = (step + 0.5) / steps;
            map.bar(
                    colour(share),
                    WIDTH - 260 + 4 * step,
                    height + 12,
                    4.5,
                    12,
                    score(scores.getMin() + share * (scores.getMax() - scores.getMin())));
        }
        return map.text("quiet", Svg.Anchor.END, WIDTH - 266, height + 22, score(scores.getMin()))
                .text("quiet", Svg.Anchor.START, WIDTH - 54, height + 22, score(scores.getMax()));
    }

    private Svg hopPlot() {
        List<Long> pairs = pairsByHops.subList(Math.min(1, pairsByHops.size()), pairsByHops.size());
        return plot(
                "Pairs of airports by distance",
                "flights",
                pairs,
                1,
                bar -> String.valueOf(bar + 1),
                bar -> String.format(Locale.ROOT, "%d flights: %,d pairs", bar + 1, pairs.get(bar)));
    }

    private Svg distribution() {
        double width = scores.getMax() / SCORE_BINS;
        long[] airports = new long[SCORE_BINS];
        for (Place place : places) {
            airports[width == 0 ? 0 : (int) Math.min(SCORE_BINS - 1, place.score() / width)]++;
        }
        return plot(
                "Airports by closeness",
                "closeness",
                Arrays.stream(airports).boxed().toList(),
                SCORE_BINS / 10,
                bar -> score(bar * width),
                bar -> String.format(
                        Locale.ROOT,
                        "%s to %s: %,d airports",
                        score(bar * width),
                        score((bar + 1) * width),
                        airports[bar]));
    }

    /** Bars from left to right, each {@code labelled}-th with a label below. */
    private static Svg plot(
            String title,
            String axis,
            List<Long> counts,
            int labelled,
            IntFunction<String> label,
            IntFunction<String> tooltip) {
        Svg plot = new Svg(WIDTH, PLOT_HEIGHT, title);
        double height = PLOT_HEIGHT - TOP - BOTTOM;
        long most = counts.stream().max(Long::compare).orElse(1L);
        long unit = unit(most);
        for (long tick = 0; tick <= most; tick += unit) {
            double y = TOP + height - height * tick / most;
            plot.line("grid", LEFT, y, WIDTH, y)
                    .text("quiet", Svg.Anchor.END, LEFT - 8, y + 4, String.format(Locale.ROOT, "%,d", tick));
        }
        double step = (double) (WIDTH - LEFT) / Math.max(1, counts.size());
        for (int bar = 0; bar < counts.size(); bar++) {
            double barHeight = height * counts.get(bar) / most;
            double x = LEFT + bar * step;
            plot.bar("first", x + step * 0.08, TOP + height - barHeight, step * 0.84, barHeight, tooltip.apply(bar));
            if (bar % labelled == 0) {
                plot.text("quiet", Svg.Anchor.MIDDLE, x + step / 2, PLOT_HEIGHT - BOTTOM + 16, label.apply(bar));
            }
        }
        return plot.text("title", Svg.Anchor.START, 0, 16, title)
                .text("quiet", Svg.Anchor.MIDDLE, (LEFT + WIDTH) / 2.0, PLOT_HEIGHT - 8, axis);
    }

    /** The largest power of ten, or twice or five times one, that is at most a quarter of {@code most}; at least 1. */
    private static long unit(long most) {
        long unit = 1;
        for (long power = 1; power <= most / 4; power *= 10) {
            for (long candidate : new long[] {power, 2 * power, 5 * power}) {
                unit = candidate <= most / 4 ? candidate : unit;
            }
        }
        return unit;
    }

    private double share(double score) {
        return scores.getMax() == scores.getMin() ? 1 : (score - scores.getMin()) / (scores.getMax() - scores.getMin());
    }

    private static double x(double longitude) {
        return (longitude + 180) / 360 * WIDTH;
    }

    private static double y(double latitude) {
        return (90 - latitude) / 360 * WIDTH;
    }

    private static String colour(double share) {
        double at = share * (SCALE.length - 1);
        int from = Math.min(SCALE.length - 2, (int) at);
        StringBuilder colour = new StringBuilder("#");
        for (int channel = 0; channel < 3; channel++) {
            double value = SCALE[from][channel] + (at - from) * (SCALE[from + 1][channel] - SCALE[from][channel]);
            colour.append(String.format(Locale.ROOT, "%02x", Math.round(value)));
        }
        return colour.toString();
    }

    private static String score(double score) {
        return String.format(Locale.ROOT, "%.2f", score);
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.demo;

import io.proxima.it.svg.Svg;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;

/**
 * A page that shows the results of the demo: a map of the airports, and the hop plot.
 *
 * @param places all airports
 * @param pairs the number of ordered pairs of airports at each distance, from distance 0
 */
record Report(List<Place> places, List<Long> pairs) {

    private static final String COLOUR = "#0072b2";
    private static final int WIDTH = 1000;
    private static final int PLOT_HEIGHT = 300;
    private static final int LABEL_HEIGHT = 20;

    /**
     * An airport with its score.
     *
     * @param name for the tooltip
     * @param latitude in degrees
     * @param longitude in degrees
     * @param score its closeness
     */
    record Place(String name, double latitude, double longitude, double score) {}

    /**
     * The page, in HTML, with nothing to be loaded from elsewhere.
     *
     * @param subtitle what computed the results
     */
    String html(String subtitle) {
        return """
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
                <p>Each dot is an airport. The larger it is, the fewer flights lead to it from the others. Point at a dot
                to see its name and its closeness, after Wasserman and Faust.</p>
                %s
                <h2>Hop plot</h2>
                <p>The number of ordered pairs of airports by the number of flights between them.</p>
                %s
                </body>
                </html>
                """.formatted(subtitle, map(), hopPlot());
    }

    private Svg map() {
        DoubleSummaryStatistics scores =
                places.stream().mapToDouble(Place::score).summaryStatistics();
        double range = Math.max(scores.getMax() - scores.getMin(), Double.MIN_NORMAL);
        Svg map = new Svg(WIDTH, WIDTH / 2, "Airports of the world by closeness");
        for (Place place : places) {
            map.disc(
                    COLOUR,
                    (place.longitude() + 180) / 360 * WIDTH,
                    (90 - place.latitude()) / 360 * WIDTH,
                    0.5 + 3.5 * (place.score() - scores.getMin()) / range,
                    String.format(Locale.ROOT, "%s: %.4f", place.name(), place.score()));
        }
        return map;
    }

    private Svg hopPlot() {
        Svg plot = new Svg(WIDTH, PLOT_HEIGHT + 2 * LABEL_HEIGHT, "Pairs of airports by distance");
        double step = (double) WIDTH / pairs.size();
        long most = pairs.stream().max(Long::compare).orElse(1L);
        for (int flights = 1; flights < pairs.size(); flights++) {
            double top = LABEL_HEIGHT + PLOT_HEIGHT * (1 - (double) pairs.get(flights) / most);
            double x = flights * step;
            String label = String.format(Locale.ROOT, "%,d", pairs.get(flights));
            plot.line("span", x, LABEL_HEIGHT + PLOT_HEIGHT, x, top)
                    .disc(COLOUR, x, top, 5, label)
                    .text("quiet", Svg.Anchor.MIDDLE, x, top - 8, label)
                    .text("quiet", Svg.Anchor.MIDDLE, x, PLOT_HEIGHT + 2 * LABEL_HEIGHT - 5, flights + " flights");
        }
        return plot;
    }
}

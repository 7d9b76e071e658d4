// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.demo;

import io.proxima.it.svg.Svg;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * A page that shows the results of the demo: a map of the airports, and the hop plot.
 *
 * @param places all airports, by ascending score
 * @param neighbours the airports that the first one has flights to or from
 * @param pairs the number of ordered pairs of airports at each distance, from distance 0
 */
record Report(List<Place> places, List<Place> neighbours, List<Long> pairs) {

    /** From low to high, legible on white and on black, and for the colour-blind. */
    private static final List<String> COLOURS = List.of("#8294a6", "#56b4e9", "#009e73", "#e69f00", "#d7301f");

    private static final double[] RADII = {1.2, 1.6, 2.1, 2.8, 4};

    /** The share of the airports that score less than those of each further colour: a few are of the last one. */
    private static final double[] BELOW = {0.3, 0.6, 0.85, 0.97};

    private static final int NAMED = 10;
    private static final int WIDTH = 1000;
    private static final int NORTH = 82;
    private static final int SOUTH = -58;
    private static final int LEGEND = 40;
    private static final int PLOT_HEIGHT = 300;
    private static final int LABEL_HEIGHT = 20;
    private static final int LETTER = 7;

    /**
     * An airport with its score.
     *
     * @param name for labels and tooltips
     * @param latitude in degrees
     * @param longitude in degrees
     * @param score its closeness
     */
    record Place(String name, double latitude, double longitude, double score) {
        private double x() {
            return (longitude + 180) / 360 * WIDTH;
        }

        private double y() {
            return LEGEND + (NORTH - latitude) / 360 * WIDTH;
        }

        private String text() {
            return String.format(Locale.ROOT, "%s: %.4f", name, score);
        }
    }

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
                .proxima .route{stroke:#d7301f;stroke-opacity:.2;stroke-width:.7}
                .proxima .lead{stroke:CanvasText;stroke-width:.7}
                .proxima .name{fill:CanvasText;font-weight:600;paint-order:stroke;stroke:Canvas;stroke-width:3}
                </style>
                </head>
                <body>
                <h1>The airports of the world</h1>
                <p>%s</p>
                <h2>Closeness</h2>
                <p>Each dot is an airport. The larger and the redder it is, the fewer flights lead to it from the others.
                The %d most central ones are named; lines are the flights of the first one. Point at a dot to see its name
                and its closeness, after Wasserman and Faust.</p>
                %s
                <h2>Hop plot</h2>
                <p>The number of ordered pairs of airports by the number of flights between them.</p>
                %s
                </body>
                </html>
                """.formatted(subtitle, NAMED, map(), hopPlot());
    }

    private Svg map() {
        Svg map = new Svg(WIDTH, LEGEND + (NORTH - SOUTH) * WIDTH / 360, "Airports of the world by closeness");
        double[] bounds = DoubleStream.of(BELOW)
                .map(share -> places.get((int) (share * places.size())).score())
                .toArray();
        for (int level = 0; level < COLOURS.size(); level++) {
            String range = level == 0
                    ? String.format(Locale.ROOT, "below %.3f", bounds[0])
                    : String.format(Locale.ROOT, "from %.3f", bounds[level - 1]);
            int x = 100 + 120 * level;
            map.disc(COLOURS.get(level), x, 12, RADII[level], range).text("ink", Svg.Anchor.START, x + 10, 17, range);
        }
        map.text("ink", Svg.Anchor.START, 0, 17, "Closeness");
        Place first = places.get(places.size() - 1);
        for (Place place : neighbours) {
            // across the edge of the map if that is the shorter way: both ends are drawn, and the rest is cut off
            double across =
                    Math.abs(place.x() - first.x()) > WIDTH / 2.0 ? Math.signum(first.x() - place.x()) * WIDTH : 0;
            map.line("route", first.x(), first.y(), place.x() + across, place.y())
                    .line("route", first.x() - across, first.y(), place.x(), place.y());
        }
        for (Place place : places) {
            int level = (int) DoubleStream.of(bounds)
                    .filter(bound -> bound <= place.score())
                    .count();
            map.disc(COLOURS.get(level), place.x(), place.y(), RADII[level], place.text());
        }
        nameFirst(map);
        return map;
    }

    /** Writes the names of the first ones, each at the nearest spot where it covers none of the others. */
    private void nameFirst(Svg map) {
        List<Place> first = places.stream()
                .sorted(Comparator.comparingDouble(Place::score).reversed())
                .limit(NAMED)
                .toList();
        List<Rectangle2D> taken = new ArrayList<>();
        first.forEach(place -> taken.add(new Rectangle2D.Double(place.x() - 4, place.y() - 4, 8, 8)));
        for (int rank = 1; rank <= first.size(); rank++) {
            Place place = first.get(rank - 1);
            String name = rank + " " + place.name();
            int width = LETTER * name.length();
            Spot spot = Stream.iterate(0, turn -> turn + 1)
                    .map(turn -> Spot.of(place, turn))
                    .filter(candidate -> taken.stream().noneMatch(candidate.box(width)::intersects))
                    .findFirst()
                    .orElseThrow();
            taken.add(spot.box(width));
            map.line("lead", place.x(), place.y(), spot.x, spot.y)
                    .text("name", spot.isWest ? Svg.Anchor.END : Svg.Anchor.START, spot.x, spot.y + 4, name);
        }
    }

    /** Where a name begins or, to the west of its dot, ends. */
    private record Spot(double x, double y, boolean isWest) {

        private static final int DIRECTIONS = 12;

        /** The spots around a place, turn by turn farther away. */
        static Spot of(Place place, int turn) {
            double angle = 2 * Math.PI * turn / DIRECTIONS;
            int round = turn / DIRECTIONS;
            double away = 8 + 10.0 * round;
            return new Spot(
                    place.x() + away * Math.cos(angle), place.y() + away * Math.sin(angle), Math.cos(angle) < -1e-9);
        }

        Rectangle2D box(int width) {
            return new Rectangle2D.Double(isWest ? x - width : x, y - 8, width, 16);
        }
    }

    private Svg hopPlot() {
        Svg plot = new Svg(WIDTH, PLOT_HEIGHT + 2 * LABEL_HEIGHT, "Pairs of airports by distance");
        double step = (double) WIDTH / pairs.size();
        long most = pairs.stream().max(Long::compare).orElse(1L);
        for (int flights = 1; flights < pairs.size(); flights++) {
            double top = LABEL_HEIGHT + PLOT_HEIGHT * (1 - (double) pairs.get(flights) / most);
            double x = flights * step;
            String label = String.format(Locale.ROOT, "%,d", pairs.get(flights));
            String distance = flights + (flights == 1 ? " flight" : " flights");
            plot.line("span", x, LABEL_HEIGHT + PLOT_HEIGHT, x, top)
                    .disc(COLOURS.get(1), x, top, 5, label)
                    .text("quiet", Svg.Anchor.MIDDLE, x, top - 8, label)
                    .text("quiet", Svg.Anchor.MIDDLE, x, PLOT_HEIGHT + 2 * LABEL_HEIGHT - 5, distance);
        }
        return plot;
    }
}

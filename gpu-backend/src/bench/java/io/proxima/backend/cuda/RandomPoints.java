// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.CscBuilder;
import io.proxima.projection.csc.Orientation;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Random points in the unit square, and the graphs of those that are near each other. The square is divided into square
 * cells, along which the ids of the points ascend. The same for the same number of points and cells.
 */
final class RandomPoints {

    private static final int CELLS_AT_ONCE = 64;

    private final int side;
    // for each cell its first point; then the number of points
    private final int[] starts;
    private final double[] x;
    private final double[] y;

    /** Points in {@code side} times {@code side} cells. */
    RandomPoints(int count, int side) {
        this.side = side;
        starts = new int[side * side + 1];
        x = new double[count];
        y = new double[count];
        SplittableRandom random = new SplittableRandom(11);
        double[] drawnX = new double[count];
        double[] drawnY = new double[count];
        for (int i = 0; i < count; i++) {
            drawnX[i] = random.nextDouble();
            drawnY[i] = random.nextDouble();
            starts[cell(drawnX[i], drawnY[i]) + 1]++;
        }
        Arrays.parallelPrefix(starts, Integer::sum);
        int[] next = starts.clone();
        for (int i = 0; i < count; i++) {
            int at = next[cell(drawnX[i], drawnY[i])]++;
            x[at] = drawnX[i];
            y[at] = drawnY[i];
        }
    }

    private int cell(double x, double y) {
        return axis(x) * side + axis(y);
    }

    /** The number of a cell along one axis. */
    private int axis(double coordinate) {
        return Math.min((int) (coordinate * side), side - 1);
    }

    int count() {
        return x.length;
    }

    double x(int point) {
        return x[point];
    }

    double y(int point) {
        return y[point];
    }

    private interface CellTask {
        void link(int worker, int cell, CscBuilder.EdgeBuffer edges);
    }

    private Csc graph(long expectedEdges, int concurrency, CellTask task) {
        CscBuilder builder = new CscBuilder(count(), Orientation.UNDIRECTED, concurrency, expectedEdges);
        Workers.forRanges(concurrency, (long) side * side, CELLS_AT_ONCE, Stop.NEVER, (worker, from, to) -> {
            CscBuilder.EdgeBuffer edges = builder.buffer(worker);
            for (int cell = (int) from; cell < to; cell++) {
                task.link(worker, cell, edges);
            }
        });
        return builder.build(concurrency, Stop.NEVER);
    }

    /** Links the points within a radius, which is at most the side of a cell. */
    Csc within(double radius, int concurrency) {
        return graph(8L * count(), concurrency, (worker, cell, edges) -> linkWithin(radius * radius, cell, edges));
    }

    private void linkWithin(double squaredRadius, int c, CscBuilder.EdgeBuffer edges) {
        for (int dx = -1; dx <= 1; dx++) {
            for (int dy = -1; dy <= 1; dy++) {
                int cx = c / side + dx;
                int cy = c % side + dy;
                if (cx < 0 || cx >= side || cy < 0 || cy >= side) {
                    continue;
                }
                int other = cx * side + cy;
                for (int i = starts[c]; i < starts[c + 1]; i++) {
                    for (int j = Math.max(i + 1, starts[other]); j < starts[other + 1]; j++) {
                        double a = x[i] - x[j];
                        double b = y[i] - y[j];
                        if (a * a + b * b < squaredRadius) {
                            edges.add(i, j);
                        }
                    }
                }
            }
        }
    }

    /**
     * Links points whose Voronoi cells share a side within the unit square: the Delaunay triangulation, except for some
     * edges along its hull.
     */
    Csc delaunay(int concurrency) {
        VoronoiCell[] own = new VoronoiCell[concurrency];
        Arrays.setAll(own, worker -> new VoronoiCell());
        return graph(3L * count(), concurrency, (worker, cell, edges) -> {
            VoronoiCell voronoi = own[worker];
            for (int point = starts[cell]; point < starts[cell + 1]; point++) {
                voronoi.of(point, cell);
                voronoi.linkHigher(point, edges);
            }
        });
    }

    /**
     * The Voronoi cell of a point, a convex polygon relative to the point. Other points cut it, ring after ring of
     * cells of the square, until the next ring is more than twice as far as any corner.
     */
    private final class VoronoiCell {

        private static final int MOST_CORNERS = 256;
        private static final int SQUARE = -1;
        private static final double ROUNDING = 1 + 1e-9;

        private int corners;
        private double[] px = new double[MOST_CORNERS];
        private double[] py = new double[MOST_CORNERS];
        /** The point beyond the side from a corner to the next. */
        private int[] beyond = new int[MOST_CORNERS];

        private double[] nextX = new double[MOST_CORNERS];
        private double[] nextY = new double[MOST_CORNERS];
        private int[] nextBeyond = new int[MOST_CORNERS];
        private double farthest;

        void of(int point, int cell) {
            corners = 0;
            add(-x[point], -y[point], SQUARE);
            add(1 - x[point], -y[point], SQUARE);
            add(1 - x[point], 1 - y[point], SQUARE);
            add(-x[point], 1 - y[point], SQUARE);
            exchange();
            int cx = cell / side;
            int cy = cell % side;
            int ring = 0;
            do {
                cutByRing(point, cx, cy, ring);
                ring++;
            } while (!isBeyond(point, cx, cy, ring));
        }

        private void cutByRing(int point, int cx, int cy, int ring) {
            for (int i = Math.max(0, cx - ring); i <= Math.min(side - 1, cx + ring); i++) {
                boolean isRow = i == cx - ring || i == cx + ring;
                for (int j = cy - ring; j <= cy + ring; j += isRow || ring == 0 ? 1 : 2 * ring) {
                    if (j >= 0 && j < side) {
                        for (int other = starts[i * side + j]; other < starts[i * side + j + 1]; other++) {
                            cut(point, other);
                        }
                    }
                }
            }
        }

        /** Whether no point of this ring and later ones can cut the polygon. */
        private boolean isBeyond(int point, int cx, int cy, int ring) {
            double nearest = Double.POSITIVE_INFINITY;
            nearest = cx - ring < 0 ? nearest : Math.min(nearest, x[point] - (double) (cx - ring + 1) / side);
            nearest = cy - ring < 0 ? nearest : Math.min(nearest, y[point] - (double) (cy - ring + 1) / side);
            nearest = cx + ring >= side ? nearest : Math.min(nearest, (double) (cx + ring) / side - x[point]);
            nearest = cy + ring >= side ? nearest : Math.min(nearest, (double) (cy + ring) / side - y[point]);
            return nearest * nearest > 4 * farthest * ROUNDING;
        }

        private void cut(int point, int other) {
            double dx = x[other] - x[point];
            double dy = y[other] - y[point];
            double square = dx * dx + dy * dy;
            if (other == point || square > 4 * farthest * ROUNDING) {
                return;
            }
            double half = square / 2;
            int before = corners;
            corners = 0;
            for (int i = 0; i < before; i++) {
                int j = i + 1 == before ? 0 : i + 1;
                double from = px[i] * dx + py[i] * dy - half;
                double to = px[j] * dx + py[j] * dy - half;
                boolean keepsFrom = from <= 0;
                boolean keepsTo = to <= 0;
                if (keepsFrom) {
                    add(px[i], py[i], beyond[i]);
                }
                if (keepsFrom != keepsTo) {
                    double share = from / (from - to);
                    add(
                            px[i] + share * (px[j] - px[i]),
                            py[i] + share * (py[j] - py[i]),
                            keepsFrom ? other : beyond[i]);
                }
            }
            exchange();
        }

        private void add(double cornerX, double cornerY, int pointBeyond) {
            nextX[corners] = cornerX;
            nextY[corners] = cornerY;
            nextBeyond[corners] = pointBeyond;
            corners++;
        }

        private void exchange() {
            double[] oldX = px;
            double[] oldY = py;
            int[] oldBeyond = beyond;
            px = nextX;
            py = nextY;
            beyond = nextBeyond;
            nextX = oldX;
            nextY = oldY;
            nextBeyond = oldBeyond;
            farthest = 0;
            for (int i = 0; i < corners; i++) {
                farthest = Math.max(farthest, px[i] * px[i] + py[i] * py[i]);
            }
        }

        /** Adds the links to points of higher ids. The others add those to lower ids. */
        void linkHigher(int point, CscBuilder.EdgeBuffer edges) {
            for (int i = 0; i < corners; i++) {
                if (beyond[i] > point) {
                    edges.add(point, beyond[i]);
                }
            }
        }
    }
}

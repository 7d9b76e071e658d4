// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.order;

import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.Csc;

/**
 * Whether a graph is scale-free-like, after footnote 2 of Elbek and Kaya, arXiv:2606.05081: the distribution of its in-
 * or its out-degrees is heavy-tailed.
 *
 * @param out of the out-degrees
 * @param in of the in-degrees; the same object as {@code out} for a symmetric graph
 */
public record GraphClass(DegreeDistribution out, DegreeDistribution in) {

    /**
     * Classifies a graph in time linear in its vertices. A directed graph is transposed first, and keeps the transposed
     * form.
     *
     * @param graph vertex or slot id space: the class does not depend on it
     * @param concurrency threads that count, at least 1
     * @throws io.proxima.concurrent.StoppedException if the stop was requested
     */
    public static GraphClass of(Csc graph, int concurrency, Stop stop) {
        DegreeDistribution out = distribution(graph, concurrency, stop);
        Csc reversed = graph.transposed(concurrency, stop);
        return new GraphClass(out, reversed == graph ? out : distribution(reversed, concurrency, stop));
    }

    private static DegreeDistribution distribution(Csc graph, int concurrency, Stop stop) {
        Degrees degrees = Degrees.count(graph::degree, graph.vertexCount(), concurrency, stop);
        return DegreeDistribution.of(degrees, graph.vertexCount(), graph.entryCount());
    }

    /** Whether either distribution is heavy-tailed. */
    public boolean scaleFreeLike() {
        return out.heavyTailed() || in.heavyTailed();
    }

    /**
     * The figures that the footnote uses. The top 1 % of n vertices are the n / 100 vertices of highest degree, rounded
     * up. The fit is the least-squares line through (ln k, ln number of vertices of degree k), over the degrees k of at
     * least 5 that occur.
     *
     * @param topHundredthShare share of the top 1 % of vertices in the sum of all degrees; 0 without edges
     * @param topTenthShare share of the top 10 % of vertices in the sum of all degrees; 0 without edges
     * @param slope of the fit, -gamma in the paper; NaN if fewer than three degrees occur
     * @param rSquared of the fit, 0 to 1; NaN if fewer than three degrees occur
     */
    public record DegreeDistribution(double topHundredthShare, double topTenthShare, double slope, double rSquared) {

        private static final double LEAST_HUNDREDTH_SHARE = 0.05;
        private static final double LEAST_TENTH_SHARE = 0.40;
        private static final int FIT_FROM_DEGREE = 5;
        private static final double LEAST_R_SQUARED = 0.70;
        private static final double LEAST_GAMMA = 1;
        private static final double MOST_GAMMA = 5;

        /** The minimum number of points of a fit: a line fits any two points. */
        private static final int LEAST_POINTS = 3;

        /** Whether the shares or the fit reach the footnote's thresholds. */
        public boolean heavyTailed() {
            return heavyByShares() || heavyByFit();
        }

        /** Whether the top 1 % have at least 5 % of all degrees and the top 10 % at least 40 %. */
        public boolean heavyByShares() {
            return topHundredthShare >= LEAST_HUNDREDTH_SHARE && topTenthShare >= LEAST_TENTH_SHARE;
        }

        /** Whether the fit has R squared of at least 0.70 and a slope of -1 to -5. */
        public boolean heavyByFit() {
            return rSquared >= LEAST_R_SQUARED && -slope >= LEAST_GAMMA && -slope <= MOST_GAMMA;
        }

        static DegreeDistribution of(Degrees degrees, int vertexCount, long degreeSum) {
            Fit fit = new Fit((vertexCount + 99L) / 100, (vertexCount + 9L) / 10);
            degrees.forEachDescending(fit::add);
            return new DegreeDistribution(
                    degreeSum == 0 ? 0 : fit.topHundredth / (double) degreeSum,
                    degreeSum == 0 ? 0 : fit.topTenth / (double) degreeSum,
                    fit.slope(),
                    fit.rSquared());
        }

        private static final class Fit {
            private long leftOfHundredth;
            private long leftOfTenth;
            private long topHundredth;
            private long topTenth;
            private int points;
            private double sumX;
            private double sumY;
            private double sumXx;
            private double sumXy;
            private double sumYy;

            Fit(long hundredth, long tenth) {
                leftOfHundredth = hundredth;
                leftOfTenth = tenth;
            }

            void add(long degree, int vertices) {
                long ofHundredth = Math.min(leftOfHundredth, vertices);
                long ofTenth = Math.min(leftOfTenth, vertices);
                leftOfHundredth -= ofHundredth;
                leftOfTenth -= ofTenth;
                topHundredth += degree * ofHundredth;
                topTenth += degree * ofTenth;
                if (degree >= FIT_FROM_DEGREE) {
                    double x = Math.log((double) degree);
                    double y = Math.log(vertices);
                    points++;
                    sumX += x;
                    sumY += y;
                    sumXx += x * x;
                    sumXy += x * y;
                    sumYy += y * y;
                }
            }

            double slope() {
                return points < LEAST_POINTS ? Double.NaN : covariance() / varianceOfX();
            }

            double rSquared() {
                double varianceOfY = points * sumYy - sumY * sumY;
                if (points < LEAST_POINTS) {
                    return Double.NaN;
                }
                // a level line through level points explains nothing
                return varianceOfY <= 0 ? 0 : covariance() * covariance() / (varianceOfX() * varianceOfY);
            }

            private double covariance() {
                return points * sumXy - sumX * sumY;
            }

            private double varianceOfX() {
                return points * sumXx - sumX * sumX;
            }
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.statistics;

import io.proxima.backend.CostSums;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.bounds.Eccentricities;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Statistics of the distances of a whole graph, over the ordered pairs of distinct nodes where the first node reaches
 * the second. Pairs without a path are ignored.
 */
public final class DistanceStatistics {

    /** The statistics of a graph without nodes. */
    public static final Map<String, Object> NONE = columns(0L, 0L, 0, List.of());

    private DistanceStatistics() {}

    /**
     * The statistics by the names of their columns.
     *
     * @param diameter the greatest distance; 0 without pairs
     * @param radius see {@link #radius}
     * @param meanDistance mean of the distances; 0 without pairs
     * @param hopDistribution element d: the pairs at distance d; element 0 counts the nodes; empty if not requested
     */
    private static Map<String, Object> columns(
            Number diameter, Number radius, double meanDistance, List<Long> hopDistribution) {
        return Map.of(
                "diameter", diameter,
                "radius", radius,
                "meanDistance", meanDistance,
                "hopDistribution", hopDistribution);
    }

    /**
     * The measures that the statistics need.
     *
     * @param wanted whether a column is computed
     */
    public static EnumSet<DistanceMeasure> measures(Predicate<String> wanted) {
        EnumSet<DistanceMeasure> measures = EnumSet.noneOf(DistanceMeasure.class);
        if (wanted.test("diameter") || wanted.test("radius")) {
            measures.add(DistanceMeasure.ECCENTRICITY);
        }
        if (wanted.test("hopDistribution")) {
            measures.add(DistanceMeasure.HOPS);
        }
        return measures;
    }

    /**
     * Computes the statistics. Only the radius depends on the direction.
     *
     * @param sums sums, with eccentricities and hops as requested; without them the diameter is 0 and the hop
     *     distribution empty
     * @param radius see {@link #radius}
     * @param stop ends the work early
     * @return diameter, radius, meanDistance and hopDistribution
     */
    public static Map<String, Object> of(Farness sums, long radius, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        long diameter = 0;
        for (int vertex = 0; sums.eccentricity() != null && vertex < sums.eccentricity().length; vertex++) {
            diameter = Math.max(diameter, sums.eccentricity()[vertex]);
            paced.worked(1);
        }
        List<Long> hops = new ArrayList<>(sums.hops() == null ? 0 : sums.hops().length);
        for (int distance = 0; sums.hops() != null && distance < sums.hops().length; distance++) {
            hops.add(sums.hops()[distance]);
            paced.worked(1);
        }
        return columns(diameter, radius, meanDistance(sums, paced), List.copyOf(hops));
    }

    /**
     * The statistics of costs, without a hop distribution.
     *
     * @param radius see {@link CostSums#radius}
     */
    public static Map<String, Object> ofCosts(CostSums sums, double radius, Stop stop) {
        return columns(sums.diameter(stop), radius, sums.mean(stop), List.of());
    }

    /** The statistics that bounds find: no mean distance, and no hop distribution. */
    public static Map<String, Object> of(Eccentricities found) {
        return columns((long) found.diameter(), (long) found.radius(), 0, List.of());
    }

    /** The mean distance, summed as doubles: the sum exceeds 2^63 in a chain of three million nodes. */
    private static double meanDistance(Farness sums, PacedStop paced) {
        double sum = 0;
        long pairs = 0;
        for (int vertex = 0; vertex < sums.farness().length; vertex++) {
            sum += (double) sums.farness()[vertex];
            pairs += sums.reach()[vertex];
            paced.worked(1);
        }
        return pairs == 0 ? 0 : sum / pairs;
    }

    /**
     * The radius: the smallest eccentricity among the nodes that reach the most nodes. In a connected graph these are
     * all nodes. In a graph of several components it is the radius of the largest one. The smallest of all
     * eccentricities would be 0 for every graph with an isolated node.
     *
     * @param ofReversed sums of the reversed graph, with the eccentricities: for every node over the nodes that it
     *     reaches
     * @param stop ends the work early
     */
    public static long radius(Farness ofReversed, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        long mostReached = 0;
        long radius = 0;
        for (int vertex = 0; vertex < ofReversed.reach().length; vertex++) {
            long reached = ofReversed.reach()[vertex];
            long eccentricity = ofReversed.eccentricity()[vertex];
            if (vertex == 0 || reached > mostReached) {
                mostReached = reached;
                radius = eccentricity;
            } else if (reached == mostReached) {
                radius = Math.min(radius, eccentricity);
            }
            paced.worked(1);
        }
        return radius;
    }
}

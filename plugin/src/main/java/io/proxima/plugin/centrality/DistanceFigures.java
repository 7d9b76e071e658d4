/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.plugin.centrality;

import io.proxima.backend.Farness;
import java.util.Arrays;
import java.util.List;

/**
 * The distances of a whole graph in figures, over the ordered pairs of different nodes of which the first reaches the
 * second. Pairs without a path count nowhere.
 *
 * @param diameter the greatest distance; 0 without pairs
 * @param radius the least eccentricity of the nodes that reach the most nodes, see {@link #radius}
 * @param meanDistance mean of the distances; 0 without pairs
 * @param hopDistribution entry d: the pairs at distance d, entry 0 the nodes themselves; empty where it was not asked for
 */
public record DistanceFigures(long diameter, long radius, double meanDistance, List<Long> hopDistribution) {

    /** Those of a graph without nodes. */
    public static final DistanceFigures NONE = new DistanceFigures(0, 0, 0, List.of());

    /**
     * The figures, of which only the radius depends on the direction.
     *
     * @param sums with the eccentricities and the hops as far as they are wanted: the diameter is 0 without them, the hop
     *     distribution empty
     * @param radius see {@link #radius}
     */
    public static DistanceFigures of(Farness sums, long radius) {
        int[] eccentricities = sums.eccentricity() == null ? new int[0] : sums.eccentricity();
        long diameter = Arrays.stream(eccentricities).max().orElse(0);
        long distances = Arrays.stream(sums.farness()).sum();
        long pairs = Arrays.stream(sums.reach()).sum();
        double mean = pairs == 0 ? 0 : (double) distances / pairs;
        List<Long> hops = sums.hops() == null
                ? List.of()
                : Arrays.stream(sums.hops()).boxed().toList();
        return new DistanceFigures(diameter, radius, mean, hops);
    }

    /**
     * The radius: the least eccentricity among the nodes that reach the most nodes. In a connected graph these are all
     * nodes. In one of several components it is the radius of the largest, where the least of all eccentricities would be 0
     * for every graph with an isolated node.
     *
     * @param ofReversed measured on the reversed graph, with the eccentricities: for every node over those that it reaches
     */
    public static long radius(Farness ofReversed) {
        long mostReached = Arrays.stream(ofReversed.reach()).max().orElse(0);
        long radius = Long.MAX_VALUE;
        for (int vertex = 0; vertex < ofReversed.reach().length; vertex++) {
            if (ofReversed.reach()[vertex] == mostReached) {
                radius = Math.min(radius, ofReversed.eccentricity()[vertex]);
            }
        }
        return radius == Long.MAX_VALUE ? 0 : radius;
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/** Graphs on which a loop that forgets its stop lasts: deep, bushy, skew, wide, and in many pieces. */
public final class KillGraphs {

    private static final int MOST_COMPONENTS = 10_000;

    private static final double SMALLEST = 1e-2;

    private KillGraphs() {}

    /** Graphs of about so many vertices each, by name. */
    public static Map<String, EdgeList> of(int vertices, long seed) {
        int side = (int) Math.sqrt(vertices);
        Map<String, EdgeList> graphs = new LinkedHashMap<>();
        graphs.put("chain", TestGraphs.path(vertices));
        graphs.put("caterpillar", TestGraphs.caterpillar(vertices / 2));
        graphs.put("sun of chains", sun(side, side));
        graphs.put("star of stars", TestGraphs.starOfStars(side, side));
        graphs.put("star", TestGraphs.star(vertices));
        graphs.put("R-MAT", TestGraphs.rmat(31 - Integer.numberOfLeadingZeros(vertices) - 2, 16, seed));
        graphs.put("mesh", TestGraphs.grid(side, side));
        graphs.put(
                "many components",
                components(Math.min(MOST_COMPONENTS, vertices), Math.max(2, vertices / MOST_COMPONENTS), seed));
        return graphs;
    }

    /** A ring from each of whose vertices a chain hangs. */
    static EdgeList sun(int ring, int ray) {
        EdgeList edges = new EdgeList(ring * ray);
        for (int i = 0; i < ring; i++) {
            edges.add(i * ray, (i + 1) % ring * ray);
            for (int depth = 1; depth < ray; depth++) {
                edges.add(i * ray + depth - 1, i * ray + depth);
            }
        }
        return edges;
    }

    /** Trees of so many vertices each, from chains to stars, every other one closed to a cycle. */
    static EdgeList components(int count, int size, long seed) {
        Random random = new Random(seed);
        EdgeList edges = new EdgeList(count * size);
        for (int component = 0; component < count; component++) {
            int first = component * size;
            double reach = Math.pow(SMALLEST, random.nextDouble());
            for (int i = 1; i < size; i++) {
                edges.add(first + i - 1 - random.nextInt(1 + (int) (reach * (i - 1))), first + i);
            }
            if (component % 2 == 0) {
                edges.add(first, first + size - 1);
            }
        }
        return edges;
    }
}

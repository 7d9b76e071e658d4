// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;
import java.util.Arrays;

/** Breadth-first search as in a textbook: the oracle that every backend is compared with. */
public final class TextbookBfs {

    private TextbookBfs() {}

    /** Hops from the sources taken together, -1 where there is no path; maxDepth -1 for no limit. */
    public static int[] levels(Csc graph, int maxDepth, int... sources) {
        int[] levels = new int[graph.vertexCount()];
        Arrays.fill(levels, -1);
        int[] queue = Arrays.copyOf(sources, sources.length + levels.length);
        int end = sources.length;
        for (int source : sources) {
            levels[source] = 0;
        }
        // read once: most of the tests' time is spent in this loop, which no optimizing compiler sees
        IntPages rows = graph.rowIndices();
        for (int begin = 0; begin < end && levels[queue[begin]] != maxDepth; begin++) {
            int vertex = queue[begin];
            int next = levels[vertex] + 1;
            long last = graph.columnEnd(vertex);
            for (long i = graph.columnStart(vertex); i < last; i++) {
                int neighbour = rows.get(i);
                if (levels[neighbour] < 0) {
                    levels[neighbour] = next;
                    queue[end++] = neighbour;
                }
            }
        }
        return levels;
    }
}

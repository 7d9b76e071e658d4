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
package io.proxima.backend;

import io.proxima.projection.Csc;
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
        for (int begin = 0; begin < end && levels[queue[begin]] != maxDepth; begin++) {
            int vertex = queue[begin];
            for (long i = graph.columnStart(vertex); i < graph.columnEnd(vertex); i++) {
                int neighbour = graph.rowIndices().get(i);
                if (levels[neighbour] < 0) {
                    levels[neighbour] = levels[vertex] + 1;
                    queue[end++] = neighbour;
                }
            }
        }
        return levels;
    }
}

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
package io.proxima.backend.order;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.Csc;
import io.proxima.projection.IntPages;
import java.util.Arrays;

/**
 * The number of weakly connected components, and the size of the largest.
 *
 * @param count number of components; a vertex without edges is one
 * @param largest number of vertices of the largest component, 0 for an empty graph
 */
public record ComponentSizes(int count, int largest) {

    /** Counts the components, by union-find with path halving. */
    public static ComponentSizes of(Csc graph, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        // the parent of a vertex, or minus the size of the component for its root
        int[] parents = new int[graph.vertexCount()];
        Arrays.fill(parents, -1);
        IntPages rows = graph.rowIndices();
        int count = graph.vertexCount();
        int largest = Math.min(1, count);
        for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
            paced.worked(1L + graph.degree(vertex));
            for (long i = graph.columnStart(vertex); i < graph.columnEnd(vertex); i++) {
                int one = root(parents, vertex);
                int other = root(parents, rows.get(i));
                if (one != other) {
                    int larger = parents[one] <= parents[other] ? one : other;
                    int smaller = one + other - larger;
                    parents[larger] += parents[smaller];
                    parents[smaller] = larger;
                    largest = Math.max(largest, -parents[larger]);
                    count--;
                }
            }
        }
        return new ComponentSizes(count, largest);
    }

    /** Heap of {@link #of}. */
    public static MemoryTree memory(int vertexCount) {
        return MemoryTree.exactly("components", (long) vertexCount * Integer.BYTES);
    }

    private static int root(int[] parents, int vertex) {
        int at = vertex;
        while (parents[at] >= 0) {
            int parent = parents[at];
            if (parents[parent] >= 0) {
                parents[at] = parents[parent];
            }
            at = parent;
        }
        return at;
    }
}

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
package io.proxima.plugin.procedures;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The sources of a call, with each vertex once.
 *
 * @param distinct vertices in the order of their first occurrence
 * @param positions for each requested source its index in {@code distinct}
 * @param times for each distinct source the number of times it was requested
 */
@SuppressWarnings("ArrayRecordComponent") // handed from one method to the next, never compared
record Sources(int[] distinct, int[] positions, int[] times) {

    /** Finds the duplicates among the requested vertices. */
    static Sources of(int[] vertices, int vertexCount) {
        BitSet seen = new BitSet(vertexCount);
        int[] distinct = new int[vertices.length];
        int count = 0;
        for (int vertex : vertices) {
            if (!seen.get(vertex)) {
                seen.set(vertex);
                distinct[count++] = vertex;
            }
        }
        distinct = Arrays.copyOf(distinct, count);

        Integer[] byVertex = new Integer[count];
        Arrays.setAll(byVertex, i -> i);
        int[] found = distinct;
        Arrays.sort(byVertex, (a, b) -> Integer.compare(found[a], found[b]));
        int[] sorted = new int[count];
        Arrays.setAll(sorted, i -> found[byVertex[i]]);

        int[] positions = new int[vertices.length];
        int[] times = new int[count];
        for (int i = 0; i < vertices.length; i++) {
            positions[i] = byVertex[Arrays.binarySearch(sorted, vertices[i])];
            times[positions[i]]++;
        }
        return new Sources(distinct, positions, times);
    }
}

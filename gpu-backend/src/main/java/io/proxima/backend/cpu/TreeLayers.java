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
package io.proxima.backend.cpu;

import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import java.util.Arrays;

/**
 * The trees of a {@link TreeFringe} layer by layer, so that eccentricities and pairs by distance can do without searching
 * them as the sums of distances can:
 *
 * <ul>
 *   <li>a vertex x that stays stands for layers: the vertices that hang from it at depth k. A search that finds x at level l
 *       has found them at l + k;
 *   <li>pairs within the trees of one x are counted here: a vertex has one ancestor at each distance up to its depth, and
 *       where branches meet, their layers are multiplied;
 *   <li>the farthest vertex from one that was taken away lies below it, or through its parent in another branch or in the
 *       rest.
 * </ul>
 *
 * <p>Layers of branches are merged into the deeper one, so that a tree of n vertices and height h costs n h at the most, and
 * time linear in n where the branches that meet are short.
 */
final class TreeLayers {

    private static final int[] NONE = {};
    private static final long STOP_CHECK = 1 << 20;

    private final TreeFringe fringe;
    private final int[][] layers;
    private final int[] heights;
    private final int[] secondHeights;
    private long[] pairs = {};

    private TreeLayers(TreeFringe fringe) {
        int vertexCount = fringe.vertexCount();
        this.fringe = fringe;
        layers = new int[vertexCount][];
        heights = new int[vertexCount];
        secondHeights = new int[vertexCount];
    }

    /** Heap of the layers and of their making: the most is that of a star forest. */
    static MemoryTree memory(long vertexCount) {
        long perVertex = 2L * Long.BYTES + 2L * Integer.BYTES;
        // an array of its own for half of the vertices at most, and their entries twice while arrays grow
        long arrays = (2L * Long.BYTES + 2L * Integer.BYTES) * (vertexCount / 2) + 2L * Integer.BYTES * vertexCount;
        return MemoryTree.between(
                "layers of hanging trees", 3L * Integer.BYTES * vertexCount, perVertex * vertexCount + arrays);
    }

    /** Finds the layers. */
    static TreeLayers of(TreeFringe fringe, Stop stop) {
        TreeLayers found = new TreeLayers(fringe);
        found.merge(stop);
        found.countAncestors();
        return found;
    }

    /** Merges each vertex that was taken away into its parent; counts the pairs whose branches meet in a vertex. */
    private void merge(Stop stop) {
        // reversed while they grow: the last entry of length[v] is the layer of depth 1
        int[] lengths = new int[layers.length];
        long work = 0;
        for (int i = 0; i < fringe.takenAwayCount(); i++) {
            int vertex = fringe.takenAway(i);
            int parent = fringe.parent(vertex);
            int length = lengths[vertex] + 1;
            int[] branch = withRoom(layers[vertex], length);
            branch[length - 1] = 1;
            layers[vertex] = null;
            keepHeight(parent, length);
            if (layers[parent] == null) {
                layers[parent] = branch;
                lengths[parent] = length;
                continue;
            }
            work += (long) length * lengths[parent];
            if (work > STOP_CHECK) {
                stop.check();
                work = 0;
            }
            meet(layers[parent], lengths[parent], branch, length);
            boolean longer = length > lengths[parent];
            int[] into = longer ? branch : layers[parent];
            int[] from = longer ? layers[parent] : branch;
            int shift = Math.abs(length - lengths[parent]);
            for (int at = 0; at < Math.min(length, lengths[parent]); at++) {
                into[at + shift] += from[at];
            }
            layers[parent] = into;
            lengths[parent] = Math.max(length, lengths[parent]);
        }
        for (int vertex = 0; vertex < layers.length; vertex++) {
            if (layers[vertex] != null) {
                layers[vertex] = ascending(layers[vertex], lengths[vertex]);
            }
        }
    }

    private static int[] withRoom(int[] array, int length) {
        if (array == null) {
            return new int[length];
        }
        return length <= array.length ? array : Arrays.copyOf(array, Math.max(length, 2 * array.length));
    }

    private static int[] ascending(int[] reversed, int length) {
        int[] ascending = new int[length];
        for (int k = 0; k < length; k++) {
            ascending[k] = reversed[length - 1 - k];
        }
        return ascending;
    }

    private void keepHeight(int vertex, int height) {
        if (height > heights[vertex]) {
            secondHeights[vertex] = heights[vertex];
            heights[vertex] = height;
        } else {
            secondHeights[vertex] = Math.max(secondHeights[vertex], height);
        }
    }

    private void meet(int[] one, int oneLength, int[] other, int otherLength) {
        pairs = HopCounts.withRoom(pairs, oneLength + otherLength);
        for (int i = 0; i < oneLength; i++) {
            long twice = 2L * one[i];
            int distance = oneLength - i + otherLength;
            for (int j = 0; j < otherLength; j++) {
                pairs[distance - j] += twice * other[j];
            }
        }
    }

    private void countAncestors() {
        int highest = Arrays.stream(heights).max().orElse(0);
        pairs = HopCounts.withRoom(pairs, highest);
        long[] atDepth = new long[highest + 1];
        for (int[] ofVertex : layers) {
            for (int k = 0; ofVertex != null && k < ofVertex.length; k++) {
                atDepth[k + 1] += ofVertex[k];
            }
        }
        long deeper = 0;
        for (int distance = highest; distance > 0; distance--) {
            deeper += atDepth[distance];
            pairs[distance] += 2 * deeper;
        }
    }

    /** Entry k - 1: the vertices at depth k below a vertex that stays; empty if nothing hangs from it. Not to be changed. */
    int[] below(int vertex) {
        return layers[vertex] == null ? NONE : layers[vertex];
    }

    /** Ordered pairs by distance, both in the trees of one vertex that stays, that vertex included. Not to be changed. */
    long[] pairs() {
        return pairs;
    }

    /**
     * Fills in the eccentricities.
     *
     * @param eccentricities {@code int[vertexCount]}: of the vertices that stay, over what does not hang from them
     */
    void complete(int[] eccentricities) {
        for (int i = fringe.takenAwayCount() - 1; i >= 0; i--) {
            int vertex = fringe.takenAway(i);
            int parent = fringe.parent(vertex);
            boolean highest = heights[vertex] + 1 == heights[parent];
            int otherBranch = highest ? secondHeights[parent] : heights[parent];
            eccentricities[vertex] = 1 + Math.max(eccentricities[parent], otherBranch);
        }
        for (int vertex = 0; vertex < eccentricities.length; vertex++) {
            eccentricities[vertex] = Math.max(eccentricities[vertex], heights[vertex]);
        }
    }
}

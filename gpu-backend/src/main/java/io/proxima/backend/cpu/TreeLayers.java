// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.centrality.TreeFringe;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import java.util.Arrays;

/**
 * The trees of a {@link TreeFringe} layer by layer. They let pairs by distance be counted without a search of the trees, as
 * the sums of distances are:
 *
 * <ul>
 *   <li>a kept vertex x stands for its layers: the vertices that hang from it at depth k. A search that finds x at level l
 *       has found them at level l + k;
 *   <li>pairs within the trees of one x are counted here: a vertex has one ancestor at each distance up to its depth, and
 *       where branches meet, their layers are multiplied.
 * </ul>
 *
 * <p>Layers of branches are merged into the deeper one. The time for a tree of n vertices and height h is therefore at most
 * n h, and linear in n if the branches that meet are short. A chain takes the square of its length.
 */
final class TreeLayers {

    private static final int[] NONE = {};

    /** Entries of a branch that are multiplied at once: they and the pairs they add to stay in the first cache levels. */
    private static final int BLOCK = 1 << 11;

    private final TreeFringe fringe;
    private final int[][] layers;
    private final PacedStop paced;
    private long[] pairs = {};

    private TreeLayers(TreeFringe fringe, Stop stop) {
        this.fringe = fringe;
        layers = new int[fringe.vertexCount()][];
        paced = new PacedStop(stop);
    }

    /** Heap of the layers and of their making: the most is that of a star forest. */
    static MemoryTree memory(long vertexCount) {
        // a reference, and the pairs at a distance
        long perVertex = 2L * Long.BYTES;
        // an array of its own for half of the vertices at most, and their entries twice while arrays grow
        long arrays = (2L * Long.BYTES + 2L * Integer.BYTES) * (vertexCount / 2) + 2L * Integer.BYTES * vertexCount;
        return MemoryTree.between(
                "layers of hanging trees", (long) Integer.BYTES * vertexCount, perVertex * vertexCount + arrays);
    }

    /** Finds the layers. */
    static TreeLayers of(TreeFringe fringe, Stop stop) {
        TreeLayers found = new TreeLayers(fringe, stop);
        found.merge();
        found.countAncestors();
        return found;
    }

    /** Merges each vertex that was taken away into its parent; counts the pairs whose branches meet in a vertex. */
    private void merge() {
        // reversed while they grow: the last entry of length[v] is the layer of depth 1
        int[] lengths = new int[layers.length];
        for (int i = 0; i < fringe.takenAwayCount(); i++) {
            int vertex = fringe.takenAway(i);
            int parent = fringe.parent(vertex);
            int length = lengths[vertex] + 1;
            int[] branch = withRoom(layers[vertex], length);
            branch[length - 1] = 1;
            layers[vertex] = null;
            paced.worked(1);
            if (layers[parent] == null) {
                layers[parent] = branch;
                lengths[parent] = length;
                continue;
            }
            boolean deeper = length > lengths[parent];
            int[] into = deeper ? branch : layers[parent];
            int[] from = deeper ? layers[parent] : branch;
            int most = Math.max(length, lengths[parent]);
            int least = Math.min(length, lengths[parent]);
            meet(from, least, into, most);
            for (int at = 0; at < least; at++) {
                into[at + most - least] += from[at];
            }
            layers[parent] = into;
            lengths[parent] = most;
        }
        for (int vertex = 0; vertex < layers.length; vertex++) {
            if (layers[vertex] != null) {
                layers[vertex] = ascending(layers[vertex], lengths[vertex]);
                paced.worked(lengths[vertex]);
            }
            paced.worked(1);
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

    /** Counts the pairs of a vertex of one branch and a vertex of another, which is at least as deep. */
    private void meet(int[] shallow, int shallowLength, int[] deep, int deepLength) {
        pairs = HopCounts.withRoom(pairs, shallowLength + deepLength);
        for (int block = 0; block < deepLength; block += BLOCK) {
            int end = Math.min(deepLength, block + BLOCK);
            for (int i = 0; i < shallowLength; i++) {
                long twice = 2L * shallow[i];
                int distance = shallowLength - i + deepLength;
                for (int j = block; j < end; j++) {
                    pairs[distance - j] += twice * deep[j];
                }
                paced.worked(end - block);
            }
        }
    }

    private void countAncestors() {
        int highest = 0;
        for (int[] ofVertex : layers) {
            highest = Math.max(highest, ofVertex == null ? 0 : ofVertex.length);
            paced.worked(1);
        }
        pairs = HopCounts.withRoom(pairs, highest);
        long[] atDepth = new long[highest + 1];
        for (int[] ofVertex : layers) {
            for (int k = 0; ofVertex != null && k < ofVertex.length; k++) {
                atDepth[k + 1] += ofVertex[k];
                paced.worked(1);
            }
            paced.worked(1);
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
}

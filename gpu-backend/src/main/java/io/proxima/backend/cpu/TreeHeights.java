// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.centrality.TreeFringe;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;

/**
 * Heights of the trees of a {@link TreeFringe}. Eccentricities follow from them without a search of the trees: the farthest
 * vertex from a removed vertex is below it, in another branch of its parent, or beyond its parent.
 */
final class TreeHeights {

    private final TreeFringe fringe;
    private final int[] heights;
    private final int[] secondHeights;

    private TreeHeights(TreeFringe fringe) {
        this.fringe = fringe;
        heights = new int[fringe.vertexCount()];
        secondHeights = new int[fringe.vertexCount()];
    }

    /** Heap of the heights. */
    static MemoryTree memory(long vertexCount) {
        return MemoryTree.exactly("heights of hanging trees", 2L * Integer.BYTES * vertexCount);
    }

    /** Finds the heights. */
    static TreeHeights of(TreeFringe fringe, Stop stop) {
        TreeHeights found = new TreeHeights(fringe);
        PacedStop paced = new PacedStop(stop);
        for (int i = 0; i < fringe.takenAwayCount(); i++) {
            int vertex = fringe.takenAway(i);
            found.keep(fringe.parent(vertex), found.heights[vertex] + 1);
            paced.worked(1);
        }
        return found;
    }

    private void keep(int vertex, int height) {
        if (height > heights[vertex]) {
            secondHeights[vertex] = heights[vertex];
            heights[vertex] = height;
        } else {
            secondHeights[vertex] = Math.max(secondHeights[vertex], height);
        }
    }

    /** Depth of the deepest vertex below a vertex; 0 if nothing hangs from it. */
    int height(int vertex) {
        return heights[vertex];
    }

    /**
     * Completes the eccentricities.
     *
     * @param eccentricities {@code int[vertexCount]}, vertex id space: those of the kept vertices, without the trees that
     *     hang from them
     */
    void complete(int[] eccentricities, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        for (int i = fringe.takenAwayCount() - 1; i >= 0; i--) {
            int vertex = fringe.takenAway(i);
            int parent = fringe.parent(vertex);
            boolean highest = heights[vertex] + 1 == heights[parent];
            int otherBranch = highest ? secondHeights[parent] : heights[parent];
            eccentricities[vertex] = 1 + Math.max(eccentricities[parent], otherBranch);
            paced.worked(1);
        }
        for (int vertex = 0; vertex < eccentricities.length; vertex++) {
            eccentricities[vertex] = Math.max(eccentricities[vertex], heights[vertex]);
            paced.worked(1);
        }
    }
}

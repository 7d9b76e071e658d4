// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.centrality;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;

/**
 * The pairs of a source and a target that a vertex separates because at least one of the two is in its hanging tree. In
 * a component of N vertices and Q sources, let vertex x have W vertices and q sources in its tree, itself included.
 * Each branch below x has W' vertices and q' sources. Then this many pairs have their paths through x:
 *
 * <ul>
 *   <li>from each branch to the rest of the component: q' (N - 1 - W')
 *   <li>from outside of the tree of x to its branches: (Q - q) (W - 1)
 * </ul>
 */
final class TreePairs {

    private final HangingTrees trees;
    private final int[] sourceCounts;
    private final PacedStop paced;

    /** By vertex: the number of vertices of its component. */
    private final int[] sizes;

    /** By vertex: the number of sources of its component. */
    private final int[] sourcesOfComponent;

    /**
     * Prepares the counts.
     *
     * @param sourceCounts {@code int[vertexCount]}: the sources in the tree of each vertex
     */
    TreePairs(HangingTrees trees, SearchOrder order, int[] sourceCounts, Stop stop) {
        this.trees = trees;
        this.sourceCounts = sourceCounts;
        paced = new PacedStop(stop);
        sizes = new int[trees.vertexCount()];
        sourcesOfComponent = new int[trees.vertexCount()];
        for (int component = 0; component < order.componentCount(); component++) {
            setComponent(order, order.componentStart(component), order.componentStart(component + 1));
        }
        for (int slot = order.slotCount(); slot < sizes.length; slot++) {
            if (trees.isKept(order.permutation().vertex(slot))) {
                setComponent(order, slot, slot + 1);
            }
        }
        // parents before their children
        for (int i = trees.takenAwayCount() - 1; i >= 0; i--) {
            int vertex = trees.takenAway(i);
            sizes[vertex] = sizes[trees.parent(vertex)];
            sourcesOfComponent[vertex] = sourcesOfComponent[trees.parent(vertex)];
            paced.worked(1);
        }
    }

    /** Heap of the arrays. */
    static MemoryTree memory(long vertexCount) {
        return MemoryTree.exactly("sizes of components", 2L * Integer.BYTES * vertexCount);
    }

    private void setComponent(SearchOrder order, int begin, int end) {
        int size = 0;
        int sources = 0;
        for (int slot = begin; slot < end; slot++) {
            int vertex = order.permutation().vertex(slot);
            size += trees.weight(vertex);
            sources += sourceCounts[vertex];
            paced.worked(1);
        }
        for (int slot = begin; slot < end; slot++) {
            int vertex = order.permutation().vertex(slot);
            sizes[vertex] = size;
            sourcesOfComponent[vertex] = sources;
            paced.worked(1);
        }
    }

    /** Adds the numbers of pairs to the scores of all vertices. */
    void addTo(double[] scores) {
        for (int i = 0; i < trees.takenAwayCount(); i++) {
            int branch = trees.takenAway(i);
            scores[trees.parent(branch)] +=
                    (double) ((long) sourceCounts[branch] * (sizes[branch] - 1L - trees.weight(branch)));
            paced.worked(1);
        }
        for (int vertex = 0; vertex < scores.length; vertex++) {
            long outside = (long) sourcesOfComponent[vertex] - sourceCounts[vertex];
            scores[vertex] += (double) (outside * (trees.weight(vertex) - 1L));
            paced.worked(1);
        }
    }
}

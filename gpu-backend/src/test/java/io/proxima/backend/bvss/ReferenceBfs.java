// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bvss;

import io.proxima.backend.TextbookBfs;
import io.proxima.projection.Csc;
import java.util.Arrays;

/** Breadth-first searches that are slow and plain: one over BVSS as the paper has it, one over CSC from the textbook. */
final class ReferenceBfs {

    static final int UNREACHED = Integer.MAX_VALUE;

    private ReferenceBfs() {}

    /**
     * Algorithm 2 of arXiv:2606.05081 on one thread, its queues of virtual slice sets and its warps included.
     *
     * @return levels, {@link #UNREACHED} where the paper has infinity
     */
    static int[] overBvss(Bvss bvss, int source) {
        int[] realPtrs = bvss.realPtrs();
        int[] levels = new int[bvss.vertexCount()];
        Arrays.fill(levels, UNREACHED);
        levels[source] = 0;
        byte[] frontier = new byte[bvss.sliceSetCount()];
        byte[] nextFrontier = new byte[bvss.sliceSetCount()];
        frontier[source / 8] = (byte) (1 << source % 8);
        // without lazy duplicates a level enqueues each virtual slice set at most once
        int[] queue = new int[bvss.virtualSliceSetCount()];
        int[] nextQueue = new int[bvss.virtualSliceSetCount()];
        int queued = enqueue(realPtrs, source / 8, queue, 0);
        for (int level = 1; queued > 0; level++) {
            int nextQueued = 0;
            for (int w = 0; w < queued; w++) {
                int vss = queue[w];
                int alpha = frontier[bvss.virtualToReal()[vss]] & 0xff;
                int[][] popcounts = SimulatedWarp.pull(bvss, vss, alpha);
                for (int lane = 0; lane < 32; lane++) {
                    for (int c = 0; c < 4; c++) {
                        if (popcounts[lane][c] == 0) {
                            continue;
                        }
                        int row = bvss.rowIds().get(vss * 128L + 4L * lane + c);
                        if (level < levels[row]) {
                            levels[row] = level;
                            int set = row / 8;
                            byte old = nextFrontier[set];
                            nextFrontier[set] |= (byte) (1 << row % 8);
                            if (old == 0) {
                                nextQueued = enqueue(realPtrs, set, nextQueue, nextQueued);
                            }
                        }
                    }
                }
            }
            byte[] done = frontier;
            frontier = nextFrontier;
            nextFrontier = done;
            Arrays.fill(nextFrontier, (byte) 0);
            int[] emptied = queue;
            queue = nextQueue;
            nextQueue = emptied;
            queued = nextQueued;
        }
        return levels;
    }

    private static int enqueue(int[] realPtrs, int set, int[] queue, int length) {
        for (int vss = realPtrs[set]; vss < realPtrs[set + 1]; vss++) {
            queue[length++] = vss;
        }
        return length;
    }

    /** The textbook's levels, {@link #UNREACHED} where the paper has infinity. */
    static int[] overCsc(Csc graph, int source) {
        int[] levels = TextbookBfs.levels(graph, -1, source);
        for (int vertex = 0; vertex < levels.length; vertex++) {
            levels[vertex] = levels[vertex] < 0 ? UNREACHED : levels[vertex];
        }
        return levels;
    }
}

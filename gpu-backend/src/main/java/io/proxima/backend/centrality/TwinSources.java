// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.centrality;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.IntPages;
import java.util.Arrays;

/**
 * Sources of a symmetric graph whose searches have the same dependencies and the same sums of distances: vertices with
 * the same neighbours apart from each other, connected (true twins) or not (false twins), and with the same weight.
 * Exchanging two of them leaves the graph as it is, and no shortest path from one of them leads through the other,
 * whose neighbours are as near. So one search counts for all of them, without a correction.
 *
 * <p>Known from A. E. Sariyüce et al., Shattering and compressing networks for betweenness centrality, SDM 2013, as
 * identical and side vertices. Here they remain in the graph.
 */
public final class TwinSources {

    private static final int NONE = -1;

    private final Csc graph;
    private final int[] weights;
    private final int[] multiplicities;
    private final PacedStop paced;

    /** For each remainder of hashes the last vertex that has it, from which {@link #next} leads to the others. */
    private final int[] last;

    /** Of a source that was moved, the twin to which it was. */
    private final int[] next;

    private final long[] hashes;

    private TwinSources(Csc graph, int[] weights, int[] multiplicities, Stop stop) {
        this.graph = graph;
        this.weights = weights;
        this.multiplicities = multiplicities;
        paced = new PacedStop(stop);
        last = new int[multiplicities.length];
        next = new int[multiplicities.length];
        hashes = new long[multiplicities.length];
    }

    /** Heap of {@link #merge}. */
    public static MemoryTree memory(long vertexCount) {
        return MemoryTree.exactly("twins", (2L * Integer.BYTES + Long.BYTES) * vertexCount);
    }

    /**
     * Moves the sources of all twins to one of them.
     *
     * @param graph a symmetric graph
     * @param weights number of targets that each vertex represents; null for one each
     * @param multiplicities number of sources that each vertex represents; further vertices are isolated and not
     *     merged. Modified
     * @return by vertex whose sources were moved: the twin that has them now. Undefined for others
     */
    public static int[] merge(Csc graph, int[] weights, int[] multiplicities, Stop stop) {
        TwinSources twins = new TwinSources(graph, weights, multiplicities, stop);
        twins.mergeEqualHashes(false);
        // moves nothing on: a vertex that has a false twin has no true one, which would have to be connected to both
        twins.mergeEqualHashes(true);
        return twins.next;
    }

    private int weight(int v) {
        return weights == null ? 1 : weights[v];
    }

    /** Merges one kind of twins. */
    private void mergeEqualHashes(boolean connected) {
        IntPages rows = graph.rowIndices();
        Arrays.fill(last, NONE);
        for (int v = 0; v < multiplicities.length; v++) {
            paced.worked(1L + graph.degree(v));
            if (multiplicities[v] == 0) {
                continue;
            }
            // a sum, so that v needs no place among its neighbours; no vertex has a number below 0
            long hash = hash(-weight(v)) + (connected ? hash(v) : 0);
            for (long i = graph.columnStart(v), end = graph.columnEnd(v); i < end; i++) {
                hash += hash(rows.get(i));
            }
            hashes[v] = hash;
            int place = (int) Long.remainderUnsigned(hash, last.length);
            int u = last[place];
            while (u != NONE && !(hashes[u] == hash && weight(u) == weight(v) && areTwins(u, v))) {
                u = next[u];
            }
            if (u == NONE) {
                next[v] = last[place];
                last[place] = v;
            } else {
                multiplicities[u] += multiplicities[v];
                multiplicities[v] = 0;
                next[v] = u;
            }
        }
    }

    /** The finalizer of splitmix64. */
    private static long hash(int v) {
        long bits = (v + 1) * 0x9E3779B97F4A7C15L;
        bits = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
        bits = (bits ^ bits >>> 27) * 0x94D049BB133111EBL;
        return bits ^ bits >>> 31;
    }

    /** Whether the neighbours of two vertices are the same apart from these two. */
    private boolean areTwins(int u, int v) {
        IntPages rows = graph.rowIndices();
        long i = graph.columnStart(u);
        long iEnd = graph.columnEnd(u);
        long j = graph.columnStart(v);
        long jEnd = graph.columnEnd(v);
        if (iEnd - i != jEnd - j) {
            return false;
        }
        paced.worked(iEnd - i);
        while (true) {
            if (i < iEnd && rows.get(i) == v) {
                i++;
            }
            if (j < jEnd && rows.get(j) == u) {
                j++;
            }
            if (i == iEnd || j == jEnd) {
                return i == iEnd && j == jEnd;
            }
            if (rows.get(i++) != rows.get(j++)) {
                return false;
            }
        }
    }
}

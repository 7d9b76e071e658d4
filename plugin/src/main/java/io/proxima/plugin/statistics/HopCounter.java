// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.statistics;

import io.proxima.backend.LoadedGraph;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.memory.MemoryTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Counts distances, and gives their statistics. Distances from several sources are counted together. Not thread-safe.
 */
public final class HopCounter {

    private final PacedStop paced;
    private long[] counts = new long[1];
    private int depth;

    /**
     * Creates a counter.
     *
     * @param stop ends the work early
     */
    public HopCounter(Stop stop) {
        paced = new PacedStop(stop);
    }

    /**
     * Heap of the counts and of {@link #distribution}.
     *
     * @param deepest the greatest possible distance
     */
    public static MemoryTree memory(long deepest) {
        // a count, in an array that grows by doubling; a reference and a boxed number
        return MemoryTree.between("hopDistribution", 0, (Integer.BYTES + 5L * Long.BYTES) * (deepest + 1));
    }

    /** Counts a distance, unless it is {@link LoadedGraph#UNREACHED}. */
    public void add(int distance) {
        paced.worked(1);
        if (distance == LoadedGraph.UNREACHED) {
            return;
        }
        if (distance >= counts.length) {
            counts = Arrays.copyOf(counts, (int) Math.min(Integer.MAX_VALUE - 8L, 2L * distance));
        }
        depth = Math.max(depth, distance);
        counts[distance]++;
    }

    /** The greatest distance; 0 without distances. */
    public long depth() {
        return depth;
    }

    /** The number of distances, including those of 0. */
    public long reached() {
        return Arrays.stream(counts).sum();
    }

    /** The mean of the distances above 0; 0 if there are none. */
    public double mean() {
        double sum = 0;
        for (int distance = 1; distance <= depth; distance++) {
            sum += (double) counts[distance] * distance;
            paced.worked(1);
        }
        long pairs = reached() - counts[0];
        return pairs == 0 ? 0 : sum / pairs;
    }

    /** The number of distances of each length, from 0; empty without distances. */
    public List<Long> distribution() {
        if (reached() == 0) {
            return List.of();
        }
        List<Long> distribution = new ArrayList<>(depth + 1);
        for (int distance = 0; distance <= depth; distance++) {
            distribution.add(counts[distance]);
            paced.worked(1);
        }
        return distribution;
    }
}

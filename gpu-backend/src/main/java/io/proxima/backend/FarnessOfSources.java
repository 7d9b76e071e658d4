// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
import java.util.Arrays;
import java.util.Set;

/**
 * The {@link Farness} of the sources of a multi-source BFS, over the vertices that each of them reaches. In the
 * transposed graph, these are the vertices that reach it: then the sums equal those of {@link LoadedGraph#farness}, the
 * harmonic ones bit by bit.
 */
public final class FarnessOfSources implements DistanceSink {

    /** Sources that a thread counts at once: a cache line of distances has those of several sources. */
    private static final int SOURCES_AT_ONCE = 8;

    private final int vertexCount;
    private final Set<DistanceMeasure> measures;
    private final RunControl control;
    private final long[] farness;
    private final long[] reach;
    private final double[] harmonic;
    private final int[] eccentricity;

    /** Pairs by distance; guarded by this. */
    private long[] hops;

    /**
     * Creates empty sums.
     *
     * @param sourceCount number of sources of the run
     * @param vertexCount number of vertices of the graph
     * @param measures the optional measures
     * @param control concurrency and stop of the counting
     */
    public FarnessOfSources(int sourceCount, int vertexCount, Set<DistanceMeasure> measures, RunControl control) {
        this.vertexCount = vertexCount;
        this.measures = Set.copyOf(measures);
        this.control = control;
        farness = new long[sourceCount];
        reach = new long[sourceCount];
        harmonic = new double[measures.contains(DistanceMeasure.HARMONIC) ? sourceCount : 0];
        eccentricity = new int[measures.contains(DistanceMeasure.ECCENTRICITY) ? sourceCount : 0];
        hops = sourceCount == 0 ? new long[0] : new long[] {sourceCount};
    }

    /**
     * Heap of the sums and of the counting.
     *
     * @param sourceCount number of sources of the run
     * @param deepest the greatest distance that a search can reach
     * @param measures the optional measures
     * @param concurrency threads that count
     */
    public static MemoryTree memory(int sourceCount, long deepest, Set<DistanceMeasure> measures, int concurrency) {
        long ofSource = 2L * Long.BYTES
                + (measures.contains(DistanceMeasure.HARMONIC) ? Double.BYTES : 0)
                + (measures.contains(DistanceMeasure.ECCENTRICITY) ? Integer.BYTES : 0);
        return MemoryTree.together(
                "farness of the sources",
                MemoryTree.exactly("sums by source", sourceCount * ofSource),
                countingMemory(sourceCount, deepest, measures, concurrency));
    }

    /** Heap of the counting alone, see {@link #memory}. */
    public static MemoryTree countingMemory(
            int sourceCount, long deepest, Set<DistanceMeasure> measures, int concurrency) {
        int threads = Math.min(concurrency, (sourceCount - 1) / SOURCES_AT_ONCE + 1);
        long levels = deepest + 1;
        // the pairs by distance are copied while their array grows
        long most = levels * threads * Math.min(sourceCount, SOURCES_AT_ONCE) * Integer.BYTES
                + (measures.contains(DistanceMeasure.HOPS) ? 2 * levels * Long.BYTES : 0);
        return MemoryTree.between("nodes by distance", 0, most);
    }

    @Override
    public void accept(DistanceBatch batch) {
        Workers.forRanges(
                control.concurrency(),
                batch.sourceCount(),
                SOURCES_AT_ONCE,
                control.stop(),
                (worker, from, to) -> count(batch, (int) from, (int) to));
    }

    private void count(DistanceBatch batch, int from, int to) {
        int[][] counts = new int[to - from][batch.depth() + 1];
        PacedStop paced = new PacedStop(control.stop());
        for (int vertex = 0; vertex < vertexCount; vertex++) {
            for (int source = from; source < to; source++) {
                int distance = batch.distance(source, vertex);
                if (distance > 0) {
                    counts[source - from][distance]++;
                }
            }
            paced.worked(to - from);
        }
        for (int source = from; source < to; source++) {
            addUp(batch.firstSource() + source, counts[source - from], paced);
        }
    }

    private void addUp(int source, int[] counts, PacedStop paced) {
        for (int level = 1; level < counts.length; level++) {
            paced.worked(1);
            long count = counts[level];
            if (count == 0) {
                continue;
            }
            farness[source] += count * level;
            reach[source] += count;
            if (harmonic.length > 0) {
                harmonic[source] = Farness.addHarmonic(harmonic[source], count, level);
            }
            if (eccentricity.length > 0) {
                eccentricity[source] = level;
            }
        }
        if (measures.contains(DistanceMeasure.HOPS)) {
            addHops(counts);
        }
    }

    private synchronized void addHops(int[] counts) {
        int end = counts.length;
        while (counts[end - 1] == 0 && end > 1) {
            end--;
        }
        if (end > hops.length) {
            hops = Arrays.copyOf(hops, end);
        }
        for (int level = 1; level < end; level++) {
            hops[level] += counts[level];
        }
    }

    /** The sums after the run: entry i of each array belongs to source i; the hops are over all sources. */
    public synchronized Farness farness() {
        return new Farness(
                farness,
                reach,
                measures.contains(DistanceMeasure.HARMONIC) ? harmonic : null,
                measures.contains(DistanceMeasure.ECCENTRICITY) ? eccentricity : null,
                measures.contains(DistanceMeasure.HOPS) ? hops : null);
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.result;

import io.proxima.backend.DistanceBatch;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.DistanceSink;
import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunContext;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Workers;
import io.proxima.memory.MemoryTree;
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
    private final RunContext control;
    private final Farness sums;

    /**
     * Creates empty sums.
     *
     * @param sourceCount number of sources of the run
     * @param vertexCount number of vertices of the graph
     * @param measures the optional measures
     * @param control concurrency and stop of the counting
     */
    public FarnessOfSources(int sourceCount, int vertexCount, Set<DistanceMeasure> measures, RunContext control) {
        this.vertexCount = vertexCount;
        this.control = control;
        sums = Farness.zeros(sourceCount, measures);
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
        // the pairs by distance are copied while their array grows by half
        long most = levels * threads * Math.min(sourceCount, SOURCES_AT_ONCE) * Integer.BYTES
                + (measures.contains(DistanceMeasure.HOPS) ? 5 * levels / 2 * Long.BYTES : 0);
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
        for (int distance = 1; distance < counts.length; distance++) {
            paced.worked(1);
            if (counts[distance] > 0) {
                sums.add(source, counts[distance], distance);
                sums.addPairs(distance, counts[distance]);
            }
        }
    }

    /** The sums after the run: entry i of each array belongs to source i; the hops are over all sources. */
    public Farness farness() {
        return sums;
    }
}

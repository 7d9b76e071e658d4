// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.concurrent.Stop;
import java.util.BitSet;
import java.util.stream.IntStream;

/** Receives the costs of {@link LoadedGraph#weightedSearches}, source by source. */
@FunctionalInterface
public interface CostSink {

    /**
     * The costs of one source.
     *
     * @param costs {@code double[vertexCount]}: the least cost of a path from the source, {@link
     *     ShortestPaths#UNREACHED} if there is none; host, vertex id space
     * @param order the reached vertices in ascending order of cost, the source first, and unused places behind them
     * @param reached the number of reached vertices, with the source
     * @param edges what the sink's {@link #newEdges} has recorded; null without it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Costs(double[] costs, int[] order, int reached, CheapestEdges edges) {

        /** The same, as if only the source and these vertices were reached. */
        public Costs to(BitSet vertices) {
            int[] kept = IntStream.range(0, reached)
                    .filter(place -> place == 0 || vertices.get(order[place]))
                    .map(place -> order[place])
                    .toArray();
            return new Costs(costs, kept, kept.length, edges);
        }
    }

    /**
     * Takes the costs of a source. Several threads call this at the same time, each for another source. Sources begin
     * in the order of their indices, so that a call may wait for those of lower indices.
     *
     * @param worker the number of the thread, from 0 (inclusive) to the concurrency (exclusive)
     * @param index index of the source
     * @param found valid during the call only
     * @param stop requested when the run must end, also because another call has failed
     */
    void accept(int worker, int index, Costs found, Stop stop);

    /** What records the tight edges of a worker's searches; null if they are not needed. */
    default CheapestEdges newEdges() {
        return null;
    }
}

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
package io.proxima.backend.cuda.kernel;

import io.proxima.backend.cuda.device.DeviceLease;
import io.proxima.backend.cuda.graph.GraphSizes;
import io.proxima.backend.cuda.graph.GraphView;
import io.proxima.backend.cuda.graph.HeldGraph;

/** A way to do many searches at once on a device. Immutable. Everything here is in slot id space. */
public interface BatchKernels extends TrialKernels {

    @Override
    default long trialBytes(GraphSizes graph) {
        return plan(graph, HeldGraph.TRIALS, HeldGraph.TRIALS, 0).bytes();
    }

    /** The most sources of a batch of sums. */
    int mostSources();

    /** The most sources of a batch of distances, which wait for the host rather than for the search. */
    default int mostDistances() {
        return mostSources();
    }

    /** The number of sources below which a smaller batch saves no memory. */
    int leastSources();

    /**
     * The state of a batch; exact.
     *
     * @param most what batches are limited to, as memory is short: from {@link #leastSources} to {@link #mostSources}
     * @param count sources of this batch, at most {@code most}
     * @param levelBytes bytes of a distance: 1, 2 or 4; 0 if distances are not wanted
     */
    Plan plan(GraphSizes graph, int most, int count, int levelBytes);

    /** Bytes of a distance in searches so deep: 1, 2 or 4; the largest number of so many bytes stands for unreached. */
    static int levelBytes(long deepest) {
        int bytes = Byte.BYTES;
        while (bytes < Integer.BYTES && deepest > (1L << (Byte.SIZE * bytes)) - 2) {
            bytes *= 2;
        }
        return bytes;
    }

    /**
     * Begins a batch. Batches that are begun one after the other may have the same workspace.
     *
     * @param at device address of a workspace with the plan of this batch
     * @param sources device address of {@code int[count]}: slots
     * @param maxDepth the last level to visit, -1 for all
     * @param sums what is added up; none with distances, since a batch of too narrow distances is run again
     */
    DeviceLease.Launch begin(
            DeviceLease lease,
            GraphView graph,
            int most,
            long at,
            long sources,
            int count,
            int maxDepth,
            int levelBytes,
            Sums sums);

    /**
     * Runs a batch of given sources to its end, as {@link #begin} begins it.
     *
     * @param sources slots
     * @param first index of the batch's first source
     */
    default DeviceLease.Outcome launch(
            DeviceLease lease,
            GraphView graph,
            int most,
            long at,
            int[] sources,
            int first,
            int count,
            int maxDepth,
            int levelBytes,
            Sums sums) {
        long to = at + plan(graph, most, count, levelBytes).sources();
        lease.upload(to, sources, first, count);
        return begin(lease, graph, most, at, to, count, maxDepth, levelBytes, sums)
                .end();
    }

    /**
     * The state of a batch.
     *
     * @param bytes of all
     * @param sources offset of room for the sources
     * @param levels offset of the distances, {@code count * vertexCount} of them, a row a source, slot id space
     */
    record Plan(long bytes, long sources, long levels) {}

    /**
     * Where a batch adds its sums: device addresses, 0 for what is not wanted; slot id space.
     *
     * @param farness {@code long[vertexCount]}
     * @param reach {@code long[vertexCount]}
     * @param levelCounts counts a level and vertex, from {@code firstLevel} on, {@code levelCapacity} levels
     * @param depths {@code int[vertexCount]}: raised to the greatest level at which a source reaches the vertex
     * @param pairs {@code long[vertexCount]}: entry {@code level} is added the pairs of a source and a vertex that it
     *     reaches at that level, from 1 on
     */
    record Sums(
            long farness, long reach, long levelCounts, int levelCapacity, int firstLevel, long depths, long pairs) {

        private static final long NOT_WANTED = 0;

        /** No sums. */
        public static final Sums NONE = new Sums(NOT_WANTED, NOT_WANTED, NOT_WANTED, 0, 1, NOT_WANTED, NOT_WANTED);

        /** Farness and reach. */
        public static Sums ofFarness(long farness, long reach) {
            return new Sums(farness, reach, NOT_WANTED, 0, 1, NOT_WANTED, NOT_WANTED);
        }

        /** Whether more is wanted than sums and counts. */
        public boolean areMeasured() {
            return depths != NOT_WANTED || pairs != NOT_WANTED;
        }

        /** The same, with a window of level counts. */
        public Sums withLevelCounts(long at, int capacity, int first) {
            return new Sums(farness, reach, at, capacity, first, depths, pairs);
        }
    }
}

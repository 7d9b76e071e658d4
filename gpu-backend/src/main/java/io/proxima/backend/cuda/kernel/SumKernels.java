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
import java.util.Set;

/**
 * A way to search from every vertex once and to add up what the searches find. The sources are numbered in an order of the
 * kernels' own. Immutable. The sums are in slot id space.
 */
public interface SumKernels extends TrialKernels {

    /** The most sources of a launch, which should take long enough for the host not to matter, and end within seconds. */
    int mostSources();

    /** The number of sources below which a launch of fewer saves no memory. */
    int leastSources();

    /** A launch begins at a multiple of so many sources. */
    default int sourceMultiple() {
        return 1;
    }

    /**
     * Levels that the counts of harmonic sums have room for at first, where there is so much memory: more for deep graphs, as
     * a graph is searched again for the levels that there was no room for.
     *
     * @param usual that of shallow graphs
     */
    default int levelCapacity(int usual) {
        return usual;
    }

    /** Sources of a trial, so many that its time is in proportion. */
    int trialSources(GraphSizes graph);

    /** The state of a launch, and behind it sums of farness and reach. */
    @Override
    default long trialBytes(GraphSizes graph) {
        return bytes(graph, mostSources(), trialSources(graph))
                + trialSums(graph).bytes();
    }

    private static SumsLayout trialSums(GraphSizes graph) {
        return SumsLayout.of(graph.vertexCount(), Set.of());
    }

    /**
     * Where a trial adds up what nobody reads.
     *
     * @param at device address of {@link #trialBytes}
     */
    default BatchKernels.Sums trialSums(GraphSizes graph, long at) {
        long sums = at + bytes(graph, mostSources(), trialSources(graph));
        SumsLayout plan = trialSums(graph);
        return BatchKernels.Sums.ofFarness(sums + plan.farness(), sums + plan.reach());
    }

    /**
     * Bytes of the state of a launch; exact.
     *
     * @param most what launches are limited to, as memory is short: from {@link #leastSources} to {@link #mostSources}
     * @param count sources of this launch, at most {@code most}
     */
    long bytes(GraphSizes graph, int most, int count);

    /** Sources from which something is reached; the others add nothing to any sum. */
    int sourceCount(GraphView graph);

    /**
     * Begins searches from the sources {@code first} to {@code first + count - 1}. Launches that are begun one after the
     * other may have the same workspace.
     *
     * @param at device address of a workspace of {@link #bytes}
     */
    Adding begin(DeviceLease lease, GraphView graph, int most, long at, int first, int count, BatchKernels.Sums sums);

    /**
     * Whether a launch may end with only the first of its sources searched from, so that it must be waited for before the
     * next is begun.
     */
    boolean mayEndEarly();

    /** A launch that was begun. */
    @FunctionalInterface
    interface Adding {
        /** Waits for its end, as {@link DeviceLease.Launch#end} does. */
        Added end();
    }

    /**
     * What came of a launch.
     *
     * @param sources searched from, at least one
     */
    record Added(DeviceLease.Outcome outcome, int sources) {}
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;

/**
 * Kernels that accumulate sums. Those by vertex search from every vertex, and number the sources in an order of their
 * own. Those by source search from the sources that the sums name, against the edges. Immutable.
 */
public interface SumKernels extends DeviceKernels {

    @Override
    default long leastWorkspace(GraphSizes graph) {
        // without edges there is no search
        return graph.entryCount() == 0
                ? 0
                : bytes(graph, leastSources(), Math.min(leastSources(), graph.vertexCount()));
    }

    /**
     * The maximum number of sources of a launch. A launch should last long enough to hide the host's latency, and end
     * within seconds.
     */
    int mostSources();

    /** The number of sources below which a smaller launch saves no memory. */
    int leastSources();

    /** A launch begins at a multiple of this number of sources. */
    default int sourceMultiple() {
        return 1;
    }

    /**
     * The number of levels that the counts of harmonic sums have room for at first, memory permitting. Larger for deep
     * graphs, because levels without room cost another search.
     *
     * @param usual the number for shallow graphs
     */
    default int levelCapacity(int usual) {
        return usual;
    }

    /** The minimum number of sources that one of several devices takes at once. */
    default int leastShare(GraphSizes graph) {
        return mostSources();
    }

    /**
     * The exact bytes of the workspace of a launch.
     *
     * @param most maximum sources of all launches, reduced if memory is short: from {@link #leastSources} to {@link
     *     #mostSources}
     * @param count sources of this launch, at most {@code most}
     */
    long bytes(GraphSizes graph, int most, int count);

    /**
     * For sums by vertex: the number of sources that reach at least one other vertex. The others contribute to no sum.
     */
    int sourceCount(GraphView graph);

    /**
     * Begins searches from the sources {@code first} to {@code first + count - 1}. Launches begun one after the other
     * may share a workspace.
     *
     * @param at device address of a workspace of {@link #bytes} bytes
     */
    Adding begin(DeviceLease lease, GraphView graph, int most, long at, int first, int count, Sums sums);

    /**
     * Whether a launch may process only its first sources. Then the next launch must not begin before this one ends.
     */
    default boolean mayEndEarly() {
        return false;
    }

    /** A launch in flight. */
    @FunctionalInterface
    interface Adding {
        /** Waits for the end of the launch, as {@link DeviceLease.Launch#end} does. */
        Added end();
    }

    /**
     * The outcome of a launch.
     *
     * @param sources number of sources processed, at least one
     */
    record Added(DeviceLease.Outcome outcome, int sources) {}
}

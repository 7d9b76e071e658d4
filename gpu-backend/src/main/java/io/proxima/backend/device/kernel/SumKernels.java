// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.kernel;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Operation;
import io.proxima.backend.Workload;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.graph.GraphSizes;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.graph.Way;
import java.util.ArrayList;
import java.util.List;

/**
 * Kernels that accumulate sums. Those by vertex search from every vertex, or from those outside of hanging trees. Those
 * by source search from the sources that the sums name, against the edges. Immutable.
 */
public interface SumKernels extends DeviceKernels {

    /** No window of so many bytes is ever allocated. */
    long MORE_THAN_ANY_DEVICE = 1L << 48;

    /**
     * Sums, and for harmonic ones by vertex the counts of a window of levels. Short memory makes batches smaller first,
     * because narrower windows cost passes over all sources.
     */
    @Override
    default List<Way> ways(GraphSizes graph, Workload work, LaunchPolicy policy) {
        int n = graph.vertexCount();
        boolean bySource = work.operation() == Operation.FARNESS_OF_SOURCES;
        int searches = bySource ? work.sources() : n;
        long sums = Sums.layout(searches, listsSources(), n, work.measures(), bySource)
                .bytes();
        if (graph.entryCount() == 0) {
            // without edges there is no search
            return List.of(new Way(mostSources(), 1, 0, 0, 0));
        }
        boolean windows = !bySource && work.wants(DistanceMeasure.HARMONIC);
        int most = windows ? Math.min(levelCapacity(policy.levelCapacity()), n) : 0;
        int least = Math.max(1, (most - 1) / LaunchPolicy.MOST_HARMONIC_PASSES + 1);
        long growth = windows ? growth(n, most, work.deepest(n)) : 0;
        List<Way> ways = new ArrayList<>();
        for (int levels = most; ; levels = Math.max(least, levels / LaunchPolicy.LEVEL_CAPACITY_GROWTH)) {
            for (int batch = mostSources(); batch >= leastSources(); batch /= 2) {
                ways.add(new Way(
                        batch,
                        levels,
                        sums + (windows ? Sums.levelCountBytes(n, levels) : 0),
                        bytes(graph, batch, Math.min(batch, searches)),
                        growth));
            }
            if (levels <= least) {
                return ways;
            }
        }
    }

    /** The levels of the window after one of so many, if there is memory for it. */
    static int nextWindow(int vertexCount, int levels) {
        return (int) Math.min(vertexCount, (long) levels * LaunchPolicy.LEVEL_CAPACITY_GROWTH);
    }

    /** Bytes of the last window of level counts, which is the largest, beyond those of the first. */
    private static long growth(int n, int first, long deepest) {
        int capacity = first;
        long reached = capacity;
        while (reached < deepest && Sums.levelCountBytes(n, capacity) < MORE_THAN_ANY_DEVICE) {
            capacity = nextWindow(n, capacity);
            reached += capacity;
        }
        return Sums.levelCountBytes(n, capacity) - Sums.levelCountBytes(n, first);
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
     * Whether the kernels search from the sources that the sums name, as all do for sums by source, and count each for
     * its weight. Others number all slots in an order of their own.
     */
    default boolean listsSources() {
        return false;
    }

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

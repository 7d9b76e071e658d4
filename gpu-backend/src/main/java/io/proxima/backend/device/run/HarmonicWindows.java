// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.device.Device;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.kernel.SumKernels;
import io.proxima.backend.device.kernel.Sums;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;

/**
 * Harmonic sums by vertex. The device counts the sources that reach each vertex at each level. After all batches, the
 * levels are added in ascending order, so that the double equals that of every other backend. The counts have room for
 * a window of levels. A deeper graph is searched again for each further window, and windows grow. The first pass finds
 * the depth. There are at most {@link LaunchPolicy#MOST_HARMONIC_PASSES}, so memory must not shrink windows below a
 * minimum.
 */
record HarmonicWindows(Device device, SumKernels kernels, GraphView graph, RangeSearches searches) {

    private static final int FIRST_LEVEL = 1;

    /** The least bytes of level counts. A deep graph may need more. */
    static long leastBytes(LaunchPolicy policy, int vertexCount) {
        int capacity = Math.min(policy.levelCapacity(), vertexCount);
        return Sums.levelCountBytes(vertexCount, leastWindow(capacity, LaunchPolicy.MOST_HARMONIC_PASSES));
    }

    /**
     * Accumulates all sums of a run on one device. The first window accumulates all other sums too.
     *
     * @param sums the sums of the run, to whose harmonic ones the counts are added
     */
    void accumulate(SourceRanges ofFirstPass, Sums sums, Stop stop) {
        int vertexCount = graph.vertexCount();
        SourceRanges sources = ofFirstPass;
        Sums beside = sums;
        int first = FIRST_LEVEL;
        int capacity = Math.min(kernels.levelCapacity(device.policy().levelCapacity()), vertexCount);
        int least = leastWindow(capacity, LaunchPolicy.MOST_HARMONIC_PASSES);
        int passesLeft = LaunchPolicy.MOST_HARMONIC_PASSES;
        boolean deeper = true;
        while (deeper) {
            int most = passesLeft == 1 ? Math.max(capacity, least) : capacity;
            passesLeft--;
            Window window = open(most, least, stop);
            try (DeviceArray counts = window.counts()) {
                capacity = window.levels();
                searches.run(sources, vertexCount, beside.withLevelCounts(counts.address(), capacity, first), stop);
                addUp(counts, sums.harmonic(), first, capacity, stop);
                deeper = searches.isDeeper();
            } finally {
                searches.endPass();
            }
            first += capacity;
            least = leastWindow(searches.deepest() - first + 1, passesLeft);
            capacity = (int) Math.min(vertexCount, (long) capacity * LaunchPolicy.LEVEL_CAPACITY_GROWTH);
            sources = new SourceRanges(kernels.sourceCount(graph), 1, Progress.NONE);
            beside = Sums.NONE;
        }
    }

    /** Levels of each window so that so many levels take no more than these passes. */
    private static int leastWindow(int levels, int passes) {
        return Math.max(1, (levels - 1) / Math.max(1, passes) + 1);
    }

    private record Window(DeviceArray counts, int levels) {}

    /**
     * Allocates the counts of a window. It has fewer levels than wanted if memory is short.
     *
     * @throws DeviceMemoryException if the counts of the least levels do not fit beside the smallest batch
     */
    private Window open(int most, int least, Stop stop) {
        int vertexCount = graph.vertexCount();
        int sources = kernels.leastSources();
        long batch = kernels.bytes(graph, sources, Math.min(sources, vertexCount));
        int levels = most;
        while (true) {
            try (DeviceLease lease = device.lease(stop)) {
                DeviceArray counts = DeviceSums.zeros(
                        lease, "the counts of " + levels + " levels", Sums.levelCountBytes(vertexCount, levels), batch);
                return new Window(counts, levels);
            } catch (DeviceMemoryException e) {
                if (levels <= least) {
                    throw tooManyPasses(e, least);
                }
                levels = Math.max(least, levels / LaunchPolicy.LEVEL_CAPACITY_GROWTH);
            }
        }
    }

    private static DeviceMemoryException tooManyPasses(DeviceMemoryException shortage, int least) {
        return new DeviceMemoryException(
                shortage.getMessage() + " Harmonic sums of this graph need room for the counts of " + least
                        + " levels at a time, because they may take " + LaunchPolicy.MOST_HARMONIC_PASSES
                        + " passes over all sources.");
    }

    /** Adds the counts of the window to the harmonic sums on the device, the lowest level first. */
    private void addUp(DeviceArray counts, long harmonic, int firstLevel, int levels, Stop stop) {
        try (DeviceLease lease = device.lease(stop)) {
            lease.launchThreads(
                    graph.vertexCount(),
                    device.arguments("farness_counts_harmonic_thread")
                            .set("levelCounts", counts.address())
                            .set("harmonic", harmonic)
                            .set("n", graph.vertexCount())
                            .set("levelCount", levels)
                            .set("firstLevel", firstLevel));
        }
    }
}

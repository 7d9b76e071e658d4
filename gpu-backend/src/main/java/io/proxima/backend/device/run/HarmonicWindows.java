// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.device.DeviceArray;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.graph.Placed;
import io.proxima.backend.device.kernel.SumKernels;
import io.proxima.backend.device.kernel.Sums;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;

/**
 * Harmonic sums by vertex. The device counts the sources that reach each vertex at each level. After all batches, the
 * levels are added in ascending order, so that the double equals that of every other backend. The counts have room for
 * a window of levels. A deeper graph is searched again for each further window, and windows grow. The first pass finds
 * the depth. Windows grow while memory is not short; if it is, there are more passes.
 */
record HarmonicWindows(GraphView graph, RangeSearches searches) {

    private static final int FIRST_LEVEL = 1;

    /**
     * Accumulates all sums of a run on one device. The first window accumulates all other sums too.
     *
     * @param all the sources of each pass
     * @param sums the sums of the run, to whose harmonic ones the counts are added
     */
    void accumulate(SumSources all, SourceRanges ofFirstPass, Sums sums, Stop stop) {
        int vertexCount = graph.vertexCount();
        SourceRanges sources = ofFirstPass;
        Sums beside = sums;
        int first = FIRST_LEVEL;
        int wanted = graph.placed().way().levels();
        boolean deeper = true;
        while (deeper) {
            Window window = open(wanted, stop);
            int levels = window.levels();
            try (DeviceArray counts = window.counts()) {
                searches.run(sources, vertexCount, beside.withLevelCounts(counts.address(), levels, first), stop);
                addUp(counts, sums.harmonic(), first, levels, stop);
                deeper = searches.isDeeper();
            } finally {
                searches.endPass();
            }
            first += levels;
            wanted = deeper ? grown(levels) : levels;
            sources = new SourceRanges(all.classes(), 1, Progress.NONE);
            beside = sums.withoutSums();
        }
    }

    /** The next window: larger if there is memory for it. */
    private int grown(int last) {
        int vertexCount = graph.vertexCount();
        long lastBytes = Sums.levelCountBytes(vertexCount, last);
        int levels = SumKernels.nextWindow(vertexCount, last);
        while (levels > last && !graph.placed().grow(Sums.levelCountBytes(vertexCount, levels) - lastBytes)) {
            levels /= 2;
        }
        return Math.max(last, levels);
    }

    private record Window(DeviceArray counts, int levels) {}

    /** Allocates the counts of a window. It has fewer levels than wanted if the driver is short of memory. */
    private Window open(int wanted, Stop stop) {
        Placed placed = graph.placed();
        int levels = wanted;
        while (true) {
            try (DeviceLease lease = graph.device().lease(stop)) {
                long bytes = Sums.levelCountBytes(graph.vertexCount(), levels);
                return new Window(
                        DeviceSums.zeros(lease, placed, "the counts of " + levels + " levels", bytes), levels);
            } catch (DeviceMemoryException e) {
                if (levels > placed.way().levels()) {
                    // it only lacks the memory by which it has grown
                    levels = placed.way().levels();
                } else {
                    placed.narrower(e);
                    levels = Math.min(levels, placed.way().levels());
                }
            }
        }
    }

    /** Adds the counts of the window to the harmonic sums on the device, the lowest level first. */
    private void addUp(DeviceArray counts, long harmonic, int firstLevel, int levels, Stop stop) {
        try (DeviceLease lease = graph.device().lease(stop)) {
            lease.launchThreads(
                    graph.vertexCount(),
                    graph.device()
                            .arguments("farness_counts_harmonic_thread")
                            .set("levelCounts", counts.address())
                            .set("harmonic", harmonic)
                            .set("n", graph.vertexCount())
                            .set("levelCount", levels)
                            .set("firstLevel", firstLevel));
        }
    }
}

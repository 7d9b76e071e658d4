// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.device.DeviceLease;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.LeaseQueue;
import io.proxima.backend.device.graph.GraphView;
import io.proxima.backend.device.graph.Placed;
import io.proxima.backend.device.kernel.SumKernels;
import io.proxima.backend.device.kernel.Sums;
import io.proxima.backend.device.run.SourceRanges.Range;
import io.proxima.concurrent.Stop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The searches of one device from the ranges of sources that it takes. Their sums stay on the device. For one thread at
 * a time.
 */
final class RangeSearches {

    private final SumKernels kernels;
    private final GraphView graph;

    private final List<Range> ended = new ArrayList<>();
    private final ArrayDeque<Range> taken = new ArrayDeque<>();
    private boolean deeper;
    private int deepest;

    /**
     * Searches that have not begun.
     *
     * @param graph has the structures of the kernels
     */
    RangeSearches(SumKernels kernels, GraphView graph) {
        this.kernels = kernels;
        this.graph = graph;
    }

    /**
     * Searches from ranges of sources until all sources are done, here or on other devices.
     *
     * @param count maximum number of sources of the run
     */
    void run(SourceRanges sources, int count, Sums wanted, Stop stop) {
        Placed placed = graph.placed();
        // duration of the previous batch; that of the first is unknown
        float millis = Float.POSITIVE_INFINITY;
        while (sources.await(stop)) {
            try (DeviceLease lease = graph.device().lease(stop, LeaseQueue.RunLength.LONG)) {
                int most = placed.way().batch();
                long at;
                try {
                    // later batches take no more
                    at = placed.workspace(lease, kernels.bytes(graph, most, Math.min(most, count)));
                } catch (DeviceMemoryException e) {
                    placed.narrower(e);
                    continue;
                }
                millis = runUntilOthersWait(sources, wanted, lease, at, most, millis);
            }
        }
    }

    /** A batch in flight. */
    private record Batch(SumKernels.Adding searches, Range range) {}

    private Batch begin(SourceRanges sources, Sums wanted, DeviceLease lease, long at, int most) {
        int least = kernels.mayEndEarly() ? kernels.leastShare(graph) : most;
        Range range = sources.take(most, least, kernels.sourceMultiple());
        if (range == null) {
            return null;
        }
        taken.add(range);
        Sums weighing = wanted.weighing(range.weight());
        return new Batch(kernels.begin(lease, graph, most, at, range.first(), range.count(), weighing), range);
    }

    private Batch beginUnlessOthersWait(SourceRanges sources, Sums wanted, DeviceLease lease, long at, int most) {
        return graph.device().isWanted() ? null : begin(sources, wanted, lease, at, most);
    }

    /**
     * Runs at least one batch if a range is open. While the host waits for one batch, the device already has the next.
     *
     * @param before milliseconds of the batch before
     * @return milliseconds of the last batch
     */
    private float runUntilOthersWait(
            SourceRanges sources, Sums wanted, DeviceLease lease, long at, int most, float before) {
        float millis = before;
        Batch batch = begin(sources, wanted, lease, at, most);
        while (batch != null) {
            boolean overlaps = !kernels.mayEndEarly() && millis <= LaunchPolicy.MILLIS_OF_A_BATCH_IN_FLIGHT;
            Batch following = overlaps ? beginUnlessOthersWait(sources, wanted, lease, at, most) : null;
            SumKernels.Added added = batch.searches().end();
            taken.remove();
            ended.add(new Range(
                    batch.range().first(), added.sources(), batch.range().weight()));
            sources.end(batch.range(), added.sources());
            deeper |= added.outcome().countsTooShallow();
            deepest = Math.max(deepest, added.outcome().level());
            millis = added.outcome().millis();
            batch = following == null && !overlaps
                    ? beginUnlessOthersWait(sources, wanted, lease, at, most)
                    : following;
        }
        return millis;
    }

    /** Leaves all ranges to other devices, after a failure of this one. */
    void repeatElsewhere(SourceRanges sources) {
        sources.repeat(ended, taken);
        ended.clear();
        taken.clear();
    }

    /** Ends a pass over all sources, with all ranges done. */
    void endPass() {
        ended.clear();
        deeper = false;
    }

    /** Whether there are levels beyond the window. */
    boolean isDeeper() {
        return deeper;
    }

    /** The deepest level. */
    int deepest() {
        return deepest;
    }
}

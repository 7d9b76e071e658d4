// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Chooses the device of a run on a graph that several devices can hold: the one with the fewest runs, then one on which
 * the graph is resident, then the one with the most free memory. If the graph is resident on busy devices only, the run
 * joins the least busy of them, until {@link #WAITS_WORTH_A_COPY} runs have done so; then the graph is copied to an idle
 * device. Thread-safe.
 */
final class Placement {

    /** The number of runs that wait for a resident graph before another copy of it pays. */
    static final int WAITS_WORTH_A_COPY = 8;

    // guarded by this
    private int waits;

    /** A device at the time of the choice. */
    private record Candidate(DeviceGraph graph, int queue, boolean resident) {
        /** Asks the driver for the free memory only if that matters. */
        long priority() {
            return resident ? -Long.MAX_VALUE : -graph.freeBytes();
        }

        static Candidate of(DeviceGraph graph) {
            return new Candidate(graph, graph.queue().load(), graph.bytes() > 0);
        }
    }

    /** Sorts devices by preference for a run on one of them, which counts as waiting if it joins others. */
    List<DeviceGraph> sortedForRun(List<DeviceGraph> graphs) {
        return sorted(graphs, 1);
    }

    /** Sorts devices by preference, for the preparation of a run or for a run on all of them. */
    List<DeviceGraph> sorted(List<DeviceGraph> graphs) {
        return sorted(graphs, 0);
    }

    private synchronized List<DeviceGraph> sorted(List<DeviceGraph> graphs, int runs) {
        List<Candidate> candidates = new ArrayList<>(graphs.stream()
                .map(Candidate::of)
                .sorted(Comparator.comparingInt(Candidate::queue).thenComparingLong(Candidate::priority))
                .toList());
        if (!candidates.isEmpty() && !candidates.get(0).resident) {
            candidates.stream().filter(Candidate::resident).findFirst().ifPresent(holder -> {
                if (waits < WAITS_WORTH_A_COPY) {
                    waits += runs;
                    candidates.remove(holder);
                    candidates.add(0, holder);
                } else {
                    waits = 0;
                }
            });
        }
        return candidates.stream().map(Candidate::graph).toList();
    }
}

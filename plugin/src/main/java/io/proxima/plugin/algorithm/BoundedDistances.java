// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import io.proxima.backend.BackendTask;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Workload;
import io.proxima.backend.bounds.Eccentricities;
import io.proxima.backend.bounds.Eccentricities.Wanted;
import io.proxima.backend.bounds.EccentricityBounds;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.call.Algorithm.Traits;
import io.proxima.plugin.call.CallKeys;
import io.proxima.plugin.call.CallPlan;
import io.proxima.plugin.call.CallPlan.Passes;
import io.proxima.plugin.call.CallSize;
import io.proxima.plugin.call.GraphRun;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Runs that find eccentricities, diameter or radius by bounds, for the algorithms that have these as columns. */
public final class BoundedDistances {

    /** The key of the configuration that shows the number of searches. */
    public static final String SEARCHES = "searches";

    private BoundedDistances() {}

    /** The diameter and the radius, where the mode computes them. */
    public static Set<Wanted> wanted(CallKeys keys) {
        Set<Wanted> wanted = EnumSet.noneOf(Wanted.class);
        if (keys.computesStatistic("diameter")) {
            wanted.add(Wanted.DIAMETER);
        }
        if (keys.computesStatistic("radius")) {
            wanted.add(Wanted.RADIUS);
        }
        return wanted;
    }

    /** Whether a column needs all distances. */
    public static boolean sumsAll(CallKeys keys) {
        return keys.computesStatistic("meanDistance") || keys.computesStatistic("hopDistribution");
    }

    /** The traits of a run by bounds instead of one that searches from all nodes. */
    public static Traits traits(Traits all) {
        return new Traits(all.task(), all.operation(), all.values(), List.of(BackendTask.BOUNDS));
    }

    /**
     * The plan of {@link #find}. The bounds may not pay, and every node is searched then.
     *
     * @param wanted what is to be found
     * @param afterwards heap that the caller allocates after the run
     */
    public static CallPlan plan(CallSize size, Set<Wanted> wanted, MemoryTree afterwards) {
        Workload work = Workload.farness(Set.of(DistanceMeasure.ECCENTRICITY))
                .keeping(EccentricityBounds.memory(size.vertexCount(), wanted.contains(Wanted.ALL)), afterwards)
                .beside(EccentricityBounds.runs(size.vertexCount()));
        return new CallPlan(
                work,
                size.vertexCount(),
                Passes.BOTH,
                wanted.contains(Wanted.RADIUS)
                        ? shape -> EccentricityBounds.memoryBefore(shape, size.threads())
                        : null);
    }

    /** Finds eccentricities along the relationships, and shows the number of searches in the configuration. */
    public static Eccentricities find(GraphRun run, CallPlan plan, Set<Wanted> wanted) {
        GraphRun.Both graphs = run.loadBoth(plan, List.of());
        Eccentricities found = EccentricityBounds.find(
                run.csc(), graphs.along(), graphs.against(), wanted, () -> run.expectTasks(plan), run.control());
        run.show(SEARCHES, found.searches());
        return found;
    }
}

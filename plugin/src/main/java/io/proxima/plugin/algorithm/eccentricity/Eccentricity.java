// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.eccentricity;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.Operation;
import io.proxima.backend.Workload;
import io.proxima.backend.bounds.Eccentricities;
import io.proxima.backend.bounds.Eccentricities.Wanted;
import io.proxima.concurrent.Stop;
import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.BoundedDistances;
import io.proxima.plugin.algorithm.CostSearches;
import io.proxima.plugin.algorithm.eccentricity.EccentricityProcedures.StreamRow;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.Call.Mode;
import io.proxima.plugin.call.CallKeys;
import io.proxima.plugin.call.CallPlan;
import io.proxima.plugin.call.CallPlan.Passes;
import io.proxima.plugin.call.CallSize;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.call.RunResult.Streamed;
import io.proxima.plugin.call.VertexValues;
import io.proxima.plugin.statistics.DistanceStatistics;
import io.proxima.plugin.statistics.Distribution;
import io.proxima.plugin.write.WrittenValues;
import io.proxima.projection.IdMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The exact eccentricity of every node: the greatest distance from it to any node that it reaches.
 *
 * @param statistics whether statistics of the distances are computed
 * @param measures what searches from all nodes sum; null if no distances but the eccentricities are wanted
 * @param wanted what bounds find otherwise
 */
record Eccentricity(boolean statistics, Set<DistanceMeasure> measures, Set<Wanted> wanted)
        implements Algorithm<StreamRow> {

    /** The default value of the property; every node has an eccentricity of at least 0. */
    private static final int NO_VALUE = -1;

    static Algorithm<StreamRow> read(CallKeys keys) {
        String weightProperty = CostSearches.readProperty(keys.reader());
        if (!weightProperty.isEmpty()) {
            return new WeightedEccentricity(keys.mode() == Mode.STATS, weightProperty);
        }
        boolean statistics = keys.mode() == Mode.STATS;
        Set<Wanted> wanted = BoundedDistances.wanted(keys);
        // a call that reads only times measures the searches for all
        if (!statistics || keys.computes("eccentricityDistribution") || wanted.isEmpty()) {
            wanted.add(Wanted.ALL);
        }
        Set<DistanceMeasure> measures = null;
        if (BoundedDistances.sumsAll(keys)) {
            measures = DistanceStatistics.measures(keys::computesStatistic);
            measures.add(DistanceMeasure.ECCENTRICITY);
        }
        return new Eccentricity(statistics, measures, wanted);
    }

    @Override
    public Traits traits() {
        Traits all = new Traits("Eccentricity", Operation.FARNESS, WrittenValues.SHARED_INTEGERS);
        return measures == null ? BoundedDistances.traits(all) : all;
    }

    @Override
    public CallPlan plan(CallSize size) {
        MemoryTree property = size.property(size.vertexCount(), Integer.BYTES);
        if (measures == null) {
            return BoundedDistances.plan(size, wanted, property.named("rows"));
        }
        MemoryTree rows = MemoryTree.together("rows", size.hopDistribution(), property);
        return new CallPlan(
                Workload.farness(measures).keeping(MemoryTree.NONE, rows), size.vertexCount(), Passes.REVERSED);
    }

    @Override
    public RunResult<StreamRow> run(GraphRun run, CallPlan plan) {
        if (run.vertexCount() == 0) {
            return result(run, new int[0], DistanceStatistics.NONE);
        }
        if (measures == null) {
            Eccentricities found = BoundedDistances.find(run, plan, wanted);
            return result(run, found.eccentricities(), DistanceStatistics.of(found));
        }
        Farness sums = run.loadReversed(plan).farness(measures, run.control());
        Stop stop = run.caller().stop();
        return result(
                run,
                sums.eccentricity(),
                statistics ? DistanceStatistics.of(sums, DistanceStatistics.radius(sums, stop), stop) : Map.of());
    }

    /**
     * The result of a run.
     *
     * @param eccentricities {@code int[run.vertexCount()]}; null if the mode uses none
     */
    private static RunResult<StreamRow> result(GraphRun run, int[] eccentricities, Map<String, Object> statistics) {
        IdMap ids = run.idMap();
        Streamed<StreamRow> streamed = eccentricities == null
                ? Streamed.none()
                : new Streamed<>(
                        eccentricities.length,
                        () -> (vertex, part) -> new StreamRow(ids.toNeo4jId(vertex), (long) eccentricities[vertex]),
                        List.of(HeapPart.of(eccentricities)));
        return new RunResult<>(streamed, () -> statistics, () -> List.of(VertexValues.ofInts(eccentricities, NO_VALUE)))
                .with(
                        "eccentricityDistribution",
                        () -> Distribution.of(eccentricities, run.caller().stop()));
    }
}

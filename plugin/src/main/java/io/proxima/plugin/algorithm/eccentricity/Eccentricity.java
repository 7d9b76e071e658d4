// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.eccentricity;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.concurrent.Stop;
import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.eccentricity.EccentricityProcedures.StreamRow;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.RunResult;
import io.proxima.plugin.call.VertexValues;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.statistics.DistanceFigures;
import io.proxima.plugin.statistics.Distribution;
import io.proxima.projection.IdMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The exact eccentricity of every node: the greatest distance from it to any node that it reaches. */
public final class Eccentricity extends Algorithm<StreamRow> {

    /** The default value of the property; every node has an eccentricity of at least 0. */
    private static final int NO_VALUE = -1;

    private static final String DISTRIBUTION = "eccentricityDistribution";

    public Eccentricity(Caller caller, Mode mode) {
        super(caller, mode, Operation.FARNESS, "Eccentricity");
    }

    @Override
    protected void readKeys(ConfigReader reader) {
        // has only the common keys
    }

    @Override
    protected int searches(int vertexCount) {
        return vertexCount;
    }

    @Override
    protected Passes passes(int vertexCount) {
        return Passes.REVERSED;
    }

    @Override
    protected Workload work(int vertexCount, int wholeVertexCount) {
        return Workload.farness(measures())
                .keeping(
                        MemoryTree.NONE,
                        MemoryTree.together(
                                "rows",
                                hopDistributionMemory(vertexCount),
                                propertyMemory(vertexCount, wholeVertexCount, Integer.BYTES)));
    }

    private Set<DistanceMeasure> measures() {
        Set<DistanceMeasure> measures = measuresOfFigures();
        measures.add(DistanceMeasure.ECCENTRICITY);
        return measures;
    }

    @Override
    protected RunResult<StreamRow> compute(GraphRun run) {
        if (run.vertexCount() == 0) {
            return result(run, new int[0], DistanceFigures.NONE);
        }
        LoadedGraph graph = loadReversed(run);
        return timed(() -> {
            Farness sums = graph.farness(measures(), run.control());
            Stop stop = caller().stop();
            return result(
                    run,
                    sums.eccentricity(),
                    mode() == Mode.STATS
                            ? DistanceFigures.of(sums, DistanceFigures.radius(sums, stop), stop)
                            : Map.of());
        });
    }

    /**
     * The result of a run.
     *
     * @param eccentricities {@code int[run.vertexCount()]}
     */
    private RunResult<StreamRow> result(GraphRun run, int[] eccentricities, Map<String, Object> figures) {
        IdMap ids = run.idMap();
        return new RunResult<>(
                eccentricities.length,
                () -> (vertex, part) -> new StreamRow(ids.toNeo4jId(vertex), eccentricities[vertex]),
                List.of(HeapPart.of(eccentricities)),
                () -> {
                    Map<String, Object> columns = new HashMap<>(figures);
                    columns.put(
                            DISTRIBUTION,
                            distribution(DISTRIBUTION, () -> Distribution.of(eccentricities, caller().stop())));
                    return columns;
                },
                () -> List.of(VertexValues.ofInts(eccentricities, NO_VALUE)));
    }
}

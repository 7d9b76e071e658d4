// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.eccentricity;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.memory.HeapPart;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.call.Algorithm;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.call.VertexValues;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.statistics.DistanceFigures;
import io.proxima.plugin.statistics.Distribution;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The exact eccentricity of every node: the greatest distance from it to any node that it reaches. */
public final class Eccentricity extends Algorithm<Eccentricity.Found> {

    /** The default value of the property; every node has an eccentricity of at least 0. */
    private static final int NO_VALUE = -1;

    private static final Set<DistanceMeasure> ECCENTRICITY = Set.of(DistanceMeasure.ECCENTRICITY);
    private static final Set<DistanceMeasure> ECCENTRICITY_AND_HOPS =
            Set.of(DistanceMeasure.ECCENTRICITY, DistanceMeasure.HOPS);

    public Eccentricity(Caller caller, Mode mode) {
        super(caller, mode);
    }

    /**
     * The result of a run.
     *
     * @param eccentricities {@code int[run.vertexCount()]}
     * @param figures statistics for {@link Mode#STATS}, otherwise null
     */
    @SuppressWarnings("ArrayRecordComponent") // handed from one method to the next, never compared
    record Found(int[] eccentricities, DistanceFigures figures) {}

    @Override
    protected void readKeys(ConfigReader reader) {
        // has only the common keys
    }

    @Override
    protected String task() {
        return "Eccentricity";
    }

    @Override
    protected long searches(int vertexCount) {
        return vertexCount;
    }

    @Override
    protected Operation kind() {
        return Operation.FARNESS;
    }

    @Override
    protected Passes passes() {
        return Passes.REVERSED;
    }

    @Override
    protected Workload work(int vertexCount, int wholeVertexCount) {
        return Workload.farness(mode() == Mode.STATS ? ECCENTRICITY_AND_HOPS : ECCENTRICITY)
                .keeping(
                        MemoryTree.NONE,
                        MemoryTree.together(
                                "rows",
                                hopDistributionMemory(vertexCount),
                                propertyMemory(vertexCount, wholeVertexCount, Integer.BYTES)));
    }

    @Override
    protected Found compute(GraphRun run) {
        if (run.vertexCount() == 0) {
            return new Found(new int[0], DistanceFigures.NONE);
        }
        LoadedGraph graph = loadReversed(run);
        Set<DistanceMeasure> measures = EnumSet.of(DistanceMeasure.ECCENTRICITY);
        if (mode() == Mode.STATS && caller().yields("hopDistribution")) {
            measures.add(DistanceMeasure.HOPS);
        }
        return timed(() -> {
            Farness sums = graph.farness(measures, run.control());
            DistanceFigures figures = mode() == Mode.STATS
                    ? DistanceFigures.of(
                            sums,
                            DistanceFigures.radius(sums, run.control().stop()),
                            run.control().stop())
                    : null;
            return new Found(sums.eccentricity(), figures);
        });
    }

    @Override
    protected Map<String, Object> figures(Found found) {
        Map<String, Object> figures = new HashMap<>(mode() == Mode.STATS ? found.figures.columns() : Map.of());
        String column = "eccentricityDistribution";
        figures.put(column, distribution(column, () -> Distribution.of(found.eccentricities, caller().stop())));
        return figures;
    }

    @Override
    protected List<VertexValues> values(GraphRun run, Found found) {
        return List.of(VertexValues.ofInts(found.eccentricities, NO_VALUE));
    }

    @Override
    protected HeapPart[] heapParts(Found found) {
        return new HeapPart[] {HeapPart.of(found.eccentricities)};
    }
}

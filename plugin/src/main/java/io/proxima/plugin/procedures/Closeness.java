/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.plugin.procedures;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.centrality.ClosenessFormula;
import io.proxima.plugin.centrality.DistanceFigures;
import io.proxima.plugin.centrality.Distribution;
import io.proxima.plugin.config.ConfigReader;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Exact closeness of every node. */
final class Closeness extends Algorithm {

    private final boolean alwaysHarmonic;
    private ClosenessFormula formula;

    private Closeness(Caller caller, Mode mode, boolean alwaysHarmonic) {
        super(caller, mode);
        this.alwaysHarmonic = alwaysHarmonic;
    }

    /** Closeness by the formula that the configuration names. */
    static Closeness byKeys(Caller caller, Mode mode) {
        return new Closeness(caller, mode, false);
    }

    /** Harmonic closeness; the configuration has no keys for the formula. */
    static Closeness harmonic(Caller caller, Mode mode) {
        return new Closeness(caller, mode, true);
    }

    @Override
    void readKeys(ConfigReader reader) {
        if (alwaysHarmonic) {
            formula = ClosenessFormula.HARMONIC;
            return;
        }
        boolean wassermanFaust = reader.readBoolean("useWassermanFaust", false);
        boolean harmonic = reader.readBoolean("harmonic", false);
        if (wassermanFaust && harmonic) {
            reader.fault("`useWassermanFaust` and `harmonic` exclude each other: set one of them.");
        }
        formula = harmonic
                ? ClosenessFormula.HARMONIC
                : wassermanFaust ? ClosenessFormula.WASSERMAN_FAUST : ClosenessFormula.DEFAULT;
    }

    @Override
    String task() {
        return harmonic() ? "Harmonic Closeness" : "Closeness";
    }

    @Override
    boolean mayNotReach() {
        return false;
    }

    @Override
    long searches(int vertexCount) {
        return vertexCount;
    }

    @Override
    Run kind() {
        return Run.FARNESS;
    }

    @Override
    Workload work(int vertexCount, int wholeVertexCount) {
        MemoryTree scores = MemoryTree.exactly("scores", (long) vertexCount * Double.BYTES);
        MemoryTree column = mode() == Mode.STATS ? hopDistributionMemory(vertexCount) : MemoryTree.NONE;
        MemoryTree property = mode() == Mode.MUTATE
                ? GraphRun.propertyMemory(vertexCount, wholeVertexCount, Double.BYTES)
                : MemoryTree.NONE;
        return Workload.farness(measures(mode() == Mode.STATS ? ECCENTRICITY_AND_HOPS : Set.of()))
                .keeping(MemoryTree.NONE, MemoryTree.together("rows", scores, property, column));
    }

    @Override
    Passes passes() {
        // eccentricities are measured along the relationships, closeness against them
        return mode() == Mode.STATS ? Passes.BOTH : Passes.ALONG;
    }

    private Set<DistanceMeasure> measures(Set<DistanceMeasure> ofStats) {
        Set<DistanceMeasure> measures = EnumSet.noneOf(DistanceMeasure.class);
        measures.addAll(ofStats);
        if (harmonic()) {
            measures.add(DistanceMeasure.HARMONIC);
        }
        return measures;
    }

    private boolean harmonic() {
        return formula == ClosenessFormula.HARMONIC;
    }

    /** The scores: {@code double[run.vertexCount()]}. */
    double[] compute(GraphRun run) {
        if (run.vertexCount() == 0) {
            return new double[0];
        }
        LoadedGraph graph = load(run);
        return timed(() -> {
            Farness sums = graph.farness(measures(Set.of()), run.control());
            return formula.scores(sums, run.control().stop());
        });
    }

    /**
     * The result of a run.
     *
     * @param scores {@code double[run.vertexCount()]}
     * @param figures statistics of the distances; columns that the query does not read are 0 or empty
     */
    @SuppressWarnings("ArrayRecordComponent") // handed from one method to the next, never compared
    record Found(double[] scores, DistanceFigures figures) {}

    /** The scores, and the statistics of the distances. */
    Found computeWithFigures(GraphRun run) {
        if (run.vertexCount() == 0) {
            return new Found(new double[0], DistanceFigures.NONE);
        }
        boolean radius = caller().yields("radius");
        LoadedGraph reversed = radius && !run.isSymmetric() ? loadReversed(run) : null;
        LoadedGraph graph = load(run);
        // reversing may have detected that the graph is symmetric
        boolean bothWays = reversed != null && !run.isSymmetric();
        return timed(() -> {
            long ofReversed = bothWays
                    ? DistanceFigures.radius(
                            reversed.farness(Set.of(DistanceMeasure.ECCENTRICITY), run.control()),
                            run.control().stop())
                    : 0;
            Farness sums = graph.farness(measures(wanted()), run.control());
            long found = radius && !bothWays
                    ? DistanceFigures.radius(sums, run.control().stop())
                    : ofReversed;
            return new Found(
                    formula.scores(sums, run.control().stop()),
                    DistanceFigures.of(sums, found, run.control().stop()));
        });
    }

    private Set<DistanceMeasure> wanted() {
        Set<DistanceMeasure> wanted = EnumSet.noneOf(DistanceMeasure.class);
        if (caller().yields("diameter") || caller().yields("radius")) {
            wanted.add(DistanceMeasure.ECCENTRICITY);
        }
        if (caller().yields("hopDistribution")) {
            wanted.add(DistanceMeasure.HOPS);
        }
        return wanted;
    }

    /** The distribution of the scores; empty if the query does not read that column. */
    Map<String, Object> distribution(double[] scores) {
        return distribution("centralityDistribution", () -> Distribution.of(scores, caller().stop()));
    }
}

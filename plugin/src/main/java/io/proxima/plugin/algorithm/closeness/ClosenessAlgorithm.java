// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.closeness;

import io.proxima.backend.ClosenessFormula;
import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.backend.FarnessOfSources;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.TraversalBackend.Workload;
import io.proxima.memory.MemoryTree;
import io.proxima.plugin.algorithm.ScoreAlgorithm;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.call.GraphRun;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import java.util.EnumSet;
import java.util.Set;

/**
 * The common part of exact and sampled closeness: the formulas, and the exact sums of some nodes.
 *
 * @param <T> the row of the mode stream
 */
abstract class ClosenessAlgorithm<T> extends ScoreAlgorithm<T> {

    private static final Key<Boolean> USE_WASSERMAN_FAUST =
            Key.of("useWassermanFaust", false, "Uses the formula of Wasserman and Faust.");
    private static final Key<Boolean> HARMONIC =
            Key.of("harmonic", false, "Computes harmonic closeness. It cannot be combined with `useWassermanFaust`.");

    private ClosenessFormula formula = ClosenessFormula.HARMONIC;

    protected ClosenessAlgorithm(Caller caller, Mode mode, Operation operation, String task, ScoreRow<T> row) {
        super(caller, mode, operation, task, row);
    }

    /** Reads the keys of the formula; without this call, it is {@link ClosenessFormula#HARMONIC}. */
    protected final void readFormula(ConfigReader reader) {
        boolean wassermanFaust = reader.readBoolean(USE_WASSERMAN_FAUST);
        boolean harmonic = reader.readBoolean(HARMONIC);
        if (wassermanFaust && harmonic) {
            reader.fault("`useWassermanFaust` and `harmonic` exclude each other: set one of them.");
        }
        formula = harmonic
                ? ClosenessFormula.HARMONIC
                : wassermanFaust ? ClosenessFormula.WASSERMAN_FAUST : ClosenessFormula.DEFAULT;
    }

    protected final ClosenessFormula formula() {
        return formula;
    }

    protected final boolean harmonic() {
        return formula == ClosenessFormula.HARMONIC;
    }

    /** These measures, and those that the formula needs. */
    protected final Set<DistanceMeasure> measures(Set<DistanceMeasure> others) {
        Set<DistanceMeasure> measures = EnumSet.noneOf(DistanceMeasure.class);
        measures.addAll(others);
        if (harmonic()) {
            measures.add(DistanceMeasure.HARMONIC);
        }
        return measures;
    }

    /**
     * The exact sums of some vertices, each from one search against the direction of the relationships.
     *
     * @param reversed the graph with every relationship reversed
     * @param vertices without repeats
     * @return the sums in the order of these vertices
     */
    protected final Farness farnessOf(
            int[] vertices, LoadedGraph reversed, Set<DistanceMeasure> measures, GraphRun run) {
        FarnessOfSources sums = new FarnessOfSources(vertices.length, reversed.vertexCount(), measures, run.control());
        reversed.multiSourceBfs(vertices, LoadedGraph.NO_MAX_DEPTH, sums, run.control());
        return sums.farness();
    }

    /** The workload of {@link #farnessOf}. */
    protected final Workload farnessOf(int vertices, int vertexCount, Set<DistanceMeasure> measures) {
        Workload search = new Workload(Operation.MULTI_SOURCE_BFS, vertices, LoadedGraph.NO_MAX_DEPTH);
        return search.keeping(
                FarnessOfSources.memory(vertices, search.deepest(vertexCount), measures, config().threads()),
                MemoryTree.NONE);
    }
}

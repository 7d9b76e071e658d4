// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.closeness;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.TraversalBackend.Operation;
import io.proxima.backend.result.ClosenessFormula;
import io.proxima.plugin.algorithm.ScoreAlgorithm;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;
import java.util.EnumSet;
import java.util.Set;

/**
 * The common part of exact and sampled closeness: the formulas.
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
}

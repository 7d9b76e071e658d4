// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.closeness;

import io.proxima.backend.result.ClosenessFormula;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.Key;

/** The keys of the formulas of exact and sampled closeness. */
final class Formula {

    private static final Key<Boolean> USE_WASSERMAN_FAUST =
            Key.of("useWassermanFaust", false, "Uses the formula of Wasserman and Faust.");
    private static final Key<Boolean> HARMONIC =
            Key.of("harmonic", false, "Computes harmonic closeness. It cannot be combined with `useWassermanFaust`.");

    private Formula() {}

    /** Reads the keys; faults are added to the reader. */
    static ClosenessFormula read(ConfigReader reader) {
        boolean wassermanFaust = reader.readBoolean(USE_WASSERMAN_FAUST);
        boolean harmonic = reader.readBoolean(HARMONIC);
        if (wassermanFaust && harmonic) {
            reader.fault("`useWassermanFaust` and `harmonic` exclude each other: set one of them.");
        }
        return harmonic
                ? ClosenessFormula.HARMONIC
                : wassermanFaust ? ClosenessFormula.WASSERMAN_FAUST : ClosenessFormula.DEFAULT;
    }

    /** The name of a run in lists and logs. */
    static String task(ClosenessFormula formula) {
        return formula == ClosenessFormula.HARMONIC ? "Harmonic Closeness" : "Closeness";
    }
}

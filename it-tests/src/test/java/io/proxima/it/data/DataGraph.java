// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.it.data;

import io.proxima.it.graphs.Airports;
import io.proxima.it.graphs.EdgeList;
import java.util.Locale;

/** The real graphs that tests use; their sources are named in {@code graphs/SOURCES.md}. */
public enum DataGraph {
    AIRPORTS,
    EGO_FACEBOOK,
    AS_CAIDA,
    CA_CONDMAT,
    EMAIL_ENRON,
    CIT_HEPTH;

    public EdgeList read() {
        return this == AIRPORTS ? Airports.routes() : EdgeList.read("/graphs/" + label().replace('_', '-') + ".txt.gz");
    }

    /** The label of its nodes in a database that holds several. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The type of its relationships in a database that holds several. */
    public String type() {
        return name() + "_LINK";
    }

    /** Whether exact closeness of it takes a library without bit-parallel searches seconds. */
    public boolean isLarge() {
        return this == EMAIL_ENRON || this == CIT_HEPTH;
    }
}

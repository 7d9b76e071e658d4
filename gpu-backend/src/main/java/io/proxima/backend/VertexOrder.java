// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import java.util.Locale;

/**
 * The orders in which a graph's vertices can be laid out; users write them in lower case, as in {@code order: 'rcm'}.
 */
public enum VertexOrder {
    /** The order that {@link io.proxima.backend.order.OrderPolicy} chooses. */
    AUTO,
    /** As projected. */
    NATURAL,
    /** Descending degree, ties by vertex. */
    DEGREE,
    /** By distance to a vertex of high degree, {@link io.proxima.backend.order.ReachOrder}. */
    REACH,
    /** Reverse Cuthill-McKee, for graphs of low bandwidth. */
    RCM,
    /** Similar columns beside each other, as in BLEST. */
    JACCARD;

    /** As users write it. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}

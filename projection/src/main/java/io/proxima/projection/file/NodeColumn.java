// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.file;

import java.util.Set;
import java.util.function.IntToLongFunction;

/**
 * A property of nodes in memory: one 64-bit value for each vertex.
 *
 * @param name the name of the property
 * @param labels the projected labels whose nodes have the property
 * @param kind the type of the values
 * @param noValue the bits that stand for no value, as for a node that a search has not reached
 * @param bits returns the bits of the value of a vertex: the INTEGER, or the FLOAT as by
 *     {@link Double#doubleToRawLongBits}
 */
public record NodeColumn(String name, Set<String> labels, Kind kind, long noValue, IntToLongFunction bits) {

    /** The type of the values. */
    public enum Kind {
        /** A 64-bit integer. */
        INTEGER,
        /** A 64-bit floating-point number. */
        FLOAT
    }

    /** Copies the labels. */
    public NodeColumn {
        labels = Set.copyOf(labels);
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.file;

import io.proxima.concurrent.PacedStop;
import io.proxima.projection.file.NodeColumn.Kind;
import java.util.Arrays;
import java.util.Set;

/** A property of nodes in the making: of integers until the first floating-point number. Not thread-safe. */
public final class NodeColumnBuilder {

    private static final long NO_INTEGER = Long.MIN_VALUE;
    private static final long NO_FLOAT = Double.doubleToRawLongBits(Double.NaN);

    private final PacedStop stop;
    private final long[] bits;
    private Kind kind = Kind.INTEGER;

    /** Begins a property that no vertex has. Takes 8 bytes for each vertex. */
    public NodeColumnBuilder(int vertexCount, PacedStop stop) {
        this.stop = stop;
        stop.worked(vertexCount);
        bits = new long[vertexCount];
        Arrays.fill(bits, NO_INTEGER);
    }

    /** Sets the value of a vertex; false for the integer that stands for no value. */
    public boolean set(int vertex, long value) {
        bits[vertex] = kind == Kind.INTEGER ? value : Double.doubleToRawLongBits((double) value);
        return value != NO_INTEGER;
    }

    /** Sets the value of a vertex; NaN for none. */
    public void set(int vertex, double value) {
        if (kind == Kind.INTEGER) {
            stop.worked(bits.length);
            for (int i = 0; i < bits.length; i++) {
                bits[i] = bits[i] == NO_INTEGER ? NO_FLOAT : Double.doubleToRawLongBits((double) bits[i]);
            }
            kind = Kind.FLOAT;
        }
        bits[vertex] = Double.doubleToRawLongBits(value);
    }

    /** The property; nothing may be set afterwards. */
    public NodeColumn column(String name, Set<String> labels) {
        return new NodeColumn(name, labels, kind, kind == Kind.INTEGER ? NO_INTEGER : NO_FLOAT, vertex -> bits[vertex]);
    }
}

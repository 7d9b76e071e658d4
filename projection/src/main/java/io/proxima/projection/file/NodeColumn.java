// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.file;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import java.util.Arrays;
import java.util.Set;
import java.util.function.IntToLongFunction;

/**
 * A property of nodes in memory: 64 bits for each vertex, which are its value or say where its list is.
 *
 * @param name the name of the property
 * @param labels the projected labels whose nodes have the property
 * @param kind the type of the values
 * @param noValue the bits that stand for no value, as for a node that a search has not reached
 * @param bits returns the bits of the value of a vertex: the INTEGER, or the FLOAT as by
 *     {@link Double#doubleToRawLongBits}, or the place of the list as by {@link #list(int, int)}
 * @param elements the elements of all lists, one list after the other; null for numbers
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record NodeColumn(
        String name, Set<String> labels, Kind kind, long noValue, IntToLongFunction bits, double[] elements) {

    /** The bits that stand for no list. */
    public static final long NO_LIST = -1;

    /** The type of the values. */
    public enum Kind {
        /** A 64-bit integer. */
        INTEGER,
        /** A 64-bit floating-point number. */
        FLOAT,
        /** A list of 64-bit floating-point numbers, which files do not have. */
        FLOAT_LIST
    }

    /** Copies the labels. */
    public NodeColumn {
        labels = Set.copyOf(labels);
    }

    /** Numbers. */
    public NodeColumn(String name, Set<String> labels, Kind kind, long noValue, IntToLongFunction bits) {
        this(name, labels, kind, noValue, bits, null);
    }

    /** The bits of a list. */
    public static long list(int start, int length) {
        return ((long) start << Integer.SIZE) | length;
    }

    /** A copy of the list that bits stand for. */
    public double[] list(long bits) {
        int start = (int) (bits >>> Integer.SIZE);
        return Arrays.copyOfRange(elements, start, start + (int) bits);
    }

    /** The number of elements of the longest list of so many vertices; 0 for numbers. */
    public int longestList(int vertexCount, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        int longest = 0;
        for (int vertex = 0; elements != null && vertex < vertexCount; vertex++) {
            paced.worked(1);
            long list = bits.applyAsLong(vertex);
            longest = Math.max(longest, list == NO_LIST ? 0 : (int) list);
        }
        return longest;
    }

    /** The heap of the values of so many vertices. */
    public long heapBytes(int vertexCount) {
        return (long) Long.BYTES * vertexCount + (elements == null ? 0 : (long) Double.BYTES * elements.length);
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.file;

import io.proxima.concurrent.Stop;
import io.proxima.projection.IdMap;
import io.proxima.projection.csc.DoublePages;
import io.proxima.projection.csc.IntPages;
import io.proxima.projection.csc.Pages;
import io.proxima.projection.file.Header.Kind;
import java.nio.ByteBuffer;
import java.util.function.IntToLongFunction;

/**
 * Copies between an array and the bytes of a section. Thread-safe for distinct ranges.
 *
 * @param array the array itself, as the user of the kind expects it
 * @param toBytes copies elements from the array
 * @param fromBytes copies elements to the array; null if it can only be written to a file
 */
record SectionArray(Object array, Copy toBytes, Copy fromBytes) {

    /** Copies elements between the array, from an index on, and the bytes of a buffer at position 0. */
    @FunctionalInterface
    interface Copy {
        void elements(long from, int count, ByteBuffer bytes);
    }

    /** Allocates the array of a section. */
    static SectionArray allocate(Kind kind, long length) {
        return switch (kind) {
            case ROWS -> of(IntPages.allocate(length, IntPages.DEFAULT_PAGE_SHIFT));
            case WEIGHTS -> of(DoublePages.allocate(length, IntPages.DEFAULT_PAGE_SHIFT));
            case IDS, LABEL, POINTERS, VALUES -> of(new long[Math.toIntExact(length)]);
        };
    }

    static SectionArray of(long[] values) {
        return new SectionArray(
                values,
                (from, count, bytes) -> bytes.asLongBuffer().put(values, (int) from, count),
                (from, count, bytes) -> bytes.asLongBuffer().get(values, (int) from, count));
    }

    static SectionArray of(IdMap ids) {
        return ofVertices(ids, ids::toNeo4jId);
    }

    static SectionArray of(NodeColumn column) {
        return ofVertices(column, column.bits());
    }

    private static SectionArray ofVertices(Object array, IntToLongFunction values) {
        Copy toBytes = (from, count, bytes) -> {
            for (int vertex = (int) from; vertex < from + count; vertex++) {
                bytes.putLong(values.applyAsLong(vertex));
            }
        };
        return new SectionArray(array, toBytes, null);
    }

    static SectionArray of(IntPages pages) {
        return new SectionArray(
                pages,
                (from, count, bytes) -> copy(pages, from, count, bytes.asIntBuffer()::put),
                (from, count, bytes) -> copy(pages, from, count, bytes.asIntBuffer()::get));
    }

    static SectionArray of(DoublePages pages) {
        return new SectionArray(
                pages,
                (from, count, bytes) -> copy(pages, from, count, bytes.asDoubleBuffer()::put),
                (from, count, bytes) -> copy(pages, from, count, bytes.asDoubleBuffer()::get));
    }

    /** Copies entries between a page and the position of a buffer. */
    @FunctionalInterface
    private interface Transfer<A> {
        void run(A page, int at, int length);
    }

    private static <A> void copy(Pages<A> pages, long from, int count, Transfer<A> part) {
        pages.forParts(from, from + count, Stop.NEVER, (page, at, index, length) -> part.run(page, at, length));
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.file;

import io.proxima.projection.DoublePages;
import io.proxima.projection.IdMap;
import io.proxima.projection.IntPages;
import io.proxima.projection.file.Header.Kind;
import java.nio.ByteBuffer;
import java.util.function.IntToLongFunction;

/** Copies between an array and the bytes of a section. Thread-safe for distinct ranges. */
final class SectionArray {

    /** The array itself, as the user of the kind expects it. */
    final Object array;

    private final Copy toBytes;
    private final Copy fromBytes;

    private SectionArray(Object array, Copy toBytes, Copy fromBytes) {
        this.array = array;
        this.toBytes = toBytes;
        this.fromBytes = fromBytes;
    }

    /** Copies elements between the array, from an index on, and the bytes from the position on. */
    @FunctionalInterface
    private interface Copy {
        void elements(long from, int count, ByteBuffer bytes);
    }

    /** Copies elements between a page, from an index of the page on, and the bytes from the position on. */
    @FunctionalInterface
    private interface PageCopy {
        void elements(int page, int from, int count, ByteBuffer bytes);
    }

    /** Copies elements from the array. */
    void get(long from, int count, ByteBuffer to) {
        toBytes.elements(from, count, to);
    }

    /** Copies elements to the array. */
    void put(long from, int count, ByteBuffer bytes) {
        fromBytes.elements(from, count, bytes);
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
                (from, count, to) -> to.asLongBuffer().put(values, (int) from, count),
                (from, count, bytes) -> bytes.asLongBuffer().get(values, (int) from, count));
    }

    static SectionArray of(IdMap ids) {
        return ofVertices(ids, ids::toNeo4jId);
    }

    static SectionArray of(NodeColumn column) {
        return ofVertices(column, column.bits());
    }

    private static SectionArray ofVertices(Object array, IntToLongFunction values) {
        return new SectionArray(
                array,
                (from, count, to) -> {
                    for (int vertex = (int) from; vertex < from + count; vertex++) {
                        to.putLong(values.applyAsLong(vertex));
                    }
                },
                (from, count, bytes) -> {
                    throw new UnsupportedOperationException("these values can only be written to a file");
                });
    }

    static SectionArray of(IntPages pages) {
        return ofPages(
                pages,
                pages.pageShift(),
                Integer.BYTES,
                (page, from, count, to) -> to.asIntBuffer().put(pages.page(page), from, count),
                (page, from, count, bytes) -> bytes.asIntBuffer().get(pages.page(page), from, count));
    }

    static SectionArray of(DoublePages pages) {
        return ofPages(
                pages,
                pages.pageShift(),
                Double.BYTES,
                (page, from, count, to) ->
                        to.asDoubleBuffer().put(pages.pageOf((long) page << pages.pageShift()), from, count),
                (page, from, count, bytes) ->
                        bytes.asDoubleBuffer().get(pages.pageOf((long) page << pages.pageShift()), from, count));
    }

    private static SectionArray ofPages(Object pages, int pageShift, int width, PageCopy toBytes, PageCopy fromBytes) {
        return new SectionArray(pages, byPages(pageShift, width, toBytes), byPages(pageShift, width, fromBytes));
    }

    private static Copy byPages(int pageShift, int width, PageCopy copy) {
        return (first, count, bytes) -> {
            for (int done = 0; done < count; ) {
                long index = first + done;
                int from = (int) (index & ((1L << pageShift) - 1));
                int part = (int) Math.min(count - done, (1L << pageShift) - from);
                copy.elements((int) (index >>> pageShift), from, part, bytes);
                bytes.position(bytes.position() + part * width);
                done += part;
            }
        };
    }
}

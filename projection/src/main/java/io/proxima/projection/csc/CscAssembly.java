// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Lists of entries in the making: ranges of columns are filled independently of each other, each an array of its own.
 * Once all lengths are known, the arrays are moved into pages of exactly the required size, the rows first, then each
 * kind of values.
 */
final class CscAssembly {

    /** Entries of a range that stay in a core's cache while they are sorted. */
    static final int ENTRIES_PER_RANGE = 1 << 15;

    static final int MAX_ARRAY_LENGTH = Integer.MAX_VALUE - 8;

    private static final int MAX_RANGES = 1 << 20;

    private CscAssembly() {}

    /** The entries of the columns {@code from} to {@code to - 1}. */
    static final class Range {
        final int from;
        final int to;

        /** Number of edges that become entries, duplicates included, if it is known. */
        final long edges;

        int[] rows;
        double[][] values;

        /** Number of entries that were listed. */
        int length;

        private int columnStart;

        Range(int from, int to, long edges) {
            this.from = from;
            this.to = to;
            this.edges = edges;
        }

        /**
         * Allocates room for the entries.
         *
         * @throws ProjectionException if it exceeds the length of a Java array
         */
        void allocate(long capacity, int valuesOfEntry) {
            rows = new int[checkedLength(capacity, from, to)];
            values = new double[valuesOfEntry][rows.length];
        }

        /** Appends an entry, whose values are those of the entry {@code i}. */
        void add(int row, double[][] of, int i) {
            rows[length] = row;
            for (int kind = 0; kind < of.length; kind++) {
                values[kind][length] = of[kind][i];
            }
            length++;
        }

        /** Ends a column; the columns of a range are listed in ascending order. */
        void endColumn(int column, long[] degrees) {
            degrees[column + 1] = (long) length - columnStart;
            columnStart = length;
        }
    }

    /** Lists the entries of a range. Called by several workers at once, for different ranges. */
    @FunctionalInterface
    interface Filler {
        /**
         * Lists the entries.
         *
         * @param worker number of the worker, from 0 (inclusive) to the concurrency (exclusive)
         * @param range receives the rows of each column, ascending and without the column, and as many of each kind of
         *     values
         * @param degrees {@code degrees[column + 1]} receives the number of entries of each column of the range; other
         *     elements must not be touched
         */
        void fill(int worker, Range range, long[] degrees);
    }

    /** Ranges of columns that have about {@link #ENTRIES_PER_RANGE} entries each. */
    static List<Range> ranges(int vertexCount, long expectedEntries) {
        int shift = rangeShift(vertexCount, expectedEntries, MAX_RANGES);
        List<Range> ranges = new ArrayList<>();
        for (int range = 0; range < rangeCount(vertexCount, shift); range++) {
            ranges.add(range(vertexCount, range, shift, 0));
        }
        return ranges;
    }

    /** The number of bits of a vertex, at least 1. */
    static int bits(int vertexCount) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, vertexCount - 1));
    }

    static Range range(int vertexCount, int number, int shift, long edges) {
        return new Range(number << shift, (int) Math.min(vertexCount, (number + 1L) << shift), edges);
    }

    /** The smallest shift that results in ranges of about the wanted size, and at most {@code maxRanges} of them. */
    static int rangeShift(int vertexCount, long expectedEntries, int maxRanges) {
        long ranges = Math.max(1, Math.min(maxRanges, expectedEntries / ENTRIES_PER_RANGE));
        int shift = 0;
        while (rangeCount(vertexCount, shift) > ranges) {
            shift++;
        }
        return shift;
    }

    /** The number of ranges of 2^rangeShift columns. */
    static int rangeCount(int vertexCount, int rangeShift) {
        return (int) (((long) vertexCount + (1L << rangeShift) - 1) >>> rangeShift);
    }

    /**
     * A number of entries as an array length.
     *
     * @throws ProjectionException if the number exceeds the length of a Java array
     */
    static int checkedLength(long length, int from, int to) {
        if (length > MAX_ARRAY_LENGTH) {
            throw new ProjectionException("The vertices " + from + " to " + (to - 1) + " have " + length
                    + " relationships, parallel ones included; at most " + MAX_ARRAY_LENGTH
                    + " are possible. Project fewer relationship types or remove parallel relationships.");
        }
        return (int) length;
    }

    /**
     * Fills and assembles the ranges.
     *
     * @param ranges all columns, in ascending order
     * @param valuesOfEntry number of values of an entry
     * @param pageShift pages of the result hold 2^pageShift entries
     */
    static Columns assemble(
            List<Range> ranges, int valuesOfEntry, int pageShift, int concurrency, Stop stop, Filler filler) {
        int vertexCount = ranges.isEmpty() ? 0 : ranges.get(ranges.size() - 1).to;
        long[] pointers = new long[vertexCount + 1];
        Workers.forRanges(
                concurrency,
                ranges.size(),
                1,
                stop,
                (worker, index, end) -> filler.fill(worker, ranges.get((int) index), pointers));
        sumUp(pointers, stop);
        IntPages rows = IntPages.allocate(pointers[vertexCount], pageShift);
        move(ranges, pointers, rows, concurrency, stop, range -> {
            int[] moved = range.rows;
            range.rows = null;
            return moved;
        });
        List<DoublePages> values = new ArrayList<>();
        for (int i = 0; i < valuesOfEntry; i++) {
            int kind = i;
            values.add(DoublePages.allocate(pointers[vertexCount], pageShift));
            move(ranges, pointers, values.get(kind), concurrency, stop, range -> {
                double[] moved = range.values[kind];
                range.values[kind] = null;
                return moved;
            });
        }
        return new Columns(pointers, rows, values);
    }

    /** Replaces the number of entries of each column, one element behind its own, by the index of its end. */
    static void sumUp(long[] pointers, Stop stop) {
        PacedStop paced = new PacedStop(stop);
        for (int column = 1; column < pointers.length; column++) {
            paced.worked(1);
            pointers[column] += pointers[column - 1];
        }
    }

    private static <A> void move(
            List<Range> ranges, long[] pointers, Pages<A> to, int concurrency, Stop stop, Function<Range, A> from) {
        Workers.forRanges(concurrency, ranges.size(), 1, stop, (worker, index, end) -> {
            Range range = ranges.get((int) index);
            to.put(pointers[range.from], from.apply(range), range.length, stop);
        });
    }
}

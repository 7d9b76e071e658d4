// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.papers.tilebfs;

import io.proxima.projection.csc.Csc;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A matrix of bitmask tiles as the format page of the manual specifies it, on the heap, made entry by entry.
 *
 * @param words NT words a tile, each in the low bits of a long
 */
@SuppressWarnings("ArrayRecordComponent") // never compared by equals
public record TextbookTiles(long[] tilePtrs, int[] tileRows, long[] words, long[] restPtrs, int[] restRows) {

    /** The tiles and the rest of lists. */
    public static TextbookTiles of(Csc lists) {
        int n = lists.vertexCount();
        int side = TileMatrix.side(n);
        int columns = TileMatrix.columns(n);
        long[] tilePtrs = new long[columns + 1];
        List<Integer> tileRows = new ArrayList<>();
        List<long[]> words = new ArrayList<>();
        long[] restPtrs = new long[n + 1];
        List<Integer> restRows = new ArrayList<>();
        for (int column = 0; column < columns; column++) {
            int first = column * side;
            int end = (int) Math.min(n, (column + 1L) * side);
            Map<Integer, long[]> byRow = new TreeMap<>();
            for (int slot = first; slot < end; slot++) {
                for (long e = lists.columnStart(slot); e < lists.columnEnd(slot); e++) {
                    int row = lists.rowIndices().get(e);
                    byRow.computeIfAbsent(row / side, none -> new long[side])[slot - first] |= 1L << row % side;
                }
            }
            for (Map.Entry<Integer, long[]> one : byRow.entrySet()) {
                if (bits(one.getValue()) >= TileMatrix.leastEntries(n)) {
                    tileRows.add(one.getKey());
                    words.add(one.getValue());
                }
            }
            tilePtrs[column + 1] = tileRows.size();
            for (int slot = first; slot < end; slot++) {
                for (Map.Entry<Integer, long[]> one : byRow.entrySet()) {
                    if (bits(one.getValue()) < TileMatrix.leastEntries(n)) {
                        addRows(one.getKey() * side, one.getValue()[slot - first], restRows);
                    }
                }
                restPtrs[slot + 1] = restRows.size();
            }
        }
        return new TextbookTiles(
                tilePtrs,
                ints(tileRows),
                words.stream().flatMapToLong(Arrays::stream).toArray(),
                restPtrs,
                ints(restRows));
    }

    private static int[] ints(List<Integer> values) {
        return values.stream().mapToInt(Integer::intValue).toArray();
    }

    private static int bits(long[] words) {
        return Arrays.stream(words).mapToInt(Long::bitCount).sum();
    }

    private static void addRows(int first, long word, List<Integer> rows) {
        for (long left = word; left != 0; left &= left - 1) {
            rows.add(first + Long.numberOfTrailingZeros(left));
        }
    }
}

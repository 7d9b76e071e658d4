// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.tilebfs;

import io.proxima.backend.cuda.fake.Lists;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A matrix of bitmask tiles as the format page of the manual specifies it, on the heap, made entry by entry. */
public final class TextbookTiles {

    final int n;
    public final int side;
    public final long[] tilePtrs;
    public final int[] tileRows;

    /** NT words a tile, each in the low bits of a long. */
    public final long[] words;

    public final long[] restPtrs;
    public final int[] restRows;

    public TextbookTiles(int n, long[] tilePtrs, int[] tileRows, long[] words, long[] restPtrs, int[] restRows) {
        this.n = n;
        this.side = TileMatrix.Layout.side(n);
        this.tilePtrs = tilePtrs;
        this.tileRows = tileRows;
        this.words = words;
        this.restPtrs = restPtrs;
        this.restRows = restRows;
    }

    /** The tiles and the rest of lists. */
    public static TextbookTiles of(Lists lists) {
        int n = lists.pointers.length - 1;
        int side = TileMatrix.Layout.side(n);
        int columns = TileMatrix.Layout.columns(n);
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
                for (long e = lists.pointers[slot]; e < lists.pointers[slot + 1]; e++) {
                    int row = lists.indices[(int) e];
                    byRow.computeIfAbsent(row / side, none -> new long[side])[slot - first] |= 1L << row % side;
                }
            }
            for (Map.Entry<Integer, long[]> one : byRow.entrySet()) {
                if (bits(one.getValue()) >= TileMatrix.Layout.leastEntries(n)) {
                    tileRows.add(one.getKey());
                    words.add(one.getValue());
                }
            }
            tilePtrs[column + 1] = tileRows.size();
            for (int slot = first; slot < end; slot++) {
                for (Map.Entry<Integer, long[]> one : byRow.entrySet()) {
                    if (bits(one.getValue()) < TileMatrix.Layout.leastEntries(n)) {
                        addRows(one.getKey() * side, one.getValue()[slot - first], restRows);
                    }
                }
                restPtrs[slot + 1] = restRows.size();
            }
        }
        return new TextbookTiles(
                n,
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

    /** The lists that the tiles and the rest were made of. */
    public Lists lists() {
        long[] pointers = new long[n + 1];
        List<Integer> indices = new ArrayList<>();
        for (int slot = 0; slot < n; slot++) {
            List<Integer> rows = new ArrayList<>();
            for (long tile = tilePtrs[slot / side]; tile < tilePtrs[slot / side + 1]; tile++) {
                addRows(tileRows[(int) tile] * side, words[(int) tile * side + slot % side], rows);
            }
            for (long e = restPtrs[slot]; e < restPtrs[slot + 1]; e++) {
                rows.add(restRows[(int) e]);
            }
            rows.sort(null);
            indices.addAll(rows);
            pointers[slot + 1] = indices.size();
        }
        return new Lists(pointers, ints(indices));
    }

    /**
     * Checks every invariant of the format.
     *
     * @throws IllegalStateException naming the first that does not hold, with the place
     */
    public void validate() {
        checkPointers("tilePtrs", tilePtrs, TileMatrix.Layout.columns(n), tileRows.length);
        checkPointers("restPtrs", restPtrs, n, restRows.length);
        require(words.length == (long) side * tileRows.length, "words has NT words a tile", "length=" + words.length);
        for (int column = 0; column < TileMatrix.Layout.columns(n); column++) {
            int before = -1;
            for (int tile = (int) tilePtrs[column]; tile < tilePtrs[column + 1]; tile++) {
                String place = "tile=" + tile + ", column=" + column + ", row=" + tileRows[tile];
                require(tileRows[tile] > before, "the rows of a tile column ascend", place);
                require(tileRows[tile] < TileMatrix.Layout.columns(n), "rows of tiles are of the matrix", place);
                before = tileRows[tile];
                long[] own = Arrays.copyOfRange(words, tile * side, (tile + 1) * side);
                require(bits(own) >= TileMatrix.Layout.leastEntries(n), "a tile has enough entries", place);
                for (int c = 0; c < side; c++) {
                    checkWord(own[c], (long) column * side + c, (long) tileRows[tile] * side, place);
                }
            }
        }
        checkRest();
    }

    private void checkWord(long word, long column, long firstRow, String place) {
        require(word == 0 || column < n, "columns from n on have no entries", place + ", c=" + column);
        for (long left = word; left != 0; left &= left - 1) {
            long row = firstRow + Long.numberOfTrailingZeros(left);
            require(row < n, "rows from n on have no entries", place);
            require(row != column, "there is no loop", place);
        }
    }

    private void checkRest() {
        for (int slot = 0; slot < n; slot++) {
            int before = -1;
            for (long e = restPtrs[slot]; e < restPtrs[slot + 1]; e++) {
                int row = restRows[(int) e];
                String place = "column=" + slot + ", row=" + row;
                require(row > before, "the rest of a column ascends", place);
                require(row < n && row != slot, "the rest has rows of the matrix, and no loop", place);
                int tile = Arrays.binarySearch(
                        tileRows, (int) tilePtrs[slot / side], (int) tilePtrs[slot / side + 1], row / side);
                require(tile < 0, "an entry of the rest lies in no tile", place);
                before = row;
            }
        }
        int[] entries = new int[TileMatrix.Layout.columns(n)];
        for (int column = 0; column < entries.length; column++) {
            Arrays.fill(entries, 0);
            for (long e = restPtrs[column * side]; e < restPtrs[(int) Math.min(n, (column + 1L) * side)]; e++) {
                int row = restRows[(int) e] / side;
                require(
                        ++entries[row] < TileMatrix.Layout.leastEntries(n),
                        "what has enough entries is a tile",
                        "column of tiles=" + column + ", row=" + row);
            }
        }
    }

    private static void checkPointers(String name, long[] pointers, int length, int entries) {
        require(pointers.length == length + 1, name + " has one more than columns", "length=" + pointers.length);
        require(pointers[0] == 0, name + " begins with 0", "first=" + pointers[0]);
        for (int i = 0; i < length; i++) {
            require(pointers[i] <= pointers[i + 1], name + " does not decrease", "at=" + i);
        }
        require(pointers[length] == entries, name + " ends with the entries", "last=" + pointers[length]);
    }

    private static void require(boolean holds, String invariant, String values) {
        if (!holds) {
            throw new IllegalStateException("invariant \"" + invariant + "\" does not hold: " + values);
        }
    }
}

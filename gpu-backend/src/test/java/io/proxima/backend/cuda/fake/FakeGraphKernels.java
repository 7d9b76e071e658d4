// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import static io.proxima.backend.cuda.driver.KernelConstants.COMPACT_TOTALS;
import static io.proxima.backend.cuda.driver.KernelConstants.SORTED_IN_BLOCK;
import static io.proxima.backend.cuda.driver.KernelConstants.SORT_TILE;
import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.cuda.driver.CudaException;
import io.proxima.backend.cuda.fake.FakeDriver.FakeDevice;
import io.proxima.backend.cuda.family.bvss.BvssStructure;
import io.proxima.backend.cuda.family.bvss.TextbookBvss;
import io.proxima.backend.device.KernelArguments;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;

/** What the kernels that prepare a graph promise, in plain Java: same arguments in the same order, same results. */
final class FakeGraphKernels extends FakeArguments {

    private FakeGraphKernels(FakeDevice device, KernelArguments arguments) {
        super(device, arguments);
    }

    static boolean knows(String entry) {
        return entry.startsWith("bvss_") || entry.startsWith("csc_") || entry.startsWith("compact_");
    }

    static void run(String entry, FakeDevice device, KernelArguments arguments) {
        FakeGraphKernels kernel = new FakeGraphKernels(device, arguments);
        switch (entry) {
            case "bvss_build_firsts_warp" -> kernel.markFirsts();
            case "bvss_build_sums_grid" -> kernel.sumMarks();
            case "bvss_build_sets_grid" -> kernel.countSets();
            case "bvss_build_slices_warp" -> kernel.writeSlices();
            case "csc_relabel_pointers_grid" -> kernel.relabelPointers();
            case "csc_relabel_entries_warp" -> kernel.relabelEntries();
            case "csc_transpose_count_thread" -> kernel.countRows();
            case "csc_transpose_pointers_grid" -> kernel.transposePointers();
            case "csc_transpose_entries_warp" -> kernel.transposeEntries();
            case "csc_sort_columns_block" -> kernel.sortColumns();
            case "csc_sort_long_columns_block" -> kernel.sortLongColumns();
            case "csc_mark_rows_thread" -> kernel.markRows();
            case "csc_list_rows_grid" -> kernel.listRows();
            case "compact_measure_thread" -> kernel.measure();
            case "compact_pointers_thread" -> kernel.narrow();
            case "compact_heads_thread" -> kernel.heads();
            default -> throw new CudaException("cuModuleGetFunction(" + entry + ")", 500, "CUDA_ERROR_NOT_FOUND");
        }
    }

    /** The last column that begins at an entry or before, so the one that the entry lies in. */
    private static int columnOf(LongBuffer pointers, int n, long entry) {
        int low = 0;
        int high = n;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (pointers.get(middle) <= entry) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static int endColumn(int n, int set) {
        return (int) Math.min(n, set * TextbookBvss.COLUMNS + (long) TextbookBvss.COLUMNS);
    }

    private void markFirsts() {
        long pointersAt = pointer("ptrs");
        long indicesAt = pointer("idx");
        long marksAt = pointer("marks");
        int n = int32("n");
        long first = int64("firstEntry");
        long last = int64("lastEntry");
        LongBuffer pointers = longs(pointersAt, n + 1L);
        long lastOfSet =
                last == 0 ? 0 : pointers.get(endColumn(n, columnOf(pointers, n, last - 1) / TextbookBvss.COLUMNS));
        IntBuffer indices = ints(indicesAt, lastOfSet);
        IntBuffer marks = ints(marksAt, lastOfSet / 32 + 1);
        for (long entry = first; entry < last; ) {
            int set = columnOf(pointers, n, entry) / TextbookBvss.COLUMNS;
            Set<Integer> rows = new HashSet<>();
            long end = pointers.get(endColumn(n, set));
            for (long e = pointers.get(set * TextbookBvss.COLUMNS); e < end; e++) {
                // a set is there as a whole, though only a part of it may be asked for
                if (rows.add(indices.get((int) e)) && e >= entry && e < last) {
                    int word = (int) (e / 32);
                    marks.put(word, marks.get(word) | 1 << e % 32);
                }
            }
            entry = end;
        }
    }

    private void measure() {
        long outAt = pointer("outPtrs");
        long inAt = pointer("inPtrs");
        long totalsAt = pointer("totals");
        int n = int32("n");
        LongBuffer out = longs(outAt, n + 1L);
        LongBuffer in = longs(inAt, n + 1L);
        LongBuffer totals = longs(totalsAt, COMPACT_TOTALS);
        assertThat(new long[] {totals.get(0), totals.get(1)}).containsOnly(0);
        double squares = 0;
        int active = 0;
        for (int slot = 0; slot < n; slot++) {
            double degree = out.get(slot + 1) - out.get(slot);
            squares += degree * degree;
            active = degree > 0 || in.get(slot + 1) > in.get(slot) ? slot + 1 : active;
        }
        totals.put(0, Double.doubleToLongBits(squares));
        totals.put(1, active);
    }

    private void narrow() {
        long pointersAt = pointer("ptrs");
        long narrowAt = pointer("narrow");
        int n = int32("n");
        LongBuffer pointers = longs(pointersAt, n + 1L);
        IntBuffer narrow = ints(narrowAt, n + 1L);
        for (int slot = 0; slot <= n; slot++) {
            narrow.put(slot, (int) pointers.get(slot));
        }
    }

    private void heads() {
        long pointersAt = pointer("inPtrs");
        long indicesAt = pointer("inIdx");
        long headsAt = pointer("heads");
        int active = int32("active");
        LongBuffer pointers = longs(pointersAt, active + 1L);
        IntBuffer indices = ints(indicesAt, pointers.get(active));
        int column = (active + 127) / 128 * 128;
        IntBuffer heads = ints(headsAt, 4L * column);
        for (int h = 0; h < 4; h++) {
            for (int slot = 0; slot < column; slot++) {
                boolean has = slot < active && pointers.get(slot) + h < pointers.get(slot + 1);
                heads.put(h * column + slot, has ? indices.get((int) pointers.get(slot) + h) : -1);
            }
        }
    }

    private void sumMarks() {
        long marksAt = pointer("marks");
        long sumsAt = pointer("sums");
        long blockSums = pointer("blockSums");
        long total = pointer("total");
        long words = int64("words");
        longs(blockSums, 1);
        IntBuffer marks = ints(marksAt, words);
        IntBuffer sums = ints(sumsAt, words);
        long sum = 0;
        for (int i = 0; i < words; i++) {
            sums.put(i, (int) sum);
            sum += Integer.bitCount(marks.get(i));
        }
        longs(total, 1).put(0, sum);
    }

    private static int firstsBefore(IntBuffer marks, IntBuffer sums, long entry) {
        int word = (int) (entry / 32);
        return sums.get(word) + Integer.bitCount(marks.get(word) & ((1 << entry % 32) - 1));
    }

    private void countSets() {
        long pointersAt = pointer("ptrs");
        long marksAt = pointer("marks");
        long sumsAt = pointer("sums");
        long realPtrs = pointer("realPtrs");
        longs(pointer("blockSums"), 1);
        long total = pointer("total");
        int n = int32("n");
        LongBuffer pointers = longs(pointersAt, n + 1L);
        IntBuffer marks = ints(marksAt, pointers.get(n) / 32 + 1);
        IntBuffer sums = ints(sumsAt, pointers.get(n) / 32 + 1);
        int sets = BvssStructure.sliceSetCount(n);
        IntBuffer result = realPtrs == 0 ? IntBuffer.allocate(sets + 1) : ints(realPtrs, sets + 1L);
        int sum = 0;
        for (int set = 0; set < sets; set++) {
            result.put(set, sum);
            int slices = firstsBefore(marks, sums, pointers.get(endColumn(n, set)))
                    - firstsBefore(marks, sums, pointers.get(set * TextbookBvss.COLUMNS));
            sum += (slices + TextbookBvss.SLICES - 1) / TextbookBvss.SLICES;
        }
        result.put(sets, sum);
        longs(total, 1).put(0, sum);
    }

    private void writeSlices() {
        long pointersAt = pointer("ptrs");
        long indicesAt = pointer("idx");
        long marksAt = pointer("marks");
        long sumsAt = pointer("sums");
        long realPtrsAt = pointer("realPtrs");
        long virtualToRealAt = pointer("virtualToReal");
        long rowIdsAt = pointer("rowIds");
        long masksAt = pointer("masks");
        int n = int32("n");
        long first = int64("firstEntry");
        long last = int64("lastEntry");
        LongBuffer pointers = longs(pointersAt, n + 1L);
        IntBuffer indices = ints(indicesAt, pointers.get(n));
        IntBuffer marks = ints(marksAt, pointers.get(n) / 32 + 1);
        ints(sumsAt, pointers.get(n) / 32 + 1);
        int sets = BvssStructure.sliceSetCount(n);
        IntBuffer realPtrs = ints(realPtrsAt, sets + 1L);
        long vssCount = realPtrs.get(sets);
        IntBuffer virtualToReal = ints(virtualToRealAt, vssCount);
        IntBuffer rowIds = ints(rowIdsAt, vssCount * TextbookBvss.SLICES);
        ByteBuffer masks = device.memory(masksAt, vssCount * TextbookBvss.SLICES);
        for (int set = 0; set < sets; set++) {
            TreeMap<Integer, Integer> slices = new TreeMap<>();
            TreeMap<Integer, Long> firsts = new TreeMap<>();
            for (int column = set * TextbookBvss.COLUMNS; column < endColumn(n, set); column++) {
                for (long e = pointers.get(column); e < pointers.get(column + 1); e++) {
                    int row = indices.get((int) e);
                    slices.merge(row, 1 << column % TextbookBvss.COLUMNS, (a, b) -> a | b);
                    firsts.putIfAbsent(row, e);
                }
            }
            int slice = 0;
            for (var entry : slices.entrySet()) {
                long e = firsts.get(entry.getKey());
                boolean marked = (marks.get((int) (e / 32)) >>> e % 32 & 1) != 0;
                if (marked && e >= first && e < last) {
                    int at = realPtrs.get(set) * TextbookBvss.SLICES + slice;
                    rowIds.put(at, entry.getKey());
                    masks.put(at, (byte) (int) entry.getValue());
                    virtualToReal.put(at / TextbookBvss.SLICES, set);
                }
                slice++;
            }
        }
    }

    private void relabelPointers() {
        long pointersAt = pointer("ptrs");
        long vertexOfSlotAt = pointer("vertexOfSlot");
        long newPointersAt = pointer("newPtrs");
        longs(pointer("blockSums"), 1);
        int n = int32("n");
        LongBuffer pointers = longs(pointersAt, n + 1L);
        IntBuffer vertexOfSlot = ints(vertexOfSlotAt, n);
        LongBuffer result = longs(newPointersAt, n + 1L);
        result.put(0, 0);
        for (int slot = 0; slot < n; slot++) {
            int vertex = vertexOfSlot.get(slot);
            result.put(slot + 1, result.get(slot) + pointers.get(vertex + 1) - pointers.get(vertex));
        }
    }

    private void relabelEntries() {
        long pointersAt = pointer("ptrs");
        long indicesAt = pointer("idx");
        long slotOfVertexAt = pointer("slotOfVertex");
        long newPointersAt = pointer("newPtrs");
        long newIndicesAt = pointer("newIdx");
        int n = int32("n");
        long first = int64("firstEntry");
        long last = int64("lastEntry");
        LongBuffer pointers = longs(pointersAt, n + 1L);
        IntBuffer indices = ints(indicesAt, last);
        IntBuffer slotOfVertex = ints(slotOfVertexAt, n);
        LongBuffer newPointers = longs(newPointersAt, n + 1L);
        IntBuffer result = ints(newIndicesAt, newPointers.get(n));
        for (long e = first; e < last; e++) {
            int column = columnOf(pointers, n, e);
            long to = newPointers.get(slotOfVertex.get(column)) + e - pointers.get(column);
            result.put((int) to, slotOfVertex.get(indices.get((int) e)));
        }
    }

    private void countRows() {
        long indicesAt = pointer("idx");
        long countsAt = pointer("counts");
        long entries = int64("entries");
        IntBuffer indices = ints(indicesAt, entries);
        int greatest = -1;
        for (int e = 0; e < entries; e++) {
            greatest = Math.max(greatest, indices.get(e));
        }
        IntBuffer counts = ints(countsAt, greatest + 1L);
        for (int e = 0; e < entries; e++) {
            counts.put(indices.get(e), counts.get(indices.get(e)) + 1);
        }
    }

    private void transposePointers() {
        long countsAt = pointer("counts");
        long newPointersAt = pointer("newPtrs");
        longs(pointer("blockSums"), 1);
        int n = int32("n");
        IntBuffer counts = ints(countsAt, n);
        LongBuffer result = longs(newPointersAt, n + 1L);
        result.put(0, 0);
        for (int row = 0; row < n; row++) {
            result.put(row + 1, result.get(row) + counts.get(row));
        }
    }

    private void transposeEntries() {
        long pointersAt = pointer("ptrs");
        long indicesAt = pointer("idx");
        long countsAt = pointer("counts");
        long newPointersAt = pointer("newPtrs");
        long newIndicesAt = pointer("newIdx");
        int n = int32("n");
        long first = int64("firstEntry");
        long last = int64("lastEntry");
        LongBuffer pointers = longs(pointersAt, n + 1L);
        IntBuffer indices = ints(indicesAt, last);
        IntBuffer counts = ints(countsAt, n);
        LongBuffer newPointers = longs(newPointersAt, n + 1L);
        IntBuffer result = ints(newIndicesAt, newPointers.get(n));
        for (long e = first; e < last; e++) {
            int row = indices.get((int) e);
            counts.put(row, counts.get(row) - 1);
            result.put((int) newPointers.get(row) + counts.get(row), columnOf(pointers, n, e));
        }
    }

    private void sortColumns() {
        long pointersAt = pointer("ptrs");
        long indicesAt = pointer("idx");
        long longColumnsAt = pointer("longColumns");
        long longCountAt = pointer("longCount");
        long lastHubAt = pointer("lastHub");
        long hubCountAt = pointer("hubCount");
        IntBuffer nextTile = ints(pointer("nextTile"), 1);
        int n = int32("n");
        int mostEntries = int32("mostEntries");
        LongBuffer pointers = longs(pointersAt, n + 1L);
        // half of the columns, as a launch that has used up its time
        int firstTile = nextTile.get(0);
        int tiles = (n - 1) / SORT_TILE + 1;
        int lastTile = firstTile == 0 ? (tiles + 1) / 2 : tiles;
        nextTile.put(0, lastTile);
        int found = ints(longCountAt, 1).get(0);
        int hubs = ints(hubCountAt, 1).get(0);
        for (int column = firstTile * SORT_TILE; column < Math.min(n, lastTile * SORT_TILE); column++) {
            long length = pointers.get(column + 1) - pointers.get(column);
            if (length > mostEntries) {
                ints(lastHubAt - (long) hubs++ * Integer.BYTES, 1).put(0, column);
            } else if (length > SORTED_IN_BLOCK) {
                ints(longColumnsAt + (long) found++ * Integer.BYTES, 1).put(0, column);
            } else {
                sort(pointers, indicesAt, column);
            }
        }
        ints(longCountAt, 1).put(0, found);
        ints(hubCountAt, 1).put(0, hubs);
    }

    private void markRows() {
        long indicesAt = pointer("idx");
        long marksAt = pointer("marks");
        long first = int64("firstEntry");
        long last = int64("lastEntry");
        IntBuffer rows = ints(indicesAt + first * Integer.BYTES, last - first);
        for (int i = 0; i < last - first; i++) {
            IntBuffer word = ints(marksAt + (long) (rows.get(i) / 32) * Integer.BYTES, 1);
            word.put(0, word.get(0) | 1 << rows.get(i) % 32);
        }
    }

    private void listRows() {
        long marksAt = pointer("marks");
        long indicesAt = pointer("idx");
        longs(pointer("blockSums"), 1);
        int words = int32("words");
        IntBuffer marks = ints(marksAt, words);
        int found = 0;
        for (int row = 0; row < words * 32; row++) {
            if ((marks.get(row / 32) >>> row % 32 & 1) != 0) {
                ints(indicesAt + (long) found++ * Integer.BYTES, 1).put(0, row);
            }
        }
    }

    private void sortLongColumns() {
        long pointersAt = pointer("ptrs");
        long indicesAt = pointer("idx");
        long otherAt = pointer("other");
        long longColumnsAt = pointer("longColumns");
        long longCountAt = pointer("longCount");
        IntBuffer nextColumn = ints(pointer("nextColumn"), 1);
        int bits = int32("bits");
        int count = ints(longCountAt, 1).get(0);
        // one column, as a launch that has used up its time
        for (int i = nextColumn.get(0); i < Math.min(count, nextColumn.get(0) + 1); i++) {
            int column = ints(longColumnsAt, count).get(i);
            LongBuffer pointers = longs(pointersAt, column + 2L);
            ints(otherAt, pointers.get(column + 1));
            int greatest = sort(pointers, indicesAt, column);
            if (greatest >>> bits != 0) {
                throw new AssertionError("too few bits for row " + greatest + ": " + bits);
            }
        }
        nextColumn.put(0, nextColumn.get(0) + 1);
    }

    private int sort(LongBuffer pointers, long indicesAt, int column) {
        long begin = pointers.get(column);
        int[] rows = new int[(int) (pointers.get(column + 1) - begin)];
        if (rows.length == 0) {
            return 0;
        }
        IntBuffer at = ints(indicesAt + begin * Integer.BYTES, rows.length);
        at.get(0, rows);
        Arrays.sort(rows);
        at.put(0, rows);
        return rows[rows.length - 1];
    }
}

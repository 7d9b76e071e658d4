// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.papers.bvss;

import io.proxima.projection.csc.Csc;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * BVSS built slice by slice, as the manual's page describes it.
 *
 * @param slices number of slices, without padding
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record TextbookBvss(int[] realPtrs, int[] virtualToReal, int[] rowIds, int[] masks, int slices) {

    /** Columns of a slice set. */
    public static final int COLUMNS = 8;

    /** Slices of a virtual slice set. */
    public static final int SLICES = 128;

    private static final int MASKS_A_WORD = 4;

    public static TextbookBvss of(Csc graph) {
        int sets = (graph.vertexCount() + COLUMNS - 1) / COLUMNS;
        int[] realPtrs = new int[sets + 1];
        List<Integer> virtualToReal = new ArrayList<>();
        List<Integer> rowIds = new ArrayList<>();
        List<Integer> masks = new ArrayList<>();
        int slices = 0;
        for (int set = 0; set < sets; set++) {
            TreeMap<Integer, Integer> maskOfRow = new TreeMap<>();
            for (int column = set * COLUMNS; column < Math.min(graph.vertexCount(), (set + 1) * COLUMNS); column++) {
                for (long entry = graph.columnStart(column); entry < graph.columnEnd(column); entry++) {
                    maskOfRow.merge(graph.rowIndices().get(entry), 1 << (column % COLUMNS), (a, b) -> a | b);
                }
            }
            slices += maskOfRow.size();
            rowIds.addAll(maskOfRow.keySet());
            masks.addAll(maskOfRow.values());
            while (rowIds.size() % SLICES != 0) {
                rowIds.add(0);
                masks.add(0);
            }
            while (virtualToReal.size() < rowIds.size() / SLICES) {
                virtualToReal.add(set);
            }
            realPtrs[set + 1] = virtualToReal.size();
        }
        int[] words = new int[masks.size() / MASKS_A_WORD];
        for (int slice = 0; slice < masks.size(); slice++) {
            words[slice / MASKS_A_WORD] |= masks.get(slice) << (slice % MASKS_A_WORD * COLUMNS);
        }
        return new TextbookBvss(realPtrs, ints(virtualToReal), ints(rowIds), words, slices);
    }

    private static int[] ints(List<Integer> values) {
        return values.stream().mapToInt(Integer::intValue).toArray();
    }
}

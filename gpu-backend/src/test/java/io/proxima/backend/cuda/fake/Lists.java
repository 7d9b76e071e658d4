// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.fake;

import java.util.Arrays;

/** Adjacency lists on the host. */
public final class Lists {
    public final long[] pointers;
    public final int[] indices;

    public Lists(long[] pointers, int[] indices) {
        this.pointers = pointers;
        this.indices = indices;
    }

    public int length(int slot) {
        return (int) (pointers[slot + 1] - pointers[slot]);
    }

    /** The neighbours of a slot. */
    public int[] of(int slot) {
        return Arrays.copyOfRange(indices, (int) pointers[slot], (int) pointers[slot + 1]);
    }

    /** The lists of the reversed edges. */
    public Lists transposed() {
        int n = pointers.length - 1;
        long[] ends = new long[n + 1];
        for (int to : indices) {
            ends[to + 1]++;
        }
        Arrays.parallelPrefix(ends, Long::sum);
        long[] next = ends.clone();
        int[] reversed = new int[indices.length];
        for (int slot = 0; slot < n; slot++) {
            for (int to : of(slot)) {
                reversed[(int) next[to]++] = slot;
            }
        }
        return new Lists(ends, reversed);
    }
}

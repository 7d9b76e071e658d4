// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bvss;

import java.util.Arrays;

/**
 * One warp's pull of a virtual slice set on simulated tensor cores: section 5.1 and lines 13 to 25 of Algorithm 2 of
 * arXiv:2606.05081. Every lane sees nothing but its own registers, so this also proves that each result arrives at the
 * lane that owns its slice.
 */
final class SimulatedWarp {

    private static final int LANES = BvssLayout.WARP_SIZE;

    private SimulatedWarp() {}

    /**
     * Multiplies the masks of a virtual slice set with its frontier.
     *
     * @param bvss the graph
     * @param vss virtual slice set
     * @param alpha frontier bits of its slice set, 0 to 255
     * @return {@code int[32][4]}: for lane l and c from 0 to 3 the popcount of slice 4 l + c
     */
    static int[][] pull(Bvss bvss, int vss, int alpha) {
        int[] low = new int[LANES];
        int[] high = new int[LANES];
        int[] frontier = new int[LANES];
        for (int lane = 0; lane < LANES; lane++) {
            int word = bvss.masks().get((long) vss * LANES + lane);
            low[lane] = word & 0xffff;
            high[lane] = word >>> 16;
            frontier[lane] = lane % 9 == 0 ? alpha : lane % 9 == 4 ? alpha << 8 : 0;
        }
        int[][] first = multiply(low, frontier);
        int[][] second = multiply(high, frontier);
        int[][] popcounts = new int[LANES][];
        for (int lane = 0; lane < LANES; lane++) {
            popcounts[lane] = new int[] {first[lane][0], first[lane][1], second[lane][0], second[lane][1]};
        }
        return popcounts;
    }

    /**
     * {@code mma.m8n8k128} over and and popcount, with the fragments spread over the lanes as the PTX manual says: lane l
     * holds word l mod 4 of row l / 4 of A, word l mod 4 of column l / 4 of B, and the columns 2 (l mod 4) and the next of
     * row l / 4 of C.
     */
    private static int[][] multiply(int[] fragA, int[] fragB) {
        int[][] c = new int[8][8];
        for (int row = 0; row < 8; row++) {
            for (int column = 0; column < 8; column++) {
                for (int word = 0; word < 4; word++) {
                    c[row][column] += Integer.bitCount(fragA[row * 4 + word] & fragB[column * 4 + word]);
                }
            }
        }
        int[][] fragC = new int[LANES][];
        for (int lane = 0; lane < LANES; lane++) {
            int column = lane % 4 * 2;
            fragC[lane] = Arrays.copyOfRange(c[lane / 4], column, column + 2);
        }
        return fragC;
    }
}

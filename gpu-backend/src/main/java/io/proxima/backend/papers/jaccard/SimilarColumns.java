// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.papers.jaccard;

import java.util.Arrays;

/**
 * The columns of a window by the rows that they have in common with those of a slice set. They are listed at
 * intersections of 1, 8, 64 and so on, so that the most similar ones are found among the longest intersections.
 */
final class SimilarColumns {

    private static final int LEVEL_SHIFT = 3;
    private static final int LEVELS = (Integer.SIZE + LEVEL_SHIFT - 1) / LEVEL_SHIFT;
    private static final int NO_POWERS_OF_EIGHT = 0xB6DB6DB6;
    private static final int NONE = -1;

    private final int[] degree;
    private final boolean[] assigned;

    /** By rank: the number of rows in common. */
    private final int[] common;

    /** By level l: the ranks whose intersection has reached 8^l. */
    private final int[][] reached = new int[LEVELS][];

    private final int[] reachedCount = new int[LEVELS];

    /** Assigned members that count passed. */
    private int gone;

    // what find found
    private int best;
    private long bestCommon;
    private long bestSum;

    /**
     * No columns.
     *
     * @param degree degree by rank; read when columns are compared
     * @param assigned by rank: whether a column is no candidate
     */
    SimilarColumns(int[] degree, boolean[] assigned) {
        this.degree = degree;
        this.assigned = assigned;
        common = new int[degree.length];
        Arrays.setAll(reached, level -> new int[16]);
    }

    /**
     * Adds one common row to the members of a range, up to the first of rank {@code below} or higher.
     *
     * @return where it stopped
     */
    int count(int[] members, int start, int end, int below) {
        boolean[] taken = assigned;
        int[] counts = common;
        int skipped = 0;
        int i = start;
        for (; i < end; i++) {
            int rank = members[i];
            if (rank >= below) {
                break;
            }
            if (taken[rank]) {
                skipped++;
                continue;
            }
            int now = counts[rank] + 1;
            counts[rank] = now;
            // zero for 1, 8, 64, ... alone
            if (((now & (now - 1)) | (now & NO_POWERS_OF_EIGHT)) == 0) {
                reach(Integer.numberOfTrailingZeros(now) / LEVEL_SHIFT, rank);
            }
        }
        gone = skipped;
        return i;
    }

    /** How many assigned members the last count has passed. */
    int gone() {
        return gone;
    }

    private void reach(int level, int rank) {
        int[] ranks = reached[level];
        int count = reachedCount[level]++;
        if (count == ranks.length) {
            ranks = Arrays.copyOf(ranks, 2 * count);
            reached[level] = ranks;
        }
        ranks[count] = rank;
    }

    /**
     * Finds the most similar of the ranks counted. Similarity c / (|R| + d - c) grows with c / (|R| + d), which is what
     * is compared, in whole numbers: both products are below 2^63.
     *
     * @return the number of ranks looked at
     */
    int find(int unionSize) {
        best = NONE;
        bestCommon = 0;
        bestSum = 1;
        int looked = 0;
        for (int level = highestLevel(); level >= 0; level--) {
            int count = reachedCount[level];
            looked += count;
            int[] ranks = reached[level];
            for (int i = 0; i < count; i++) {
                int rank = ranks[i];
                if (assigned[rank]) {
                    continue;
                }
                long sum = (long) unionSize + degree[rank];
                long left = common[rank] * bestSum;
                long right = bestCommon * sum;
                if (left > right || (left == right && rank < best)) {
                    best = rank;
                    bestCommon = common[rank];
                    bestSum = sum;
                }
            }
            // the candidates below this level have fewer than 8^level rows in common, and a degree of at least as many
            long most = (1L << (LEVEL_SHIFT * level)) - 1;
            if (bestCommon * (unionSize + most) > most * bestSum) {
                break;
            }
        }
        return looked;
    }

    private int highestLevel() {
        int level = LEVELS - 1;
        while (level >= 0 && reachedCount[level] == 0) {
            level--;
        }
        return level;
    }

    /** The rank that was found, -1 if none has a row in common. */
    int best() {
        return best;
    }

    /** Whether no column of at most this degree, and of a higher rank, is more similar than the one found. */
    boolean isBestUpTo(long degreeBelow, int unionSize) {
        long most = Math.min(degreeBelow, unionSize);
        return bestCommon * (unionSize + degreeBelow) >= most * bestSum;
    }

    /** The degree from which on a column can be more similar than the one found. */
    long leastDegree(int unionSize) {
        return bestCommon * unionSize / (bestSum - bestCommon);
    }

    void forget() {
        for (int i = 0; i < reachedCount[0]; i++) {
            common[reached[0][i]] = 0;
        }
        Arrays.fill(reachedCount, 0);
    }
}

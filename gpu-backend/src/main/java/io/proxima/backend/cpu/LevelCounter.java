// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.Farness;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import java.util.Arrays;

/**
 * Counts, for each of a batch's sources, the vertices of a level, and adds the counts to the source's sums.
 *
 * <p>A vertex comes with a bit for each source that newly reaches it. Few bits are counted one by one. Words with many
 * bits are collected for eight vertices, and then added to bit-sliced counters by carry-save adders: counter plane p
 * holds bit p of the counts of 64 sources in one word, so that a word costs about five operations whatever its bits.
 *
 * <p>If hanging trees were removed, a vertex counts as many times as its weight. For eccentricities, the sources that
 * reach a vertex of a height above 0 are recorded by its height. For the pairs by distance, the trees are leaves, which
 * are one hop farther than their parents.
 */
final class LevelCounter implements BitParallelSearch.Visitor {

    /** Words with fewer bits in all than this are counted bit by bit. */
    private static final int FEW_BITS = 12;

    private static final int BLOCK = 8;
    private static final int PLANES = 32;

    private final int words;
    private final SourceBatches sources;
    private final int[] weights;
    private final int[] heights;
    private final Farness sums;
    private final PacedStop paced;

    private int firstSource;
    private final long[] levelCounts;
    private final long[] touched;
    private final long[] block;
    private final long[] planes;
    private int blockSize;
    private int usedPlanes;

    /** Entry {@code h * words + j}: which sources have reached a vertex of height h in this level. */
    private long[] reachedHeights = {};

    private int mostHeight;

    /** Pairs of a source and a vertex of this level. */
    private long keptPairs;

    /** Pairs of a source and a leaf of a vertex of this level. */
    private long leafPairs;

    /**
     * A counter for batches of 64 times {@code words} sources.
     *
     * @param words words of bits of a vertex
     * @param weights the number of vertices that each slot counts for; null for one each
     * @param heights the depth of the trees of each slot, for eccentricities; null without trees
     * @param sums receives the counts, in the rows of the sources
     */
    LevelCounter(int words, SourceBatches sources, int[] weights, int[] heights, Farness sums, Stop stop) {
        this.words = words;
        this.sources = sources;
        this.weights = weights;
        this.heights = heights;
        this.sums = sums;
        paced = new PacedStop(stop);
        levelCounts = new long[words * Long.SIZE];
        touched = new long[words];
        block = new long[BLOCK * words];
        planes = new long[PLANES * words];
    }

    /** Heap of the arrays. Those of the heights are smaller than the state of the searches that trees make needless. */
    static long bytes(int words) {
        return words * (Long.SIZE + 1L + BLOCK + PLANES) * Long.BYTES;
    }

    /** A batch begins whose first source this is. */
    void begin(int first) {
        firstSource = first;
    }

    @Override
    public void reached(int slot, long[] bits, int base) {
        int weight = weights == null ? 1 : weights[slot];
        // apart, as loops over one word cost more than the word
        int pairs = words == 1 ? add(bits[base], weight) : add(bits, base, weight);
        keptPairs += pairs;
        leafPairs += pairs * (weight - 1L);
        if (heights != null && heights[slot] > 0) {
            mostHeight = Math.max(mostHeight, heights[slot]);
            int row = heights[slot] * words;
            if (row >= reachedHeights.length) {
                reachedHeights = Arrays.copyOf(reachedHeights, Math.max(row + words, 2 * reachedHeights.length));
            }
            for (int j = 0; j < words; j++) {
                reachedHeights[row + j] |= bits[base + j];
            }
        }
    }

    private int add(long[] bits, int base, int weight) {
        int total = 0;
        for (int j = 0; j < words; j++) {
            long word = bits[base + j];
            touched[j] |= word;
            total += Long.bitCount(word);
        }
        if (total < FEW_BITS) {
            for (int j = 0; j < words; j++) {
                for (long word = bits[base + j]; word != 0; word &= word - 1) {
                    levelCounts[(j << 6) + Long.numberOfTrailingZeros(word)] += weight;
                }
            }
        } else if (weight > 1) {
            for (int j = 0; j < words; j++) {
                addWeighted(j, bits[base + j], weight);
            }
        } else {
            System.arraycopy(bits, base, block, blockSize * words, words);
            if (++blockSize == BLOCK) {
                addBlock();
            }
        }
        return total;
    }

    private int add(long word, int weight) {
        touched[0] |= word;
        int total = Long.bitCount(word);
        if (total < FEW_BITS) {
            for (long rest = word; rest != 0; rest &= rest - 1) {
                levelCounts[Long.numberOfTrailingZeros(rest)] += weight;
            }
        } else if (weight > 1) {
            addWeighted(0, word, weight);
        } else {
            block[blockSize] = word;
            if (++blockSize == BLOCK) {
                addBlock();
            }
        }
        return total;
    }

    /** Adds the level's counts to the sums. */
    @Override
    public void levelDone(int level) {
        if (blockSize > 0) {
            Arrays.fill(block, blockSize * words, block.length, 0);
            addBlock();
        }
        long pairs = 0;
        for (int j = 0; j < words; j++) {
            for (long rest = touched[j]; rest != 0; rest &= rest - 1) {
                int bit = Long.numberOfTrailingZeros(rest);
                long count = take(j, bit);
                int source = firstSource + (j << 6) + bit;
                sums.add(sources.row(source), count, level);
                pairs += count * (weights == null ? 1 : weights[sources.slot(source)]);
                paced.worked(1);
            }
        }
        addPairs(level, pairs);
        Arrays.fill(touched, 0);
        Arrays.fill(planes, 0, usedPlanes * words, 0);
        usedPlanes = 0;
        addHeights(level);
    }

    /** The count of a source, which counts from 0 again once the planes are cleared too. */
    private long take(int j, int bit) {
        int source = (j << 6) + bit;
        long count = levelCounts[source];
        for (int plane = 0; plane < usedPlanes; plane++) {
            count += (planes[plane * words + j] >>> bit & 1) << plane;
        }
        levelCounts[source] = 0;
        return count;
    }

    /**
     * Adds the pairs of kept vertices of this distance, and those of their leaves. Over all batches, as many pairs have
     * the leaf of a source and a vertex as a source and the leaf of a vertex, because the graph is symmetric.
     *
     * @param pairs all of them
     */
    private void addPairs(int level, long pairs) {
        sums.addPairs(level, keptPairs);
        sums.addPairs(level + 1, 2 * leafPairs);
        sums.addPairs(level + 2, pairs - keptPairs - 2 * leafPairs);
        keptPairs = 0;
        leafPairs = 0;
    }

    private int row(int j, int bit) {
        return sources.row(firstSource + (j << 6) + bit);
    }

    private void addHeights(int level) {
        int[] eccentricities = sums.eccentricity();
        for (; mostHeight > 0; mostHeight--) {
            for (int j = 0; j < words; j++) {
                for (long rest = reachedHeights[mostHeight * words + j]; rest != 0; rest &= rest - 1) {
                    int row = row(j, Long.numberOfTrailingZeros(rest));
                    eccentricities[row] = Math.max(eccentricities[row], level + mostHeight);
                }
                reachedHeights[mostHeight * words + j] = 0;
            }
            paced.worked(words);
        }
    }

    private void addBlock() {
        int w = words;
        usedPlanes = Math.max(usedPlanes, 3);
        for (int j = 0; j < w; j++) {
            long ones = planes[j];
            long twos = planes[w + j];
            long fours = planes[2 * w + j];

            long a = block[j];
            long b = block[w + j];
            long u = ones ^ a;
            long twosA = (ones & a) | (u & b);
            ones = u ^ b;

            a = block[2 * w + j];
            b = block[3 * w + j];
            u = ones ^ a;
            long twosB = (ones & a) | (u & b);
            ones = u ^ b;

            u = twos ^ twosA;
            long foursA = (twos & twosA) | (u & twosB);
            twos = u ^ twosB;

            a = block[4 * w + j];
            b = block[5 * w + j];
            u = ones ^ a;
            twosA = (ones & a) | (u & b);
            ones = u ^ b;

            a = block[6 * w + j];
            b = block[7 * w + j];
            u = ones ^ a;
            twosB = (ones & a) | (u & b);
            ones = u ^ b;

            u = twos ^ twosA;
            long foursB = (twos & twosA) | (u & twosB);
            twos = u ^ twosB;

            u = fours ^ foursA;
            long carry = (fours & foursA) | (u & foursB);
            fours = u ^ foursB;

            planes[j] = ones;
            planes[w + j] = twos;
            planes[2 * w + j] = fours;
            ripple(j, carry, 3);
        }
        blockSize = 0;
    }

    private void addWeighted(int j, long word, int weight) {
        for (int rest = weight; rest != 0; rest &= rest - 1) {
            ripple(j, word, Integer.numberOfTrailingZeros(rest));
        }
    }

    /** Adds 2^firstPlane to the counters of the sources whose bit is set. */
    private void ripple(int j, long bits, int firstPlane) {
        long carry = bits;
        int plane = firstPlane;
        while (carry != 0) {
            long value = planes[plane * words + j];
            planes[plane * words + j] = value ^ carry;
            carry &= value;
            plane++;
        }
        usedPlanes = Math.max(usedPlanes, plane);
    }
}

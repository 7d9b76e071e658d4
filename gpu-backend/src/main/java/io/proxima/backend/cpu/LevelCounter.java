/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.proxima.backend.cpu;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import java.util.Arrays;
import java.util.Set;

/**
 * Counts, for each of a batch's sources, the vertices of a level, and adds the counts to the source's sums.
 *
 * <p>A vertex comes with a bit for each source that newly reaches it. Few bits are counted one by one. Many are kept until
 * eight vertices are together, and then added to bit-sliced counters by carry-save adders: counter plane p holds bit p of
 * the counts of 64 sources in one word, so that a word costs about five operations whatever bits it has.
 */
final class LevelCounter {

    /** Words with fewer bits in all than this are counted bit by bit. */
    private static final int FEW_BITS = 12;

    private static final int BLOCK = 8;
    private static final int PLANES = 32;

    private final int words;
    private final Set<DistanceMeasure> measures;
    private final long[] farness;
    private final long[] reach;
    private final double[] harmonic;
    private final int[] depth;
    private long[] hops = {};

    private final long[] levelCounts;
    private final long[] touched;
    private final long[] block;
    private final long[] planes;
    private int blockSize;
    private int usedPlanes;

    /** How many times a vertex was counted since the last {@link #clear}. */
    private long visits;

    /** How many words with a bit these visits had. */
    private long visitedWords;

    /**
     * A counter for batches of 64 times {@code words} sources.
     *
     * @param words words a vertex
     * @param measures what is wanted beside the sums
     */
    LevelCounter(int words, Set<DistanceMeasure> measures) {
        this.words = words;
        this.measures = measures;
        int sources = words * Long.SIZE;
        farness = new long[sources];
        reach = new long[sources];
        harmonic = new double[measures.contains(DistanceMeasure.HARMONIC) ? sources : 0];
        depth = new int[measures.contains(DistanceMeasure.ECCENTRICITY) ? sources : 0];
        levelCounts = new long[sources];
        touched = new long[words];
        block = new long[BLOCK * words];
        planes = new long[PLANES * words];
    }

    /** Heap of the arrays of a counter with all measures, the pairs by distance left out. */
    static long bytes(int words) {
        long ofSource = 4L * Long.BYTES + Integer.BYTES;
        return words * (Long.SIZE * ofSource + (1L + BLOCK + PLANES) * Long.BYTES);
    }

    /** Forgets the sums, for the next batch. */
    void clear() {
        Arrays.fill(farness, 0);
        Arrays.fill(reach, 0);
        Arrays.fill(harmonic, 0);
        Arrays.fill(depth, 0);
        visits = 0;
        visitedWords = 0;
    }

    /**
     * Counts a vertex: {@code bits[base]} to {@code bits[base + words - 1]} say which sources newly reach it.
     *
     * @param weight how many vertices it counts for, at least 1
     */
    void add(long[] bits, int base, int weight) {
        int total = 0;
        for (int j = 0; j < words; j++) {
            long word = bits[base + j];
            touched[j] |= word;
            total += Long.bitCount(word);
            visitedWords += word == 0 ? 0 : 1;
        }
        visits++;
        if (total < FEW_BITS) {
            for (int j = 0; j < words; j++) {
                for (long word = bits[base + j]; word != 0; word &= word - 1) {
                    levelCounts[(j << 6) + Long.numberOfTrailingZeros(word)] += weight;
                }
            }
            return;
        }
        if (weight > 1) {
            for (int j = 0; j < words; j++) {
                addWeighted(j, bits[base + j], weight);
            }
            return;
        }
        System.arraycopy(bits, base, block, blockSize * words, words);
        if (++blockSize == BLOCK) {
            addBlock();
        }
    }

    /** As {@link #add(long[], int, int)} for a counter of one word a vertex. */
    void add(long word, int weight) {
        touched[0] |= word;
        visits++;
        visitedWords++;
        if (Long.bitCount(word) < FEW_BITS) {
            for (long rest = word; rest != 0; rest &= rest - 1) {
                levelCounts[Long.numberOfTrailingZeros(rest)] += weight;
            }
            return;
        }
        if (weight > 1) {
            addWeighted(0, word, weight);
            return;
        }
        block[blockSize] = word;
        if (++blockSize == BLOCK) {
            addBlock();
        }
    }

    /** Adds the level's counts to the sums. */
    void levelDone(int level) {
        if (blockSize > 0) {
            Arrays.fill(block, blockSize * words, block.length, 0);
            addBlock();
        }
        long pairs = 0;
        for (int j = 0; j < words; j++) {
            for (long rest = touched[j]; rest != 0; rest &= rest - 1) {
                int bit = Long.numberOfTrailingZeros(rest);
                int source = (j << 6) + bit;
                long count = levelCounts[source];
                for (int plane = 0; plane < usedPlanes; plane++) {
                    count += (planes[plane * words + j] >>> bit & 1) << plane;
                }
                levelCounts[source] = 0;
                farness[source] += count * level;
                reach[source] += count;
                pairs += count;
                if (harmonic.length > 0) {
                    harmonic[source] = Farness.addHarmonic(harmonic[source], count, level);
                }
                if (depth.length > 0) {
                    depth[source] = level;
                }
            }
            touched[j] = 0;
        }
        if (pairs > 0 && measures.contains(DistanceMeasure.HOPS)) {
            addPairs(level, pairs);
        }
        Arrays.fill(planes, 0, usedPlanes * words, 0);
        usedPlanes = 0;
    }

    /** Sum of the distances of a source's vertices. */
    long farness(int source) {
        return farness[source];
    }

    /** Number of vertices counted for a source. */
    long reach(int source) {
        return reach[source];
    }

    /** Sum of the reciprocal distances of a source's vertices. */
    double harmonic(int source) {
        return harmonic[source];
    }

    /** Greatest distance of a source's vertices. */
    int depth(int source) {
        return depth[source];
    }

    /**
     * The pairs of a source and a vertex by distance, of all batches: not cleared with them. Entry 0 is 0; the array may be
     * longer than the greatest distance.
     */
    long[] hops() {
        return hops;
    }

    private void addPairs(int distance, long count) {
        if (distance >= hops.length) {
            hops = Arrays.copyOf(hops, Math.max(distance + 1, 2 * hops.length));
        }
        hops[distance] += count;
    }

    /** Mean number of words with a bit in a visit: how much a visit is shared among the words. */
    double meanWordsPerVisit() {
        return visits == 0 ? 0 : (double) visitedWords / visits;
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

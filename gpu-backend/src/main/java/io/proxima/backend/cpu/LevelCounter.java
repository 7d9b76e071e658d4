// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Farness;
import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import java.util.Arrays;
import java.util.Set;

/**
 * Counts, for each of a batch's sources, the vertices of a level, and adds the counts to the source's sums.
 *
 * <p>A vertex comes with a bit for each source that newly reaches it. Few bits are counted one by one. Words with many
 * bits are collected for eight vertices, and then added to bit-sliced counters by carry-save adders: counter plane p holds
 * bit p of the counts of 64 sources in one word, so that a word costs about five operations whatever its bits.
 *
 * <p>If hanging trees were removed, a vertex also counts for the vertices of its trees:
 *
 * <ul>
 *   <li>for sums of distances by its weight, the number of these vertices;
 *   <li>for eccentricities by its height, the depth of its trees: the sources that reach a vertex of height h are recorded
 *       for h;
 *   <li>for pairs by distance by its {@link TreeLayers}: each depth has counters of its own, because the vertices at depth
 *       k below a vertex of level l are at distance l + k. The few vertices with trees deeper than {@link #LANES} are kept
 *       until their level is complete, and counted one by one.
 * </ul>
 *
 * <p>The class is long because all kinds of counting share the words of a level.
 */
final class LevelCounter {

    /** Words with fewer bits in all than this are counted bit by bit. */
    private static final int FEW_BITS = 12;

    private static final int BLOCK = 8;
    private static final int PLANES = 32;

    /** Depths that have counters of their own, 0 among them. */
    private static final int LANES = 16;

    private static final int[] NO_LAYERS = {};

    private final int words;
    private final Set<DistanceMeasure> measures;
    private final int[] weights;
    private final int[] heights;
    private final int[][] layers;
    private final PacedStop paced;
    private final long[] farness;
    private final long[] reach;
    private final double[] harmonic;
    private final int[] depth;

    /** Entry {@code h * words + j}: which sources have reached a vertex of height h in this level, if h is below LANES. */
    private final long[] reachedHeights;

    /** By source: the greatest height of LANES or more that it has reached in this level. */
    private final int[] greatHeights;

    private int mostHeight;
    private final HopCounts hops = new HopCounts();

    private final Lane vertices;
    private final Lane[] hanging = new Lane[LANES - 1];
    private int[] deepSlots = new int[1];
    private long[] deepBits;
    private int deepCount;
    private int firstSlot;

    /** How many times a vertex was counted since the last {@link #clear}. */
    private long visits;

    /** How many words with a bit these visits had. */
    private long visitedWords;

    /**
     * A counter for batches of 64 times {@code words} sources.
     *
     * @param words words of bits of a vertex
     * @param measures the optional measures
     * @param weights the number of vertices that each slot counts for; null for one each, or if there are layers
     * @param heights the depth of the trees of each slot, for eccentricities; null without trees
     * @param layers the trees of each slot, see {@link TreeLayers#below}, for pairs by distance; null without trees, or if
     *     no pairs are wanted
     * @param stop ends the count early
     */
    LevelCounter(int words, Set<DistanceMeasure> measures, int[] weights, int[] heights, int[][] layers, Stop stop) {
        this.words = words;
        this.measures = measures;
        this.weights = weights;
        this.heights = heights;
        this.layers = layers;
        paced = new PacedStop(stop);
        int sources = words * Long.SIZE;
        farness = new long[sources];
        reach = new long[sources];
        harmonic = new double[measures.contains(DistanceMeasure.HARMONIC) ? sources : 0];
        depth = new int[measures.contains(DistanceMeasure.ECCENTRICITY) ? sources : 0];
        reachedHeights = new long[heights == null ? 0 : LANES * words];
        greatHeights = new int[heights == null ? 0 : sources];
        vertices = new Lane(words);
        deepBits = new long[words];
    }

    /**
     * Heap of the arrays of a counter with all measures but the pairs by distance.
     *
     * @param hanging whether there may be trees that count by their layers
     */
    static long bytes(int words, boolean hanging) {
        long ofSource = 3L * Long.BYTES + 2L * Integer.BYTES;
        long ofHeights = (long) LANES * words * Long.BYTES;
        return (long) words * Long.SIZE * ofSource + ofHeights + (hanging ? LANES : 1) * Lane.bytes(words);
    }

    /**
     * Clears the sums for the next batch.
     *
     * @param first slot of its first source
     */
    void clear(int first) {
        firstSlot = first;
        Arrays.fill(farness, 0);
        Arrays.fill(reach, 0);
        Arrays.fill(harmonic, 0);
        Arrays.fill(depth, 0);
        forgetHeights();
        visits = 0;
        visitedWords = 0;
    }

    /** Counts a slot: {@code bits[base]} to {@code bits[base + words - 1]} say which sources newly reach it. */
    void add(long[] bits, int base, int slot) {
        visits++;
        for (int j = 0; j < words; j++) {
            visitedWords += bits[base + j] == 0 ? 0 : 1;
        }
        vertices.add(bits, base, weights == null ? 1 : weights[slot]);
        if (heights != null && heights[slot] > 0) {
            for (int j = 0; j < words; j++) {
                addHeight(bits[base + j], j, heights[slot]);
            }
        }
        if (layers != null && layers[slot].length > 0) {
            addHanging(bits, base, slot);
        }
    }

    /** As {@link #add(long[], int, int)} for a counter of one word a vertex. */
    void add(long word, int slot) {
        visits++;
        visitedWords++;
        vertices.add(word, weights == null ? 1 : weights[slot]);
        if (heights != null && heights[slot] > 0) {
            addHeight(word, 0, heights[slot]);
        }
        if (layers != null && layers[slot].length > 0) {
            addHanging(new long[] {word}, 0, slot);
        }
    }

    private void addHeight(long word, int j, int height) {
        mostHeight = Math.max(mostHeight, height);
        if (height < LANES) {
            reachedHeights[height * words + j] |= word;
            return;
        }
        for (long rest = word; rest != 0; rest &= rest - 1) {
            int source = (j << 6) + Long.numberOfTrailingZeros(rest);
            greatHeights[source] = Math.max(greatHeights[source], height);
        }
    }

    private void addHanging(long[] bits, int base, int slot) {
        int[] below = layers[slot];
        for (int k = 0; k < Math.min(below.length, hanging.length); k++) {
            if (hanging[k] == null) {
                hanging[k] = new Lane(words);
            }
            hanging[k].add(bits, base, below[k]);
        }
        if (below.length > hanging.length) {
            if (deepCount == deepSlots.length) {
                deepSlots = Arrays.copyOf(deepSlots, 2 * deepCount);
                deepBits = Arrays.copyOf(deepBits, 2 * deepCount * words);
            }
            deepSlots[deepCount] = slot;
            System.arraycopy(bits, base, deepBits, deepCount * words, words);
            deepCount++;
        }
    }

    /** Adds the level's counts to the sums. */
    void levelDone(int level) {
        addUp(vertices, level, 0);
        addHeights(level);
        for (int k = 0; k < hanging.length && hanging[k] != null; k++) {
            addUp(hanging[k], level, k + 1);
        }
        for (int i = 0; i < deepCount; i++) {
            int[] below = layers[deepSlots[i]];
            for (int j = 0; j < words; j++) {
                for (long rest = deepBits[i * words + j]; rest != 0; rest &= rest - 1) {
                    int source = (j << 6) + Long.numberOfTrailingZeros(rest);
                    for (int k = hanging.length; k < below.length; k++) {
                        addUp(source, below[k], level, k + 1);
                    }
                }
            }
        }
        deepCount = 0;
    }

    private void addHeights(int level) {
        if (mostHeight == 0) {
            return;
        }
        for (int height = Math.min(mostHeight, LANES - 1); height > 0; height--) {
            for (int j = 0; j < words; j++) {
                for (long rest = reachedHeights[height * words + j]; rest != 0; rest &= rest - 1) {
                    int source = (j << 6) + Long.numberOfTrailingZeros(rest);
                    depth[source] = Math.max(depth[source], level + height);
                }
            }
        }
        for (int source = 0; source < greatHeights.length && mostHeight >= LANES; source++) {
            if (greatHeights[source] > 0) {
                depth[source] = Math.max(depth[source], level + greatHeights[source]);
            }
        }
        forgetHeights();
    }

    private void forgetHeights() {
        Arrays.fill(reachedHeights, 0);
        Arrays.fill(greatHeights, 0);
        mostHeight = 0;
    }

    private void addUp(Lane lane, int level, int hangingDepth) {
        lane.flushBlock();
        for (int j = 0; j < words; j++) {
            for (long rest = lane.touched[j]; rest != 0; rest &= rest - 1) {
                int bit = Long.numberOfTrailingZeros(rest);
                addUp((j << 6) + bit, lane.take(j, bit), level, hangingDepth);
            }
        }
        lane.clear();
    }

    /** Sums of distances to what hangs from a level are sums to the level: the rest is the same for all sources. */
    private void addUp(int source, long count, int level, int hangingDepth) {
        farness[source] += count * level;
        reach[source] += count;
        if (harmonic.length > 0) {
            harmonic[source] = Farness.addHarmonic(harmonic[source], count, level);
        }
        if (depth.length > 0) {
            depth[source] = Math.max(depth[source], level);
        }
        paced.worked(1);
        if (measures.contains(DistanceMeasure.HOPS)) {
            int distance = level + hangingDepth;
            hops.add(distance, count);
            int[] ofSource = layers == null ? NO_LAYERS : layers[firstSlot + source];
            for (int k = 0; k < ofSource.length; k++) {
                hops.add(distance + k + 1, count * ofSource[k]);
            }
            paced.worked(ofSource.length);
        }
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

    /** The pairs of a source, or of what hangs from it, and a vertex by distance; of all batches, not cleared with them. */
    HopCounts hops() {
        return hops;
    }

    /** Mean number of words with a bit in a visit: how much a visit is shared among the words. */
    double meanWordsPerVisit() {
        return visits == 0 ? 0 : (double) visitedWords / visits;
    }

    /** The counters of a level, for vertices that are equally far behind it. */
    private static final class Lane {
        private final int words;
        private final long[] levelCounts;
        private final long[] touched;
        private final long[] block;
        private final long[] planes;
        private int blockSize;
        private int usedPlanes;

        Lane(int words) {
            this.words = words;
            levelCounts = new long[words * Long.SIZE];
            touched = new long[words];
            block = new long[BLOCK * words];
            planes = new long[PLANES * words];
        }

        static long bytes(int words) {
            return words * (Long.SIZE + 1L + BLOCK + PLANES) * Long.BYTES;
        }

        void add(long[] bits, int base, int weight) {
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

        void add(long word, int weight) {
            touched[0] |= word;
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

        void flushBlock() {
            if (blockSize > 0) {
                Arrays.fill(block, blockSize * words, block.length, 0);
                addBlock();
            }
        }

        /** The count of a source, which counts from 0 again once the lane is cleared too. */
        long take(int j, int bit) {
            int source = (j << 6) + bit;
            long count = levelCounts[source];
            for (int plane = 0; plane < usedPlanes; plane++) {
                count += (planes[plane * words + j] >>> bit & 1) << plane;
            }
            levelCounts[source] = 0;
            return count;
        }

        void clear() {
            Arrays.fill(touched, 0);
            Arrays.fill(planes, 0, usedPlanes * words, 0);
            usedPlanes = 0;
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
}

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
package io.proxima.backend.cuda;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.bvss.BvssLayout;
import java.util.Set;

/**
 * Where the arrays of one allocation lie, and so to the byte what is allocated: an estimate and an allocation of the same
 * plan are equal. Arrays begin at multiples of {@link #ALIGNMENT}.
 */
final class MemoryPlan {

    static final int ALIGNMENT = 256;

    /** Bytes of the control block that host and kernel share: RunControl of persistent.cuh. */
    static final int CONTROL_BYTES = 256;

    private long bytes;

    /** Bytes of all arrays added so far. */
    long bytes() {
        return bytes;
    }

    /** Adds an array and returns its offset. */
    private long add(long entries, int entryBytes) {
        long at = bytes;
        long length = Math.multiplyExact(entries, (long) entryBytes);
        bytes = Math.addExact(at, Math.addExact(length, ALIGNMENT - 1L) / ALIGNMENT * ALIGNMENT);
        return at;
    }

    /**
     * The slice sets of a graph: offsets of the arrays of {@link BvssLayout}.
     *
     * @param bytes of all
     */
    record Bvss(long realPtrs, long virtualToReal, long rowIds, long masks, long bytes) {

        static Bvss of(int vertexCount, long virtualSliceSets) {
            MemoryPlan plan = new MemoryPlan();
            return new Bvss(
                    plan.add(BvssLayout.sliceSetCount(vertexCount) + 1L, Integer.BYTES),
                    plan.add(virtualSliceSets, Integer.BYTES),
                    plan.add(virtualSliceSets * BvssLayout.VSS_SLICES, Integer.BYTES),
                    plan.add(virtualSliceSets * BvssLayout.VSS_MASK_WORDS, Integer.BYTES),
                    plan.bytes());
        }

        /** The most virtual slice sets that a graph of this shape can have: no two columns share a row. */
        static long mostVirtualSliceSets(int vertexCount, long entryCount) {
            long sets = Math.min(BvssLayout.sliceSetCount(vertexCount), entryCount);
            return sets + (entryCount - sets) / BvssLayout.VSS_SLICES;
        }

        /** The fewest: as many entries in each as there are rows without loops for. */
        static long fewestVirtualSliceSets(int vertexCount, long entryCount) {
            long rows = Math.max(1, Math.min(BvssLayout.VSS_SLICES, vertexCount - 1L));
            long full = rows * BvssLayout.SLICE_SIZE;
            return (entryCount + full - 1) / full;
        }
    }

    /**
     * Adjacency lists: offsets of {@code long[vertexCount + 1]} pointers and {@code int[entryCount]} indices.
     *
     * @param bytes of both
     */
    record Lists(long pointers, long indices, long bytes) {

        static Lists of(int vertexCount, long entryCount) {
            MemoryPlan plan = new MemoryPlan();
            return new Lists(plan.add(vertexCount + 1L, Long.BYTES), plan.add(entryCount, Integer.BYTES), plan.bytes());
        }
    }

    /**
     * What a compact graph has beside lists, compact.cuh: offsets of pointers of 32 bits, {@code int[vertexCount + 1]} unless
     * they are {@link #isWide wide}, of the heads, {@link #HEADS} columns, and of what is measured.
     *
     * @param inPointers the same as {@code outPointers} if the graph is symmetric
     * @param bytes of all
     */
    record Compact(long outPointers, long inPointers, long heads, long totals, long bytes) {

        /** Columns of heads: HEADS of compact.cuh. */
        static final int HEADS = 4;

        /** The length of a column is a multiple of so many slots: HEAD_ALIGNMENT of compact.cuh. */
        static final int HEAD_ALIGNMENT = 128;

        /** Two values of 64 bits: CompactTotals of compact_build.cu. */
        static final int TOTALS = 2;

        static Compact of(int vertexCount, long entryCount, boolean symmetric) {
            MemoryPlan plan = new MemoryPlan();
            long pointers = isWide(entryCount) ? 0 : vertexCount + 1L;
            long out = plan.add(pointers, Integer.BYTES);
            return new Compact(
                    out,
                    symmetric ? out : plan.add(pointers, Integer.BYTES),
                    plan.add(HEADS * headColumn(vertexCount), Integer.BYTES),
                    plan.add(TOTALS, Long.BYTES),
                    plan.bytes());
        }

        /** The most entries that are counted in 32 bits: MOST_NARROW of compact.cuh. */
        static final long MOST_NARROW = (1L << Integer.SIZE) - (1 << 16);

        /** Whether entries are counted past 32 bits, so that the pointers of the lists are taken as they are. */
        static boolean isWide(long entryCount) {
            return entryCount > MOST_NARROW;
        }

        /** The length of a column of heads of so many slots. */
        static long headColumn(int slots) {
            return ((long) slots + HEAD_ALIGNMENT - 1) / HEAD_ALIGNMENT * HEAD_ALIGNMENT;
        }
    }

    /** Bytes of the slots of the vertices: 4 a vertex. */
    static long slotBytes(int vertexCount) {
        MemoryPlan plan = new MemoryPlan();
        plan.add(vertexCount, Integer.BYTES);
        return plan.bytes();
    }

    /** Room for all slots that may be sources; one where there are none. */
    static long sourceBytes(int vertexCount) {
        MemoryPlan plan = new MemoryPlan();
        plan.add(Math.max(1, vertexCount), Integer.BYTES);
        return plan.bytes();
    }

    /**
     * What building slice sets on the device needs beside the lists and the result: offsets of the marks of the first
     * entries and their sums, {@code int[entryCount / 32 + 1]} each, of a word a block, and of two totals of 64 bits.
     *
     * @param bytes of all
     */
    record Build(long marks, long sums, long blockSums, long totals, long bytes) {

        static final int TOTALS = 2;

        static Build of(long entryCount, int mostBlocks) {
            MemoryPlan plan = new MemoryPlan();
            return new Build(
                    plan.add(words(entryCount), Integer.BYTES),
                    plan.add(words(entryCount), Integer.BYTES),
                    plan.add(mostBlocks, Long.BYTES),
                    plan.add(TOTALS, Long.BYTES),
                    plan.bytes());
        }

        /** Words of the marks: one more than the entries fill, so that a sum up to the last entry has its place. */
        static long words(long entryCount) {
            return entryCount / Integer.SIZE + 1;
        }
    }

    /**
     * What relabelling and transposing need beside the lists: offsets of {@code int[vertexCount]} (the vertices of the slots,
     * or the entries left of each row), of the list of long columns, of three counters and of a word a block.
     *
     * @param bytes of all
     */
    record Reorder(long vertices, long longColumns, long counters, long blockSums, long bytes) {

        static final int COUNTERS = 3;

        static Reorder of(int vertexCount, long entryCount, int mostBlocks) {
            MemoryPlan plan = new MemoryPlan();
            return new Reorder(
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(entryCount / (ListsMaker.SORTED_IN_BLOCK + 1L) + 1, Integer.BYTES),
                    plan.add(COUNTERS, Integer.BYTES),
                    plan.add(mostBlocks, Long.BYTES),
                    plan.bytes());
        }
    }

    /** Bytes of one entry each, for a sort between two buffers: 4 an entry, of which there is room for one at least. */
    static long entryBytes(long entryCount) {
        MemoryPlan plan = new MemoryPlan();
        plan.add(Math.max(entryCount, 1), Integer.BYTES);
        return plan.bytes();
    }

    /** Bytes of rows of {@code 1 << rowBits} neighbours: 4 a neighbour, of which there is room for one at least. */
    static long rowBytes(int vertexCount, int rowBits) {
        return entryBytes((long) vertexCount << rowBits);
    }

    /**
     * Records of balls: offsets of {@code int[vertexCount + 1]} places and of the records, with what is read behind them.
     *
     * @param bytes of both
     */
    record Records(long recordAt, long records, long bytes) {

        static Records of(int vertexCount, long units) {
            MemoryPlan plan = new MemoryPlan();
            long recordAt = plan.add(vertexCount + 1L, Integer.BYTES);
            long room = Math.multiplyExact(units, (long) RecordsPart.UNIT_BYTES) + RecordsPart.READ_AHEAD_BYTES;
            return new Records(recordAt, plan.add(room, Byte.BYTES), plan.bytes());
        }
    }

    /**
     * What making records needs beside the lists and the result: offsets of a total of 64 bits a radius and of a word a block.
     *
     * @param bytes of both
     */
    record Balls(long totals, long blockSums, long bytes) {

        static Balls of(int mostBlocks) {
            MemoryPlan plan = new MemoryPlan();
            return new Balls(
                    plan.add(RecordsPart.MOST_RADIUS, Long.BYTES), plan.add(mostBlocks, Long.BYTES), plan.bytes());
        }
    }

    /** One search by windows of bits: offsets of its state. */
    record WindowSearch(
            long control,
            long sources,
            long stopTargets,
            long levels,
            long bits,
            long visited,
            long hubs,
            long hubEdges,
            long bytes) {

        /** Words that bfs_windows.cu deals to its owners in one round: OWNERS there, 32 each. */
        static final int OWNER_WORDS = 1 << 15;

        /** Words of a plane: whole rounds of {@link #OWNER_WORDS}. */
        static long words(int vertexCount) {
            int vertices = OWNER_WORDS * Integer.SIZE;
            return ((long) vertexCount + vertices - 1) / vertices * OWNER_WORDS;
        }

        static WindowSearch of(int vertexCount, long entryCount, int mostHops, int sources, int stopTargets) {
            MemoryPlan plan = new MemoryPlan();
            long mostHubs = entryCount / BallsLevelKernels.HUB + 1;
            long words = words(vertexCount);
            return new WindowSearch(
                    plan.add(CONTROL_BYTES, 1),
                    plan.add(sources, Integer.BYTES),
                    plan.add(stopTargets, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(2L * mostHops * words, Integer.BYTES),
                    plan.add(words, Integer.BYTES),
                    plan.add(mostHubs, Integer.BYTES),
                    plan.add(mostHubs, Long.BYTES),
                    plan.bytes());
        }
    }

    /** One search by rows or records of balls: offsets of its state; by rows nothing lies at queueAt. */
    record BallSearch(
            long control,
            long sources,
            long stopTargets,
            long levels,
            long queue,
            long queueAt,
            long spillA,
            long spillB,
            long hubs,
            long hubEdges,
            long bytes) {

        static BallSearch of(int vertexCount, long entryCount, boolean records, int sources, int stopTargets) {
            MemoryPlan plan = new MemoryPlan();
            long mostHubs = entryCount / BallsLevelKernels.HUB + 1;
            return new BallSearch(
                    plan.add(CONTROL_BYTES, 1),
                    plan.add(sources, Integer.BYTES),
                    plan.add(stopTargets, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(records ? vertexCount : 0, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(mostHubs, Integer.BYTES),
                    plan.add(mostHubs, Long.BYTES),
                    plan.bytes());
        }
    }

    /** One search: offsets of its state. */
    record Search(
            long control,
            long sources,
            long stopTargets,
            long levels,
            long bitsA,
            long bitsB,
            long bitsC,
            long queueA,
            long queueB,
            long bytes) {

        static Search of(int vertexCount, long virtualSliceSets, int sources, int stopTargets) {
            MemoryPlan plan = new MemoryPlan();
            long words = bitWords(vertexCount);
            return new Search(
                    plan.add(CONTROL_BYTES, 1),
                    plan.add(sources, Integer.BYTES),
                    plan.add(stopTargets, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(words, Integer.BYTES),
                    plan.add(words, Integer.BYTES),
                    plan.add(words, Integer.BYTES),
                    plan.add(virtualSliceSets, Integer.BYTES),
                    plan.add(virtualSliceSets, Integer.BYTES),
                    plan.bytes());
        }
    }

    /** One search over a compact graph: offsets of the state of bfs_directional.cu, with room for slots that are not active. */
    record Directional(
            long control,
            long sources,
            long stopTargets,
            long levels,
            long visitedA,
            long visitedB,
            long queue,
            long queueEdges,
            long listA,
            long listB,
            long bytes) {

        /** The rest of a longer list is read by the whole grid: LONG_LIST of bfs_directional.cu. */
        static final int LONG_LIST = 4096;

        static Directional of(int vertexCount, long entryCount, int sources, int stopTargets) {
            MemoryPlan plan = new MemoryPlan();
            long words = bitWords(vertexCount);
            long queued = vertexCount + entryCount / LONG_LIST;
            int edgeBytes = Compact.isWide(entryCount) ? Long.BYTES : Integer.BYTES;
            return new Directional(
                    plan.add(CONTROL_BYTES, 1),
                    plan.add(sources, Integer.BYTES),
                    plan.add(stopTargets, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(words, Integer.BYTES),
                    plan.add(words, Integer.BYTES),
                    plan.add(queued, Integer.BYTES),
                    plan.add(queued, edgeBytes),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.bytes());
        }
    }

    /** An array of a bit a slot has a multiple of so many: BIT_ALIGNMENT of persistent.cuh. */
    static final int BIT_ALIGNMENT = 128;

    /** Words of 32 bits of an array of a bit a slot: bitWords of persistent.cuh. */
    static int bitWords(int slots) {
        return (int) ((slots + BIT_ALIGNMENT - 1L) / BIT_ALIGNMENT * (BIT_ALIGNMENT / Integer.SIZE));
    }

    /**
     * Many searches at once: offsets of their state.
     *
     * @param levels of {@code sources * vertexCount} distances; nothing lies there if they are not wanted
     */
    record MultiSource(
            long control,
            long sources,
            long levels,
            long frontier,
            long visited,
            long next,
            long activeSets,
            long dirtySets,
            long queueA,
            long queueB,
            long bytes) {

        /**
         * Plans.
         *
         * @param width bits a vertex: 32, 64, 128 or 256
         * @param sources up to width
         * @param levelBytes bytes of a distance: 1, 2 or 4; 0 if distances are not wanted
         */
        static MultiSource of(int vertexCount, long virtualSliceSets, int width, int sources, int levelBytes) {
            MemoryPlan plan = new MemoryPlan();
            long sets = BvssLayout.sliceSetCount(vertexCount);
            long words = width / Integer.SIZE;
            long stateWords = sets * BvssLayout.SLICE_SIZE * words;
            return new MultiSource(
                    plan.add(CONTROL_BYTES, 1),
                    plan.add(sources, Integer.BYTES),
                    plan.add((long) sources * vertexCount, levelBytes),
                    plan.add(stateWords, Integer.BYTES),
                    plan.add(stateWords, Integer.BYTES),
                    plan.add(stateWords, Integer.BYTES),
                    plan.add(sets * words, Integer.BYTES),
                    plan.add(sets, Byte.BYTES),
                    plan.add(virtualSliceSets, Integer.BYTES),
                    plan.add(virtualSliceSets, Integer.BYTES),
                    plan.bytes());
        }
    }

    /**
     * The weakly connected components: offsets of {@code int[vertexCount]}, the lowest slot of each slot's component, and of
     * their number.
     *
     * @param bytes of both
     */
    record Components(long lowest, long count, long bytes) {

        static Components of(int vertexCount) {
            MemoryPlan plan = new MemoryPlan();
            return new Components(plan.add(vertexCount, Integer.BYTES), plan.add(1, Integer.BYTES), plan.bytes());
        }
    }

    /** Bytes of sums of 64 bits, one a block. */
    static long blockSumBytes(int mostBlocks) {
        MemoryPlan plan = new MemoryPlan();
        plan.add(mostBlocks, Long.BYTES);
        return plan.bytes();
    }

    /**
     * The parts of long in-lists: offsets of the parts (two ints each), and of what the device tells the host of them.
     *
     * @param bytes of both
     */
    record LongLists(long items, long facts, long bytes) {

        /** Ints of ItemFacts in msbfs_parts.cu. */
        static final int FACTS = 5;

        static LongLists of(long entryCount) {
            MemoryPlan plan = new MemoryPlan();
            return new LongLists(
                    plan.add(mostItems(entryCount), 2 * Integer.BYTES), plan.add(FACTS, Integer.BYTES), plan.bytes());
        }

        /** The most parts that the long lists of so many entries can have: the shortest of them have most. */
        static long mostItems(long entryCount) {
            return entryCount / (LaunchPolicy.LONG_IN_LIST + 1);
        }

        /** The most parts of lists that have more than one. */
        static long mostHubItems(long entryCount) {
            return 2 * (entryCount / (LaunchPolicy.PART_ENTRIES + 1)) + 1;
        }
    }

    /**
     * Word-parallel searches: offsets of their state, as msbfs_words.cu names it.
     *
     * @param levels of {@code sources * vertexCount} distances; nothing lies there if they are not wanted
     */
    record Words(
            long control,
            long sources,
            long levels,
            long bitsA,
            long bitsB,
            long flagsA,
            long flagsB,
            long hubBits,
            long hubDone,
            long masks,
            long maskOf,
            long queue,
            long turns,
            long bytes) {

        /** There are flags for a multiple of so many slots: FLAGS_ALIGNMENT of msbfs_words.cu. */
        static final int FLAGS_ALIGNMENT = 32;

        /** Entries of an out-list that are pushed to in one go: PUSH_ENTRIES of msbfs_words.cu. */
        static final int PUSH_ENTRIES = 256;

        /** LevelTotals of msbfs_words.cu, in bytes. */
        static final int TOTALS_BYTES = 48;

        /** LEVEL_TURNS of msbfs_words.cu. */
        static final int TURNS = 3;

        /**
         * Plans.
         *
         * @param width bits a vertex: 256, 512 or 1024
         * @param sources up to width
         * @param levelBytes bytes of a distance: 1, 2 or 4; 0 if distances are not wanted
         */
        static Words of(int vertexCount, long entryCount, int width, int sources, int levelBytes) {
            MemoryPlan plan = new MemoryPlan();
            long words = width / Integer.SIZE;
            long flags = (vertexCount + FLAGS_ALIGNMENT - 1L) / FLAGS_ALIGNMENT * FLAGS_ALIGNMENT;
            long hubItems = LongLists.mostHubItems(entryCount);
            return new Words(
                    plan.add(CONTROL_BYTES, 1),
                    plan.add(sources, Integer.BYTES),
                    plan.add((long) sources * vertexCount, levelBytes),
                    plan.add(vertexCount * words, Integer.BYTES),
                    plan.add(vertexCount * words, Integer.BYTES),
                    plan.add(flags, Byte.BYTES),
                    plan.add(flags, Byte.BYTES),
                    plan.add(hubItems * words, Integer.BYTES),
                    plan.add(hubItems, Integer.BYTES),
                    plan.add(sources * words, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(vertexCount + entryCount / PUSH_ENTRIES, 2 * Integer.BYTES),
                    plan.add(TURNS, TOTALS_BYTES),
                    plan.bytes());
        }
    }

    /**
     * Searches of a thread block each: offsets of their state, as msbfs_blocks.cu names it.
     *
     * @param levels of {@code sources * vertexCount} distances
     */
    record Blocks(long control, long sources, long levels, long queues, long visited, long nextSource, long bytes) {

        /**
         * Plans.
         *
         * @param blocks that search at once
         * @param inShared whether the bits of the visited slots lie in shared memory
         * @param levelBytes bytes of a distance: 1, 2 or 4
         */
        static Blocks of(int vertexCount, int blocks, boolean inShared, int sources, int levelBytes) {
            MemoryPlan plan = new MemoryPlan();
            return new Blocks(
                    plan.add(CONTROL_BYTES, 1),
                    plan.add(sources, Integer.BYTES),
                    plan.add((long) sources * vertexCount, levelBytes),
                    plan.add(2L * blocks * vertexCount, Integer.BYTES),
                    plan.add(inShared ? 0 : blocks * bitWords(vertexCount), Integer.BYTES),
                    plan.add((blocks + 1L) * PAUSED_WORDS, Integer.BYTES),
                    plan.bytes());
        }

        /** Words that a pause leaves of the search of a block: PAUSED_WORDS of msbfs_blocks.cu. */
        static final int PAUSED_WORDS = 4;

        /** Words of a bit a slot. */
        static long bitWords(int vertexCount) {
            return (vertexCount + 31L) / 32;
        }
    }

    /**
     * The order of the tiles of msbfs_tiles.cu: offsets of {@code int[vertexCount]} slots by position and positions by slot,
     * and of {@code long[tiles + 1]} pointers to columns and to near tiles.
     *
     * @param bytes of all
     */
    record TileOrder(long slotAt, long positionOf, long columnPointers, long nearPointers, long bytes) {

        static TileOrder of(int vertexCount) {
            MemoryPlan plan = new MemoryPlan();
            long pointers = TilesPart.tiles(vertexCount) + 1L;
            return new TileOrder(
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(vertexCount, Integer.BYTES),
                    plan.add(pointers, Long.BYTES),
                    plan.add(pointers, Long.BYTES),
                    plan.bytes());
        }
    }

    /**
     * The tiles: offsets of the columns, an int a position of a tile, and of the near tiles, two ints each; there is room for
     * one of each at least.
     *
     * @param bytes of both
     */
    record Tiles(long columns, long near, long bytes) {

        /** NearTile of tiles.cuh, in bytes. */
        static final int NEAR_BYTES = 8;

        static Tiles of(long columnCount, long nearCount) {
            MemoryPlan plan = new MemoryPlan();
            return new Tiles(
                    plan.add(Math.max(1, columnCount), TilesPart.POSITIONS * Integer.BYTES),
                    plan.add(Math.max(1, nearCount), NEAR_BYTES),
                    plan.bytes());
        }
    }

    /**
     * What making tiles needs beside the lists and the result: offsets of {@code int[tiles]} numbers of columns and of near
     * tiles, and of a word a block.
     *
     * @param bytes of all
     */
    record TileMaking(long control, long columnCounts, long nearCounts, long blockSums, long bytes) {

        static TileMaking of(int vertexCount, int mostBlocks) {
            MemoryPlan plan = new MemoryPlan();
            int tiles = TilesPart.tiles(vertexCount);
            return new TileMaking(
                    plan.add(CONTROL_BYTES, 1),
                    plan.add(tiles, Integer.BYTES),
                    plan.add(tiles, Integer.BYTES),
                    plan.add(mostBlocks, Long.BYTES),
                    plan.bytes());
        }
    }

    /**
     * Searches over tiles by groups of blocks: offsets of their state and of the sums by position, as msbfs_tiles.cu names
     * them, and of the control block.
     * What lies before {@code queueA} is zero before a launch.
     *
     * @param bytes of all
     */
    record TileSearch(
            long bitsA,
            long bitsB,
            long marks,
            long full,
            long barriers,
            long far,
            long reach,
            long queueA,
            long queueB,
            long turns,
            long nextBatch,
            long control,
            long bytes) {

        /** TILE_TURNS of msbfs_tiles.cu. */
        static final int TURNS = 16;

        /** Bytes of the bits of a tile: a warp reads 16 a lane. */
        static final int TILE_BYTES = 512;

        static TileSearch of(int vertexCount, int groups) {
            MemoryPlan plan = new MemoryPlan();
            long tiles = (long) TilesPart.tiles(vertexCount) * groups;
            return new TileSearch(
                    plan.add(tiles, TILE_BYTES),
                    plan.add(tiles, TILE_BYTES),
                    plan.add(tiles, Integer.BYTES),
                    plan.add(tiles, Byte.BYTES),
                    plan.add(groups, Integer.BYTES),
                    plan.add(vertexCount, Long.BYTES),
                    plan.add(vertexCount, Long.BYTES),
                    plan.add(tiles, Integer.BYTES),
                    plan.add(tiles, Integer.BYTES),
                    plan.add((long) groups * TURNS, Integer.BYTES),
                    plan.add(1, Integer.BYTES),
                    plan.add(CONTROL_BYTES, 1),
                    plan.bytes());
        }
    }

    /**
     * The sums of all-pairs searches: 64-bit sums of distances, 64-bit numbers of vertices and, where wanted, harmonic sums
     * as doubles, 32-bit depths, 64-bit numbers of pairs by level.
     */
    record Sums(long farness, long reach, long harmonic, long depths, long pairs, long bytes) {

        static Sums of(int vertexCount, Set<DistanceMeasure> measures) {
            MemoryPlan plan = new MemoryPlan();
            return new Sums(
                    plan.add(vertexCount, Long.BYTES),
                    plan.add(vertexCount, Long.BYTES),
                    plan.add(measures.contains(DistanceMeasure.HARMONIC) ? vertexCount : 0, Double.BYTES),
                    plan.add(measures.contains(DistanceMeasure.ECCENTRICITY) ? vertexCount : 0, Integer.BYTES),
                    plan.add(measures.contains(DistanceMeasure.HOPS) ? vertexCount : 0, Long.BYTES),
                    plan.bytes());
        }
    }

    /** Bytes of a distance in searches so deep: 1, 2 or 4; the largest number of so many bytes stands for unreached. */
    static int levelBytes(long deepest) {
        int bytes = Byte.BYTES;
        while (bytes < Integer.BYTES && deepest > (1L << (Byte.SIZE * bytes)) - 2) {
            bytes *= 2;
        }
        return bytes;
    }

    /** Bytes of the counts of so many levels: 4 a level and vertex. */
    static long levelCountBytes(int vertexCount, int levelCapacity) {
        MemoryPlan plan = new MemoryPlan();
        plan.add((long) levelCapacity * vertexCount, Integer.BYTES);
        return plan.bytes();
    }
}

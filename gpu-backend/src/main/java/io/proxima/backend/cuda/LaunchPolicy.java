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

import io.proxima.backend.Kernel;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.bvss.BvssLayout;
import io.proxima.backend.order.VertexOrder;
import java.util.Locale;

/**
 * Every number of the CUDA backend that is the same on all cards; {@link Tuning} has those that are not.
 *
 * @param memoryShare share of the device's memory that Proxima may hold, above 0 and at most 1
 * @param recordsShare share of what is free of it that the records of balls of one graph may take, from 0 (none) to 1
 * @param blockThreads threads of a block: BLOCK_THREADS of the kernels
 * @param stagingBytes size of each of the two page-locked buffers that copies go through
 * @param batchSources the most sources of a multi-source search: 32, 64, 128 or 256
 * @param levelCapacity levels that the counts for harmonic sums have room for at first
 * @param runsBeforeImproving runs of a graph after which its order is improved in the background
 * @param smallestTrial entries below which no trial decides on the kernels of one search
 * @param defaults what a run does that leaves it to the backend
 */
record LaunchPolicy(
        double memoryShare,
        double recordsShare,
        int blockThreads,
        int stagingBytes,
        int batchSources,
        int levelCapacity,
        int runsBeforeImproving,
        long smallestTrial,
        RunOptions defaults) {

    /** System property: the share of device memory that Proxima may hold. */
    static final String MEMORY_SHARE_PROPERTY = "proxima.cuda.memory-share";

    /** System property: the share of free device memory for records of balls. */
    static final String RECORDS_SHARE_PROPERTY = "proxima.cuda.records-share";

    /** Threads of a block of the kernels that name no other number: BLOCK_THREADS of persistent.cuh. */
    static final int BLOCK_THREADS = 256;

    static final int SMALLEST_BATCH = 32;

    /** Below this much free device memory a device counts as full. */
    static final long LEAST_FREE_BYTES = 256L << 20;

    /** Each pass over the levels that the one before had no counts for has room for so many times more. */
    static final int LEVEL_CAPACITY_GROWTH = 4;

    /** While a kernel runs, its end is looked for without a pause for so long, then in pauses. */
    static final long SPIN_NANOS = 1_000_000;

    static final long PAUSE_NANOS = 50_000;

    /** Sources below which 'auto' does not look whether an order pays: looking takes a pass over the graph. */
    static final long SEARCHES_THAT_MAY_PAY = 64;

    /** Entries below which 'auto' does not order. */
    static final long SMALLEST_TO_ORDER = 1L << 17;

    /** Searches that a graph is taken to be used for which is used again. */
    static final long SEARCHES_OF_A_GRAPH_IN_USE = 1_000_000;

    /** A search whose levels have fewer vertices on average is one of many small levels, if it has so many levels. */
    private static final int VERTICES_OF_A_SHALLOW_LEVEL = 1 << 14;

    private static final int LEVELS_OF_A_DEEP_GRAPH = 32;

    /** A trial on a deep graph goes so many times as deep as tells that it is deep. */
    static final int TRIAL_DEPTHS = 4;

    /** Threads of a block of bfs_balls.cu: BALLS_THREADS there. */
    static final int BALLS_THREADS = 768;

    /** The share of the lists that may be longer than a row. */
    static final double LONG_LISTS = 0.01;

    /**
     * Bytes of a record on average beyond which larger balls cost more than the levels that they save: on an H200 882 still
     * gained (rgg20, five hops for four), 999 lost (rgg22).
     */
    static final int LONGEST_RECORD_BYTES = 900;

    /** Vertices whose balls one launch measures or writes: some 10 ms, after which the stop is looked at. */
    static final int BALLS_A_LAUNCH = 1 << 16;

    /** Threads of a block of bfs_windows.cu by rows and by records: WINDOW_ROWS_THREADS and WINDOW_RECORDS_THREADS there. */
    static final int WINDOW_ROWS_THREADS = 512;

    static final int WINDOW_RECORDS_THREADS = 1024;

    /** The radius of records from which a graph's levels have few edges. */
    private static final int RADIUS_OF_FEW_EDGES = 8;

    /** The most sources of word-parallel sums. Distances have fewer: they wait for the way to the host, not for the search. */
    static final int MOST_WORDS = 1024;

    /** The least bits a vertex of the word-parallel kernels. */
    static final int LEAST_WORDS = 256;

    /** In-lists of more entries are gathered by whole warps. */
    static final int LONG_IN_LIST = 128;

    /** Entries of an in-list that a warp gathers in one go: PART_ENTRIES of msbfs_words.cu. */
    static final int PART_ENTRIES = 1024;

    /** Searches of a block each that a multiprocessor does at once. */
    static final int SEARCHES_A_MULTIPROCESSOR = 2;

    /**
     * How long a run may use the device before a launch of it is paused for those who wait: long enough for the pause not to
     * matter, and short for them.
     */
    static final long NANOS_OF_A_TURN = 20_000_000L;

    /**
     * Milliseconds of a batch up to which the next is begun before its end: a launch cannot be paused with another behind it,
     * and the device waits too short for the host to matter where batches last longer.
     */
    static final float MILLIS_OF_A_BATCH_IN_FLIGHT = 10;

    /** How long a launch of sums begins new batches: long enough for the host not to matter. */
    static final long NANOS_OF_SUMS = 3_000_000_000L;

    /** Levels after which words are given up in a trial of sums if tiles would have been done. */
    static final int LEVELS_OF_A_TRIAL_OF_SUMS = 256;

    /** Levels that a trial of many searches sees; a graph that has more is a deep one. */
    static final int LEVELS_OF_A_SHALLOW_GRAPH = 64;

    private static final int RUNS_BEFORE_IMPROVING = 3;

    /** Below it searches differ by less than a trial costs. */
    private static final long SMALLEST_TRIAL = 1L << 20;

    /** Entries that one launch works through while a graph is prepared: some 10 ms, after which the stop is looked at. */
    static final long ENTRIES_A_LAUNCH = 1L << 26;

    /** Vertices and entries below which one search is answered by the CPU under 'auto'; see docs/decisions/0006. */
    private static final long SMALLEST_SEARCH = 1L << 17;

    /** The same for many searches, whose work grows with their number. */
    private static final long SMALLEST_MULTI_SOURCE = 1L << 15;

    private static final double DEFAULT_MEMORY_SHARE = 0.8;

    private static final double DEFAULT_RECORDS_SHARE = 0.25;

    LaunchPolicy {
        requireMemoryShare(memoryShare);
        requireRecordsShare(recordsShare);
        if (blockThreads < 32 || blockThreads % 32 != 0) {
            throw new IllegalArgumentException("blockThreads must be a multiple of 32: " + blockThreads);
        }
        if (Integer.bitCount(batchSources) != 1 || batchSources < SMALLEST_BATCH || batchSources > 256) {
            throw new IllegalArgumentException("batchSources must be 32, 64, 128 or 256: " + batchSources);
        }
    }

    /** The policy that ships, with the share of memory that the system property names. */
    static LaunchPolicy shipped() {
        return new LaunchPolicy(
                memoryShare(System.getProperty(MEMORY_SHARE_PROPERTY)),
                recordsShare(System.getProperty(RECORDS_SHARE_PROPERTY)),
                BLOCK_THREADS,
                16 << 20,
                256,
                64,
                RUNS_BEFORE_IMPROVING,
                SMALLEST_TRIAL,
                RunOptions.AUTO);
    }

    /** The same with another share of memory. */
    LaunchPolicy withMemoryShare(double share) {
        return new LaunchPolicy(
                share,
                recordsShare,
                blockThreads,
                stagingBytes,
                batchSources,
                levelCapacity,
                runsBeforeImproving,
                smallestTrial,
                defaults);
    }

    /** The same where runs leave it to the backend. */
    LaunchPolicy withDefaults(RunOptions others) {
        return new LaunchPolicy(
                memoryShare,
                recordsShare,
                blockThreads,
                stagingBytes,
                batchSources,
                levelCapacity,
                runsBeforeImproving,
                smallestTrial,
                others);
    }

    /** The same with another share for records. */
    LaunchPolicy withRecordsShare(double share) {
        return new LaunchPolicy(
                memoryShare,
                share,
                blockThreads,
                stagingBytes,
                batchSources,
                levelCapacity,
                runsBeforeImproving,
                smallestTrial,
                defaults);
    }

    static void requireMemoryShare(double share) {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException(MEMORY_SHARE_PROPERTY + " must be above 0 and at most 1: " + share);
        }
    }

    static double memoryShare(String property) {
        return number(
                property, DEFAULT_MEMORY_SHARE, MEMORY_SHARE_PROPERTY + " must be a number above 0 and at most 1");
    }

    static void requireRecordsShare(double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException(RECORDS_SHARE_PROPERTY + " must be from 0 to 1: " + share);
        }
    }

    static double recordsShare(String property) {
        return number(property, DEFAULT_RECORDS_SHARE, RECORDS_SHARE_PROPERTY + " must be a number from 0 to 1");
    }

    private static double number(String property, double absent, String rule) {
        if (property == null) {
            return absent;
        }
        try {
            return Double.parseDouble(property);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(rule + ": " + property, e);
        }
    }

    /** The level from which on a search of so many vertices is one of many small levels. */
    static int deepFrom(int vertexCount) {
        return Math.max(LEVELS_OF_A_DEEP_GRAPH, vertexCount / VERTICES_OF_A_SHALLOW_LEVEL) + 1;
    }

    /** The order that a run asks for, or this policy for it. */
    VertexOrder order(RunOptions asked) {
        return asked.order() == VertexOrder.AUTO ? defaults.order() : asked.order();
    }

    /** Whether a run asks for kernels over slice sets, or this policy for it. */
    boolean asksForSliceSets(RunOptions asked) {
        Kernel kernel = asked.kernel().equals(Kernel.AUTO) ? defaults.kernel() : asked.kernel();
        return kernel.isOverSliceSets();
    }

    /**
     * The kernels that a run asks for, or this policy for it.
     *
     * @throws IllegalArgumentException if the run cannot be done with those that it asks for
     */
    Kernel kernel(RunOptions asked, Run run) {
        if (!asked.kernel().suits(run)) {
            throw new IllegalArgumentException("kernel must be one of "
                    + Kernel.of(run)
                    + " for " + run + ": kernel=" + asked.kernel().keyword());
        }
        boolean open =
                asked.kernel().equals(Kernel.AUTO) && defaults.kernel().suits(run);
        return open ? defaults.kernel() : asked.kernel();
    }

    /** Device memory that Proxima may hold on a device. */
    long budget(long totalBytes) {
        return (long) (totalBytes * memoryShare);
    }

    /** Bytes that the records of a graph may take where so many are free. */
    long recordBytes(long freeBytes) {
        return (long) (freeBytes * recordsShare);
    }

    /**
     * Whether the levels of a graph have few edges, by its rows: on an H200 bfs_balls.cu is then 1.6 times as fast as
     * bfs_windows.cu (a road network), and otherwise half as fast (random geometric graphs).
     */
    static boolean hasFewEdgesByRows(long rowBits) {
        return rowBits == RowsPart.SHORTEST_BITS;
    }

    /** The same by the radius of its records. */
    static boolean hasFewEdgesByRecords(long radius) {
        return radius >= RADIUS_OF_FEW_EDGES;
    }

    /** The grid of a kernel over BVSS: a thread for each vertex and a warp for each virtual slice set. */
    Grid sliceSetGrid(int vertexCount, long virtualSliceSets) {
        return Grid.cooperative(blockThreads, Math.max(vertexCount, virtualSliceSets * BvssLayout.WARP_SIZE));
    }

    /** The most blocks that can be resident at once on any card: 2048 threads a multiprocessor. */
    int mostBlocks(int multiprocessors) {
        return multiprocessors * (2048 / Math.min(blockThreads, 2048));
    }

    /** Whether the device pays for a run on a graph, under 'auto'. */
    static boolean pays(GraphShape graph, Run run) {
        long size = graph.vertexCount() + graph.entryCount();
        return switch (run) {
            case BFS, NEAREST_SOURCE -> size >= SMALLEST_SEARCH;
            case MULTI_SOURCE_BFS, FARNESS -> size >= SMALLEST_MULTI_SOURCE;
        };
    }

    /** Numbers of bfs_directional.cu. */
    static final class Directional {

        /** DIRECTIONAL_THREADS. */
        static final int THREADS = 512;

        /** Shared memory of a block in front of the bits: sizeof DirectionalShared, with pointers of 32 and of 64 bits. */
        static final int SHARED_BYTES = 40_976;

        static final int WIDE_SHARED_BYTES = 51_216;

        private static final int BLOCKS_A_MULTIPROCESSOR = 1;

        private Directional() {}

        /** Shared memory of a block with so many words of bits. */
        static int sharedBytes(boolean wide, int words) {
            return (wide ? WIDE_SHARED_BYTES : SHARED_BYTES) + words * Integer.BYTES;
        }

        /** The grid for so many vertices or edges. */
        static Grid grid(boolean wide, int words, long usefulThreads) {
            return Grid.cooperative(THREADS, usefulThreads)
                    .withMostBlocks(BLOCKS_A_MULTIPROCESSOR)
                    .withSharedBytes(sharedBytes(wide, words));
        }
    }
}

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
package io.proxima.backend.cuda.device;

import io.proxima.backend.Kernel;
import io.proxima.backend.RunOptions;
import io.proxima.backend.TraversalBackend.GraphShape;
import io.proxima.backend.TraversalBackend.Run;
import io.proxima.backend.order.VertexOrder;

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
public record LaunchPolicy(
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
    public static final String RECORDS_SHARE_PROPERTY = "proxima.cuda.records-share";

    /** Threads of a block of the kernels that name no other number: BLOCK_THREADS of persistent.cuh. */
    public static final int BLOCK_THREADS = 256;

    public static final int SMALLEST_BATCH = 32;

    /** Below this much free device memory a device counts as full. */
    public static final long LEAST_FREE_BYTES = 256L << 20;

    /** Each pass over the levels that the one before had no counts for has room for so many times more. */
    public static final int LEVEL_CAPACITY_GROWTH = 4;

    /** While a kernel runs, its end is looked for without a pause for so long, then in pauses. */
    static final long SPIN_NANOS = 1_000_000;

    static final long PAUSE_NANOS = 50_000;

    /** Entries below which 'auto' does not order. */
    public static final long SMALLEST_TO_ORDER = 1L << 17;

    /**
     * How long a run may use the device before a launch of it is paused for those who wait: long enough for the pause not to
     * matter, and short for them.
     */
    public static final long NANOS_OF_A_TURN = 20_000_000L;

    /**
     * Milliseconds of a batch up to which the next is begun before its end: a launch cannot be paused with another behind it,
     * and the device waits too short for the host to matter where batches last longer.
     */
    public static final float MILLIS_OF_A_BATCH_IN_FLIGHT = 10;

    private static final int RUNS_BEFORE_IMPROVING = 3;

    /** Below it searches differ by less than a trial costs. */
    private static final long SMALLEST_TRIAL = 1L << 20;

    /** Entries that one launch works through while a graph is prepared: some 10 ms, after which the stop is looked at. */
    public static final long ENTRIES_A_LAUNCH = 1L << 26;

    /** Vertices and entries below which one search is answered by the CPU under 'auto'; see docs/decisions/0006. */
    private static final long SMALLEST_SEARCH = 1L << 17;

    /** The same for many searches, whose work grows with their number. */
    private static final long SMALLEST_MULTI_SOURCE = 1L << 15;

    private static final double DEFAULT_MEMORY_SHARE = 0.8;

    private static final double DEFAULT_RECORDS_SHARE = 0.25;

    public LaunchPolicy {
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
    public static LaunchPolicy shipped() {
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
    public LaunchPolicy withMemoryShare(double share) {
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
    public LaunchPolicy withDefaults(RunOptions others) {
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
    public LaunchPolicy withRecordsShare(double share) {
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

    public static void requireMemoryShare(double share) {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException(MEMORY_SHARE_PROPERTY + " must be above 0 and at most 1: " + share);
        }
    }

    public static double memoryShare(String property) {
        return number(
                property, DEFAULT_MEMORY_SHARE, MEMORY_SHARE_PROPERTY + " must be a number above 0 and at most 1");
    }

    public static void requireRecordsShare(double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException(RECORDS_SHARE_PROPERTY + " must be from 0 to 1: " + share);
        }
    }

    public static double recordsShare(String property) {
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

    /** The order that a run asks for, or this policy for it. */
    public VertexOrder order(RunOptions asked) {
        return asked.order() == VertexOrder.AUTO ? defaults.order() : asked.order();
    }

    /** Whether a run asks for kernels over slice sets, or this policy for it. */
    public boolean asksForSliceSets(RunOptions asked) {
        Kernel kernel = asked.kernel().equals(Kernel.AUTO) ? defaults.kernel() : asked.kernel();
        return kernel.isOverSliceSets();
    }

    /**
     * The kernels that a run asks for, or this policy for it.
     *
     * @throws IllegalArgumentException if the run cannot be done with those that it asks for
     */
    public Kernel kernel(RunOptions asked, Run run) {
        if (!asked.kernel().suits(run)) {
            throw new IllegalArgumentException("kernel must be one of "
                    + Kernel.of(run)
                    + " for " + run + ": kernel=" + asked.kernel().keyword());
        }
        boolean open = asked.kernel().equals(Kernel.AUTO) && defaults.kernel().suits(run);
        return open ? defaults.kernel() : asked.kernel();
    }

    /** Device memory that Proxima may hold on a device. */
    public long budget(long totalBytes) {
        return (long) (totalBytes * memoryShare);
    }

    /** Bytes that the records of a graph may take where so many are free. */
    public long recordBytes(long freeBytes) {
        return (long) (freeBytes * recordsShare);
    }

    /** The most blocks that can be resident at once on any card: 2048 threads a multiprocessor. */
    public int mostBlocks(int multiprocessors) {
        return multiprocessors * (2048 / Math.min(blockThreads, 2048));
    }

    /** Whether the device pays for a run on a graph, under 'auto'. */
    public static boolean pays(GraphShape graph, Run run) {
        long size = graph.vertexCount() + graph.entryCount();
        return switch (run) {
            case BFS, NEAREST_SOURCE, COMPONENTS -> size >= SMALLEST_SEARCH;
            case MULTI_SOURCE_BFS, FARNESS -> size >= SMALLEST_MULTI_SOURCE;
        };
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.Kernel;
import io.proxima.backend.Operation;
import io.proxima.backend.RunOptions;
import io.proxima.backend.VertexOrder;

/**
 * The constants of a backend that are the same on all its devices.
 *
 * @param settings the settings of the program
 * @param stagingBytes size of each of the three page-locked buffers that copies go through
 * @param batchSources maximum number of sources of a multi-source search: 32, 64, 128 or 256
 * @param levelCapacity initial number of level counters for harmonic sums
 * @param runsBeforePreparing runs of a graph after which it is prepared for repeated use
 * @param leastShared number of pairs of a source and an edge or vertex from which on devices share a run
 * @param defaults the choices for runs that leave them to the backend
 */
public record LaunchPolicy(
        BackendSettings settings,
        int stagingBytes,
        int batchSources,
        int levelCapacity,
        int runsBeforePreparing,
        long leastShared,
        RunOptions defaults) {

    /** Threads of a block of kernels that leave them open. */
    public static final int BLOCK_THREADS = 256;

    /** The number of sources below which a smaller batch saves no memory. */
    public static final int SMALLEST_BATCH = 32;

    /** Below this much free device memory a device counts as full. */
    public static final long LEAST_FREE_BYTES = 256L << 20;

    /** Factor by which the number of level counters grows with each pass over uncounted levels. */
    public static final int LEVEL_CAPACITY_GROWTH = 4;

    /**
     * The passes over all sources that the levels of the wanted first window of harmonic sums may take. A run whose
     * window would be narrower is refused before it begins; a deeper graph takes more passes.
     */
    public static final int MOST_HARMONIC_PASSES = 8;

    /** How long the host polls for a kernel's end before it sleeps between polls, in nanoseconds. */
    static final long SPIN_NANOS = 1_000_000;

    static final long PAUSE_NANOS = 50_000;

    /**
     * How long a run may use the device before it is paused for waiting runs: long compared with the cost of a pause,
     * and short for those who wait.
     */
    static final long NANOS_OF_A_TURN = 20_000_000L;

    /**
     * Duration of a batch, in milliseconds, up to which the next one is queued behind it. A launch with another one
     * behind it cannot be paused, and for longer batches the gap between two launches is negligible.
     */
    public static final float MILLIS_OF_A_BATCH_IN_FLIGHT = 10;

    private static final int RUNS_BEFORE_PREPARING = 2;

    /** Share of the budget that several teams may take: one in this many. */
    private static final long TEAMS_SHARE = 4;

    /** Entries of one launch while a graph is prepared: about 10 ms, after which the stop is checked. */
    public static final long ENTRIES_A_LAUNCH = 1L << 26;

    /**
     * Number of pairs of a source and an edge or vertex from which on closeness uses several devices: about 0.1 s on an
     * H200 for a scale-free graph, more for others. Below, the copies to the other devices take as long as they save.
     */
    public static final long LEAST_SHARED_SUMS = 1L << 42;

    public LaunchPolicy {
        if (Integer.bitCount(batchSources) != 1 || batchSources < SMALLEST_BATCH || batchSources > 256) {
            throw new IllegalArgumentException("batchSources must be 32, 64, 128 or 256: " + batchSources);
        }
    }

    /** The default policy under these settings. */
    public static LaunchPolicy shipped(BackendSettings settings) {
        return new LaunchPolicy(settings, 16 << 20, 256, 64, RUNS_BEFORE_PREPARING, LEAST_SHARED_SUMS, RunOptions.AUTO);
    }

    /** The order that a run requests, or the default. */
    public VertexOrder order(RunOptions asked) {
        return asked.order() == VertexOrder.AUTO ? defaults.order() : asked.order();
    }

    /** Whether a run, or the default, requests kernels over slice sets. */
    public boolean asksForSliceSets(RunOptions asked) {
        Kernel kernel = asked.kernel().equals(Kernel.AUTO) ? defaults.kernel() : asked.kernel();
        return kernel.isOverSliceSets();
    }

    /**
     * The kernels that a run requests, or the default.
     *
     * @throws IllegalArgumentException if the requested kernels cannot do the run
     */
    public Kernel kernel(RunOptions asked, Operation operation) {
        if (!asked.kernel().suits(operation)) {
            throw new IllegalArgumentException("kernel must be one of "
                    + Kernel.of(operation)
                    + " for " + operation + ": kernel=" + asked.kernel().keyword());
        }
        boolean open = asked.kernel().equals(Kernel.AUTO) && defaults.kernel().suits(operation);
        return open ? defaults.kernel() : asked.kernel();
    }

    /** The maximum device memory of Proxima on a device, in bytes. */
    public long budget(long totalBytes) {
        return (long) (totalBytes * settings.deviceShare());
    }

    /** Device memory for the state of teams of blocks that search side by side, unless a single team takes more. */
    public long teamsBytes(long totalBytes) {
        return budget(totalBytes) / TEAMS_SHARE;
    }

    /** Maximum bytes for the ball records of a graph, given the free bytes. */
    public long recordBytes(long freeBytes) {
        return (long) (freeBytes * settings.recordsShare());
    }

    /** Maximum number of resident blocks on any device: 2048 threads on each multiprocessor. */
    public int mostBlocks(int multiprocessors) {
        return multiprocessors * (2048 / BLOCK_THREADS);
    }
}

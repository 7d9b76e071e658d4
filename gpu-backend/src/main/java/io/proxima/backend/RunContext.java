// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;

/**
 * The concurrency, stop, progress, observer and options of a run, and whether the graph was searched before.
 *
 * @param concurrency maximum CPU threads, at least 1
 * @param stop request to end early: the run then throws {@link io.proxima.concurrent.StoppedException} within 200 ms
 *     and leaves nothing allocated
 * @param progress receives the progress
 * @param observer receives the backend that 'auto' chose, and the order and kernels on a device
 * @param options the caller's choices
 * @param searched whether the graph was searched before, as in the estimate of the run; see
 *     {@link GraphShape}. It affects only speed and memory
 */
public record RunContext(
        int concurrency, Stop stop, Progress progress, RunObserver observer, RunOptions options, boolean searched) {

    /** Checks the concurrency. */
    public RunContext {
        if (concurrency < 1) {
            throw new IllegalArgumentException("concurrency must be at least 1: concurrency=" + concurrency);
        }
    }

    /** A run on a graph that was not searched yet. */
    public RunContext(int concurrency, Stop stop, Progress progress, RunObserver observer, RunOptions options) {
        this(concurrency, stop, progress, observer, options, false);
    }

    /** A run with default options on a backend that the caller knows. */
    public RunContext(int concurrency, Stop stop, Progress progress) {
        this(concurrency, stop, progress, RunObserver.NONE, RunOptions.AUTO);
    }

    /** A copy with other options. */
    public RunContext with(RunOptions other) {
        return new RunContext(concurrency, stop, progress, observer, other, searched);
    }

    /** A copy for one of several runs of a call; see {@link RunOptions#forRun}. */
    public RunContext forRun(Operation run) {
        return with(options.forRun(run));
    }

    /** A copy whose choices nobody sees. */
    public RunContext withoutObserver() {
        return new RunContext(concurrency, stop, progress, RunObserver.NONE, options, searched);
    }

    /** A copy with another progress. */
    public RunContext with(Progress other) {
        return new RunContext(concurrency, stop, other, observer, options, searched);
    }

    /** A copy whose progress nobody sees. */
    public RunContext withoutProgress() {
        return with(Progress.NONE);
    }

    /** A copy for a graph that was searched before. */
    public RunContext again() {
        return new RunContext(concurrency, stop, progress, observer, options, true);
    }

    /** A run without stop, progress and observer. */
    public static RunContext of(int concurrency) {
        return new RunContext(concurrency, Stop.NEVER, Progress.NONE);
    }
}

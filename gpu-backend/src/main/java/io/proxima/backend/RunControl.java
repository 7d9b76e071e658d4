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
package io.proxima.backend;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;

/**
 * How a run is driven.
 *
 * @param concurrency CPU threads it may use, at least 1
 * @param stop ends it early: the run then throws {@link io.proxima.concurrent.StoppedException} within 200 ms and leaves
 *     nothing allocated
 * @param progress is told how far it has come
 * @param observer is told by the backend that 'auto' selects where the run goes, and by a device how it is done
 * @param options what the caller has chosen of how it is done
 */
public record RunControl(int concurrency, Stop stop, Progress progress, RunObserver observer, RunOptions options) {

    /** Checks the concurrency. */
    public RunControl {
        if (concurrency < 1) {
            throw new IllegalArgumentException("concurrency must be at least 1: concurrency=" + concurrency);
        }
    }

    /** A run of which nothing is chosen. */
    public RunControl(int concurrency, Stop stop, Progress progress, RunObserver observer) {
        this(concurrency, stop, progress, observer, RunOptions.AUTO);
    }

    /** A run of which nothing is chosen, whose backend is known to the caller. */
    public RunControl(int concurrency, Stop stop, Progress progress) {
        this(concurrency, stop, progress, RunObserver.NONE);
    }

    /** The same run with other choices. */
    public RunControl with(RunOptions other) {
        return new RunControl(concurrency, stop, progress, observer, other);
    }

    /** A run that nobody stops or watches. */
    public static RunControl of(int concurrency) {
        return new RunControl(concurrency, Stop.NEVER, Progress.NONE);
    }
}

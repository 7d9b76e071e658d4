// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What runs tell their observer, in the order in which they do so. Thread-safe. */
public final class ToldRuns implements RunObserver {

    /** Lines such as "cuda:0: reason". */
    public final List<String> backends = new CopyOnWriteArrayList<>();

    /** Lines such as "natural balls: reason". */
    public final List<String> kernels = new CopyOnWriteArrayList<>();

    @Override
    public void runsOn(String backend, String reason) {
        backends.add(backend + ": " + reason);
    }

    @Override
    public void runsWith(String order, String kernel, String reason) {
        kernels.add(order + " " + kernel + ": " + reason);
    }

    /** A run that tells this observer, by two threads, in the order and by the kernels that its backend chooses. */
    public RunContext control() {
        return new RunContext(2, Stop.NEVER, Progress.NONE, this, RunOptions.AUTO);
    }
}

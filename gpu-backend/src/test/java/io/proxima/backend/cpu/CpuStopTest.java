// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.StopContract;
import io.proxima.backend.TraversalBackend;
import org.junit.jupiter.api.Tag;

/** Killed runs of the CPU backend, on graphs so large that a loop which does not hear the kill lasts for seconds. */
@Tag("full")
class CpuStopTest extends StopContract {

    private final TraversalBackend backend = new CpuBackend();

    @Override
    protected TraversalBackend backend() {
        return backend;
    }

    @Override
    protected int vertices() {
        return 300_000;
    }

    @Override
    protected int killsOfARun() {
        return 1;
    }
}

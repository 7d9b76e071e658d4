// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cpu;

import io.proxima.backend.ShortestPathsContract;
import io.proxima.backend.TraversalBackend;

/** Delta-stepping and searches from many sources keep the contract. */
class DeltaSteppingTest extends ShortestPathsContract {

    private final CpuBackend backend = new CpuBackend();

    @Override
    protected TraversalBackend backend() {
        return backend;
    }

    @Override
    protected boolean searchesFromMany() {
        return true;
    }
}

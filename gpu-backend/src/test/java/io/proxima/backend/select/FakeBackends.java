// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.select;

import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.cuda.CudaBackends;
import io.proxima.backend.select.TraversalBackends.Wanted;
import java.util.Map;

/** The backends of a server with fake devices. */
public final class FakeBackends {

    private FakeBackends() {}

    /** The CPU and these devices. */
    public static TraversalBackends of(CudaBackends devices) {
        return new TraversalBackends(Map.of(Wanted.CUDA, devices), new CpuBackend());
    }
}

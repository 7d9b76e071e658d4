// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackendContract;
import org.junit.jupiter.api.Test;

/** The CUDA backend keeps the contract on a real device, under the checking wrapper. */
@OnGpu
class CudaBackendTest extends TraversalBackendContract {

    @Override
    protected TraversalBackend backend() {
        return Gpu.backend();
    }

    @Test
    void shouldTellWhatTheDeviceIs() {
        var info = backend().info();
        assertThat(info.name()).startsWith("cuda:");
        assertThat(info.device()).isNotEmpty();
        assertThat(info.computeCapability()).matches("\\d+\\.\\d+");
        assertThat(info.driverVersion()).matches("\\d+\\.\\d+");
        assertThat(info.freeBytes()).isPositive();
    }
}

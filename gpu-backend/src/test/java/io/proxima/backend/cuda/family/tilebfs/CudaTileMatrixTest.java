// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.tilebfs;

import io.proxima.backend.cuda.CudaBackend;
import io.proxima.backend.cuda.Gpu;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Bitmask tiles on a real device, under the checking wrapper. */
@Tag("gpu")
class CudaTileMatrixTest extends TileMatrixContract {

    @BeforeAll
    static void requireADeviceForTheTests() {
        Gpu.backend();
    }

    @AfterAll
    static void shouldLeaveNothingAfterTheTests() {
        Gpu.release();
    }

    @Override
    protected CudaBackend backend() {
        return Gpu.backend();
    }
}

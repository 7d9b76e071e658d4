// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.family.nearfar;

import io.proxima.backend.ShortestPathsContract;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.cuda.Gpu;
import io.proxima.backend.cuda.OnGpu;

/** Weighted shortest paths keep the contract on a real device, under the checking wrapper. */
@OnGpu
class CudaShortestPathsTest extends ShortestPathsContract {

    @Override
    protected TraversalBackend backend() {
        return Gpu.backend();
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda.graph;

import io.proxima.backend.cuda.Gpu;
import io.proxima.backend.device.run.DeviceBackend;
import io.proxima.projection.EdgeList;
import io.proxima.projection.TestGraphs;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The kernels that prepare graphs, on a real device under the checking wrapper. */
@Tag("gpu")
class CudaPreparationTest extends DevicePreparationContract {

    @Override
    DeviceBackend backend() {
        return Gpu.backend();
    }

    @Override
    Map<String, EdgeList> graphs() {
        Map<String, EdgeList> graphs = super.graphs();
        // many blocks, columns of every length, rows of more than two radix digits
        graphs.put("larger R-MAT", TestGraphs.rmat(16, 8, 5));
        graphs.put("larger star", TestGraphs.star(100_000));
        return graphs;
    }

    @BeforeAll
    static void requireADeviceForTheTests() {
        Gpu.backend();
    }

    @AfterAll
    static void shouldLeaveNothingAfterTheTests() {
        Gpu.release();
    }
}

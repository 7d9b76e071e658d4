// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.GraphShape;
import io.proxima.backend.Kernel;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.MemoryEstimate;
import io.proxima.backend.Operation;
import io.proxima.backend.RunOptions;
import io.proxima.backend.VertexOrder;
import io.proxima.backend.Workload;
import io.proxima.backend.cuda.CudaBackends;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.projection.csc.Csc;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is estimated of graphs of 2^27 vertices and some 2^32 entries, as large as the benchmarks of GAP, which are
 * never made here: the numbers of entries are those of docs/benchmarks/large-graphs.md.
 */
class LargeGraphEstimateTest {

    private static final long H200_BYTES = 143_771L << 20;
    private static final int N = 1 << 27;
    private static final int SOURCES = 256;
    private static final int CONCURRENCY = 16;
    private static final int SHALLOW = 100;

    private static final long KRON27 = 4_223_297_610L;
    private static final long URAND27 = 4_294_966_740L;
    private static final long URAND27X18 = 4_831_837_536L;

    @ParameterizedTest
    @ValueSource(longs = {KRON27, URAND27, URAND27X18})
    void shouldFitAnH200WithOneSearch(long entries) {
        for (Kernel kernel : new Kernel[] {Kernel.of("directional"), Kernel.AUTO}) {
            MemoryEstimate estimate =
                    estimate(entries, new Workload(Operation.BFS, 1, LoadedGraph.NO_MAX_DEPTH), kernel);
            assertThat(estimate.fitsDevice()).as(estimate.device().render()).isTrue();
            // the lists as they come and as they are ordered, beside each other
            assertThat(estimate.device().maxBytes())
                    .isBetween(2 * Csc.bytes(N, entries), estimate.availableDeviceBytes());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {KRON27, URAND27, URAND27X18})
    void shouldFitAnH200With256SearchesAtOnceAndTheirDistances(long entries) {
        Workload work = new Workload(Operation.MULTI_SOURCE_BFS, SOURCES, SHALLOW);
        MemoryEstimate estimate = estimate(entries, work, Kernel.of("bit-parallel"));
        long distances = (long) SOURCES * N;
        long rows = 2L * SOURCES / Byte.SIZE * N;
        assertThat(estimate.fitsDevice()).isTrue();
        assertThat(estimate.device().maxBytes())
                .as(estimate.device().render())
                .isBetween(Csc.bytes(N, entries) + distances + rows, estimate.availableDeviceBytes());
        // the distances, and at most the order of the nodes beside them
        assertThat(estimate.heapBytes()).isBetween(distances, distances + 8L * Integer.BYTES * N);
    }

    private static MemoryEstimate estimate(long entries, Workload work, Kernel kernel) {
        FakeDriver driver = FakeDriver.hopper(H200_BYTES);
        LaunchPolicy shipped = LaunchPolicy.shipped(BackendSettings.DEFAULTS);
        try (CudaBackends backends = FakeDevices.backends(driver, shipped)) {
            return backends.choose()
                    .backend()
                    .estimate(
                            new GraphShape(N, entries, true),
                            work.with(new RunOptions(VertexOrder.DEGREE, kernel)),
                            CONCURRENCY);
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.LoadedGraph;
import io.proxima.backend.RunControl;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackendContract;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.StoppedException;
import io.proxima.projection.Csc;
import io.proxima.projection.Orientation;
import io.proxima.projection.TestGraphs;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.AfterContainer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The CUDA backend keeps the contract on a real device, under the checking wrapper. */
@Tag("gpu")
@net.jqwik.api.Tag("gpu")
@AddLifecycleHook(Gpu.SkipProperties.class)
class CudaBackendTest extends TraversalBackendContract {

    @Override
    protected TraversalBackend backend() {
        return Gpu.backend();
    }

    @BeforeAll
    static void requireADeviceForTheTests() {
        Gpu.backend();
    }

    @AfterAll
    static void shouldLeaveNothingAfterTheTests() {
        Gpu.release();
    }

    @AfterContainer
    static void shouldLeaveNothingAfterTheProperties() {
        Gpu.release();
    }

    @Test
    void shouldTellWhatTheDeviceIs() {
        var info = backend().info();
        assertThat(info.name()).startsWith("cuda:");
        assertThat(info.available()).isTrue();
        assertThat(info.reason()).isEmpty();
        assertThat(info.device()).isNotEmpty();
        assertThat(info.computeCapability()).matches("\\d+\\.\\d+");
        assertThat(info.driverVersion()).matches("\\d+\\.\\d+");
        assertThat(info.freeBytes()).isBetween(1L, info.totalBytes());
    }

    /** A path of so many vertices takes seconds, so a run that ends by itself before the stop is not what is seen. */
    @Test
    void shouldStopInsideAKernel() {
        Csc csc = TestGraphs.path(4_000_000).toCsc(Orientation.NATURAL, 4, Stop.NEVER);
        try (LoadedGraph loaded = backend().load(csc)) {
            loaded.prepare(RunControl.of(4));
            long begin = System.nanoTime();
            Stop stop = () -> System.nanoTime() - begin > 100_000_000;
            RunControl control = new RunControl(1, stop, Progress.NONE);
            assertThatThrownBy(() -> loaded.bfs(0, LoadedGraph.NO_MAX_DEPTH, new int[0], control))
                    .isInstanceOf(StoppedException.class);
        }
    }
}

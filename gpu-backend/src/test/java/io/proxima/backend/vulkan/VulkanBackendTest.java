// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.KernelLimitException;
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

/** The Vulkan backend keeps the contract on a device of this host, for all that it offers. */
@Tag("vulkan")
@net.jqwik.api.Tag("vulkan")
@AddLifecycleHook(VulkanDevices.SkipProperties.class)
class VulkanBackendTest extends TraversalBackendContract {

    @Override
    protected TraversalBackend backend() {
        return VulkanDevices.backend();
    }

    /** A device that computes on the CPU takes a millisecond for a level. */
    @Override
    protected boolean onlySmall() {
        return VulkanDevices.isSoftware();
    }

    @Override
    protected int longestPath() {
        return onlySmall() ? 1000 : super.longestPath();
    }

    @Override
    protected boolean offers(TraversalBackend.Operation operation) {
        return operation != TraversalBackend.Operation.BETWEENNESS
                && operation != TraversalBackend.Operation.SHORTEST_PATHS;
    }

    @BeforeAll
    static void requireADeviceForTheTests() {
        VulkanDevices.backend();
    }

    @AfterAll
    static void shouldLeaveNothingAfterTheTests() {
        VulkanDevices.release();
    }

    @AfterContainer
    static void shouldLeaveNothingAfterTheProperties() {
        VulkanDevices.release();
    }

    @Test
    void shouldReportTheDevice() {
        var info = backend().info();
        assertThat(info.name()).startsWith("vulkan:");
        assertThat(info.available()).isTrue();
        assertThat(info.reason()).isEmpty();
        assertThat(info.device()).isNotEmpty();
        assertThat(info.driverVersion()).contains("Vulkan 1.");
        assertThat(info.freeBytes()).isBetween(1L, info.totalBytes());
    }

    @Test
    void shouldRefuseBetweenness() {
        Csc csc = TestGraphs.path(4).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        try (LoadedGraph loaded = backend().load(csc)) {
            assertThatThrownBy(() -> loaded.betweenness(null, RunControl.of(1)))
                    .isInstanceOf(KernelLimitException.class)
                    .hasMessage("The device has no kernels for betweenness. Use backend: 'auto' or 'cpu'.");
        }
    }

    /** A path of so many vertices takes seconds, so a run that ends by itself before the stop is not what is seen. */
    @Test
    void shouldStopBetweenSubmissions() {
        Csc csc = TestGraphs.path(onlySmall() ? 400_000 : 4_000_000).toCsc(Orientation.NATURAL, 2, Stop.NEVER);
        try (LoadedGraph loaded = backend().load(csc)) {
            loaded.prepare(RunControl.of(2));
            long begin = System.nanoTime();
            Stop stop = () -> System.nanoTime() - begin > 100_000_000;
            RunControl control = new RunControl(1, stop, Progress.NONE);
            assertThatThrownBy(() -> loaded.bfs(0, LoadedGraph.NO_MAX_DEPTH, new int[0], control))
                    .isInstanceOf(StoppedException.class);
        }
    }
}

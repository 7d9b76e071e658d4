// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceUse;
import io.proxima.backend.LoadedGraph;
import io.proxima.backend.Operation;
import io.proxima.backend.RandomKill;
import io.proxima.backend.Residences;
import io.proxima.backend.RunContext;
import io.proxima.backend.Runs;
import io.proxima.backend.TextbookChecks;
import io.proxima.backend.Workload;
import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.DeviceFacts;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.run.DeviceBackend;
import io.proxima.backend.vulkan.driver.ValidatedProbe;
import io.proxima.concurrent.Progress;
import io.proxima.concurrent.Stop;
import io.proxima.projection.TestGraphs;
import io.proxima.projection.csc.Csc;
import io.proxima.projection.csc.Orientation;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs on a Vulkan device that are killed, lose the device, or find its memory full. */
@Tag("vulkan")
@ExtendWith(VulkanDevices.DeviceTests.class)
class VulkanFaultTest {

    private static final RunContext CONTROL = RunContext.of(1);

    private final Csc grid = TestGraphs.grid(60, 50).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);

    /** The path takes a search seconds, so that none ends before it is killed. */
    @Test
    void shouldEndSoonWhenKilled() {
        Csc path = TestGraphs.path(VulkanDevices.isSoftware() ? 400_000 : 4_000_000)
                .toCsc(Orientation.NATURAL, 2, Stop.NEVER);
        Random random = new Random(1);
        try (LoadedGraph graph = VulkanDevices.backend().load(path)) {
            // the first search makes its pipelines, which nothing can stop
            graph.bfs(0, 0, new int[0], CONTROL);
            for (int kill = 0; kill < 4; kill++) {
                assertThat(RandomKill.of(random).stops("a search", stop -> search(graph, stop)))
                        .isTrue();
            }
        }
    }

    private static void search(LoadedGraph graph, Stop stop) {
        graph.bfs(0, LoadedGraph.NO_MAX_DEPTH, new int[0], new RunContext(1, stop, Progress.NONE));
    }

    @Test
    void shouldOpenALostDeviceAgain() {
        AtomicBoolean fails = new AtomicBoolean(true);
        try (VulkanBackends backends = VulkanDevices.backends(
                LaunchPolicy.shipped(VulkanDevices.SETTINGS),
                driver -> ValidatedProbe.losing(driver, () -> fails.getAndSet(false)))) {
            try (LoadedGraph graph = backends.choose().backend().load(grid)) {
                assertThatThrownBy(() -> search(graph, Stop.NEVER))
                        .isInstanceOf(DeviceFailureException.class)
                        .hasMessageContaining("VK_ERROR_DEVICE_LOST");
            }
            try (LoadedGraph graph = backends.choose().backend().load(grid)) {
                TextbookChecks.checkLevels(grid, graph, 0, LoadedGraph.NO_MAX_DEPTH, CONTROL);
            }
        }
    }

    /** Each call of a function fails once. Its caller may be repeated, because there is an idle graph to evict. */
    @ParameterizedTest
    @ValueSource(strings = {"vkQueueSubmit", "vkCreatePipelineLayout", "vkCreateComputePipelines"})
    void shouldAnswerOrFailIfMemoryIsShort(String function) throws ReflectiveOperationException {
        Csc small = TestGraphs.grid(9, 7).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        AtomicInteger left = new AtomicInteger(-1);
        for (int calls = 0; left.get() < 0; calls++) {
            DeviceDriver[] driver = new DeviceDriver[1];
            try (VulkanBackends backends = VulkanDevices.backends(
                            withoutPreparing(VulkanDevices.SETTINGS), opened -> driver[0] = opened);
                    LoadedGraph idle = backends.choose().backend().load(grid);
                    LoadedGraph graph = backends.choose().backend().load(small)) {
                Runs.prepare(idle, CONTROL);
                Runs.prepare(graph, new Workload(Operation.FARNESS, 1, LoadedGraph.NO_MAX_DEPTH), CONTROL);
                left = ValidatedProbe.failing(driver[0], function, calls);
                try {
                    Runs.check(Operation.FARNESS, small, graph, new int[0], CONTROL);
                } catch (DeviceFailureException e) {
                    assertThat(e).hasMessageContaining(function);
                }
                if (left.get() < 0) {
                    // the next run succeeds
                    Runs.check(Operation.FARNESS, small, graph, new int[0], CONTROL);
                }
            }
        }
    }

    @Test
    void shouldFindAnyNumberOfDevices() throws ReflectiveOperationException {
        DeviceDriver[] driver = new DeviceDriver[1];
        try (VulkanBackends backends =
                VulkanDevices.backends(LaunchPolicy.shipped(VulkanDevices.SETTINGS), opened -> driver[0] = opened)) {
            DeviceFacts one =
                    ((DeviceBackend) backends.choose().backend()).device().facts();
            assertThat(ValidatedProbe.facts(driver[0], 100)).hasSize(100).containsOnly(one);
        }
    }

    @Test
    void shouldFreeMemoryWithWorkOnIt() {
        DeviceDriver[] driver = new DeviceDriver[1];
        try (VulkanBackends backends = VulkanDevices.backends(
                        LaunchPolicy.shipped(VulkanDevices.SETTINGS), opened -> driver[0] = opened);
                LoadedGraph graph = backends.choose().backend().load(grid)) {
            long address = driver[0].allocate(grid.entryCount());
            driver[0].fill(address, (byte) 1, grid.entryCount() / Integer.BYTES * Integer.BYTES);
            driver[0].free(address);
            TextbookChecks.checkLevels(grid, graph, 0, LoadedGraph.NO_MAX_DEPTH, CONTROL);
        }
    }

    @Test
    void shouldEvictAGraphThatNobodyUses() {
        Csc other = TestGraphs.grid(50, 60).toCsc(Orientation.UNDIRECTED, 1, Stop.NEVER);
        long total = VulkanDevices.backend().info().totalBytes();
        // one of the graphs fits beside its workspace, two do not
        LaunchPolicy policy = withoutPreparing(VulkanDevices.SETTINGS.withShares(1.75 * graphBytes() / total, 0, 0));
        try (VulkanBackends backends = VulkanDevices.backends(policy, UnaryOperator.identity());
                LoadedGraph first = backends.choose().backend().load(grid);
                LoadedGraph second = backends.choose().backend().load(other)) {
            for (int round = 0; round < 2; round++) {
                TextbookChecks.checkLevels(grid, first, 0, LoadedGraph.NO_MAX_DEPTH, CONTROL);
                TextbookChecks.checkLevels(other, second, 1, LoadedGraph.NO_MAX_DEPTH, CONTROL);
            }
            assertThat(backends.use())
                    .singleElement()
                    .extracting(DeviceUse::evictions)
                    .isEqualTo(3L);
        }
    }

    private long graphBytes() {
        try (LoadedGraph graph = VulkanDevices.backend().load(grid)) {
            Runs.prepare(graph, CONTROL);
            return Residences.bytes(graph);
        }
    }

    /** Without work in the background, which calls the driver too. */
    private static LaunchPolicy withoutPreparing(BackendSettings settings) {
        LaunchPolicy shipped = LaunchPolicy.shipped(settings);
        return new LaunchPolicy(
                settings,
                shipped.stagingBytes(),
                shipped.batchSources(),
                shipped.levelCapacity(),
                Integer.MAX_VALUE,
                shipped.leastShared(),
                shipped.defaults());
    }
}

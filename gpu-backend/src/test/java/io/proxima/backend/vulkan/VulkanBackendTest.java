// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import io.proxima.backend.DistanceMeasure;
import io.proxima.backend.Operation;
import io.proxima.backend.SmallGraph;
import io.proxima.backend.TraversalBackend;
import io.proxima.backend.TraversalBackendContract;
import io.proxima.projection.csc.Orientation;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The Vulkan backend keeps the contract on a device of this host, for all that it offers. */
@Tag("vulkan")
@ExtendWith(VulkanDevices.DeviceTests.class)
@net.jqwik.api.Tag("vulkan")
@AddLifecycleHook(VulkanDevices.DeviceTests.class)
class VulkanBackendTest extends TraversalBackendContract {

    @Override
    protected TraversalBackend backend() {
        return VulkanDevices.backend();
    }

    @Override
    protected boolean onlySmall() {
        return VulkanDevices.isSoftware();
    }

    @Override
    protected boolean isSlow() {
        return VulkanDevices.isSoftware();
    }

    /** Few, for the devices that are slow. */
    @Override
    @Property(tries = 50)
    protected void shouldFindWhatATextbookFindsOnRandomGraphs(
            @ForAll("smallGraphs") SmallGraph graph,
            @ForAll Orientation orientation,
            @ForAll @IntRange(min = 1, max = 3) int concurrency,
            @ForAll @IntRange(max = 27) int pageShift,
            @ForAll Set<DistanceMeasure> measures) {
        super.shouldFindWhatATextbookFindsOnRandomGraphs(graph, orientation, concurrency, pageShift, measures);
    }

    @Override
    protected boolean offers(Operation operation) {
        return operation != Operation.BETWEENNESS && !operation.readsWeights();
    }

    @Test
    void shouldReportTheDevice() {
        var info = backend().info();
        assertThat(info.name()).startsWith("vulkan:");
        assertThat(info.device()).isNotEmpty();
        assertThat(info.driverVersion()).contains("Vulkan 1.");
        assertThat(info.freeBytes()).isPositive();
    }
}

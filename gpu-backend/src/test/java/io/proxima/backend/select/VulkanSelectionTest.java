// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.BackendInfo;
import io.proxima.backend.BackendSettings;
import io.proxima.backend.BackendUnavailableException;
import io.proxima.backend.GraphShape;
import io.proxima.backend.Operation;
import io.proxima.backend.cpu.CpuBackend;
import io.proxima.backend.cuda.FakeDevices;
import io.proxima.backend.cuda.fake.FakeDriver;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.run.DeviceBackends;
import io.proxima.backend.select.TraversalBackends.Selection;
import io.proxima.backend.select.TraversalBackends.Wanted;
import io.proxima.backend.vulkan.FakeVulkan;
import io.proxima.backend.vulkan.VulkanBackends;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Vulkan devices beside CUDA devices and the CPU. */
class VulkanSelectionTest {

    private final DeviceBackends cuda = FakeDevices.backends(FakeDriver.hopper(FakeDevices.PLENTY));
    private final DeviceBackends noCuda = FakeDevices.backends(FakeDriver.hoppers(0, FakeDevices.PLENTY));
    private final VulkanBackends vulkan = FakeVulkan.backends(FakeDriver.hopper(FakeDevices.PLENTY));
    private final VulkanBackends noVulkan = FakeVulkan.none("There is no loader.");

    @AfterEach
    void close() {
        List.of(cuda, noCuda, vulkan, noVulkan).forEach(DeviceBackends::close);
    }

    @Test
    void shouldPreferCudaUnderAuto() {
        assertThat(select(Wanted.AUTO, cuda, vulkan).reason())
                .isEqualTo("cuda:0 is available; small graphs run on the CPU.");
        assertThat(select(Wanted.VULKAN, cuda, vulkan).backend().info().name()).isEqualTo("vulkan:0");
    }

    @Test
    void shouldTakeVulkanUnderAutoIfThereIsNoCudaDevice() {
        assertThat(select(Wanted.AUTO, noCuda, vulkan).reason())
                .isEqualTo("vulkan:0 is available; small graphs run on the CPU.");
    }

    @Test
    void shouldGiveTheReasonsOfBothUnderAuto() {
        Selection selection = select(Wanted.AUTO, noCuda, noVulkan);
        assertThat(selection.backend().info().name()).isEqualTo("cpu");
        assertThat(selection.remedy()).isEqualTo(noCuda.choose().reason() + " There is no loader.");
        assertThat(selection.reason()).isEqualTo("No GPU can be used; proxima.backend.list has the reason.");
        assertThatThrownBy(() -> select(Wanted.VULKAN, cuda, noVulkan))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessage("The Vulkan backend cannot run. There is no loader.");
    }

    @Test
    void shouldSelectADeviceByNameButNoneOfEachDriver() {
        TraversalBackends both = backends(cuda, vulkan);
        assertThat(both.selectDevices(List.of("vulkan:0")).backend().info().name())
                .isEqualTo("vulkan:0");
        assertThatThrownBy(() -> both.selectDevices(List.of("cuda:0", "vulkan:0")))
                .hasMessageEndingWith("There is no device 'vulkan:0'. The devices are [cuda:0].");
        assertThatThrownBy(() -> both.selectDevices(List.of("vulkan:1")))
                .hasMessageEndingWith("There is no device 'vulkan:1'. The devices are [vulkan:0].");
    }

    @Test
    void shouldNotLoadVulkanForAListIfCudaCanBeUsed() {
        assertThat(backends(cuda, vulkan).list())
                .extracting(BackendInfo::name)
                .containsExactly("cpu", "cuda:0", "vulkan");
        assertThat(vulkan.isDetected()).isFalse();
        select(Wanted.VULKAN, cuda, vulkan);
        assertThat(backends(cuda, vulkan).list())
                .extracting(BackendInfo::name)
                .containsExactly("cpu", "cuda:0", "vulkan:0");
        assertThat(backends(noCuda, noVulkan).list())
                .extracting(BackendInfo::available)
                .containsExactly(true, false, false);
    }

    @Test
    void shouldListADeviceThatIsLeftOut() {
        VulkanBackends vulkan = VulkanBackends.ofThisHost(BackendSettings.DEFAULTS, MappedBudget.none());
        BackendInfo row = vulkan.list().get(0);
        assertThat(row.name()).isEqualTo("vulkan");
        assertThat(row.available()).isFalse();
        assertThat(row.reason())
                .isEqualTo(
                        "The setting server.proxima.vulkan.enabled is false. Set it to true and restart the server. Or"
                                + " use backend: 'cpu'.");
        VulkanBackends another = VulkanBackends.ofThisHost(BackendSettings.DEFAULTS, MappedBudget.none());
        assertThat(backends(cuda, another).list()).contains(row);
        assertThat(select(Wanted.AUTO, noCuda, vulkan).backend().info().name()).isEqualTo("cpu");
        assertThat(select(Wanted.AUTO, noCuda, vulkan).remedy())
                .isEqualTo(noCuda.choose().reason());
    }

    @Test
    void shouldLeaveToTheCpuWhatHasNoKernels() {
        GraphShape large = new GraphShape(1 << 20, 1L << 26, true);
        VulkanBackends vulkan = VulkanBackends.ofThisHost(BackendSettings.DEFAULTS, MappedBudget.none());
        assertThat(vulkan.pays(large, Operation.FARNESS, true)).isTrue();
        assertThat(vulkan.pays(large, Operation.BETWEENNESS, true)).isFalse();
        assertThat(vulkan.pays(large, Operation.SHORTEST_PATHS, true)).isFalse();
        assertThat(vulkan.pays(large, Operation.COST_SUMS, true)).isFalse();
    }

    private static Selection select(Wanted wanted, DeviceBackends cuda, DeviceBackends vulkan) {
        return backends(cuda, vulkan).select(wanted);
    }

    private static TraversalBackends backends(DeviceBackends cuda, DeviceBackends vulkan) {
        Map<Wanted, DeviceBackends> gpus = new LinkedHashMap<>();
        gpus.put(Wanted.CUDA, cuda);
        gpus.put(Wanted.VULKAN, vulkan);
        return new TraversalBackends(gpus, new CpuBackend());
    }
}

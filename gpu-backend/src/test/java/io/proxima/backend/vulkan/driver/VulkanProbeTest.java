// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.proxima.backend.device.DeviceFacts;
import io.proxima.backend.device.run.DeviceProbe;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.lwjgl.vulkan.VK10;

/** What is reported of a host's Vulkan devices, and of a driver's errors. */
class VulkanProbeTest {

    @Test
    void shouldFindADeviceThatHasEverything() {
        DeviceProbe probe = VulkanProbe.of(List.of(found(false, "")));
        assertThat(probe.reason()).isEmpty();
        assertThat(probe.devices()).singleElement().satisfies(device -> {
            assertThat(device.reason()).isEmpty();
            assertThat(device.facts().name()).isEqualTo("A GPU");
            assertThat(device.driverVersion()).isEqualTo("a driver");
        });
        assertThat(VulkanDriver.groupThreads(384, 512)).isEqualTo(256);
    }

    @Test
    void shouldSayWhatADeviceLacks() {
        assertThat(reason(found(false, "8-bit storage, timeline semaphores")))
                .isEqualTo(
                        "The device lacks what the kernels need: 8-bit storage, timeline semaphores. Update its driver,"
                                + " or use backend: 'cpu'.");
    }

    @Test
    void shouldLeaveOutADeviceThatComputesOnTheCpu() {
        String before = System.getProperty(VulkanProbe.SOFTWARE_PROPERTY, "false");
        try {
            System.setProperty(VulkanProbe.SOFTWARE_PROPERTY, "false");
            assertThat(reason(found(true, "")))
                    .isEqualTo("The device is no GPU: its driver computes on the CPU. Use backend: 'cpu', which is"
                            + " faster.");
            System.setProperty(VulkanProbe.SOFTWARE_PROPERTY, "true");
            assertThat(reason(found(true, ""))).isEmpty();
        } finally {
            System.setProperty(VulkanProbe.SOFTWARE_PROPERTY, before);
        }
    }

    @Test
    void shouldSayWhatToDoWithoutADevice() {
        assertThat(VulkanProbe.of(List.of()).reason())
                .isEqualTo(
                        "The Vulkan loader reports no device. Install the GPU's Vulkan driver; in a container, give it"
                                + " access to the GPU. Or use backend: 'cpu'.");
    }

    @Test
    void shouldLoseTheDeviceByEveryErrorButAShortageOfMemory() {
        VulkanException lost = new VulkanException("vkQueueSubmit", VK10.VK_ERROR_DEVICE_LOST);
        assertThat(lost).hasMessage("The Vulkan driver reported VK_ERROR_DEVICE_LOST (-4) in vkQueueSubmit.");
        assertThat(lost.isSticky()).isTrue();
        assertThat(lost.isOutOfMemory()).isFalse();
        VulkanException full = new VulkanException("vkAllocateMemory", VK10.VK_ERROR_OUT_OF_DEVICE_MEMORY);
        assertThat(full.isSticky()).isFalse();
        assertThat(full.isOutOfMemory()).isTrue();
        // what was recorded is lost with it
        assertThatThrownBy(() -> VulkanException.checkOnce("vkEndCommandBuffer", VK10.VK_ERROR_OUT_OF_DEVICE_MEMORY))
                .hasFieldOrPropertyWithValue("sticky", true);
    }

    private static String reason(VulkanHost.Found found) {
        return VulkanProbe.of(List.of(found)).devices().get(0).reason();
    }

    private static VulkanHost.Found found(boolean software, String lacks) {
        DeviceFacts facts = new DeviceFacts("A GPU", 1, 3, 4, false, 32 << 10, 1L << 30);
        return new VulkanHost.Found(null, facts, "a driver", software, lacks, Set.of());
    }
}

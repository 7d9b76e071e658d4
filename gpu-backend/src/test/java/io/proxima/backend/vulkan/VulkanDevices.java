// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.proxima.backend.BackendSettings;
import io.proxima.backend.cuda.fake.CheckedDriver;
import io.proxima.backend.device.DeviceDriver;
import io.proxima.backend.device.LaunchPolicy;
import io.proxima.backend.device.MappedBudget;
import io.proxima.backend.device.run.DeviceBackend;
import io.proxima.backend.device.run.DeviceBackends;
import io.proxima.backend.device.run.DeviceProbe;
import io.proxima.backend.vulkan.driver.ValidatedProbe;
import java.util.function.UnaryOperator;
import net.jqwik.api.lifecycle.AfterContainerHook;
import net.jqwik.api.lifecycle.ContainerLifecycleContext;
import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.SkipExecutionHook;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The Vulkan device of this host for tests. Without one the tests are skipped. If {@code vulkan.required} is set, they
 * fail, but a device that computes on the CPU will do.
 */
final class VulkanDevices {

    private static final DeviceProbe PROBE = ValidatedProbe.ofThisHost();
    static final BackendSettings SETTINGS = BackendSettings.DEFAULTS.withVulkan(true);
    private static final VulkanBackends BACKENDS = backends(LaunchPolicy.shipped(SETTINGS), UnaryOperator.identity());

    private VulkanDevices() {}

    static DeviceBackend backend() {
        DeviceBackends.Choice choice = BACKENDS.choose();
        if (choice.backend() == null && required()) {
            fail("A Vulkan device is required: " + choice.reason());
        }
        assumeTrue(choice.backend() != null, choice.reason());
        return (DeviceBackend) choice.backend();
    }

    /** Backends of the same devices, with a driver around theirs, under the checking wrapper. */
    static VulkanBackends backends(LaunchPolicy policy, UnaryOperator<DeviceDriver> around) {
        DeviceProbe checked = CheckedDriver.around(PROBE, driver -> new CheckedDriver(around.apply(driver)));
        return new VulkanBackends(() -> checked, policy, MappedBudget.none());
    }

    static boolean isSoftware() {
        return backend().info().device().startsWith("llvmpipe");
    }

    private static boolean required() {
        return Boolean.getBoolean("vulkan.required");
    }

    /**
     * Skips tests and properties without a device, or fails them if one is required, and releases the device after
     * them.
     */
    static final class DeviceTests
            implements BeforeAllCallback, AfterAllCallback, SkipExecutionHook, AfterContainerHook {
        @Override
        public void beforeAll(ExtensionContext context) {
            backend();
        }

        @Override
        public SkipResult shouldBeSkipped(LifecycleContext context) {
            DeviceBackends.Choice choice = BACKENDS.choose();
            return choice.backend() == null && !required() ? SkipResult.skip(choice.reason()) : SkipResult.doNotSkip();
        }

        @Override
        public void afterAll(ExtensionContext context) {
            release();
        }

        @Override
        public void afterContainer(ContainerLifecycleContext context) {
            release();
        }
    }

    /** Releases the device. Anything that the validation layer has found fails. */
    private static void release() {
        BACKENDS.close();
        assertThat(ValidatedProbe.errors()).isEmpty();
    }
}

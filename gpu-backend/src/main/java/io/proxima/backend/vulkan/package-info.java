// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Traversal on GPUs of any vendor with a Vulkan driver, on the floor of {@code backend.device}: single searches, many
 * searches, sums and components. {@link io.proxima.backend.vulkan.VulkanBackends} is the entry point, {@code driver}
 * has the Vulkan driver and the compiled kernels, whose sources are in {@code src/main/vulkan}.
 */
package io.proxima.backend.vulkan;

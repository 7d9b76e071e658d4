// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/** Vulkan through LWJGL: the devices of a host, the driver of one device, and the compiled kernels of this jar. */
package io.proxima.backend.vulkan.driver;

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The floor of the backends of devices, without a vendor. {@link io.proxima.backend.device.DeviceDriver} is what a
 * backend implements. {@link io.proxima.backend.device.Device} is one device in use: its leases and their queue, its
 * memory and the eviction of idle structures, launches and copies. The packages below depend on each other in one
 * direction, from the last to the first, and all on this one:
 *
 * <ol>
 *   <li>{@code graph}: the device structures of a graph: how they are built, pinned and evicted.
 *   <li>{@code kernel}: the interfaces of kernels, which families implement, and the registry of families.
 *   <li>{@code run}: the backend of a device, the choice of kernels, runs and their estimates.
 * </ol>
 */
package io.proxima.backend.device;

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Traversal on NVIDIA GPUs. The packages below depend on each other in one direction, from the last to the first:
 *
 * <ol>
 *   <li>{@code driver}: the calls of the CUDA driver that Proxima uses.
 *   <li>{@code device}: one GPU: its leases and its memory.
 *   <li>{@code graph}: the device structures of a graph: how they are built, pinned and evicted.
 *   <li>{@code kernel}: the interfaces of kernels, and the registry of kernel families.
 *   <li>{@code family}: one package per kernel family, with its structures. No family depends on another.
 *   <li>{@code choice}: the choice of kernels for a run, and the preparation of graphs for repeated use.
 *   <li>{@code run}: the runs, from the call to arrays on the heap, on one device or on several.
 *   <li>{@code estimate}: the memory of a run before it begins.
 * </ol>
 *
 * This package has the entry points: {@link io.proxima.backend.cuda.CudaBackends} finds the devices of a host, and
 * {@link io.proxima.backend.device.run.DeviceBackend} is one of them. Only they are used from outside. {@code DeviceGroup} is several
 * of them together.
 */
package io.proxima.backend.cuda;

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Traversal on NVIDIA GPUs, on the floor of {@code backend.device}. The packages below depend on each other in one
 * direction, from the last to the first:
 *
 * <ol>
 *   <li>{@code driver}: the CUDA driver, and the compiled kernels of this jar.
 *   <li>{@code graph}: the device structures that several families read and that kernels build.
 *   <li>{@code family}: one package per kernel family, with its structures. No family depends on another.
 * </ol>
 *
 * This package has the entry point, {@link io.proxima.backend.cuda.CudaBackends}, which finds the devices of a host.
 * {@link io.proxima.backend.cuda.CudaKernels} registers the families and has the table of 'auto'.
 */
package io.proxima.backend.cuda;

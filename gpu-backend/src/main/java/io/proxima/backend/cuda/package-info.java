/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
/**
 * Traversal on NVIDIA GPUs. The packages below depend on each other in one direction, from the last to the first:
 *
 * <ol>
 *   <li>{@code driver}: what Proxima calls of the CUDA driver.
 *   <li>{@code device}: one GPU, who may use it, its memory, and the tuning numbers of its kernels.
 *   <li>{@code graph}: the structures of a graph that lie on a device, how they are made, and how long they stay.
 *   <li>{@code kernel}: what kernels are to the rest of the backend, and the registry of their families.
 *   <li>{@code family}: one package a family of kernels, with its structures. No family depends on another.
 *   <li>{@code choice}: which kernels and which order a run takes.
 *   <li>{@code run}: the runs.
 *   <li>{@code estimate} and {@code calibration}: what their names say.
 * </ol>
 *
 * This package has the entry points: {@link io.proxima.backend.cuda.CudaBackends} finds the devices of a host, and
 * {@link io.proxima.backend.cuda.CudaBackend} is one of them. Only they are used from outside.
 */
package io.proxima.backend.cuda;

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
package io.proxima.backend;

/**
 * A row of {@code proxima.backend.list}.
 *
 * @param name "cpu", "cuda:0", …
 * @param available whether it can run
 * @param reason why it is not available and what to do about it; empty when available
 * @param device the name of the hardware
 * @param computeCapability the compute capability of an NVIDIA device, such as "9.0"; empty otherwise
 * @param totalBytes usable memory: heap for the CPU, device memory for a GPU
 * @param freeBytes free part of {@code totalBytes}
 * @param driverVersion the version of the device's driver; empty for the CPU
 */
public record BackendInfo(
        String name,
        boolean available,
        String reason,
        String device,
        String computeCapability,
        long totalBytes,
        long freeBytes,
        String driverVersion) {}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

/**
 * A row of {@code proxima.backend.list}.
 *
 * @param name {@link #CPU}, "cuda:0", …
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
        String driverVersion) {

    /** The name of the backend that runs on the host, in lists and configurations. */
    public static final String CPU = "cpu";

    /** The row of a backend that cannot be used, because it has no device. */
    public static BackendInfo unavailable(String name, String reason, String driverVersion) {
        return new BackendInfo(name, false, reason, "", "", 0, 0, driverVersion);
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

/**
 * A device's attributes.
 *
 * @param name the hardware's own name
 * @param major version of the interface that code is compiled for, in the vendor's count
 * @param minor the same
 * @param multiprocessors number of processors, each of which holds whole blocks
 * @param cooperativeLaunch whether the blocks of a grid can synchronize with each other
 * @param sharedBytesPerBlock maximum shared memory of a block, static and dynamic together, in bytes
 * @param totalBytes device memory, in bytes
 */
public record DeviceFacts(
        String name,
        int major,
        int minor,
        int multiprocessors,
        boolean cooperativeLaunch,
        int sharedBytesPerBlock,
        long totalBytes) {

    /** The version of the interface, as in "9.0". */
    public String version() {
        return major + "." + minor;
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

/**
 * A device has too little memory for a run, even after everything idle was evicted. The message states the figures and
 * the remedy.
 */
public final class DeviceMemoryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long missingBytes;

    /** Creates the exception for work that no amount of free memory would help. */
    public DeviceMemoryException(String message) {
        this(message, 0);
    }

    /**
     * Creates the exception.
     *
     * @param missingBytes as {@link #missingBytes}
     */
    public DeviceMemoryException(String message, long missingBytes) {
        super(message);
        this.missingBytes = missingBytes;
    }

    /** The device memory that the failed allocation lacked, in bytes; 0 if that is unknown. */
    public long missingBytes() {
        return missingBytes;
    }
}

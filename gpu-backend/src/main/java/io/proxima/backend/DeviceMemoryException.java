// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

/**
 * A device has too little memory for a run, even after everything idle was evicted. The message states the figures and
 * the remedy.
 */
public final class DeviceMemoryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public DeviceMemoryException(String message) {
        super(message);
    }
}

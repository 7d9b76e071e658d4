// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

/** A device or its driver failed. The message names the call and the driver's code. The run leaves nothing behind. */
public class DeviceFailureException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public DeviceFailureException(String message) {
        super(message);
    }

    /** Creates the exception with the driver's report. */
    public DeviceFailureException(String message, Throwable cause) {
        super(message, cause);
    }
}

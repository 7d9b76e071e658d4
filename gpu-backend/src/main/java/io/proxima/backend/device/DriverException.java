// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.device;

import io.proxima.backend.DeviceFailureException;

/** A device's driver reported an error. */
public abstract class DriverException extends DeviceFailureException {

    private static final long serialVersionUID = 1L;

    private final boolean outOfMemory;
    private final boolean sticky;

    /**
     * Creates the exception.
     *
     * @param message one sentence, with the driver's name for the error and the call that reported it
     * @param outOfMemory as {@link #isOutOfMemory}
     * @param sticky as {@link #isSticky}
     */
    protected DriverException(String message, boolean outOfMemory, boolean sticky) {
        super(message);
        this.outOfMemory = outOfMemory;
        this.sticky = sticky;
    }

    /** Whether there was too little memory, so that the call may be repeated when some is free. */
    public final boolean isOutOfMemory() {
        return outOfMemory;
    }

    /** Whether the device must be opened again. After any other error, only the call that met it has failed. */
    public final boolean isSticky() {
        return sticky;
    }
}

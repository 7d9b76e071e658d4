// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.memory;

/** More heap was requested than is free. The message states the figures and the remedy. */
public final class HeapShortageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public HeapShortageException(String message) {
        super(message);
    }
}

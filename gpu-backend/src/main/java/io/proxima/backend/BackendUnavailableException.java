// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

/** The requested backend cannot run here. The message states the reason and the remedy. */
public final class BackendUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public BackendUnavailableException(String message) {
        super(message);
    }
}

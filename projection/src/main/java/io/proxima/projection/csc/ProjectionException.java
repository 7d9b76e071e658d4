// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.csc;

/** The projection cannot be created. The message states the reason and the remedy, in the terms of a Cypher user. */
public final class ProjectionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public ProjectionException(String message) {
        super(message);
    }

    /** Creates the exception with its cause. */
    public ProjectionException(String message, Throwable cause) {
        super(message, cause);
    }
}

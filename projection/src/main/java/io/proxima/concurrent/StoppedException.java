// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.concurrent;

/** The work ended early because its {@link Stop} was requested; no result is kept. */
public final class StoppedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public StoppedException() {
        super("The execution has been stopped on request.");
    }
}

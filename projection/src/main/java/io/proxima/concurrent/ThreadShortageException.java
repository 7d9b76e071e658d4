// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.concurrent;

/** Work did not begin because its threads could not be created. */
public final class ThreadShortageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ThreadShortageException(int wanted, int created, Throwable cause) {
        super(
                "Only " + created + " of " + wanted + " threads could be created: " + cause.getMessage()
                        + ". Work with fewer threads (the key `concurrency`, the setting"
                        + " server.proxima.max_concurrency), or raise the operating system's limit on threads for the"
                        + " server's user.",
                cause);
    }
}

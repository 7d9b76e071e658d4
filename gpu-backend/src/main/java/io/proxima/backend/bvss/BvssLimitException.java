// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.bvss;

/** A graph has more virtual slice sets than the format can number; the message gives the figures and the remedy. */
public final class BvssLimitException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public BvssLimitException(String message) {
        super(message);
    }
}

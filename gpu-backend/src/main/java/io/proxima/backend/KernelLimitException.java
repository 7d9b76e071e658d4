// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend;

/**
 * A graph has more nodes or relationships than the kernels of a run can number; the message has the figures and the
 * remedy.
 */
public final class KernelLimitException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public KernelLimitException(String message) {
        super(message);
    }
}

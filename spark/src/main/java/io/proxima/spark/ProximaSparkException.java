// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.spark;

/** A graph cannot be read as it was requested. The message names what is wrong, with the value, and what to do. */
public final class ProximaSparkException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Why the request fails. */
    public enum Reason {
        /** An option is unknown, missing, or has a value that is not allowed. */
        INVALID_OPTION,
        /** The file of the graph is not the one that is expected. */
        WRONG_GRAPH,
        /** The folder of a job has other rows than one for each node. */
        INCOMPLETE_RESULTS,
        /** The file cannot be read. */
        FILE_SYSTEM,
        /** The heap of the executor is too small for the graph. */
        MEMORY,
        /** The backend cannot run on the executor. */
        BACKEND
    }

    private final Reason reason;

    ProximaSparkException(Reason reason, String message) {
        this(reason, message, null);
    }

    ProximaSparkException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Why the request fails. */
    public Reason reason() {
        return reason;
    }
}

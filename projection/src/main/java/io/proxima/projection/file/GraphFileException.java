// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.file;

/** A file of a graph cannot be read or written. The message names the file, what is wrong and what to do. */
public final class GraphFileException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Why a file cannot be used. */
    public enum Reason {
        /** It does not begin as a file of a graph does. */
        NOT_A_GRAPH_FILE,
        /** It has a version or a byte order that this version of Proxima does not read. */
        UNKNOWN_FORMAT,
        /** It has been truncated, or a checksum or an invariant does not hold. */
        DAMAGED,
        /** The file system failed. */
        FILE_SYSTEM
    }

    private final Reason reason;

    GraphFileException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    static GraphFileException refused(Object path, Reason reason, String what) {
        return new GraphFileException(
                reason,
                switch (reason) {
                    case NOT_A_GRAPH_FILE -> "The file " + path + " is not an exported graph: " + what + ".";
                    case UNKNOWN_FORMAT ->
                        "The file " + path + " cannot be read: " + what
                                + ". Export the graph again with this version of Proxima.";
                    case DAMAGED -> "The file " + path + " is damaged: " + what + ". Export the graph again.";
                    case FILE_SYSTEM -> "The file " + path + " cannot be used: " + what + ".";
                },
                null);
    }

    static GraphFileException failed(Object path, String how, Exception cause) {
        return new GraphFileException(
                Reason.FILE_SYSTEM, "The file " + path + " cannot be " + how + ": " + cause, cause);
    }

    /** Why the file cannot be used. */
    public Reason reason() {
        return reason;
    }
}

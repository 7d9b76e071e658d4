// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.backend.saved;

/** A file of an ordered graph cannot be used; the graph is ordered again. */
public final class SavedGraphException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Why a file cannot be used. */
    public enum Reason {
        /** It does not begin as such a file does. */
        NOT_A_SAVED_GRAPH,
        /** A later version of Proxima wrote it. */
        NEWER_FORMAT,
        /** It was made from another graph than the one asked for. */
        STALE,
        /** It ends too early, or a checksum or an invariant does not hold. */
        DAMAGED,
        /** The file system failed. */
        UNREADABLE
    }

    private final Reason reason;

    SavedGraphException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    SavedGraphException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Why the file cannot be used. */
    public Reason reason() {
        return reason;
    }
}

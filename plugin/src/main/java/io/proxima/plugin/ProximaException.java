// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin;

import org.neo4j.kernel.api.exceptions.Status;
import org.neo4j.kernel.internal.Version;

/**
 * A call that cannot be answered. The message is written for Cypher users: what is wrong, with the values, and the
 * remedy, in at most {@value #MOST_CHARACTERS} characters. Neo4j passes the status and the message to the client.
 */
public final class ProximaException extends RuntimeException implements Status.HasStatus {

    private static final long serialVersionUID = 1L;

    /** Neo4j 5 takes the message for the first argument of {@link String#format}, later versions do not. */
    private static final boolean IS_FORMATTED = Version.getNeo4jVersion().startsWith("5.");

    private static final int MOST_CHARACTERS = 2_000;

    private final transient Status status;

    private ProximaException(Status status, String message, Throwable cause) {
        super(shortened(message), cause);
        this.status = status;
    }

    /** An argument or a configuration key is wrong: {@code Neo.ClientError.Statement.ArgumentError}. */
    public static ProximaException invalidArgument(String message) {
        return new ProximaException(Status.Statement.ArgumentError, message, null);
    }

    /** The call is valid but cannot be answered: {@code Neo.ClientError.Procedure.ProcedureCallFailed}. */
    public static ProximaException failed(String message) {
        return new ProximaException(Status.Procedure.ProcedureCallFailed, message, null);
    }

    /** Like the other method, with a cause, whose status is kept if it has one. */
    public static ProximaException failed(String message, Throwable cause) {
        Status status = Status.statusCodeOf(cause);
        return new ProximaException(status == null ? Status.Procedure.ProcedureCallFailed : status, message, cause);
    }

    /** The call was stopped: {@code Neo.ClientError.Transaction.Terminated}. */
    public static ProximaException terminated() {
        return new ProximaException(Status.Transaction.Terminated, "The execution has been terminated.", null);
    }

    /** A message, cut if it is longer than {@value #MOST_CHARACTERS} characters. */
    public static String shortened(String message) {
        if (message == null || message.length() <= MOST_CHARACTERS) {
            return message;
        }
        String end = "… (" + message.length() + " characters)";
        return message.substring(0, MOST_CHARACTERS - end.length()) + end;
    }

    /** The message, such that the client gets it unchanged: in Neo4j 5 with each percent sign doubled. */
    @Override
    public String getMessage() {
        String message = super.getMessage();
        return IS_FORMATTED ? message.replace("%", "%%") : message;
    }

    @Override
    public Status status() {
        return status == null ? Status.Procedure.ProcedureCallFailed : status;
    }
}

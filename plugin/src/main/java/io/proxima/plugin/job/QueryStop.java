// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.job;

import io.proxima.concurrent.Stop;
import io.proxima.plugin.ProximaException;
import org.neo4j.graphdb.NotInTransactionException;
import org.neo4j.graphdb.TransactionTerminatedException;
import org.neo4j.procedure.TerminationGuard;

/**
 * Requests a stop when the query was killed, timed out or lost its transaction. Any thread may check it; a check reads
 * one or two volatile fields.
 */
public final class QueryStop implements Stop {

    private final TerminationGuard guard;
    private volatile RuntimeException reason;

    /** Watches the transaction of the guard. */
    public QueryStop(TerminationGuard guard) {
        this.guard = guard;
    }

    @Override
    public boolean requested() {
        if (reason == null) {
            try {
                guard.check();
            } catch (TransactionTerminatedException | NotInTransactionException e) {
                reason = e;
            }
        }
        return reason != null;
    }

    /**
     * The exception for the client of a stopped call: that of the terminated transaction, so that the call appears as a
     * killed query and not as a failed procedure.
     */
    public RuntimeException reason() {
        return requested() ? reason : ProximaException.terminated();
    }
}

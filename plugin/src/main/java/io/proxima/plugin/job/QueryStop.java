/*
 * Copyright 2026 The Proxima authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
    private volatile boolean requested;

    /** Watches the transaction of the guard. */
    public QueryStop(TerminationGuard guard) {
        this.guard = guard;
    }

    @Override
    public boolean requested() {
        if (!requested) {
            try {
                guard.check();
            } catch (TransactionTerminatedException | NotInTransactionException e) {
                requested = true;
            }
        }
        return requested;
    }

    /**
     * The exception for the client of a stopped call: that of the terminated transaction, so that the call appears as a
     * killed query and not as a failed procedure.
     */
    public RuntimeException reason() {
        try {
            guard.check();
        } catch (TransactionTerminatedException | NotInTransactionException e) {
            return e;
        }
        return ProximaException.terminated();
    }
}

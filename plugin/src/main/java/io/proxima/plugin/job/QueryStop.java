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
 * Stops work when the query that asked for it was killed, timed out or lost its transaction. Any thread may ask; asking
 * costs a read of a volatile field or two.
 */
public final class QueryStop implements Stop {

    private final TerminationGuard guard;
    private volatile boolean requested;

    /** Watches the transaction behind the guard. */
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
     * What the client is to be told of a stopped call: the transaction's own end, so that it reads as a killed query and
     * not as a failed procedure.
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

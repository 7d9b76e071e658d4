// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.plugin.config.ConfigReader;
import java.util.function.Function;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Transaction;
import org.neo4j.internal.kernel.api.procs.ProcedureCallContext;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.logging.Log;
import org.neo4j.procedure.Context;
import org.neo4j.procedure.TerminationGuard;

/** The objects that Neo4j injects into every procedure; none of them needs the setting {@code unrestricted}. */
public abstract class ProximaProcedure {

    /** The calling transaction. */
    @Context
    public Transaction transaction;

    /** The database of the call. */
    @Context
    public GraphDatabaseService databaseService;

    /** Neo4j's log. */
    @Context
    public Log log;

    /** Reports that the query was killed. */
    @Context
    public TerminationGuard terminationGuard;

    /** Reports which columns are read. */
    @Context
    public ProcedureCallContext callContext;

    /** The caller's privileges. */
    @Context
    public SecurityContext securityContext;

    /**
     * Reads the keys of a procedure or function of this class from empty maps: {@code proxima.help} shows what is read.
     *
     * @param arguments returns the reader of an argument; faults are added to it
     */
    public void readKeys(String name, Caller caller, Function<String, ConfigReader> arguments) {
        // most have no argument with keys
    }

    protected final Caller caller() {
        return new Caller(transaction, databaseService, log, terminationGuard, callContext, securityContext);
    }

    /** Does the work of a call, and converts its failures for the client. */
    protected final <T> T answer(Function<Caller, T> work) {
        Caller caller = caller();
        return caller.answer(() -> work.apply(caller));
    }
}

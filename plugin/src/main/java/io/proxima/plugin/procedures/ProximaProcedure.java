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
package io.proxima.plugin.procedures;

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

    /** Required by Neo4j. */
    protected ProximaProcedure() {}

    final Caller caller() {
        return new Caller(transaction, databaseService, log, terminationGuard, callContext, securityContext);
    }
}

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

import io.proxima.backend.BackendUnavailableException;
import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.TraversalBackends.Wanted;
import io.proxima.backend.bvss.BvssLimitException;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.ThreadShortageException;
import io.proxima.memory.HeapShortageException;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.catalog.GraphCatalog.Viewer;
import io.proxima.plugin.config.NodeArguments;
import io.proxima.plugin.job.Job;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.job.QueryStop;
import io.proxima.plugin.server.ProximaSettings;
import io.proxima.projection.ProjectionException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.neo4j.configuration.Config;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Transaction;
import org.neo4j.internal.kernel.api.procs.ProcedureCallContext;
import org.neo4j.internal.kernel.api.security.SecurityContext;
import org.neo4j.io.pagecache.context.TransactionIdSnapshot;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import org.neo4j.logging.Log;
import org.neo4j.procedure.TerminationGuard;
import org.neo4j.scheduler.Group;
import org.neo4j.scheduler.JobHandle;
import org.neo4j.scheduler.JobScheduler;
import org.neo4j.storageengine.api.TransactionIdStore;

/**
 * Who calls, in which transaction, and what he wants to see. The casts are sound: what Neo4j injects under the sandboxed
 * types implements the internal ones, with the caller's rights and the procedure's mode kept.
 */
final class Caller {

    private static final String ADMIN_ROLE = "admin";

    private final InternalTransaction transaction;
    private final GraphDatabaseAPI database;
    private final Log log;
    private final QueryStop stop;
    private final Set<String> columns;
    private final boolean allColumns;
    private final String user;
    private final boolean admin;

    Caller(
            Transaction transaction,
            GraphDatabaseService database,
            Log log,
            TerminationGuard guard,
            ProcedureCallContext call,
            SecurityContext security) {
        this.transaction = (InternalTransaction) transaction;
        this.database = (GraphDatabaseAPI) database;
        this.log = log;
        this.stop = new QueryStop(guard);
        this.allColumns = !call.isCalledFromCypher();
        this.columns = call.outputFields().collect(Collectors.toUnmodifiableSet());
        this.user = security.subject().executingUser();
        this.admin = security.roles().contains(ADMIN_ROLE);
    }

    InternalTransaction transaction() {
        return transaction;
    }

    GraphDatabaseAPI database() {
        return database;
    }

    Log log() {
        return log;
    }

    QueryStop stop() {
        return stop;
    }

    String user() {
        return user;
    }

    boolean admin() {
        return admin;
    }

    /** Whether the query reads that column: work for others is left out. */
    boolean yields(String column) {
        return allColumns || columns.contains(column);
    }

    /** How this database's nodes are named in arguments. */
    NodeArguments nodes() {
        return new NodeArguments(transaction.elementIdMapper()::nodeId);
    }

    /** The caller's view of the catalog. */
    Viewer viewer() {
        return new Viewer(user, admin, transaction.getDatabaseId(), transaction.getDatabaseName());
    }

    /**
     * The view of the catalog under another name.
     *
     * @param username blank or the caller's own for the caller's view
     * @throws ProximaException if it is another's and the caller is no admin
     */
    Viewer viewer(String username) {
        if (username == null || username.isBlank() || username.equals(user)) {
            return viewer();
        }
        if (!admin) {
            throw ProximaException.failed("Cannot override the username as a non-admin");
        }
        return new Viewer(username, false, transaction.getDatabaseId(), transaction.getDatabaseName());
    }

    /** The backend of calls that name none, as this server is configured. */
    Wanted defaultBackend() {
        return ProximaSettings.of(config(), ProximaSettings.BACKEND);
    }

    /** The server's settings. */
    Config config() {
        return database.getDependencyResolver().resolveDependency(Config.class);
    }

    /** The store's counts of transactions. */
    TransactionIdStore transactionIds() {
        return database.getDependencyResolver().resolveDependency(TransactionIdStore.class);
    }

    /**
     * Does something again and again on a thread of Neo4j's.
     *
     * @param millis until the first time, and between two
     * @return ends it
     */
    JobHandle<?> every(long millis, Runnable work) {
        return database.getDependencyResolver()
                .resolveDependency(JobScheduler.class)
                .scheduleRecurring(Group.CYPHER_QUERY_MONITOR, work, millis, millis, TimeUnit.MILLISECONDS);
    }

    /**
     * The last transaction of which, and of all before it, everything can be read. The store's own method for that has
     * different names in Neo4j 5 and 2026; the snapshot has not.
     */
    static long lastClosed(TransactionIdStore transactions) {
        TransactionIdSnapshot snapshot = transactions.getClosedTransactionSnapshot();
        long[] open = snapshot.notVisibleTransactions();
        return open.length == 0 ? snapshot.highestEverSeen() : open[0] - 1;
    }

    /**
     * Begins a job of the caller's, which ends with his query.
     *
     * @param task what it is called in lists and logs
     * @param logged whether the log is told how it goes
     * @param sudo whether it may take heap that is not free
     * @return the job, to be closed by who began it
     * @throws ProximaException if a running job has the id
     */
    Job beginJob(String task, String jobId, boolean logged, boolean sudo) {
        Job job = JobRegistry.begin(user, jobId, task, stop, logged ? log::info : line -> {});
        if (sudo) {
            job.heap().override();
        }
        return job;
    }

    /** Does the work of a call and tells its failures in the client's terms. */
    <T> T answer(Supplier<T> work) {
        try {
            return work.get();
        } catch (RuntimeException e) {
            throw inClientsTerms(e);
        }
    }

    /** What the client is to be told of a failure; the failure itself if that says all. */
    RuntimeException inClientsTerms(RuntimeException failure) {
        if (failure instanceof StoppedException) {
            return stop.reason();
        }
        if (failure instanceof ProjectionException) {
            return ProximaException.invalidArgument(failure.getMessage());
        }
        boolean expected = failure instanceof HeapShortageException
                || failure instanceof ThreadShortageException
                || failure instanceof BackendUnavailableException
                || failure instanceof DeviceMemoryException
                || failure instanceof DeviceFailureException
                || failure instanceof BvssLimitException;
        return expected ? ProximaException.failed(failure.getMessage(), failure) : failure;
    }
}

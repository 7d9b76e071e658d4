// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.call;

import io.proxima.backend.BackendUnavailableException;
import io.proxima.backend.DeviceFailureException;
import io.proxima.backend.DeviceMemoryException;
import io.proxima.backend.KernelLimitException;
import io.proxima.backend.select.TraversalBackends;
import io.proxima.concurrent.StoppedException;
import io.proxima.concurrent.ThreadShortageException;
import io.proxima.memory.HeapShortageException;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.catalog.CatalogExtension;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.catalog.GraphCatalog.Viewer;
import io.proxima.plugin.catalog.GraphKey;
import io.proxima.plugin.catalog.SystemUsers;
import io.proxima.plugin.catalog.TransactionEnd;
import io.proxima.plugin.config.ArgumentBudget;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.NodeArguments;
import io.proxima.plugin.config.Shown;
import io.proxima.plugin.current.Touched;
import io.proxima.plugin.job.Job;
import io.proxima.plugin.job.JobRegistry;
import io.proxima.plugin.job.QueryStop;
import io.proxima.plugin.memory.HeapLedger;
import io.proxima.plugin.server.ProximaSettings;
import io.proxima.plugin.server.ServerExtension;
import io.proxima.plugin.server.ServerLimits;
import io.proxima.projection.csc.ProjectionException;
import io.proxima.projection.file.GraphFileException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.neo4j.configuration.Config;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.dbms.api.DatabaseManagementService;
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
import org.neo4j.storageengine.api.StoreId;
import org.neo4j.storageengine.api.StoreIdProvider;
import org.neo4j.storageengine.api.TransactionId;
import org.neo4j.storageengine.api.TransactionIdStore;

/**
 * The caller, its transaction, and the columns that it reads. The stop of the call and its promise of heap are in force
 * from here on; {@link #beginJob} hands both to the job. The casts are safe: the objects that Neo4j injects under
 * the sandboxed types implement the internal ones, and keep the caller's privileges and the procedure's mode.
 */
public final class Caller {

    private static final String ADMIN_ROLE = "admin";

    private final InternalTransaction transaction;
    private final GraphDatabaseAPI database;
    private final Log log;
    private final QueryStop stop;
    private final HeapLedger.Promise heap;
    private final ArgumentBudget arguments;
    private boolean jobBegun;
    private final ProcedureCallContext call;
    private final String user;
    private final boolean admin;

    public Caller(
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
        this.heap = HeapLedger.ofThisJvm().open(ProximaSettings.of(config(), ProximaSettings.HEAP_SHARE));
        this.arguments = new ArgumentBudget(stop, heap);
        this.call = call;
        this.user = security.subject().executingUser();
        this.admin = security.roles().contains(ADMIN_ROLE);
    }

    public InternalTransaction transaction() {
        return transaction;
    }

    public GraphDatabaseAPI database() {
        return database;
    }

    public Log log() {
        return log;
    }

    public QueryStop stop() {
        return stop;
    }

    public String user() {
        return user;
    }

    public boolean admin() {
        return admin;
    }

    /** Whether the caller may execute admin procedures, as all users of Neo4j Community may. */
    public boolean mayAdminister() {
        return transaction
                .securityContext()
                .allowExecuteAdminProcedure(call.id())
                .allowsAccess();
    }

    /** Whether the query reads a column; columns that are not read are not computed. */
    public boolean yields(String column) {
        return !call.isCalledFromCypher() || call.outputFields().anyMatch(column::equals);
    }

    /** Heap and stop of reading the arguments. */
    public ArgumentBudget arguments() {
        return arguments;
    }

    /** Starts to read a map of configuration keys. */
    public ConfigReader read(String argument, Object given) {
        return ConfigReader.of(arguments, argument, given);
    }

    /** Parses node arguments for this database. */
    public NodeArguments nodes() {
        return new NodeArguments(transaction.elementIdMapper()::nodeId, arguments);
    }

    /** An elementId of a node of this database is this text, followed by the neo4jId in decimal. */
    public String elementIdPrefix() {
        String ofNodeZero = transaction.elementIdMapper().nodeElementId(0);
        return ofNodeZero.substring(0, ofNodeZero.length() - 1);
    }

    /** Identifies the store. Restoring a backup changes this id, but not the elementId prefix. */
    public String storeId() {
        StoreId id = component(StoreIdProvider.class).getStoreId();
        return id.getCreationTime() + "-" + Long.toHexString(id.getRandom());
    }

    /** The caller's view of the catalog. */
    public Viewer viewer() {
        return viewer(user);
    }

    /**
     * The view of the catalog under a given user name.
     *
     * @param username blank or the caller's own name for the caller's view
     * @throws ProximaException if it is another user's name and the caller is not an admin
     */
    public Viewer viewer(String username) {
        String owner = username == null || username.isBlank() ? user : username;
        boolean own = owner.equals(user);
        if (!own && !admin) {
            throw ProximaException.failed("Cannot override the username as a non-admin: `username` is `"
                    + Shown.text(owner) + "`. Leave it out.");
        }
        dropGraphsOfFormerUser(owner);
        return viewer(owner, own && admin);
    }

    /**
     * The view of the caller's own graphs only, without a look at the users, which a function would have for each row.
     */
    public Viewer viewerOfOwnGraphs() {
        return viewer(user, false);
    }

    private Viewer viewer(String owner, boolean all) {
        return new Viewer(
                GraphKey.dbms(config()), owner, all, transaction.getDatabaseId(), transaction.getDatabaseName());
    }

    private void dropGraphsOfFormerUser(String owner) {
        // without authentication, there are no users
        if (!owner.isEmpty()) {
            GraphDatabaseAPI system = (GraphDatabaseAPI)
                    component(DatabaseManagementService.class).database(GraphDatabaseSettings.SYSTEM_DATABASE_NAME);
            TransactionIdSnapshot ended = system.getDependencyResolver()
                    .resolveDependency(TransactionIdStore.class)
                    .getClosedTransactionSnapshot();
            // grows with each transaction that ends, in whatever order they end
            // counted before the id is read, so that the id is at least as new
            long changes = ended.highestEverSeen() - ended.notVisibleTransactions().length;
            GraphCatalog.dropGraphsOfFormerUser(
                    GraphKey.dbms(config()), owner, changes, () -> SystemUsers.idOf(system, owner));
        }
    }

    /** The server's settings. */
    public Config config() {
        return component(Config.class);
    }

    /** The server's limits on threads. */
    public ServerLimits limits() {
        return ServerLimits.of(config());
    }

    /** The server's backends. */
    public TraversalBackends backends() {
        return ServerExtension.backends(database.getDependencyResolver());
    }

    /** The store's transaction ids. */
    public TransactionIdStore transactionIds() {
        return component(TransactionIdStore.class);
    }

    private <T> T component(Class<T> type) {
        return database.getDependencyResolver().resolveDependency(type);
    }

    /** Tells a transaction from those of other histories of the store, such as before a backup was restored. */
    public static String identity(TransactionId transaction) {
        return transaction.id() + "-" + Integer.toHexString(transaction.checksum()) + "-"
                + transaction.commitTimestamp();
    }

    /**
     * Repeats work periodically on a thread of Neo4j's scheduler.
     *
     * @param millis delay before the first time, and between two times
     * @return a handle that ends it
     */
    JobHandle<?> every(long millis, Runnable work) {
        return component(JobScheduler.class)
                .scheduleRecurring(Group.CYPHER_QUERY_MONITOR, work, millis, millis, TimeUnit.MILLISECONDS);
    }

    /** What transactions of the database have touched. */
    public Touched touched() {
        return CatalogExtension.touched(database);
    }

    /** Whether the transaction has uncommitted changes. */
    public boolean hasChanges() {
        return transaction.kernelTransaction().dataRead().transactionStateHasChanges();
    }

    /** The end of the transaction, if a graph of what it reads has uncommitted changes; otherwise null. */
    public TransactionEnd endOfChanges() {
        return hasChanges() ? TransactionEnd.of(database, transaction, GraphCatalog::dropRolledBack) : null;
    }

    /**
     * Starts a job of the caller, which ends with the query.
     *
     * @param task the name of the job in lists and logs
     * @return the job, to be closed by whoever started it
     * @throws ProximaException if the user has a running job with the same id
     */
    public Job beginJob(String task, JobKeys keys) {
        Job job = JobRegistry.begin(user, keys.jobId(), task, stop, heap, keys.logProgress() ? log::info : line -> {});
        jobBegun = true;
        if (keys.sudo()) {
            job.heap().override();
        }
        return job;
    }

    /**
     * Starts a job besides that of the call, which ends before it begins.
     *
     * @param keys of the call
     */
    Job beginPart(String task, JobKeys keys) {
        HeapLedger.Promise part = HeapLedger.ofThisJvm().open(ProximaSettings.of(config(), ProximaSettings.HEAP_SHARE));
        if (keys.sudo()) {
            part.override();
        }
        return JobRegistry.begin(user, UUID.randomUUID().toString(), task, stop, part, line -> {});
    }

    /** Does the work of a call, and converts its failures for the client. */
    public <T> T answer(Supplier<T> work) {
        try {
            return work.get();
        } catch (RuntimeException e) {
            throw inClientsTerms(e);
        } finally {
            closeWithoutJob();
        }
    }

    /** Ends an aggregation in the middle of its rows; returns the exception for the client, or throws an error. */
    public RuntimeException ended(Throwable failure) {
        closeWithoutJob();
        if (failure instanceof Error error) {
            throw error;
        }
        return inClientsTerms((RuntimeException) failure);
    }

    /** A job may last until the rows have been read, and closes the promise. */
    private void closeWithoutJob() {
        if (!jobBegun) {
            heap.close();
        }
    }

    /** The promise of heap of the call. */
    public HeapLedger.Promise heap() {
        return heap;
    }

    /** The exception for the client; the failure itself if it is suitable. */
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
                || failure instanceof KernelLimitException
                || failure instanceof GraphFileException;
        return expected ? ProximaException.failed(failure.getMessage(), failure) : failure;
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.catalog;

import io.proxima.concurrent.Closing;
import io.proxima.plugin.current.Touched;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.neo4j.common.DependencyResolver;
import org.neo4j.configuration.Config;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.dbms.systemgraph.TopologyGraphDbmsModel.HostedOnMode;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.event.LabelEntry;
import org.neo4j.graphdb.event.PropertyEntry;
import org.neo4j.graphdb.event.TransactionData;
import org.neo4j.graphdb.event.TransactionEventListenerAdapter;
import org.neo4j.io.pagecache.context.TransactionIdSnapshot;
import org.neo4j.kernel.extension.ExtensionFactory;
import org.neo4j.kernel.extension.ExtensionType;
import org.neo4j.kernel.extension.context.ExtensionContext;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import org.neo4j.kernel.internal.event.GlobalTransactionEventListeners;
import org.neo4j.kernel.lifecycle.Lifecycle;
import org.neo4j.kernel.lifecycle.LifecycleAdapter;
import org.neo4j.storageengine.api.TransactionIdStore;

/**
 * Frees the graphs of a database that stops: alone, before it is dropped, or with the whole server. Also frees the
 * graphs of a dropped user, so that another user of that name does not find them. Neo4j leaves connections of a dropped
 * user open, so the graphs are freed again when a user of that name is created. Servers of a cluster that do not commit
 * the change are not notified; there, {@link GraphCatalog#dropGraphsOfFormerUser} frees the graphs.
 */
public final class CatalogExtension extends ExtensionFactory<CatalogExtension.Dependencies> {

    /** The dependencies that Neo4j injects. */
    public interface Dependencies {
        /** The settings of the DBMS. */
        Config config();

        /** The database that the extension belongs to. */
        GraphDatabaseAPI graphDatabaseAPI();

        /**
         * Registers listeners for the transactions of any database; Neo4j's public interface refuses the system
         * database.
         */
        GlobalTransactionEventListeners transactionEventListeners();
    }

    /** Required by the service loader. */
    public CatalogExtension() {
        super(ExtensionType.DATABASE, "proxima-catalog");
    }

    @Override
    public Lifecycle newInstance(ExtensionContext context, Dependencies dependencies) {
        Path dbms = GraphKey.dbms(dependencies.config());
        if (dependencies.graphDatabaseAPI().databaseId().isSystemDatabase()) {
            return new UsersWatch(dbms, dependencies.transactionEventListeners());
        }
        return new DatabaseWatch(dbms, dependencies);
    }

    /** What transactions of a database have touched. Without this extension, nothing is heard. */
    public static Touched touched(GraphDatabaseAPI database) {
        DependencyResolver components = database.getDependencyResolver();
        // Neo4j makes each instance of an extension a component
        return components.containsDependency(DatabaseWatch.class)
                ? components.resolveDependency(DatabaseWatch.class).touched
                : new Touched(() -> lastClosed(database), false, Collections::emptyIterator);
    }

    /**
     * The id of the last closed transaction: it and all earlier ones can be read completely. The store's own method has
     * different names in Neo4j 5 and 2026; the snapshot has not.
     */
    private static long lastClosed(GraphDatabaseAPI database) {
        TransactionIdSnapshot snapshot = database.getDependencyResolver()
                .resolveDependency(TransactionIdStore.class)
                .getClosedTransactionSnapshot();
        long[] open = snapshot.notVisibleTransactions();
        return open.length == 0 ? snapshot.highestEverSeen() : open[0] - 1;
    }

    /** Listens to the transactions of a database, and frees its graphs when it stops. */
    private static final class DatabaseWatch extends LifecycleAdapter {
        private final Path dbms;
        private final GraphDatabaseAPI database;
        private final GlobalTransactionEventListeners listeners;
        private final Touched touched;

        DatabaseWatch(Path dbms, Dependencies dependencies) {
            this.dbms = dbms;
            database = dependencies.graphDatabaseAPI();
            listeners = dependencies.transactionEventListeners();
            touched = new Touched(() -> lastClosed(database), database.mode() == HostedOnMode.SINGLE, () -> listeners
                    .getDatabaseTransactionEventListeners(database.databaseName())
                    .iterator());
        }

        /** Before other plugins start and register theirs: the first listener sees the data completely. */
        @Override
        public void init() {
            listeners.registerTransactionEventListener(database.databaseName(), touched);
        }

        @Override
        public void stop() {
            GraphCatalog.dropDatabase(dbms, database.databaseId().databaseId().uuid());
        }

        @Override
        public void shutdown() {
            listeners.unregisterTransactionEventListener(database.databaseName(), touched);
        }
    }

    /** Listens to the system database's nodes that represent users. */
    private static final class UsersWatch extends LifecycleAdapter {
        private final Path dbms;
        private final GlobalTransactionEventListeners listeners;
        private final TransactionEventListenerAdapter<Set<String>> listener = new TransactionEventListenerAdapter<>() {
            @Override
            public Set<String> beforeCommit(
                    TransactionData data, Transaction transaction, GraphDatabaseService databaseService) {
                return changedNames(data);
            }

            @Override
            public void afterCommit(
                    TransactionData data, Set<String> changedNames, GraphDatabaseService databaseService) {
                Closing.all(changedNames.iterator(), name -> GraphCatalog.dropUser(dbms, name));
            }
        };

        UsersWatch(Path dbms, GlobalTransactionEventListeners listeners) {
            this.dbms = dbms;
            this.listeners = listeners;
        }

        @Override
        public void start() {
            listeners.registerTransactionEventListener(GraphDatabaseSettings.SYSTEM_DATABASE_NAME, listener);
        }

        @Override
        public void stop() {
            listeners.unregisterTransactionEventListener(GraphDatabaseSettings.SYSTEM_DATABASE_NAME, listener);
        }

        /** Names that now have no user, because it was dropped or renamed, or a new one. */
        private static Set<String> changedNames(TransactionData data) {
            Set<Node> dropped = new HashSet<>();
            for (LabelEntry removed : data.removedLabels()) {
                if (removed.label().equals(SystemUsers.USER)) {
                    dropped.add(removed.node());
                }
            }
            Set<String> names = new TreeSet<>();
            for (PropertyEntry<Node> removed : data.removedNodeProperties()) {
                if (removed.key().equals(SystemUsers.NAME) && dropped.contains(removed.entity())) {
                    names.add(String.valueOf(removed.previouslyCommittedValue()));
                }
            }
            for (PropertyEntry<Node> assigned : data.assignedNodeProperties()) {
                if (assigned.key().equals(SystemUsers.NAME) && assigned.entity().hasLabel(SystemUsers.USER)) {
                    names.add(String.valueOf(assigned.value()));
                    if (assigned.previouslyCommittedValue() != null) {
                        names.add(String.valueOf(assigned.previouslyCommittedValue()));
                    }
                }
            }
            return names;
        }
    }
}

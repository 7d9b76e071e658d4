// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.write;

import io.proxima.plugin.ProximaException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.kernel.impl.locking.LockManager;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import org.neo4j.lock.LockType;
import org.neo4j.lock.ResourceType;

/** The transaction that calls a procedure which writes in transactions of its own. */
final class CallingTransaction {

    private static final String REMEDY =
            " Commit first and call in a new transaction, or use the stream mode and SET" + " the property yourself.";

    private CallingTransaction() {}

    /**
     * Refuses a calling transaction with uncommitted changes or with locks: batches would wait for its locks, and it
     * for the batches, forever. To be called before results are computed.
     *
     * @throws ProximaException with the remedy
     */
    static void requireUnchanged(GraphDatabaseAPI database, InternalTransaction caller) {
        if (caller.kernelTransaction().dataRead().transactionStateHasChanges()) {
            throw ProximaException.failed(
                    "The calling transaction has uncommitted changes. Write mode writes in separate transactions, which"
                            + " would wait for the locks of the calling transaction forever." + REMEDY);
        }
        if (holdsLocks(database, caller)) {
            throw ProximaException.failed("The calling transaction has locked nodes, for example by a SET that changes"
                    + " nothing or by `apoc.lock.nodes`. Write mode writes in separate transactions, which would wait for"
                    + " these locks forever." + REMEDY);
        }
    }

    /**
     * Whether the caller holds locks that a batch may wait for. Neo4j locks a node before it compares the new value
     * with the old one, so that a transaction without changes may hold locks. Shared locks of labels and types, which
     * queries take to read, are no obstacle.
     */
    private static boolean holdsLocks(GraphDatabaseAPI database, InternalTransaction caller) {
        long own = caller.kernelTransaction().getTransactionSequenceNumber();
        AtomicBoolean found = new AtomicBoolean();
        // the transaction's own list of locks has other signatures in Neo4j 5 and 2026
        database.getDependencyResolver()
                .resolveDependency(LockManager.class)
                .accept((type, resource, transaction, id, waiting, millis, lock) -> {
                    if (transaction == own && (type == LockType.EXCLUSIVE || resource == ResourceType.NODE)) {
                        found.set(true);
                    }
                });
        return found.get();
    }
}

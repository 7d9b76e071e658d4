// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.write;

import io.proxima.plugin.ProximaException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.api.query.ExecutingQuery;
import org.neo4j.kernel.impl.api.KernelStatement;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.kernel.impl.locking.LockManager;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import org.neo4j.lock.LockType;
import org.neo4j.lock.ResourceType;

/** The transaction that calls a procedure, and those around it. */
public final class CallingTransaction {

    private static final String REMEDY =
            " Commit first and call in a new transaction, or use the stream mode and SET the property yourself.";

    private static final long NONE = -1;

    private CallingTransaction() {}

    /**
     * Refuses a calling transaction with uncommitted changes or with locks, and one within a transaction with locks:
     * batches would wait for the locks, and the transaction for the batches, forever. To be called before results are
     * computed.
     *
     * @throws ProximaException with the remedy
     */
    static void requireUnchanged(GraphDatabaseAPI database, InternalTransaction caller) {
        if (caller.kernelTransaction().dataRead().transactionStateHasChanges()) {
            throw ProximaException.failed(
                    "The calling transaction has uncommitted changes. Write mode writes in separate transactions, which"
                            + " would wait for the locks of the calling transaction forever." + REMEDY);
        }
        long own = caller.kernelTransaction().getTransactionSequenceNumber();
        AtomicLong holder = new AtomicLong(NONE);
        Set<Long> chain = withTransactionsAround(caller);
        // the transaction's own list of locks has other signatures in Neo4j 5 and 2026
        database.getDependencyResolver()
                .resolveDependency(LockManager.class)
                .accept((type, resource, transaction, id, waiting, millis, lock) -> {
                    if (chain.contains(transaction) && isObstacle(type, resource)) {
                        holder.set(transaction);
                    }
                });
        if (holder.get() != NONE) {
            throw ProximaException.failed((holder.get() == own
                            ? "The calling transaction"
                            : "The transaction around `CALL {} IN TRANSACTIONS`")
                    + " has locked nodes, for example by a SET that changes nothing or by `apoc.lock.nodes`. Write"
                    + " mode writes in separate transactions, which would wait for these locks forever."
                    + REMEDY);
        }
    }

    /**
     * Whether a batch may wait for a lock. Neo4j locks a node before it compares the new value with the old one, so
     * that a transaction without changes may hold locks. Shared locks of labels and types, which queries take to read,
     * are no obstacle.
     */
    private static boolean isObstacle(LockType type, ResourceType resource) {
        return type == LockType.EXCLUSIVE || resource == ResourceType.NODE;
    }

    /** The numbers of a transaction and of those that wait for its query, as `CALL {} IN TRANSACTIONS` does. */
    private static Set<Long> withTransactionsAround(InternalTransaction caller) {
        KernelTransaction kernel = caller.kernelTransaction();
        Set<Long> chain = new HashSet<>(Set.of(kernel.getTransactionSequenceNumber()));
        ExecutingQuery query = executingQuery(kernel);
        while (query != null) {
            // a transaction of another database may have the same number
            if (query.databaseId().isPresent()
                    && query.databaseId().get().databaseId().uuid().equals(kernel.getDatabaseId())) {
                chain.add(query.getOuterTransactionSequenceNumber());
            }
            query = query.getPreviousQuery();
        }
        return chain;
    }

    /**
     * The time, in milliseconds since 1970, from which on what a transaction is given may have been read: that of its
     * begin, or that of the query if {@code CALL {} IN TRANSACTIONS} has begun the transaction.
     */
    public static long begin(InternalTransaction caller) {
        KernelTransaction kernel = caller.kernelTransaction();
        long begin = kernel.startTime();
        for (ExecutingQuery query = executingQuery(kernel); query != null; query = query.getPreviousQuery()) {
            if (query.getOuterTransactionSequenceNumber() != kernel.getTransactionSequenceNumber()) {
                begin = Math.min(begin, query.startTimestampMillis());
            }
        }
        return begin;
    }

    /** The query that a transaction executes; null if there is none. */
    public static ExecutingQuery executingQuery(KernelTransaction transaction) {
        try (KernelStatement statement = (KernelStatement) transaction.acquireStatement()) {
            return statement.queryRegistry().executingQuery().orElse(null);
        }
    }
}

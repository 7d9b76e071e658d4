// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.catalog;

import java.util.Collections;
import java.util.Map;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.kernel.impl.query.TransactionExecutionMonitor;
import org.neo4j.kernel.internal.GraphDatabaseAPI;
import org.neo4j.monitoring.Monitors;

/**
 * The end of a transaction, as Neo4j reports it. The caller of {@code commit()} does not know it: the method also
 * throws if a listener of another plugin fails after the commit. Thread-safe.
 */
public final class TransactionEnd implements TransactionExecutionMonitor, AutoCloseable {

    /** How a transaction has ended. */
    public enum Outcome {
        /** The transaction is open, or Neo4j has not reported its end. */
        UNKNOWN,
        COMMITTED,
        ROLLED_BACK
    }

    /**
     * A listener that stays, for each database. Neo4j discards the set of a method's listeners with the last of them,
     * and then loses a listener that is added at this moment.
     */
    private static final Map<Monitors, TransactionExecutionMonitor> STAYING =
            Collections.synchronizedMap(new WeakHashMap<>());

    private final Monitors monitors;
    private final UUID database;
    private final long number;
    private final Consumer<TransactionEnd> then;
    private final AtomicBoolean waiting = new AtomicBoolean(true);
    private volatile Outcome outcome = Outcome.UNKNOWN;

    private TransactionEnd(Monitors monitors, KernelTransaction transaction, Consumer<TransactionEnd> then) {
        this.monitors = monitors;
        this.database = transaction.getDatabaseId();
        this.number = transaction.getTransactionSequenceNumber();
        this.then = then;
    }

    /**
     * Waits for the end of a transaction.
     *
     * @param then called by the thread that ends the transaction, before Neo4j reuses the transaction's objects
     * @return the end, which is heard until it has come or is closed
     */
    public static TransactionEnd of(
            GraphDatabaseAPI database, InternalTransaction transaction, Consumer<TransactionEnd> then) {
        Monitors monitors = database.getDependencyResolver().resolveDependency(Monitors.class);
        TransactionEnd end = new TransactionEnd(monitors, transaction.kernelTransaction(), then);
        STAYING.computeIfAbsent(monitors, TransactionEnd::staying);
        monitors.addMonitorListener(end);
        return end;
    }

    private static TransactionExecutionMonitor staying(Monitors monitors) {
        TransactionExecutionMonitor listener = new Nobody();
        monitors.addMonitorListener(listener);
        return listener;
    }

    /** Does nothing, and refers to nothing. */
    private static final class Nobody implements TransactionExecutionMonitor {
        @Override
        public void start(KernelTransaction transaction) {}

        @Override
        public void commit(KernelTransaction transaction) {}

        @Override
        public void rollback(KernelTransaction transaction, Throwable failure) {}
    }

    /** How the transaction has ended. */
    public Outcome outcome() {
        return outcome;
    }

    /** Stops waiting. */
    @Override
    public void close() {
        // Neo4j counts listeners, so that the same one must not be removed twice
        if (waiting.compareAndSet(true, false)) {
            monitors.removeMonitorListener(this);
        }
    }

    @Override
    public void start(KernelTransaction transaction) {}

    @Override
    public void commit(KernelTransaction transaction) {
        ended(transaction, Outcome.COMMITTED);
    }

    @Override
    public void rollback(KernelTransaction transaction, Throwable failure) {
        ended(transaction, Outcome.ROLLED_BACK);
    }

    private void ended(KernelTransaction transaction, Outcome reported) {
        if (transaction.getTransactionSequenceNumber() == number
                && transaction.getDatabaseId().equals(database)) {
            outcome = reported;
            close();
            then.accept(this);
        }
    }
}

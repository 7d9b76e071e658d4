// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import io.proxima.concurrent.Closing;
import io.proxima.concurrent.Stop;
import io.proxima.concurrent.Workers;
import java.util.ArrayList;
import java.util.List;
import org.neo4j.internal.kernel.api.QueryContext;
import org.neo4j.kernel.api.ExecutionContext;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.api.Statement;

/** Runs work on several threads, each in an execution context of a transaction. */
final class ContextWorkers {

    private ContextWorkers() {}

    /** The work of one worker. */
    @FunctionalInterface
    interface Task {
        /**
         * Does this worker's share.
         *
         * @param context this worker's context
         * @param worker the worker's number, from 0 (inclusive) to the concurrency (exclusive)
         * @param stop requested when the caller's stop is, or when another worker has failed
         */
        void run(ExecutionContext context, int worker, Stop stop);
    }

    /** The share of one worker in reading by cursors. */
    @FunctionalInterface
    interface Reading {
        /**
         * Reads this worker's share.
         *
         * @param context opens this worker's cursors
         * @param worker the worker's number, from 0 (inclusive) to the concurrency (exclusive)
         * @param stop requested when the caller's stop is, or when another worker has failed
         */
        void run(QueryContext context, int worker, Stop stop);
    }

    /**
     * Reads by several threads, or by the calling one as the transaction itself does.
     *
     * @param parallel whether to use several threads; then the contexts of the transaction must see as much as it does
     */
    static void read(KernelTransaction transaction, boolean parallel, int concurrency, Stop stop, Reading reading) {
        if (parallel) {
            run(
                    transaction,
                    concurrency,
                    stop,
                    (context, worker, shared) -> reading.run(context.queryContext(), worker, shared));
            return;
        }
        Statement statement = transaction.acquireStatement();
        try (statement) {
            reading.run(transaction.queryContext(), 0, stop);
        }
    }

    /**
     * Runs a task once on each of {@code concurrency} threads, as {@link Workers#run}.
     *
     * @param transaction a transaction without uncommitted changes
     */
    static void run(KernelTransaction transaction, int concurrency, Stop stop, Task task) {
        Statement statement = transaction.acquireStatement();
        try (statement;
                Contexts contexts = new Contexts(new ArrayList<>(concurrency))) {
            for (int worker = 0; worker < concurrency; worker++) {
                contexts.opened.add(new WorkerContext(transaction.createExecutionContext()));
            }
            Workers.run(concurrency, stop, (worker, shared) -> {
                try (WorkerContext context = contexts.opened.get(worker)) {
                    task.run(context.kernelContext, worker, shared);
                }
            });
        }
    }

    private record Contexts(List<WorkerContext> opened) implements AutoCloseable {
        @Override
        public void close() {
            Closing.all(opened.iterator(), WorkerContext::release);
        }
    }

    /**
     * An execution context. Its worker completes it; only then may the transaction's thread release it. If a worker
     * never began, the transaction's thread does both.
     */
    private static final class WorkerContext implements AutoCloseable {
        private final ExecutionContext kernelContext;
        private boolean completed;

        WorkerContext(ExecutionContext kernelContext) {
            this.kernelContext = kernelContext;
        }

        @Override
        public void close() {
            kernelContext.complete();
            completed = true;
        }

        void release() {
            try (kernelContext) {
                if (!completed) {
                    close();
                }
            }
        }
    }
}

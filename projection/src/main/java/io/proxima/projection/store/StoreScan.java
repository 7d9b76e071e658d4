// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import io.proxima.concurrent.Stop;
import io.proxima.projection.csc.ProjectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.neo4j.exceptions.KernelException;
import org.neo4j.internal.kernel.api.Cursor;
import org.neo4j.internal.kernel.api.CursorFactory;
import org.neo4j.internal.kernel.api.PartitionedScan;
import org.neo4j.internal.kernel.api.PropertyCursor;
import org.neo4j.internal.kernel.api.security.AccessMode;
import org.neo4j.io.pagecache.context.CursorContext;
import org.neo4j.kernel.api.ExecutionContext;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.kernel.api.Statement;
import org.neo4j.kernel.impl.api.security.OverriddenAccessMode;
import org.neo4j.memory.MemoryTracker;

/**
 * A scan of the store, either as a whole on the transaction's own thread, or in partitions by several workers.
 *
 * @param allocation allocates a cursor
 * @param opening positions a cursor before the first record
 * @param partitioning divides the records among the cursors of several workers
 * @param keys the properties that the scan reads
 * @param batches begins the batch of a worker
 * @param taking adds the record that a cursor is at, if it is selected
 * @param <C> the cursor type
 * @param <B> what collects the records of a worker for the sink
 */
record StoreScan<C extends Cursor, B extends StoreScan.Batch>(
        Allocation<C> allocation,
        Opening<C> opening,
        Partitioning<C> partitioning,
        PropertyKeys keys,
        Batches<B> batches,
        BiConsumer<C, B> taking) {

    private static final long RECORDS_PER_PARTITION = 1 << 16;
    private static final long MAX_PARTITIONS = 1 << 16;

    /** Smaller scans end before a second thread has started. */
    static final long MIN_PARALLEL_RECORDS = 1 << 14;

    /** Records between two stop checks. */
    private static final int STOP_MASK = (1 << 10) - 1;

    @FunctionalInterface
    interface Allocation<C> {
        C allocate(CursorFactory cursors, CursorContext cursorContext, MemoryTracker memoryTracker);
    }

    @FunctionalInterface
    interface Opening<C> {
        void open(C cursor, CursorContext cursorContext) throws KernelException;
    }

    @FunctionalInterface
    interface Partitioning<C extends Cursor> {
        PartitionedScan<C> partition(int count, CursorContext cursorContext) throws KernelException;
    }

    /** Records that are passed to the sink together. */
    interface Batch {
        /** Passes the last records. */
        void flush();
    }

    @FunctionalInterface
    interface Batches<B> {
        /**
         * Begins a batch.
         *
         * @param properties a cursor for the properties of records; null if the scan reads none
         */
        B begin(int worker, PropertyCursor properties);
    }

    /**
     * Whether execution contexts see the nodes, the relationships and these properties of relationships that the
     * transaction sees. They do not see uncommitted changes, and Neo4j refuses them in this case. If a role grants
     * EXECUTE BOOSTED PROCEDURE, the transaction sees everything, but contexts only what the caller may see otherwise.
     */
    static boolean contextsSeeAsMuch(KernelTransaction transaction, int[] properties) {
        if (transaction.dataRead().transactionStateHasChanges()) {
            return false;
        }
        if (!(transaction.securityContext().mode() instanceof OverriddenAccessMode)) {
            return true;
        }
        Statement statement = transaction.acquireStatement();
        try (statement;
                ExecutionContext context = transaction.createExecutionContext()) {
            AccessMode mode = context.securityContext().mode();
            boolean sees = StoreSource.mayTraverseEverything(mode)
                    && PropertyRights.readsAll(mode, transaction.tokenRead(), properties);
            context.complete();
            return sees;
        }
    }

    /**
     * Reads all scans.
     *
     * @param records approximate number of records, for the number of partitions
     * @throws ProjectionException if the kernel refuses a scan
     */
    static void readAll(
            KernelTransaction transaction, List<StoreScan<?, ?>> scans, long records, int concurrency, Stop stop) {
        int[] properties = scans.stream()
                .flatMapToInt(scan -> IntStream.of(scan.keys.stored()))
                .distinct()
                .toArray();
        Statement statement = transaction.acquireStatement();
        try {
            if (records < MIN_PARALLEL_RECORDS || !contextsSeeAsMuch(transaction, properties)) {
                for (StoreScan<?, ?> scan : scans) {
                    scan.readWhole(transaction, stop);
                }
            } else {
                int count = (int) Math.min(MAX_PARTITIONS, Math.max(concurrency, records / RECORDS_PER_PARTITION));
                List<Partitions<?>> partitions = new ArrayList<>();
                for (StoreScan<?, ?> scan : scans) {
                    partitions.add(scan.split(count, transaction.cursorContext()));
                }
                ContextWorkers.run(
                        transaction,
                        concurrency,
                        stop,
                        (context, worker, shared) -> partitions.forEach(scan -> scan.read(context, worker, shared)));
            }
        } catch (KernelException e) {
            throw new ProjectionException(
                    "The store could not be scanned: " + e.getMessage() + " Try to project again.", e);
        } finally {
            statement.close();
        }
    }

    private void readWhole(KernelTransaction transaction, Stop stop) throws KernelException {
        CursorFactory cursors = transaction.cursors();
        CursorContext cursorContext = transaction.cursorContext();
        MemoryTracker memoryTracker = transaction.memoryTracker();
        try (C cursor = allocation.allocate(cursors, cursorContext, memoryTracker);
                PropertyCursor properties = propertyCursor(cursors, cursorContext, memoryTracker)) {
            opening.open(cursor, cursorContext);
            drain(cursor, properties, 0, stop);
        }
    }

    private Partitions<C> split(int count, CursorContext cursorContext) throws KernelException {
        return new Partitions<>(this, partitioning.partition(count, cursorContext));
    }

    private record Partitions<C extends Cursor>(StoreScan<C, ?> scan, PartitionedScan<C> partitions) {
        void read(ExecutionContext context, int worker, Stop stop) {
            try (C cursor = scan.allocation.allocate(
                            context.cursors(), context.cursorContext(), context.memoryTracker());
                    PropertyCursor properties =
                            scan.propertyCursor(context.cursors(), context.cursorContext(), context.memoryTracker())) {
                while (partitions.reservePartition(cursor, context)) {
                    context.performCheckBeforeOperation();
                    scan.drain(cursor, properties, worker, stop);
                }
            }
        }
    }

    private PropertyCursor propertyCursor(
            CursorFactory cursors, CursorContext cursorContext, MemoryTracker memoryTracker) {
        return keys.isEmpty() ? null : cursors.allocatePropertyCursor(cursorContext, memoryTracker);
    }

    private void drain(C cursor, PropertyCursor properties, int worker, Stop stop) {
        stop.check();
        B batch = batches.begin(worker, properties);
        for (int record = 0; cursor.next(); record++) {
            if ((record & STOP_MASK) == 0) {
                stop.check();
            }
            taking.accept(cursor, batch);
        }
        batch.flush();
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import io.proxima.concurrent.Stop;
import io.proxima.projection.ProjectionException;
import java.util.Arrays;
import java.util.List;
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
 * @param <C> the cursor type
 */
abstract class StoreScan<C extends Cursor> {

    private static final long RECORDS_PER_PARTITION = 1 << 16;
    private static final long MAX_PARTITIONS = 1 << 16;

    /** Smaller scans end before a second thread has started. */
    static final long MIN_PARALLEL_RECORDS = 1 << 14;

    static final int[] NO_TOKENS = {};

    private PartitionedScan<C> partitions;

    abstract C allocate(CursorFactory cursors, CursorContext cursorContext, MemoryTracker memoryTracker);

    /** Positions the cursor before the first record. */
    abstract void open(C cursor, CursorContext cursorContext) throws KernelException;

    abstract PartitionedScan<C> partition(int count, CursorContext cursorContext) throws KernelException;

    /**
     * Passes the cursor's remaining records to the sink; checks the stop every few thousand records.
     *
     * @param properties a cursor for the properties of records; null if the scan reads none
     */
    abstract void drain(C cursor, PropertyCursor properties, int worker, Stop stop);

    /** Whether the scan reads properties. */
    boolean readsProperties() {
        return false;
    }

    /** The tokens of the properties that the scan reads. */
    int[] propertyTokens() {
        return NO_TOKENS;
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
            KernelTransaction transaction, List<StoreScan<?>> scans, long records, int concurrency, Stop stop) {
        Statement statement = transaction.acquireStatement();
        try {
            if (records < MIN_PARALLEL_RECORDS || !contextsSeeAsMuch(transaction, propertyTokens(scans))) {
                for (StoreScan<?> scan : scans) {
                    stop.check();
                    scan.readWhole(transaction, stop);
                }
            } else {
                int partitions = (int) Math.min(MAX_PARTITIONS, Math.max(concurrency, records / RECORDS_PER_PARTITION));
                for (StoreScan<?> scan : scans) {
                    scan.split(partitions, transaction);
                }
                ContextWorkers.run(transaction, concurrency, stop, (context, worker, shared) -> {
                    for (StoreScan<?> scan : scans) {
                        scan.readPartitions(context, worker, shared);
                    }
                });
            }
        } catch (KernelException e) {
            throw new ProjectionException(
                    "The store could not be scanned: " + e.getMessage() + " Try to project again.", e);
        } finally {
            statement.close();
        }
    }

    private static int[] propertyTokens(List<StoreScan<?>> scans) {
        return scans.stream()
                .flatMapToInt(scan -> Arrays.stream(scan.propertyTokens()))
                .distinct()
                .toArray();
    }

    private void readWhole(KernelTransaction transaction, Stop stop) throws KernelException {
        CursorFactory cursors = transaction.cursors();
        CursorContext cursorContext = transaction.cursorContext();
        MemoryTracker memoryTracker = transaction.memoryTracker();
        try (C cursor = allocate(cursors, cursorContext, memoryTracker);
                PropertyCursor properties = propertyCursor(cursors, cursorContext, memoryTracker)) {
            open(cursor, cursorContext);
            drain(cursor, properties, 0, stop);
        }
    }

    private void split(int count, KernelTransaction transaction) throws KernelException {
        partitions = partition(count, transaction.cursorContext());
    }

    private void readPartitions(ExecutionContext context, int worker, Stop stop) {
        try (C cursor = allocate(context.cursors(), context.cursorContext(), context.memoryTracker());
                PropertyCursor properties =
                        propertyCursor(context.cursors(), context.cursorContext(), context.memoryTracker())) {
            while (partitions.reservePartition(cursor, context)) {
                stop.check();
                context.performCheckBeforeOperation();
                drain(cursor, properties, worker, stop);
            }
        }
    }

    private PropertyCursor propertyCursor(
            CursorFactory cursors, CursorContext cursorContext, MemoryTracker memoryTracker) {
        return readsProperties() ? cursors.allocatePropertyCursor(cursorContext, memoryTracker) : null;
    }
}

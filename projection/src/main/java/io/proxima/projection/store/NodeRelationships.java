// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.IdMap;
import io.proxima.projection.RelationshipSource.RelationshipSink;
import java.util.concurrent.atomic.AtomicInteger;
import org.neo4j.internal.kernel.api.CursorFactory;
import org.neo4j.internal.kernel.api.NodeCursor;
import org.neo4j.internal.kernel.api.PropertyCursor;
import org.neo4j.internal.kernel.api.QueryContext;
import org.neo4j.internal.kernel.api.RelationshipTraversalCursor;
import org.neo4j.io.pagecache.context.CursorContext;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.memory.MemoryTracker;
import org.neo4j.storageengine.api.RelationshipSelection;

/**
 * Reads the relationships of some nodes, node by node.
 *
 * @param selection types and direction; only one direction, so that a relationship between two of the nodes is read once
 */
record NodeRelationships(
        IdMap nodes,
        RelationshipTypes types,
        RelationshipSelection selection,
        PropertyKeys keys,
        RelationshipSink sink) {

    private static final int NODES_AT_ONCE = 1 << 8;

    /**
     * Reads them all.
     *
     * @param expected approximate number of nodes and relationships
     */
    void read(KernelTransaction transaction, long expected, int concurrency, Stop stop) {
        AtomicInteger next = new AtomicInteger();
        boolean parallel =
                expected >= StoreScan.MIN_PARALLEL_RECORDS && StoreScan.contextsSeeAsMuch(transaction, keys.stored());
        ContextWorkers.read(
                transaction,
                parallel,
                concurrency,
                stop,
                (context, worker, shared) -> read(context, next, worker, shared));
    }

    /** Reads nodes until none are left. */
    private void read(QueryContext context, AtomicInteger next, int worker, Stop stop) {
        CursorContext cursorContext = context.cursorContext();
        MemoryTracker memory = context.memoryTracker();
        CursorFactory cursors = context.cursors();
        PacedStop paced = new PacedStop(stop);
        stop.check();
        try (NodeCursor node = cursors.allocateNodeCursor(cursorContext, memory);
                RelationshipTraversalCursor cursor =
                        cursors.allocateRelationshipTraversalCursor(cursorContext, memory);
                PropertyCursor properties =
                        keys.isEmpty() ? null : cursors.allocatePropertyCursor(cursorContext, memory)) {
            StoreScans.CursorBatch batch = new StoreScans.CursorBatch(sink, worker, keys, properties);
            for (int from = next.getAndUpdate(this::end); from < nodes.size(); from = next.getAndUpdate(this::end)) {
                for (int vertex = from; vertex < end(from); vertex++) {
                    paced.worked(4);
                    context.getRead().singleNode(nodes.toNeo4jId(vertex), node);
                    if (!node.next()) {
                        continue;
                    }
                    node.relationships(cursor, selection);
                    while (cursor.next()) {
                        paced.worked(4);
                        int type = types.index(cursor.type());
                        batch.add(cursor, cursor.sourceNodeReference(), cursor.targetNodeReference(), type);
                    }
                }
            }
            batch.flush();
        }
    }

    /** The end of the nodes that a worker reads from one on. */
    private int end(int from) {
        return (int) Math.min(nodes.size(), (long) from + NODES_AT_ONCE);
    }
}

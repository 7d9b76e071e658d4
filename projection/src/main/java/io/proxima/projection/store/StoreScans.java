// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import io.proxima.concurrent.Stop;
import io.proxima.projection.GraphSource.NodeSink;
import io.proxima.projection.ProjectionException;
import io.proxima.projection.RelationshipSource.RelationshipSink;
import java.util.Iterator;
import java.util.Optional;
import org.neo4j.common.EntityType;
import org.neo4j.exceptions.KernelException;
import org.neo4j.internal.kernel.api.CursorFactory;
import org.neo4j.internal.kernel.api.IndexQueryConstraints;
import org.neo4j.internal.kernel.api.InternalIndexState;
import org.neo4j.internal.kernel.api.NodeCursor;
import org.neo4j.internal.kernel.api.NodeLabelIndexCursor;
import org.neo4j.internal.kernel.api.PartitionedScan;
import org.neo4j.internal.kernel.api.PropertyCursor;
import org.neo4j.internal.kernel.api.Read;
import org.neo4j.internal.kernel.api.RelationshipScanCursor;
import org.neo4j.internal.kernel.api.RelationshipTypeIndexCursor;
import org.neo4j.internal.kernel.api.TokenPredicate;
import org.neo4j.internal.kernel.api.TokenReadSession;
import org.neo4j.internal.schema.IndexDescriptor;
import org.neo4j.internal.schema.IndexType;
import org.neo4j.internal.schema.SchemaDescriptors;
import org.neo4j.io.pagecache.context.CursorContext;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.memory.MemoryTracker;
import org.neo4j.token.api.TokenConstants;

/** Scans of nodes and relationships. */
final class StoreScans {

    private static final int BATCH = 1 << 10;

    /** Records between two stop checks, where few of them may be selected. */
    private static final int STOP_MASK = (1 << 12) - 1;

    private StoreScans() {}

    /** The token lookup index of nodes or relationships, if it exists and can be read. */
    static Optional<TokenReadSession> lookupIndex(KernelTransaction transaction, EntityType entityType) {
        try {
            Iterator<IndexDescriptor> indexes =
                    transaction.schemaRead().index(SchemaDescriptors.forAnyEntityTokens(entityType));
            while (indexes.hasNext()) {
                IndexDescriptor index = indexes.next();
                if (index.getIndexType() == IndexType.LOOKUP
                        && transaction.schemaRead().indexGetState(index) == InternalIndexState.ONLINE) {
                    return Optional.of(transaction.dataRead().tokenReadSession(index));
                }
            }
            return Optional.empty();
        } catch (KernelException e) {
            throw new ProjectionException(
                    "The token lookup index could not be read: " + e.getMessage() + " Try to project again.", e);
        }
    }

    /** A batch of nodes of one label for the sink. */
    private static final class NodeBatch {
        private final NodeSink sink;
        private final int worker;
        private final int label;
        private final long[] ids = new long[BATCH];
        private int count;

        NodeBatch(NodeSink sink, int worker, int label) {
            this.sink = sink;
            this.worker = worker;
            this.label = label;
        }

        void add(long id, Stop stop) {
            ids[count++] = id;
            if (count == BATCH) {
                stop.check();
                flush();
            }
        }

        void flush() {
            if (count > 0) {
                sink.accept(worker, label, ids, count);
                count = 0;
            }
        }
    }

    /** A batch of relationships for the sink. */
    private static final class RelationshipBatch {
        private final RelationshipSink sink;
        private final int worker;
        private final long[] sources = new long[BATCH];
        private final long[] targets = new long[BATCH];
        private final int[] types = new int[BATCH];
        private final PropertyKeys keys;
        private final PropertyCursor properties;
        private final double[][] values;
        private int count;

        RelationshipBatch(RelationshipSink sink, int worker, PropertyKeys keys, PropertyCursor properties) {
            this.sink = sink;
            this.worker = worker;
            this.keys = keys;
            this.properties = properties;
            this.values = new double[keys.count()][BATCH];
        }

        /** Adds a relationship; the cursor of its properties, if there is one, is before them. */
        void add(long relationship, long source, long target, int type, Stop stop) {
            sources[count] = source;
            targets[count] = target;
            types[count] = type;
            if (properties != null) {
                keys.read(relationship, properties, values, count);
            }
            count++;
            if (count == BATCH) {
                stop.check();
                flush();
            }
        }

        void flush() {
            if (count > 0) {
                sink.accept(worker, sources, targets, types, values, count);
                count = 0;
            }
        }
    }

    /** Scans all nodes of the store, and keeps those of the selected label. */
    static final class Nodes extends StoreScan<NodeCursor> {
        private final Read read;
        private final int labelToken;
        private final int label;
        private final NodeSink sink;

        Nodes(Read read, int labelToken, int label, NodeSink sink) {
            this.read = read;
            this.labelToken = labelToken;
            this.label = label;
            this.sink = sink;
        }

        @Override
        NodeCursor allocate(CursorFactory cursors, CursorContext cursorContext, MemoryTracker memoryTracker) {
            return cursors.allocateNodeCursor(cursorContext, memoryTracker);
        }

        @Override
        void open(NodeCursor cursor, CursorContext cursorContext) {
            read.allNodesScan(cursor);
        }

        @Override
        PartitionedScan<NodeCursor> partition(int count, CursorContext cursorContext) {
            return read.allNodesScan(count, cursorContext);
        }

        @Override
        void drain(NodeCursor cursor, PropertyCursor properties, int worker, Stop stop) {
            NodeBatch batch = new NodeBatch(sink, worker, label);
            for (int record = 0; cursor.next(); record++) {
                if ((record & STOP_MASK) == 0) {
                    stop.check();
                }
                if (labelToken == TokenConstants.ANY_LABEL || cursor.hasLabel(labelToken)) {
                    batch.add(cursor.nodeReference(), stop);
                }
            }
            batch.flush();
        }
    }

    /** Scans the nodes of one label through the lookup index. */
    static final class NodesOfLabel extends StoreScan<NodeLabelIndexCursor> {
        private final Read read;
        private final TokenReadSession index;
        private final TokenPredicate labelToken;
        private final int label;
        private final NodeSink sink;

        NodesOfLabel(Read read, TokenReadSession index, int labelToken, int label, NodeSink sink) {
            this.read = read;
            this.index = index;
            this.labelToken = new TokenPredicate(labelToken);
            this.label = label;
            this.sink = sink;
        }

        @Override
        NodeLabelIndexCursor allocate(CursorFactory cursors, CursorContext cursorContext, MemoryTracker memoryTracker) {
            return cursors.allocateNodeLabelIndexCursor(cursorContext, memoryTracker);
        }

        @Override
        void open(NodeLabelIndexCursor cursor, CursorContext cursorContext) throws KernelException {
            read.nodeLabelScan(index, cursor, IndexQueryConstraints.unconstrained(), labelToken, cursorContext);
        }

        @Override
        PartitionedScan<NodeLabelIndexCursor> partition(int count, CursorContext cursorContext) throws KernelException {
            return read.nodeLabelScan(index, count, cursorContext, labelToken);
        }

        @Override
        void drain(NodeLabelIndexCursor cursor, PropertyCursor properties, int worker, Stop stop) {
            NodeBatch batch = new NodeBatch(sink, worker, label);
            while (cursor.next()) {
                batch.add(cursor.nodeReference(), stop);
            }
            batch.flush();
        }
    }

    /** Scans all relationships of the store, and keeps those of the selected types. */
    static final class Relationships extends StoreScan<RelationshipScanCursor> {
        private final Read read;
        private final RelationshipSink sink;

        private final RelationshipTypes types;
        private final PropertyKeys keys;

        Relationships(Read read, RelationshipTypes types, PropertyKeys keys, RelationshipSink sink) {
            this.read = read;
            this.types = types;
            this.keys = keys;
            this.sink = sink;
        }

        @Override
        RelationshipScanCursor allocate(
                CursorFactory cursors, CursorContext cursorContext, MemoryTracker memoryTracker) {
            return cursors.allocateRelationshipScanCursor(cursorContext, memoryTracker);
        }

        @Override
        void open(RelationshipScanCursor cursor, CursorContext cursorContext) {
            read.allRelationshipsScan(cursor);
        }

        @Override
        PartitionedScan<RelationshipScanCursor> partition(int count, CursorContext cursorContext) {
            return read.allRelationshipsScan(count, cursorContext);
        }

        @Override
        boolean readsProperties() {
            return !keys.isEmpty();
        }

        @Override
        int[] propertyTokens() {
            return keys.stored();
        }

        @Override
        void drain(RelationshipScanCursor cursor, PropertyCursor properties, int worker, Stop stop) {
            RelationshipBatch batch = new RelationshipBatch(sink, worker, keys, properties);
            for (int record = 0; cursor.next(); record++) {
                if ((record & STOP_MASK) == 0) {
                    stop.check();
                }
                int type = types.index(cursor.type());
                if (type != RelationshipTypes.NOT_SELECTED) {
                    if (properties != null) {
                        cursor.properties(properties, keys.selection());
                    }
                    batch.add(
                            cursor.relationshipReference(),
                            cursor.sourceNodeReference(),
                            cursor.targetNodeReference(),
                            type,
                            stop);
                }
            }
            batch.flush();
        }
    }

    /** Scans the relationships of one type through the lookup index. */
    static final class RelationshipsOfType extends StoreScan<RelationshipTypeIndexCursor> {
        private final Read read;
        private final TokenReadSession index;
        private final TokenPredicate typeToken;
        private final int type;
        private final PropertyKeys keys;
        private final RelationshipSink sink;

        RelationshipsOfType(
                Read read, TokenReadSession index, int typeToken, int type, PropertyKeys keys, RelationshipSink sink) {
            this.read = read;
            this.index = index;
            this.typeToken = new TokenPredicate(typeToken);
            this.type = type;
            this.keys = keys;
            this.sink = sink;
        }

        @Override
        RelationshipTypeIndexCursor allocate(
                CursorFactory cursors, CursorContext cursorContext, MemoryTracker memoryTracker) {
            return cursors.allocateRelationshipTypeIndexCursor(cursorContext, memoryTracker);
        }

        @Override
        void open(RelationshipTypeIndexCursor cursor, CursorContext cursorContext) throws KernelException {
            read.relationshipTypeScan(index, cursor, IndexQueryConstraints.unconstrained(), typeToken, cursorContext);
        }

        @Override
        PartitionedScan<RelationshipTypeIndexCursor> partition(int count, CursorContext cursorContext)
                throws KernelException {
            return read.relationshipTypeScan(index, count, cursorContext, typeToken);
        }

        @Override
        boolean readsProperties() {
            return !keys.isEmpty();
        }

        @Override
        int[] propertyTokens() {
            return keys.stored();
        }

        @Override
        void drain(RelationshipTypeIndexCursor cursor, PropertyCursor properties, int worker, Stop stop) {
            RelationshipBatch batch = new RelationshipBatch(sink, worker, keys, properties);
            for (int record = 0; cursor.next(); record++) {
                if ((record & STOP_MASK) == 0) {
                    stop.check();
                }
                // false for a relationship that was deleted after the index was read
                if (cursor.readFromStore()) {
                    if (properties != null) {
                        cursor.properties(properties, keys.selection());
                    }
                    batch.add(
                            cursor.relationshipReference(),
                            cursor.sourceNodeReference(),
                            cursor.targetNodeReference(),
                            type,
                            stop);
                }
            }
            batch.flush();
        }
    }
}

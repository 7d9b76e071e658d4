// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import io.proxima.projection.GraphSource.NodeSink;
import io.proxima.projection.RelationshipSource.RelationshipSink;
import io.proxima.projection.csc.ProjectionException;
import java.util.Iterator;
import java.util.Optional;
import org.neo4j.common.EntityType;
import org.neo4j.exceptions.KernelException;
import org.neo4j.internal.kernel.api.CursorFactory;
import org.neo4j.internal.kernel.api.EntityCursor;
import org.neo4j.internal.kernel.api.IndexQueryConstraints;
import org.neo4j.internal.kernel.api.InternalIndexState;
import org.neo4j.internal.kernel.api.NodeCursor;
import org.neo4j.internal.kernel.api.NodeLabelIndexCursor;
import org.neo4j.internal.kernel.api.PropertyCursor;
import org.neo4j.internal.kernel.api.Read;
import org.neo4j.internal.kernel.api.RelationshipScanCursor;
import org.neo4j.internal.kernel.api.RelationshipTypeIndexCursor;
import org.neo4j.internal.kernel.api.TokenPredicate;
import org.neo4j.internal.kernel.api.TokenReadSession;
import org.neo4j.internal.schema.IndexDescriptor;
import org.neo4j.internal.schema.IndexType;
import org.neo4j.internal.schema.SchemaDescriptors;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.token.api.TokenConstants;

/** Scans of nodes and relationships. */
final class StoreScans {

    private static final int BATCH = 1 << 10;

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

    /** Nodes of one label. */
    private static final class NodeBatch implements StoreScan.Batch {
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

        void add(long id) {
            ids[count++] = id;
            if (count == BATCH) {
                flush();
            }
        }

        @Override
        public void flush() {
            if (count > 0) {
                sink.accept(worker, label, ids, count);
                count = 0;
            }
        }
    }

    /** Relationships that are read with a cursor. */
    static final class CursorBatch extends RelationshipBatch {
        private final PropertyKeys keys;
        private final PropertyCursor properties;

        CursorBatch(RelationshipSink sink, int worker, PropertyKeys keys, PropertyCursor properties) {
            super(sink, worker, keys.count(), LENGTH);
            this.keys = keys;
            this.properties = properties;
        }

        void add(EntityCursor relationship, long source, long target, int type) {
            sources[count] = source;
            targets[count] = target;
            typeOf[count] = type;
            if (properties != null) {
                relationship.properties(properties, keys.selection());
                keys.read(relationship.reference(), properties, this, count);
            }
            count++;
            if (count == LENGTH) {
                flush();
            }
        }
    }

    /** Scans all nodes of the store, and keeps those of the selected label. */
    static StoreScan<?, ?> nodes(Read read, int labelToken, int label, NodeSink sink) {
        return new StoreScan<NodeCursor, NodeBatch>(
                CursorFactory::allocateNodeCursor,
                (cursor, context) -> read.allNodesScan(cursor),
                read::allNodesScan,
                PropertyKeys.NONE,
                (worker, properties) -> new NodeBatch(sink, worker, label),
                (cursor, batch) -> {
                    if (labelToken == TokenConstants.ANY_LABEL || cursor.hasLabel(labelToken)) {
                        batch.add(cursor.nodeReference());
                    }
                });
    }

    /** Scans the nodes of one label through the lookup index. */
    static StoreScan<?, ?> nodesOfLabel(Read read, TokenReadSession index, int labelToken, int label, NodeSink sink) {
        TokenPredicate wanted = new TokenPredicate(labelToken);
        return new StoreScan<NodeLabelIndexCursor, NodeBatch>(
                CursorFactory::allocateNodeLabelIndexCursor,
                (cursor, context) ->
                        read.nodeLabelScan(index, cursor, IndexQueryConstraints.unconstrained(), wanted, context),
                (count, context) -> read.nodeLabelScan(index, count, context, wanted),
                PropertyKeys.NONE,
                (worker, properties) -> new NodeBatch(sink, worker, label),
                (cursor, batch) -> batch.add(cursor.nodeReference()));
    }

    /** Scans all relationships of the store, and keeps those of the selected types. */
    static StoreScan<?, ?> relationships(Read read, RelationshipTypes types, PropertyKeys keys, RelationshipSink sink) {
        return new StoreScan<RelationshipScanCursor, CursorBatch>(
                CursorFactory::allocateRelationshipScanCursor,
                (cursor, context) -> read.allRelationshipsScan(cursor),
                read::allRelationshipsScan,
                keys,
                (worker, properties) -> new CursorBatch(sink, worker, keys, properties),
                (cursor, batch) -> {
                    int type = types.index(cursor.type());
                    if (type != RelationshipTypes.NOT_SELECTED) {
                        batch.add(cursor, cursor.sourceNodeReference(), cursor.targetNodeReference(), type);
                    }
                });
    }

    /** Scans the relationships of one type through the lookup index. */
    static StoreScan<?, ?> relationshipsOfType(
            Read read, TokenReadSession index, int typeToken, int type, PropertyKeys keys, RelationshipSink sink) {
        TokenPredicate wanted = new TokenPredicate(typeToken);
        return new StoreScan<RelationshipTypeIndexCursor, CursorBatch>(
                CursorFactory::allocateRelationshipTypeIndexCursor,
                (cursor, context) -> read.relationshipTypeScan(
                        index, cursor, IndexQueryConstraints.unconstrained(), wanted, context),
                (count, context) -> read.relationshipTypeScan(index, count, context, wanted),
                keys,
                (worker, properties) -> new CursorBatch(sink, worker, keys, properties),
                (cursor, batch) -> {
                    // false for a relationship that was deleted after the index was read
                    if (cursor.readFromStore()) {
                        batch.add(cursor, cursor.sourceNodeReference(), cursor.targetNodeReference(), type);
                    }
                });
    }
}

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.PartialSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.neo4j.graphdb.Direction;
import org.neo4j.internal.kernel.api.NodeCursor;
import org.neo4j.internal.kernel.api.PropertyCursor;
import org.neo4j.internal.kernel.api.RelationshipScanCursor;
import org.neo4j.internal.kernel.api.RelationshipTraversalCursor;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.storageengine.api.RelationshipSelection;
import org.neo4j.token.api.TokenConstants;

/**
 * The stored relationships between pairs of nodes, and those of some nodes. The lists of both nodes of a pair are read in
 * turn until one of them ends, most steps in that of the first node. So a pair costs little more than the list of the
 * first node, and a few times the shorter list at most, and no degree is needed.
 */
final class RelationshipsOfNodes implements PartialSource.Part {

    /** Every so many steps, one is in the list of the second node. */
    private static final int STEPS_OF_FIRST = 5;

    private final KernelTransaction transaction;
    private final StoreSource source;
    private final long[] pairs;
    private final long[] nodes;
    private final long most;

    private long read;

    RelationshipsOfNodes(KernelTransaction transaction, StoreSource source, long[] pairs, long[] nodes, long most) {
        this.transaction = transaction;
        this.source = source;
        this.pairs = pairs;
        this.nodes = nodes;
        this.most = most;
    }

    @Override
    public boolean isComplete() {
        return read <= most;
    }

    /** A guess, which makes buffers small. */
    @Override
    public long estimateRelationshipCount(List<String> types) {
        return (long) pairs.length + nodes.length;
    }

    @Override
    public void scanRelationships(
            List<String> types, List<Property> properties, int concurrency, Stop stop, RelationshipSink sink) {
        int[] tokens = source.typeTokens(types);
        PropertyKeys keys = PropertyKeys.of(properties, transaction);
        boolean all = Arrays.stream(tokens).anyMatch(token -> token == TokenConstants.ANY_RELATIONSHIP_TYPE);
        read = 0;
        try (Reader reader = new Reader(
                RelationshipSelection.selection(all ? null : tokens, Direction.BOTH),
                new RelationshipTypes(tokens),
                keys,
                sink,
                stop)) {
            for (int i = 0; i < nodes.length && isComplete(); i++) {
                reader.readAllOf(nodes[i]);
            }
            for (int i = 0; i < pairs.length && isComplete(); i += 2) {
                reader.readBetween(pairs[i], pairs[i + 1]);
            }
            reader.flush();
        }
    }

    /** The cursors of one scan. */
    private final class Reader implements AutoCloseable {
        private final RelationshipSelection selection;
        private final RelationshipTypes types;
        private final PacedStop stop;
        private final NodeCursor node =
                transaction.cursors().allocateNodeCursor(transaction.cursorContext(), transaction.memoryTracker());
        private final List<RelationshipTraversalCursor> lists = List.of(traversal(), traversal());
        private final List<List<Long>> found = List.of(new ArrayList<>(), new ArrayList<>());
        private final RelationshipScanCursor one = transaction
                .cursors()
                .allocateRelationshipScanCursor(transaction.cursorContext(), transaction.memoryTracker());
        private final PropertyCursor properties;
        private final StoreScans.CursorBatch batch;

        Reader(
                RelationshipSelection selection,
                RelationshipTypes types,
                PropertyKeys keys,
                RelationshipSink sink,
                Stop stop) {
            this.selection = selection;
            this.types = types;
            this.stop = new PacedStop(stop);
            properties = keys.isEmpty()
                    ? null
                    : transaction
                            .cursors()
                            .allocatePropertyCursor(transaction.cursorContext(), transaction.memoryTracker());
            batch = new StoreScans.CursorBatch(sink, 0, keys, properties);
        }

        private RelationshipTraversalCursor traversal() {
            return transaction
                    .cursors()
                    .allocateRelationshipTraversalCursor(transaction.cursorContext(), transaction.memoryTracker());
        }

        private boolean open(long neo4jId, RelationshipTraversalCursor list) {
            transaction.dataRead().singleNode(neo4jId, node);
            if (!node.next()) {
                return false;
            }
            node.relationships(list, selection);
            return true;
        }

        private void step() {
            read++;
            stop.worked(4);
        }

        /** Reads the relationships of a node; one between two of the nodes is read at the lower one. */
        void readAllOf(long neo4jId) {
            RelationshipTraversalCursor list = lists.get(0);
            if (!open(neo4jId, list)) {
                return;
            }
            while (isComplete() && list.next()) {
                step();
                long other = list.otherNodeReference();
                if (other > neo4jId || Arrays.binarySearch(nodes, other) < 0) {
                    batch.add(list, list.sourceNodeReference(), list.targetNodeReference(), types.index(list.type()));
                }
            }
        }

        void readBetween(long from, long to) {
            found.forEach(List::clear);
            int ended = open(from, lists.get(0)) ? endOfShorter(from, to) : 0;
            for (long id : found.get(ended)) {
                transaction.dataRead().singleRelationship(id, one);
                if (one.next()) {
                    batch.add(one, one.sourceNodeReference(), one.targetNodeReference(), types.index(one.type()));
                }
            }
        }

        /** Finds the relationships between two nodes; returns which of the two lists has all of them. */
        private int endOfShorter(long from, long to) {
            if (node.supportsFastRelationshipsTo()) {
                node.relationshipsTo(lists.get(0), selection, to);
                while (isComplete() && find(0, to)) {
                    step();
                }
                return 0;
            }
            if (!open(to, lists.get(1))) {
                return 1;
            }
            int list = 0;
            for (int turn = 1; isComplete() && find(list, list == 0 ? to : from); turn++) {
                step();
                list = turn % STEPS_OF_FIRST == 0 ? 1 : 0;
            }
            return list;
        }

        /** Goes to the next relationship of a list; false at its end. */
        private boolean find(int list, long other) {
            RelationshipTraversalCursor cursor = lists.get(list);
            if (!cursor.next()) {
                return false;
            }
            if (cursor.otherNodeReference() == other) {
                found.get(list).add(cursor.relationshipReference());
            }
            return true;
        }

        void flush() {
            batch.flush();
        }

        @Override
        public void close() {
            node.close();
            lists.forEach(RelationshipTraversalCursor::close);
            one.close();
            if (properties != null) {
                properties.close();
            }
        }
    }
}

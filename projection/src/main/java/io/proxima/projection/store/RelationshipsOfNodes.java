// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.IdMap;
import io.proxima.projection.PartialSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.neo4j.graphdb.Direction;
import org.neo4j.internal.kernel.api.CursorFactory;
import org.neo4j.internal.kernel.api.NodeCursor;
import org.neo4j.internal.kernel.api.PropertyCursor;
import org.neo4j.internal.kernel.api.QueryContext;
import org.neo4j.internal.kernel.api.Read;
import org.neo4j.internal.kernel.api.RelationshipScanCursor;
import org.neo4j.internal.kernel.api.RelationshipTraversalCursor;
import org.neo4j.io.pagecache.context.CursorContext;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.memory.MemoryTracker;
import org.neo4j.storageengine.api.RelationshipSelection;

/**
 * The stored relationships of some nodes, and those between pairs of nodes. The lists of both nodes of a pair are read
 * in turn until one of them ends, most steps in that of the first node. So a pair costs little more than the list of
 * the first node, and a few times the shorter list at most, and no degree is needed.
 */
final class RelationshipsOfNodes implements PartialSource.Part {

    /** Every so many steps, one is in the list of the second node. */
    private static final int STEPS_OF_FIRST = 5;

    /** Nodes that a worker takes at once, if there are many with few relationships each. */
    private static final int NODES_AT_ONCE = 1 << 8;

    private final KernelTransaction transaction;
    private final long[] pairs;
    private final IdMap nodes;
    private final Direction direction;
    private final long most;
    private final int atOnce;

    private final AtomicLong read = new AtomicLong();

    /**
     * Some relationships; see {@link PartialSource#part} for the rest.
     *
     * @param direction the direction in which the relationships of the nodes are read. In both directions, one between
     *     two of the nodes is in both lists, and is passed at the lower node
     */
    RelationshipsOfNodes(KernelTransaction transaction, long[] pairs, IdMap nodes, Direction direction, long most) {
        this.transaction = transaction;
        this.pairs = pairs;
        this.nodes = nodes;
        this.direction = direction;
        this.most = most;
        // a part of the source is read in both directions: few nodes, which may have many relationships
        this.atOnce = direction == Direction.BOTH ? 1 : NODES_AT_ONCE;
    }

    @Override
    public boolean isComplete() {
        return read.get() <= most;
    }

    /** A guess, which makes buffers small. */
    @Override
    public long estimateRelationshipCount(List<String> types) {
        return (long) pairs.length + nodes.size();
    }

    @Override
    public void scanRelationships(
            List<String> types, List<Property> properties, int concurrency, Stop stop, RelationshipSink sink) {
        PropertyKeys keys = PropertyKeys.of(properties, transaction);
        boolean parallel = concurrency > 1 && StoreScan.contextsSeeAsMuch(transaction, keys.stored());
        scan(StoreSource.typeTokens(types, transaction), keys, parallel, concurrency, stop, sink);
    }

    /**
     * Reads all relationships of the types.
     *
     * @param parallel whether several threads read, as in {@link ContextWorkers#read}
     */
    void scan(int[] tokens, PropertyKeys keys, boolean parallel, int concurrency, Stop stop, RelationshipSink sink) {
        RelationshipTypes types = new RelationshipTypes(tokens);
        RelationshipSelection selection =
                RelationshipSelection.selection(types.selectsAll() ? null : tokens, direction);
        Scan scan = new Scan(selection, types, keys, sink, new AtomicLong());
        read.set(0);
        ContextWorkers.read(transaction, parallel, concurrency, stop, (context, worker, shared) -> {
            try (Reader reader = new Reader(scan, context, worker, shared)) {
                reader.readAll();
            }
        });
    }

    /**
     * What all readers of a scan share.
     *
     * @param next the next node or, after the nodes, the next pair
     */
    private record Scan(
            RelationshipSelection selection,
            RelationshipTypes types,
            PropertyKeys keys,
            RelationshipSink sink,
            AtomicLong next) {}

    /** The cursors of one worker of a scan. */
    private final class Reader implements AutoCloseable {
        private final Scan scan;
        private final Read data;
        private final PacedStop stop;
        private final NodeCursor node;
        private final List<RelationshipTraversalCursor> lists;
        private final List<List<Long>> found = List.of(new ArrayList<>(), new ArrayList<>());
        private final RelationshipScanCursor one;
        private final PropertyCursor properties;
        private final StoreScans.CursorBatch batch;

        /** Relationships read for the present nodes or pair, and those before, of all workers. */
        private long steps;

        private long before;

        Reader(Scan scan, QueryContext context, int worker, Stop stop) {
            CursorFactory cursors = context.cursors();
            CursorContext cursorContext = context.cursorContext();
            MemoryTracker memory = context.memoryTracker();
            this.scan = scan;
            this.data = context.getRead();
            this.stop = new PacedStop(stop);
            node = cursors.allocateNodeCursor(cursorContext, memory);
            lists = List.of(
                    cursors.allocateRelationshipTraversalCursor(cursorContext, memory),
                    cursors.allocateRelationshipTraversalCursor(cursorContext, memory));
            one = cursors.allocateRelationshipScanCursor(cursorContext, memory);
            properties = scan.keys.isEmpty() ? null : cursors.allocatePropertyCursor(cursorContext, memory);
            batch = new StoreScans.CursorBatch(scan.sink, worker, scan.keys, properties);
        }

        void readAll() {
            long items = nodes.size() + pairs.length / 2L;
            long first;
            while (isComplete() && (first = scan.next.getAndAdd(atOnce)) < items) {
                steps = 0;
                before = read.get();
                for (int item = (int) first; item < Math.min(items, first + atOnce); item++) {
                    if (item < nodes.size()) {
                        readAllOf(nodes.toNeo4jId(item));
                    } else {
                        int pair = 2 * (item - nodes.size());
                        readBetween(pairs[pair], pairs[pair + 1]);
                    }
                }
                read.addAndGet(steps);
            }
            batch.flush();
        }

        private boolean mayRead() {
            return before + steps <= most;
        }

        private boolean open(long neo4jId, RelationshipTraversalCursor list) {
            data.singleNode(neo4jId, node);
            if (!node.next()) {
                return false;
            }
            node.relationships(list, scan.selection);
            return true;
        }

        private void step() {
            steps++;
            stop.worked(4);
        }

        /** Reads the relationships of a node; one between two of the nodes is read at the lower one. */
        void readAllOf(long neo4jId) {
            RelationshipTraversalCursor list = lists.get(0);
            // a node without relationships is a step too
            stop.worked(4);
            if (!open(neo4jId, list)) {
                return;
            }
            while (mayRead() && list.next()) {
                step();
                long other = list.otherNodeReference();
                if (direction != Direction.BOTH || other > neo4jId || nodes.toVertex(other) == IdMap.ABSENT) {
                    batch.add(
                            list,
                            list.sourceNodeReference(),
                            list.targetNodeReference(),
                            scan.types.index(list.type()));
                }
            }
        }

        void readBetween(long from, long to) {
            found.forEach(List::clear);
            int ended = open(from, lists.get(0)) ? endOfShorter(from, to) : 0;
            for (long id : found.get(ended)) {
                data.singleRelationship(id, one);
                if (one.next()) {
                    batch.add(one, one.sourceNodeReference(), one.targetNodeReference(), scan.types.index(one.type()));
                }
            }
        }

        /** Finds the relationships between two nodes; returns which of the two lists has all of them. */
        private int endOfShorter(long from, long to) {
            if (node.supportsFastRelationshipsTo()) {
                node.relationshipsTo(lists.get(0), scan.selection, to);
                while (mayRead() && find(0, to)) {
                    step();
                }
                return 0;
            }
            if (!open(to, lists.get(1))) {
                return 1;
            }
            int list = 0;
            for (int turn = 1; mayRead() && find(list, list == 0 ? to : from); turn++) {
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

        @Override
        public void close() {
            node.close();
            // no method reference: it names a type that not every line of Neo4j has
            for (RelationshipTraversalCursor list : lists) {
                list.close();
            }
            one.close();
            if (properties != null) {
                properties.close();
            }
        }
    }
}

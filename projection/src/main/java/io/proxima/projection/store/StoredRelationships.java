// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.projection.store;

import io.proxima.concurrent.PacedStop;
import io.proxima.concurrent.Stop;
import io.proxima.projection.ProjectionSpec;
import io.proxima.projection.ProjectionSpec.PropertyProjection;
import io.proxima.projection.ProjectionSpec.TypeProjection;
import io.proxima.projection.RelationshipSource;
import io.proxima.projection.csc.Orientation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.neo4j.graphdb.Direction;
import org.neo4j.internal.kernel.api.EntityCursor;
import org.neo4j.internal.kernel.api.NodeCursor;
import org.neo4j.internal.kernel.api.PropertyCursor;
import org.neo4j.internal.kernel.api.RelationshipScanCursor;
import org.neo4j.internal.kernel.api.RelationshipTraversalCursor;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.storageengine.api.PropertySelection;
import org.neo4j.storageengine.api.RelationshipSelection;
import org.neo4j.token.api.TokenConstants;
import org.neo4j.values.storable.NumberValue;

/**
 * The stored relationships that a projection has made edges of, read with the rights of the transaction's caller, for a
 * pair of nodes or for one node. A store without an index of pairs is read node by node, and remembers what it has
 * read, so that many pairs cost about one reading of each of their nodes. Used by one thread at a time.
 */
public final class StoredRelationships {

    /** The relationships of nodes that are remembered, in all. */
    private static final int REMEMBERED = 1 << 20;

    /** The relationships whose heap is that of a remembered node beside its own. */
    private static final int HEAD = 8;

    /** The most of one node. */
    private static final int REMEMBERED_OF_NODE = 1 << 17;

    private final KernelTransaction transaction;
    private final List<Kind> kinds;
    private final RelationshipSelection leaving;
    private final RelationshipSelection entering;
    private final RelationshipSelection both;
    private final Stop stop;

    /** By twice the neo4jId of a node: those that enter it, and at the next number those that leave it. */
    private final Map<Long, Neighbours> remembered = new HashMap<>();

    private int rememberedCount;

    /** By the same numbers, the lengths of lists that were passed over, less those of the lists read in their place. */
    private final Map<Long, Long> unpaid = new HashMap<>();

    /**
     * How the relationships of a stored type were projected.
     *
     * @param type the token; {@link TokenConstants#ANY_RELATIONSHIP_TYPE} for every type
     * @param key the token of the property that is the weight; {@link TokenConstants#NO_TOKEN} for none
     * @param absent the weight of a relationship without the property
     * @param counts whether the property itself weighs 1, whatever its value
     */
    private record Kind(int type, Orientation orientation, int key, double absent, boolean counts) {}

    /** The other nodes of relationships of a node, and the ids of the relationships. */
    private static final class Neighbours {
        private long[] nodes = new long[16];
        private long[] ids = new long[16];
        private int size;

        void add(long node, long id) {
            if (size == nodes.length) {
                resize(2 * size);
            }
            nodes[size] = node;
            ids[size++] = id;
        }

        void resize(int length) {
            nodes = Arrays.copyOf(nodes, length);
            ids = Arrays.copyOf(ids, length);
        }
    }

    /**
     * A relationship of the projection.
     *
     * @param id the id in the store
     * @param start neo4jId of the start node in the store
     * @param type the token of the type
     * @param end neo4jId of the end node in the store
     * @param forward the distinct weights with which it leads from start to end in the projection, of all types that
     *     were projected from it, ascending, NaN last; 1 without a property; empty if it does not lead there
     * @param backward the same from end to start
     */
    public record Stored(long id, long start, int type, long end, List<Double> forward, List<Double> backward) {
        /** The weights with which it leads out of one of its nodes; empty if it does not. */
        public List<Double> weightsFrom(long neo4jId) {
            return start == neo4jId ? forward : backward;
        }
    }

    /**
     * Prepares to read.
     *
     * @param types what was projected
     * @param weightProperty the projected property that is the weight; empty for none
     */
    public StoredRelationships(
            KernelTransaction transaction, Collection<TypeProjection> types, String weightProperty, Stop stop) {
        this.transaction = transaction;
        this.stop = stop;
        this.kinds = types.stream()
                .filter(type -> type.type().equals(ProjectionSpec.ALL) || token(type) != TokenConstants.NO_TOKEN)
                .map(type -> kind(type, weightProperty))
                .toList();
        boolean all = kinds.stream().anyMatch(kind -> kind.type == TokenConstants.ANY_RELATIONSHIP_TYPE);
        int[] selected =
                all ? null : kinds.stream().mapToInt(Kind::type).distinct().toArray();
        Direction direction = allAre(Orientation.NATURAL)
                ? Direction.OUTGOING
                : allAre(Orientation.REVERSE) ? Direction.INCOMING : Direction.BOTH;
        this.leaving = RelationshipSelection.selection(selected, direction);
        this.entering =
                direction == Direction.BOTH ? leaving : RelationshipSelection.selection(selected, direction.reverse());
        this.both = RelationshipSelection.selection(selected, Direction.BOTH);
    }

    /** The token of the type in the store; {@link TokenConstants#NO_TOKEN} if there is none. */
    private int token(TypeProjection projected) {
        return transaction.tokenRead().relationshipType(projected.type());
    }

    private Kind kind(TypeProjection projected, String weightProperty) {
        int type =
                projected.type().equals(ProjectionSpec.ALL) ? TokenConstants.ANY_RELATIONSHIP_TYPE : token(projected);
        PropertyProjection weight = projected.properties().get(weightProperty);
        if (weight == null) {
            return new Kind(type, projected.orientation(), TokenConstants.NO_TOKEN, 1, false);
        }
        RelationshipSource.Property read = weight.read();
        int key = transaction.tokenRead().propertyKey(read.key());
        return new Kind(type, projected.orientation(), key, read.absent(), read.counts());
    }

    private boolean allAre(Orientation orientation) {
        return kinds.stream().allMatch(kind -> kind.orientation == orientation);
    }

    /** The most heap of what is remembered. */
    public static long rememberedBytes() {
        // the arrays of one node are doubled by copying
        return 2L * Long.BYTES * (REMEMBERED + 3L * REMEMBERED_OF_NODE);
    }

    /** Opens the cursors of some readings, to be closed. */
    public Reader open() {
        return new Reader();
    }

    /** Reads pairs of nodes. */
    public final class Reader implements AutoCloseable {

        private final NodeCursor node =
                transaction.cursors().allocateNodeCursor(transaction.cursorContext(), transaction.memoryTracker());
        private final RelationshipTraversalCursor cursor = transaction
                .cursors()
                .allocateRelationshipTraversalCursor(transaction.cursorContext(), transaction.memoryTracker());
        private final RelationshipScanCursor one = transaction
                .cursors()
                .allocateRelationshipScanCursor(transaction.cursorContext(), transaction.memoryTracker());
        private final PropertyCursor properties =
                transaction.cursors().allocatePropertyCursor(transaction.cursorContext(), transaction.memoryTracker());
        private final PacedStop paced = new PacedStop(stop);

        private Reader() {}

        /**
         * The relationships that lead from one node to another in the projection and that still exist.
         *
         * @param from neo4jId of the node
         * @param to neo4jId of the other node
         * @param leavingFrom approximate number of relationships that lead out of the former
         * @param enteringTo approximate number of relationships that lead to the latter
         */
        public List<Stored> between(long from, long to, long leavingFrom, long enteringTo) {
            List<Stored> found = new ArrayList<>();
            if (!exists(from)) {
                return found;
            }
            if (node.supportsFastRelationshipsTo()) {
                node.relationshipsTo(cursor, leaving, to);
                while (cursor.next()) {
                    paced.worked(4);
                    addTo(found, from, atCursor());
                }
                return found;
            }
            List<Long> ids = isReadAtEnd(key(from, leaving), leavingFrom, key(to, entering), enteringTo)
                    ? between(to, entering, from)
                    : between(from, leaving, to);
            for (long id : ids) {
                transaction.dataRead().singleRelationship(id, one);
                if (one.next()) {
                    addTo(found, from, atOne());
                }
            }
            return found;
        }

        /**
         * Whether the second of two lists is read. The length of the list that is read is taken off the other one, so
         * that a list that is passed over often is read in the end. While all are remembered, this reads at most twice
         * as many relationships as the best choice for all pairs.
         */
        private boolean isReadAtEnd(long start, long lengthOfStart, long end, long lengthOfEnd) {
            if (remembered.containsKey(start) || remembered.containsKey(end)) {
                return remembered.containsKey(end);
            }
            long ofStart = unpaid.getOrDefault(start, lengthOfStart);
            long ofEnd = unpaid.getOrDefault(end, lengthOfEnd);
            unpaid.put(start, ofStart - Math.min(ofStart, ofEnd));
            unpaid.put(end, ofEnd - Math.min(ofStart, ofEnd));
            return ofEnd < ofStart;
        }

        private static void addTo(List<Stored> found, long from, Stored relationship) {
            if (!relationship.weightsFrom(from).isEmpty()) {
                found.add(relationship);
            }
        }

        /** The ids of the selected relationships of a node whose other node is this. */
        private List<Long> between(long neo4jId, RelationshipSelection selection, long other) {
            List<Long> ids = new ArrayList<>();
            Neighbours known = remembered.get(key(neo4jId, selection));
            for (int i = 0; known != null && i < known.size; i++) {
                paced.worked(1);
                if (known.nodes[i] == other) {
                    ids.add(known.ids[i]);
                }
            }
            if (known != null || !exists(neo4jId)) {
                return ids;
            }
            unpaid.remove(key(neo4jId, selection));
            Neighbours read = new Neighbours();
            node.relationships(cursor, selection);
            while (cursor.next()) {
                paced.worked(4);
                long neighbour = cursor.otherNodeReference();
                if (neighbour == other) {
                    ids.add(cursor.relationshipReference());
                }
                if (read != null) {
                    read.add(neighbour, cursor.relationshipReference());
                    read = read.size == REMEMBERED_OF_NODE ? null : read;
                }
            }
            if (read != null) {
                remember(key(neo4jId, selection), read);
            }
            return ids;
        }

        private long key(long neo4jId, RelationshipSelection selection) {
            return 2 * neo4jId + (selection == leaving ? 1 : 0);
        }

        private void remember(long key, Neighbours read) {
            makeRoom(HEAD + read.size);
            read.resize(read.size);
            remembered.put(key, read);
        }

        private void makeRoom(int relationships) {
            if (rememberedCount + relationships > REMEMBERED) {
                remembered.clear();
                unpaid.clear();
                rememberedCount = 0;
            }
            rememberedCount += relationships;
        }

        /** Whether the caller sees a node. */
        public boolean exists(long neo4jId) {
            transaction.dataRead().singleNode(neo4jId, node);
            return node.next();
        }

        /**
         * Passes on each relationship of a node that leads out of it or into it in the projection.
         *
         * @param wanted whether those to a node are wanted, by its neo4jId
         */
        public void forEach(long neo4jId, LongPredicate wanted, Consumer<Stored> consumer) {
            if (exists(neo4jId)) {
                node.relationships(cursor, both);
                while (cursor.next()) {
                    paced.worked(4);
                    long other = cursor.otherNodeReference();
                    if (other != neo4jId && wanted.test(other)) {
                        consumer.accept(atCursor());
                    }
                }
            }
        }

        private Stored atCursor() {
            return stored(cursor, cursor.sourceNodeReference(), cursor.type(), cursor.targetNodeReference());
        }

        private Stored atOne() {
            return stored(one, one.sourceNodeReference(), one.type(), one.targetNodeReference());
        }

        private Stored stored(EntityCursor relationship, long start, int type, long end) {
            List<Double> forward = List.of();
            List<Double> backward = List.of();
            for (Kind kind : kinds) {
                if (kind.type == TokenConstants.ANY_RELATIONSHIP_TYPE || kind.type == type) {
                    double weight = weight(relationship, kind);
                    forward = kind.orientation == Orientation.REVERSE ? forward : with(forward, weight);
                    backward = kind.orientation == Orientation.NATURAL ? backward : with(backward, weight);
                }
            }
            return new Stored(relationship.reference(), start, type, end, forward, backward);
        }

        private static List<Double> with(List<Double> weights, double weight) {
            if (weights.isEmpty()) {
                return List.of(weight);
            }
            return weights.contains(weight)
                    ? weights
                    : Stream.concat(weights.stream(), Stream.of(weight))
                            .sorted()
                            .toList();
        }

        private double weight(EntityCursor relationship, Kind kind) {
            if (kind.key == TokenConstants.NO_TOKEN) {
                return kind.absent;
            }
            relationship.properties(properties, PropertySelection.selection(kind.key));
            if (!properties.next()) {
                return kind.absent;
            }
            if (kind.counts) {
                return 1;
            }
            return properties.propertyValue() instanceof NumberValue number ? number.doubleValue() : kind.absent;
        }

        @Override
        public void close() {
            node.close();
            cursor.close();
            one.close();
            properties.close();
        }
    }
}

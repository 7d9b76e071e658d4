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
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.neo4j.graphdb.Direction;
import org.neo4j.internal.kernel.api.NodeCursor;
import org.neo4j.internal.kernel.api.PropertyCursor;
import org.neo4j.internal.kernel.api.RelationshipTraversalCursor;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.storageengine.api.PropertySelection;
import org.neo4j.storageengine.api.RelationshipSelection;
import org.neo4j.token.api.TokenConstants;
import org.neo4j.values.storable.NumberValue;

/**
 * The stored relationships that a projection has made edges of, read one pair of nodes at a time with the rights of the
 * transaction's caller. Immutable.
 */
public final class StoredRelationships {

    private final KernelTransaction transaction;
    private final List<Kind> kinds;
    private final RelationshipSelection leaving;
    private final RelationshipSelection entering;
    private final RelationshipSelection both;
    private final Stop stop;

    /**
     * How the relationships of a stored type were projected.
     *
     * @param type the token; {@link TokenConstants#ANY_RELATIONSHIP_TYPE} for every type
     * @param key the token of the property that is the weight; {@link TokenConstants#NO_TOKEN} for none
     * @param absent the weight of a relationship without the property
     * @param counts whether the property itself weighs 1, whatever its value
     */
    private record Kind(int type, Orientation orientation, int key, double absent, boolean counts) {}

    /**
     * A relationship of the projection.
     *
     * @param id the id in the store
     * @param start neo4jId of the start node in the store
     * @param type the token of the type
     * @param end neo4jId of the end node in the store
     * @param forward the weight with which it leads from start to end in the projection, 1 without a property; null if it
     *     does not lead there
     * @param backward the same from end to start
     */
    public record Stored(long id, long start, int type, long end, Double forward, Double backward) {
        /** The weight with which it leads out of one of its nodes; null if it does not. */
        public Double weightFrom(long neo4jId) {
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
        int[] selected = all ? null : kinds.stream().mapToInt(Kind::type).toArray();
        Direction direction = allAre(Orientation.NATURAL)
                ? Direction.OUTGOING
                : allAre(Orientation.REVERSE) ? Direction.INCOMING : Direction.BOTH;
        this.leaving = RelationshipSelection.selection(selected, direction);
        this.entering = RelationshipSelection.selection(selected, direction.reverse());
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
        private final PropertyCursor properties =
                transaction.cursors().allocatePropertyCursor(transaction.cursorContext(), transaction.memoryTracker());
        private final PacedStop paced = new PacedStop(stop);

        private Reader() {}

        /**
         * The relationships that lead from one node to another in the projection and that still exist.
         *
         * @param from neo4jId of the node
         * @param to neo4jId of the other node
         * @param toHasFewer whether fewer relationships lead to the latter than out of the former, so that its list is read
         */
        public List<Stored> between(long from, long to, boolean toHasFewer) {
            List<Stored> found = new ArrayList<>();
            if (!exists(from)) {
                return found;
            }
            if (node.supportsFastRelationshipsTo()) {
                node.relationshipsTo(cursor, leaving, to);
            } else if (!toHasFewer) {
                node.relationships(cursor, leaving);
            } else if (exists(to)) {
                node.relationships(cursor, entering);
            } else {
                return found;
            }
            while (cursor.next()) {
                paced.worked(4);
                long origin = cursor.originNodeReference();
                if (cursor.otherNodeReference() == (origin == from ? to : from)) {
                    Stored relationship = stored();
                    if (relationship.weightFrom(from) != null) {
                        found.add(relationship);
                    }
                }
            }
            return found;
        }

        /** Whether the caller sees a node. */
        public boolean exists(long neo4jId) {
            transaction.dataRead().singleNode(neo4jId, node);
            return node.next();
        }

        /** Passes on each relationship of a node that leads out of it or into it in the projection. */
        public void forEach(long neo4jId, Consumer<Stored> consumer) {
            if (exists(neo4jId)) {
                node.relationships(cursor, both);
                while (cursor.next()) {
                    paced.worked(4);
                    if (cursor.otherNodeReference() != neo4jId) {
                        consumer.accept(stored());
                    }
                }
            }
        }

        /** The relationship that the cursor is at. */
        private Stored stored() {
            Double forward = null;
            Double backward = null;
            for (Kind kind : kinds) {
                if (kind.type == TokenConstants.ANY_RELATIONSHIP_TYPE || kind.type == cursor.type()) {
                    double weight = weight(kind);
                    forward = kind.orientation == Orientation.REVERSE ? forward : least(forward, weight);
                    backward = kind.orientation == Orientation.NATURAL ? backward : least(backward, weight);
                }
            }
            return new Stored(
                    cursor.relationshipReference(),
                    cursor.sourceNodeReference(),
                    cursor.type(),
                    cursor.targetNodeReference(),
                    forward,
                    backward);
        }

        private static Double least(Double before, double weight) {
            return before == null || weight < before ? Double.valueOf(weight) : before;
        }

        private double weight(Kind kind) {
            if (kind.key == TokenConstants.NO_TOKEN) {
                return kind.absent;
            }
            cursor.properties(properties, PropertySelection.selection(kind.key));
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
            properties.close();
        }
    }
}

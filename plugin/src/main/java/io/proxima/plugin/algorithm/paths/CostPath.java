// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm.paths;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.neo4j.graphdb.Entity;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.NotFoundException;
import org.neo4j.graphdb.Path;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;

/**
 * A path of virtual relationships, which exist only in the result of a query. As in GDS, each has the cost of its step as
 * the property {@code cost}, and a negative id.
 */
final class CostPath implements Path {

    private static final String COST = "cost";

    private final List<Node> nodes;
    private final List<Relationship> relationships = new ArrayList<>();

    /**
     * Creates a path.
     *
     * @param number number of the path, for the type of its relationships
     * @param nodes the nodes, at least one
     * @param costs for each node the cost of the path to it
     */
    CostPath(long number, List<Node> nodes, List<Double> costs) {
        this.nodes = nodes;
        RelationshipType type = RelationshipType.withName("PATH_" + number);
        for (int step = 1; step < nodes.size(); step++) {
            relationships.add(
                    new Step(-step, type, nodes.get(step - 1), nodes.get(step), costs.get(step) - costs.get(step - 1)));
        }
    }

    @Override
    public Node startNode() {
        return nodes.get(0);
    }

    @Override
    public Node endNode() {
        return nodes.get(nodes.size() - 1);
    }

    @Override
    public Relationship lastRelationship() {
        return relationships.isEmpty() ? null : relationships.get(relationships.size() - 1);
    }

    @Override
    public Iterable<Relationship> relationships() {
        return relationships;
    }

    @Override
    public Iterable<Relationship> reverseRelationships() {
        return reversed(relationships);
    }

    @Override
    public Iterable<Node> nodes() {
        return nodes;
    }

    @Override
    public Iterable<Node> reverseNodes() {
        return reversed(nodes);
    }

    @Override
    public int length() {
        return relationships.size();
    }

    @Override
    public String toString() {
        return nodes.toString();
    }

    @Override
    public Iterator<Entity> iterator() {
        List<Entity> entities = new ArrayList<>();
        entities.add(startNode());
        for (int step = 0; step < relationships.size(); step++) {
            entities.add(relationships.get(step));
            entities.add(nodes.get(step + 1));
        }
        return entities.iterator();
    }

    private static <T> List<T> reversed(List<T> list) {
        List<T> reversed = new ArrayList<>(list);
        Collections.reverse(reversed);
        return reversed;
    }

    /** A virtual relationship. */
    private record Step(long id, RelationshipType type, Node start, Node end, double cost) implements Relationship {

        @Override
        @SuppressWarnings("removal") // the interface of Neo4j 5 requires it
        public long getId() {
            return id;
        }

        @Override
        public String getElementId() {
            return Long.toString(id);
        }

        @Override
        public Node getStartNode() {
            return start;
        }

        @Override
        public Node getEndNode() {
            return end;
        }

        @Override
        public Node getOtherNode(Node node) {
            if (node.equals(start)) {
                return end;
            }
            if (node.equals(end)) {
                return start;
            }
            throw new NotFoundException("not an end of the relationship: node=" + node);
        }

        @Override
        public Node[] getNodes() {
            return new Node[] {start, end};
        }

        @Override
        public RelationshipType getType() {
            return type;
        }

        @Override
        public boolean isType(RelationshipType other) {
            return type.name().equals(other.name());
        }

        @Override
        public boolean hasProperty(String key) {
            return key.equals(COST);
        }

        @Override
        public Object getProperty(String key) {
            if (!hasProperty(key)) {
                throw new NotFoundException("no such property of a virtual relationship: key=" + key);
            }
            return cost;
        }

        @Override
        public Object getProperty(String key, Object defaultValue) {
            return hasProperty(key) ? cost : defaultValue;
        }

        @Override
        public Iterable<String> getPropertyKeys() {
            return List.of(COST);
        }

        @Override
        public Map<String, Object> getProperties(String... keys) {
            return Arrays.asList(keys).contains(COST) ? getAllProperties() : Map.of();
        }

        @Override
        public Map<String, Object> getAllProperties() {
            return Map.of(COST, cost);
        }

        @Override
        public void setProperty(String key, Object value) {
            throw readOnly();
        }

        @Override
        public Object removeProperty(String key) {
            throw readOnly();
        }

        @Override
        public void delete() {
            throw readOnly();
        }

        private static UnsupportedOperationException readOnly() {
            return new UnsupportedOperationException("A virtual relationship is not in the database.");
        }
    }
}

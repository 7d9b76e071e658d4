// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.NotFoundException;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;

/**
 * A step of a path: a virtual relationship, which exists only in the result of a query. As in GDS, it has its cost as
 * the property {@code cost}, and a negative id.
 */
record PathStep(long id, RelationshipType type, Node start, Node end, double cost) implements Relationship {

    private static final String COST = "cost";

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

// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.algorithm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.neo4j.graphdb.Entity;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Path;
import org.neo4j.graphdb.Relationship;

/**
 * A path of stored or virtual relationships. Neo4j's own class of paths is in its graph-algo library, which Neo4j 2026
 * does not have.
 *
 * @param nodes the nodes in the order of the path, at least one
 * @param relationships the relationships between them
 */
record CostPath(List<Node> nodes, List<Relationship> relationships) implements Path {

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
    public Iterable<Relationship> reverseRelationships() {
        return reversed(relationships);
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
}

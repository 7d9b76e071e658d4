// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.current;

import java.util.Arrays;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.event.LabelEntry;
import org.neo4j.graphdb.event.PropertyEntry;
import org.neo4j.graphdb.event.TransactionData;
import org.neo4j.kernel.api.KernelTransaction;

/**
 * What one transaction changes of nodes, labels, relationships and their properties. Properties of nodes are left out,
 * because no projection reads them. Its rows do not change after {@link #of}; the rest belongs to {@link Touched}.
 */
@SuppressWarnings("removal") // ids of nodes, which projections have
final class Changes {

    /** The second end in a row of a node that was created, or whose labels changed. */
    static final long NODE = -1;

    /** The second end in a row of a node that was deleted. */
    static final long DELETED = -2;

    /** The rows are unknown: everything may have changed. */
    boolean everything;

    /** The open transaction if other listeners may change more before its commit; otherwise null. */
    KernelTransaction open;

    /** The state of the open transaction that was read. */
    long revision;

    /** The id of the transaction, once it is committed. */
    long transaction;

    // a row is a node with a label that was added or removed; a node without a label that was created or deleted; a
    // relationship with a property that was set or removed; or one without a property that was created or deleted
    private long[] first = new long[4];
    private long[] second = new long[4];
    private String[] name = new String[4];
    private String[] property = new String[4];
    private int size;

    private Changes() {}

    /** Changes that are not known. */
    static Changes unknown() {
        Changes changes = new Changes();
        changes.everything = true;
        return changes;
    }

    /**
     * Reads the changes of a transaction.
     *
     * @param most the number of rows from which on everything counts as changed
     */
    static Changes of(TransactionData data, int most) {
        Changes changes = new Changes();
        changes.read(data, most);
        if (changes.size > most) {
            return unknown();
        }
        return changes;
    }

    private void read(TransactionData data, int most) {
        for (Node node : data.createdNodes()) {
            add(node.getId(), NODE, null, null, most);
        }
        for (Node node : data.deletedNodes()) {
            add(node.getId(), DELETED, null, null, most);
        }
        for (LabelEntry entry : data.assignedLabels()) {
            add(entry.node().getId(), NODE, entry.label().name(), null, most);
        }
        for (LabelEntry entry : data.removedLabels()) {
            add(entry.node().getId(), NODE, entry.label().name(), null, most);
        }
        for (Relationship relationship : data.createdRelationships()) {
            add(relationship, null, most);
        }
        for (Relationship relationship : data.deletedRelationships()) {
            add(relationship, null, most);
        }
        for (PropertyEntry<Relationship> entry : data.assignedRelationshipProperties()) {
            add(entry.entity(), entry.key(), most);
        }
        for (PropertyEntry<Relationship> entry : data.removedRelationshipProperties()) {
            add(entry.entity(), entry.key(), most);
        }
    }

    private void add(Relationship relationship, String key, int most) {
        if (size <= most) {
            add(
                    relationship.getStartNodeId(),
                    relationship.getEndNodeId(),
                    relationship.getType().name(),
                    key,
                    most);
        }
    }

    private void add(long from, long to, String of, String key, int most) {
        if (size > most) {
            return;
        }
        if (size == first.length) {
            first = Arrays.copyOf(first, 2 * size);
            second = Arrays.copyOf(second, 2 * size);
            name = Arrays.copyOf(name, 2 * size);
            property = Arrays.copyOf(property, 2 * size);
        }
        first[size] = from;
        second[size] = to;
        name[size] = of;
        property[size++] = key;
    }

    /** Number of rows. */
    int size() {
        return size;
    }

    /** The node, or the start node of the relationship. */
    long first(int row) {
        return first[row];
    }

    /** The end node of the relationship. */
    long second(int row) {
        return second[row];
    }

    /** Whether the row is that of a node. */
    boolean isOfNode(int row) {
        return second[row] < 0;
    }

    /** Whether the row is that of a node that was deleted. */
    boolean isDeletion(int row) {
        return second[row] == DELETED;
    }

    /** The label, null for a node that was created or deleted; the type of a relationship. */
    String name(int row) {
        return name[row];
    }

    /** The property of the relationship; null if it was created or deleted. */
    String property(int row) {
        return property[row];
    }
}

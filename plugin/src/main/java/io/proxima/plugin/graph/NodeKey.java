// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.concurrent.PacedStop;
import io.proxima.plugin.ProximaException;
import io.proxima.plugin.arrow.ArrowColumn;
import io.proxima.plugin.arrow.ArrowColumn.Kind;
import io.proxima.plugin.call.Caller;
import io.proxima.plugin.config.ConfigReader;
import io.proxima.plugin.config.CypherTypes;
import io.proxima.plugin.config.Key;
import io.proxima.plugin.config.Shown;
import io.proxima.projection.IdMap;
import io.proxima.projection.file.NodeValues;
import org.neo4j.internal.kernel.api.NodeCursor;
import org.neo4j.internal.kernel.api.PropertyCursor;
import org.neo4j.kernel.api.KernelTransaction;
import org.neo4j.storageengine.api.PropertySelection;
import org.neo4j.token.api.TokenConstants;
import org.neo4j.values.storable.IntegralValue;
import org.neo4j.values.storable.TextValue;
import org.neo4j.values.storable.Value;

/** The column of a table that identifies nodes: their ids, their elementIds, or a property in the database. */
final class NodeKey {

    static final Key<String> KEY = Key.of(
            "key",
            "nodeId",
            "The column that identifies the nodes: 'nodeId', 'elementId', or the name of a STRING or INTEGER property"
                    + " that they have in the database.");

    /** The key in descriptions of arguments. */
    static final String KEY_TEXT = "`key` = 'nodeId', ";

    private final String name;
    private final String elementIdPrefix;
    private final KernelTransaction transaction;
    private final PropertySelection property;

    private NodeKey(String name, Caller caller, PropertySelection property) {
        this.name = name;
        this.elementIdPrefix = caller.elementIdPrefix();
        this.transaction = caller.transaction().kernelTransaction();
        this.property = property;
    }

    /** Reads the key; a fault is added if the database has no such property. */
    static NodeKey read(Caller caller, ConfigReader reader) {
        String name = reader.readString(KEY);
        if (name.equals(KEY.absent()) || name.equals(NodeValues.ID)) {
            return new NodeKey(name, caller, null);
        }
        int token = caller.transaction().kernelTransaction().tokenRead().propertyKey(name);
        if (token == TokenConstants.NO_TOKEN) {
            reader.fault("`key` must be 'nodeId', 'elementId' or the name of a property of the nodes, but the database"
                    + " has no property `" + Shown.text(name) + "`.");
            return new NodeKey(name, caller, null);
        }
        return new NodeKey(name, caller, PropertySelection.selection(token));
    }

    String name() {
        return name;
    }

    /** Whether keys are properties, and not derived from ids. */
    boolean isProperty() {
        return property != null;
    }

    /** The column of a table; of a property it has the type that the first node with the property has. */
    ArrowColumn column(IdMap ids, PacedStop stop) {
        Object first = isProperty() ? null : of(0);
        for (int vertex = 0; first == null && vertex < ids.size(); vertex++) {
            stop.worked(10);
            first = of(ids.toNeo4jId(vertex));
        }
        return new ArrowColumn(name, first instanceof Long ? Kind.INTEGER : Kind.STRING);
    }

    /**
     * The key of a node, a Long or a String, read with the caller's rights; null if the node or its property does not
     * exist any more, or if the caller may not read it.
     *
     * @throws ProximaException if the property has another type
     */
    Object of(long neo4jId) {
        if (!isProperty()) {
            return name.equals(NodeValues.ID) ? (Object) (elementIdPrefix + neo4jId) : (Long) neo4jId;
        }
        NodeCursor node = transaction.ambientNodeCursor();
        PropertyCursor properties = transaction.ambientPropertyCursor();
        transaction.dataRead().singleNode(neo4jId, node);
        if (node.next()) {
            node.properties(properties, property);
            if (properties.next()) {
                return key(neo4jId, properties.propertyValue());
            }
        }
        return null;
    }

    private Object key(long neo4jId, Value value) {
        if (value instanceof IntegralValue number) {
            return number.longValue();
        }
        if (value instanceof TextValue text) {
            return text.stringValue();
        }
        throw otherType(neo4jId, CypherTypes.nameOf(value.asObject()));
    }

    private ProximaException otherType(long neo4jId, String type) {
        return ProximaException.invalidArgument("The property `" + Shown.text(name) + "` of the node " + neo4jId
                + " is of type `" + type + "`, but a `key` must be an INTEGER of all nodes or a STRING of all nodes."
                + " Give another `key`.");
    }

    /** The id of the node with a key that is no property; negative if it is no key of this database. */
    long neo4jId(Object key) {
        if (key instanceof Long id) {
            return name.equals(NodeValues.ID) ? -1 : id;
        }
        return name.equals(NodeValues.ID) ? NodeValues.neo4jId((String) key, elementIdPrefix) : -1;
    }

    /** Adds the key of a node to a column. */
    void addTo(ArrowColumn column, long neo4jId) {
        if (name.equals(KEY.absent())) {
            // without a box
            column.add(neo4jId);
            return;
        }
        Object key = of(neo4jId);
        if (key == null) {
            column.addMissing();
        } else if (key instanceof Long number && column.kind() == Kind.INTEGER) {
            column.add((long) number);
        } else if (key instanceof String text && column.kind() == Kind.STRING) {
            column.add(text);
        } else {
            throw otherType(neo4jId, CypherTypes.nameOf(key));
        }
    }
}

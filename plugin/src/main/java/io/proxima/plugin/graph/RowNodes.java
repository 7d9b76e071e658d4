// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.graph;

import io.proxima.plugin.call.Caller;
import io.proxima.plugin.config.NodeArguments;
import org.neo4j.values.AnyValue;
import org.neo4j.values.ValueMapper;
import org.neo4j.values.storable.IntegralValue;
import org.neo4j.values.virtual.VirtualNodeReference;
import org.neo4j.values.virtual.VirtualNodeValue;

/** Reads the nodes in rows of a query, which arrive as Neo4j's own values. */
final class RowNodes {

    private final NodeArguments arguments;
    private final String elementIdPrefix;
    private final ValueMapper<Object> mapper;
    private boolean existenceUnknown;

    RowNodes(Caller caller, ValueMapper<Object> mapper) {
        this.arguments = caller.nodes();
        this.elementIdPrefix = caller.elementIdPrefix();
        this.mapper = mapper;
    }

    /** Whether one of the nodes was not given as a node, and may not exist. */
    boolean existenceUnknown() {
        return existenceUnknown;
    }

    /**
     * The neo4jId of a node.
     *
     * @throws io.proxima.plugin.ProximaException if it is neither a node of the database nor an id
     */
    long id(String argument, AnyValue node) {
        if (node instanceof VirtualNodeValue reference && reference.id() >= 0) {
            // other nodes of a query are references without an elementId, and of its own database
            return node instanceof VirtualNodeReference full
                            && !full.elementId().startsWith(elementIdPrefix)
                    ? arguments.requireOne(argument, full.elementId())
                    : reference.id();
        }
        existenceUnknown = true;
        if (node instanceof IntegralValue number && number.longValue() >= 0) {
            return number.longValue();
        }
        return arguments.requireOne(argument, node.map(mapper));
    }
}

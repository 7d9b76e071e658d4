// SPDX-FileCopyrightText: 2026 The Proxima authors
// SPDX-License-Identifier: Apache-2.0
package io.proxima.plugin.system;

import io.proxima.plugin.call.ColumnTexts;
import io.proxima.plugin.call.Help;
import io.proxima.plugin.call.ProximaProcedure;
import io.proxima.plugin.catalog.GraphCatalog;
import io.proxima.plugin.config.GraphName;
import java.util.ArrayList;
import java.util.List;
import org.neo4j.graphdb.Node;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.NotThreadSafe;
import org.neo4j.procedure.UserFunction;

/** Functions. */
@Help(page = "help")
public final class ProximaFunctions extends ProximaProcedure {

    /** Heap of a node in a list. */
    private static final int NODE_BYTES = 32;

    /** The node of an id. */
    @UserFunction(name = "proxima.util.asNode")
    @Help(
            example = "CALL proxima.closeness.stream('people') YIELD nodeId, score"
                    + " RETURN proxima.util.asNode(nodeId).name AS name, score")
    @NotThreadSafe
    @Description("Returns the `NODE` with the given id, or null if there is no such node that the caller may see.")
    public Node asNode(@Name(value = "nodeId", description = "An id from a result column.") Long nodeId) {
        InternalTransaction caller = (InternalTransaction) transaction;
        return nodeId != null
                        && nodeId >= 0
                        && caller.kernelTransaction().dataRead().nodeExists(nodeId)
                ? caller.newNodeEntity(nodeId)
                : null;
    }

    /** The nodes of several ids. */
    @UserFunction(name = "proxima.util.asNodes")
    @Help(example = "RETURN proxima.util.asNodes([0, 1])")
    @NotThreadSafe
    @Description("Returns the `LIST<NODE>` with the given ids, in their order, with null for ids without a"
            + " node that the caller may see.")
    public List<Node> asNodes(@Name(value = "nodeIds", description = "Ids from a result column.") List<Long> nodeIds) {
        if (nodeIds == null) {
            return null;
        }
        return answer(caller -> {
            List<Node> nodes = new ArrayList<>();
            for (Object nodeId : caller.arguments().elements("nodeIds", nodeIds, NODE_BYTES)) {
                nodes.add(asNode((Long) nodeId));
            }
            return nodes;
        });
    }

    /** Whether a graph exists. */
    @UserFunction(name = "proxima.graph.exists")
    @Help(page = "graph-list", example = "RETURN proxima.graph.exists('people')")
    @NotThreadSafe
    @Description("Returns whether the caller has a projected graph of that name on this database.")
    public boolean exists(@Name(value = "graphName", description = ColumnTexts.GRAPH_NAME) String graphName) {
        return answer(caller -> GraphCatalog.exists(caller.viewerOfOwnGraphs(), GraphName.ofExisting(graphName)));
    }

    /** The version. */
    @UserFunction(name = "proxima.version")
    @NotThreadSafe
    @Description("Returns the version of Proxima.")
    public String version() {
        return Version.CURRENT;
    }
}
